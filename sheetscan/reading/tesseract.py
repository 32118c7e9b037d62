"""A third reader: Tesseract, made for print, as a yardstick for the network and a stand-in without it.

It tells empty fields by how much ink they hold and reads digits; what else a field may hold (crosses,
scribbles) it only guesses, with a probability that never counts as sure.
"""

import re
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetscan.errors import MissingExtraError
from sheetscan.geometry import CellSpec
from sheetscan.reading.reader import Reading
from sheetscan.result import CROSS, EMPTY, VOID, Content, number
from sheetscan.template import FieldKind

INK_FROM = 35
"""Pale pencil (grey 180 on paper of 235) is 60; noise and faint shadows stay below."""
INK_FROM_DEVIATIONS, INK_FROM_AT_MOST = 4.0, 110.0
"""Where a blocked field is printed dark, its noise can be as strong as pale pencil."""
NORMAL_75 = 0.674
"""The normal distribution's upper quartile."""
OUTLINE_MARGIN_MM = 0.5
"""A printed outline may lie this far inside of where it is expected."""
SURELY_EMPTY_MM2 = 0.15
SURELY_INK_MM2 = 0.8
"""A dash of 4 mm by a fine pen covers about 1.2 mm²."""
DIGITS_PX = 48
PAGE_MARGIN_PX = 24
CONFIG = "--psm 6 --dpi 150 -c tessedit_char_whitelist=0123456789-"
NUMBER = re.compile(r"-?[0-9]{1,3}")

CONFIDENCE_BENDS = (0.0, 50.0, 75.0, 90.0, 100.0)
PROBABILITIES = (0.3, 0.58, 0.78, 0.81, 0.93)
"""With a confidence as above, this share of 900 handwritten numbers (unipen_numbers) was read right."""


@dataclass(frozen=True, slots=True)
class _Ink:
    """A field's own ink: `picture` (size_px, size_px) uint8, 0 outside the field, and its area in mm²."""

    picture: NDArray[np.uint8]
    area_mm2: float


class TesseractReader:
    """Reads all fields of a sheet in one run of Tesseract; implements `Reader`."""

    name = "tesseract"
    cell = CellSpec(size_px=128, size_mm=16)
    sure_from = 0.98
    unreadable_below = 0.25
    same_hand = None
    pale_below = 0.0

    def __init__(self) -> None:
        """Raises MissingExtraError where the program is not installed."""
        if shutil.which("tesseract") is None:
            raise MissingExtraError(
                "the reader `tesseract` needs the program Tesseract, which is not installed",
                "install it (Debian: apt-get install tesseract-ocr), or use `--reader network`",
            )

    def read(self, cells: NDArray[np.uint8], kinds: Sequence[FieldKind]) -> list[Reading]:
        """Readings of `cells`, (n, size_px, size_px, 2), as `Reader.read` says."""
        inks = [_field_ink(cell, kind, self.cell) for cell, kind in zip(cells, kinds, strict=True)]
        wanted = [
            place
            for place, (ink, kind) in enumerate(zip(inks, kinds, strict=True))
            if kind != "mark" and ink.area_mm2 >= SURELY_EMPTY_MM2
        ]
        words = dict(zip(wanted, _recognise([_page(inks[place].picture) for place in wanted]), strict=True))
        return [_reading(ink.area_mm2, words.get(place)) for place, ink in enumerate(inks)]


def _field_ink(cell: NDArray[np.uint8], kind: FieldKind, spec: CellSpec) -> _Ink:
    """The ink inside a field's outline; in a blocked field what is darker than the noise of its print."""
    reach = 2 * round(OUTLINE_MARGIN_MM * spec.px_per_mm) + 1
    outside = cv2.dilate(cell[..., 1], np.ones((reach, reach), np.uint8)) > 0
    picture = np.asarray(cv2.GaussianBlur(np.ascontiguousarray(cell[..., 0]), (0, 0), 1.0), dtype=np.uint8)
    ink_from = _above_noise(picture[~outside]) if kind == "blocked" else INK_FROM
    picture[outside | (picture <= ink_from)] = 0
    area_mm2 = float(np.count_nonzero(picture)) / spec.px_per_mm**2
    return _Ink(picture, area_mm2)


def _above_noise(inside: NDArray[np.uint8]) -> float:
    """How dark something in a blocked field must be not to be noise, from the three quarters without ink."""
    deviation = float(np.percentile(inside, 75)) / NORMAL_75
    return float(np.clip(INK_FROM_DEVIATIONS * deviation, INK_FROM, INK_FROM_AT_MOST))


def _page(ink: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The ink cut out, brought to one height and full contrast, black on white with a margin."""
    x, y, width, height = cv2.boundingRect(ink)
    cut = ink[y : y + height, x : x + width].astype(np.float32)
    scale = DIGITS_PX / max(height, width / 2)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    scaled = cv2.resize(cut, size, interpolation=cv2.INTER_CUBIC)
    black = max(float(np.percentile(scaled, 95)), 1.0)
    page = 255 - np.clip(scaled * (255 / black), 0, 255)
    return np.pad(page.astype(np.uint8), PAGE_MARGIN_PX, constant_values=255)


def _recognise(pages: Sequence[NDArray[np.uint8]]) -> list[tuple[str, float]]:
    """Text and confidence (0 to 100) of each page; one file of many pages, because starting costs most."""
    if not pages:
        return []
    import pytesseract
    from PIL import Image

    first, *rest = (Image.fromarray(page) for page in pages)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cells.tiff"
        first.save(path, save_all=True, append_images=rest)
        try:
            table = pytesseract.image_to_data(str(path), config=CONFIG, output_type=pytesseract.Output.DICT)
        except (pytesseract.TesseractError, pytesseract.TesseractNotFoundError) as error:
            raise MissingExtraError(
                f"Tesseract can't run ({error})", "check it with `tesseract --list-langs`: it needs `eng`"
            ) from error
    return _words_by_page(zip(table["page_num"], table["text"], table["conf"], strict=True), len(pages))


def _words_by_page(rows: Iterable[tuple[int, str, float]], pages: int) -> list[tuple[str, float]]:
    """The words of each page joined, with the confidence of the weakest; ("", 0) where there are none."""
    texts = [""] * pages
    weakest = [100.0] * pages
    for page, text, confidence in rows:
        if text.strip():
            texts[page - 1] += text.strip()
            weakest[page - 1] = min(weakest[page - 1], float(confidence))
    return [(text, confidence if text else 0.0) for text, confidence in zip(texts, weakest, strict=True)]


def _reading(area_mm2: float, word: tuple[str, float] | None) -> Reading:
    """Candidates from the amount of ink and, if there is one, the word that was read."""
    if area_mm2 < SURELY_EMPTY_MM2:
        return Reading(((EMPTY, 0.999),))
    empty = float(np.interp(area_mm2, (SURELY_EMPTY_MM2, SURELY_INK_MM2), (0.9, 0.01)))
    text, confidence = word or ("", 0.0)
    others: tuple[tuple[Content, float], ...] = ((CROSS, 0.6), (VOID, 0.2))
    if NUMBER.fullmatch(text):
        right = float(np.interp(confidence, CONFIDENCE_BENDS, PROBABILITIES))
        others = ((number(int(text)), right), (CROSS, (1 - right) * 0.3), (VOID, (1 - right) * 0.2))
    candidates = ((EMPTY, empty), *((content, share * (1 - empty)) for content, share in others))
    return Reading(tuple(sorted(candidates, key=lambda candidate: -candidate[1])))
