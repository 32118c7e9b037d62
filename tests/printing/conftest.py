"""Printed sheets as pictures and as what a PDF reader finds in them."""

from dataclasses import dataclass
from functools import cache

import numpy as np
import pypdfium2
import pytest
from numpy.typing import NDArray

from sheetscan.geometry import Box
from sheetscan.printing.order import PrintOrder
from sheetscan.printing.pdf import render_pdf
from sheetscan.template import Template, load_template

POINTS_PER_MM = 72 / 25.4
GAME = "K7M2QX"


@pytest.fixture(scope="session")
def qwinto() -> Template:
    return load_template("qwinto")


@cache
def printed(**order: object) -> bytes:
    return render_pdf(load_template("qwinto"), PrintOrder(**{"game_id": GAME, **order}))  # type: ignore[arg-type]


def picture(pdf: bytes, px_per_mm: float, page: int = 0) -> NDArray[np.uint8]:
    """The page as (height, width, 3) uint8, RGB."""
    document = pypdfium2.PdfDocument(pdf)
    drawn = document[page].render(scale=px_per_mm / POINTS_PER_MM, rev_byteorder=True)
    return np.asarray(drawn.to_numpy()[..., :3])


def part(pixels: NDArray[np.uint8], box: Box, px_per_mm: float) -> NDArray[np.uint8]:
    """The pixels that lie wholly inside a box in millimetres."""
    left, top = int(np.ceil(box.x * px_per_mm)), int(np.ceil(box.y * px_per_mm))
    return pixels[top : int(box.bottom * px_per_mm), left : int(box.right * px_per_mm)]


@dataclass(frozen=True)
class PrintedText:
    text: str
    box_mm: Box
    font: str
    embedded: bool


def texts_of(pdf: bytes, page: int = 0) -> list[PrintedText]:
    document = pypdfium2.PdfDocument(pdf)
    sheet = document[page]
    height = sheet.get_height()
    found = []
    for piece in sheet.get_objects(
        filter=[pypdfium2.raw.FPDF_PAGEOBJ_TEXT], max_depth=5, textpage=sheet.get_textpage()
    ):
        left, bottom, right, top = piece.get_bounds()
        box = Box(left, height - top, right - left, top - bottom)
        font = piece.get_font()
        scaled = Box(*(side / POINTS_PER_MM for side in (box.x, box.y, box.width, box.height)))
        found.append(PrintedText(piece.extract().strip(), scaled, font.get_base_name(), font.is_embedded))
    return found
