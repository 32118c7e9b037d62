"""Photographs pages: bent on a table, under a light, through a lens, onto a sensor, into a JPEG.

The photo is made by looking up every pixel in the page. Light is applied to the display values: a share
of light g is a gain of g ** (1 / 2.2) there, the same as working with linear light under a pure power law.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetscan.lab.backdrop import TILE_PX_PER_MM, table_tile
from sheetscan.lab.develop import develop
from sheetscan.lab.light import paper_shade, shadow_on_table
from sheetscan.lab.optics import Bend, Camera, Floats, Surface, Vector, aim, turned
from sheetscan.lab.scene import Scene, Thumb, random_scene

__all__ = ["PlacedPage", "Scene", "SheetView", "Shot", "photograph", "photograph_many", "random_scene"]

Page = NDArray[np.float32] | NDArray[np.uint8]
Pixels = NDArray[np.uint8]
_GRID_PX = 16
_SHARPER_THAN_PHOTO = 1.25
_SKIN = (206, 158, 132)


@dataclass(frozen=True, slots=True)
class PlacedPage:
    """A page (RGB, reflectance 0..1 or 0..255) with its middle at a place of the table, turned clockwise."""

    page: Page
    px_per_mm: float
    centre_mm: Vector = (0.0, 0.0)
    turn_deg: float = 0.0
    bend: Bend | None = None

    @property
    def size_mm(self) -> Vector:
        """Width and height of the paper."""
        height, width = self.page.shape[:2]
        return width / self.px_per_mm, height / self.px_per_mm


@dataclass(frozen=True)
class SheetView:
    """The exact map from a sheet's millimetres to the photo (truth of the lab)."""

    camera: Camera
    surface: Surface

    def __call__(self, points_mm: NDArray[np.floating]) -> Floats:
        """Sheet points (n, 2) as photo pixels (n, 2); pixel centres at integers."""
        return self.camera.project(self.surface.lift(np.asarray(points_mm, np.float64)))


@dataclass(frozen=True)
class Shot:
    """A photo (uint8 RGB) and, per sheet in it, the map from its millimetres to pixels."""

    pixels: Pixels
    to_photos: tuple[SheetView, ...] = field(repr=False)

    @property
    def to_photo(self) -> SheetView:
        """The map of the only, or first, sheet."""
        return self.to_photos[0]


def photograph(page: Page, px_per_mm: float, scene: Scene, rng: np.random.Generator) -> Shot:
    """A photo of one page of shape (h, w, 3) RGB; float pages hold 0..1. Deterministic by scene and rng."""
    return photograph_many([PlacedPage(page, px_per_mm)], scene, rng)


def photograph_many(placed: Sequence[PlacedPage], scene: Scene, rng: np.random.Generator) -> Shot:
    """A photo of several pages on one table; later ones lie on top."""
    surfaces = [
        Surface(entry.size_mm, entry.bend or scene.bend, entry.centre_mm, entry.turn_deg) for entry in placed
    ]
    camera = _camera(scene, surfaces)
    pixels = _table(camera, scene)
    for entry, surface in zip(placed, surfaces, strict=True):
        _lay(pixels, entry, surface, camera, scene)
    return Shot(develop(pixels, scene, rng), tuple(SheetView(camera, surface) for surface in surfaces))


def _camera(scene: Scene, surfaces: list[Surface]) -> Camera:
    rotation = turned(scene.tilt_deg, scene.azimuth_deg, scene.roll_deg)
    extent = max(float(np.abs(s.lift(s.outline_mm())).max()) for s in surfaces)
    focal_px = scene.focal * max(scene.size_px)
    start = Camera(scene.size_px, focal_px, rotation, 4 * extent, (0.0, 0.0), scene.k1, scene.k2)
    return aim(start, surfaces, scene.fill, scene.offset)


