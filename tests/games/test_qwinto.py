"""Qwinto's rules, each quoted from `shared/rules/qwinto.md` by the test that proves it."""

import time
from dataclasses import replace

import pytest

from sheetscan.errors import TemplateError
from sheetscan.games import rules_for
from sheetscan.games.qwinto import Qwinto
from sheetscan.games.qwinto_rows import LISTED_REPAIRS, ruling_on, verdict_on
from sheetscan.games.qwinto_score import BLOCKED_FIELDS, NUMBER_FIELDS
from sheetscan.result import CROSS, EMPTY, UNREADABLE, Content, number
from sheetscan.template import load_template
from tests.games.sheets import GOLDEN, NOTHING, audit, codes, found, sheet


def points(judged):
    return {line.label: line.points for line in judged.lines}


def test_rules_are_found_by_the_games_name():
    assert rules_for(load_template("qwinto")).name == "qwinto"


def test_a_game_without_rules_is_a_template_error():
    with pytest.raises(TemplateError, match="no rules for a game named 'chess'") as caught:
        rules_for(replace(load_template("qwinto"), game="chess"))
    assert "qwinto" in caught.value.hint


def test_the_rules_know_the_fields_of_the_template():
    fields = load_template("qwinto").fields
    assert set(NUMBER_FIELDS) == {field.id for field in fields if field.kind == "number"}
    assert set(BLOCKED_FIELDS) == {field.id for field in fields if field.kind == "blocked"}
    pentagons = {field.id for field in fields if field.shape == "pentagon"}
    assert pentagons == {"orange-4", "orange-8", "yellow-9", "purple-3", "purple-10"}
    rules = Qwinto()
    assert all(rules.possible_contents(field.id) for field in fields if field.kind != "text")
    assert rules.possible_contents("name") == ()


class TestScore:
    @pytest.mark.parametrize(("total", "orange", "yellow", "purple", "misthrows"), GOLDEN)
    def test_golden_sheets(self, total, orange, yellow, purple, misthrows):
        judged = audit(sheet(orange, yellow, purple, misthrows))
        assert (judged.total, judged.range) == (total, (total, total))
        assert (judged.violations, judged.repairs) == ((), ())

    def test_the_publishers_sheet_line_by_line(self):
        """43 = 4 + 16 + 6 + (5 + 10 + 12) − 10"""
        _, orange, yellow, purple, misthrows = GOLDEN[0]
        lines = [(line.label, line.points) for line in audit(sheet(orange, yellow, purple, misthrows)).lines]
        assert lines == [
            ("orange", 4),
            ("yellow", 16),
            ("purple", 6),
            ("bonus-3", 0),
            ("bonus-4", 5),
            ("bonus-8", 10),
            ("bonus-9", 12),
            ("bonus-10", 0),
            ("misthrows", -10),
        ]

    def test_complete_row(self):
        """Complete row (nine numbers): its rightmost number (9..18). Otherwise one point a number."""
        complete = "1 2 3 # 4 5 6 7 8 9"
        assert points(audit(sheet(orange=complete)))["orange"] == 9
        assert points(audit(sheet(orange=complete.replace("9", "17"))))["orange"] == 17
        assert points(audit(sheet(orange=complete.replace("9", "_"))))["orange"] == 8

    @pytest.mark.parametrize(
        ("column", "pentagon"), [(3, "purple"), (4, "orange"), (8, "orange"), (9, "yellow"), (10, "purple")]
    )
    def test_bonus_column(self, column, pentagon):
        """Bonus column: if all three fields hold numbers, the number in its pentagon field, once."""
        values = {"orange": 5, "yellow": 7, "purple": 11}
        contents = {f"{row}-{column}": number(value) for row, value in values.items()}
        judged = points(audit(contents))
        assert judged[f"bonus-{column}"] == values[pentagon]
        assert sum(judged.values()) == 3 + values[pentagon]
        for missing in contents:
            assert points(audit(contents | {missing: EMPTY}))[f"bonus-{column}"] == 0

    def test_misthrows(self):
        """−5 a misthrow; legal totals run from −20"""
        assert [audit(sheet(misthrows=count)).total for count in range(5)] == [0, -5, -10, -15, -20]

    def test_a_line_or_a_scribble_in_a_misthrow_box_does_not_count(self):
        """kind of a mark field: cross (counts), line or void (does not count)"""
        marks = {
            f"misthrow-{place}": Content(kind) for place, kind in enumerate(("cross", "line", "void"), 1)
        }
        judged = audit(marks)
        assert (judged.total, judged.violations) == (-5, ())

    @pytest.mark.parametrize("kind", ["cross", "void", "line", "unreadable", "empty"])
    def test_a_dead_field(self, kind):
        """A cross costs nothing itself, but its row can never be complete and its column earns no bonus."""
        _, orange, yellow, purple, misthrows = GOLDEN[0]
        contents = sheet(orange, yellow, purple, misthrows) | {"yellow-4": Content(kind)}
        judged = audit(contents)
        assert (points(judged)["yellow"], points(judged)["bonus-4"]) == (8, 0)
        assert judged.violations == ()


