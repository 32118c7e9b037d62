"""Where each point of a sheet lies in the photo: a homography and a smooth bend, checked at the markers."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetscan.errors import NoSheetError
from sheetscan.geometry import Box
from sheetscan.imaging.markers import SeenSheet
from sheetscan.imaging.surface import Points, Surface, fit_cubic, sampled, terms
from sheetscan.template import Template

MAX_RESIDUAL_MM = 0.6
"""Strongly bent paper leaves 0.3 mm; more, and the outlines would be looked for in the wrong places."""
SUSPICIOUS_MM = 0.06
TELLTALE = 0.4
"""A marker without which this share of the residual is left lies on a folded corner, or is a decoy."""
MIN_PX_PER_MM = 1.3
"""Below it a written digit is eight pixels high, and a marker's modules are hardly told apart."""
GO_NEARER = "go nearer, or use a higher resolution"
FEWEST_TO_COMPARE = 5
"""Of fewer markers none can be told to be out of place."""
BEND_RIDGE = 1e-3
AROUND_MM = np.array([[-1.0, 0.0], [1.0, 0.0], [0.0, -1.0], [0.0, 1.0]])
BATCH_PX = 1 << 20
"""Regions are cut together up to so many pixels: that keeps the memory small, and images below 2¹⁵ rows."""


@dataclass(frozen=True)
class SheetMap:
    """From sheet millimetres to photo pixels: the bend of the paper, then a homography (3, 3).

    `residual_mm` is the root mean square distance between the seen marker corners and a smooth sheet's.
    """

    homography: Points
    surface: Surface
    page_mm: tuple[float, float]
    residual_mm: float
    markers_found: int

    def to_photo(self, points_mm: Points) -> Points:
        """Photo pixels (n, 2) of sheet points (n, 2) in millimetres; pixel centres have whole coordinates."""
        bent = points_mm + self.surface.offset(points_mm)
        projected = bent @ self.homography[:, :2].T + self.homography[:, 2]
        return np.asarray(projected[:, :2] / projected[:, 2:])

    def px_per_mm(self, box: Box) -> float:
        """The photo's resolution in the middle of a box, the coarser of the two directions."""
        return float(self.resolutions([box])[0])

    def resolutions(self, boxes: Sequence[Box]) -> Points:
        """The same of many boxes, (n,), in less time than one by one."""
        centres = np.array([box.centre for box in boxes])
        around = self.to_photo((centres[:, None] + AROUND_MM).reshape(-1, 2)).reshape(-1, 4, 2)
        spans = np.linalg.norm(around[:, 1::2] - around[:, ::2], axis=2) / 2
        return np.asarray(spans.min(axis=1))


def fit_sheet_map(seen: SeenSheet) -> SheetMap:
    """Fit the map to a sheet's markers.

    Raises NoSheetError when they don't lie as on a flat or gently bent sheet, or it is too small to be read.
    """
    template = seen.template
    sheet_map = _smooth_map(seen)
    if sheet_map.residual_mm > MAX_RESIDUAL_MM:
        raise NoSheetError(
            f"the {template.id} sheet is folded or crumpled: its markers lie {sheet_map.residual_mm:.2f} mm"
            f" off a smooth sheet (at most {MAX_RESIDUAL_MM} mm)",
            "lay the sheet flat and photograph it again",
        )
    check_resolution(coarsest_px_per_mm(sheet_map, template), template.id)
    return sheet_map


def _smooth_map(seen: SeenSheet) -> SheetMap:
    page_mm = seen.template.page_mm
    sheet_mm, photo_px = marker_corners(seen)
    found, _ = cv2.findHomography(sheet_mm, photo_px)
    if found is None:
        raise NoSheetError("the markers lie on a line", "photograph the sheet from above")
    homography = np.asarray(found, dtype=np.float64)
    offsets_mm = unprojected(photo_px, homography) - sheet_mm
    cubic = fit_cubic(sheet_mm, offsets_mm, page_mm, BEND_RIDGE)
    misfit_mm = offsets_mm - terms(sheet_mm, page_mm) @ cubic
    residual_mm = float(np.sqrt(np.mean(np.sum(misfit_mm**2, axis=1))))
    return SheetMap(homography, sampled(cubic, page_mm), page_mm, residual_mm, len(seen.corners))


def without_stray(seen: SeenSheet) -> SeenSheet:
    """The sheet without the one marker that alone spoils a smooth fit, if there is one."""
    residual_mm = _smooth_map(seen).residual_mm
    if residual_mm < SUSPICIOUS_MM or len(seen.corners) < FEWEST_TO_COMPARE:
        return seen
    others = [
        SeenSheet(seen.template, {key: corners for key, corners in seen.corners.items() if key != stray})
        for stray in seen.corners
    ]
    best_mm, best = min(
        ((_smooth_map(other).residual_mm, other) for other in others), key=lambda entry: entry[0]
    )
    return best if best_mm < TELLTALE * residual_mm else seen


def marker_corners(seen: SeenSheet) -> tuple[Points, Points]:
    """The corners of the seen markers, (n, 2) each: sheet millimetres and photo pixels."""
    boxes = {marker.id: marker.box_mm for marker in seen.template.markers}
    sheet_mm = np.concatenate([np.array(boxes[marker_id].corners) for marker_id in seen.corners])
    return sheet_mm, np.concatenate(list(seen.corners.values())).astype(np.float64)


