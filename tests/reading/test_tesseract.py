"""The second reader: digits where it can, never sure where it guesses, clear words where it can't run."""

import shutil
from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from sheetscan.errors import ExitCode, MissingExtraError
from sheetscan.reading.reader import Reader
from sheetscan.reading.tesseract import TesseractReader
from sheetscan.result import CROSS, EMPTY, number
from sheetscan.template import FieldKind

SIDE_PX = TesseractReader.cell.size_px
MIDDLE_PX = SIDE_PX // 2
FIELD_RADIUS_PX = 48
needs_tesseract = pytest.mark.skipif(shutil.which("tesseract") is None, reason="Tesseract is not installed")

Cell = NDArray[np.uint8]


def blank_cell(fill: int = 0) -> Cell:
    """A round field with its outline, filled with ink."""
    cell = np.zeros((SIDE_PX, SIDE_PX, 2), np.uint8)
    cell[..., 1] = cv2.circle(
        np.full((SIDE_PX, SIDE_PX), 255, np.uint8), (MIDDLE_PX,) * 2, FIELD_RADIUS_PX, 0, -1
    )
    print_ = cv2.circle(np.zeros((SIDE_PX, SIDE_PX), np.uint8), (MIDDLE_PX,) * 2, FIELD_RADIUS_PX, fill, -1)
    cell[..., 0] = cv2.circle(print_, (MIDDLE_PX,) * 2, FIELD_RADIUS_PX, 160, 3)
    return cell


def with_ink(cell: Cell, draw: Callable[[Cell], object]) -> Cell:
    ink = np.ascontiguousarray(cell[..., 0])
    draw(ink)
    return np.dstack([ink, cell[..., 1]])


def with_text(text: str, cell: Cell, grey: int = 230) -> Cell:
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 1.5, 4)
    place = (MIDDLE_PX - width // 2, MIDDLE_PX + height // 2)
    return with_ink(
        cell, lambda ink: cv2.putText(ink, text, place, cv2.FONT_HERSHEY_SIMPLEX, 1.5, grey, 4, cv2.LINE_AA)
    )


def with_cross(cell: Cell) -> Cell:
    def draw(ink: Cell) -> None:
        cv2.line(ink, (40, 40), (88, 88), 230, 4, cv2.LINE_AA)
        cv2.line(ink, (40, 88), (88, 40), 230, 4, cv2.LINE_AA)

    return with_ink(cell, draw)


@pytest.fixture(scope="module")
def reader() -> Reader:
    return TesseractReader()


@needs_tesseract
def test_numbers_of_a_sheet_are_read_each_in_its_place(reader: Reader) -> None:
    texts = ["14", "7", "", "18", "12", "", "3"]
    cells = np.stack([with_text(text, blank_cell()) for text in texts])
    readings = reader.read(cells, ["number"] * len(texts))
    assert [reading.best for reading in readings] == [number(int(text)) if text else EMPTY for text in texts]


@needs_tesseract
def test_pale_number_is_not_taken_for_empty(reader: Reader) -> None:
    (reading,) = reader.read(with_text("17", blank_cell(), grey=60)[None], ["number"])
    assert reading.best != EMPTY


@needs_tesseract
def test_empty_fields_are_sure_and_everything_else_is_not(reader: Reader) -> None:
    cells = np.stack([blank_cell(), blank_cell(), with_text("15", blank_cell()), with_cross(blank_cell())])
    empty, blocked, written, crossed = reader.read(cells, ["number", "blocked", "number", "number"])
    assert empty.best == blocked.best == EMPTY
    assert min(empty.confidence, blocked.confidence) >= reader.sure_from
    assert max(written.confidence, crossed.confidence) < reader.sure_from


@needs_tesseract
@pytest.mark.parametrize("kind", ["number", "mark"])
def test_filled_field_is_not_taken_for_empty(reader: Reader, kind: FieldKind) -> None:
    (reading,) = reader.read(blank_cell(fill=200)[None], [kind])
    assert reading.best != EMPTY


@needs_tesseract
def test_noise_of_a_dark_print_is_not_ink_but_writing_in_it_is(reader: Reader) -> None:
    noise = np.random.default_rng(5).normal(0, 60, (SIDE_PX, SIDE_PX)).clip(0, 255).astype(np.uint8)
    noisy = blank_cell()
    noisy[..., 0] = cv2.add(noisy[..., 0], noise)
    blank, written = reader.read(np.stack([noisy, with_text("11", noisy)]), ["blocked", "blocked"])
    assert blank.best == EMPTY
    assert written.best != EMPTY


@needs_tesseract
def test_ink_in_a_mark_field_is_offered_as_a_cross(reader: Reader) -> None:
    crossed, clean = reader.read(np.stack([with_cross(blank_cell()), blank_cell()]), ["mark", "mark"])
    assert crossed.best == CROSS
    assert crossed.confidence < reader.sure_from
    assert clean.best == EMPTY


@needs_tesseract
def test_probabilities_never_exceed_one_and_lead_with_the_best(reader: Reader) -> None:
    cells = np.stack([with_text(text, blank_cell()) for text in ("5", "x", "888", "")])
    for reading in reader.read(cells, ["number"] * 4):
        chances = [chance for _, chance in reading.candidates]
        assert sum(chances) <= 1
        assert chances == sorted(chances, reverse=True)


@needs_tesseract
def test_no_cells_give_no_readings(reader: Reader) -> None:
    assert reader.read(np.empty((0, SIDE_PX, SIDE_PX, 2), np.uint8), []) == []


def test_missing_program_is_named_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(MissingExtraError, match="Tesseract") as caught:
        TesseractReader()
    assert caught.value.exit_code == ExitCode.MISSING_EXTRA
    assert "tesseract-ocr" in caught.value.hint


@needs_tesseract
def test_missing_language_is_a_clear_error(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TESSDATA_PREFIX", "/nowhere")
    with pytest.raises(MissingExtraError, match="can't run") as caught:
        reader.read(with_text("5", blank_cell())[None], ["number"])
    assert "eng" in caught.value.hint