class TestValue:
    """A number outside 1..18: the field must become a cross."""

    @pytest.mark.parametrize("value", [0, 19, -1, 100, 10**30])
    def test_a_number_that_no_throw_gives(self, value):
        judged = audit({"orange-3": number(value), "orange-5": number(4)})
        (violation,) = judged.violations
        assert (violation.code, violation.severity, violation.fields) == (
            "value",
            "must-cross",
            ("orange-3",),
        )
        assert violation.figures == {"field": "orange-3", "value": value}
        assert [(repair.crosses, repair.score) for repair in judged.repairs] == [(("orange-3",), 1)]

    @pytest.mark.parametrize("value", [1, 18])
    def test_the_least_and_the_most_that_three_dice_give(self, value):
        assert audit({"orange-3": number(value)}).violations == ()

    def test_it_clashes_with_nothing_else(self):
        """It goes in any case, so what stands beside it isn't accused."""
        assert (
            codes(audit(sheet(orange="_ 21 5 # _ _ _ _ _ _", yellow="_ _ 21 _ _ # _ _ _ _"))) == ["value"] * 2
        )


class TestRowOrder:
    """A number not above one to its left: one of the clashing numbers must become a cross."""

    @pytest.mark.parametrize("right", ["6", "7"])
    def test_two_numbers(self, right):
        judged = audit(sheet(yellow=f"7 _ {right} _ _ # _ _ _ _"))
        (violation,) = judged.violations
        assert (violation.code, violation.severity) == ("row-order", "one-of")
        assert violation.fields == ("yellow-2", "yellow-4")
        assert [repair.crosses for repair in judged.repairs] == [("yellow-2",), ("yellow-4",)]

    def test_across_the_blocked_field(self):
        assert codes(audit(sheet(orange="_ _ 9 # 8 _ _ _ _ _"))) == ["row-order"]

    def test_one_number_against_several(self):
        """A field in every minimum repair must become a cross."""
        judged = audit(sheet(purple="1 17 5 6 # _ 7 _ _ _"))
        (violation,) = judged.violations
        assert (violation.severity, violation.fields) == ("must-cross", ("purple-2",))
        assert violation.figures["others"] == ("purple-3", "purple-4", "purple-7")
        crosses = [repair.crosses for repair in judged.repairs]
        assert crosses == [("purple-2",), ("purple-3", "purple-4", "purple-7")]

    def test_two_against_two(self):
        """A field in only some minimum repairs is one of these."""
        judged = audit(sheet(purple="5 6 3 4 # 7 _ _ _ _"))
        assert {violation.severity for violation in judged.violations} == {"one-of"}
        assert [v.fields for v in judged.violations] == [
            ("purple-1", "purple-3"),
            ("purple-1", "purple-4"),
            ("purple-2", "purple-3"),
            ("purple-2", "purple-4"),
        ]
        assert [repair.crosses for repair in judged.repairs] == [
            ("purple-1", "purple-2"),
            ("purple-3", "purple-4"),
        ]

    def test_two_that_must_go_and_clash(self):
        judged = audit(sheet(orange="9 8 1 # 2 3 4 _ _ _"))
        accused = [(violation.fields, violation.severity) for violation in judged.violations]
        assert accused == [(("orange-3",), "must-cross"), (("orange-4",), "must-cross")]
        assert judged.repairs[0].crosses == ("orange-3", "orange-4")


