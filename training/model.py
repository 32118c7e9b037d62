"""The network: an all-convolutional reader with one head for the signs and one for the kind of content."""

import torch
from torch import Tensor, nn

SYMBOLS = "_-0123456789"
"""The sign head's symbols; the first is the blank of connectionist temporal classification (CTC)."""
COLUMNS = 16
NUMBER_KINDS = ("empty", "number", "cross", "void")
MARK_KINDS = ("empty", "cross", "line", "void")


def _conv(inputs: int, outputs: int, kernel: int, stride: int | tuple[int, int] = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class Mix(nn.Module):
    """A residual block: a wide depthwise look around, then a mix of the channels."""

    def __init__(self, channels: int, kernel: int = 5) -> None:
        super().__init__()
        self.look = nn.Sequential(
            nn.Conv2d(channels, channels, kernel, 1, kernel // 2, groups=channels, bias=False),
            nn.BatchNorm2d(channels),
        )
        self.mix = nn.Sequential(
            nn.Conv2d(channels, channels * 2, 1, bias=False),
            nn.BatchNorm2d(channels * 2),
            nn.ReLU(inplace=True),
            nn.Conv2d(channels * 2, channels, 1, bias=False),
            nn.BatchNorm2d(channels),
        )

    def forward(self, x: Tensor) -> Tensor:
        """Same shape out as in."""
        out: Tensor = x + self.mix(self.look(x))
        return out


class Shrink(nn.Module):
    """Halves the height and changes the number of channels, cheaply."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(inputs, inputs, 3, (2, 1), 1, groups=inputs, bias=False),
            nn.BatchNorm2d(inputs),
            nn.Conv2d(inputs, outputs, 1, bias=False),
            nn.BatchNorm2d(outputs),
            nn.ReLU(inplace=True),
        )

    def forward(self, x: Tensor) -> Tensor:
        """(n, inputs, h, w) to (n, outputs, h / 2, w)."""
        out: Tensor = self.layers(x)
        return out


class CellNet(nn.Module):
    """Cells (n, 2, 64, 64) in 0..1 to signs (n, 12, 16) and kinds (n, 8), both as logits.

    Kinds are NUMBER_KINDS, to be used for fields that hold numbers, then MARK_KINDS for mark fields.
    """

    def __init__(
        self, widths: tuple[int, int, int, int] = (16, 32, 64, 96), depths: tuple[int, int, int] = (1, 2, 2)
    ) -> None:
        super().__init__()
        stem, low, middle, high = widths
        self.body = nn.Sequential(
            _conv(2, stem, 3, 2),
            _conv(stem, low, 3, 2),
            *(Mix(low) for _ in range(depths[0])),
            Shrink(low, middle),
            *(Mix(middle) for _ in range(depths[1])),
            Shrink(middle, high),
            *(Mix(high) for _ in range(depths[2])),
        )
        self.collapse = nn.Sequential(
            nn.Conv2d(high, high, (4, 3), 1, (0, 1), groups=high, bias=False),
            nn.BatchNorm2d(high),
            nn.Conv2d(high, high * 2, 1, bias=False),
            nn.BatchNorm2d(high * 2),
            nn.ReLU(inplace=True),
        )
        self.dropout = nn.Dropout(0.1)
        self.signs = nn.Conv2d(high * 2, len(SYMBOLS), (1, 3), padding=(0, 1))
        self.kinds = nn.Conv2d(high * 4, len(NUMBER_KINDS) + len(MARK_KINDS), 1)

    def forward(self, cells: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of the signs and of the kinds."""
        columns = self.dropout(self.collapse(self.body(cells)))
        pooled = torch.cat(
            [
                nn.functional.avg_pool2d(columns, (1, COLUMNS)),
                nn.functional.max_pool2d(columns, (1, COLUMNS)),
            ],
            1,
        )
        return self.signs(columns).squeeze(2), self.kinds(pooled).flatten(1)
