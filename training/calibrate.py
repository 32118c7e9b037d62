"""Calibrates a model on validation writers' cells: scalings, then thresholds from a budget of errors.

`python -m training.calibrate sheetscan/reading/models/cells-v1 work/calibration work/validation` writes the
figures into config.json and prints how the readings stand.
"""

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from benchmarks.reading_figures import group_of
from sheetscan.reading.network import (
    NUMBER,
    Calibration,
    NetworkReader,
    Scaling,
    calibrated,
    reading_of,
    shares_of_kinds,
    shares_of_numbers,
)
from sheetscan.result import Content, number
from sheetscan.template import FieldKind
from training.compose import Cells, load_cells
from training.content import KINDS
from training.hand import ReadField, assertable, fit_hand
from training.hand import on_other_writers as with_hand_of_others
from training.make_sheets import FIELD_KINDS

SILENT_ERRORS = 0.001
"""Budget: at most this share of all fields may be given as sure and be wrong."""
USELESS = 0.35
"""Below the confidence at which fewer of the readings than this are right, nothing is concluded."""
RIDGE = 0.1
"""Against biases that few samples would make large."""
STEPS = 100
LEAST_SHARE, SMALLEST_BIAS = 1e-9, 0.0005
NEVER = -1e4
"""The logarithm of a share of zero, finite so that its slope is defined."""
SHEETS_AT_ONCE = 10
SHEET = 44
HALVES = 2


@dataclass(frozen=True)
class Sample:
    """What the network says of a cell, uncalibrated, and what stands there."""

    field: FieldKind
    probabilities: dict[Content, float]
    truth: Content
    writer: str

    def calibrated(self, calibration: Calibration) -> dict[Content, float]:
        """What the network says of it with that calibration."""
        return calibrated(self.probabilities, getattr(calibration, self.field), calibration.value)


def samples_of(reader: NetworkReader, cells: Cells) -> list[Sample]:
    """Read all cells of one set."""
    assert cells.mask is not None
    assert cells.writer is not None
    pictures = np.stack([cells.ink, cells.mask], axis=-1)
    fields: list[FieldKind] = [FIELD_KINDS[index] for index in cells.field]
    found = []
    for start in range(0, len(cells), SHEETS_AT_ONCE * SHEET):
        part = slice(start, start + SHEETS_AT_ONCE * SHEET)
        found += reader.probabilities(pictures[part], fields[part])
    truths = [
        truth_of(KINDS[kind], text, field)
        for kind, text, field in zip(cells.kind, cells.text, fields, strict=True)
    ]
    return [Sample(*entry) for entry in zip(fields, found, truths, cells.writer.tolist(), strict=True)]


def truth_of(kind: str, text: str, field: FieldKind) -> Content:
    """What a perfect reader says: it knows no cross in tally fields and no line in number fields."""
    if kind == "number":
        return number(int(text))
    if kind == "cross":
        return Content("void" if field == "tally" else "cross")
    return Content("line") if kind == "line" else Content("void" if kind == "void" else "empty")


def fit_calibration(samples: Sequence[Sample]) -> Calibration:
    """The scalings that make what stands there most likely: of values, and of each field kind's contents."""
    found = {}
    for field in FIELD_KINDS:
        chosen = [sample for sample in samples if sample.field == field]
        found[field] = fit_scaling(
            [shares_of_kinds(sample.probabilities) for sample in chosen],
            [NUMBER if sample.truth.kind == "number" else sample.truth for sample in chosen],
        )
    written = [sample for sample in samples if sample.truth.kind == "number"]
    values = fit_scaling(
        [shares_of_numbers(sample.probabilities) for sample in written], [sample.truth for sample in written]
    )
    return Calibration(**found, value=values)


