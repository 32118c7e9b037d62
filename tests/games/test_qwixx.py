"""Qwixx's rules, each quoted from `shared/rules/qwixx.md` by the test that proves it."""

from dataclasses import replace

import pytest

from sheetscan.errors import TemplateError
from sheetscan.games import rules_for
from sheetscan.games.qwixx import Qwixx
from sheetscan.games.qwixx_score import PENALTIES
from sheetscan.result import CROSS, EMPTY, UNREADABLE, VOID, Content, number
from sheetscan.template import load_template
from tests.games.qwixx_sheets import ORDERS, VARIANTS, audit, figures, points, rules_of, sheet, told

LINE = Content("line")
FIVE = "2 3 5 7 8"


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_rules_take_the_order_of_numbers_from_the_template(variant):
    rows = {row.name: row for row in rules_of(variant).layout.rows}
    for name, order in ORDERS[variant].items():
        assert rows[name].numbers == tuple(f"{name}-{value}" for value in order.split())
        assert rows[name].lock == f"{name}-lock"


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_rules_know_the_fields_of_the_template(variant):
    template, rules = load_template(variant), rules_of(variant)
    marks = {field.id for field in template.fields if field.kind == "mark"}
    assert {field.id for field in template.readable_fields} == set(rules.layout.possible_contents)
    assert rules.scoring_fields == {name for name in marks if not name.endswith("-lock")}
    assert rules.name == "qwixx"


def test_rows_that_are_none_of_qwixx_are_a_template_error():
    places = load_template("qwixx").places
    with pytest.raises(
        TemplateError, match="rows of a Qwixx sheet are red, yellow, green, blue, not red"
    ) as told:
        Qwixx({"red": places["red"]})
    assert "lock" in told.value.hint
    with pytest.raises(TemplateError, match="not none"):
        Qwixx({})
    for wrong in (places["red"][:-1], places["red"][1:], ("red-lock", *places["red"][:-1]), ()):
        with pytest.raises(TemplateError, match="row red of a Qwixx sheet is not the numbers 2 to 12"):
            Qwixx({**places, "red": wrong})


def test_a_template_without_such_rows_is_told_when_its_rules_are_asked_for():
    with pytest.raises(TemplateError, match="not orange, yellow, purple"):
        rules_for(replace(load_template("qwinto"), game="qwixx"))


def test_golden_sheet():
    """4, 3, 8, 7 crosses and two penalties = 10 + 6 + 36 + 28 - 10 = 70."""
    judged = audit(
        sheet(red="2 4 5 9", yellow="3 4 11", green="12 11 10 8 7 5 4 3", blue="11 10 9 8 7 6 5", penalties=2)
    )
    assert points(judged) == {"red": 10, "yellow": 6, "green": 36, "blue": 28, "penalties": -10}
    assert (judged.total, judged.range, judged.repairs, judged.violations) == (70, (70, 70), (), ())


@pytest.mark.parametrize(
    ("crosses", "score"),
    list(enumerate([0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55])),
)
def test_crosses_score(crosses, score):
    """Crosses in a row: 1 2 3 4 5 6 7 8 9 10 -> 1 3 6 10 15 21 28 36 45 55."""
    words = ORDERS["qwixx"]["blue"].split()[:crosses]
    assert points(audit(sheet(blue=" ".join(words))))["blue"] == score


def test_66_and_78_are_possible_only_with_a_lock():
    every = ORDERS["qwixx"]["red"]
    assert points(audit(sheet(red=f"{every} L")))["red"] == 78
    assert points(audit(sheet(red=f"{every.removeprefix('2 ')} L")))["red"] == 66
    assert points(audit(sheet(red=every.removesuffix(" 12"))))["red"] == 55


def test_bounds():
    """Legal totals run from -20 to 266."""
    assert audit(sheet(penalties=4)).total == -20
    up, down = ORDERS["qwixx"]["red"], ORDERS["qwixx"]["blue"]
    most = sheet(red=f"{up} L", yellow=f"{up} L", green=down.removesuffix(" 2"), blue=down.removesuffix(" 2"))
    assert audit(most).total == 266
    assert audit(most).violations == ()


def test_the_lock_counts_as_a_cross():
    judged = audit(sheet(red=f"{FIVE} 12 L"))
    assert (points(judged)["red"], judged.violations) == (28, ())


@pytest.mark.parametrize(("others", "score"), [("", 0), ("4", 1), ("4 5 6 7", 10)])
@pytest.mark.parametrize(("lock", "fields"), [("", ("red-12",)), (" L", ("red-12", "red-lock"))])
def test_a_last_number_with_fewer_than_five_others_does_not_count_nor_does_its_lock(
    others, score, lock, fields
):
    """Five *others*: five crosses including the last number are too few."""
    judged = audit(sheet(red=f"{others} 12{lock}"))
    assert told(judged) == [("last-number", "one-of", fields)]
    assert figures(judged) == {"field": "red-12", "others": len(others.split())}
    assert points(judged)["red"] == score


