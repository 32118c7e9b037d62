"""Pre-generates ink layers in parallel: `python -m training.make_layers 300000 --out work/layers`."""

import argparse
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import cv2
import numpy as np

from training.content import KINDS, LAYER_PX, Kind, Scope, Writers, random_layer

Shares = dict[tuple[Scope, Kind], float]
SHARES: Shares = {
    ("number", "number"): 0.65,
    ("number", "cross"): 0.07,
    ("number", "void"): 0.09,
    ("number", "empty"): 0.02,
    ("mark", "cross"): 0.1,
    ("mark", "line"): 0.03,
    ("mark", "void"): 0.04,
}
MARK_SHARES: Shares = {
    **{(scope, kind): share for (scope, kind), share in SHARES.items() if scope == "mark"},
    ("mark", "empty"): 0.004,
}
CHUNK = 10_000


def make_chunk(folder: Path, out: Path, chunk: int, count: int, shares: Shares) -> Path:
    """Write one file of layers: `layers` (n, 72, 72) uint8, `kind` index, `text`, `is_mark`."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng([chunk, 2024])
    writers = Writers(folder)
    classes, weights = list(shares), np.array(list(shares.values()))
    layers = np.empty((count, LAYER_PX, LAYER_PX), np.uint8)
    kinds, texts, marks = np.empty(count, np.int64), [], np.empty(count, bool)
    for index in range(count):
        scope, kind = classes[int(rng.choice(len(classes), p=weights / weights.sum()))]
        layers[index], text = random_layer(writers, scope, kind, rng)
        kinds[index], marks[index] = KINDS.index(kind), scope == "mark"
        texts.append(text)
    path = out / f"layers-{chunk:03d}.npz"
    np.savez(path, layers=layers, kind=kinds, text=np.array(texts, "U4"), is_mark=marks)
    return path


def main() -> None:
    """Make the layers asked for on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--data", type=Path, default=Path("../shared/data/handwriting"))
    parser.add_argument("--out", type=Path, default=Path("work/layers"))
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--first-chunk", type=int, default=0)
    parser.add_argument("--marks", action="store_true", help="only what stands in fields to be marked")
    options = parser.parse_args()
    shares = MARK_SHARES if options.marks else SHARES
    options.out.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(options.processes) as pool:
        jobs = [
            pool.submit(make_chunk, options.data, options.out, options.first_chunk + chunk, CHUNK, shares)
            for chunk in range(-(-options.count // CHUNK))
        ]
        for job in jobs:
            print(job.result(), flush=True)


if __name__ == "__main__":
    main()
