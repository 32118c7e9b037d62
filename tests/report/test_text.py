import dataclasses
import io

import pytest
from rich.console import Console

from sheetscan.games import rules_for
from sheetscan.judge import judge
from sheetscan.language import LANGUAGES
from sheetscan.report.text import sheet_text
from sheetscan.result import CROSS, EMPTY, Content, FieldReading, Sheet, number
from sheetscan.template import load_template
from tests.report.results import (
    GOLDEN_28,
    GOLDEN_43,
    GOLDEN_116,
    TEMPLATE,
    doubtful,
    plain_console,
    result,
    sure,
    unreadable,
)


def shown(sheet: Sheet, language: str = "en", width: int = 100) -> str:
    return sheet_text(sheet, TEMPLATE, language, plain_console(width))


GRID_43 = """\
          1    2    3    4    5    6    7    8    9   10   11   12
 orange           (   )< 5 >(   )▒▒▒▒▒(   )<10 >(13 )(   )(17 )(   )
 yellow      ( 2 )( 3 )( 7 )( 8 )(10 )▒▒▒▒▒(11 )<12 >(15 )(16 )
 purple ( 2 )( 4 )<   >( 6 )▒▒▒▒▒( 7 )(   )( 9 )(11 )<   >
"""


def test_the_rows_are_staggered_as_on_the_sheet() -> None:
    assert GRID_43 in shown(result(GOLDEN_43))


def test_the_score_is_told_line_by_line_and_sums_up() -> None:
    lines = shown(result(GOLDEN_43)).splitlines()
    start = lines.index("Score")
    points = {line.rsplit(maxsplit=1)[0].strip(): line.split()[-1] for line in lines[start + 1 : start + 11]}
    assert points == {
        "orange row": "4",
        "yellow row": "16",
        "purple row": "6",
        "bonus, column 3": "0",
        "bonus, column 4": "5",
        "bonus, column 8": "10",
        "bonus, column 9": "12",
        "bonus, column 10": "0",
        "misthrows": "−10",
        "total": "43",
    }


@pytest.mark.parametrize(("contents", "total"), [(GOLDEN_43, 43), (GOLDEN_28, 28), (GOLDEN_116, 116)])
def test_the_title_tells_player_total_photo_and_sheet(contents: dict[str, Content], total: int) -> None:
    title = shown(result(contents)).splitlines()[0]
    assert title == f"Anna  {total} points  Qwinto · sheet K7M2QX-1 · IMG_1.jpg"


def test_without_a_player_the_photo_gives_the_title() -> None:
    title = shown(result(GOLDEN_43, player=None, sheet_id=None)).splitlines()[0]
    assert title == "IMG_1.jpg  43 points  Qwinto"


def test_a_clean_sheet_has_nothing_but_drawing_and_score() -> None:
    text = shown(result(GOLDEN_43))
    assert not any(heading in text for heading in ("Findings", "To put it right", "Please check", "doubtful"))


def test_every_content_has_its_sign() -> None:
    readings = {
        "orange-3": sure(CROSS),
        "purple-3": sure(Content("void")),
        "misthrow-3": sure(Content("line")),
        "yellow-2": FieldReading("number", 1, 1.0, number(7), (), "user"),
        "yellow-3": FieldReading("number", 3, 0.9, number(3), (), "rule hint"),
    }
    text = shown(result(GOLDEN_43, readings))
    assert "( ✗ )< 5 >" in text
    assert "< █ >" in text
    assert "[ ✗ ] [ ✗ ] [ / ] [   ]" in text
    assert "( 1*)( 3~)" in text
    for told in ("entered by hand", "read with the help of the rules", "a line, does not count"):
        assert told in text


def test_a_doubt_is_marked_and_asked_with_its_alternatives() -> None:
    readings = {"yellow-8": doubtful(number(11), 0.71, (number(14), 0.25), (EMPTY, 0.03), (CROSS, 0.001))}
    text = shown(result(GOLDEN_43, readings))
    assert "(11?)" in text
    assert "? doubtful" in text
    assert "yellow 8: read as 11 (71%); perhaps 14 (25%) or empty (3%)" in text
    assert "The total lies between" in text


