"""Pages, fonts, words and sameness of the PDFs."""

from itertools import combinations, product

import numpy as np
import pypdfium2
import pytest
import zxingcpp

from sheetscan.geometry import Box
from sheetscan.printing.order import INKS, PAPERS, PrintOrder
from sheetscan.printing.pdf import render_pdf
from sheetscan.sheetcode import parse_payload
from sheetscan.template import Template
from tests.printing.conftest import GAME, POINTS_PER_MM, picture, printed, texts_of

LANGUAGES = ("en", "de", "nl", "fr")
SIZES_MM = {"a5": (210, 148), "a4": (210, 297), "letter": (215.9, 279.4)}


@pytest.mark.parametrize("paper", PAPERS)
def test_page_has_the_size_of_the_paper(paper: str) -> None:
    page = pypdfium2.PdfDocument(printed(paper=paper))[0]
    size_mm = [side / POINTS_PER_MM for side in page.get_size()]
    assert size_mm == pytest.approx(SIZES_MM[paper], abs=0.01)


@pytest.mark.parametrize(
    ("paper", "copies", "pages"), [("a5", 3, 3), ("a4", 1, 1), ("a4", 2, 1), ("a4", 3, 2), ("letter", 5, 3)]
)
def test_two_sheets_fit_an_a4_or_letter_page(paper: str, copies: int, pages: int) -> None:
    assert len(pypdfium2.PdfDocument(printed(paper=paper, copies=copies))) == pages


def sheets_on(pdf: bytes, page: int) -> list[str]:
    found = zxingcpp.read_barcodes(picture(pdf, 8, page))
    return [code.text for code in sorted(found, key=lambda code: code.position.top_left.y)]


def test_last_page_may_hold_one_sheet() -> None:
    pdf = printed(copies=3)
    assert sheets_on(pdf, 0) == [f"SHEETSCAN/qwinto/1/{GAME}/1/", f"SHEETSCAN/qwinto/1/{GAME}/2/"]
    assert sheets_on(pdf, 1) == [f"SHEETSCAN/qwinto/1/{GAME}/3/"]


def test_every_player_gets_a_sheet_times_copies() -> None:
    pdf = printed(players=("Zoë Müller", "Łukasz"), copies=2)
    codes = [parse_payload(text) for page in (0, 1) for text in sheets_on(pdf, page)]
    assert [(code.sheet, code.player) for code in codes if code] == [
        (1, "Zoë Müller"),
        (2, "Łukasz"),
        (3, "Zoë Müller"),
        (4, "Łukasz"),
    ]


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_dashed_line_divides_the_page(paper: str) -> None:
    height_mm = SIZES_MM[paper][1]
    line = picture(printed(paper=paper), 10)[int(height_mm * 5) - 1 : int(height_mm * 5) + 2].min(axis=(0, 2))
    dark = float(np.mean(line < 250))
    assert 0.4 < dark < 0.7


def test_a5_has_no_cutting_line() -> None:
    assert (picture(printed(paper="a5"), 4)[:, :8] == 255).all()


@pytest.mark.parametrize(("ink", "paper"), list(product(INKS, PAPERS)))
def test_fonts_are_embedded(ink: str, paper: str) -> None:
    pieces = texts_of(printed(ink=ink, paper=paper, players=("Ωμέγα",)))
    assert pieces
    assert all(piece.embedded for piece in pieces)
    assert {piece.font.split("+")[-1] for piece in pieces} == {
        "SourceSansPro-Regular",
        "SourceSansPro-Semibold",
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_of_the_language_is_printed(qwinto: Template, language: str) -> None:
    words = [piece.text for piece in texts_of(printed(paper="a5", language=language))]
    assert set(qwinto.texts[language].values()) <= set(words)
    assert {"+", "−", "="} <= set(words)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_runs_into_another_or_into_a_field(qwinto: Template, language: str) -> None:
    pieces = texts_of(printed(paper="a5", language=language, players=("Zoë Müller",)))
    quiet_mm = 1.0
    taken = [("markers", marker.box_mm.grown(quiet_mm)) for marker in qwinto.markers]
    taken += [(field.id, field.box_mm) for field in qwinto.fields if field.kind != "text"]
    taken.append(("code", qwinto.code_mm))
    clashes = [
        (piece.text, name) for piece in pieces for name, box in taken if piece.box_mm.overlaps(box)
    ] + [(one.text, two.text) for one, two in combinations(pieces, 2) if one.box_mm.overlaps(two.box_mm)]
    assert clashes == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_keep_the_margins(language: str) -> None:
    inside = Box(17, 6, 176, 136)
    assert [
        p.text for p in texts_of(printed(paper="a5", language=language)) if not inside.contains(p.box_mm)
    ] == []


def test_a_game_is_printed_alike_every_time(qwinto: Template) -> None:
    order = PrintOrder(players=("Zoë Müller",), copies=3, ink="black", game_id=GAME)
    assert render_pdf(qwinto, order) == render_pdf(qwinto, order)


def test_every_call_without_a_game_id_is_a_new_game(qwinto: Template) -> None:
    assert render_pdf(qwinto, PrintOrder()) != render_pdf(qwinto, PrintOrder())


def test_many_sheets_share_one_drawing() -> None:
    one, hundred = len(printed(ink="black")), len(printed(ink="black", copies=100))
    assert hundred < one + 100 * 6000


def test_document_says_its_title_and_language() -> None:
    document = pypdfium2.PdfDocument(printed(language="fr"))
    assert document.get_metadata_dict()["Title"] == "Qwinto"
    assert b"/Lang (fr)" in printed(language="fr")
