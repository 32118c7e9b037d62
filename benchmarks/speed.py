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
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from benchmarks import lab
from benchmarks.readers import READERS, load_reader
from benchmarks.tables import print_table
from sheetscan.imaging.cells import cut_cells
from sheetscan.imaging.code import read_sheet_code
from sheetscan.imaging.markers import find_markers, group_sheets
from sheetscan.imaging.photo import load_photos
from sheetscan.imaging.rectify import fit_sheet_map
from sheetscan.pipeline import Scan, Scanner
from sheetscan.reading.reader import Reader
from sheetscan.template import load_template

SIZE_PX = (4032, 3024)
JPEG_QUALITY = 92
WARM_UP = 2
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


def measured(action: Callable[[], object], repeats: int) -> Duration:
    """The median duration of an action, after it was done a few times unmeasured."""
    clock, processor = [], []
    for run in range(WARM_UP + repeats):
        start = time.perf_counter(), time.process_time()
        action()
        if run >= WARM_UP:
            clock.append(time.perf_counter() - start[0])
            processor.append(time.process_time() - start[1])
    return Duration(1000 * statistics.median(clock), 1000 * statistics.median(processor))


def steps(path: Path, reader: Reader, repeats: int) -> dict[str, Duration]:
    """The duration of each step from the file to the result, in order, and of the whole."""
    template = load_template("qwinto")
    kinds = [field.kind for field in template.readable_fields]
    (photo,) = load_photos(path)
    pixels = photo.pixels
    grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    ids = [marker.id for marker in template.markers]
    (seen,) = group_sheets(find_markers(grey, template.dictionary, ids), [template])
    sheet_map = fit_sheet_map(seen)
    cells = cut_cells(pixels, sheet_map, template, reader.cell)
    scanner = Scanner(reader)
    (scan,) = scanner.scan_photo(photo)
    if not isinstance(scan, Scan):
        raise TypeError(f"the benchmark's own photo was refused: {scan.message}")

    def find() -> None:
        turned_grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        fit_sheet_map(group_sheets(find_markers(turned_grey, template.dictionary, ids), [template])[0])

    return {
        "decode": measured(lambda: list(load_photos(path)), repeats),
        "find": measured(find, repeats),
        "read the code": measured(lambda: read_sheet_code(pixels, sheet_map, template), repeats),
        "flatten": measured(lambda: cut_cells(pixels, sheet_map, template, reader.cell), repeats),
        "read the fields": measured(lambda: reader.read(cells, kinds), repeats),
        "whole, without decoding": measured(lambda: list(scanner.scan_photo(photo)), repeats),
    }


def peak_memory_mb(command: Sequence[str]) -> float:
    """The most memory (resident set) that a program held at any time, in megabytes of 10⁶ bytes.

    A small process starts the program: until it runs, a child counts what its parent holds.
    """
    done = subprocess.run([sys.executable, "-c", MEMORY_PROBE, *command], check=True, capture_output=True)
    return int(done.stdout) * 1024 / 1e6


def _seconds(command: Sequence[str], repeats: int) -> float:
    duration = measured(lambda: subprocess.run(command, check=True, capture_output=True), repeats)
    return duration.clock_ms / 1000


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
    parser.add_argument("--reader", choices=READERS, default=READERS[0])
    parser.add_argument("--photo", type=Path, help="measure this photo instead of one from the lab")
    parser.add_argument("--json", action="store_true")
    lab.add_options(parser)
    options = parser.parse_args(arguments)
    lab.one_thread()
    os.environ["OMP_THREAD_LIMIT"] = "1"
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as folder:
        path = options.photo or write_photo(Path(folder), options)
        durations = steps(path, load_reader(options.reader), options.repeats)
        programs = program_figures(path, options.reader, options.repeats)
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
