"""Orders that can't be printed are refused with a reason and a next step."""

import dataclasses

import numpy as np
import pytest

from sheetscan.errors import UsageError
from sheetscan.printing.order import MAX_SHEETS, PrintOrder
from sheetscan.printing.pdf import render_pdf
from sheetscan.template import Template, load_template
from tests.printing.conftest import part, picture, printed, texts_of


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ({"copies": 0}, "can't print 0 copies"),
        ({"copies": -3}, "can't print -3 copies"),
        ({"copies": MAX_SHEETS + 1}, "501 sheets are more than one PDF takes"),
        ({"copies": 200, "players": ("A", "B", "C")}, "600 sheets"),
        ({"paper": "a3"}, "unknown paper 'a3'"),
        ({"ink": "gold"}, "unknown ink 'gold'"),
        ({"language": "eo"}, "unknown language 'eo'"),
        ({"players": ("Anna", " \t")}, "name is empty"),
        ({"game_id": "no-good"}, "game id 'no-good'"),
        ({"game_id": ""}, "game id ''"),
    ],
)
def test_wrong_orders_are_refused(order: dict[str, object], reason: str) -> None:
    with pytest.raises(UsageError, match=reason) as refusal:
        PrintOrder(**order)  # type: ignore[arg-type]
    assert refusal.value.hint


def test_largest_order_is_accepted() -> None:
    assert PrintOrder(copies=MAX_SHEETS).sheet_count == MAX_SHEETS


def test_sheets_are_numbered_through_and_players_take_turns() -> None:
    assert list(PrintOrder(players=("A", "B"), copies=2).sheets()) == [(1, "A"), (2, "B"), (3, "A"), (4, "B")]
    assert list(PrintOrder(copies=2).sheets()) == [(1, None), (2, None)]


def test_names_are_composed_and_tidied() -> None:
    assert PrintOrder(players=("  Zoe\u0308   Müller\n",)).players == ("Zoë Müller",)


@pytest.mark.parametrize(
    "name",
    ["Zoë Müller", "Łukasz", "Ελένη", "Николай", "Ťažký Ő", "Þór", "Nguyễn", "O’Neil/2", "İpek", "Straße"],
)
def test_names_of_latin_greek_and_cyrillic_letters_are_printed(name: str) -> None:
    assert name in [piece.text for piece in texts_of(printed(paper="a5", players=(name,)))]


@pytest.mark.parametrize("name", ["東京", "김민준", "Zoë 美咲"])
def test_east_asian_names_are_drawn(qwinto: Template, name: str) -> None:
    blank, named = (picture(printed(paper="a5", players=players), 10) for players in ((), (name,)))
    box = qwinto.field("name").box_mm
    new = (blank != named).any(axis=2)
    ink = part(new, box, 10)
    rows, columns = np.nonzero(ink)
    assert 2 < np.ptp(rows) / 10 < box.height
    assert np.ptp(columns) / 10 < box.width
    code = part(new, qwinto.code_mm.grown(0.2), 10)
    assert np.count_nonzero(new) == np.count_nonzero(ink) + np.count_nonzero(code), "nothing beside its line"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("สมชาย", "ส ม ช า ย"),
        ("東 محمد", "م ح د"),
        ("Anna 😀", "😀"),
        ("a\udcffb", r"U\+DCFF"),
        ("a\u202eb", r"U\+202E"),
    ],
)
def test_names_without_glyphs_are_refused_in_words(qwinto: Template, name: str, shown: str) -> None:
    with pytest.raises(UsageError, match=f"can't be printed: the typeface has no {shown}"):
        render_pdf(qwinto, PrintOrder(players=(name,)))


def test_long_names_shrink_to_the_line_and_then_are_refused(qwinto: Template) -> None:
    box = qwinto.field("name").box_mm
    short, long = (
        next(p for p in texts_of(printed(paper="a5", players=(name,))) if p.text == name).box_mm
        for name in ("Maximiliane", "Maximiliane Wilhelmine Müller")
    )
    assert long.height < short.height
    assert box.x <= long.x
    assert long.right <= box.right
    with pytest.raises(UsageError, match="too long for its line"):
        render_pdf(qwinto, PrintOrder(players=("Maximiliane Wilhelmine Müller-Lüdenscheidt",)))


def test_a_sheet_without_a_name_line_refuses_players() -> None:
    sheet = load_template("qwinto")
    nameless = dataclasses.replace(sheet, fields=tuple(f for f in sheet.fields if f.id != "name"))
    assert render_pdf(nameless, PrintOrder())
    with pytest.raises(UsageError, match="Qwinto has no line for names"):
        render_pdf(nameless, PrintOrder(players=("Anna",)))
