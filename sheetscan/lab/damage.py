"""What happens to a sheet after it was written on: stickers, thumbs, foreign markers, folded corners."""

from dataclasses import dataclass, replace
from typing import Literal, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetscan.geometry import Box
from sheetscan.lab.camera import press
from sheetscan.lab.scene import Thumb
from sheetscan.lab.studio import RASTER_PX_PER_MM, PrintedSheet
from sheetscan.template import Template

Corner = Literal["top left", "top right", "bottom right", "bottom left"]
CORNERS: tuple[Corner, ...] = ("top left", "top right", "bottom right", "bottom left")

_STICKER = 246
_BACK_OF_PAPER = 226
_TABLE = (92, 80, 68)
"""What shows where the paper is no more."""
_SHADED = 0.85
STREAK_DARKNESS = (0.15, 0.8)
STREAK_SKEW_DEG = 0.4
STREAK_SHIFT = 4
BACK_BLUR_MM = 0.25
"""Paper scatters the light that comes from its other side."""

Page = NDArray[np.uint8]


def covered(printed: PrintedSheet, box_mm: Box) -> PrintedSheet:
    """The sheet with a white sticker over a box of sheet millimetres."""
    page = printed.page.copy()
    left, top, right, bottom = _to_page(printed, box_mm)
    page[max(top, 0) : bottom, max(left, 0) : right] = _STICKER
    return replace(printed, page=page)


def with_decoy(
    printed: PrintedSheet, template: Template, marker_id: int, centre_mm: tuple[float, float]
) -> PrintedSheet:
    """The sheet with one more marker of its kind on it, as cut from another sheet and lost here."""
    page = printed.page.copy()
    side_mm = template.markers[0].box_mm.width
    paper = Box.around(centre_mm, 1.5 * side_mm, 1.5 * side_mm)
    left, top, right, bottom = _to_page(printed, paper)
    page[max(top, 0) : bottom, max(left, 0) : right] = _STICKER
    side_px = round(side_mm * printed.scale * RASTER_PX_PER_MM)
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, template.dictionary))
    x, y = (left + right - side_px) // 2, (top + bottom - side_px) // 2
    marker = cv2.aruco.generateImageMarker(dictionary, marker_id, side_px)
    page[y : y + side_px, x : x + side_px] = marker[..., None]
    return replace(printed, page=page)


def thumbed(printed: PrintedSheet, thumb: Thumb) -> PrintedSheet:
    """The sheet with a fingertip on it, whose place counts in sheet millimetres."""
    page = printed.page.copy()
    x, y = (at * printed.scale + off for at, off in zip(thumb.tip_mm, printed.origin_mm, strict=True))
    press(page, np.full(2, RASTER_PX_PER_MM), replace(thumb, tip_mm=(x, y)))
    return replace(printed, page=page)


def streaked(
    printed: PrintedSheet, rng: np.random.Generator, *, upright: bool, width_mm: float
) -> PrintedSheet:
    """The sheet with straight lines from edge to edge, as dust on a scanner's glass leaves them."""
    page = printed.page if upright else printed.page.transpose(1, 0, 2)
    light = np.ones(page.shape[:2], np.float32)
    length, across = page.shape[:2]
    skew = np.tan(np.deg2rad(rng.normal(0, STREAK_SKEW_DEG)))
    for _ in range(int(rng.integers(1, 4))):
        middle = np.array([rng.uniform(0.1, 0.9) * across, length / 2])
        way = np.array([skew, 1]) * length
        ends = np.rint(np.stack([middle - way, middle + way]) * 2**STREAK_SHIFT).astype(int).tolist()
        line = np.zeros(page.shape[:2], np.uint8)
        width_px = max(1, round(width_mm * RASTER_PX_PER_MM))
        cv2.line(line, ends[0], ends[1], 255, width_px, cv2.LINE_AA, STREAK_SHIFT)
        light *= 1 - line / np.float32(255) * np.float32(rng.uniform(*STREAK_DARKNESS))
    spoilt = np.rint(page * light[..., None]).astype(np.uint8)
    return replace(printed, page=np.ascontiguousarray(spoilt if upright else spoilt.transpose(1, 0, 2)))


