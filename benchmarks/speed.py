"""How long photos of 12 megapixels take on one core, step by step, and how much memory; each beside its goal.

`python -m benchmarks.speed` times the steps apart, each as the median of repeated runs, for a photo of one
sheet and for one of six, and measures the programs `sheetscan scan` and `sheetscan --help` from outside.
"""

import argparse
import dataclasses
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import Any, get_args
from unittest import mock

import numpy as np
from PIL import Image

from benchmarks import lab
from benchmarks.batch import batch_figures
from benchmarks.goals import Figure, print_figures
from benchmarks.memory import memory_figures
from benchmarks.table import Arrangement, photograph_table
from benchmarks.tables import print_table
from sheetscan import pipeline
from sheetscan.imaging.photo import Photo, load_photos
from sheetscan.pipeline import Scanner
from sheetscan.reading.choice import ReaderName, load_reader
from sheetscan.reading.reader import Reader

SIZE_PX = (4032, 3024)
JPEG_QUALITY = 92
WARM_UP = 2
STEPS = {
    "find the markers": ("find_markers", "group_sheets"),
    "place the sheet": ("locate_sheet",),
    "judge how well it is seen": ("measure_visibility", "hidden_fields", "find_streaks"),
    "read the code": ("read_sheet_code",),
    "flatten the fields": ("cut_cells",),
    "judge": ("judge",),
}
"""What the pipeline calls for each step."""
WHOLE = "whole, without decoding"
GOAL_WHOLE_MS = 350
GOAL_TABLE_MS = 1200
GOAL_HELP_S = 0.3
SIX = Arrangement(lines=3, columns=2, turns_deg=(0.0, 180.0))


@dataclass(frozen=True, slots=True)
class Duration:
    """Milliseconds on the clock, and those that the processor worked for this process: the fairer ones on a
    machine that does other things as well."""

    clock_ms: float
    processor_ms: float


