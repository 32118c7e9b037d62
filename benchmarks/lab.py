"""The photos that everything is measured on: seeded, and of writers and scenes that the training never saw.

Writers are those of the `validation` split. Scenes, pens, games and papers are drawn from random numbers that
start with BENCHMARK_KEY, which no other part of the project uses.
"""

import argparse
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import get_args

import cv2
import numpy as np

from sheetscan.imaging.photo import Photo
from sheetscan.lab.any_game import play, tally
from sheetscan.lab.faults import FAULTS, Fault, seed_fault
from sheetscan.lab.hand import Hand, SyntheticHand
from sheetscan.lab.pen import random_pen
from sheetscan.lab.play import Contents, tallied
from sheetscan.lab.printer import GOOD_PRINTER, Printer
from sheetscan.lab.recorded import RecordedHands
from sheetscan.lab.scene import Difficulty, Scene, random_scene
from sheetscan.lab.studio import SheetPlace, make_photo
from sheetscan.language import LANGUAGES
from sheetscan.printing.order import Ink, Paper, PrintOrder
from sheetscan.result import Sheet
from sheetscan.template import Template, load_template, template_names

BENCHMARK_KEY = 90_210
RECORDED = Path(__file__).parents[2] / "shared" / "data" / "handwriting"
SYNTHETIC_WRITERS = 40
FAULT_SHARE = 0.3
WRONG_TALLY_SHARE = 0.1
VIOLATIONS: tuple[Fault, ...] = tuple(fault for fault in FAULTS if fault not in ("cross", "void", "tally"))
PAPERS: tuple[Paper, ...] = get_args(Paper)
INKS: tuple[Ink, ...] = get_args(Ink)
DIFFICULTIES: tuple[str, ...] = get_args(Difficulty)


@dataclass(frozen=True, slots=True)
class Source:
    """Whose strokes (None: invented ones), how hard the scenes are, and which sheet is played."""

    recorded: Path | None = RECORDED
    difficulty: Difficulty = "normal"
    template: str = "qwinto"


@dataclass(frozen=True, slots=True)
class Job:
    """One photo to make; the same job gives the same photo."""

    source: Source
    number: int
    blank: bool = False


@dataclass(frozen=True)
class LabPhoto:
    """A photo with what is true of it; `to_photo` maps sheet millimetres (n, 2) to photo pixels (n, 2)."""

    number: int
    photo: Photo
    truth: Sheet
    to_photo: SheetPlace
    pen: str
    """The kind of pen that the sheet was filled with."""
    european: bool
    """Whether its writer flags the 1 and bars the 7."""


def make(
    job: Job, adapt: Callable[[Scene], Scene] = lambda scene: scene, printer: Printer = GOOD_PRINTER
) -> LabPhoto:
    """Print, fill and photograph one sheet; `adapt` may change the random scene."""
    rng = np.random.default_rng([BENCHMARK_KEY, job.number, int(job.blank)])
    hands = writers(job.source.recorded)
    order = PrintOrder(
        paper=PAPERS[int(rng.integers(len(PAPERS)))],
        players=("Anna",),
        language=str(rng.choice(LANGUAGES)),
        ink=INKS[int(rng.integers(len(INKS)))],
        game_id="BENCH2",
    )
    template = load_template(job.source.template)
    contents = {} if job.blank else _contents(template, rng)
    hand, pen = hands[int(rng.integers(len(hands)))], random_pen(rng)
    scene = adapt(random_scene(rng, job.source.difficulty))
    made = make_photo(template, contents, hand, pen, scene, order, rng, printer=printer)
    pixels = np.ascontiguousarray(made.pixels[..., ::-1])
    photo = Photo(f"lab-{job.number}", 1, "", pixels)
    return LabPhoto(job.number, photo, made.truth, made.to_photo, pen.kind, hand.european)


@lru_cache(maxsize=1)
def writers(recorded: Path | None) -> list[Hand]:
    """The hands that write: those of the validation split in that folder, or (None) invented ones."""
    if recorded is None:
        return [SyntheticHand(BENCHMARK_KEY + writer) for writer in range(SYNTHETIC_WRITERS)]
    return list(RecordedHands(recorded, "validation").hands)


def _contents(template: Template, rng: np.random.Generator) -> Contents:
    """One sheet of a legal game; of Qwinto sometimes with a dead field or a violation, or tallied wrongly."""
    sheets = play(template, int(rng.integers(2, 6)), rng)
    contents = sheets[int(rng.integers(len(sheets)))]
    if template.game != "qwinto":
        return tally(template, contents)
    violation = VIOLATIONS[int(rng.integers(len(VIOLATIONS)))]
    faults: tuple[Fault, ...] = ("cross", "void", violation)
    for fault in faults:
        if rng.random() < FAULT_SHARE:
            # Where the sheet has no field that can take the fault, it stays as it is.
            with suppress(ValueError):
                contents = seed_fault(contents, fault, rng)
    error = int(rng.choice([-10, -1, 1, 10])) if rng.random() < WRONG_TALLY_SHARE else 0
    return tallied(contents, error)


def one_thread() -> None:
    """Keep OpenCV on one core: measures are taken of one core, and processes share the machine."""
    cv2.setNumThreads(1)


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that all benchmarks share."""
    parser.add_argument("--seed", type=int, default=0, help="number of the first photo")
    parser.add_argument("--hands", choices=("recorded", "synthetic"), default="recorded")
    parser.add_argument("--data", type=Path, default=RECORDED, help="folder of the recorded strokes")
    parser.add_argument("--difficulty", choices=DIFFICULTIES, default="normal")
    parser.add_argument(
        "--template", choices=template_names(), default="qwinto", help="which sheet is played"
    )


def source_of(options: argparse.Namespace) -> Source:
    """The source that the options name; ends the program when the recorded strokes are not there."""
    if options.hands == "recorded" and not options.data.is_dir():
        raise SystemExit(f"{options.data}: there are no recorded strokes; give --data, or --hands synthetic")
    recorded = options.data if options.hands == "recorded" else None
    return Source(recorded, options.difficulty, options.template)
