"""From the network's columns to numbers: prefix search over a connectionist temporal classification (CTC).

Graves (2012), "Supervised Sequence Labelling with Recurrent Neural Networks", section 7.5: the probability
of a text is the sum over all ways to spell it in the columns with repeats and blanks. The search keeps the
most probable beginnings of every cell and runs over all cells at once.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Probabilities = NDArray[np.float64]

MAX_DIGITS = 3
KEPT_PREFIXES = 8
MIN_PROBABILITY = 1e-5


class _Prefixes:
    """Beginnings of texts, for n cells and k prefixes each, with their forward variables.

    `ends_sign` and `ends_blank` (n, k, columns + 1) are the probabilities that the columns up to there spell
    the prefix, the last of them with its last sign or with a blank; index 0 is before the first column.
    """

    def __init__(
        self, texts: list[list[str]], last: NDArray[np.int64], sign: Probabilities, blank: Probabilities
    ):
        self.texts, self.last, self.ends_sign, self.ends_blank = texts, last, sign, blank


def number_probabilities(columns: Probabilities, symbols: str) -> list[dict[int, float]]:
    """The numbers that cells may hold, with probabilities of at least MIN_PROBABILITY, summing to at most 1.

    `columns` (n, symbols, width) are probabilities over `symbols` in every column; symbols[0] is the blank,
    symbols[1] the minus, then the ten digits. Texts that are no numbers (nothing, a lone minus, more than
    three digits) get what is left. Leading zeros don't count: "07" is 7.
    """
    n = len(columns)
    found: list[dict[int, float]] = [{} for _ in range(n)]
    if n == 0:
        return found
    prefixes = _start(columns)
    for length in range(1, MAX_DIGITS + 2):
        allowed = range(1, len(symbols)) if length == 1 else range(2, len(symbols))
        prefixes, exact, onward = _extended(prefixes, columns, symbols, list(allowed))
        _collect(found, prefixes.texts, exact)
        prefixes = _most_probable(prefixes, onward)
    return found


def _start(columns: Probabilities) -> _Prefixes:
    """The empty prefix: blanks only."""
    n, _, width = columns.shape
    blank = np.ones((n, 1, width + 1))
    blank[:, 0, 1:] = np.cumprod(columns[:, 0], axis=1)
    return _Prefixes([[""]] * n, np.zeros((n, 1), np.int64), np.zeros_like(blank), blank)


def _extended(
    prefixes: _Prefixes, columns: Probabilities, symbols: str, allowed: Sequence[int]
) -> tuple[_Prefixes, Probabilities, Probabilities]:
    """All prefixes with each of the signs put behind; their exact and their prefix probabilities (n, k)."""
    n, _, width = columns.shape
    repeated = prefixes.last[:, :, None] == np.array(allowed)
    start = prefixes.ends_blank[:, :, None] + np.where(repeated[..., None], 0, prefixes.ends_sign[:, :, None])
    entering = columns[:, None, allowed] * start[..., :-1]
    sign, blank = (np.zeros((n, *repeated.shape[1:], width + 1)) for _ in range(2))
    for column in range(width):
        stay = columns[:, None, allowed, column] * sign[..., column]
        sign[..., column + 1] = entering[..., column] + stay
        before = blank[..., column] + sign[..., column]
        blank[..., column + 1] = columns[:, 0, column][:, None, None] * before
    texts = [[text + symbols[symbol] for text in row for symbol in allowed] for row in prefixes.texts]
    last = np.broadcast_to(np.array(allowed), repeated.shape).reshape(n, -1)
    flat = (n, last.shape[1])
    exact = (sign[..., -1] + blank[..., -1]).reshape(flat)
    grown = _Prefixes(texts, last, sign.reshape(*flat, -1), blank.reshape(*flat, -1))
    return grown, exact, entering.sum(axis=-1).reshape(flat)


def _collect(found: list[dict[int, float]], texts: list[list[str]], exact: Probabilities) -> None:
    for cell, place in zip(*np.nonzero(exact >= MIN_PROBABILITY), strict=True):
        text = texts[cell][place]
        if text != "-" and len(text.lstrip("-")) <= MAX_DIGITS:
            value = int(text)
            found[cell][value] = found[cell].get(value, 0.0) + float(exact[cell, place])


def _most_probable(prefixes: _Prefixes, onward: Probabilities) -> _Prefixes:
    kept = np.argsort(-onward, axis=1)[:, :KEPT_PREFIXES]
    rows = np.arange(len(kept))[:, None]
    texts = [[row[place] for place in places] for row, places in zip(prefixes.texts, kept, strict=True)]
    return _Prefixes(
        texts, prefixes.last[rows, kept], prefixes.ends_sign[rows, kept], prefixes.ends_blank[rows, kept]
    )
