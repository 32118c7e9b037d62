"""Plays Qwinto by its rules, so that the lab's sheets are filled as people fill them.

Contents are keyed by field name; fields that are left out are empty.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from sheetscan.games.qwinto_score import (
    COLUMNS,
    MAX_MISTHROWS,
    MISTHROWS,
    ROWS,
    ROWS_THAT_END,
    THROWABLE,
    complete_rows,
    marked_misthrows,
    score_lines,
    written_values,
)
from sheetscan.games.tally import total_of
from sheetscan.result import CROSS, Content, number

Contents = dict[str, Content]

_CRAMPED = 3.0
"""What a field costs that can't be filled any more; a number costs its distance from where it belongs."""
_WHIM = 1.5
"""How far a player's feeling for that cost is off, so that sheets of one game differ."""
_PRESSURE = 4.0
"""How much worse a number may fit before the active player takes a misthrow instead."""
_DICE_COUNTS, _DICE_WEIGHTS = (1, 2, 3), (0.2, 0.35, 0.45)


@dataclass(slots=True)
class _Player:
    """A sheet during the game; `patience` is how badly a number may fit before he passes it by."""

    patience: float
    numbers: dict[str, int] = field(default_factory=dict)
    misthrows: int = 0

    def likes(self, value: int, rows: tuple[str, ...], rng: np.random.Generator) -> bool:
        """Whether a throw is kept; one that isn't may be thrown once more."""
        return bool(self._fitting(value, rows, self.patience, rng))

    def write(self, value: int, rows: tuple[str, ...], active: bool, rng: np.random.Generator) -> None:
        """Write the number where it fits best, pass, or (when active) take a misthrow."""
        fitting = self._fitting(value, rows, self.patience + (_PRESSURE if active else 0), rng)
        if fitting:
            self.numbers[min(fitting)[1]] = value
        elif active:
            self.misthrows += 1

    def _fitting(
        self, value: int, rows: tuple[str, ...], limit: float, rng: np.random.Generator
    ) -> list[tuple[float, str]]:
        """The fields of the rows that may take the number, with their cost as felt, up to a limit."""
        places = [(_cost(self.numbers, place, value), place) for row in rows for place in ROWS[row]]
        felt = [(cost + rng.normal(0, _WHIM), place) for cost, place in places if cost is not None]
        return [(cost, place) for cost, place in felt if cost <= limit]

    @property
    def done(self) -> bool:
        """Whether this sheet ends the game."""
        return len(complete_rows(self.numbers)) >= ROWS_THAT_END or self.misthrows >= MAX_MISTHROWS


def _cost(numbers: Mapping[str, int], place: str, value: int) -> float | None:
    """How badly a number fits a field, None if the rules forbid it there."""
    row = ROWS[place.partition("-")[0]]
    at = row.index(place)
    taken = [-1, *(i for i, name in enumerate(row) if name in numbers), len(row)]
    if at in taken or _in_column(numbers, place, value):
        return None
    left, right = max(i for i in taken if i < at), min(i for i in taken if i > at)
    low = numbers[row[left]] if left >= 0 else THROWABLE.start - 1
    high = numbers[row[right]] if right < len(row) else THROWABLE.stop
    if not low < value < high:
        return None
    fair = low + (high - low) * (at - left) / (right - left)
    lost = max(at - left - (value - low), 0) + max(right - at - (high - value), 0)
    return abs(value - fair) + _CRAMPED * lost


def _in_column(numbers: Mapping[str, int], place: str, value: int) -> bool:
    column = COLUMNS[int(place.rpartition("-")[2])]
    return any(numbers.get(other) == value for other in column)


def play_game(players: int, rng: np.random.Generator) -> list[Contents]:
    """A legal game of 2 to 5 players to its end: each one's numbers and misthrows, nothing tallied yet."""
    sheets = [_Player(patience=rng.uniform(1.5, 5)) for _ in range(players)]
    turn = int(rng.integers(players))
    while not any(sheet.done for sheet in sheets):
        count = int(rng.choice(_DICE_COUNTS, p=_DICE_WEIGHTS))
        rows = tuple(str(row) for row in rng.choice(list(ROWS), count, replace=False))
        value = _throw(rows, rng)
        if not sheets[turn].likes(value, rows, rng):
            value = _throw(rows, rng)
        for place, sheet in enumerate(sheets):
            sheet.write(value, rows, place == turn, rng)
        turn = (turn + 1) % players
    return [_contents(sheet) for sheet in sheets]


def _throw(rows: tuple[str, ...], rng: np.random.Generator) -> int:
    return int(rng.integers(1, 7, len(rows)).sum())


def _contents(sheet: _Player) -> Contents:
    written = {place: number(value) for place, value in sheet.numbers.items()}
    return written | dict.fromkeys(MISTHROWS[: sheet.misthrows], CROSS)


def tallied(contents: Contents, error: int = 0) -> Contents:
    """The sheet with its tally as its player reckons it, who sees no violation.

    `error` is added to the total. An unearned pentagon stays empty; so do the misthrows when there are none.
    """
    lines = score_lines(written_values(contents), len(marked_misthrows(contents)))
    figures = {f"tally-{line.label}": abs(line.points) for line in lines}
    written = {
        name: number(points)
        for name, points in figures.items()
        if points or not name.startswith(("tally-bonus", "tally-misthrows"))
    }
    return contents | written | {"tally-total": number(total_of(lines) + error)}
