"""Signs that no typeface has: fiducial markers and the QR code as matrices of modules, and a lock."""

from collections.abc import Iterator

import cv2
import numpy as np
import zxingcpp
from numpy.typing import NDArray

from sheetscan.geometry import Box
from sheetscan.printing.ink import WHITE, Colour
from sheetscan.printing.surface import Surface
from sheetscan.template import MARKER_MODULES

QR_ERROR_CORRECTION = "M"
"""Restores about 15 % of the code: a fold or a finger's edge, at few more modules than level L."""


def marker_modules(dictionary: str, marker_id: int) -> NDArray[np.bool_]:
    """The marker's modules with its black border, shape (8, 8), True where black."""
    markers = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    return np.asarray(markers.generateImageMarker(marker_id, MARKER_MODULES) < 128)


def qr_modules(payload: str) -> NDArray[np.bool_]:
    """The QR code of a text without its quiet zone, square, True where black."""
    code = zxingcpp.create_barcode(payload, zxingcpp.BarcodeFormat.QRCode, ec_level=QR_ERROR_CORRECTION)
    return np.asarray(code.to_image(scale=1, add_quiet_zones=False)) < 128


def module_boxes(modules: NDArray[np.bool_], box: Box) -> Iterator[Box]:
    """The black modules spread over `box`, in millimetres, each horizontal run merged into one."""
    height, width = box.height / modules.shape[0], box.width / modules.shape[1]
    for place, row in enumerate(modules):
        edges = np.flatnonzero(np.diff(np.concatenate(([0], row.astype(np.int8), [0]))))
        for start, end in edges.reshape(-1, 2).tolist():
            yield Box(box.x + start * width, box.y + place * height, (end - start) * width, height)


def draw_lock(surface: Surface, centre_mm: tuple[float, float], height_mm: float, colour: Colour) -> None:
    """Draw a closed padlock around a place on white."""
    x, y = centre_mm
    width, bar = 0.8 * height_mm, 0.13 * height_mm
    body = Box(x - width / 2, y - 0.06 * height_mm, width, 0.56 * height_mm)
    shackle = Box(x - 0.3 * height_mm, y - height_mm / 2, 0.6 * height_mm, height_mm)
    surface.fill_rounded(shackle, shackle.width / 2, colour)
    surface.fill_rounded(shackle.grown(-bar), shackle.width / 2 - bar, WHITE)
    surface.fill_boxes([body.grown(0.02 * height_mm)], WHITE)
    surface.fill_rounded(body, 0.1 * height_mm, colour)
    surface.fill_circles([body.centre], 0.09 * height_mm, WHITE)
