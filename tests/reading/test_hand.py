"""The ones of a sheet tell whether its doubtful digits are ones or sevens."""

import math

import pytest
from pydantic import ValidationError

from sheetscan.reading.hand import MOST_GAIN, SameHand, ones_of, with_same_hand
from sheetscan.reading.reader import Reading
from sheetscan.result import CROSS, EMPTY, Content, number

HAND = SameHand(own=2, ones=-1, offset=-8)
CLEAR = Reading(((number(12), 0.9999),))
LIKE_SEVEN = Reading(((number(72), 0.6), (number(12), 0.39)))
UNCLEAR = Reading(((number(7), 0.6), (number(1), 0.35), (number(2), 0.04)))


def helped(*readings: Reading, hand: SameHand = HAND) -> list[Reading]:
    return with_same_hand(readings, [True] * len(readings), hand)


def shares(reading: Reading) -> dict[Content, float]:
    return dict(reading.candidates)


def test_a_hand_with_clear_ones_meant_a_seven() -> None:
    *_, after = helped(CLEAR, CLEAR, CLEAR, UNCLEAR)
    assert after.best == number(7)
    assert after.confidence > 0.85


def test_a_hand_whose_ones_look_like_sevens_meant_a_one() -> None:
    *_, after = helped(CLEAR, LIKE_SEVEN, LIKE_SEVEN, LIKE_SEVEN, UNCLEAR)
    assert after.best == number(1)
    assert after.confidence > 0.75


def test_probability_is_moved_between_ones_and_sevens_only() -> None:
    *_, after = helped(LIKE_SEVEN, LIKE_SEVEN, LIKE_SEVEN, UNCLEAR)
    assert shares(after)[number(2)] == 0.04
    assert math.fsum(shares(after).values()) == pytest.approx(math.fsum(shares(UNCLEAR).values()))
    assert [share for _, share in after.candidates] == sorted(shares(after).values(), reverse=True)


def test_the_odds_are_those_of_the_formula() -> None:
    *_, after = helped(
        LIKE_SEVEN, LIKE_SEVEN, LIKE_SEVEN, UNCLEAR, hand=SameHand(own=2, ones=-1, offset=-0.5)
    )
    digit, ones = math.log(0.6001 / 0.3501), math.log(0.6001 / 0.3901)
    odds = shares(after)[number(7)] / shares(after)[number(1)]
    assert math.log(odds) == pytest.approx(2 * digit - ones - 0.5)


@pytest.mark.parametrize(
    ("digit", "ones", "odds"),
    [(2, -9, 2 + MOST_GAIN), (-2, 3, -2 - MOST_GAIN), (2, 4, -MOST_GAIN), (-2, -20, MOST_GAIN), (2, -5, 1)],
    ids=["surer of a seven", "surer of a one", "a one instead", "a seven instead", "less sure"],
)
def test_the_hand_divides_a_doubt_by_eight_at_most(digit: float, ones: float, odds: float) -> None:
    assert HAND.odds(digit, ones) == pytest.approx(odds)


def test_first_digits_stay_for_the_rules() -> None:
    hand = SameHand(own=2, ones=-1, offset=-3)
    unclear = Reading(((number(77), 0.5), (number(17), 0.2), (number(71), 0.2), (number(11), 0.09)))
    *_, after = helped(LIKE_SEVEN, LIKE_SEVEN, LIKE_SEVEN, unclear, hand=hand)
    first, last = (
        shares(after)[a] / shares(after)[b] for a, b in ((number(71), number(11)), (number(77), number(71)))
    )
    assert first == pytest.approx(0.2 / 0.09)
    assert last < 0.5 / 0.2


@pytest.mark.parametrize(
    "reading",
    [
        Reading(((EMPTY, 0.999),)),
        Reading(((CROSS, 0.6), (number(17), 0.2), (number(11), 0.2))),
        Reading(((number(12), 0.6), (number(11), 0.2), (number(17), 0.2))),
        Reading(((number(17), 0.98), (number(12), 0.02))),
        Reading(((number(5), 0.6), (number(1), 0.2), (number(7), 0.2))),
    ],
    ids=["empty", "cross", "another digit", "no one in question", "mostly another"],
)
def test_what_is_hardly_one_or_seven_stays(reading: Reading) -> None:
    assert helped(CLEAR, CLEAR, CLEAR, reading)[-1] == reading


def test_few_ones_say_nothing_of_the_hand() -> None:
    assert helped(CLEAR, CLEAR, UNCLEAR) == [CLEAR, CLEAR, UNCLEAR]


def test_only_fields_whose_numbers_begin_with_one_show_ones() -> None:
    readings = [CLEAR, CLEAR, CLEAR, LIKE_SEVEN]
    assert ones_of(readings, [True, True, True, False]) == pytest.approx(math.log(0.0001 / 1.0))
    assert ones_of(readings, [True, True, False, False]) is None


def test_a_hand_that_sees_sevens_in_clear_ones_is_refused() -> None:
    with pytest.raises(ValidationError):
        SameHand(own=2, ones=1, offset=-8)
