"""Qwixx sheets: numbers and locks in the fields, bands of several colours."""

import shutil
from functools import cache
from itertools import product

import numpy as np
import pytest
import zxingcpp
from numpy.typing import NDArray

from sheetscan.geometry import Box
from sheetscan.language import LANGUAGES
from sheetscan.printing.ink import PALETTES, Colour
from sheetscan.printing.order import INKS, PAPERS, PrintOrder
from sheetscan.printing.pdf import render_pdf
from sheetscan.sheetcode import SheetCode, parse_text
from sheetscan.template import Field, load_template, parse_template
from tests.printing.conftest import GAME, PrintedText, part, picture, texts_of
from tests.test_template import MIXED

VARIANTS = ("qwixx", "qwixx-mixx-a", "qwixx-mixx-b")
SCALE = 12
INSET_MM = 1.6
"""From the edge of a field to where no part of its outline and rounded corners is."""
PALEST_PENCIL = 0.6
"""Of paper's brightness; print in fields stays lighter in every primary."""


@cache
def pdf_of(name: str, **order: str) -> bytes:
    return render_pdf(load_template(name), PrintOrder(**{"paper": "a5", "game_id": GAME, **order}))  # type: ignore[arg-type]


@cache
def pixels_of(name: str, ink: str) -> NDArray[np.uint8]:
    return picture(pdf_of(name, ink=ink), SCALE)


def inside(pixels: NDArray[np.uint8], field: Field) -> NDArray[np.uint8]:
    return part(pixels, field.box_mm.grown(-INSET_MM), SCALE)


def in_row(name: str) -> list[Field]:
    return [field for field in load_template(name).fields if field.row]


@pytest.mark.parametrize("name", VARIANTS)
def test_every_number_stands_in_the_middle_of_its_field(name: str) -> None:
    printed = [piece for piece in texts_of(pdf_of(name)) if piece.text.isdecimal()]
    for field in in_row(name):
        found = [piece for piece in printed if field.box_mm.contains(piece.box_mm)]
        assert [piece.text for piece in found] == ([field.label] if field.label != "🔒" else [])
        for piece in found:
            assert piece.box_mm.centre == pytest.approx(field.box_mm.centre, abs=0.7)
            assert piece.box_mm.height > 4


@pytest.mark.parametrize(("name", "ink"), list(product(VARIANTS, INKS)))
def test_print_in_fields_shows_but_is_paler_than_any_pen(name: str, ink: str) -> None:
    for field in in_row(name):
        pixels = inside(pixels_of(name, ink), field)
        darkest = pixels.min()
        assert PALEST_PENCIL * 255 < darkest < 0.8 * 255, field.id
        assert 0.05 < np.mean(pixels.min(axis=2) < 240) < 0.5, field.id


@pytest.mark.parametrize("ink", INKS)
def test_the_lock_is_drawn_in_the_middle_of_its_field(ink: str) -> None:
    field = load_template("qwixx").field("blue-lock")
    drawn = np.argwhere(inside(pixels_of("qwixx", ink), field).min(axis=2) < 240) / SCALE
    half = field.box_mm.height / 2 - INSET_MM
    assert drawn.mean(axis=0) == pytest.approx((half, half), abs=1)
    assert np.ptp(drawn, axis=0) == pytest.approx((7, 5.6), abs=0.6)
    assert np.abs(drawn[:, 1] - half).max() == pytest.approx(2.8, abs=0.3)


def painted(name: str, field: Field, ink: str) -> NDArray[np.float64]:
    """The colour of the band right above a field's left edge."""
    band = load_template(name).row(field.row or "").band_mm
    spot = Box(field.box_mm.x, band.y + 0.2, 0.6, 0.6)
    return np.asarray(part(pixels_of(name, ink), spot, SCALE).reshape(-1, 3).mean(axis=0) / 255)


def band_colour(name: str, row: str, ink: str) -> Colour:
    return PALETTES[ink].row_style(load_template(name).row(row)).band


@pytest.mark.parametrize(("name", "ink"), list(product(VARIANTS, ("colour", "light"))))
def test_bands_have_the_colours_of_their_fields(name: str, ink: str) -> None:
    for field in in_row(name):
        colour = band_colour(name, field.look or field.row or "", ink)
        assert painted(name, field, ink) == pytest.approx(np.array(colour), abs=0.02), field.id


