"""Trains the network: `python -m training.train work/run1 --steps 4000`, from its checkpoint on."""

import argparse
import copy
import time
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from training.compose import MARK_SHARE, Batch, Cells, Composer, load_cells, load_layers, marks_of, targets_of
from training.model import MARK_KINDS, NUMBER_KINDS, SYMBOLS, CellNet, ColumnNet, GlanceNet
from training.restore import restored

EMA_DECAY = 0.998
WARMUP_STEPS = 200
LABEL_SMOOTHING = 0.005
BLANK_COLUMNS_WEIGHT = 0.2
"""Cells without a number teach the sign head blanks, with this weight."""
RESTORED_WITH = 512
"""Cells from which a restored network learns the spread of its layers' outputs."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and how fast to learn."""

    steps: int
    batch: int
    rate: float
    sheet_share: float
    seed: int
    bfloat16: bool


def losses_of(signs: Tensor, kinds: Tensor, batch: Batch) -> Tensor:
    """Of each cell: CTC over the sign head, and cross entropy over the kinds of its field's own head."""
    log_probs = functional.log_softmax(signs.float(), dim=1).permute(2, 0, 1)
    columns = torch.full((len(kinds),), signs.shape[2], dtype=torch.long)
    spelling = functional.ctc_loss(
        log_probs, batch.targets, columns, batch.target_lengths, reduction="none", zero_infinity=True
    )
    written = batch.target_lengths > 0
    weights = torch.where(written, 1 / batch.target_lengths.clamp(min=1) ** 0.5, BLANK_COLUMNS_WEIGHT)
    number, mark = kinds[:, : len(NUMBER_KINDS)].float(), kinds[:, len(NUMBER_KINDS) :].float()
    logits = torch.where(batch.is_mark[:, None], mark, number)
    kind = functional.cross_entropy(logits, batch.kinds, reduction="none", label_smoothing=LABEL_SMOOTHING)
    return spelling * weights + kind


def greedy(signs: Tensor) -> list[str]:
    """The most probable path's text of every cell."""
    texts = []
    for path in signs.argmax(dim=1).tolist():
        merged = [symbol for place, symbol in enumerate(path) if place == 0 or path[place - 1] != symbol]
        texts.append("".join(SYMBOLS[symbol] for symbol in merged if symbol))
    return texts


@torch.no_grad()
def evaluate(model: nn.Module, cells: Cells) -> dict[str, float]:
    """Shares of cells read right: all, numbers, other kinds; and of empty ones in which ink is seen."""
    model.eval()
    assert cells.mask is not None
    kinds_target, is_mark, _, _ = targets_of(cells, np.arange(len(cells)))
    texts: list[str] = []
    read_kinds = []
    for start in range(0, len(cells), 512):
        part = slice(start, start + 512)
        pictures = torch.from_numpy(np.stack([cells.ink[part], cells.mask[part]], 1)).float() / 255
        signs, kinds = model(pictures.to(memory_format=torch.channels_last))
        number, mark = kinds.split([len(NUMBER_KINDS), len(MARK_KINDS)], dim=1)
        read_kinds.append(torch.where(is_mark[part, None], mark, number).argmax(dim=1))
        texts += greedy(signs)
    right_kind = (torch.cat(read_kinds) == kinds_target).numpy()
    numbers = cells.text != ""
    right = right_kind & (~numbers | (np.array(texts) == cells.text))
    empty = kinds_target.numpy() == 0
    return {
        "exact": float(right.mean()),
        "numbers": float(right[numbers].mean()),
        "signs": float((np.array(texts) == cells.text)[numbers].mean()),
        "other": float(right[~numbers & ~empty].mean()),
        "ink in empty": float(1 - right[empty].mean()),
    }