def test_the_reading_that_matters_is_named_however_improbable() -> None:
    # A cross and an empty field come to the same; a number ends the row.
    marks = ((CROSS, 0.07), (EMPTY, 0.01), (number(8), 0.0014))
    text = shown(result(GOLDEN_43, {"yellow-5": doubtful(Content("void"), 0.91, *marks)}))
    assert "yellow 5: read as scribbled out (91%); perhaps a cross (7%) or 8 (0.1%)" in text


def test_an_unreadable_field_is_asked_without_asserting_anything() -> None:
    text = shown(result(GOLDEN_43, {"purple-6": unreadable(7, 1)}))
    assert "(???)" in text
    assert "purple 6: could not be read; perhaps 7 (40%) or 1 (35%)" in text


def test_findings_come_with_the_rule_and_repairs_with_their_score() -> None:
    text = shown(result(GOLDEN_43, {"yellow-2": sure(number(19))}))
    assert "(19!)" in text
    assert "! must become a cross" in text
    assert "Rule: " in text
    assert "cross out 19 (yellow 2) → 35 points" in text


def test_nobody_is_accused_over_a_doubtful_reading() -> None:
    readings = {"yellow-5": doubtful(number(12), 0.7, (number(8), 0.29))}
    text = shown(result(GOLDEN_43, readings))
    assert "cross out 12? (yellow 5)" in text
    assert "(12?)" in text


def test_a_rule_that_several_findings_rest_on_is_told_once() -> None:
    readings = {"yellow-2": sure(number(19)), "purple-1": sure(number(20))}
    sheet = result(GOLDEN_43, readings)
    assert len([finding for finding in sheet.findings if finding.code == "value"]) == 2
    rule = next(finding.rule for finding in sheet.findings if finding.code == "value")
    assert shown(sheet).count(rule) == 1


def test_a_written_tally_stands_beside_the_computed_one() -> None:
    text = shown(result(GOLDEN_43, {"tally-orange": sure(number(4)), "tally-total": sure(number(44))}))
    assert "written: 4\n" in text
    assert "written: 44^" in text


def test_three_digits_and_a_sign_fit_a_field() -> None:
    lines = shown(result(GOLDEN_43, {"orange-3": sure(number(123))})).splitlines()
    row = next(line for line in lines if line.startswith(" orange"))
    assert "(123!< 5 >" in row


def test_a_long_list_of_repairs_is_cut_short_and_says_so() -> None:
    falling = {field: sure(number(18 - place)) for place, field in enumerate(["purple-1", "purple-2"])}
    falling |= {"purple-4": sure(number(15)), "yellow-11": sure(number(3)), "orange-12": sure(number(2))}
    sheet = result(GOLDEN_43, falling)
    assert len(sheet.repairs) > 5
    assert f"and {len(sheet.repairs) - 5} more" in shown(sheet)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_tells_all_parts(language: str) -> None:
    readings = {
        "yellow-2": sure(number(19)),
        "yellow-8": doubtful(number(11), 0.71, (number(14), 0.25)),
        "purple-6": unreadable(7, 1),
        "misthrow-3": sure(Content("line")),
    }
    text = shown(result(GOLDEN_43, readings, language=language), language)
    assert "{" not in text
    assert len(text.splitlines()) > 30


def test_shares_are_rounded_down_so_that_only_certainty_is_called_so() -> None:
    text = shown(result(GOLDEN_43))
    assert "100%" not in text
    assert "99." in text