def names_above(language: str, ink: str) -> list[PrintedText]:
    return [
        piece for piece in texts_of(pdf_of("qwixx-mixx-a", language=language, ink=ink)) if piece.box_mm.y > 16
    ]


@pytest.mark.parametrize(("language", "ink"), list(product(LANGUAGES, INKS)))
def test_mixed_colours_are_named_above_their_fields(language: str, ink: str) -> None:
    """Whoever can't tell the colours apart, or printed without, reads them."""
    template = load_template("qwixx-mixx-a")
    fields = in_row("qwixx-mixx-a")
    words = {row.id: template.texts[language][f"row-{row.id}"] for row in template.rows}
    pieces = names_above(language, ink)
    for before, field in zip([None, *fields], fields, strict=False):
        if before and (before.row, before.look) == (field.row, field.look):
            continue
        run = [one for one in fields if (one.row, one.look) == (field.row, field.look)]
        top = template.row(field.row or "").band_mm.y
        above = Box(field.box_mm.x, top, run[-1].box_mm.right - field.box_mm.x, field.box_mm.y - top)
        found = [piece.text for piece in pieces if above.contains(piece.box_mm)]
        assert found == [words[field.look or ""]], field.id


def test_black_ink_parts_pieces_by_lines() -> None:
    fields = {field.id: field for field in in_row("qwixx-mixx-a")}
    pixels = pixels_of("qwixx-mixx-a", "black")

    def darkest_between(left: str, right: str) -> int:
        x, y = fields[left].box_mm.right, fields[left].box_mm.y
        return int(part(pixels, Box(x, y, fields[right].box_mm.x - x, 8), SCALE).mean(axis=(0, 2)).min())

    assert darkest_between("red-4", "red-5") < 128
    assert darkest_between("red-2", "red-3") == 255
    assert np.ptp(pixels.astype(int), axis=2).max() == 0


def test_a_single_field_may_have_a_look() -> None:
    one = (
        MIXED.replace('cells = "x x L"', 'cells = "x"')
        .replace('"9 4"', '"9"')
        .replace("red blue blue", "red")
    )
    template = parse_template(one, "one.toml")
    drawn = picture(render_pdf(template, PrintOrder(paper="a5", game_id=GAME)), SCALE)
    spot = part(drawn, Box(40, 44, 3, 3), SCALE).reshape(-1, 3).mean(axis=0) / 255
    assert spot == pytest.approx(np.array(PALETTES["colour"].row_style(template.row("red")).band), abs=0.02)


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("paper", PAPERS)
def test_words_fit_and_codes_are_read(name: str, paper: str) -> None:
    template = load_template(name)
    for language in LANGUAGES:
        pdf = pdf_of(name, language=language, paper=paper)
        (code,) = zxingcpp.read_barcodes(picture(pdf, SCALE))
        assert code.text == SheetCode(name, template.version, GAME, 1).to_payload()
        shown = {piece.text for piece in texts_of(pdf)}
        texts = set(template.texts[language].values())
        assert texts <= shown
        assert SheetCode(name, template.version, GAME, 1).to_text() in shown


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="needs the tesseract binary")
@pytest.mark.parametrize(("name", "ink"), list(product(VARIANTS, INKS)))
def test_code_text_is_read_by_ocr(name: str, ink: str) -> None:
    import pytesseract

    template, scale = load_template(name), 300 / 25.4
    strip = part(picture(pdf_of(name, ink=ink), scale), template.code_text_mm.grown(0.5), scale)
    read = parse_text(pytesseract.image_to_string(strip, config="--psm 7"))
    assert read == SheetCode(name, template.version, GAME, 1)


@pytest.mark.parametrize("name", VARIANTS)
def test_words_keep_clear_of_each_other_and_of_codes(name: str) -> None:
    template = load_template(name)
    apart = [marker.box_mm.grown(1) for marker in template.markers] + [template.code_mm]
    for language in LANGUAGES:
        boxes = [piece.box_mm for piece in texts_of(pdf_of(name, language=language))]
        for place, box in enumerate(boxes):
            assert not any(box.overlaps(other) for other in apart + boxes[:place]), (language, place)
