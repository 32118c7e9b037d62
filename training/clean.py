"""Finds recorded digits that don't show what their label says: `python -m training.clean MODEL`.

Every sample is drawn cleanly and read; those that the network is sure to be something else are listed, with a
sheet of pictures to look at, since it is a person who decides what goes into sheetscan/lab/undecidable.toml.
"""

import argparse
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetscan.geometry import Box
from sheetscan.imaging.outline import print_mask
from sheetscan.lab.pen import Pen
from sheetscan.lab.recorded import DIGIT_FILES, Sample, Split, load_samples, plausible_number
from sheetscan.reading.network import NetworkReader
from sheetscan.result import number
from training.content import Placing, Writing, ink, layer_cell, placed
from training.make_sheets import SPEC

PEN = Pen("gel", (0.1, 0.1, 0.1), 0.45, 1.0, 0.0, 0.0, 0.0, 0.03)
PLACING = Placing(height_mm=6.0, widest_mm=11.0, centre_mm=(0.0, 0.0), turn=0.0)
FIELD = Box.around((8, 8), 13, 11)
HARDLY = 0.05
"""Probability of the label under which a sample is suspected."""
SURELY = 0.6
COLUMNS = 24
SHOWN_PX = 40


@dataclass(frozen=True)
class Suspect:
    """A sample, its picture, and what the network reads in it."""

    file: str
    sample: Sample
    cell: NDArray[np.uint8]
    reading: str


def clean_cell(sample: Sample) -> NDArray[np.uint8]:
    """The sample in a tally field without any outline drawn, (64, 64, 2)."""
    writing = Writing((placed(sample.strokes, PLACING),), "number", sample.label)
    layer = ink(writing, PEN, np.random.default_rng(0))
    return np.stack([layer_cell(layer), print_mask("box", FIELD, SPEC)], axis=-1)


def suspects(reader: NetworkReader, path: Path, split: Split) -> list[Suspect]:
    """The samples of a file that are surely read as something else than their label."""
    samples = [sample for sample in load_samples(path, split) if plausible_number(sample)]
    found = []
    for start in range(0, len(samples), 256):
        part = samples[start : start + 256]
        cells = np.stack([clean_cell(sample) for sample in part])
        read = reader.closely(cells, ["tally"] * len(part))
        for sample, cell, shares in zip(part, cells, read, strict=True):
            best = max(shares, key=lambda content: shares[content])
            if shares.get(number(int(sample.label)), 0.0) < HARDLY and shares[best] > SURELY:
                found.append(Suspect(path.stem, sample, cell, str(best)))
    return found


def show(found: list[Suspect], path: Path) -> None:
    """Write a picture of all suspects: label above, reading below, index at the bottom."""
    rows = -(-len(found) // COLUMNS)
    sheet = np.full((max(1, rows) * (SHOWN_PX * 2 + 30), COLUMNS * SHOWN_PX * 2), 255, np.uint8)
    for place, suspect in enumerate(found):
        row, column = divmod(place, COLUMNS)
        top, left = row * (SHOWN_PX * 2 + 30), column * SHOWN_PX * 2
        picture = cv2.resize(255 - suspect.cell[..., 0], (SHOWN_PX * 2, SHOWN_PX * 2))
        sheet[top : top + SHOWN_PX * 2, left : left + SHOWN_PX * 2] = picture
        words = f"{suspect.sample.label}>{suspect.reading}", str(suspect.sample.index)
        for line, text in enumerate(words):
            at = (left + 2, top + SHOWN_PX * 2 + 11 + 13 * line)
            cv2.putText(sheet, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.38, 0, 1, cv2.LINE_AA)
    cv2.imwrite(str(path), sheet)


def main() -> None:
    """List the suspects of the split named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("--data", type=Path, default=Path("../shared/data/handwriting"))
    parser.add_argument("--split", choices=("train", "validation"), default="train")
    parser.add_argument("--out", type=Path, default=Path("work/suspects"))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    reader = NetworkReader(options.model)
    for name in DIGIT_FILES:
        found = suspects(reader, options.data / f"{name}.npz", options.split)
        show(found, options.out / f"{name}-{options.split}.png")
        print(f"[{name}]\n{options.split} = {[suspect.sample.index for suspect in found]}")


if __name__ == "__main__":
    main()
