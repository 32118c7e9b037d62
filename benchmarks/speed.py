"""How long a 12-megapixel photo takes on one core, step by step, and how much memory.

`python -m benchmarks.speed` times the steps apart, each as the median of repeated runs, and measures the
programs `sheetscan scan` and `sheetscan --help` from outside.
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
from benchmarks.tables import print_table
from sheetscan import pipeline
from sheetscan.imaging.photo import load_photos
from sheetscan.pipeline import Scanner
from sheetscan.reading.choice import ReaderName, load_reader
from sheetscan.reading.reader import Reader

SIZE_PX = (4032, 3024)
JPEG_QUALITY = 92
WARM_UP = 2
STEPS = {
    "find the markers": ("find_markers", "group_sheets"),
    "place the sheet": ("locate_sheet",),
    "judge how well it is seen": ("measure_sharpness", "hidden_fields"),
    "read the code": ("read_sheet_code",),
    "flatten the fields": ("cut_cells",),
    "judge": ("judge",),
}
"""What the pipeline calls for each step."""
WHOLE = "whole, without decoding"
MEMORY_PROBE = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


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


def one_scan(path: Path, scanner: Scanner) -> dict[str, Duration]:
    """Scan a file once, timing the steps inside the pipeline itself."""
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
        (result,) = watch.timed(WHOLE, lambda: list(scanner.scan_photo(photo)))()
    if not isinstance(result, pipeline.Scan):
        raise TypeError(f"{path} was refused: {pipeline.failure_of(result).message}")
    return {step: Duration(*spent) for step, spent in watch.spent.items()}


def steps(path: Path, reader: Reader, repeats: int) -> dict[str, Duration]:
    """The median duration of each step from the file to the result, and of all steps but the decoding."""
    scanner = Scanner(reader)
    runs = [one_scan(path, scanner) for _ in range(WARM_UP + repeats)][WARM_UP:]
    return {
        step: Duration(
            statistics.median(run[step].clock_ms for run in runs),
            statistics.median(run[step].processor_ms for run in runs),
        )
        for step in ("decode", *STEPS, "read the fields", WHOLE)
    }


def peak_memory_mb(command: Sequence[str]) -> float:
    """The most memory (resident set) that a program held at any time, in megabytes of 10⁶ bytes.

    A small process starts the program: until it runs, a child counts what its parent holds.
    """
    done = subprocess.run([sys.executable, "-c", MEMORY_PROBE, *command], check=True, capture_output=True)
    return int(done.stdout) * 1024 / 1e6


def _seconds(command: Sequence[str], repeats: int) -> float:
    """The median time that a program takes from its start to its end."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def program_figures(path: Path, reader_name: str, repeats: int) -> dict[str, float]:
    """What the programs take from outside; names hold their units."""
    program = str(Path(sys.executable).parent / "sheetscan")
    scan = [program, "scan", "--json", "--exit-zero", "--reader", reader_name, str(path)]
    python_s = _seconds([sys.executable, "-c", "pass"], repeats)
    help_s = _seconds([program, "--help"], repeats)
    return {
        "peak memory of `sheetscan scan`, MB": round(peak_memory_mb(scan), 1),
        "`sheetscan scan` from start to end, s": round(_seconds(scan, min(repeats, 3)), 2),
        "`sheetscan --help`, s": round(help_s, 3),
        "`python -c pass`, s": round(python_s, 3),
        "`sheetscan --help` in units of `python -c pass`": round(help_s / python_s, 1),
    }


def write_photo(folder: Path, options: argparse.Namespace) -> Path:
    """A filled sheet as a phone of 12 megapixels takes it, as JPEG."""
    job = lab.Job(lab.source_of(options), options.seed)
    photo = lab.make(job, adapt=lambda scene: replace(scene, size_px=SIZE_PX))
    path = folder / "photo.jpg"
    Image.fromarray(np.ascontiguousarray(photo.photo.pixels[..., ::-1])).save(path, quality=JPEG_QUALITY)
    return path


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=__doc__)
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--reader", choices=get_args(ReaderName), default="network")
    parser.add_argument(
        "--batch", type=int, default=100, help="photos read by one and by two processes; 0: none"
    )
    parser.add_argument("--photo", type=Path, help="measure this photo instead of one from the lab")
    parser.add_argument("--json", action="store_true")
    lab.add_options(parser)
    options = parser.parse_args(arguments)
    lab.one_thread()
    os.environ["OMP_THREAD_LIMIT"] = "1"
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    if cores:
        os.sched_setaffinity(0, cores[:1])
    with tempfile.TemporaryDirectory() as folder:
        path = options.photo or write_photo(Path(folder), options)
        durations = steps(path, load_reader(options.reader), options.repeats)
        programs = program_figures(path, options.reader, options.repeats)
        programs |= batch_figures(path, Path(folder), options.batch, cores)
    if options.json:
        inside = {step: dataclasses.asdict(duration) for step, duration in durations.items()}
        print(json.dumps({"steps": inside, "programs": programs}, ensure_ascii=False))
        return 0
    rows = [(step, f"{time.clock_ms:.1f}", f"{time.processor_ms:.1f}") for step, time in durations.items()]
    print_table("A photo of 12 megapixels on one core", ("step", "ms", "processor, ms"), rows)
    print_table("The programs", ("figure", "value"), programs.items())
    return 0


if __name__ == "__main__":
    sys.exit(main())
