"""The same hand wrote the whole sheet: its ones show how to take what may be a one or a seven.

Where numbers of two digits can only begin with a one, as in the rows of Qwinto, the first digit is a one,
whatever the reader takes it for. If none of a sheet's ones looks like a seven, a digit that might be either
is a seven; if some do, it is more likely one of them. Other digits can't be known in this way.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Annotated

from pydantic import Field

from sheetscan.reading.reader import Reading
from sheetscan.reading.schema import Strict
from sheetscan.result import Content

LEAST = 1e-4
"""Probability of what a reading does not list."""
MOSTLY = 0.5
"""What the numbers in question must come to together."""
ONES_LOOKED_AT = 3
"""So many ones of a sheet count, those that look most like sevens; fewer say nothing of the hand."""
MOST_GAIN = math.log(8)
"""The hand divides a doubt by eight at most, be it ever so clear: one whose seven is a mere stroke exists."""


class SameHand(Strict):
    """How the logarithm of the odds of a seven against a one follows from what the reader says (logistic
    regression, `training.hand`): `own` times what it says of the digit itself, `ones` times what it says, on
    average, of the ones of the sheet that look most like sevens, and `offset`.
    """

    own: Annotated[float, Field(gt=0, le=20)]
    ones: Annotated[float, Field(ge=-20, le=0)]
    offset: Annotated[float, Field(ge=-100, le=100)]

    def odds(self, digit: float, ones: float) -> float:
        """The logarithm of the odds; `digit` and `ones` are such logarithms, too."""
        odds = self.own * digit + self.ones * ones + self.offset
        most = MOST_GAIN + (abs(digit) if odds * digit > 0 else 0)
        return max(-most, min(most, odds))


def with_same_hand(
    readings: Sequence[Reading], begin_with_one: Sequence[bool], hand: SameHand
) -> list[Reading]:
    """The readings of one sheet, last digits that may be one or seven weighed by how the hand writes ones.

    `begin_with_one` tells of each whether a number of two digits can only begin with a one there.
    """
    ones = ones_of(readings, begin_with_one)
    if ones is None:
        return list(readings)
    return [_told_apart(reading, ones, hand) for reading in readings]


def ones_of(readings: Iterable[Reading], begin_with_one: Iterable[bool]) -> float | None:
    """How much those of a sheet's ones do that look most like sevens: log odds; None if there are too few."""
    numbers = [reading for reading, fixed in zip(readings, begin_with_one, strict=True) if fixed]
    found = sorted(odds for reading in numbers if (odds := _odds(*_first_digit(reading))) is not None)
    if len(found) < ONES_LOOKED_AT:
        return None
    return math.fsum(found[-ONES_LOOKED_AT:]) / ONES_LOOKED_AT


def odds_of_last(reading: Reading) -> float | None:
    """Log odds of a seven against a one as the number's last digit; None if it is hardly one of them."""
    shares = _last_digit(reading)
    return _odds(*(math.fsum(shares[sign].values()) for sign in "17"))


def _told_apart(reading: Reading, ones: float, hand: SameHand) -> Reading:
    shares = _last_digit(reading)
    one, seven = (math.fsum(shares[sign].values()) for sign in "17")
    digit = _odds(one, seven)
    if digit is None or not one or not seven:
        return reading
    of_seven = 1 / (1 + math.exp(-hand.odds(digit, ones)))
    gains = {"1": (1 - of_seven) * (one + seven) / one, "7": of_seven * (one + seven) / seven}
    weighed = {
        content: share * gains[sign] for sign, listed in shares.items() for content, share in listed.items()
    }
    changed = {**dict(reading.candidates), **weighed}
    return Reading(tuple(sorted(changed.items(), key=lambda candidate: -candidate[1])))


def _first_digit(reading: Reading) -> tuple[float, float]:
    """The probabilities of a one and of a seven before a second digit."""
    shares = {"1": 0.0, "7": 0.0}
    for content, share in reading.candidates:
        text = _digits(content)
        if len(text) == 2 and text[0] in shares:
            shares[text[0]] += share
    return shares["1"], shares["7"]


def _last_digit(reading: Reading) -> dict[str, dict[Content, float]]:
    """The candidates that end with a one or a seven and otherwise are the number read, by that digit."""
    best = _digits(reading.best)[:-1].replace("7", "1")
    shares: dict[str, dict[Content, float]] = {"1": {}, "7": {}}
    for content, share in reading.candidates:
        text = _digits(content)
        if text and text[-1] in shares and text[:-1].replace("7", "1") == best:
            shares[text[-1]][content] = share
    return shares


def _digits(content: Content) -> str:
    return "" if content.value is None else str(content.value)


def _odds(one: float, seven: float) -> float | None:
    return math.log((seven + LEAST) / (one + LEAST)) if one + seven >= MOSTLY else None
