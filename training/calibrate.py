"""Calibrates a model on validation writers' cells: scalings, then thresholds from a budget of errors.

`python -m training.calibrate sheetscan/reading/models/cells-v6 work/calibration` writes the
figures into config.json and prints how the readings stand.
"""

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from benchmarks.reading_figures import expected_calibration_error, group_of
from sheetscan.reading.bare import bare_cells
from sheetscan.reading.calibration import Calibration, shares_of_kinds, shares_of_numbers
from sheetscan.reading.hand import SameHand
from sheetscan.reading.model_folder import Glance
from sheetscan.reading.network import NetworkReader, of_two_looks, readings_of
from sheetscan.reading.reader import NUMBER, Reading
from sheetscan.result import Content, number
from sheetscan.template import FieldKind
from training.compose import Cells, load_cells
from training.content import KINDS
from training.hand import ReadField, assertable, fit_hand
from training.hand import on_other_writers as with_hand_of_others
from training.make_sheets import FIELD_KINDS
from training.scaling import fit_scaling

SILENT_ERRORS = 0.001
"""Budget: at most this share of all fields may be given as sure and be wrong."""
PLAIN_ERRORS = SILENT_ERRORS / 10
"""How many the small network may add to them."""
USELESS = 0.35
"""Below the confidence at which fewer of the readings than this are right, nothing is concluded."""
SHEETS_AT_ONCE = 10
SHEET = 44
HALVES = 2


@dataclass(frozen=True)
class Sample:
    """What the networks say of a cell, uncalibrated, and what stands there; no `glance` if there is none."""

    field: FieldKind
    glance: dict[Content, float] | None
    closely: dict[Content, float]
    truth: Content
    writer: str


def samples_of(reader: NetworkReader, cells: Cells, *, glance: bool) -> list[Sample]:
    """Read all cells of one set, by the small network, too, if there is one."""
    assert cells.mask is not None
    assert cells.writer is not None
    pictures = np.stack([cells.ink, cells.mask], axis=-1)
    fields: list[FieldKind] = [FIELD_KINDS[index] for index in cells.field]
    glances: list[dict[Content, float] | None] = []
    closely = []
    for start in range(0, len(cells), SHEETS_AT_ONCE * SHEET):
        part = slice(start, start + SHEETS_AT_ONCE * SHEET)
        glances += reader.at_a_glance(pictures[part], fields[part]) if glance else [None] * len(fields[part])
        closely += reader.closely(pictures[part], fields[part])
    truths = [
        truth_of(KINDS[kind], text, field)
        for kind, text, field in zip(cells.kind, cells.text, fields, strict=True)
    ]
    return [
        Sample(*entry) for entry in zip(fields, glances, closely, truths, cells.writer.tolist(), strict=True)
    ]


def truth_of(kind: str, text: str, field: FieldKind) -> Content:
    """What a perfect reader says: it knows no cross in tally fields and no line in number fields."""
    if kind == "number":
        return number(int(text))
    if kind == "cross":
        return Content("void" if field == "tally" else "cross")
    return Content("line") if kind == "line" else Content("void" if kind == "void" else "empty")


@dataclass(frozen=True)
class Fitted:
    """What readings are made with."""

    calibration: Calibration
    glance: Glance | None


def fit(samples: Sequence[Sample]) -> Fitted:
    """The calibration of the small network, if there is one, and that of the other for what is not plain."""
    closely = fit_calibration(samples, [sample.closely for sample in samples])
    shares = [sample.glance for sample in samples if sample.glance is not None]
    if not shares:
        return Fitted(closely, None)
    glance = Glance(calibration=fit_calibration(samples, shares), plain_from=0)
    seen, looked_at = glances_after(samples, glance), readings_after(samples, Fitted(closely, None))
    glance = glance.model_copy(update={"plain_from": _plain_from(samples, seen, looked_at, glance)})
    rest = [
        sample
        for sample, reading in zip(samples, seen, strict=True)
        if not glance.suffices(reading, sample.field)
    ]
    return Fitted(fit_calibration(rest, [sample.closely for sample in rest]), glance)


