"""The printed evidence: everything that a person needs to follow the outcome, in four languages."""

import io
from dataclasses import replace

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium
import pytest

from sheetscan.language import LANGUAGES, say
from sheetscan.picture import crop
from sheetscan.report.pdf import report_pdf, unprintable
from sheetscan.report.pdf_style import printable
from sheetscan.report.plot import parts_of
from sheetscan.report.words import Words
from sheetscan.result import EMPTY, Sheet, number
from sheetscan.settle import Settlement, settle
from tests.games.sheets import sheet
from tests.report.results import GOLDEN_28, GOLDEN_43, TEMPLATE, doubtful, result, sure, unreadable

CLASH = sheet("_ _ _ # 8 7 _", "_ _ _ _ _ # 9", "_ _ _ _ # _ _ 2", tally_total=9)
"""The 8 of column 7 clashes with the 7 of column 8, which has a bonus."""


def of(contents, place, player, readings=None, language="en") -> Sheet:
    return result(
        contents,
        readings,
        player=player,
        sheet_id=f"K7M2QX-{place}",
        source=f"{place}.jpg",
        sha256=str(place) * 64,
        language=language,
    )


def picture() -> np.ndarray:
    return np.full((148 * 8, 210 * 8, 3), 235, np.uint8)


def disputed(language: str = "en") -> Settlement:
    doubts = {"purple-10": doubtful(number(9), 0.7, (EMPTY, 0.25)), "orange-10": unreadable(3, 8)}
    sheets = [
        of(CLASH, 1, "Anna", language=language),
        of(sheet("_ 2 3 # 4 5 6 7"), 2, "Ben", language=language),
        of(sheet("_ 2"), 3, "Cem", doubts, language),
    ]
    return settle([[one] for one in sheets], language)


def document(game: Settlement, language: str = "en", pictures=None) -> pypdfium2.PdfDocument:
    return pypdfium2.PdfDocument(report_pdf(game, pictures or [picture()] * len(game.sheets), language))


def words_of(pdf: pypdfium2.PdfDocument) -> str:
    """All text, on one line."""
    return " ".join(" ".join(page.get_textpage().get_text_range() for page in pdf).split())


class TestGame:
    """The first page."""

    def test_it_has_title_statement_ranking_question_and_findings(self):
        told = " ".join(document(disputed())[0].get_textpage().get_text_range().split())
        assert "Evidence for game K7M2QX It is still open who wins: Anna or Ben." in told
        assert "1. Ben 6 6 1–2" in told
        assert "2. Anna 3 3–10 1–2 to be checked" in told
        assert "Anna: which was written first, 8 (orange 7) or 7 (orange 8)?" in told
        assert "8 (orange 7) was first, so 7 (orange 8) becomes a cross: " in told
        assert "The game is not over, unless a sheet is missing: nobody has two complete rows or four" in told
        assert "Rule: The game ends as soon as" in told

    def test_the_plot_tells_rows_bonuses_and_misthrows_apart(self):
        parts = parts_of(of(GOLDEN_43, 1, "Anna"), Words(TEMPLATE, "en"))
        assert [(part.key, part.points) for part in parts] == [
            ("orange row", 4),
            ("yellow row", 16),
            ("purple row", 6),
            ("bonus columns", 27),
            ("misthrows", -10),
        ]
        assert len({part.colour.hexval() for part in parts}) == 5

    def test_shared_places_are_told(self):
        game = settle([[of(GOLDEN_43, 1, "Anna")], [of(GOLDEN_43, 2, "Ben")]], "en")
        assert "Equal totals share the place." in words_of(document(game))


