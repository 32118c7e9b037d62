"""Whether photos too poor to be read are refused, and good ones are not.

`python -m benchmarks.quality` makes photos from good to hopeless: near and far, sharp, blurred and shaken,
bright and dark. It reads all of them with the quality gate open, calls those misread that can't be trusted
and those good that were read well, and prints how many of each the gate refuses, at its limits and at others.
The limits were chosen on photos from `--seed 5000` on; those from 0 check them.
"""

import argparse
import dataclasses
import json
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, get_args
from unittest import mock

import numpy as np

from benchmarks import lab
from benchmarks.outcome import PhotoOutcome, measure
from benchmarks.pool import outcomes_of
from benchmarks.tables import percent, print_table
from sheetscan import pipeline
from sheetscan.imaging import rectify
from sheetscan.imaging.quality import HOPELESS, MAX_MISREAD, Visibility, illegible, misread_share
from sheetscan.lab.scene import SIZES_PX, Scene
from sheetscan.reading.choice import ReaderName
from sheetscan.result import FieldReading

QUALITY_KEY = 77_002
SHEET_MM = 210
SMALL_SIZE_PX = (1280, 960)
POVERTIES = ("small", "blurred", "shaken", "dark", "dark", "each")
"""Dark ones are common: in noise markers are found longer than pencil is read."""
PATIENCES = (0.4, 0.6, 0.8, 1.0, 1.2, 1.5, np.inf)
"""The gate is tried with so many times its limit; at the last one it refuses hopeless photos only."""
MISREAD_SHARE = 0.8
"""With a smaller share read right of what a careful photo of the same sheet gives, a photo is called misread;
likewise with two fields or more that are wrong and sure, and were not there."""
GOOD_SHARE = 0.95

Label = Literal["good", "between", "misread", "unseen"]
"""`unseen` photos were refused before the gate."""
LABELS: tuple[Label, ...] = ("misread", "between", "good")


@dataclass(frozen=True, slots=True)
class Judged:
    """One photo: what became of it with the gate open, and what the gate sees of it."""

    photo: int
    label: Label
    right_share: float
    sure_and_wrong: int
    visibility: Visibility | None = None
    misread_share: float = 0.0
    """Of the writing, by the readings' own probabilities."""

    def refused(self, patience: float = 1.0) -> bool:
        """Whether the gate refuses the photo; `patience` multiplies the share that may be misread."""
        seen = self.visibility
        return seen is not None and (
            seen.fault(HOPELESS) is not None
            or illegible(seen, self.misread_share, patience * MAX_MISREAD) is not None
        )


def poor_scene(scene: Scene, number: int) -> Scene:
    """The scene taken too far away, blurred, shaken, in the dark, or a little of each: up to hopeless."""
    rng = np.random.default_rng([QUALITY_KEY, number])
    poverty = str(rng.choice(POVERTIES))
    size_px = SIZES_PX[int(rng.integers(len(SIZES_PX)))]
    fill = rng.uniform(0.3, 0.6) if poverty == "small" else rng.uniform(0.6, 0.95)
    if poverty == "small":
        size_px = SMALL_SIZE_PX
    px_per_mm = fill * size_px[0] / SHEET_MM
    blur_mm, shake_mm, exposure, noise = 0.06, 0.0, 0.9, rng.uniform(1, 5)
    match poverty:
        case "blurred":
            blur_mm = rng.uniform(0.1, 0.6)
        case "shaken":
            shake_mm = rng.uniform(0.3, 2.0)
        case "dark":
            exposure, noise = float(np.exp(rng.uniform(np.log(0.08), np.log(0.3)))), rng.uniform(2, 10)
        case "each":
            blur_mm, shake_mm = rng.uniform(0.06, 0.35), rng.uniform(0, 1.0)
            exposure, noise = float(np.exp(rng.uniform(np.log(0.1), np.log(0.9)))), rng.uniform(1, 8)
    return replace(
        scene,
        size_px=size_px,
        fill=fill,
        blur_px=max(blur_mm * px_per_mm, 0.5),
        motion_px=shake_mm * px_per_mm,
        motion_deg=rng.uniform(0, 180),
        exposure=exposure,
        noise=noise,
    )


