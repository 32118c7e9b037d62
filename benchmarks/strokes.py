"""Strokes that people draw along printed outlines: a line above or below a row, boxes around fields."""

from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks import lab
from sheetscan.geometry import Box
from sheetscan.lab.studio import RASTER_PX_PER_MM, PrintedSheet
from sheetscan.template import Field

STROKES_KEY = 90_214
COLOURS = ((40, 35, 90), (30, 30, 30), (120, 120, 125), (190, 40, 40))
WIDTHS_MM = (0.35, 0.9)
BESIDE_MM = 1.4
"""A line runs so far beside the outlines at most: near enough to be taken for them."""
BOX_GROWN_MM, BOX_MOVED_MM = 1.0, 0.8
BOXES = 3
OVERHANG_MM = 2.0
STEP_MM, TREMBLE_MM = 2.0, 0.04
SUBPIXEL_BITS = 4


def along_outlines(printed: PrintedSheet, script: lab.Script, photo: int) -> PrintedSheet:
    """The sheet with a line or some boxes drawn in each of its rows, by pens of any colour."""
    rng = np.random.default_rng([STROKES_KEY, photo])
    page = printed.page.copy()
    rows: dict[str, list[Field]] = {}
    for field in script.template.readable_fields:
        if field.row is not None:
            rows.setdefault(field.row, []).append(field)
    for fields in rows.values():
        colour = COLOURS[int(rng.integers(len(COLOURS)))]
        width_px = round(rng.uniform(*WIDTHS_MM) * RASTER_PX_PER_MM)
        for path_mm in _line(fields, rng) if rng.random() < 0.5 else _boxes(fields, rng):
            path_px = (path_mm * printed.scale + printed.origin_mm) * RASTER_PX_PER_MM
            tremble_px = rng.normal(0, TREMBLE_MM * RASTER_PX_PER_MM, path_px.shape).cumsum(axis=0)
            fixed = np.round((path_px + tremble_px) * 2**SUBPIXEL_BITS).astype(np.int32)
            cv2.polylines(page, [fixed], False, colour, width_px, cv2.LINE_AA, SUBPIXEL_BITS)
    return PrintedSheet(page, printed.origin_mm, printed.scale)


def _line(fields: list[Field], rng: np.random.Generator) -> list[NDArray[np.float64]]:
    """A line along the upper or the lower outlines of three fields or more."""
    first = int(rng.integers(len(fields) - 3))
    boxes = [field.box_mm for field in fields[first : int(rng.integers(first + 3, len(fields) + 1))]]
    y = (boxes[0].y if rng.random() < 0.5 else boxes[0].bottom) + rng.uniform(-BESIDE_MM, BESIDE_MM)
    return [_walked([(boxes[0].x - OVERHANG_MM, y), (boxes[-1].right + OVERHANG_MM, y)])]


def _boxes(fields: list[Field], rng: np.random.Generator) -> list[NDArray[np.float64]]:
    """Boxes around some fields, a little too large or too small and out of place."""
    paths = []
    for place in rng.choice(len(fields), BOXES, replace=False):
        box = fields[place].box_mm.grown(rng.uniform(-BOX_GROWN_MM, BOX_GROWN_MM))
        x, y = np.array(box.centre) + rng.uniform(-BOX_MOVED_MM, BOX_MOVED_MM, 2)
        corners = Box.around((float(x), float(y)), box.width, box.height).corners
        paths.append(_walked([*corners, corners[0]]))
    return paths


def _walked(corners: list[tuple[float, float]]) -> NDArray[np.float64]:
    """The way from corner to corner in steps, (n, 2)."""
    legs = []
    for start, end in pairwise(corners):
        steps = max(2, round(float(np.hypot(end[0] - start[0], end[1] - start[1])) / STEP_MM))
        legs.append(np.linspace(start, end, steps, endpoint=False))
    return np.vstack([*legs, corners[-1]])