def rough_projection(seen: SeenSheet) -> Points:
    """From sheet millimetres to photo pixels, (3, 3), as well as any number of markers tells.

    The perspective of one or two small markers would be a guess: it is left out.
    """
    sheet_mm, photo_px = marker_corners(seen)
    if len(seen.corners) > 2:
        homography, _ = cv2.findHomography(sheet_mm, photo_px)
        if homography is not None:
            return np.asarray(homography, dtype=np.float64)
    affine, *_ = np.linalg.lstsq(np.column_stack([sheet_mm, np.ones(len(sheet_mm))]), photo_px, rcond=None)
    return np.vstack([affine.T, [0, 0, 1]])


def unprojected(photo_px: Points, homography: Points) -> Points:
    """Where photo pixels lie on the flat sheet that the homography shows, in millimetres."""
    return np.asarray(cv2.perspectiveTransform(photo_px[None], np.linalg.inv(homography))[0])


def coarsest_px_per_mm(sheet_map: SheetMap, template: Template) -> float:
    """The photo's resolution at the field where it is lowest."""
    return float(sheet_map.resolutions([field.box_mm for field in template.readable_fields]).min())


def check_resolution(px_per_mm: float, name: str) -> None:
    """Raises NoSheetError if a written digit would be too few pixels high."""
    if px_per_mm < MIN_PX_PER_MM:
        raise NoSheetError(
            f"the {name} sheet is too small in the photo: {px_per_mm:.1f} pixels a millimetre"
            f" (at least {MIN_PX_PER_MM:g})",
            GO_NEARER,
        )


def flatten(
    pixels: NDArray[np.uint8],
    sheet_map: SheetMap,
    px_per_mm: float,
    region: Box | None = None,
    max_oversampling: int = 8,
) -> NDArray[np.uint8]:
    """The sheet, or a region of it, seen straight from above, cut from the full photo in one step.

    Averages over the photo's pixels where the photo is finer than `px_per_mm`.
    """
    area = region or Box(0, 0, *sheet_map.page_mm)
    (flat,) = flatten_alike(pixels, sheet_map, px_per_mm, [area], max_oversampling)
    return np.asarray(flat, np.uint8)


def flatten_alike(
    pixels: NDArray[np.uint8],
    sheet_map: SheetMap,
    px_per_mm: float,
    regions: Sequence[Box],
    max_oversampling: int = 8,
) -> NDArray[np.uint8]:
    """Regions of one size, each as `flatten` gives it: (n, height, width) or (n, height, width, 3).

    Many small regions cost by the call, not by the pixel: they are cut together, one below the other.
    """
    size = (round(regions[0].width * px_per_mm), round(regions[0].height * px_per_mm))
    flats = np.empty((len(regions), *size[::-1], *pixels.shape[2:]), np.uint8)
    finer = np.clip(np.round(sheet_map.resolutions(regions) / px_per_mm), 1, max_oversampling).astype(int)
    for oversampling in set(finer.tolist()):
        places = np.flatnonzero(finer == oversampling)
        batch = max(1, BATCH_PX // (size[0] * size[1] * oversampling**2))
        for start in range(0, len(places), batch):
            some = places[start : start + batch]
            areas = [regions[place] for place in some]
            flats[some] = _cut(pixels, sheet_map, areas, size, oversampling)
    return flats


def _cut(
    pixels: NDArray[np.uint8],
    sheet_map: SheetMap,
    areas: Sequence[Box],
    size: tuple[int, int],
    oversampling: int,
) -> NDArray[np.uint8]:
    dense = _dense_map(sheet_map, areas, size, oversampling)
    white = (255, 255, 255)
    seen = cv2.remap(  # type: ignore[call-overload]  # Both coordinates are in the first map.
        pixels, dense, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=white
    )
    if oversampling > 1:
        seen = cv2.resize(seen, (size[0], size[1] * len(areas)), interpolation=cv2.INTER_AREA)
    return np.asarray(seen, np.uint8).reshape(len(areas), size[1], size[0], *pixels.shape[2:])


GRID_STEP_PX = 8


def _dense_map(
    sheet_map: SheetMap, areas: Sequence[Box], size: tuple[int, int], oversampling: int
) -> NDArray[np.float32]:
    """Photo coordinates (height, width, 2) of every pixel of the areas, one below the other: exact every few
    pixels, linear between (the map is smooth)."""
    fine = np.array(size) * oversampling
    nodes = (fine + GRID_STEP_PX // 2 - 1) // GRID_STEP_PX + 2
    steps = [
        (GRID_STEP_PX * (np.arange(count) - 0.5)) / whole for count, whole in zip(nodes, fine, strict=True)
    ]
    grid_mm = np.empty((len(areas), nodes[1], nodes[0], 2))
    for grid, area in zip(grid_mm, areas, strict=True):
        grid[..., 0] = area.x + steps[0] * area.width
        grid[..., 1] = (area.y + steps[1] * area.height)[:, None]
    grid_px = sheet_map.to_photo(grid_mm.reshape(-1, 2)).astype(np.float32)
    stretched = nodes * GRID_STEP_PX
    dense = cv2.resize(
        grid_px.reshape(-1, nodes[0], 2),
        (int(stretched[0]), int(stretched[1]) * len(areas)),
        interpolation=cv2.INTER_LINEAR,
    ).reshape(len(areas), stretched[1], stretched[0], 2)
    # An area's nodes reach half a step and more beyond it: what lies between two areas is cut off.
    inner = dense[:, GRID_STEP_PX : GRID_STEP_PX + fine[1], GRID_STEP_PX : GRID_STEP_PX + fine[0]]
    return np.asarray(inner, np.float32).reshape(-1, fine[0], 2)
