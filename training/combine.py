"""Fits how the two readers' probabilities become one, on validation writers' cells.

`python -m training.combine sheetscan/reading/models/second-v1 work/calibration` writes config.json of the
second model and prints how the readings stand before and after. To be run again whenever the network or its
calibration changes.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetscan.reading.combined import Combination
from sheetscan.reading.network import NetworkReader
from sheetscan.reading.reader import Reading
from sheetscan.reading.second import SecondReader
from sheetscan.result import Content
from sheetscan.template import FieldKind
from training.calibrate import (
    SHEET,
    SILENT_ERRORS,
    judged,
    outcome,
    read_fields,
    sure_from,
    truth_of,
    unreadable_below,
)
from training.compose import Cells, load_cells
from training.content import KINDS
from training.hand import ReadField, assertable, fit_hand, on_other_writers
from training.make_sheets import FIELD_KINDS

ASKED_AT_LEAST_BELOW = 0.995
"""The second reader is fitted where it may be asked, sure as the first may be there."""
EXPONENTS = np.geomspace(0.2, 1.6, 13)
FLOORS = np.geomspace(1e-5, 0.03, 8)


@dataclass(frozen=True)
class Field:
    """A cell's first reading, what the second says of it (None: not asked), and what stands there."""

    writer: str
    field: FieldKind
    first: Reading
    second: Mapping[Content, float] | None
    truth: Content


def fields_of(first: NetworkReader, second: SecondReader, cells: Cells, asked_below: float) -> list[Field]:
    """Both readers' answers for all cells of one set."""
    assert cells.mask is not None
    assert cells.writer is not None
    pictures = np.stack([cells.ink, cells.mask], axis=-1)
    kinds = [FIELD_KINDS[index] for index in cells.field]
    readings: list[Reading] = []
    for start in range(0, len(cells), SHEET):
        part = slice(start, start + SHEET)
        readings += first.read(pictures[part], kinds[part])
    asked = [
        place
        for place, reading in enumerate(readings)
        if kinds[place] != "mark" and reading.confidence < asked_below
    ]
    answers = dict(
        zip(asked, second.probabilities(pictures[asked], [kinds[place] for place in asked]), strict=True)
    )
    return [
        Field(writer, field, reading, answers.get(place), truth_of(KINDS[kind], text, field))
        for place, (writer, reading, kind, text, field) in enumerate(
            zip(cells.writer.tolist(), readings, cells.kind, cells.text, kinds, strict=True)
        )
    ]


@dataclass(frozen=True)
class _Table:
    """What both readers say of n fields, (n, k); column 0 is what they leave open, columns beyond are 0.

    `listed` is false where a field has no such content, `truth` (n,) the column of what stands there.
    """

    first: NDArray[np.float64]
    second: NDArray[np.float64]
    listed: NDArray[np.bool_]
    truth: NDArray[np.intp]

    def surprise(self, combination: Combination) -> float:
        """Mean negative log likelihood of what stands there; with the formula of `Combination.pooled`."""
        of_first = np.maximum(self.first, combination.first_floor) ** combination.first_exponent
        of_second = np.maximum(self.second, combination.second_floor) ** combination.second_exponent
        powers = np.where(self.listed, of_first * of_second, 0.0)
        shares = powers[np.arange(len(powers)), self.truth] / powers.sum(axis=1)
        return float(-np.mean(np.log(shares)))


def _table(fields: Sequence[Field]) -> _Table:
    contents = [list({**dict(field.first.candidates), **(field.second or {})}) for field in fields]
    shape = (len(fields), 1 + max(map(len, contents)))
    first, second, listed = np.zeros(shape), np.zeros(shape), np.zeros(shape, np.bool_)
    truth = np.zeros(len(fields), np.intp)
    for row, (field, known) in enumerate(zip(fields, contents, strict=True)):
        for table, shares in ((first, dict(field.first.candidates)), (second, field.second or {})):
            table[row, 0] = max(0.0, 1 - sum(shares.values()))
            table[row, 1 : 1 + len(known)] = [shares.get(content, 0.0) for content in known]
        listed[row, : 1 + len(known)] = True
        truth[row] = 1 + known.index(field.truth) if field.truth in known else 0
    return _Table(first, second, listed, truth)


def fit(fields: Sequence[Field], first: str) -> Combination:
    """The combination with the smallest mean surprise over the fields that the second was asked about."""
    table = _table([field for field in fields if field.second is not None])
    best = Combination(
        first=first,
        first_exponent=1,
        second_exponent=0.5,
        first_floor=1e-4,
        second_floor=1e-4,
        ask_below=1,
        sure_from=1,
        unreadable_below=0,
    )
    least = table.surprise(best)
    for _ in range(2):
        for names, values in (
            (("first_exponent", "second_exponent"), product(EXPONENTS, EXPONENTS)),
            (("first_floor", "second_floor"), product(FLOORS, FLOORS)),
        ):
            for pair in values:
                changes = {name: round(float(value), 6) for name, value in zip(names, pair, strict=True)}
                tried = best.model_copy(update=changes)
                cost = table.surprise(tried)
                if cost < least:
                    best, least = tried, cost
    return best


def readings_after(fields: Sequence[Field], combination: Combination) -> list[Reading]:
    """What the combined reader says of every field."""
    return [
        field.first
        if field.second is None or field.first.confidence >= combination.ask_below
        else combination.of_two_readers(field.first, field.second, field.field)
        for field in fields
    ]


def with_thresholds(asking: Combination, read: Sequence[ReadField], helped: Sequence[Reading]) -> Combination:
    """How the hand helps, and from where on a reading is sure: `helped` by a hand fitted to others."""
    confidence, right = judged(read, helped)
    threshold = min(sure_from(assertable(read, helped), right, SILENT_ERRORS), asking.ask_below)
    return asking.model_copy(
        update={
            "sure_from": threshold,
            "unreadable_below": unreadable_below(confidence, right),
            "same_hand": fit_hand(read),
        }
    )


def report(name: str, confidence: NDArray[np.float64], right: NDArray[np.bool_], threshold: float) -> None:
    """Print one reader's figures over all fields."""
    print(f"{name}, sure from {threshold:.4f}: {outcome(confidence, right, confidence >= threshold)}")


def main() -> None:
    """Fit the combination for the model folder named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("cells", type=Path, nargs="+")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    first, second = NetworkReader(), SecondReader(options.folder)
    asked_below = max(first.sure_from, ASKED_AT_LEAST_BELOW)
    fields = [
        field for cells in options.cells for field in fields_of(first, second, load_cells(cells), asked_below)
    ]
    asking = fit(fields, first.name).model_copy(update={"ask_below": asked_below})
    combined = readings_after(fields, asking)
    read = read_fields(fields, combined)
    helped = on_other_writers(read)
    combination = with_thresholds(asking, read, helped)
    path: Path = options.folder / "config.json"
    path.write_text(json.dumps(combination.model_dump(), indent=2) + "\n", encoding="utf-8")
    asked = sum(field.second is not None for field in fields)
    print(f"{len(fields)} fields, the second reader asked for {asked}; {combination}")
    report(first.name, *judged(fields, [field.first for field in fields]), first.sure_from)
    report("combined", *judged(fields, combined), combination.sure_from)
    _, right = judged(fields, helped)
    report("with the hand, fitted to others", assertable(read, helped), right, combination.sure_from)


if __name__ == "__main__":
    main()