@pytest.mark.parametrize(
    ("variant", "last"),
    [
        ("qwixx", {"red": 12, "yellow": 12, "green": 2, "blue": 2}),
        ("qwixx-mixx-a", {"red": 12, "yellow": 12, "green": 2, "blue": 2}),
        ("qwixx-mixx-b", {"red": 11, "yellow": 10, "green": 3, "blue": 4}),
    ],
)
def test_the_last_number_is_the_one_before_the_lock(variant, last):
    for row, value in last.items():
        assert told(audit({f"{row}-{value}": CROSS}, variant)) == [
            ("last-number", "one-of", (f"{row}-{value}",))
        ]
        others = {f"{row}-{other}": CROSS for other in range(2, 13) if other != value}
        assert told(audit(others, variant)) == []


@pytest.mark.parametrize("lock", [EMPTY, LINE, VOID])
def test_a_forgotten_lock_counts(lock):
    judged = audit(sheet(green="12 11 10 9 8 7 2") | {"green-lock": lock})
    assert told(judged) == [("lock-missing", "note", ("green-lock",))]
    assert figures(judged) == {"field": "green-lock", "last": "green-2", "points": 8}
    assert points(judged)["green"] == 36


def test_nobody_is_told_to_have_forgotten_a_lock_that_cannot_be_read():
    judged = audit(sheet(green="12 11 10 9 8 7 2") | {"green-lock": UNREADABLE})
    assert (told(judged), points(judged)["green"]) == ([], 36)


@pytest.mark.parametrize("mark", [CROSS, LINE])
def test_a_lone_lock_means_closed_by_another(mark):
    judged = audit(sheet(yellow="2 3 4 5 6 7") | {"yellow-lock": mark})
    assert told(judged) == [("lone-lock", "note", ("yellow-lock",))]
    assert figures(judged) == {"field": "yellow-lock", "last": "yellow-12"}
    assert points(judged)["yellow"] == 21


def test_lines_and_blackened_boxes_do_not_count():
    """A line through a skipped number or through the rest of a row, and a blackened box mean not crossed."""
    rest = {f"red-{value}": LINE for value in range(8, 13)} | {"red-lock": LINE}
    judged = audit(sheet(red="2 4 7") | {"red-3": LINE, "red-5": VOID, "red-6": UNREADABLE} | rest)
    assert points(judged)["red"] == 6
    assert told(judged) == [("lone-lock", "note", ("red-lock",))]


def test_the_order_of_crosses_is_invisible():
    assert audit(sheet(red="12 L 11 10 9 8 2")).violations == ()


def test_more_than_four_penalties():
    judged = audit(sheet(penalties=5))
    assert told(judged) == [
        ("penalties-too-many", "one-of", tuple(f"penalty-{place}" for place in range(1, 6)))
    ]
    assert (figures(judged), judged.total) == ({"count": 5}, -20)


def test_three_own_locks_are_impossible():
    two = {"red": f"{FIVE} 12 L", "yellow": f"{FIVE} 12 L"}
    assert audit(sheet(**two)).violations == ()
    judged = audit(sheet(**two, green="12 11 10 9 8 2 L"))
    assert told(judged) == [("own-locks", "one-of", ("red-12", "yellow-12", "green-2"))]
    assert judged.total == 84


def test_tally_differences_are_told_with_both_figures():
    right = {"red": 3, "yellow": 0, "green": 0, "blue": 0, "penalties": 5, "total": -2}
    assert audit(sheet(red="2 3", penalties=1, tally=right)).violations == ()
    judged = audit(sheet(red="2 3", penalties=1, tally=right | {"red": 2}))
    assert told(judged) == [("tally", "one-of", ("tally-red",))]
    assert figures(judged) == {"field": "tally-red", "written": 2, "computed": 3}
    judged = audit(sheet(penalties=1, tally={"penalties": 10}))
    assert figures(judged) == {"field": "tally-penalties", "written": 10, "computed": 5}
    assert audit(sheet(penalties=1, tally={"penalties": -5, "total": -5})).violations == ()


def test_what_a_field_may_hold():
    rules = rules_of()
    assert rules.possible_contents("red-7") == (EMPTY, CROSS)
    assert rules.possible_contents("red-lock") == (EMPTY, CROSS)
    assert rules.possible_contents("tally-blue")[-2:] == (number(66), number(78))
    assert rules.possible_contents("tally-penalties") == (EMPTY, *map(number, (0, 5, 10, 15, 20)))
    totals = rules.possible_contents("tally-total")
    assert (totals[0], totals[1], totals[-1]) == (EMPTY, number(-20), number(266))
    assert rules.possible_contents("orange-3") == ()


def test_bounds_of_doubts():
    rules = rules_of()
    either = (EMPTY, CROSS)
    doubtful = {f"red-{value}": either for value in (2, 3, 4, 5, 6, 12)}
    assert rules.total_bounds(doubtful) == (0, 28)
    assert rules.total_bounds(doubtful | {"red-7": (CROSS,), "penalty-1": either, "penalty-2": (CROSS,)}) == (
        -9,
        31,
    )
    everything = dict.fromkeys(rules.scoring_fields, either)
    assert rules.total_bounds(everything) == (-20, 266)
    assert rules.total_bounds({"red-2": (), "penalty-1": ()}) == (0, 0)
    assert set(PENALTIES) <= rules.scoring_fields