def _plain_from(
    samples: Sequence[Sample], seen: Sequence[Reading], looked_at: Sequence[Reading], glance: Glance
) -> float:
    """The least confidence that keeps within the budget what only a glance gets wrong."""
    surely = sure_from(*judged(samples, looked_at), SILENT_ERRORS)
    harmless = [
        not glance.suffices(at_a_glance, sample.field)
        or at_a_glance.best in (sample.truth, closely.best if closely.confidence >= surely else None)
        for sample, at_a_glance, closely in zip(samples, seen, looked_at, strict=True)
    ]
    confidence = np.array([reading.confidence for reading in seen])
    return sure_from(confidence, np.array(harmless), PLAIN_ERRORS)


def glances_after(samples: Sequence[Sample], glance: Glance) -> list[Reading]:
    """What the small network says of every sample, calibrated."""
    shares = [sample.glance for sample in samples if sample.glance is not None]
    return readings_of(shares, [sample.field for sample in samples], glance.calibration)


def fit_calibration(samples: Sequence[Sample], shares: Sequence[Mapping[Content, float]]) -> Calibration:
    """The scalings that make what stands there most likely: of values, and of each field kind's contents.

    `shares` are what one of the networks says of the samples.
    """
    pairs = list(zip(samples, shares, strict=True))
    found = {}
    for field in FIELD_KINDS:
        chosen = [(sample.truth, known) for sample, known in pairs if sample.field == field]
        found[field] = fit_scaling(
            [shares_of_kinds(known) for _, known in chosen],
            [NUMBER if truth.kind == "number" else truth for truth, _ in chosen],
        )
    written = [(sample.truth, known) for sample, known in pairs if sample.truth.kind == "number"]
    values = fit_scaling([shares_of_numbers(known) for _, known in written], [truth for truth, _ in written])
    return Calibration(**found, value=values)


def readings_after(samples: Sequence[Sample], fitted: Fitted) -> list[Reading]:
    """What the reader says of every sample."""
    fields = [sample.field for sample in samples]
    readings = readings_of([sample.closely for sample in samples], fields, fitted.calibration)
    if fitted.glance is None:
        return readings
    return [
        at_a_glance
        if fitted.glance.suffices(at_a_glance, sample.field)
        else of_two_looks(at_a_glance, reading, sample.field)
        for sample, at_a_glance, reading in zip(
            samples, glances_after(samples, fitted.glance), readings, strict=True
        )
    ]


class Known(Protocol):
    """A field of which it is known who wrote in it and what stands there."""

    @property
    def writer(self) -> str:
        """Whose hand it is."""

    @property
    def field(self) -> FieldKind:
        """What kind of field it is."""

    @property
    def truth(self) -> Content:
        """What stands there."""