class TestSheets:
    """The players' pages."""

    def test_every_player_has_a_page_in_the_order_of_the_ranking(self):
        pages = [page.get_textpage().get_text_range().splitlines()[1] for page in document(disputed())]
        assert [line for line in pages if line[:1].isdigit()] == ["1. Ben", "2. Anna", "3. Cem"]

    def test_picture_and_one_crop_a_questioned_field_are_shown(self):
        pdf = document(disputed())
        images = [
            len([one for one in page.get_objects() if one.type == pdfium.FPDF_PAGEOBJ_IMAGE]) for page in pdf
        ]
        # Ben: the picture; Anna: and the two that clash, and the total; Cem: and the two that are in doubt.
        assert sum(images) == 1 + (1 + 3) + (1 + 2)

    def test_readings_alternatives_rules_and_repairs_are_told(self):
        told = words_of(document(disputed()))
        assert "purple 10 read as 9 (70%) perhaps empty (25%)" in told
        assert "orange 10 could not be read perhaps 3 (40%), 8 (35%)" in told
        assert "Rule: In a row the numbers rise from left to right, no two are equal." in told
        assert "8 (orange 7) 10 points" in told or "7 (orange 8) 3 points" in told

    def test_written_stands_against_computed(self):
        assert "total 3 9" in words_of(document(disputed()))

    def test_where_it_comes_from(self):
        quality = {"reader": "digits-v1", "template_version": 1, "residual_mm": 0.07}
        quality["corrections"] = [
            {"field": "yellow-2", "from": "2", "to": "3", "at": "2026-11-29T20:00:00+00:00"},
            {"field": "yellow-3", "from": "4", "to": "cross", "at": "2026-11-29T20:01:00+00:00"},
            "something else",
        ]
        one = replace(of(GOLDEN_43, 1, "Anna"), quality=quality)
        told = words_of(document(settle([[one]], "en")))
        assert "1" * 64 in told.replace(" ", "")
        assert "qwinto, version 1 read by digits-v1" in told
        assert "yellow 2: 2 → 3 (2026-11-29T20:00:00+00:00)" in told
        assert "yellow 3: 4 → a cross (" in told

    def test_a_field_that_a_person_entered_says_so(self):
        entered = {"orange-8": replace(sure(number(7)), why="user", raw=number(1))}
        told = words_of(document(settle([[of(CLASH, 1, "Anna", entered)]], "en")))
        assert "orange 8 entered by hand: 7 read as 1" in told

    def test_a_missing_picture_is_told(self):
        pdf = document(disputed(), pictures=[None, picture(), picture()])
        assert "The picture is missing: the photo 1.jpg is not where it was" in words_of(pdf)

    def test_every_field_in_question_is_shown_however_many(self):
        full = {f"{row}-{column}": number(column) for row in ("orange",) for column in (3, 4, 5, 7, 8, 9, 10)}
        doubts = {name: doubtful(content, 0.6, (EMPTY, 0.39)) for name, content in full.items()}
        doubts |= {f"yellow-{column}": unreadable(1, 2) for column in (2, 3, 4, 5, 6, 8, 9)}
        pdf = document(settle([[of({}, 1, "Anna", doubts)]], "en"))
        images = [one for page in pdf for one in page.get_objects() if one.type == pdfium.FPDF_PAGEOBJ_IMAGE]
        assert len(images) == 1 + len(doubts)
        assert all(name.replace("-", " ") in words_of(pdf) for name in doubts)

    def test_a_photo_that_contradicts_the_one_that_counts_is_shown_too(self):
        ways = [of(sheet("_ 2 3"), 1, "Anna"), of(sheet("_ 2 _ # 5", "1"), 1, "Anna")]
        ways[1] = replace(ways[1], sha256="f" * 64, source="other.jpg")
        game = settle([*([one] for one in ways), [of(sheet("_ 3 4"), 2, "Ben")]], "en")
        (finding,) = (one for one in game.findings if one.code == "stages-contradict")
        pages = [" ".join(page.get_textpage().get_text_range().split()) for page in document(game)]
        assert finding.fields == ("orange-5",)
        assert "1. Anna" in pages[1]
        assert "orange 5 read as empty" in pages[1]
        assert "1.jpg: does not count" in pages[3]
        assert "orange 5 read as 3" in pages[3]

    def test_of_many_repairs_the_first_are_listed_and_the_others_told(self):
        clashes = sheet("3 2 _ # 5 4 7 6", "_ _ _ _ _ # 12 11")
        (one,) = settle([[of(clashes, 1, "Anna")]], "en").sheets
        assert len(one.repairs) == 16
        told = words_of(document(settle([[one]], "en")))
        scores = {repair.score for repair in one.repairs[8:]}
        assert scores == {4}
        assert "and 8 more, for 4 points" in told


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_speaks_every_language(language):
    told = words_of(document(disputed(language), language))
    for key in ("pdf-questioned", "pdf-origin", "pdf-points", "heading-question", "pdf-written"):
        assert say(language, f"settle.{key}") in told
    assert "{" not in told


def test_fonts_are_embedded_and_no_others_are_named():
    data = report_pdf(disputed(), [picture()] * 3, "fr")
    assert b"Helvetica" not in data
    assert data.count(b"/FontFile2") == 2


def test_the_same_game_gives_the_same_bytes():
    assert report_pdf(disputed(), [None] * 3, "en") == report_pdf(disputed(), [None] * 3, "en")


def test_pages_are_a4():
    assert {tuple(round(side) for side in page.get_size()) for page in document(disputed())} == {(595, 842)}


def test_names_from_outside_are_text_and_nothing_else():
    game = settle([[replace(of(GOLDEN_28, 1, "<b>&amp;</b>"), source="東京 <i>.jpg")]], "en")
    told = words_of(document(game))
    assert "1. <b>&amp;</b>" in told
    assert "photo <i>.jpg" in told, "with 東京 as a picture before it"
    assert unprintable(game) == ""


@pytest.mark.parametrize("name", ["東京", "東京特許許可局" * 12, "Zoë 東京", "김민준"])
def test_east_asian_names_are_drawn_on_the_page(name):
    game = settle([[of(GOLDEN_43, 1, name)], [of(GOLDEN_28, 2, "Ben")]], "en")
    first = document(game)[0]
    pictures = [one for one in first.get_objects() if one.type == pdfium.FPDF_PAGEOBJ_IMAGE]
    assert len(pictures) >= 3, "in the statement, the ranking and the plot"
    assert all(0 < one.get_bounds()[0] < one.get_bounds()[2] < 595 for one in pictures)
    assert report_pdf(game, [None] * 2, "en") == report_pdf(game, [None] * 2, "en")


def test_letters_that_cant_be_shown_are_told():
    game = settle([[replace(of(GOLDEN_43, 1, "สมชาย 東"), source="😀.jpg")]], "en")
    assert unprintable(game) == "สมชาย😀"
    assert "1. ?????" in words_of(document(game))


def test_a_very_long_name_fits():
    game = settle([[of(GOLDEN_43, 1, "Wilhelmina " * 12)], [of(GOLDEN_28, 2, "Ben")]], "en")
    assert "…" in words_of(document(game))


def test_signs_that_the_typeface_lacks_are_replaced():
    assert printable("✗ ⬠ −1 → 東 ส") == "× ◊ −1 → 東 ?"


def test_a_crop_stays_on_the_sheet():
    field = TEMPLATE.field("orange-3").box_mm
    part = crop(picture(), field, 200)
    assert part.shape[0] > 0
    assert part.shape[1] > 0


def test_it_can_be_rendered():
    page = document(disputed())[1].render(scale=0.5).to_pil()
    stream = io.BytesIO()
    page.save(stream, "PNG")
    assert len(stream.getvalue()) > 5000