def fit_scaling(shares: Sequence[Mapping[Content, float]], truths: Sequence[Content]) -> Scaling:
    """Multinomial logistic regression on the logarithms; what no share knows of counts as NUMBER."""
    if not shares:
        return Scaling()
    kinds = sorted({content.kind for known in shares for content in known})
    widest = max(map(len, shares))
    logs = torch.full((len(shares), widest), NEVER, dtype=torch.float64)
    of_kind = torch.zeros((len(shares), widest), dtype=torch.long)
    for row, known in enumerate(shares):
        logs[row, : len(known)] = (
            torch.tensor(list(known.values()), dtype=torch.float64).clamp(min=LEAST_SHARE).log()
        )
        of_kind[row, : len(known)] = torch.tensor([kinds.index(content.kind) for content in known])
    right = torch.tensor(
        [
            list(known).index(truth if truth in known else NUMBER)
            for known, truth in zip(shares, truths, strict=True)
        ]
    )
    slope = torch.ones(1, dtype=torch.float64, requires_grad=True)
    biases = torch.zeros(len(kinds), dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([slope, biases], max_iter=STEPS, line_search_fn="strong_wolfe")

    def cost() -> Tensor:
        optimizer.zero_grad()
        surprise = functional.cross_entropy(logs * slope + biases[of_kind], right, reduction="sum")
        whole = surprise + RIDGE * ((slope - 1).square().sum() + biases.square().sum())
        whole.backward()  # type: ignore[no-untyped-call]
        return whole

    optimizer.step(cost)  # type: ignore[no-untyped-call]
    found = dict(zip(kinds, biases.tolist(), strict=True))
    return Scaling(
        temperature=round(1 / slope.item(), 3),
        biases={kind: round(bias, 3) for kind, bias in found.items() if abs(bias) >= SMALLEST_BIAS},
    )


def judged(
    samples: Sequence[Sample], calibration: Calibration
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Confidence of every best reading, and whether it is right."""
    confidences, right = [], []
    for sample in samples:
        shares = sample.calibrated(calibration)
        best = max(shares, key=lambda content: shares[content])
        confidences.append(shares[best])
        right.append(best == sample.truth)
    return np.array(confidences), np.array(right)


def read_fields(samples: Sequence[Sample], calibration: Calibration) -> list[ReadField]:
    """The samples as calibrated readings."""
    return [
        ReadField(
            sample.writer,
            sample.field,
            reading_of(sample.calibrated(calibration)),
            sample.truth,
        )
        for sample in samples
    ]


def sure_from(confidence: NDArray[np.float64], right: NDArray[np.bool_], budget: float) -> float:
    """The lowest threshold above which the wrong readings are within the budget's share of all fields."""
    wrong = np.sort(confidence[~right])[::-1]
    allowed = int(budget * len(confidence))
    if len(wrong) <= allowed:
        return 0.5
    return float(min(0.9999, np.ceil(wrong[allowed] * 1e4 + 0.5) / 1e4))


def unreadable_below(confidence: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """The confidence under which readings are hardly ever right."""
    for threshold in np.arange(0.6, 0.1, -0.05):
        chosen = (confidence < threshold + 0.05) & (confidence >= threshold - 0.1)
        if chosen.sum() >= 5 and right[chosen].mean() < USELESS:
            return round(float(threshold), 2)
    return 0.2


def calibration_error(confidence: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """Expected calibration error over 15 bins of equal width."""
    bins = np.minimum((confidence * 15).astype(int), 14)
    gaps = [
        abs(confidence[bins == place].mean() - right[bins == place].mean()) * (bins == place).mean()
        for place in range(15)
        if (bins == place).any()
    ]
    return float(sum(gaps))


@dataclass(frozen=True)
class Outcome:
    """How readings stand at a threshold: shares of all fields, and the expected calibration error."""

    exact: float
    doubtful: float
    silently_wrong: float
    error: float

    def __str__(self) -> str:
        return (
            f"{self.exact:.4f} exact, {self.doubtful:.4f} in doubt, {self.silently_wrong:.5f} silently wrong,"
            f" calibration error {self.error:.4f}"
        )


def outcome(confidence: NDArray[np.float64], right: NDArray[np.bool_], sure: NDArray[np.bool_]) -> Outcome:
    """What comes of readings of which these are given as sure."""
    return Outcome(
        float(right.mean()),
        float((~sure).mean()),
        float((sure & ~right).mean()),
        calibration_error(confidence, right),
    )


@dataclass(frozen=True)
class Half:
    """What was fitted to the samples of one half of the writers, and the `others`' samples."""

    calibration: Calibration
    sure_from: float
    others: list[Sample]


def halves_of(samples: Sequence[Sample]) -> Iterator[Half]:
    """Each half of the writers in turn."""
    writers = sorted({sample.writer for sample in samples})
    for half in range(HALVES):
        held_out = set(writers[half::HALVES])
        known = [sample for sample in samples if sample.writer not in held_out]
        calibration = fit_calibration(known)
        threshold = sure_from(*judged(known, calibration), SILENT_ERRORS)
        yield Half(calibration, threshold, [sample for sample in samples if sample.writer in held_out])


def on_other_writers(halves: Iterable[Half]) -> Outcome:
    """Every writer's fields judged with calibration and threshold that were fitted without this writer."""
    parts = []
    for half in halves:
        confidence, right = judged(half.others, half.calibration)
        parts.append((confidence, right, confidence >= half.sure_from))
    return outcome(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def shares_right(samples: Sequence[Sample], right: NDArray[np.bool_]) -> list[str]:
    """How many of each group are read right, as lines of text."""
    groups = np.array([f"{sample.field} fields: {group_of(sample.truth)}" for sample in samples])
    counts = [(group, right[groups == group]) for group in sorted(set(groups))]
    return [f"{group}: {own.sum()} of {len(own)} ({own.mean():.2%})" for group, own in counts]


def main() -> None:
    """Calibrate the model named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("cells", type=Path, nargs="+")
    parser.add_argument(
        "--least", type=float, default=0.5, help="`sure_from` is no lower, whatever the cells say"
    )
    options = parser.parse_args()
    reader = NetworkReader(options.model)
    samples = [sample for folder in options.cells for sample in samples_of(reader, load_cells(folder))]
    calibration = fit_calibration(samples)
    confidence, right = judged(samples, calibration)
    halves = list(halves_of(samples))
    read = read_fields(samples, calibration)
    helped = with_hand_of_others(read)
    helped_right = np.array(
        [reading.best == field.truth for reading, field in zip(helped, read, strict=True)]
    )
    # Silent errors are odd forms of single writers, which one half may lack and the other has.
    threshold = max(
        options.least,
        sure_from(confidence, right, SILENT_ERRORS),
        sure_from(assertable(read, helped), helped_right, SILENT_ERRORS),
        *(half.sure_from for half in halves),
    )
    path: Path = options.model / "config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    config |= {
        "calibration": calibration.model_dump(exclude_defaults=True),
        "sure_from": threshold,
        "unreadable_below": unreadable_below(confidence, right),
        "same_hand": fit_hand(read).model_dump(),
    }
    path.write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    print(f"{len(samples)} cells; {calibration}")
    print(f"sure from {threshold}, unreadable below {config['unreadable_below']}")
    print(f"fitted and measured on the same writers: {outcome(confidence, right, confidence >= threshold)}")
    print(f"measured on writers not fitted with: {on_other_writers(halves)}")
    sure = assertable(read, helped) >= threshold
    confident = np.array([reading.confidence for reading in helped])
    print(f"with the hand, fitted to other writers: {outcome(confident, helped_right, sure)}")
    print(*shares_right(samples, right), sep="\n")


if __name__ == "__main__":
    main()
