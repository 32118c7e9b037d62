"""The printed outlines of fields as small pictures: what is inside, and the line itself."""

from functools import lru_cache
from math import cos, radians, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetscan.geometry import Box, CellSpec, pentagon
from sheetscan.template import BOX_CORNER_MM, FIELD_OUTLINE_MM, Shape

SUBPIXEL_BITS = 4
FINER = 8


@lru_cache(maxsize=512)
def print_mask(shape: Shape, box: Box, spec: CellSpec) -> NDArray[np.uint8]:
    """Where print is expected in a field's cell: 0 inside its outline, 255 on the outline and beyond."""
    return np.asarray(255 - _filled(shape, box, spec, FIELD_OUTLINE_MM), dtype=np.uint8)


def outline(shape: Shape, box: Box, spec: CellSpec) -> NDArray[np.uint8]:
    """The printed line alone: 255 where it is, 0 elsewhere."""
    return _line(shape, Box(0, 0, box.width, box.height), spec)


@lru_cache(maxsize=64)
def _line(shape: Shape, box: Box, spec: CellSpec) -> NDArray[np.uint8]:
    """Drawn finely and reduced: OpenCV fills polygons a quarter of a pixel too low, and too large."""
    fine = CellSpec(FINER * spec.size_px, spec.size_mm)
    line = _filled(shape, box, fine, 0) - _filled(shape, box, fine, FIELD_OUTLINE_MM)
    reduced = cv2.resize(line, (spec.size_px, spec.size_px), interpolation=cv2.INTER_AREA)
    return np.asarray(reduced, dtype=np.uint8)


def _filled(shape: Shape, box: Box, spec: CellSpec, inset_mm: float) -> NDArray[np.uint8]:
    """255 inside the field's shape, whose sides are moved inwards by `inset_mm`; 0 outside."""
    picture = np.zeros((spec.size_px, spec.size_px), np.uint8)
    to_fixed = spec.px_per_mm * 2**SUBPIXEL_BITS
    centre = (round((spec.size_px / 2 - 0.5) * 2**SUBPIXEL_BITS),) * 2
    if shape == "circle":
        axes = [round((side / 2 - inset_mm) * to_fixed) for side in (box.width, box.height)]
        cv2.ellipse(picture, centre, axes, 0, 0, 360, 255, cv2.FILLED, cv2.LINE_AA, SUBPIXEL_BITS)
        return picture
    corners = pentagon(box, inset_mm) if shape == "pentagon" else _rounded(box.grown(-inset_mm), inset_mm)
    polygon = np.round((np.array(corners) - box.centre) * to_fixed + centre).astype(np.int32)
    cv2.fillPoly(picture, [polygon], 255, cv2.LINE_AA, SUBPIXEL_BITS)
    return picture


def _rounded(box: Box, inset_mm: float) -> list[tuple[float, float]]:
    """The box with its round corners, clockwise from the right end of the lower edge."""
    radius = BOX_CORNER_MM - inset_mm
    corners = box.grown(-radius).corners
    return [
        (x + radius * cos(radians(start + step)), y + radius * sin(radians(start + step)))
        for start, (x, y) in zip(
            (0, 90, 180, 270), (corners[2], corners[3], corners[0], corners[1]), strict=True
        )
        for step in range(0, 91, 15)
    ]