class TestColumnRepeat:
    """A number twice in a column (two- and three-field columns)."""

    @pytest.mark.parametrize("column", [2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    def test_every_pair_of_a_column(self, column):
        fields = [field for field in NUMBER_FIELDS if field.endswith(f"-{column}")]
        assert len(fields) in (2, 3)
        for upper in fields:
            for lower in fields[fields.index(upper) + 1 :]:
                (violation,) = audit({upper: number(9), lower: number(9)}).violations
                assert (violation.code, violation.severity) == ("column-repeat", "one-of")
                assert violation.fields == (upper, lower)

    def test_the_order_within_a_column_is_free(self):
        contents = {"orange-3": number(9), "yellow-3": number(4), "purple-3": number(12)}
        assert audit(contents).violations == ()

    def test_a_number_that_clashes_in_row_and_column(self):
        judged = audit({"orange-4": number(5), "yellow-4": number(5), "orange-5": number(3)})
        accused = [(v.code, v.severity, v.fields) for v in judged.violations]
        assert accused == [
            ("row-order", "must-cross", ("orange-4",)),
            ("column-repeat", "must-cross", ("orange-4",)),
        ]
        crosses = [repair.crosses for repair in judged.repairs]
        assert crosses == [("orange-4",), ("orange-5", "yellow-4")]


class TestBlockedField:
    """Something written in the coloured field: ignored, reported."""

    @pytest.mark.parametrize("field", BLOCKED_FIELDS)
    @pytest.mark.parametrize("content", [number(5), CROSS, Content("void"), Content("line")])
    def test_it_is_reported_and_ignored(self, field, content):
        judged = audit({field: content})
        assert (judged.total, judged.repairs) == (0, ())
        (violation,) = judged.violations
        assert (violation.code, violation.severity, violation.fields) == ("blocked-field", "one-of", (field,))

    @pytest.mark.parametrize("content", [EMPTY, UNREADABLE])
    def test_what_nobody_can_read_accuses_nobody(self, content):
        assert audit({"orange-6": content}).violations == ()


THREE_ROWS = ("2 3 4 # 5 6 7 8 9 10", "3 4 5 7 8 # 10 11 12 13", "1 4 5 6 # 7 8 9 10 11")


class TestEnd:
    def test_three_complete_rows(self):
        """Three complete rows on one sheet cannot happen."""
        judged = audit(sheet(*THREE_ROWS))
        (violation,) = judged.violations
        assert (violation.code, violation.severity) == ("three-complete-rows", "one-of")
        assert violation.fields == NUMBER_FIELDS

    def test_two_complete_rows(self):
        assert audit(sheet(*THREE_ROWS[:2])).violations == ()

    def test_erasing_may_undo_a_complete_row_that_ended_the_game(self):
        """Erasing may undo a complete row that ended the game: then say that the end is not proven."""
        judged = audit(sheet("2 3 4 # 5 6 7 8 9 10", "1 2 4 6 7 # 8 9 10 11"))
        assert codes(judged) == ["column-repeat", "end-not-proven"]
        (violation,) = found(judged, "end-not-proven")
        assert (violation.severity, violation.fields) == ("note", ("orange-3", "yellow-3"))

    def test_the_end_is_proven_all_the_same_by_four_misthrows(self):
        judged = audit(sheet("2 3 4 # 5 6 7 8 9 10", "1 2 4 6 7 # 8 9 10 11", misthrows=4))
        assert codes(judged) == ["column-repeat"]

    def test_a_single_complete_row_ended_nothing(self):
        assert codes(audit(sheet("2 3 4 # 5 6 7 8 9 8"))) == ["row-order"]

    def test_a_third_row_that_is_undone_leaves_the_end_proven(self):
        judged = audit(sheet("2 3 4 # 5 6 7 8 10 9", *THREE_ROWS[1:]))
        assert codes(judged) == ["row-order", "three-complete-rows"]


class TestMisthrows:
    def test_not_marked_from_the_left(self):
        judged = audit({"misthrow-1": CROSS, "misthrow-3": CROSS})
        assert judged.total == -10
        (violation,) = judged.violations
        assert (violation.code, violation.severity) == ("misthrows-order", "note")
        assert violation.figures == {"field": "misthrow-3", "empty": "misthrow-2"}

    def test_too_many(self):
        """The active player marks a misthrow: −5 each, at most four."""
        judged = audit(sheet(misthrows=5))
        assert judged.total == -20
        (violation,) = judged.violations
        assert (violation.code, violation.figures) == ("misthrows-too-many", {"count": 5})


RIGHT_TALLY = {
    "tally-orange": 4,
    "tally-yellow": 16,
    "tally-purple": 6,
    "tally-bonus-4": 5,
    "tally-bonus-8": 10,
    "tally-bonus-9": 12,
    "tally-misthrows": 10,
    "tally-total": 43,
}


class TestTally:
    """A written row, bonus, misthrow or total figure differs from the computed one."""

    @pytest.fixture
    def contents(self):
        return sheet(*GOLDEN[0][1:]) | {field: number(value) for field, value in RIGHT_TALLY.items()}

    def test_a_right_tally(self, contents):
        assert audit(contents).violations == ()

    @pytest.mark.parametrize("field", RIGHT_TALLY)
    def test_one_wrong_figure_is_one_finding_with_both_figures(self, contents, field):
        (violation,) = audit(contents | {field: number(RIGHT_TALLY[field] + 1)}).violations
        assert (violation.code, violation.severity, violation.fields) == ("tally", "one-of", (field,))
        computed = RIGHT_TALLY[field]
        assert violation.figures == {"field": field, "written": computed + 1, "computed": computed}

    def test_only_figures_that_are_written_are_compared(self, contents):
        for field, kind in zip(
            RIGHT_TALLY, ("empty", "cross", "void", "line", "unreadable") * 2, strict=False
        ):
            assert audit(contents | {field: Content(kind)}).violations == ()

    def test_an_unearned_pentagon_stays_empty_or_zero(self, contents):
        assert audit(contents | {"tally-bonus-3": number(0)}).violations == ()
        (violation,) = audit(contents | {"tally-bonus-3": number(9)}).violations
        assert violation.figures["computed"] == 0

    def test_the_misthrow_box_holds_the_positive_number(self, contents):
        """Somebody who writes the minus too means the same."""
        assert audit(contents | {"tally-misthrows": number(-10)}).violations == ()
        (violation,) = audit(contents | {"tally-misthrows": number(2)}).violations
        assert violation.figures["computed"] == 10

    def test_a_negative_total(self):
        assert audit(sheet(misthrows=2, tally_total=-10)).violations == ()
        (violation,) = audit(sheet(misthrows=2, tally_total=10)).violations
        assert violation.figures == {"field": "tally-total", "written": 10, "computed": -10}


class TestRepairs:
    def test_the_smallest_first_each_with_its_score(self):
        judged = audit(sheet(orange="_ 1 9 # 3 4 _ _ _ _"))
        repairs = [(repair.crosses, repair.score) for repair in judged.repairs]
        assert repairs == [(("orange-5",), 3), (("orange-7", "orange-8"), 2)]

    def test_the_provisional_score_is_the_lowest_over_the_minimum_repairs(self):
        """The error is the sheet owner's; the report shows the range."""
        judged = audit(sheet("_ 9 8 # _ _ _ _ _ _", "_ _ 3 _ _ # _ _ _ _", "_ _ _ 4 # _ _ _ _ _"))
        assert [(repair.crosses, repair.score) for repair in judged.repairs] == [
            (("orange-4",), 3),
            (("orange-5",), 12),
        ]
        assert (judged.total, judged.range) == (3, (3, 12))
        assert sum(line.points for line in judged.lines) == 3

    def test_a_larger_repair_does_not_widen_the_range(self):
        judged = audit(sheet(orange="_ 1 9 # 3 4 _ _ _ _"))
        assert judged.range == (3, 3)

    def test_eight_clashes_cost_no_more_a_repair_than_three(self):
        def seconds_a_repair(clashes, orange, yellow=NOTHING):
            seconds = []
            for _ in range(5):
                ruling_on.cache_clear()
                verdict_on.cache_clear()
                start = time.process_time()
                judged = audit(sheet(orange, yellow))
                seconds.append(time.process_time() - start)
            assert len(found(judged, "row-order")) == clashes
            assert len(judged.repairs) == 2**clashes
            return min(seconds) / len(judged.repairs)

        three = seconds_a_repair(3, "2 1 4 # 3 6 5 _ _ _")
        assert seconds_a_repair(8, "2 1 4 # 3 6 5 8 7 _", "12 11 14 13 16 # 15 18 17 _") <= 2 * three

    def test_thousands_of_repairs_are_not_all_listed(self):
        """Nearly the 3^9 that 27 numbers can have at most (Moon and Moser): nine clashing groups of three."""
        contents = sheet("3 2 1 # 6 5 4 9 8 7", "3 2 1 6 5 # 4 9 8 7", "3 2 1 6 # 5 4 9 8 7")
        judged = audit(contents)
        (violation,) = found(judged, "repairs-truncated")
        assert violation.severity == "note"
        assert violation.figures["listed"] == LISTED_REPAIRS == len(judged.repairs)
        assert violation.figures["count"] > LISTED_REPAIRS
        sizes = [len(repair.crosses) for repair in judged.repairs]
        assert sizes == sorted(sizes)
        assert (judged.total, judged.repairs[0].score) == (judged.range[0], judged.range[0])