def label_of(outcome: PhotoOutcome, careful: PhotoOutcome) -> tuple[Label, float, int]:
    """The label of a photo beside a careful one of the same sheet: a bad hand is not the photo's fault.

    With it come the share of what is written that was read right, in relation to the careful photo, and how
    many more fields are sure and wrong than there.
    """
    if outcome.fate != "found":
        return "unseen", 0.0, 0
    share = _right_share(outcome) / max(_right_share(careful), 0.01)
    wrong = _sure_and_wrong(outcome) - _sure_and_wrong(careful)
    if wrong >= 2 or share < MISREAD_SHARE:
        return "misread", share, wrong
    return "good" if wrong <= 0 and share >= GOOD_SHARE else "between", share, wrong


def _right_share(outcome: PhotoOutcome) -> float:
    written = [field for field in outcome.fields if field.truth.kind != "empty"]
    return sum(field.right for field in written) / max(len(written), 1)


def _sure_and_wrong(outcome: PhotoOutcome) -> int:
    return sum(field.sure and not field.right for field in outcome.fields)


class _OpenGate:
    """Takes the measures that the gate goes by, and lets the photo pass."""

    visibility: Visibility | None = None
    misread_share = 0.0

    def check_legible(self, visibility: Visibility, readings: Collection[FieldReading], _name: str) -> None:
        self.visibility, self.misread_share = visibility, misread_share(readings)


def judged(job: lab.Job, reader: ReaderName = "auto") -> Judged:
    """Make, read and label one photo, and take the gate's measures of it."""
    gate = _OpenGate()
    careful = measure(lab.make(job), lab.scanner(reader))
    photo = lab.make(job, lambda scene: poor_scene(scene, job.number))
    with (
        mock.patch.object(rectify, "check_resolution"),
        mock.patch.object(pipeline, "check_visible"),
        mock.patch.object(pipeline, "check_legible", gate.check_legible),
    ):
        outcome = measure(photo, lab.scanner(reader))
    label, share, wrong = label_of(outcome, careful)
    if label == "unseen":
        return Judged(job.number, label, share, wrong)
    return Judged(job.number, label, share, wrong, gate.visibility, gate.misread_share)


def refused(photos: Sequence[Judged], label: Label, patience: float) -> tuple[int, int]:
    """How many photos of that label the gate refuses, and how many there are."""
    members = [photo for photo in photos if photo.label == label]
    return sum(photo.refused(patience) for photo in members), len(members)


def _rows(photos: Sequence[Judged]) -> Iterator[tuple[str, ...]]:
    for patience in PATIENCES:
        counts = [refused(photos, label, patience) for label in LABELS]
        yield f"{patience:g}", *(f"{part} of {whole} ({percent(part, whole, 1)})" for part, whole in counts)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality", description=__doc__)
    parser.add_argument("--photos", type=int, default=300)
    parser.add_argument("--reader", choices=get_args(ReaderName), default="auto")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    lab.add_options(parser)
    parser.set_defaults(difficulty="easy")
    options = parser.parse_args(arguments)
    source = lab.source_of(options)
    numbers = range(options.seed, options.seed + options.photos)
    jobs = [lab.Job(source, number) for number in numbers]
    photos = outcomes_of(partial(judged, reader=options.reader), jobs, options.processes)
    if options.json:
        print(json.dumps([dataclasses.asdict(photo) for photo in photos]))
        return 0
    print(
        f"{sum(photo.label == 'unseen' for photo in photos)} of {len(photos)} were refused before the gate."
    )
    print_table("Refused by the gate", ("misread borne, in units of the limit", *LABELS), _rows(photos))
    return 0


if __name__ == "__main__":
    sys.exit(main())
