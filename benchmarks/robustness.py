"""What becomes of photos with one fault each: a matrix of the kinds of fault and their strengths.

`python -m benchmarks.robustness` makes 30 photos of each cell of the matrix, with the strokes of writers that
the training never saw, and prints which share of their fields is read right, in doubt, refused, or wrong and
given as sure.
"""

import argparse
import dataclasses
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import get_args

import numpy as np

from benchmarks import lab
from benchmarks.outcome import PhotoOutcome, measure
from benchmarks.pool import outcomes_of
from benchmarks.tables import percent, print_table
from sheetscan.lab.optics import Bend
from sheetscan.lab.printer import GOOD_PRINTER, Printer
from sheetscan.lab.scene import Glare, Palette, Scene, Shadow, Thumb
from sheetscan.pipeline import Scanner
from sheetscan.reading.choice import ReaderName, load_reader
from sheetscan.template import load_template

SIZE_PX = (3264, 2448)
SCAN_DPI_SIZE_PX = (1754, 1240)
"""An A4 page, landscape, at 150 dpi."""
THUMB_REACH_MM = 4.0

Adapt = Callable[[Scene], Scene]


@dataclass(frozen=True, slots=True)
class Cell:
    """One fault at one strength: what it changes about the scene and the print."""

    fault: str
    strength: str
    adapt: Adapt
    printer: Printer = GOOD_PRINTER

    @property
    def name(self) -> str:
        """How the cell is called on the command line and in tables."""
        return f"{self.fault} {self.strength}".strip()


def _scene(**changes: object) -> Adapt:
    return lambda scene: replace(scene, **changes)  # type: ignore[arg-type]


def _light(**changes: object) -> Adapt:
    return lambda scene: replace(scene, light=replace(scene.light, **changes))  # type: ignore[arg-type]


def _turned(turn_deg: float) -> Adapt:
    return lambda scene: replace(scene, roll_deg=scene.roll_deg + turn_deg, fill=min(scene.fill, 0.9))


def _cropped(loss_mm: float) -> Adapt:
    """The sheet larger than the photo, so that on either side so many millimetres of 210 are lost."""
    return lambda scene: replace(
        scene, fill=210 / (210 - 2 * loss_mm), tilt_deg=2.0, roll_deg=0.0, bend=Bend()
    )


def _thumbs(count: int) -> Adapt:
    """Thumbs on markers, spread over the sheet; which ones follows from the scene."""

    def adapt(scene: Scene) -> Scene:
        boxes = [marker.box_mm for marker in load_template("qwinto").markers]
        first = scene.jpeg_quality % len(boxes)
        chosen = [boxes[(first + 3 * number) % len(boxes)] for number in range(count)]
        return replace(scene, thumbs=tuple(_thumb(box.centre) for box in chosen))

    return adapt


def _thumb(at_mm: tuple[float, float]) -> Thumb:
    """A thumb that comes from the nearer long edge and covers the marker there."""
    upper = at_mm[1] < 74
    return Thumb((at_mm[0], at_mm[1] + (THUMB_REACH_MM if upper else -THUMB_REACH_MM)), -90 if upper else 90)


