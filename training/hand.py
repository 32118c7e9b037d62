"""Fits how a sheet's ones tell its sevens from further ones (`sheetscan.reading.hand`).

Called by `training.calibrate` and `training.combine` with the readings of validation writers' sheets.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from sheetscan.reading.hand import SameHand, odds_of_last, ones_of, with_same_hand
from sheetscan.reading.reader import Reading
from sheetscan.result import Content
from sheetscan.template import FieldKind

RIDGE = 0.01
NEWTON_STEPS = 25


@dataclass(frozen=True)
class ReadField:
    """A field's reading and what stands there; the fields of a sheet follow each other, by one writer."""

    writer: str
    field: FieldKind
    reading: Reading
    truth: Content

    @property
    def begins_with_one(self) -> bool:
        """Number fields are those of Qwinto: 1 to 18."""
        return self.field == "number"


def sheets_of(fields: Iterable[ReadField]) -> Iterator[list[ReadField]]:
    """The fields by sheet; two sheets in a row by one writer count as one."""
    for _, fields_of_writer in groupby(fields, key=lambda field: field.writer):
        yield list(fields_of_writer)


@dataclass(frozen=True)
class _LastDigit:
    """A last digit that is a one or a seven: what the regression is told of it, and which it is."""

    writer: str
    features: tuple[float, float, float]
    seven: bool


def _last_digits(fields: Iterable[ReadField]) -> Iterator[_LastDigit]:
    """Those of the sheets of which the hand is known."""
    for sheet in sheets_of(fields):
        ones = ones_of([field.reading for field in sheet], [field.begins_with_one for field in sheet])
        if ones is None:
            continue
        for field in sheet:
            digit, sign = odds_of_last(field.reading), str(field.truth.value)[-1]
            if digit is not None and sign in "17":
                yield _LastDigit(field.writer, (digit, ones, 1.0), sign == "7")


def fit_hand(fields: Iterable[ReadField]) -> SameHand:
    """Logistic regression (Newton's method) over last digits that are a one or a seven."""
    return _fitted(list(_last_digits(fields)))


def _fitted(digits: Sequence[_LastDigit]) -> SameHand:
    rows = np.array([digit.features for digit in digits])
    sevens = np.array([digit.seven for digit in digits], np.float64)
    own, of_ones, offset = _regression(rows, sevens)
    return SameHand(own=round(own, 3), ones=round(of_ones, 3), offset=round(offset, 3))


def _regression(rows: NDArray[np.float64], truth: NDArray[np.float64]) -> list[float]:
    weights = np.zeros(rows.shape[1])
    for _ in range(NEWTON_STEPS):
        share = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (share - truth) + RIDGE * weights
        curve = (rows.T * (share * (1 - share))) @ rows + RIDGE * np.eye(len(weights))
        weights = weights - np.linalg.solve(curve, slope)
    return [float(weight) for weight in weights]


def after_hand(fields: Sequence[ReadField], hand: SameHand) -> list[Reading]:
    """The readings of all sheets with the hand's help, in their order."""
    return [
        reading
        for sheet in sheets_of(fields)
        for reading in with_same_hand(
            [field.reading for field in sheet], [field.begins_with_one for field in sheet], hand
        )
    ]


def assertable(fields: Sequence[ReadField], helped: Sequence[Reading]) -> NDArray[np.float64]:
    """How sure readings with the hand's help may be: not at all where it changed what was read."""
    return np.array(
        [
            reading.confidence if reading.best == field.reading.best else 0.0
            for field, reading in zip(fields, helped, strict=True)
        ]
    )


def on_other_writers(fields: Sequence[ReadField]) -> list[Reading]:
    """The readings of all sheets with the hand's help, in their order, each writer left out of the fit."""
    digits = list(_last_digits(fields))
    fits = {
        writer: _fitted([digit for digit in digits if digit.writer != writer])
        for writer in {field.writer for field in fields}
    }
    return [reading for sheet in sheets_of(fields) for reading in after_hand(sheet, fits[sheet[0].writer])]
