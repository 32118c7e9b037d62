"""Fits bias-corrected temperature scaling (Alexandari, Kundaje and Shrikumar 2020) to shares."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor
from torch.nn import functional

from sheetscan.reading.calibration import Scaling
from sheetscan.reading.reader import NUMBER
from sheetscan.result import Content

RIDGE = 0.1
"""Against biases that few samples would make large."""
STEPS = 100
LEAST_SHARE, SMALLEST_BIAS = 1e-9, 0.0005
NEVER = -1e4
"""The logarithm of a share of zero, finite so that its slope is defined."""


def fit_scaling(shares: Sequence[Mapping[Content, float]], truths: Sequence[Content]) -> Scaling:
    """Multinomial logistic regression on the logarithms; what no share knows of counts as NUMBER."""
    if not shares:
        return Scaling()
    kinds = sorted({content.kind for known in shares for content in known})
    widest = max(map(len, shares))
    logs = torch.full((len(shares), widest), NEVER, dtype=torch.float64)
    of_kind = torch.zeros((len(shares), widest), dtype=torch.long)
    for row, known in enumerate(shares):
        logs[row, : len(known)] = (
            torch.tensor(list(known.values()), dtype=torch.float64).clamp(min=LEAST_SHARE).log()
        )
        of_kind[row, : len(known)] = torch.tensor([kinds.index(content.kind) for content in known])
    right = torch.tensor(
        [
            list(known).index(truth if truth in known else NUMBER)
            for known, truth in zip(shares, truths, strict=True)
        ]
    )
    slope = torch.ones(1, dtype=torch.float64, requires_grad=True)
    biases = torch.zeros(len(kinds), dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([slope, biases], max_iter=STEPS, line_search_fn="strong_wolfe")

    def cost() -> Tensor:
        optimizer.zero_grad()
        surprise = functional.cross_entropy(logs * slope + biases[of_kind], right, reduction="sum")
        whole = surprise + RIDGE * ((slope - 1).square().sum() + biases.square().sum())
        whole.backward()  # type: ignore[no-untyped-call]
        return whole

    optimizer.step(cost)  # type: ignore[no-untyped-call]
    found = dict(zip(kinds, biases.tolist(), strict=True))
    return Scaling(
        temperature=round(1 / slope.item(), 3),
        biases={kind: round(bias, 3) for kind, bias in found.items() if abs(bias) >= SMALLEST_BIAS},
    )
