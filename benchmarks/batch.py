"""How much faster many photos are read by several processes: `sheetscan scan --jobs` from outside."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path


def batch_figures(photo: Path, folder: Path, count: int, cores: Sequence[int]) -> dict[str, float]:
    """Seconds that copies of a photo take with one process on one core, and with one on each of two cores.

    The copies go into `folder`. Names hold the units. Empty where there are no two cores to compare.
    """
    if count < 2 or len(cores) < 2:
        return {}
    copies = [folder / f"copy-{number}{photo.suffix}" for number in range(count)]
    for copy in copies:
        shutil.copyfile(photo, copy)
    alone_s = _seconds(copies, 1, cores[:1])
    together_s = _seconds(copies, 2, cores[:2])
    return {
        f"{count} photos, one process on one core, s": round(alone_s, 1),
        f"{count} photos, `--jobs 2` on two cores, s": round(together_s, 1),
        "times faster on two cores": round(alone_s / together_s, 2),
    }


def _seconds(photos: Sequence[Path], jobs: int, cores: Sequence[int]) -> float:
    program = [str(Path(sys.executable).parent / "sheetscan"), "scan", "-f", "jsonl", "--exit-zero"]
    start = time.perf_counter()
    subprocess.run(
        [*program, "--jobs", str(jobs), *map(str, photos)],
        check=True,
        capture_output=True,
        preexec_fn=lambda: os.sched_setaffinity(0, cores),
    )
    return time.perf_counter() - start
