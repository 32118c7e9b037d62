"""Records what a model's networks answer, for the test that guards them: `python -m training.record`.

To be run whenever one of them is another; needs onnxruntime, the reference, and no torch. Without an argument
it takes the newest shipped model.
"""

import argparse
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from sheetscan.geometry import Box
from sheetscan.imaging.outline import print_mask
from sheetscan.lab.hand import MARK_KINDS, SyntheticHand
from sheetscan.lab.pen import random_pen
from sheetscan.reading.model_folder import newest_model
from training.content import Writing, ink, layer_cell, placed, random_placing
from training.make_sheets import SPEC

RECORDED = Path("tests/reading/recorded_outputs.npz")
FIELD = Box.around((8, 8), 12.4, 12.4)
NETWORKS = ("model", "glance", "marks")
NUMBERS = ("1", "7", "12", "18", "21", "116", "4", "0", "-12")


def record(folder: Path, path: Path) -> None:
    """Write cells of an invented hand, what onnxruntime makes of them, and which networks these were."""
    cells = recorded_cells()
    planes = np.ascontiguousarray(cells.transpose(0, 3, 1, 2), np.float32) / 255
    found: dict[str, Any] = {"cells": cells}
    for name in NETWORKS:
        network = (folder / f"{name}.onnx").read_bytes()
        signs, kinds = onnxruntime.InferenceSession(network).run(["signs", "kinds"], {"cells": planes})
        found |= {f"{name} signs": signs, f"{name} kinds": kinds, f"{name} hash": sha256(network).hexdigest()}
    np.savez_compressed(path, **found)


def recorded_cells() -> NDArray[np.uint8]:
    """Numbers in circles, every kind of mark in boxes, and an empty field of either: (n, 64, 64, 2)."""
    hand, rng = SyntheticHand(7, european=True), np.random.default_rng(7)
    round_mask, box_mask = print_mask("circle", FIELD, SPEC), print_mask("box", FIELD, SPEC)
    cells = [np.stack([np.zeros_like(mask), mask], -1) for mask in (round_mask, box_mask)]
    for text in NUMBERS:
        writing = Writing((placed(hand.write(text, rng), random_placing(rng)),), "number", text)
        cells.append(np.stack([layer_cell(ink(writing, random_pen(rng), rng)), round_mask], -1))
    for kind in MARK_KINDS:
        mark = Writing((placed(hand.mark(kind, rng), random_placing(rng)),), "cross")
        cells.append(np.stack([layer_cell(ink(mark, random_pen(rng), rng)), box_mask], -1))
    return np.stack(cells)


def main() -> None:
    """Record the model folder named on the command line."""
    parser = argparse.ArgumentParser(prog="python -m training.record", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="model folder; the newest without it")
    parser.add_argument("--out", type=Path, default=RECORDED)
    options = parser.parse_args()
    record(options.folder or newest_model(), options.out)


if __name__ == "__main__":
    main()
