"""Where a point of a lying sheet appears in a photo: bent paper, its place on the table, a pinhole camera.

Table coordinates are millimetres, x to the right and y downward as seen from above; height is up, towards
the camera. Pixel centres lie at integer coordinates.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Vector = tuple[float, float]

FOLD_RADIUS_MM = 3.0
_PROFILE_STEP_MM = 0.25
_NEWTON_STEPS = 4
_PROBE_MM = 0.01


@dataclass(frozen=True, slots=True)
class Bend:
    """How a sheet is curled and folded, about one axis (so that it stays developable, as paper does).

    `sag_mm` is how much higher the ends lie than the middle (negative: the middle is up); `axis_deg` the
    direction of the axis on the sheet, 0 along x; `fold_deg` the angle of a fold across the sheet, at the
    fraction `fold_at` of its extent.
    """

    sag_mm: float = 0.0
    axis_deg: float = 90.0
    fold_deg: float = 0.0
    fold_at: float = 0.5


FLAT = Bend()


class Surface:
    """A bent sheet of `size_mm` lying with its middle at `centre_mm` of the table, turned clockwise."""

    def __init__(self, size_mm: Vector, bend: Bend, centre_mm: Vector, turn_deg: float) -> None:
        axis = np.deg2rad(bend.axis_deg)
        self.size_mm = size_mm
        self._middle = np.array(size_mm) / 2
        self._along = np.array([np.cos(axis), np.sin(axis)])
        self._across = np.array([np.sin(axis), -np.cos(axis)])
        self._half_mm = float(np.abs(self._across) @ self._middle)
        self._bend = bend
        turn = np.deg2rad(turn_deg)
        self._turn = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        self._centre = np.array(centre_mm)
        self._u, self._shift, self._height = self._profile()

    def slope(self, u: Floats) -> Floats:
        """The angle (radians) at which the paper rises, `u` mm across the axis from the middle.

        Sag s over the half extent h stands for the curvature 2 s / h^2; beyond the edge it goes on straight.
        """
        half = self._half_mm
        curvature = 2 * self._bend.sag_mm / half**2
        fold_u = (2 * self._bend.fold_at - 1) * half
        fold = np.deg2rad(self._bend.fold_deg) / 2 * np.tanh((u - fold_u) / FOLD_RADIUS_MM)
        slope: Floats = np.clip(u, -half, half) * curvature + fold
        return slope

    def _profile(self) -> tuple[Floats, Floats, Floats]:
        """The paper's cross section by arc length: travelled distance on the table and height."""
        reach = 2 * self._half_mm
        u = np.arange(-reach, reach + _PROFILE_STEP_MM, _PROFILE_STEP_MM)
        slope = self.slope(u + _PROFILE_STEP_MM / 2)
        shift = np.concatenate([[0.0], np.cumsum(np.cos(slope))[:-1]]) * _PROFILE_STEP_MM
        height = np.concatenate([[0.0], np.cumsum(np.sin(slope))[:-1]]) * _PROFILE_STEP_MM
        on_sheet = np.abs(u) <= self._half_mm
        return u, shift - np.interp(0.0, u, shift), height - height[on_sheet].min()

    def across_mm(self, points_mm: Floats) -> Floats:
        """The distance of sheet points (n, 2) from the middle, across the bending axis."""
        distance: Floats = (points_mm - self._middle) @ self._across
        return distance

    @property
    def bent(self) -> bool:
        """Whether any part of the sheet leaves the table."""
        return bool(self._height.max() > 1e-9)

    def uphill(self) -> Floats:
        """The unit vector on the table in which `slope` counts as rising."""
        direction: Floats = self._turn @ self._across
        return direction

    def lift(self, points_mm: Floats) -> Floats:
        """Sheet points (n, 2) as table points with height (n, 3)."""
        centred = points_mm - self._middle
        u = centred @ self._across
        flat = np.outer(np.interp(u, self._u, self._shift), self._across)
        flat += np.outer(centred @ self._along, self._along)
        on_table = flat @ self._turn.T + self._centre
        return np.column_stack([on_table, np.interp(u, self._u, self._height)])

    def drop(self, table_mm: Floats) -> Floats:
        """The sheet points that would lie at table points (n, 2) if the sheet were flat."""
        flat: Floats = (table_mm - self._centre) @ self._turn + self._middle
        return flat

    def outline_mm(self, steps: int = 40) -> Floats:
        """The sheet's edge as a closed line of sheet points (4 steps, 2)."""
        width, height = self.size_mm
        part = np.linspace(0, 1, steps, endpoint=False)
        zero, one = np.zeros(steps), np.ones(steps)
        x = np.concatenate([part, one, 1 - part, zero]) * width
        y = np.concatenate([zero, part, one, 1 - part]) * height
        return np.column_stack([x, y])


