"""Puts training cells together in memory: layers on blank ground or cells of whole sheets, then disturbed."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from training.content import KINDS
from training.make_sheets import FIELD_KINDS
from training.model import MARK_KINDS, NUMBER_KINDS, SYMBOLS

CELL_PX = 64
NEIGHBOUR_PX = 56
"""Fields of a row are 14 mm apart."""
EMPTY = KINDS.index("empty")
NUMBER = KINDS.index("number")
MARK_FIELD = FIELD_KINDS.index("mark")
TALLY_FIELD = FIELD_KINDS.index("tally")
EMPTY_SHARE = 0.14
MARK_SHARE = 0.1
SLIP_SHARE = 0.04
EASE = 0.1
"""A layer is drawn as often as this, plus its last loss: one that is known well teaches nothing more."""
FALSE_FROM = 2.0
"""A loss from which a label is more likely wrong than hard to learn: drawn no more than the easy ones."""


@dataclass(frozen=True)
class Cells:
    """Pictures with labels: `ink` (n, side, side) uint8, `kind` index of KINDS, `field` of FIELD_KINDS.

    `text` is the number's digits, empty for other kinds. `mask` and `writer` are there where the cells come
    from sheets.
    """

    ink: NDArray[np.uint8]
    kind: NDArray[np.int64]
    text: NDArray[np.str_]
    field: NDArray[np.int64]
    mask: NDArray[np.uint8] | None = None
    writer: NDArray[np.str_] | None = None

    def __len__(self) -> int:
        return len(self.kind)


@dataclass(frozen=True)
class Batch:
    """Cells (n, 2, 64, 64) in 0..1; targets; `is_mark` tells which kinds count."""

    cells: Tensor
    kinds: Tensor
    is_mark: Tensor
    targets: Tensor
    target_lengths: Tensor


def load_layers(folder: Path) -> Cells:
    """All layers of `training.make_layers`; `field` is MARK_FIELD or a number field."""
    files = [np.load(path) for path in sorted(folder.glob("layers-*.npz"))]
    is_mark = np.concatenate([file["is_mark"] for file in files])
    return Cells(
        ink=np.concatenate([file["layers"] for file in files]),
        kind=np.concatenate([file["kind"] for file in files]),
        text=np.concatenate([file["text"] for file in files]),
        field=np.where(is_mark, MARK_FIELD, FIELD_KINDS.index("number")),
    )


def load_cells(folder: Path) -> Cells:
    """All cells of `training.make_sheets`."""
    files = [np.load(path) for path in sorted(folder.glob("cells-*.npz"))]
    pictures = np.concatenate([file["cells"] for file in files])
    return Cells(
        ink=np.ascontiguousarray(pictures[..., 0]),
        mask=np.ascontiguousarray(pictures[..., 1]),
        kind=np.concatenate([file["kind"] for file in files]),
        text=np.concatenate([file["text"] for file in files]),
        field=np.concatenate([file["field"] for file in files]),
        writer=np.concatenate([file["writer"] for file in files]),
    )


def marks_of(cells: Cells) -> Cells:
    """The cells of fields to be marked."""
    kept = cells.field == MARK_FIELD
    return Cells(
        cells.ink[kept],
        cells.kind[kept],
        cells.text[kept],
        cells.field[kept],
        cells.mask[kept] if cells.mask is not None else None,
        cells.writer[kept] if cells.writer is not None else None,
    )


def targets_of(cells: Cells, chosen: NDArray[np.int64]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Kinds (within their own head), is_mark, CTC targets (n, 4) and their lengths."""
    return encoded(cells.kind[chosen], cells.text[chosen], cells.field[chosen] == MARK_FIELD)


