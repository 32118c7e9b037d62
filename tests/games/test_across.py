"""What the sheets of one game show together, each rule quoted from `shared/rules/`."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheetscan.games.qwinto import Qwinto
from sheetscan.games.turns import most_turns
from sheetscan.lab.play import play_game
from sheetscan.lab.qwixx_play import play_qwixx
from sheetscan.result import CROSS, VOID, Content
from sheetscan.template import load_template
from tests.games import qwixx_sheets, sheets
from tests.games.qwixx_sheets import VARIANTS, rules_of

NINE = "1 2 3 # 4 5 6 7 8 9"
OVER = sheets.sheet(NINE, "10 11 12 13 14 # 15 16 17 18")
QWIXX = rules_of()
CLOSED = "2 3 4 5 6 12 L"
LINE = Content("line")


def told(found):
    return [(one.code, one.sheets) for one in found]


class TestTurns:
    @given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 5)), min_size=1, max_size=4))
    def test_no_other_numbers_give_anybody_more(self, figures):
        bounds = [(low, low + more) for low, more in figures]
        possible = [
            turns
            for turns in product(*(range(low, high + 1) for low, high in bounds))
            if max(turns) - min(turns) <= 1
        ]
        most = most_turns(bounds)
        assert (most is None) == (not possible)
        if most is not None:
            assert tuple(most) in possible
            assert most == [max(own) for own in zip(*possible, strict=True)]


class TestQwinto:
    def test_of_one_sheet_nothing_is_said(self):
        assert Qwinto().across([]) == ()
        assert Qwinto().across([sheets.sheet()]) == ()

    @pytest.mark.parametrize("seed", range(40))
    def test_legal_games_give_no_finding(self, seed):
        assert Qwinto().across(play_game(2 + seed % 4, np.random.default_rng(seed))) == ()

    def test_game_not_over(self):
        """The game ends as soon as somebody has two complete rows or a fourth misthrow."""
        half = sheets.sheet(orange=NINE)
        assert told(Qwinto().across([half, half])) == [("game-not-over", (0, 1))]
        assert told(Qwinto().across([OVER, half])) == []
        thrown = sheets.sheet("1 2 3 # 4 _ _ _ _ _", misthrows=4)
        assert told(Qwinto().across([half, thrown])) == []

    def test_who_ended_it(self):
        half = sheets.sheet(orange=NINE)
        thrown = sheets.sheet("1 2 3 # 4 _ _ _ _ _", misthrows=4)
        assert Qwinto().ended_by([half, half]) == ()
        assert Qwinto().ended_by([half, OVER, thrown, OVER]) == (1, 2, 3)

    def test_at_most_one_sheet_has_four_misthrows(self):
        sheet = sheets.sheet(orange="1 2 3 # _ _ _ _ _ _", misthrows=4)
        assert told(Qwinto().across([sheet, OVER, sheet])) == [("misthrows-end-twice", (0, 2))]

    def test_somebody_had_too_few_turns_for_another(self):
        """n_i may differ by one only: nine own turns of one are not one or two of the other."""
        empty = sheets.sheet("1 _ _ # _ _ _ _ _ _")
        assert told(Qwinto().across([OVER, empty])) == [("sheets-do-not-fit", (0, 1))]

    def test_a_dead_field_may_have_held_a_number(self):
        dead = {f"orange-{column}": CROSS for column in (3, 4, 5, 7, 8, 9, 10, 11)}
        assert told(Qwinto().across([OVER, sheets.sheet("_ _ _ # _ _ _ _ _ 9") | dead])) == []

    def test_every_number_needs_its_throw(self):
        """T >= the sum over numbers v of the most times v stands on a sheet."""
        low = sheets.sheet("1 2 3 # _ _ _ _ _ _", misthrows=4)
        for high, fits in (("4 5 6 # 7 8 9 10 11 12", True), ("4 5 6 # 7 8 9 10 11 12", False)):
            more = "_ 13 14 15 16 # 17 18 _ _" if not fits else "_ _ _ _ _ # _ _ _ _"
            other = sheets.sheet(high, more)
            codes = [code for code, _ in told(Qwinto().across([low, other]))]
            assert codes == ([] if fits else ["sheets-do-not-fit"])

    @given(
        st.lists(
            st.tuples(st.lists(st.integers(1, 6), max_size=4), st.integers(0, 2)), min_size=2, max_size=3
        )
    )
    def test_fit_agrees_with_trying_all_numbers_of_turns(self, figures):
        games = [
            {
                f"orange-{3 + place if place < 3 else 4 + place}": sheets.number(value)
                for place, value in enumerate(values)
            }
            | {f"misthrow-{place + 1}": CROSS for place in range(misthrows)}
            for values, misthrows in figures
        ]
        most = Counter()
        for values, _ in figures:
            most |= Counter(values)
        fits = any(
            max(turns) - min(turns) <= 1
            and all(
                thrown <= own <= len(values) + thrown and len(values) <= sum(turns) - thrown
                for (values, thrown), own in zip(figures, turns, strict=True)
            )
            and sum(turns) >= most.total()
            for turns in product(range(8), repeat=len(figures))
        )
        found = ("sheets-do-not-fit", tuple(range(len(figures)))) in told(Qwinto().across(games))
        assert found is not fits


class TestQwixx:
    @pytest.mark.parametrize("variant", VARIANTS)
    @pytest.mark.parametrize("seed", range(30))
    def test_legal_games_give_no_finding(self, seed, variant):
        template = load_template(variant)
        game = play_qwixx(template, 2 + seed % 4, np.random.default_rng(seed))
        assert rules_of(variant).across(game) == ()

    def test_of_one_sheet_nothing_is_said(self):
        assert QWIXX.across([qwixx_sheets.sheet(red="2 3")]) == ()

    def test_game_not_over(self):
        """Nobody has four penalties and fewer than two rows are locked over all sheets."""
        six = qwixx_sheets.sheet(red=CLOSED)
        other = qwixx_sheets.sheet(blue="12 11 10 9 8 7")
        assert told(QWIXX.across([six, other])) == [("game-not-over", (0, 1))]
        locked = qwixx_sheets.sheet(blue="12 11 10 9 8 2 L")
        assert told(QWIXX.across([six, locked])) == []
        assert told(QWIXX.across([six, other | qwixx_sheets.sheet(penalties=4)])) == []

    def test_who_ended_it(self):
        """With a fourth penalty, or by closing the rows that were closed when the second was."""
        red, blue = qwixx_sheets.sheet(red=CLOSED), qwixx_sheets.sheet(blue="12 11 10 9 8 2 L")
        other = qwixx_sheets.sheet(red="2 3")
        assert QWIXX.ended_by([red, other, red]) == ()
        assert QWIXX.ended_by([red, other, blue]) == (0, 2)
        assert QWIXX.ended_by([red, other | qwixx_sheets.sheet(penalties=4), blue]) == (1,)
        assert QWIXX.ended_by([]) == ()

    def test_a_row_locked_too_early_is_not_closed(self):
        two = [qwixx_sheets.sheet(red=CLOSED), qwixx_sheets.sheet(blue="12 11 10 9 2 L")]
        assert told(QWIXX.across(two)) == [("game-not-over", (0, 1))]

    @pytest.mark.parametrize("mark", [CROSS, LINE])
    def test_a_row_is_marked_closed_that_no_sheet_locked(self, mark):
        ended = qwixx_sheets.sheet(red=CLOSED, yellow=CLOSED)
        other = qwixx_sheets.sheet(red="2 3 4 5 6 7 8") | {"red-lock": mark, "green-lock": mark}
        found = QWIXX.across([ended, other])
        assert told(found) == [("closed-by-nobody", (1,))]
        assert found[0].figures == {"field": "green-lock"}

    def test_four_rows_locked(self):
        sheet = [
            qwixx_sheets.sheet(red=CLOSED, yellow=CLOSED),
            qwixx_sheets.sheet(red="2 3 4 5 6 7 8"),
            qwixx_sheets.sheet(green="12 11 10 9 8 2 L", blue="12 11 10 9 8 2 L"),
        ]
        assert told(QWIXX.across(sheet)) == [("four-rows-closed", (0, 2))]

    def test_two_sheets_with_four_penalties(self):
        sheet = qwixx_sheets.sheet(red="2 3", penalties=4)
        assert told(QWIXX.across([sheet, qwixx_sheets.sheet(red="2 3 4 5"), sheet])) == [
            ("penalties-end-twice", (0, 2))
        ]

    def test_a_cross_taken_back_may_have_filled_a_turn(self):
        ended = qwixx_sheets.sheet(red="2 3 4 5 6 7 8 9", penalties=4)
        idle = qwixx_sheets.sheet(red="2")
        assert told(QWIXX.across([ended, idle])) == [("sheets-do-not-fit", (0, 1))]
        assert told(QWIXX.across([ended, idle | {f"blue-{value}": VOID for value in (12, 11, 10, 9)}])) == []

    @given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 4)), min_size=2, max_size=3))
    def test_fit_agrees_with_trying_all_numbers_of_turns(self, figures):
        """p_i <= n_i <= c_i + p_i and c_i <= 2 (n_i - p_i) + the sum of the others' turns."""
        games = [
            qwixx_sheets.sheet(red=" ".join(map(str, range(2, 2 + crosses))), penalties=penalties)
            for crosses, penalties in figures
        ]
        fits = any(
            max(turns) - min(turns) <= 1
            and all(
                penalties <= own <= crosses + penalties
                and crosses <= 2 * (own - penalties) + sum(turns) - own
                for (crosses, penalties), own in zip(figures, turns, strict=True)
            )
            for turns in product(range(15), repeat=len(figures))
        )
        found = ("sheets-do-not-fit", tuple(range(len(figures)))) in told(QWIXX.across(games))
        assert found is not fits