def shown_through(printed: PrintedSheet, share: float) -> PrintedSheet:
    """The sheet on thin paper, on whose back another like it shows: mirrored, soft and pale."""
    back = cv2.GaussianBlur(printed.page[:, ::-1], (0, 0), BACK_BLUR_MM * RASTER_PX_PER_MM)
    light = 1 - share * (1 - back.astype(np.float32) / 255)
    return replace(printed, page=np.rint(printed.page * light).astype(np.uint8))


def dog_eared(printed: PrintedSheet, corner: Corner, leg_mm: float) -> PrintedSheet:
    """The sheet with a corner folded over, so far along both edges: its bare back covers what was there."""
    page = printed.page.copy()
    beyond = _beyond_fold(page, corner, leg_mm)
    mirrored = _moved(corner, 2 * beyond)
    page[(beyond < 0) & mirrored.on_paper] = _BACK_OF_PAPER
    page[beyond > 0] = _TABLE
    return replace(printed, page=page)


def bent_corner(printed: PrintedSheet, corner: Corner, leg_mm: float, angle_deg: float) -> PrintedSheet:
    """The sheet with a corner bent up (or down), seen from above: it is foreshortened and shaded."""
    beyond = _beyond_fold(printed.page, corner, leg_mm)
    stretched = beyond / float(np.cos(np.deg2rad(angle_deg)))
    source = _moved(corner, beyond - stretched)
    seen = cv2.remap(
        printed.page, source.x, source.y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=_TABLE
    )
    bent = np.where(source.on_paper[..., None], seen * _SHADED, seen)
    page = np.where(beyond[..., None] > 0, bent, printed.page)
    return replace(printed, page=cast(Page, np.rint(page).astype(np.uint8)))


@dataclass(frozen=True)
class _Source:
    """From where on the page each of its pixels is seen, and whether that is paper; (height, width) each."""

    x: NDArray[np.float32]
    y: NDArray[np.float32]
    on_paper: NDArray[np.bool_]


def _outwards(corner: Corner) -> NDArray[np.float64]:
    """The way (x, y) from the page's middle to its corner, along the diagonal of a square."""
    x = 1 if corner.endswith("right") else -1
    y = 1 if corner.startswith("bottom") else -1
    outwards: NDArray[np.float64] = np.array([x, y]) / np.sqrt(2)
    return outwards


def _beyond_fold(page: Page, corner: Corner, leg_mm: float) -> NDArray[np.float32]:
    """How many pixels each place lies beyond the fold that cuts both edges `leg_mm` from the corner."""
    height, width = page.shape[:2]
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    way_x, way_y = _outwards(corner)
    corner_x, corner_y = (width - 1) * (way_x > 0), (height - 1) * (way_y > 0)
    outwards = (x - corner_x) * way_x + (y - corner_y) * way_y
    return np.asarray(outwards + leg_mm * RASTER_PX_PER_MM / np.sqrt(2), dtype=np.float32)


def _moved(corner: Corner, inwards: NDArray[np.float32]) -> _Source:
    """Every place of the page moved inwards by so many pixels."""
    height, width = inwards.shape
    way_x, way_y = _outwards(corner)
    x = np.arange(width, dtype=np.float32)[None, :] - inwards * np.float32(way_x)
    y = np.arange(height, dtype=np.float32)[:, None] - inwards * np.float32(way_y)
    return _Source(x, y, (x >= 0) & (x < width) & (y >= 0) & (y < height))


def _to_page(printed: PrintedSheet, box_mm: Box) -> tuple[int, int, int, int]:
    """Left, top, right and bottom pixel of a box of sheet millimetres."""
    left, top, right, bottom = (
        round((side * printed.scale + origin) * RASTER_PX_PER_MM)
        for side, origin in zip(
            (box_mm.x, box_mm.y, box_mm.right, box_mm.bottom), printed.origin_mm * 2, strict=True
        )
    )
    return left, top, right, bottom
