"""From the network's columns to numbers: prefix search over a connectionist temporal classification (CTC).

Graves (2012), "Supervised Sequence Labelling with Recurrent Neural Networks", section 7.5: the probability
of a text is the sum over all ways to spell it in the columns with repeats and blanks. The search goes over
all cells at once and goes on, in each, behind the beginnings behind which more follows most probably; what
is less probable than MIN_PROBABILITY can't become a number that counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Probabilities = NDArray[np.float64]
Places = NDArray[np.intp]

MAX_DIGITS = 3
KEPT_PREFIXES = 8
MIN_PROBABILITY = 1e-4
BLANK, MINUS = 0, 1


@dataclass(frozen=True, slots=True)
class _Prefixes:
    """Beginnings of texts, k over all cells, with their forward variables.

    `cells` and `last` (k,) are the cell and the last symbol of each. `ends_sign` and `ends_blank`
    (columns + 1, k) are the probabilities that the columns up to there spell the prefix, the last of them
    with its last sign or with a blank; index 0 is before the first column.
    """

    texts: Sequence[str]
    cells: Places
    last: Places
    ends_sign: Probabilities
    ends_blank: Probabilities

    def at(self, places: Sequence[int]) -> "_Prefixes":
        """These of them."""
        return _Prefixes(
            [self.texts[place] for place in places],
            self.cells[places],
            self.last[places],
            self.ends_sign[:, places],
            self.ends_blank[:, places],
        )


def number_probabilities(columns: Probabilities, symbols: str) -> list[dict[int, float]]:
    """The numbers that cells may hold, with probabilities of at least MIN_PROBABILITY, summing to at most 1.

    `columns` (n, symbols, width) are probabilities over `symbols` in every column; symbols[0] is the blank,
    symbols[1] the minus, then the ten digits. Texts that are no numbers (nothing, a lone minus, more than
    three digits) get what is left. Leading zeros don't count: "07" is 7.
    """
    found: list[dict[int, float]] = [{} for _ in columns]
    by_column = np.ascontiguousarray(columns.transpose(2, 0, 1))
    prefixes = _start(by_column)
    while len(prefixes.texts):
        prefixes, begun = _extended(prefixes, by_column, symbols)
        exact = prefixes.ends_sign[-1] + prefixes.ends_blank[-1]
        _collect(found, prefixes, exact)
        prefixes = _most_probable(prefixes, begun - exact)
    return found


def _start(by_column: Probabilities) -> _Prefixes:
    """Every cell's empty prefix: blanks only."""
    width, n, _ = by_column.shape
    ends_blank = np.ones((width + 1, n))
    ends_blank[1:] = np.cumprod(by_column[:, :, BLANK], axis=0)
    nothing = np.full(n, BLANK, np.intp)
    return _Prefixes([""] * n, np.arange(n), nothing, np.zeros_like(ends_blank), ends_blank)


def _extended(prefixes: _Prefixes, by_column: Probabilities, symbols: str) -> tuple[_Prefixes, Probabilities]:
    """All prefixes with a sign put behind that may count; the probabilities (k,) that a text begins so."""
    shares = by_column[:, prefixes.cells]
    entering = shares * (prefixes.ends_blank + prefixes.ends_sign)[:-1, :, None]
    repeating = np.arange(len(prefixes.texts)), prefixes.last
    entering[:, *repeating] = shares[:, *repeating] * prefixes.ends_blank[:-1]
    begun = entering.sum(axis=0)
    begun[:, BLANK] = 0
    begun[prefixes.last != BLANK, MINUS] = 0
    before, added = np.nonzero(begun >= MIN_PROBABILITY)
    texts = [
        prefixes.texts[place] + symbols[sign]
        for place, sign in zip(before.tolist(), added.tolist(), strict=True)
    ]
    cells = prefixes.cells[before]
    ends = _forward(entering[:, before, added], shares[:, before, added], by_column[:, cells, BLANK])
    return _Prefixes(texts, cells, added, *ends), begun[before, added]


def _forward(
    entering: Probabilities, staying: Probabilities, blank: Probabilities
) -> tuple[Probabilities, Probabilities]:
    """The forward variables `ends_sign` and `ends_blank` of prefixes (columns, k) whose last sign is new."""
    width, k = entering.shape
    ends_sign, ends_blank = np.zeros((width + 1, k)), np.zeros((width + 1, k))
    for column in range(width):
        ends_blank[column + 1] = blank[column] * (ends_blank[column] + ends_sign[column])
        ends_sign[column + 1] = entering[column] + staying[column] * ends_sign[column]
    return ends_sign, ends_blank


def _collect(found: list[dict[int, float]], prefixes: _Prefixes, exact: Probabilities) -> None:
    for place in np.flatnonzero(exact >= MIN_PROBABILITY).tolist():
        text, numbers = prefixes.texts[place], found[prefixes.cells[place]]
        if text != "-":
            value = int(text)
            numbers[value] = numbers.get(value, 0.0) + float(exact[place])


def _most_probable(prefixes: _Prefixes, onward: Probabilities) -> _Prefixes:
    """Of each cell the prefixes behind which more follows most probably (k,), if that counts."""
    order = np.lexsort((-onward, prefixes.cells))
    cells = prefixes.cells[order]
    rank = np.arange(len(order)) - np.searchsorted(cells, cells)
    unfinished = [
        place
        for place in order[(rank < KEPT_PREFIXES) & (onward[order] >= MIN_PROBABILITY)].tolist()
        if len(prefixes.texts[place].lstrip("-")) < MAX_DIGITS
    ]
    return prefixes.at(unfinished)