def encoded(
    kind: NDArray[np.int64], text: NDArray[np.str_], is_mark: NDArray[np.bool_]
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Labels as the network's targets."""
    kinds = [
        (MARK_KINDS if mark else NUMBER_KINDS).index(KINDS[index])
        for index, mark in zip(kind, is_mark, strict=True)
    ]
    targets = torch.zeros((len(text), 4), dtype=torch.long)
    for row, signs in enumerate(text):
        targets[row, : len(signs)] = torch.tensor([SYMBOLS.index(sign) for sign in signs], dtype=torch.long)
    return (
        torch.tensor(kinds),
        torch.from_numpy(is_mark),
        targets,
        torch.tensor([len(signs) for signs in text]),
    )


class Composer:
    """Draws batches for ever."""

    def __init__(
        self,
        layers: Cells,
        blanks: Cells,
        sheets: Cells | None,
        sheet_share: float,
        seed: int,
        mark_share: float = MARK_SHARE,
    ) -> None:
        self._layers, self._blanks, self._sheets = layers, blanks, sheets
        self._sheet_share = sheet_share if sheets is not None else 0.0
        self._mark_share = mark_share
        self._rng = np.random.default_rng(seed)
        self._torch = torch.Generator().manual_seed(seed)
        self._grounds = {field: np.flatnonzero(blanks.field == field) for field in range(len(FIELD_KINDS))}
        self._number_layers = np.flatnonzero(layers.field != MARK_FIELD)
        self._plain_layers = np.flatnonzero((layers.kind == NUMBER) & (layers.field != MARK_FIELD))
        self._mark_layers = np.flatnonzero(layers.field == MARK_FIELD)
        self._odds = np.full(len(layers), 2 * EASE)
        self._shown = np.empty(0, np.int64)

    def notice(self, losses: NDArray[np.float32]) -> None:
        """Take in what the cells of the last batch cost, in their order: hard layers come again sooner."""
        losses = losses[: len(self._shown)]
        seen = self._shown >= 0
        hard = np.where(losses < FALSE_FROM, losses, 0)
        self._odds[self._shown[seen]] = EASE + hard[seen]

    def _drawn(self, layers: NDArray[np.int64], size: int) -> NDArray[np.int64]:
        """So many of `layers`, by their odds; none of none."""
        if size == 0:
            return np.empty(0, np.int64)
        along = np.cumsum(self._odds[layers])
        return np.asarray(layers[np.searchsorted(along, self._rng.random(size) * along[-1])])

    def batch(self, size: int) -> Batch:
        """A batch of disturbed cells."""
        from_sheets = round(size * self._sheet_share)
        parts = [self._composed(size - from_sheets)]
        if from_sheets and self._sheets is not None:
            parts.append(self._of_sheets(self._sheets, from_sheets))
        return Batch(*(torch.cat(part) for part in zip(*parts, strict=True)))

    def _of_sheets(self, sheets: Cells, size: int) -> tuple[Tensor, ...]:
        assert sheets.mask is not None
        chosen = self._rng.integers(0, len(sheets), size)
        ink, mask = (_unit(part[chosen]) for part in (sheets.ink, sheets.mask))
        ink = self._moved(ink, CELL_PX, turn=0.03, grow=0.06, shift_px=1.2)
        ink = self._disturbed(ink, 0.5)
        return torch.cat([ink, mask], 1), *targets_of(sheets, chosen)

    def _composed(self, size: int) -> tuple[Tensor, ...]:
        marks = round(size * self._mark_share)
        chosen = np.concatenate(
            [self._drawn(self._mark_layers, marks), self._drawn(self._number_layers, size - marks)]
        )
        empty = self._rng.random(size) < EMPTY_SHARE
        self._shown = np.where(empty, -1, chosen)
        grounds = np.array([self._ground(index) for index in chosen])
        writing = self._writing(chosen)
        writing = 1 - (1 - writing) * (1 - self._slips(chosen, writing))
        writing[torch.from_numpy(empty)] = 0
        writing = 1 - (1 - writing) * (1 - self._neighbours(size))
        writing = 1 - (1 - writing) * (1 - self._remains(size))
        writing = 1 - (1 - writing) * (1 - self._show_through(size))
        writing = self._blurred(writing, (0.0, 0.35, 0.6, 0.9, 1.3))
        assert self._blanks.mask is not None
        ground, mask = (_unit(part[grounds]) for part in (self._blanks.ink, self._blanks.mask))
        ground = self._moved(ground, CELL_PX, turn=0.02, grow=0.02, shift_px=1.4)
        ink = self._disturbed(1 - (1 - ground) * (1 - writing), 1.0)
        kind = np.where(empty, EMPTY, self._layers.kind[chosen])
        text = np.where(empty, "", self._layers.text[chosen])
        is_mark = self._layers.field[chosen] == MARK_FIELD
        return torch.cat([ink, mask], 1), *encoded(kind, text, is_mark)

    def _ground(self, layer: int) -> int:
        """A blank field in which that layer may stand."""
        if self._layers.field[layer] == MARK_FIELD:
            field = MARK_FIELD
        elif self._layers.text[layer].startswith("-") or self._rng.random() < 0.2:
            field = TALLY_FIELD
        else:
            field = FIELD_KINDS.index("number" if self._rng.random() < 0.93 else "blocked")
        return int(self._rng.choice(self._grounds[field]))

    def _writing(self, chosen: NDArray[np.int64]) -> Tensor:
        return self._placed(chosen) * self._uniform(len(chosen), 0.7, 1.1)

    def _placed(self, chosen: NDArray[np.int64]) -> Tensor:
        """Layers as somebody might have written them a little elsewhere and otherwise."""
        layers = _unit(self._layers.ink[chosen])
        return self._moved(layers, CELL_PX, turn=0.06, grow=0.1, shift_px=1.5, shear=0.1, widen=0.12)

    def _slips(self, chosen: NDArray[np.int64], writing: Tensor) -> Tensor:
        """Below some numbers, another one that was written lightly at first: the darker one counts."""
        size = len(chosen)
        slip = self._placed(self._rng.choice(self._plain_layers, size))
        darkest, darkness = (ink.amax(dim=(2, 3), keepdim=True) for ink in (writing, slip))
        light = slip * darkest / darkness.clamp(min=0.1) * self._uniform(size, 0.3, 0.75)
        number = torch.from_numpy(self._layers.kind[chosen] == NUMBER).float()[:, None, None, None]
        return light * self._chance(size, SLIP_SHARE) * number

    def _neighbours(self, size: int) -> Tensor:
        """What is written in the fields left and right, where it reaches into this one."""
        layers = _unit(self._layers.ink[self._rng.choice(self._number_layers, size)])
        side = torch.randint(0, 2, (size, 1, 1, 1), generator=self._torch) * 2.0 - 1
        shift = side * (NEIGHBOUR_PX + torch.randn((size, 1, 1, 1), generator=self._torch) * 3)
        moved = self._moved(layers, CELL_PX, turn=0.05, grow=0.15, shift_px=1.5, offset_px=shift)
        return moved * self._chance(size, 0.5)

    def _remains(self, size: int) -> Tensor:
        """Erased writing: what is left of it is to be overlooked."""
        layers = _unit(self._layers.ink[self._rng.choice(self._number_layers, size)])
        moved = self._moved(layers, CELL_PX, turn=0.06, grow=0.1, shift_px=3)
        smeared = self._blurred(moved, (0.5, 1.0, 2.0))
        return smeared * self._uniform(size, 0.01, 0.075) * self._chance(size, 0.12)

    def _show_through(self, size: int) -> Tensor:
        """Writing on the back of the paper: mirrored, soft and pale, to be overlooked."""
        layers = _unit(self._layers.ink[self._rng.choice(self._number_layers, size)]).flip(3)
        moved = self._moved(layers, CELL_PX, turn=0.06, grow=0.15, shift_px=8)
        soft = self._blurred(moved, (0.8, 1.3, 2.0))
        return soft * self._uniform(size, 0.02, 0.14) * self._chance(size, 0.06)

    def _moved(
        self,
        pictures: Tensor,
        side: int,
        *,
        turn: float,
        grow: float,
        shift_px: float,
        shear: float = 0.0,
        widen: float = 0.0,
        offset_px: Tensor | None = None,
    ) -> Tensor:
        """Pictures (n, 1, h, w) slightly turned, resized, widened, sheared and shifted, cut to `side`."""
        n, source = len(pictures), pictures.shape[-1]
        normal = torch.randn((n, 6), generator=self._torch)
        angle, scale = normal[:, 0] * turn, torch.exp(normal[:, 1] * grow)
        shift = normal[:, 2:4] * shift_px
        if offset_px is not None:
            shift[:, 0] += offset_px.flatten()
        theta = torch.zeros((n, 2, 3))
        ratio = side / source
        theta[:, 0, 0] = torch.cos(angle) * scale * ratio
        theta[:, 0, 1] = (-torch.sin(angle) + normal[:, 4] * shear) * scale * ratio
        theta[:, 1, 0] = torch.sin(angle) * scale * ratio
        theta[:, 1, 1] = torch.cos(angle) * scale * ratio
        theta[:, 0] *= torch.exp(normal[:, 5:] * widen)
        theta[:, :, 2] = -shift * 2 / source
        grid = functional.affine_grid(theta, [n, 1, side, side], align_corners=False)
        padding = "zeros" if source != side else "border"
        return functional.grid_sample(pictures, grid, padding_mode=padding, align_corners=False)

    def _blurred(self, pictures: Tensor, sigmas: tuple[float, ...]) -> Tensor:
        """Each picture (n, 1, h, w) blurred with one of the sigmas."""
        n = len(pictures)
        kernels = torch.stack([_gaussian(sigma) for sigma in sigmas])
        chosen = kernels[torch.randint(0, len(sigmas), (n,), generator=self._torch)]
        reach = kernels.shape[1] // 2
        stacked = pictures.transpose(0, 1)
        padded = functional.pad(stacked, (reach,) * 4, mode="replicate")
        rows = functional.conv2d(padded, chosen[:, None, None, :], groups=n)
        return functional.conv2d(rows, chosen[:, None, :, None], groups=n).transpose(0, 1)

    def _disturbed(self, ink: Tensor, amount: float) -> Tensor:
        """Shadow, glare, dirt, screens, tone curve, blur, the halo of some phones' sharpening, and noise."""
        n = len(ink)
        light = 1 - ink * (1 - self._uniform(n, 0.0, 0.35) * self._chance(n, 0.3 * amount))
        light = light * (1 - self._shadow(n) * self._chance(n, 0.25 * amount))
        light = light * (1 - self._dirt(n) * self._chance(n, 0.05 * amount))
        light = light * (1 - self._grating(n) * self._chance(n, 0.05 * amount))
        tone = torch.exp(self._uniform(n, -0.5, 0.5) * amount)
        light = light.clamp(0, 1) ** tone
        light = self._blurred(light, (0.0, 0.0, 0.0, 0.4, 0.8))
        halo = light - self._blurred(light, (1.0, 2.0))
        light = light + halo * self._uniform(n, 0.2, 1.2) * self._chance(n, 0.15 * amount)
        noise = torch.randn(light.shape, generator=self._torch)
        noise = self._blurred(noise, (0.0, 0.5)) * self._uniform(n, 0.0, 0.05) * amount
        return (1 - light - noise).clamp(0, 1)

    def _shadow(self, n: int) -> Tensor:
        """The share of light that a straight shadow edge takes."""
        axis = torch.linspace(-1, 1, CELL_PX)
        angle = self._uniform(n, 0, 2 * np.pi)
        along = torch.cos(angle) * axis + torch.sin(angle) * axis[:, None]
        edge = (along - self._uniform(n, -1, 1)) / self._uniform(n, 0.01, 0.6)
        return torch.sigmoid(edge * 4) * self._uniform(n, 0.03, 0.35)

    def _dirt(self, n: int) -> Tensor:
        """Specks and blotches of toner or dust, all over the cell or in a band, as copiers leave."""
        density = 10 ** self._uniform(n, -3.0, -1.6)
        specks = (torch.rand((n, 1, CELL_PX, CELL_PX), generator=self._torch) < density).float()
        blots = self._blurred(specks, (0.4, 0.7, 1.1, 1.8)) * self._uniform(n, 1.5, 8)
        axis = torch.linspace(-1, 1, CELL_PX)
        across = torch.where(self._chance(n, 0.5) > 0, axis, axis[:, None])
        band = torch.exp(-(((across - self._uniform(n, -1, 1)) / self._uniform(n, 0.1, 1.5)) ** 2))
        return (blots * band).clamp(0, 1) * self._uniform(n, 0.3, 1)

    def _grating(self, n: int) -> Tensor:
        """Fine stripes, or a grid of them, as of a screen, a print's raster or a scanner's rows."""
        along, across = self._stripes(n), self._stripes(n)
        grid = torch.where(self._chance(n, 0.5) > 0, across, 1.0)
        return (0.5 + 0.5 * along * grid) * self._uniform(n, 0.03, 0.25)

    def _stripes(self, n: int) -> Tensor:
        """Waves from -1 to 1 in any direction, 2 to 10 pixels long."""
        axis = torch.arange(CELL_PX, dtype=torch.float32)
        angle, length_px, phase = (self._uniform(n, *of) for of in ((0, np.pi), (2, 10), (0, 6)))
        along = torch.cos(angle) * axis + torch.sin(angle) * axis[:, None]
        return torch.sin(along * (2 * np.pi / length_px) + phase)

    def _uniform(self, n: int, low: float, high: float) -> Tensor:
        return torch.rand((n, 1, 1, 1), generator=self._torch) * (high - low) + low

    def _chance(self, n: int, share: float) -> Tensor:
        return (torch.rand((n, 1, 1, 1), generator=self._torch) < share).float()


def _unit(pictures: NDArray[np.uint8]) -> Tensor:
    return torch.from_numpy(pictures).float().div_(255).unsqueeze(1)


def _gaussian(sigma: float, reach: int = 4) -> Tensor:
    offsets = torch.arange(-reach, reach + 1, dtype=torch.float32)
    weights = torch.exp(-(offsets**2) / (2 * max(sigma, 1e-3) ** 2))
    return weights / weights.sum()
