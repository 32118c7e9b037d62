"""The photos that everything is measured on: seeded, and of writers and scenes that the training never saw.

Writers are those of the `validation` split. Scenes, pens, games and papers are drawn from random numbers that
start with BENCHMARK_KEY, which no other part of the project uses.
"""

import argparse
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import get_args

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.font_hands import font_hands
from sheetscan.imaging.photo import Photo
from sheetscan.lab.any_game import play, tally
from sheetscan.lab.faults import FAULTS, Fault, seed_fault
from sheetscan.lab.glyphs import MARKS
from sheetscan.lab.hand import Hand, SyntheticHand
from sheetscan.lab.pen import Pen, random_pen
from sheetscan.lab.play import Contents, tallied
from sheetscan.lab.printer import GOOD_PRINTER, Printer
from sheetscan.lab.recorded import RecordedHands
from sheetscan.lab.scene import Difficulty, Scene, random_scene
from sheetscan.lab.studio import FilledSheet, Placement, PrintedSheet, fill_sheet, photograph_sheets
from sheetscan.language import LANGUAGES
from sheetscan.pipeline import Scanner
from sheetscan.printing.order import Ink, Paper, PrintOrder
from sheetscan.reading.choice import ReaderName, load_reader
from sheetscan.result import Sheet
from sheetscan.template import Template, load_template, template_names

BENCHMARK_KEY = 90_210
RECORDED = Path(__file__).parents[2] / "shared" / "data" / "handwriting"
SYNTHETIC_WRITERS = 40
UPRIGHT_CROSSES = tuple(form for form in MARKS["cross"] if form.name == "upright")
FAULT_SHARE = 0.3
WRONG_TALLY_SHARE = 0.1
VIOLATIONS: tuple[Fault, ...] = tuple(fault for fault in FAULTS if fault not in ("cross", "void", "tally"))
PAPERS: tuple[Paper, ...] = get_args(Paper)
INKS: tuple[Ink, ...] = get_args(Ink)
DIFFICULTIES: tuple[str, ...] = get_args(Difficulty)


@dataclass(frozen=True, slots=True)
class Source:
    """Whose strokes (None: those of `fonts`, else invented ones), how hard the scenes are, and which sheet is
    played.

    With `upright`, invented writers make upright crosses in thin, pale pencil: on printed numbers these look
    like lines.
    """

    recorded: Path | None = RECORDED
    difficulty: Difficulty = "normal"
    template: str = "qwinto"
    upright: bool = False
    fonts: Path | None = None


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
    to_photo: Callable[[NDArray[np.float64]], NDArray[np.float64]]
    pen: str
    """The kind of pen that the sheet was filled with."""
    writer: str
    european: bool
    """Whether its writer flags the 1 and bars the 7."""


@dataclass(frozen=True)
class Script:
    """What is to be written on which sheet, by whom and with what."""

    template: Template
    order: PrintOrder
    contents: Contents
    hand: Hand
    pen: Pen


Spoil = Callable[[PrintedSheet, Script, int], PrintedSheet]
"""What happens to the written sheet before photo number so-and-so is taken of it."""


def unspoilt(printed: PrintedSheet, _script: Script, _number: int) -> PrintedSheet:
    """The sheet as it is."""
    return printed


def make(
    job: Job,
    adapt: Callable[[Scene], Scene] = lambda scene: scene,
    printer: Printer = GOOD_PRINTER,
    spoil: Spoil = unspoilt,
    darkness: float = 1.0,
) -> LabPhoto:
    """Print, fill and photograph one sheet.

    `adapt` may change the random scene, `spoil` the sheet; the pen writes with that share of its `darkness`.
    """
    rng = np.random.default_rng([BENCHMARK_KEY, job.number, int(job.blank)])
    script = script_of(job, rng)
    script = replace(script, pen=replace(script.pen, darkness=darkness * script.pen.darkness))
    scene = adapt(random_scene(rng, job.source.difficulty))
    filled = fill(script, rng, printer)
    spoilt = replace(filled, printed=spoil(filled.printed, script, job.number))
    made = photograph_sheets([spoilt], [Placement()], scene, rng)
    pixels = np.ascontiguousarray(made.pixels[..., ::-1])
    photo = Photo(f"lab-{job.number}", 1, "", pixels)
    hand = script.hand
    return LabPhoto(job.number, photo, made.truth, made.to_photo, script.pen.kind, hand.name, hand.european)


