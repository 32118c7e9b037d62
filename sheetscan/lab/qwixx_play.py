"""Plays Qwixx by its rules and marks the sheets as players do, on any of its sheets.

Contents are keyed by field name; fields that are left out are empty.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from sheetscan.games.qwixx_score import (
    MAX_PENALTIES,
    OTHERS_TO_LOCK,
    PENALTIES,
    PENALTY_POINTS,
    ROWS_THAT_END,
    Layout,
    Row,
    is_crossed,
    marked_penalties,
    points_for,
)
from sheetscan.result import CROSS, EMPTY, VOID, Content, number
from sheetscan.template import Template

Contents = dict[str, Content]

_PRESSURE = 3.0
"""How many numbers more the active player skips rather than take a penalty."""
_CLOSING = 5.0
"""How many skipped numbers it is worth to close a row."""
_WHIM = 0.8
"""How far a player's feeling for what a skip costs is off, so that sheets of one game differ."""
_SKIPPED: tuple[Content, ...] = (EMPTY, Content("line"), VOID)
_SKIPPED_SHARES = (0.7, 0.18, 0.12)
_TAKEN_BACK_SHARE = 0.08
"""Of the sheets on which a cross was taken back by filling its box."""


@dataclass(slots=True)
class _Player:
    """A sheet during the game; `patience` is how many numbers may be skipped for a cross."""

    patience: float
    crossed: dict[str, int] = field(default_factory=dict)
    """The place of each row's rightmost cross."""
    fields: set[str] = field(default_factory=set)
    closed: set[str] = field(default_factory=set)
    penalties: int = 0

    def cross(self, choices: list[tuple[Row, str]], limit: float, rng: np.random.Generator) -> str | None:
        """Cross the number out that costs least, None if all cost more than the limit; tells its row."""
        costs = [(self._cost(row, name) + rng.normal(0, _WHIM), row, name) for row, name in choices]
        if not costs:
            return None
        cost, row, name = min(costs, key=lambda choice: choice[0])
        if cost > limit:
            return None
        self.fields.add(name)
        self.crossed[row.name] = row.numbers.index(name)
        if name == row.last:
            self.fields.add(row.lock)
            self.closed.add(row.name)
        return row.name

    def may_cross(self, row: Row, name: str) -> bool:
        """Whether a number is right of all crosses in its row and, if it is the last, has enough of them."""
        enough = name != row.last or sum(other in self.fields for other in row.others) >= OTHERS_TO_LOCK
        return enough and row.numbers.index(name) > self.crossed.get(row.name, -1)

    def _cost(self, row: Row, name: str) -> float:
        skipped = row.numbers.index(name) - self.crossed.get(row.name, -1) - 1
        return skipped - (_CLOSING if name == row.last else 0)


@dataclass(slots=True)
class _Table:
    """A game in progress."""

    rows: tuple[Row, ...]
    colours: Mapping[str, str]
    players: list[_Player]
    closed: set[str] = field(default_factory=set)

    @property
    def over(self) -> bool:
        return len(self.closed) >= ROWS_THAT_END or any(
            player.penalties >= MAX_PENALTIES for player in self.players
        )

    def choices(self, player: _Player, sums: Mapping[str, set[int]]) -> list[tuple[Row, str]]:
        """What a player may cross out with those sums of dice by colour."""
        return [
            (row, name)
            for row in self.rows
            if row.name not in self.closed
            for name in row.numbers
            if int(name.rpartition("-")[2]) in sums.get(self.colours[name], ())
            and player.may_cross(row, name)
        ]

    def turn(self, active: _Player, rng: np.random.Generator) -> None:
        """The white dice for all, then a white and a coloured die for the active player."""
        white = rng.integers(1, 7, 2)
        colours = {row.name: {int(white.sum())} for row in self.rows}
        before = len(active.fields)
        for player in self.players:
            player.cross(self.choices(player, colours), player.patience, rng)
        self._close()
        if self.over:
            return
        dice = {row.name: int(rng.integers(1, 7)) for row in self.rows if row.name not in self.closed}
        sums = {colour: {int(one) + die for one in white} for colour, die in dice.items()}
        idle = len(active.fields) == before
        limit = active.patience + (_PRESSURE if idle else 0)
        if active.cross(self.choices(active, sums), limit, rng) is None and idle:
            active.penalties += 1
        self._close()

    def _close(self) -> None:
        self.closed |= {row for player in self.players for row in player.closed}


def play_qwixx(template: Template, players: int, rng: np.random.Generator) -> list[Contents]:
    """A legal game of 2 to 5 players to its end, marked in each one's way, nothing tallied yet."""
    layout = Layout.of(template.places)
    colours = {place.id: place.look or place.row or "" for place in template.fields}
    table = _Table(layout.rows, colours, [_Player(rng.uniform(0.5, 2.5)) for _ in range(players)])
    turn = int(rng.integers(players))
    while not table.over:
        table.turn(table.players[turn], rng)
        turn = (turn + 1) % players
    return [_marked(table, player, rng) for player in table.players]


def _marked(table: _Table, player: _Player, rng: np.random.Generator) -> Contents:
    """The sheet with everything that its player marks beside his crosses."""
    contents = dict.fromkeys(sorted(player.fields), CROSS)
    contents |= dict.fromkeys(PENALTIES[: player.penalties], CROSS)
    skipped = _SKIPPED[int(rng.choice(len(_SKIPPED), p=_SKIPPED_SHARES))]
    for_closed = ("lock", "line", "nothing")[int(rng.choice(3, p=(0.5, 0.25, 0.25)))]
    for row in table.rows:
        reached = player.crossed.get(row.name, -1)
        passed = [name for name in row.numbers[: reached + 1] if name not in player.fields]
        contents |= {name: skipped for name in passed if skipped != EMPTY and rng.random() < 0.8}
        if row.name in table.closed - player.closed:
            contents |= dict(_end_of_row(row, reached, for_closed))
    if rng.random() < _TAKEN_BACK_SHARE:
        free = [name for row in table.rows for name in row.numbers if name not in contents]
        contents |= {str(name): VOID for name in rng.choice(free, min(1, len(free)))}
    return contents


def _end_of_row(row: Row, reached: int, habit: str) -> Iterator[tuple[str, Content]]:
    """How a row is marked that somebody else closed."""
    if habit == "lock":
        yield row.lock, CROSS
    if habit == "line":
        for name in (*row.numbers[reached + 1 :], row.lock):
            yield name, Content("line")


def tallied_qwixx(template: Template, contents: Contents, error: int = 0) -> Contents:
    """The sheet with its tally as its player reckons it, who sees no violation.

    `error` is added to the total. Without penalties their box stays empty.
    """
    points = {}
    for row in Layout.of(template.places).rows:
        own = (*row.numbers, row.lock) if is_crossed(contents, row.last) else row.numbers
        points[row.name] = points_for(sum(is_crossed(contents, name) for name in own))
    penalties = PENALTY_POINTS * len(marked_penalties(contents))
    figures = {f"tally-{name}": number(value) for name, value in points.items()}
    if penalties:
        figures["tally-penalties"] = number(penalties)
    return contents | figures | {"tally-total": number(sum(points.values()) - penalties + error)}