def test_the_decimal_sign_follows_the_language() -> None:
    assert "99,6" in shown(result(GOLDEN_43, language="de"), "de")


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("qwixx", "  green [12✗ ][11  ][10  ][ 9  ][ 8  ][ 7✗?][ 6█ ][ 5  ][ 4  ][ 3  ][ 2  ][ L✗ ]"),
        ("qwixx-mixx-b", "  green [ 8  ][ 2  ][10  ][12✗ ][ 6█ ][ 9  ][ 7✗?][ 4  ][ 5  ][11  ][ 3  ][ L✗ ]"),
    ],
)
def test_marks_stand_beside_what_is_printed_in_the_field(name: str, row: str) -> None:
    template = load_template(name)
    fields = {field.id: sure(EMPTY) for field in template.readable_fields}
    fields |= dict.fromkeys(("green-12", "green-lock", "penalty-1"), sure(CROSS))
    fields |= {"green-6": sure(Content("void")), "green-7": doubtful(CROSS, 0.7, (EMPTY, 0.25))}
    verdict = judge(rules_for(template), fields, "en")
    sheet = dataclasses.replace(
        result({}), template=name, fields=fields, findings=verdict.findings, score=verdict.score
    )
    lines = sheet_text(sheet, template, "en", plain_console(80)).splitlines()
    assert lines[4] == row
    assert "        Penalties, −5 each  [ ✗  ] [    ] [    ] [    ]" in lines


def test_other_sheets_are_drawn_from_their_template_alone() -> None:
    """A row that counts down has no column numbers in common with the others."""
    fields = tuple(
        dataclasses.replace(field, column=20 - (field.column or 0)) if field.row == "purple" else field
        for field in TEMPLATE.fields
        if field.kind != "mark"
    )
    other = dataclasses.replace(TEMPLATE, fields=fields)
    lines = sheet_text(result(GOLDEN_43), other, "en", plain_console()).splitlines()
    assert lines[2].startswith(" orange           (   )< 5 >(")
    assert not any("Misthrows, −5 each" in line for line in lines)


def test_a_sheet_without_rows_is_told_too() -> None:
    fields = tuple(field for field in TEMPLATE.fields if field.row is None)
    bare = dataclasses.replace(TEMPLATE, rows=(), fields=fields)
    lines = sheet_text(result(GOLDEN_43), bare, "en", plain_console()).splitlines()
    assert "  Misthrows, −5 each  [ ✗ ] [ ✗ ] [   ] [   ]" in lines


def test_the_page_is_told_from_the_second_on() -> None:
    sheet = dataclasses.replace(result(GOLDEN_43), page=2)
    assert "· page 2 · IMG_1.jpg" in shown(sheet)
    assert "page" not in shown(result(GOLDEN_43))


def test_names_from_outside_cannot_steer_the_terminal() -> None:
    text = shown(result(GOLDEN_43, player="A\x1b[31mB\x07", source="x\x1b]0;y\x07.jpg"))
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "A�[31mB�" in text


def test_markup_in_names_is_shown_as_it_is() -> None:
    assert shown(result(GOLDEN_43, player="[bold]Zoë[/bold] 東京")).startswith("[bold]Zoë[/bold] 東京  43")


def test_the_drawing_keeps_its_lines_on_a_narrow_terminal() -> None:
    assert " orange           (   )< 5 >(" in shown(result(GOLDEN_43), width=40)


def test_colours_appear_on_a_terminal_and_say_nothing_that_signs_do_not() -> None:
    sheet = result(GOLDEN_43, {"yellow-8": doubtful(number(11), 0.7, (number(14), 0.3))})
    coloured = Console(file=io.StringIO(), width=100, color_system="truecolor", force_terminal=True)
    text = sheet_text(sheet, TEMPLATE, "en", coloured)
    assert "\x1b[" in text
    bare = Console(
        file=io.StringIO(), width=100, color_system="truecolor", force_terminal=True, no_color=True
    )
    assert "38;2" not in sheet_text(sheet, TEMPLATE, "en", bare)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("washed_out", "hidden by a reflection; perhaps 7 (40%) or 1 (35%)"),
        ("covered", "covered by something; perhaps 7 (40%) or 1 (35%)"),
        ("streaked", "could not be read; perhaps 7 (40%) or 1 (35%); a streak of the scan or print runs"),
    ],
)
def test_what_hides_a_field_is_named(language: str, fault: str, words: str) -> None:
    sheet = result(GOLDEN_43, {"purple-6": unreadable(7, 1)})
    spoilt = dataclasses.replace(sheet, quality={fault: ["purple-6"]})
    assert shown(spoilt, language) != shown(sheet, language)
    if language == "en":
        assert f"purple 6: {words}" in shown(spoilt)
