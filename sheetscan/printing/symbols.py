"""The machine-readable prints as matrices of modules: fiducial markers and the QR code."""

from collections.abc import Iterator

import cv2
import numpy as np
import zxingcpp
from numpy.typing import NDArray

from sheetscan.geometry import Box
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