def _scanned(palette: Palette, size_px: tuple[int, int]) -> Adapt:
    """A flatbed scan: flat, straight, evenly lit, so many pixels."""

    def adapt(scene: Scene) -> Scene:
        still = replace(Scene(), size_px=size_px, roll_deg=scene.roll_deg % 360 // 90 * 90, fill=0.99)
        return replace(still, palette=palette, noise=scene.noise, table="white", focal=4.0)

    return adapt


def _camera_cells() -> Iterator[Cell]:
    yield Cell("none", "", _scene())
    for sigma in (1, 2, 3, 4):
        yield Cell("blur", f"{sigma} px", _scene(blur_px=float(sigma), motion_px=0.0))
    for length in (3, 6, 9):
        yield Cell("motion", f"{length} px", _scene(blur_px=0.7, motion_px=float(length), motion_deg=30.0))
    for gamma in (0.5, 2.0):
        yield Cell("gamma", f"{gamma:g}", _scene(gamma=gamma))
    for turn in (90, 180, 37):
        yield Cell("turned", f"{turn}°", _turned(float(turn)))
    for loss in (4, 8, 16):
        yield Cell("cropped", f"{loss} mm", _cropped(float(loss)))
    for count in (1, 2):
        yield Cell("thumbs", f"{count}", _thumbs(count))


def _light_cells() -> Iterator[Cell]:
    for ratio in (2.0, 3.0):
        yield Cell("gradient", f"1:{ratio:g}", _light(gradient=ratio, gradient_deg=0.0))
    for depth in (0.3, 0.6):
        band = Shadow((0.5, 0.5), edge_deg=70, half_width=0.12, softness=0.003, depth=depth)
        yield Cell("hard shadow", f"{100 * depth:.0f} %", _light(shadows=(band,)))
    for strength in (0.4, 0.7, 1.0):
        yield Cell("glare", f"{strength:g}", _light(glare=Glare((0.5, 0.45), 0.08, strength)))
    casts = {"yellow": (1.15, 1.0, 0.6), "blue": (0.75, 0.95, 1.25)}
    for name, cast in casts.items():
        yield Cell("cast", name, _light(cast=cast))


def _paper_cells() -> Iterator[Cell]:
    for toner in (0.6, 0.4):
        yield Cell("toner", f"{100 * toner:.0f} %", _scene(), Printer(toner, toner))
    yield Cell("toner", "half faded", _scene(), Printer(1.0, 0.4))
    for sag in (5, 10, 15):
        yield Cell("curl", f"{sag} mm", _scene(bend=Bend(float(sag), axis_deg=80.0)))
    yield Cell("fold", "10°", _scene(bend=Bend(1.0, axis_deg=90.0, fold_deg=10.0)))
    palettes: Mapping[str, Palette] = {"grey": "grey", "1 bit": "bilevel", "dithered": "dithered"}
    for name, palette in palettes.items():
        yield Cell("scan", f"{name} 150 dpi", _scanned(palette, SCAN_DPI_SIZE_PX))
    for scale in (0.5, 0.71, 0.94, 0.97, 1.03):
        yield Cell("printed at", f"{100 * scale:.0f} %", _scene(), Printer(scale=scale))


CELLS = (*_camera_cells(), *_light_cells(), *_paper_cells())


@cache
def _scanner(reader: ReaderName) -> Scanner:
    return Scanner(load_reader(reader))


def photograph(cell: Cell, job: lab.Job) -> lab.LabPhoto:
    """One photo with the cell's fault; the same job gives the same sheet and scene apart from the fault."""
    return lab.make(job, lambda scene: cell.adapt(replace(scene, size_px=SIZE_PX)), cell.printer)


def _measured(task: tuple[str, lab.Job], reader: ReaderName) -> PhotoOutcome:
    """Runs in a process of its own; cells hold functions, so they travel by name."""
    name, job = task
    cell = next(cell for cell in CELLS if cell.name == name)
    return measure(photograph(cell, job), _scanner(reader))


@dataclass(frozen=True, slots=True)
class Row:
    """What became of the fields of one cell's photos: counts. `wrong` are those given as sure."""

    name: str
    photos: int
    fields: int
    right: int
    doubtful: int
    refused: int
    wrong: int
    reasons: tuple[str, ...]

    @classmethod
    def of(cls, name: str, outcomes: Sequence[PhotoOutcome]) -> "Row":
        """Count; a refused, missed or doubled photo counts for all fields of its sheet."""
        a_sheet = len(load_template("qwinto").readable_fields)
        fields = [field for outcome in outcomes for field in outcome.fields]
        lost = [outcome for outcome in outcomes if outcome.fate != "found"]
        return cls(
            name,
            len(outcomes),
            len(fields) + a_sheet * len(lost),
            sum(field.sure and field.right for field in fields),
            sum(not field.sure for field in fields),
            a_sheet * len(lost),
            sum(field.sure and not field.right for field in fields),
            tuple(sorted({outcome.reason for outcome in lost})),
        )


def report(rows: Sequence[Row]) -> None:
    """Print the matrix, and below it why photos were refused."""
    headers = ("fault", "photos", "right", "in doubt", "refused", "wrong and sure")
    print_table(
        "Shares of fields",
        headers,
        [
            (
                row.name,
                row.photos,
                *(percent(count, row.fields, 1) for count in (row.right, row.doubtful, row.refused)),
                percent(row.wrong, row.fields, 3),
            )
            for row in rows
        ],
    )
    print("\nWhy photos were refused\n")
    for row in rows:
        for reason in row.reasons[:3]:
            print(f"- {row.name}: {reason}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.robustness", description=__doc__)
    parser.add_argument("--photos", type=int, default=30, help="photos of each fault and strength")
    parser.add_argument(
        "--faults", nargs="+", choices=sorted({cell.fault for cell in CELLS}), metavar="FAULT"
    )
    parser.add_argument("--reader", choices=get_args(ReaderName), default="network")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    lab.add_options(parser)
    parser.set_defaults(difficulty="easy")
    options = parser.parse_args(arguments)
    source = lab.source_of(options)
    chosen = [cell for cell in CELLS if not options.faults or cell.fault in options.faults]
    numbers = range(options.seed, options.seed + options.photos)
    tasks = [(cell.name, lab.Job(source, number)) for cell in chosen for number in numbers]
    outcomes = outcomes_of(partial(_measured, reader=options.reader), tasks, options.processes)
    by_cell = np.arange(len(tasks)).reshape(len(chosen), options.photos)
    rows = [
        Row.of(cell.name, [outcomes[place] for place in places])
        for cell, places in zip(chosen, by_cell, strict=True)
    ]
    if options.json:
        print(json.dumps([dataclasses.asdict(row) for row in rows], ensure_ascii=False))
    else:
        report(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