def script_of(job: Job, rng: np.random.Generator, game_id: str = "BENCH2") -> Script:
    """A sheet of a random game, paper, ink and language, with a random writer and pen."""
    hands = writers(job.source)
    order = PrintOrder(
        paper=PAPERS[int(rng.integers(len(PAPERS)))],
        players=("Anna",),
        language=str(rng.choice(LANGUAGES)),
        ink=INKS[int(rng.integers(len(INKS)))],
        game_id=game_id,
    )
    template = load_template(job.source.template)
    contents = {} if job.blank else _contents(template, rng)
    hand = hands[int(rng.integers(len(hands)))]
    pen = _pale_pencil(rng) if job.source.upright else random_pen(rng)
    return Script(template, order, contents, hand, pen)


def fill(script: Script, rng: np.random.Generator, printer: Printer = GOOD_PRINTER) -> FilledSheet:
    """The sheet printed and written on."""
    return fill_sheet(
        script.template, script.contents, script.hand, script.pen, script.order, rng, printer=printer
    )


@lru_cache(maxsize=1)
def writers(source: Source) -> list[Hand]:
    """The hands that write: those of the validation split, of fonts, or invented ones."""
    if source.fonts is not None:
        return list(font_hands(source.fonts))
    if source.recorded is None:
        crosses = UPRIGHT_CROSSES if source.upright else MARKS["cross"]
        return [
            SyntheticHand(BENCHMARK_KEY + writer, marks={**MARKS, "cross": crosses})
            for writer in range(SYNTHETIC_WRITERS)
        ]
    return list(RecordedHands(source.recorded, "validation").hands)


def _pale_pencil(rng: np.random.Generator) -> Pen:
    while (pen := random_pen(rng)).kind != "pencil":
        pass
    return replace(pen, width_mm=float(rng.uniform(0.3, 0.5)), darkness=float(rng.uniform(0.4, 0.6)))


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


@cache
def scanner(reader: ReaderName) -> Scanner:
    """The scanner with that reader, which every process loads once; raises MissingExtraError."""
    return Scanner(load_reader(reader))


def one_thread() -> None:
    """Keep OpenCV on one core: measures are taken of one core, and processes share the machine."""
    cv2.setNumThreads(1)


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the benchmarks that photograph sheets of one kind."""
    add_scene_options(parser)
    parser.add_argument(
        "--template", choices=template_names(), default="qwinto", help="which sheet is played"
    )


def add_scene_options(parser: argparse.ArgumentParser) -> None:
    """The options that all benchmarks share, whatever sheets they photograph."""
    parser.add_argument("--seed", type=int, default=0, help="number of the first photo or game")
    parser.add_argument(
        "--hands",
        choices=("recorded", "synthetic", "upright", "fonts"),
        default="recorded",
        help="upright: invented ones, upright crosses in pale pencil; fonts: those of --fonts",
    )
    parser.add_argument("--fonts", type=Path, help="folder of handwriting fonts (benchmarks/font_hands.py)")
    parser.add_argument("--data", type=Path, default=RECORDED, help="folder of the recorded strokes")
    parser.add_argument("--difficulty", choices=DIFFICULTIES, default="normal")


def source_of(options: argparse.Namespace) -> Source:
    """The source that the options name; ends the program when the recorded strokes are not there."""
    if options.hands == "recorded" and not options.data.is_dir():
        raise SystemExit(f"{options.data}: there are no recorded strokes; give --data, or --hands synthetic")
    if (options.hands == "fonts") != (options.fonts is not None):
        raise SystemExit("--hands fonts and --fonts FOLDER go together")
    recorded = options.data if options.hands == "recorded" else None
    template = options.template if "template" in options else "qwinto"
    return Source(
        recorded, options.difficulty, template, upright=options.hands == "upright", fonts=options.fonts
    )
