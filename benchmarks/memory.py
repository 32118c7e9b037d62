"""How much memory reading takes at most, whatever kind of file it is that people send."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from PIL import Image

from benchmarks.goals import Figure

GOAL_MB = 400
LARGE_PX = (12000, 16000)
WHOLE_PX = (8160, 6120)
"""As a phone of 50 megapixels takes it."""
HEIC_TILE_PX = 512
SCANNED_PX = (4960, 7016)
"""A4 with 600 pixels an inch."""
POSTER_MM = 2000
JOBS = 2
MEMORY_PROBE = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(done.returncode)
"""


def peak_memory_mb(command: Sequence[str]) -> float:
    """The most memory (resident set) that one process of a program held, in megabytes of 10⁶ bytes.

    A small process starts the program: until it runs, a child counts what its parent holds.
    """
    done = subprocess.run([sys.executable, "-c", MEMORY_PROBE, *command], check=True, capture_output=True)
    return int(done.stdout) * 1024 / 1e6


def memory_figures(scan: Sequence[str], single: Path, table: Path, folder: Path) -> Iterator[Figure]:
    """What a process of `sheetscan scan --jobs 2` holds at most, reading a photo of one sheet, of a `table`
    with several, and the largest files that are taken. Files are made in `folder`."""
    for name, path in [("12 megapixels", single), ("six sheets", table), *_large_files(single, folder)]:
        peak_mb = peak_memory_mb([*scan, "--jobs", str(JOBS), *map(str, _copies(path, folder))])
        yield Figure(f"peak memory a process, {name}", peak_mb, "MB", GOAL_MB)


def _copies(path: Path, folder: Path) -> list[Path]:
    """As many files like it as there are processes."""
    copies = [folder / f"memory-{number}{path.suffix}" for number in range(JOBS)]
    for copy in copies:
        shutil.copyfile(path, copy)
    return copies


def _large_files(photo: Path, folder: Path) -> Iterator[tuple[str, Path]]:
    for name, file_name, write in _LARGE:
        with Image.open(photo) as picture:
            write(picture, folder / file_name)
        yield name, folder / file_name


def _write_jpeg(picture: Image.Image, path: Path) -> None:
    turned = picture.transpose(Image.Transpose.ROTATE_90)
    turned.resize(LARGE_PX).save(path, quality=60)


def _write_heic(picture: Image.Image, path: Path) -> None:
    """In tiles, as phones write it."""
    import pillow_heif

    large = pillow_heif.from_pillow(picture.resize(WHOLE_PX))
    large.save(path, quality=40, tile_size=HEIC_TILE_PX, enc_params={"preset": "ultrafast"})


def _write_png(picture: Image.Image, path: Path) -> None:
    upright = picture.transpose(Image.Transpose.ROTATE_90)
    upright.resize(SCANNED_PX).convert("RGBA").save(path, compress_level=1)


def _write_poster(picture: Image.Image, path: Path) -> None:
    picture.save(path, resolution=picture.width / (POSTER_MM / 25.4))


_LARGE: tuple[tuple[str, str, Callable[[Image.Image, Path], None]], ...] = (
    ("12000 x 16000 pixels, JPEG", "large.jpg", _write_jpeg),
    ("50 megapixels, HEIC", "whole.heic", _write_heic),
    ("A4 with 600 pixels an inch, PNG with alpha", "scanned.png", _write_png),
    ("page of 2 metres, PDF", "poster.pdf", _write_poster),
)
