"""Reads a sheet's identity: the QR code first, the printed short text when the code is damaged."""

import shutil
from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetscan.geometry import Box
from sheetscan.imaging.rectify import SheetMap, flatten
from sheetscan.sheetcode import SheetCode, parse_payload, parse_text
from sheetscan.template import Template

CODE_MARGIN_MM = 3.0
CODE_PX_PER_MM = (8.0, 12.0)
TEXT_PX_PER_MM = 12.0
TEXT_MARGIN_MM = 0.5


def read_sheet_code(pixels: NDArray[np.uint8], sheet_map: SheetMap, template: Template) -> SheetCode | None:
    """The identity printed on the sheet, or None if neither code nor text can be read.

    The text is tried only where Tesseract is installed; it doesn't carry the player's name.
    """
    for px_per_mm in CODE_PX_PER_MM:
        region = template.code_mm.grown(CODE_MARGIN_MM)
        code = find_sheet_code(_grey(pixels, sheet_map, region, px_per_mm))
        if code is not None:
            return code
    if shutil.which("tesseract") is None:
        return None
    return _read_text(_grey(pixels, sheet_map, template.code_text_mm.grown(TEXT_MARGIN_MM), TEXT_PX_PER_MM))


def _grey(pixels: NDArray[np.uint8], sheet_map: SheetMap, region: Box, px_per_mm: float) -> NDArray[np.uint8]:
    flat = flatten(pixels, sheet_map, px_per_mm, region)
    return np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def find_sheet_code(picture: NDArray[np.uint8]) -> SheetCode | None:
    """The identity in a QR code of ours anywhere in a grey picture."""
    import zxingcpp

    codes = [parse_payload(found.text) for found in zxingcpp.read_barcodes(picture)]
    return next((code for code in codes if code is not None), None)


def _read_text(picture: NDArray[np.uint8]) -> SheetCode | None:
    import pytesseract

    for prepared in _text_variants(picture):
        text = pytesseract.image_to_string(prepared, config="--psm 7").strip()
        if (code := parse_text(text)) is not None:
            return code
    return None


def _text_variants(picture: NDArray[np.uint8]) -> Iterator[NDArray[np.uint8]]:
    yield picture
    _, binary = cv2.threshold(picture, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    yield np.asarray(binary, dtype=np.uint8)