@dataclass(frozen=True)
class Camera:
    """A pinhole camera with radial distortion (Brown's k1, k2) that looks at `target_mm` of the table."""

    size_px: tuple[int, int]
    focal_px: float
    rotation: Floats
    distance_mm: float
    target_mm: Vector
    k1: float
    k2: float

    @property
    def centre_px(self) -> Floats:
        """The principal point."""
        return (np.array(self.size_px) - 1) / 2

    def project(self, lifted_mm: Floats) -> Floats:
        """Table points with height (n, 3) as photo pixels (n, 2)."""
        x, y = lifted_mm[:, 0] - self.target_mm[0], lifted_mm[:, 1] - self.target_mm[1]
        seen = np.column_stack([x, y, -lifted_mm[:, 2]]) @ self.rotation.T
        ideal = seen[:, :2] / (seen[:, 2:] + self.distance_mm)
        r2 = (ideal**2).sum(axis=1, keepdims=True)
        pixels: Floats = self.focal_px * ideal * (1 + self.k1 * r2 + self.k2 * r2**2) + self.centre_px
        return pixels

    def to_table(self, pixels: Floats) -> Floats:
        """Photo pixels (n, 2) as points (n, 2) of the table's plane."""
        distorted = (pixels - self.centre_px) / self.focal_px
        radius = np.linalg.norm(distorted, axis=1)
        ideal = radius.copy()
        for _ in range(_NEWTON_STEPS):
            r2 = ideal**2
            excess = ideal * (1 + self.k1 * r2 + self.k2 * r2**2) - radius
            ideal -= excess / (1 + 3 * self.k1 * r2 + 5 * self.k2 * r2**2)
        undistorted = distorted * (ideal / np.maximum(radius, 1e-12))[:, None]
        rays = np.column_stack([undistorted, np.ones(len(pixels))]) @ self.rotation
        eye = -self.distance_mm * self.rotation[2]
        reach = -eye[2] / np.maximum(rays[:, 2], 1e-3)
        table_mm: Floats = eye[:2] + reach[:, None] * rays[:, :2] + np.array(self.target_mm)
        return table_mm

    def to_sheet(self, surface: Surface, pixels: Floats) -> Floats:
        """Photo pixels (n, 2) as points (n, 2) of the sheet, by Newton steps from where it would lie flat."""
        points = surface.drop(self.to_table(pixels))
        probe_x, probe_y = np.eye(2) * _PROBE_MM
        for _ in range(_NEWTON_STEPS if surface.bent else 0):
            error = pixels - self.project(surface.lift(points))
            by_x = (self.project(surface.lift(points + probe_x)) - pixels + error) / _PROBE_MM
            by_y = (self.project(surface.lift(points + probe_y)) - pixels + error) / _PROBE_MM
            determinant = by_x[:, 0] * by_y[:, 1] - by_x[:, 1] * by_y[:, 0]
            determinant = np.where(np.abs(determinant) < 1e-6, 1e-6, determinant)
            step_x = (error[:, 0] * by_y[:, 1] - error[:, 1] * by_y[:, 0]) / determinant
            step_y = (error[:, 1] * by_x[:, 0] - error[:, 0] * by_x[:, 1]) / determinant
            points = points + np.clip(np.column_stack([step_x, step_y]), -20, 20)
        return points


def aim(camera: Camera, surfaces: list[Surface], fill: float, offset: Vector) -> Camera:
    """The camera moved so that the sheets span `fill` of the photo, their middle `offset` off its centre.

    `offset` counts in photo widths and heights.
    """
    outline = np.concatenate([surface.lift(surface.outline_mm()) for surface in surfaces])
    size = np.array(camera.size_px)
    for _ in range(6):
        seen = camera.project(outline)
        low, high = seen.min(axis=0), seen.max(axis=0)
        reach = float(((high - low) / size).max())
        wished = camera.centre_px + np.array(offset) * size
        off = camera.to_table(np.array([(low + high) / 2 - wished + camera.centre_px]))[0]
        camera = replace(
            camera, distance_mm=camera.distance_mm * reach / fill, target_mm=(float(off[0]), float(off[1]))
        )
    return camera


def turned(tilt_deg: float, azimuth_deg: float, roll_deg: float) -> Floats:
    """The rotation from the table to the camera: tilted about a line of the table, then rolled clockwise."""
    tilt, azimuth, roll = np.deg2rad([tilt_deg, azimuth_deg, roll_deg])
    x, y = -np.sin(azimuth), np.cos(azimuth)
    cross = np.array([[0, 0, y], [0, 0, -x], [-y, x, 0]])
    lean = np.eye(3) + np.sin(tilt) * cross + (1 - np.cos(tilt)) * cross @ cross
    spin = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
    rotation: Floats = spin @ lean
    return rotation