class Run:
    """A training run with its checkpoint and log in a folder."""

    def __init__(self, folder: Path, plan: Plan, model: ColumnNet) -> None:
        self.folder, self.plan = folder, plan
        torch.manual_seed(plan.seed)
        self.model: nn.Module = model
        self.model.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.average = copy.deepcopy(self.model)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=plan.rate, weight_decay=0.02)
        self.step = 0
        checkpoint = folder / "checkpoint.pt"
        if checkpoint.exists():
            state = torch.load(checkpoint)
            self.model.load_state_dict(state["model"])
            self.average.load_state_dict(state["average"])
            self.optimizer.load_state_dict(state["optimizer"])
            self.step = state["step"]

    def save(self) -> None:
        """Write the checkpoint; the old one stays until the new one is whole."""
        state = {
            "model": self.model.state_dict(),
            "average": self.average.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "step": self.step,
        }
        torch.save(state, self.folder / "checkpoint.tmp")
        (self.folder / "checkpoint.tmp").replace(self.folder / "checkpoint.pt")

    def learn(self, batch: Batch) -> NDArray[np.float32]:
        """One step; the loss of each cell."""
        self.model.train()
        for group in self.optimizer.param_groups:
            group["lr"] = self._rate()
        with torch.autocast("cpu", torch.bfloat16) if self.plan.bfloat16 else nullcontext():
            signs, kinds = self.model(batch.cells.to(memory_format=torch.channels_last))
        losses = losses_of(signs, kinds, batch)
        self.optimizer.zero_grad()
        losses.mean().backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.model.parameters(), 2.0)
        self.optimizer.step()
        self.step += 1
        self._follow()
        return np.asarray(losses.detach().numpy(), np.float32)

    def _rate(self) -> float:
        warm = min(1.0, (self.step + 1) / WARMUP_STEPS)
        cosine = 0.5 * (1 + np.cos(np.pi * min(1.0, self.step / self.plan.steps)))
        return float(self.plan.rate * warm * max(cosine, 0.005))

    @torch.no_grad()
    def _follow(self) -> None:
        """Move the running average of the weights."""
        decay = min(EMA_DECAY, (1 + self.step) / (10 + self.step))
        for mine, theirs in zip(
            self.average.state_dict().values(), self.model.state_dict().values(), strict=True
        ):
            if mine.dtype.is_floating_point:
                mine.lerp_(theirs, 1 - decay)
            else:
                mine.copy_(theirs)


def _first_model(options: argparse.Namespace, known: Tensor) -> ColumnNet:
    """The network to begin with: another run's average, a model's or one that knows nothing."""
    start: Path | None = options.start
    if start and not (start / "checkpoint.pt").exists():
        return restored(start, known)
    model = GlanceNet() if options.glance else CellNet()
    if start:
        model.load_state_dict(torch.load(start / "checkpoint.pt")["average"])
    return model


def main() -> None:
    """Train as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--batch", type=int, default=192)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--sheet-share", type=float, default=0.25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=Path, default=Path("work"))
    parser.add_argument("--every", type=int, default=400)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--start", type=Path, help="model folder to go on from, or a run of the same network")
    parser.add_argument("--glance", action="store_true", help="the small network that reads plain cells")
    parser.add_argument("--marks", action="store_true", help="on nothing but fields to be marked")
    parser.add_argument("--bfloat16", action="store_true", help="faster on processors that have it")
    options = parser.parse_args()
    if options.glance and options.start and not (options.start / "checkpoint.pt").exists():
        parser.error(f"{options.start}: not a run; only the large network can go on from a model folder")
    torch.set_num_threads(options.threads)
    options.folder.mkdir(parents=True, exist_ok=True)
    plan = Plan(
        options.steps, options.batch, options.rate, options.sheet_share, options.seed, options.bfloat16
    )
    work: Path = options.work

    def cells_of(name: str) -> Cells:
        cells = load_cells(work / name)
        return marks_of(cells) if options.marks else cells

    sheets = cells_of("sheets") if list((work / "sheets").glob("*.npz")) else None
    layers, blanks = load_layers(work / ("marks" if options.marks else "layers")), load_cells(work / "blanks")
    composing = partial(
        Composer,
        layers,
        blanks,
        sheets,
        plan.sheet_share,
        mark_share=1.0 if options.marks else MARK_SHARE,
    )
    known = composing(plan.seed).batch(RESTORED_WITH).cells
    run = Run(options.folder, plan, _first_model(options, known))
    composer = composing(plan.seed + run.step)
    validation = cells_of("validation")
    losses, started = [], time.monotonic()
    with (options.folder / "log.txt").open("a") as log:
        while run.step < plan.steps:
            of_cells = run.learn(composer.batch(plan.batch))
            composer.notice(of_cells)
            losses.append(of_cells.mean())
            if run.step % options.every == 0 or run.step == plan.steps:
                run.save()
                figures = evaluate(run.average, validation)
                figures |= {"loss": float(np.mean(losses)), "minutes": (time.monotonic() - started) / 60}
                words = " ".join(f"{name} {figure:.4f}" for name, figure in figures.items())
                print(run.step, words, file=log, flush=True)
                losses.clear()


if __name__ == "__main__":
    main()