def judged(
    known: Sequence[Known], readings: Sequence[Reading]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Confidence of every reading, and whether it is right."""
    return (
        np.array([reading.confidence for reading in readings]),
        np.array([reading.best == field.truth for field, reading in zip(known, readings, strict=True)]),
    )


def read_fields(known: Sequence[Known], readings: Sequence[Reading]) -> list[ReadField]:
    """The fields with these readings, for the hand's help."""
    return [
        ReadField(field.writer, field.field, reading, field.truth)
        for field, reading in zip(known, readings, strict=True)
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
        expected_calibration_error(confidence, right),
    )


@dataclass(frozen=True)
class Half:
    """What was fitted to the samples of one half of the writers, and the `others`' samples."""

    fitted: Fitted
    sure_from: float
    others: list[Sample]


def halves_of(samples: Sequence[Sample]) -> Iterator[Half]:
    """Each half of the writers in turn."""
    writers = sorted({sample.writer for sample in samples})
    for half in range(HALVES):
        held_out = set(writers[half::HALVES])
        known = [sample for sample in samples if sample.writer not in held_out]
        fitted = fit(known)
        threshold = sure_from(*judged(known, readings_after(known, fitted)), SILENT_ERRORS)
        yield Half(fitted, threshold, [sample for sample in samples if sample.writer in held_out])


def on_other_writers(halves: Iterable[Half]) -> Outcome:
    """Every writer's fields judged with calibration and threshold that were fitted without this writer."""
    parts = []
    for half in halves:
        confidence, right = judged(half.others, readings_after(half.others, half.fitted))
        parts.append((confidence, right, confidence >= half.sure_from))
    return outcome(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def shares_right(known: Sequence[Known], right: NDArray[np.bool_]) -> list[str]:
    """How many of each group are read right, as lines of text."""
    groups = np.array([f"{field.field} fields: {group_of(field.truth)}" for field in known])
    counts = [(group, right[groups == group]) for group in sorted(set(groups))]
    return [f"{group}: {own.sum()} of {len(own)} ({own.mean():.2%})" for group, own in counts]


def threshold_for(read: Sequence[ReadField], helped: Sequence[Reading], halves: Iterable[Half]) -> float:
    """From where on a reading is sure: the budget holds for all writers, each half, and with the hand's help.

    Silent errors are odd forms of single writers, which one half may lack and the other has. `helped` are the
    readings by hands fitted to others.
    """
    _, helped_right = judged(read, helped)
    return max(
        sure_from(*judged(read, [field.reading for field in read]), SILENT_ERRORS),
        sure_from(assertable(read, helped), helped_right, SILENT_ERRORS),
        *(half.sure_from for half in halves),
    )


def write_config(
    model: Path, fitted: Fitted, threshold: float, unreadable: float, same_hand: SameHand
) -> None:
    """Write what was fitted into the model folder's config.json; its other entries stay."""
    path = model / "config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    config |= {
        "calibration": fitted.calibration.model_dump(exclude_defaults=True),
        "glance": fitted.glance and fitted.glance.model_dump(exclude_defaults=True),
        "sure_from": threshold,
        "unreadable_below": unreadable,
        "same_hand": same_hand.model_dump(),
    }
    path.write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


def plain_share(samples: Sequence[Sample], glance: Glance) -> float:
    """How many cells are plain at a glance."""
    seen = glances_after(samples, glance)
    return float(
        np.mean(
            [glance.suffices(reading, sample.field) for sample, reading in zip(samples, seen, strict=True)]
        )
    )


def report(
    read: Sequence[ReadField], helped: Sequence[Reading], halves: Iterable[Half], threshold: float
) -> None:
    """Print how the readings stand: as fitted, on other writers, with the hand's help, and by truth."""
    confidence, right = judged(read, [field.reading for field in read])
    print(f"fitted and measured on the same writers: {outcome(confidence, right, confidence >= threshold)}")
    print(f"measured on writers not fitted with: {on_other_writers(halves)}")
    confident, helped_right = judged(read, helped)
    sure = assertable(read, helped) >= threshold
    print(f"with the hand, fitted to other writers: {outcome(confident, helped_right, sure)}")
    print(*shares_right(read, right), sep="\n")


def bare_shares(cells: Cells) -> str:
    """How many of the empty and of the other cells are taken for bare, as text."""
    assert cells.mask is not None
    bare = bare_cells(np.stack([cells.ink, cells.mask], axis=-1))
    empty = cells.kind == KINDS.index("empty")
    others = f"{bare[~empty].sum()} of {(~empty).sum()} others"
    return f"{bare[empty].mean():.1%} of {empty.sum()} empty cells, {others}"


def main() -> None:
    """Calibrate the model named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("cells", type=Path, nargs="+")
    options = parser.parse_args()
    reader = NetworkReader(options.model)
    glance = (options.model / "glance.onnx").is_file()
    sets = [load_cells(folder) for folder in options.cells]
    print("bare:", *(bare_shares(cells) for cells in sets), sep="\n")
    samples = [sample for cells in sets for sample in samples_of(reader, cells, glance=glance)]
    fitted = fit(samples)
    readings = readings_after(samples, fitted)
    halves = list(halves_of(samples))
    read = read_fields(samples, readings)
    helped = with_hand_of_others(read)
    threshold = threshold_for(read, helped, halves)
    unreadable = unreadable_below(*judged(samples, readings))
    write_config(options.model, fitted, threshold, unreadable, fit_hand(read))
    print(f"{len(samples)} cells; {fitted}")
    if fitted.glance:
        print(f"plain at a glance: {plain_share(samples, fitted.glance):.4f}")
    print(f"sure from {threshold}, unreadable below {unreadable}")
    report(read, helped, halves, threshold)


if __name__ == "__main__":
    main()
