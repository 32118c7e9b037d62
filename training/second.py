"""Trains the second reader's readout: from what a general recogniser sees to numbers and kinds of content.

`python -m training.second work/sheets sheetscan/reading/models/second-v1` reads the cells of the training's
writers with the recogniser of `rapidocr` (kept as they are in work/second, because that takes longest) and
writes `readout.npz`. `--validate work/validation` tells how it reads others.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn
from torch.nn import functional

from sheetscan.reading.second import (
    KINDS,
    SYMBOLS,
    Readout,
    SecondReader,
    features_of,
    line_of,
    load_recogniser,
    recogniser_path,
)
from sheetscan.result import Content
from training.calibrate import truth_of
from training.content import KINDS as WRITTEN
from training.make_sheets import FIELD_KINDS

LAST_LAYER = "linear_8.w_0"
FIRST_CHARACTERS = (0, 13, *range(33, 43))
"""The blank, the minus and the ten digits among the recogniser's outputs."""
HIDDEN = 96
BATCH = 256
DROPPED = 0.1
RATE, DECAY = 3e-3, 1e-2


@dataclass(frozen=True)
class Lines:
    """Features (n, columns, characters) with the kind (index of KINDS) and the text of what is written."""

    features: NDArray[np.float32]
    kinds: NDArray[np.int64]
    texts: NDArray[np.str_]


def spanning_characters(path: Path) -> NDArray[np.int64]:
    """Characters whose outputs together say all that the recogniser's last layer is given.

    Those whose weights differ most from what is spanned already are taken one by one (Gram-Schmidt).
    """
    weights = next(i for i in onnx.load(path).graph.initializer if i.name == LAST_LAYER)
    left = numpy_helper.to_array(weights).astype(np.float64)
    chosen: list[int] = []
    while len(chosen) < left.shape[0]:
        lengths = np.linalg.norm(left, axis=0)
        taken = len(chosen)
        chosen.append(FIRST_CHARACTERS[taken] if taken < len(FIRST_CHARACTERS) else int(np.argmax(lengths)))
        direction = left[:, chosen[-1]] / lengths[chosen[-1]]
        left = left - np.outer(direction, direction @ left)
    return np.array(chosen)


def lines_of(cells: Path, kept: Path, characters: NDArray[np.int64]) -> Lines:
    """The recogniser's features of all cells with strokes, from `kept` where they were taken before."""
    recogniser = load_recogniser(recogniser_path())
    kept.mkdir(parents=True, exist_ok=True)
    parts = []
    for path in sorted(cells.glob("cells-*.npz")):
        file = kept / f"{cells.name}-{path.name}"
        if not file.exists():
            taken = _taken(path, recogniser, characters)
            np.savez(file, features=taken.features, kinds=taken.kinds, texts=taken.texts)
            print(file, flush=True)
        with np.load(file) as part:
            parts.append(Lines(part["features"], part["kinds"], part["texts"]))
    return Lines(
        np.concatenate([part.features for part in parts]),
        np.concatenate([part.kinds for part in parts]),
        np.concatenate([part.texts for part in parts]),
    )


def _taken(path: Path, recogniser: "cv2.dnn.Net", characters: NDArray[np.int64]) -> Lines:
    with np.load(path) as file:
        chosen = np.flatnonzero(file["field"] != FIELD_KINDS.index("mark"))
        cells, texts = file["cells"][chosen], file["text"][chosen]
        truths = [
            truth_of(WRITTEN[kind], text, FIELD_KINDS[field])
            for kind, text, field in zip(file["kind"][chosen], texts, file["field"][chosen], strict=True)
        ]
    lines = {place: line for place, cell in enumerate(cells) if (line := line_of(cell)) is not None}
    places = list(lines)
    return Lines(
        features_of(recogniser, list(lines.values()), characters),
        np.array([KINDS.index(Content(truths[place].kind)) for place in places]),
        texts[places],
    )


