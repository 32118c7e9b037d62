"""The network: an all-convolutional reader with one head for the signs and one for the kind of content."""

import torch
from torch import Tensor, nn
from torch.nn import functional

SYMBOLS = "_-0123456789"
"""The sign head's symbols; the first is the blank of connectionist temporal classification (CTC)."""
COLUMNS = 16
NUMBER_KINDS = ("empty", "number", "cross", "void")
MARK_KINDS = ("empty", "cross", "line", "void")
WIDTHS = (16, 32, 64, 96, 192)
"""Channels of the stem, of the three stages of blocks, and of the columns."""


def _conv(inputs: int, outputs: int, kernel: int, stride: int | tuple[int, int] = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class Mix(nn.Module):
    """A residual block: fewer channels, a look around, and back."""

    def __init__(self, channels: int, inner: int | None = None) -> None:
        super().__init__()
        inner = inner or channels // 2
        self.layers = nn.Sequential(
            _conv(channels, inner, 1),
            _conv(inner, inner, 3),
            nn.Conv2d(inner, channels, 1, bias=False),
            nn.BatchNorm2d(channels),
        )

    def forward(self, x: Tensor) -> Tensor:
        """Same shape out as in."""
        return functional.relu(x + self.layers(x))


class ColumnNet(nn.Module):
    """Cells (n, 2, 64, 64) in 0..1 to signs (n, 12, 16) and kinds (n, 8), both as logits.

    `body` makes columns (n, channels, 1, 16) of the cells. Kinds are NUMBER_KINDS, to be used for fields that
    hold numbers, then MARK_KINDS for mark fields.
    """

    def __init__(self, body: nn.Sequential, channels: int) -> None:
        super().__init__()
        self.body = body
        self.dropout = nn.Dropout(0.1)
        self.signs = nn.Conv2d(channels, len(SYMBOLS), (1, 3), padding=(0, 1))
        self.kinds = nn.Conv2d(channels * 2, len(NUMBER_KINDS) + len(MARK_KINDS), 1)

    def forward(self, cells: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of the signs and of the kinds."""
        columns = self.dropout(self.body(cells))
        width = (1, COLUMNS)
        pooled = torch.cat(
            [functional.avg_pool2d(columns, width), functional.max_pool2d(columns, width)], dim=1
        )
        return self.signs(columns).squeeze(2), self.kinds(pooled).flatten(1)


class CellNet(ColumnNet):
    """The reader.

    Plain convolutions throughout: on a processor they are faster, in training above all, than depthwise ones.
    """

    def __init__(self, depths: tuple[int, ...] = (2, 3, 4)) -> None:
        stem, low, middle, high, last = WIDTHS
        body = nn.Sequential(
            _conv(2, stem, 3, 2),
            _conv(stem, low, 3, 2),
            *(Mix(low) for _ in range(depths[0])),
            _halved(low, middle, 2),
            *(Mix(middle) for _ in range(depths[1])),
            _halved(middle, high, 2),
            *(Mix(high) for _ in range(depths[2])),
            _halved(high, last, 4),
        )
        super().__init__(body, last)


class GlanceNet(ColumnNet):
    """What reads plain cells in a quarter of the reader's time."""

    def __init__(self) -> None:
        stem, low, middle, high, _ = WIDTHS
        body = nn.Sequential(
            _conv(2, stem, 3, 2),
            _conv(stem, low, 3, 2),
            _halved(low, middle, 4),
            Mix(middle, inner=middle),
            _halved(middle, high, 4),
        )
        super().__init__(body, high)


def _halved(inputs: int, outputs: int, height: int) -> nn.Sequential:
    """Rows merged by `height`, columns kept."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, (height, 1), (height, 1), bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )
