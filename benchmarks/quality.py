"""Whether photos too poor to be read are refused, and good ones are not.

`python -m benchmarks.quality` makes photos from sharp to hopeless: near and far, still and shaken, bright and
dark. It reads all of them with the quality gate open, calls those misread that can't be trusted and those
good that were read well, and prints how many of each the gate refuses, at its limits and at others.
The limits were chosen on the seeds from 0; run it from 5000 to check them on photos that they don't know.
"""

import argparse
import dataclasses
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal
from unittest import mock

import numpy as np

from benchmarks import lab
from benchmarks.outcome import PhotoOutcome, measure
from benchmarks.pool import outcomes_of
from benchmarks.tables import percent, print_table
from sheetscan import pipeline
from sheetscan.imaging.quality import MAX_EDGE_MM, MIN_CONTRAST, Sharpness, measure_sharpness
from sheetscan.lab.scene import SIZES_PX, Scene
from sheetscan.pipeline import Scanner
from sheetscan.reading.network import NetworkReader

QUALITY_KEY = 77_001
EDGES_MM = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1)
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
    edge_mm: float = 0.0
    contrast: float = 0.0


def poor_scene(scene: Scene, number: int) -> Scene:
    """The scene taken from near or far, blurred, shaken, darkened: each at random, most of them a little."""
    rng = np.random.default_rng([QUALITY_KEY, number])
    size_px = SIZES_PX[int(rng.integers(len(SIZES_PX)))]
    px_per_sheet = size_px[0] / 4032
    return replace(
        scene,
        size_px=size_px,
        fill=rng.uniform(0.45, 0.95),
        blur_px=0.5 + px_per_sheet * float(rng.exponential(2.0)),
        motion_px=px_per_sheet * float(rng.exponential(8.0)) if rng.random() < 0.5 else 0.0,
        motion_deg=rng.uniform(0, 180),
        exposure=float(np.exp(rng.uniform(np.log(0.12), np.log(1.0)))) if rng.random() < 0.3 else 0.9,
        noise=rng.uniform(1, 8),
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


@cache
def _scanner() -> Scanner:
    return Scanner(NetworkReader())


def judged(job: lab.Job) -> Judged:
    """Make, read and label one photo, and take the gate's measures of it."""
    seen: list[Sharpness] = []

    def measured(*arguments: object) -> Sharpness:
        seen.append(measure_sharpness(*arguments))  # type: ignore[arg-type]
        return seen[-1]

    careful = measure(lab.make(job), _scanner())
    photo = lab.make(job, lambda scene: poor_scene(scene, job.number))
    with (
        mock.patch.object(pipeline, "measure_sharpness", measured),
        mock.patch.object(pipeline, "check_sharpness"),
    ):
        outcome = measure(photo, _scanner())
    label, share, wrong = label_of(outcome, careful)
    if not seen:
        return Judged(job.number, label, share, wrong)
    return Judged(job.number, label, share, wrong, seen[0].edge_mm, seen[0].contrast)


def refused(
    photos: Sequence[Judged], label: Label, max_edge_mm: float, min_contrast: float
) -> tuple[int, int]:
    """How many photos of that label the gate refuses, and how many there are."""
    members = [photo for photo in photos if photo.label == label]
    return sum(photo.edge_mm > max_edge_mm or photo.contrast < min_contrast for photo in members), len(
        members
    )


def _rows(photos: Sequence[Judged]) -> Iterator[tuple[str, ...]]:
    for max_edge_mm in sorted({*EDGES_MM, MAX_EDGE_MM}):
        counts = [
            refused(photos, label, max_edge_mm, MIN_CONTRAST) for label in ("misread", "between", "good")
        ]
        shares = (f"{part} of {whole} ({percent(part, whole, 1)})" for part, whole in counts)
        yield (f"{max_edge_mm:g} mm{' (the limit)' if max_edge_mm == MAX_EDGE_MM else ''}", *shares)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality", description=__doc__)
    parser.add_argument("--photos", type=int, default=300)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    lab.add_options(parser)
    parser.set_defaults(difficulty="easy")
    options = parser.parse_args(arguments)
    source = lab.source_of(options)
    numbers = range(options.seed, options.seed + options.photos)
    photos = outcomes_of(judged, [lab.Job(source, number) for number in numbers], options.processes)
    if options.json:
        print(json.dumps([dataclasses.asdict(photo) for photo in photos]))
        return 0
    print(
        f"{sum(photo.label == 'unseen' for photo in photos)} of {len(photos)} were refused before the gate."
    )
    print_table("Refused by the gate", ("edges wider than", *LABELS), _rows(photos))
    return 0


if __name__ == "__main__":
    sys.exit(main())
