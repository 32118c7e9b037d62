"""Cuts a sheet's fields out of the photo: ink on flattened paper beside the print expected there."""

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetscan.geometry import Box, CellSpec
from sheetscan.imaging.outline import print_mask
from sheetscan.imaging.rectify import SheetMap, flatten, flatten_alike
from sheetscan.template import Template

PAPER_PX_PER_MM = 2.0
PAPER_REACH_MM = 15.0
"""Bare paper shows within this distance of any point: fields, filled boxes and strokes are narrower."""
PAPER_OVERSAMPLING = 2
SHADE_REACH, SHADE_LEVELS = 5, 6
"""Paper is no brighter than the darkest within so many pixels, and so many grey levels: else the edge of a
hard shadow would be a stroke."""
STROKE_REACH_MM = 1.25
"""Wider than a stroke and an outline, narrower than what shows of a band between its fields."""
DARKNESS_FLOOR = 12
"""Added to what is seen and to its ground, else a channel that is dark anyway would amplify noise."""


def cut_cells(
    pixels: NDArray[np.uint8], sheet_map: SheetMap, template: Template, spec: CellSpec
) -> NDArray[np.uint8]:
    """One cell for each of `template.readable_fields`: (n, spec.size_px, spec.size_px, 2).

    `pixels` is the photo, (height, width, 3) uint8. Channel 0 is ink, 0 for what
    was there before somebody wrote to 255 for black: inside the field in the colour channel where it is
    darkest, outside over all channels. Channel 1 is 255 where the outline is printed or outside of it.
    """
    paper = paper_colour(pixels, sheet_map)
    fields = template.readable_fields
    windows = [Box.around(field.box_mm.centre, spec.size_mm, spec.size_mm) for field in fields]
    pictures = flatten_alike(pixels, sheet_map, spec.px_per_mm, windows)
    cells = np.empty((*pictures.shape[:3], 2), dtype=np.uint8)
    for cell, seen, field, window in zip(cells, pictures, fields, windows, strict=True):
        outside = print_mask(field.shape, field.box_mm, spec)
        within = outside == 0
        ground = _wide_print(seen, spec)
        if field.kind == "blocked":
            ground[within] = np.median(seen[within], axis=0)
        else:
            cv2.copyTo(_paper_under(paper, window, spec), within.view(np.uint8), ground)
        cell[..., 0] = _ink(seen, ground, within)
        cell[..., 1] = outside
    return cells


def _ink(
    seen: NDArray[np.uint8], ground: NDArray[np.uint8], within: NDArray[np.bool_]
) -> NDArray[np.floating]:
    """How dark a cell is, 0 to 255, in relation to its ground: `within` in the channel where it is darkest,
    beyond over all."""
    blue, green, red = cv2.split(_relative(seen, ground))
    darkest = np.minimum(np.minimum(blue, green), red)
    bright = np.where(within, darkest, (blue + green + red) / np.float32(3))
    return np.asarray(255 * (1 - np.minimum(bright, 1)))


def paper_colour(pixels: NDArray[np.uint8], sheet_map: SheetMap) -> NDArray[np.uint8]:
    """How bright bare paper looks all over the sheet: (height, width, 3) at PAPER_PX_PER_MM.

    A morphological closing takes away what is darker than paper and narrower than PAPER_REACH_MM.
    """
    small = flatten(pixels, sheet_map, PAPER_PX_PER_MM, max_oversampling=PAPER_OVERSAMPLING)
    reach = round(PAPER_REACH_MM * PAPER_PX_PER_MM) | 1
    kernel = np.ones((reach, reach), np.uint8)
    closed = cv2.morphologyEx(cv2.medianBlur(small, 3), cv2.MORPH_CLOSE, kernel)
    smooth = cv2.blur(closed, (reach // 2, reach // 2))
    in_shade = cv2.erode(cv2.blur(closed, (SHADE_REACH, SHADE_REACH)), np.ones((SHADE_REACH,) * 2, np.uint8))
    return np.asarray(np.minimum(smooth, in_shade.astype(np.int16) + SHADE_LEVELS), dtype=np.uint8)


def _paper_under(paper: NDArray[np.uint8], window: Box, spec: CellSpec) -> NDArray[np.uint8]:
    """The paper's colour at every pixel of a cell."""
    step = PAPER_PX_PER_MM / spec.px_per_mm
    shift = [edge * PAPER_PX_PER_MM + step / 2 - 0.5 for edge in (window.x, window.y)]
    cell_to_paper = np.array([[step, 0, shift[0]], [0, step, shift[1]]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (spec.size_px, spec.size_px)
    under = cv2.warpAffine(paper, cell_to_paper, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(under, dtype=np.uint8)


def _relative(seen: NDArray[np.uint8], ground: NDArray[np.uint8]) -> NDArray[np.float32]:
    """How bright each channel is in relation to its ground: 1 where nothing stands."""
    floor = np.float32(DARKNESS_FLOOR)
    return np.asarray((seen + floor) / (ground + floor), dtype=np.float32)


def _wide_print(seen: NDArray[np.uint8], spec: CellSpec) -> NDArray[np.uint8]:
    """What lies around a field, such as its row's band, without anything as narrow as a stroke."""
    reach = round(STROKE_REACH_MM * spec.px_per_mm) | 1
    return np.asarray(cv2.morphologyEx(seen, cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8)), np.uint8)