class _Lookup:
    """A smooth map from a rectangle of the photo into a picture: known on a grid, stretched to pixels."""

    def __init__(self, left: int, top: int, width: int, height: int) -> None:
        self.left, self.top, self.width, self.height = left, top, width, height
        self._columns, self._rows = -(-width // _GRID_PX) + 2, -(-height // _GRID_PX) + 2

    def grid(self) -> Floats:
        """The photo pixels (n, 2) of the grid: middles of blocks, one block more on every side."""
        x = (np.arange(self._columns) - 0.5) * _GRID_PX - 0.5 + self.left
        y = (np.arange(self._rows) - 0.5) * _GRID_PX - 0.5 + self.top
        return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)

    def stretch(self, places: Floats) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The two coordinates of `places` (n, 2), given on the grid, for every pixel of the rectangle."""
        size = (self._columns * _GRID_PX, self._rows * _GRID_PX)
        inner = np.s_[_GRID_PX : _GRID_PX + self.height, _GRID_PX : _GRID_PX + self.width]
        x, y = (
            cv2.resize(part.reshape(self._rows, self._columns).astype(np.float32), size)[inner]
            for part in places.T
        )
        return x, y


def _table(camera: Camera, scene: Scene) -> Pixels:
    tile = table_tile(scene.table, scene.table_variant)
    lookup = _Lookup(0, 0, *scene.size_px)
    places = camera.to_table(lookup.grid()) * TILE_PX_PER_MM + 0.37 * len(tile)
    x, y = lookup.stretch(np.clip(places, -30000, 30000))
    return cast(Pixels, cv2.remap(tile, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP))


def _lay(pixels: Pixels, entry: PlacedPage, surface: Surface, camera: Camera, scene: Scene) -> None:
    """Draw one sheet into the photo, in place."""
    outline = camera.project(surface.lift(surface.outline_mm()))
    shadow_on_table(pixels, outline, surface, camera, scene.light)
    height, width = pixels.shape[:2]
    left, top = np.clip(np.floor(outline.min(axis=0)).astype(int) - 2, 0, (width, height))
    right, bottom = np.clip(np.ceil(outline.max(axis=0)).astype(int) + 3, 0, (width, height))
    if right <= left or bottom <= top:
        return
    lookup = _Lookup(left, top, right - left, bottom - top)
    picture, scale = _picture(entry, surface, camera, scene)
    x, y = lookup.stretch(camera.to_sheet(surface, lookup.grid()) * scale - 0.5)
    sheet = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    _blend(pixels[top:bottom, left:right], cast(Pixels, sheet), outline - (left, top))


def _picture(
    entry: PlacedPage, surface: Surface, camera: Camera, scene: Scene
) -> tuple[Pixels, NDArray[np.float64]]:
    """The page shaded by its bend, not much finer than the photo shows it, and its pixels per mm (x, y)."""
    page = _as_bytes(entry.page)
    size_mm = np.array(entry.size_mm)
    sides_px = np.linalg.norm(np.diff(camera.project(surface.lift(surface.outline_mm(8))), axis=0), axis=1)
    sides_mm = np.linalg.norm(np.diff(surface.outline_mm(8), axis=0), axis=1)
    wanted = float((sides_px / sides_mm).max()) * _SHARPER_THAN_PHOTO
    if wanted < entry.px_per_mm:
        size_px = np.maximum(np.rint(size_mm * wanted), 1).astype(int)
        size = (int(size_px[0]), int(size_px[1]))
        page = cast(Pixels, cv2.resize(page, size, interpolation=cv2.INTER_AREA))
    scale = np.array(page.shape[1::-1]) / size_mm
    picture = paper_shade(page, scale, surface, scene.light)
    for thumb in scene.thumbs:
        press(picture, scale, thumb)
    return picture, scale


def _as_bytes(page: Page) -> Pixels:
    if page.dtype == np.uint8:
        return cast(Pixels, page)
    return cast(Pixels, cv2.convertScaleAbs(page, alpha=255.0))


def press(picture: Pixels, scale: NDArray[np.float64], thumb: Thumb) -> None:
    """Draw a fingertip over a page, in place: a rounded bar, lighter along its middle, with a soft shadow.

    `scale` are the page's pixels per mm in x and y.
    """
    way = np.deg2rad(thumb.from_deg)
    away = np.array([np.cos(way), np.sin(way)])
    start = (np.array(thumb.tip_mm) + away * thumb.radius_mm) * scale
    end = start + away * 200 * scale
    radius = thumb.radius_mm * float(scale.mean())
    clear = np.full(picture.shape[:2], 255, np.uint8)
    line = (tuple(map(int, start)), tuple(map(int, end)))
    cv2.line(clear, *line, 90, int(2.1 * radius))
    shade = cv2.blur(clear, (int(radius * 0.6) | 1, int(radius * 0.6) | 1))
    picture[:] = cv2.multiply(picture, cv2.merge([shade] * 3), scale=1 / 255)
    for part in np.linspace(1, 0.1, 24):
        tone = 0.72 + 0.28 * np.sqrt(1 - part**2)
        cv2.line(picture, *line, tuple(c * tone for c in _SKIN), max(int(2 * radius * part), 1), cv2.LINE_AA)


def _blend(below: Pixels, sheet: Pixels, outline: Floats) -> None:
    """Put the sheet over what lies below, inside its outline, with a smooth edge."""
    mask = np.zeros(below.shape[:2], np.uint8)
    fixed = np.rint(outline * 16).astype(np.int32)
    cv2.fillPoly(mask, [fixed], 255, cv2.LINE_AA, shift=4)
    inside = mask == 255
    edge = (mask > 0) & ~inside
    amount = mask[edge][:, None].astype(np.float32) / 255
    mixed = below[edge] + (sheet[edge].astype(np.float32) - below[edge]) * amount
    cv2.copyTo(sheet, inside.astype(np.uint8), below)
    below[edge] = mixed.astype(np.uint8)
