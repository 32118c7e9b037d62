from sheetscan.report.ranking import games, ranked, ranking_text
from sheetscan.result import number
from tests.report.results import GOLDEN_28, GOLDEN_43, doubtful, plain_console, result

ANNA = result(GOLDEN_43, player="Anna", source="a.jpg", sheet_id="K7M2QX-1", sha256="a" * 64)
BEN = result(GOLDEN_28, player="Ben", source="b.jpg", sheet_id="K7M2QX-2", sha256="b" * 64)
CEM = result(GOLDEN_43, player="Cem", source="c.jpg", sheet_id="K7M2QX-3", sha256="c" * 64)


def text(*sheets: object) -> str:
    return ranking_text(sheets, "en", plain_console())  # type: ignore[arg-type]


def test_equal_totals_share_the_place_and_the_next_one_is_left_out() -> None:
    assert [(entry.place, entry.sheet.player) for entry in ranked([BEN, ANNA, CEM])] == [
        (1, "Anna"),
        (1, "Cem"),
        (3, "Ben"),
    ]
    assert "Equal totals share the place." in text(ANNA, BEN, CEM)
    assert "Equal totals share the place." not in text(ANNA, BEN)


def test_one_sheet_alone_is_not_ranked() -> None:
    assert text(ANNA) == ""


def test_each_game_is_ranked_by_itself() -> None:
    other = [
        result(GOLDEN_43, player=name, source=f"{name}.jpg", sheet_id=f"ZZZZZZ-{place}", sha256=name * 64)
        for place, name in enumerate("xy", 1)
    ]
    told = text(ANNA, other[0], BEN, other[1])
    assert told.index("Ranking of game K7M2QX") < told.index("Ranking of game ZZZZZZ")


def test_sheets_without_a_code_are_ranked_among_themselves() -> None:
    unknown = [
        result(GOLDEN_43, player=None, source=f"{name}.jpg", sheet_id=None, sha256=name * 64) for name in "xy"
    ]
    told = text(*unknown)
    assert told.startswith("Ranking\n")
    assert "1.  x.jpg  43" in told


def test_a_copy_of_a_photo_counts_once() -> None:
    copy = result(GOLDEN_43, player="Anna", source="copy.jpg", sheet_id="K7M2QX-1", sha256="a" * 64)
    assert [len(sheets) for sheets in games([ANNA, copy, BEN]).values()] == [2]


def test_two_sheets_in_one_photo_both_count() -> None:
    plain = result(GOLDEN_43, sheet_id=None)
    assert [len(entries) for entries in games([plain, plain]).values()] == [2]


def test_a_sheet_photographed_twice_counts_once_and_is_told() -> None:
    again = result(GOLDEN_43, player="Anna", source="again.jpg", sheet_id="K7M2QX-1", sha256="d" * 64)
    told = text(ANNA, again, BEN)
    assert told.count("Anna") == 1
    assert "The same sheet, counted once: a.jpg, again.jpg." in told
    assert text(ANNA, again) == ""


def test_of_two_photos_the_surer_one_counts() -> None:
    readings = {"yellow-9": doubtful(number(12), 0.7, (number(13), 0.29))}
    unsure = result(
        GOLDEN_43, readings, player="Anna", source="dim.jpg", sheet_id="K7M2QX-1", sha256="d" * 64
    )
    assert "Anna  43\n" in text(unsure, ANNA, BEN)
    assert "Anna  43\n" in text(ANNA, unsure, BEN)


def test_one_code_with_two_contents_counts_twice_and_is_told() -> None:
    """A misread photo of one sheet, or photocopies that two people filled."""
    other = result(GOLDEN_28, player="Anna", source="other.jpg", sheet_id="K7M2QX-1", sha256="d" * 64)
    told = text(ANNA, other)
    assert told.count("Anna") == 2
    assert "Sheet K7M2QX-1 is there more than once, read differently: a.jpg, other.jpg." in told


def test_an_open_total_says_so() -> None:
    open_sheet = result(
        GOLDEN_43,
        {"yellow-9": doubtful(number(12), 0.7, (number(13), 0.29))},
        source="o.jpg",
        sha256="o" * 64,
    )
    low, high = open_sheet.score.range
    assert low < high
    assert f"{low} to {high} possible, to be checked" in text(open_sheet, BEN)
