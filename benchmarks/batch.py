"""How much faster many photos are read by several processes: `sheetscan scan --jobs` from outside."""

import os
import shutil
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.goals import Figure

GOAL_TIMES = 1.8


def batch_figures(
    scan: Sequence[str], photo: Path, folder: Path, count: int, cores: Sequence[int]
) -> list[Figure]:
    """What copies of a photo take with one process on one core, and with one on each of two cores.

    The copies go into `folder`. Empty where there are no two cores to compare.
    """
    if count < 2 or len(cores) < 2:
        return []
    copies = [folder / f"copy-{number}{photo.suffix}" for number in range(count)]
    for copy in copies:
        shutil.copyfile(photo, copy)
    alone_s = _seconds(scan, copies, 1, cores[:1])
    together_s = _seconds(scan, copies, 2, cores[:2])
    return [
        Figure(f"{count} photos, one process on one core", alone_s, "s"),
        Figure(f"{count} photos, `--jobs 2` on two cores", together_s, "s"),
        Figure("times faster on two cores", alone_s / together_s, "", GOAL_TIMES, at_least=True),
    ]


def _seconds(scan: Sequence[str], photos: Sequence[Path], jobs: int, cores: Sequence[int]) -> float:
    start = time.perf_counter()
    subprocess.run(
        [*scan, "--jobs", str(jobs), *map(str, photos)],
        check=True,
        capture_output=True,
        preexec_fn=lambda: os.sched_setaffinity(0, cores),
    )
    return time.perf_counter() - start