class ReadoutNet(nn.Module):
    """As `sheetscan.reading.second.Readout`, to be trained."""

    def __init__(self, characters: int) -> None:
        super().__init__()
        self.hidden = nn.Conv1d(characters, HIDDEN, 3, padding=1)
        self.signs = nn.Conv1d(HIDDEN, len(SYMBOLS), 1)
        self.kinds = nn.Linear(2 * HIDDEN, len(KINDS))

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of signs (n, symbols, columns) and kinds, from features (n, characters, columns)."""
        hidden = functional.silu(self.hidden(features))
        return self.signs(hidden), self.kinds(torch.cat([hidden.mean(-1), hidden.amax(-1)], 1))


def train(lines: Lines, epochs: int) -> tuple[ReadoutNet, NDArray[np.float32], NDArray[np.float32]]:
    """The trained network, and the features' mean and deviation."""
    torch.manual_seed(0)
    mean = lines.features.mean(axis=(0, 1))
    deviation = lines.features.std(axis=(0, 1)) + np.float32(1e-3)
    features = torch.tensor(((lines.features - mean) / deviation).transpose(0, 2, 1))
    kinds = torch.tensor(lines.kinds)
    targets = [[SYMBOLS.index(sign) for sign in text] for text in lines.texts]
    net = ReadoutNet(features.shape[1])
    optimiser = torch.optim.AdamW(net.parameters(), RATE, weight_decay=DECAY)
    steps = epochs * (len(targets) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=steps)
    rng = np.random.default_rng(0)
    for _ in range(epochs):
        order = rng.permutation(len(targets))
        for start in range(0, len(targets) - BATCH + 1, BATCH):
            chosen = order[start : start + BATCH]
            kept = (torch.rand(BATCH, features.shape[1], 1) > DROPPED) / (1 - DROPPED)
            signs, answers = net(features[chosen] * kept)
            loss = _loss(signs, answers, kinds[chosen], [targets[place] for place in chosen])
            optimiser.zero_grad()
            torch.autograd.backward(loss)
            optimiser.step()
            schedule.step()
    return net.eval(), mean, deviation


def _loss(signs: Tensor, kinds: Tensor, truths: Tensor, targets: Sequence[list[int]]) -> Tensor:
    """Surprise at the spelling of the numbers and at the kinds."""
    spelt = [place for place, target in enumerate(targets) if target]
    shares = signs[spelt].log_softmax(1).permute(2, 0, 1)
    spelling = functional.ctc_loss(
        shares,
        torch.tensor([sign for place in spelt for sign in targets[place]]),
        torch.full((len(spelt),), shares.shape[0]),
        torch.tensor([len(targets[place]) for place in spelt]),
        zero_infinity=True,
    )
    return spelling + functional.cross_entropy(kinds, truths)


def readout_of(
    net: ReadoutNet,
    characters: NDArray[np.int64],
    mean: NDArray[np.float32],
    deviation: NDArray[np.float32],
) -> Readout:
    """What the package needs of the trained network."""
    arrays = {name: value.detach().numpy() for name, value in net.state_dict().items()}
    return Readout(
        characters,
        mean,
        deviation,
        arrays["hidden.weight"],
        arrays["hidden.bias"],
        arrays["signs.weight"][..., 0],
        arrays["signs.bias"],
        arrays["kinds.weight"],
        arrays["kinds.bias"],
    )


def found_in(
    reader: SecondReader, cells: NDArray[np.uint8], fields: NDArray[np.int64]
) -> list[dict[Content, float]]:
    """What the second reader says of cells, `fields` being indices of FIELD_KINDS."""
    return reader.probabilities(cells, [FIELD_KINDS[field] for field in fields])


def report(folder: Path, cells: Path) -> None:
    """Print how many fields of each length are read exactly."""
    reader = SecondReader(folder)
    counts: dict[str, list[bool]] = {}
    for path in sorted(cells.glob("cells-*.npz")):
        with np.load(path) as file:
            chosen = np.flatnonzero(file["field"] != FIELD_KINDS.index("mark"))
            parts = [file[name][chosen] for name in ("cells", "kind", "text", "field")]
        for found, kind, text, field in zip(found_in(reader, *parts[::3]), *parts[1:], strict=True):
            truth = truth_of(WRITTEN[kind], text, FIELD_KINDS[field])
            group = f"{len(text.lstrip('-'))} digits" if text else truth.kind
            counts.setdefault(group, []).append(max(found, key=lambda content: found[content]) == truth)
    for group, right in sorted(counts.items()):
        print(f"{cells.name}, {group}: {np.mean(right):.4f} of {len(right)} read exactly")


def main() -> None:
    """Train as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cells", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kept", type=Path, default=Path("work/second"))
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--validate", type=Path, nargs="*", default=[])
    options = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    characters = spanning_characters(recogniser_path())
    net, mean, deviation = train(lines_of(options.cells, options.kept, characters), options.epochs)
    options.folder.mkdir(parents=True, exist_ok=True)
    np.savez(options.folder / "readout.npz", **vars(readout_of(net, characters, mean, deviation)))
    for cells in options.validate:
        report(options.folder, cells)


if __name__ == "__main__":
    main()