class Stopwatch:
    """Adds up, by step, the time spent in functions that it wraps."""

    def __init__(self) -> None:
        self.spent: dict[str, list[float]] = {}

    def timed(self, step: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, its time added to the step's whenever it is called."""

        @wraps(function)
        def wrapped(*arguments: object, **options: object) -> object:
            start = time.perf_counter(), time.process_time()
            try:
                return function(*arguments, **options)
            finally:
                spent = self.spent.setdefault(step, [0.0, 0.0])
                spent[0] += 1000 * (time.perf_counter() - start[0])
                spent[1] += 1000 * (time.process_time() - start[1])

        return wrapped


def one_scan(path: Path, scanner: Scanner, sheets: int) -> dict[str, Duration]:
    """Scan a file with so many sheets once, timing the steps inside the pipeline itself."""
    watch = Stopwatch()
    decode = watch.timed("decode", lambda: next(load_photos(path)))
    with ExitStack() as patches:
        for step, names in STEPS.items():
            for name in names:
                timed = watch.timed(step, getattr(pipeline, name))
                patches.enter_context(mock.patch.object(pipeline, name, timed))
        read = watch.timed("read the fields", scanner.reader.read)
        patches.enter_context(mock.patch.object(scanner.reader, "read", read))
        photo = decode()
        results = watch.timed(WHOLE, lambda: list(scanner.scan_photo(photo)))()
    for result in results:
        if not isinstance(result, pipeline.Scan):
            raise TypeError(f"{path} was refused: {pipeline.failure_of(result).message}")
    if len(results) != sheets:
        raise ValueError(f"{path}: {len(results)} sheets were found, not {sheets}")
    return {step: Duration(*spent) for step, spent in watch.spent.items()}


def steps(path: Path, reader: Reader, repeats: int, sheets: int = 1) -> dict[str, Duration]:
    """The median duration of each step from the file to the result, and of all steps but the decoding."""
    scanner = Scanner(reader)
    runs = [one_scan(path, scanner, sheets) for _ in range(WARM_UP + repeats)][WARM_UP:]
    return {
        step: Duration(
            statistics.median(run[step].clock_ms for run in runs),
            statistics.median(run[step].processor_ms for run in runs),
        )
        for step in ("decode", *STEPS, "read the fields", WHOLE)
    }


def _seconds(command: Sequence[str], repeats: int) -> float:
    """The median time that a program takes from its start to its end."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def step_figures(single: dict[str, Duration], table: dict[str, Duration]) -> list[Figure]:
    """The whole ways against their goals, by the processor's time: other programs don't count."""
    one, six = (durations[WHOLE].processor_ms for durations in (single, table))
    return [
        Figure("one sheet, without decoding", one, "ms", GOAL_WHOLE_MS),
        Figure("decoding", single["decode"].processor_ms, "ms"),
        Figure("six sheets in a photo, without decoding", six, "ms", GOAL_TABLE_MS),
        Figure("six sheets, in times of one", six / one),
    ]


def program_figures(scan: Sequence[str], path: Path, repeats: int) -> list[Figure]:
    """What the programs take from outside."""
    python_s = _seconds([sys.executable, "-c", "pass"], repeats)
    help_s = _seconds([scan[0], "--help"], repeats)
    return [
        Figure("`sheetscan scan` from start to end", _seconds([*scan, str(path)], min(repeats, 3)), "s"),
        Figure("`sheetscan --help`", help_s, "s", GOAL_HELP_S),
        Figure("`sheetscan --help`, in times of `python -c pass`", help_s / python_s),
    ]


def write_photo(folder: Path, options: argparse.Namespace) -> Path:
    """A filled sheet as a phone of 12 megapixels takes it, as JPEG."""
    job = lab.Job(lab.source_of(options), options.seed)
    photo = lab.make(job, adapt=lambda scene: replace(scene, size_px=SIZE_PX))
    return _saved(photo.photo, folder / "photo.jpg")


def write_table(folder: Path, options: argparse.Namespace) -> Path:
    """Six filled sheets of any games on a table, likewise."""
    source = replace(lab.source_of(options), difficulty="easy")
    return _saved(photograph_table(lab.Job(source, options.seed), SIX).photo, folder / "table.jpg")


def _saved(photo: Photo, path: Path) -> Path:
    Image.fromarray(np.ascontiguousarray(photo.pixels[..., ::-1])).save(path, quality=JPEG_QUALITY)
    return path


def _print_steps(single: dict[str, Duration], table: dict[str, Duration]) -> None:
    rows = [
        (
            step,
            *(f"{durations[step].clock_ms:.1f}" for durations in (single, table)),
            *(f"{durations[step].processor_ms:.1f}" for durations in (single, table)),
        )
        for step in single
    ]
    headers = ("step", "one sheet, ms", "six, ms", "one sheet, processor ms", "six, processor ms")
    print_table("A photo of 12 megapixels on one core", headers, rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=__doc__)
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--reader", choices=get_args(ReaderName), default="network")
    parser.add_argument(
        "--batch", type=int, default=100, help="photos read by one and by two processes; 0: none"
    )
    parser.add_argument(
        "--photo", type=Path, help="measure this photo of a sheet instead of one from the lab"
    )
    parser.add_argument("--json", action="store_true")
    lab.add_options(parser)
    options = parser.parse_args(arguments)
    lab.one_thread()
    os.environ["OMP_THREAD_LIMIT"] = "1"
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    if cores:
        os.sched_setaffinity(0, cores[:1])
    program = str(Path(sys.executable).parent / "sheetscan")
    scan = [program, "scan", "-f", "jsonl", "--exit-zero", "--reader", options.reader]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        photo = options.photo or write_photo(folder, options)
        reader, sheets = load_reader(options.reader), write_table(folder, options)
        single = steps(photo, reader, options.repeats)
        table = steps(sheets, reader, max(1, options.repeats // 3), SIX.count)
        figures = [
            *step_figures(single, table),
            *program_figures(scan, photo, options.repeats),
            *memory_figures(scan, photo, sheets, folder),
            *batch_figures(scan, photo, folder, options.batch, cores),
        ]
    if options.json:
        measured = {"one": single, "six": table}
        inside = {
            name: {step: dataclasses.asdict(duration) for step, duration in durations.items()}
            for name, durations in measured.items()
        }
        document = {"steps": inside, "figures": [dataclasses.asdict(figure) for figure in figures]}
        print(json.dumps(document, ensure_ascii=False))
    else:
        _print_steps(single, table)
        print_figures("Against the goals", figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
