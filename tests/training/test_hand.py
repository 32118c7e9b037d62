"""How the hand's help is fitted."""

import math

import numpy as np
import pytest

from sheetscan.reading.reader import Reading
from sheetscan.result import Content, number
from training.hand import ReadField, after_hand, assertable, fit_hand, on_other_writers, sheets_of

RNG = np.random.default_rng(4)


def read(writer: str, truth: int, odds: float, *, ten: int = 0) -> ReadField:
    """A field in which a one and a seven are told apart with these log odds of the seven."""
    seven = 1 / (1 + math.exp(-odds))
    one, other = (number(ten + 1), number(ten + 7)) if not ten else (number(12), number(72))
    candidates = sorted([(one, 1 - seven), (other, seven)], key=lambda candidate: -candidate[1])
    return ReadField(writer, "number", Reading(tuple(candidates)), number(truth))


def sheet(writer: str, *, flagged: bool) -> list[ReadField]:
    """A flagged hand's ones look a little like sevens; another hand's unclear digits are sevens."""
    ones = [read(writer, 12, RNG.normal(0 if flagged else -8, 0.5), ten=10) for _ in range(5)]
    unclear = [read(writer, 1 if flagged else 7, RNG.normal(0, 0.5)) for _ in range(4)]
    clear = [read(writer, 7, RNG.normal(8, 0.5)), read(writer, 1, RNG.normal(-8, 0.5))]
    return ones + unclear + clear


@pytest.fixture(scope="module")
def fields() -> list[ReadField]:
    return [field for n in range(20) for field in sheet(f"writer {n}", flagged=n % 2 == 0)]


def test_what_a_hand_shows_is_learnt_and_holds_for_other_writers(fields: list[ReadField]) -> None:
    before = sum(field.reading.best == field.truth for field in fields)
    for helped in (after_hand(fields, fit_hand(fields)), on_other_writers(fields)):
        # The first digits that look like sevens are for the rules to mend.
        last = [place for place, field in enumerate(fields) if field.truth != number(12)]
        assert all(helped[place].best == fields[place].truth for place in last)
    assert before < 0.8 * len(fields)


def test_a_changed_reading_is_never_sure(fields: list[ReadField]) -> None:
    helped = after_hand(fields, fit_hand(fields))
    sure = assertable(fields, helped)
    changed = np.array([a.best != field.reading.best for a, field in zip(helped, fields, strict=True)])
    assert changed.any()
    assert not sure[changed].any()
    assert (sure[~changed] > 0.4).all()


def test_fields_that_follow_each_other_by_one_writer_are_a_sheet() -> None:
    def field(writer: str) -> ReadField:
        return ReadField(writer, "number", Reading(((Content("empty"), 1.0),)), Content("empty"))

    assert [len(one) for one in sheets_of(map(field, "aabbba"))] == [2, 3, 1]
