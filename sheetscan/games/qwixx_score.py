"""The Qwixx sheet and its score.

Four rows of eleven numbers and a lock, in an order that the sheet's template gives. A number counts that is
crossed out (with a cross, tick or slash); a line or a blackened box says that it is not.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import repeat
from typing import NamedTuple

from sheetscan.errors import TemplateError
from sheetscan.games.tally import Contents, marked_boxes, tally_lines, total_of
from sheetscan.result import CROSS, EMPTY, Content, ScoreLine, number

ROW_NAMES = ("red", "yellow", "green", "blue")
NUMBERS = range(2, 13)
OTHERS_TO_LOCK = 5
"""So many crosses in a row, beside its last number, allow to cross that."""
ROWS_THAT_END = 2
"""As many closed rows end the game."""
PENALTY = "penalty-"
PENALTY_POINTS = 5
MAX_PENALTIES = 4
PENALTIES = tuple(f"{PENALTY}{place}" for place in range(1, MAX_PENALTIES + 1))
LEGAL_TOTALS = (-20, 266)
ROWS_REMEMBERED = 4096


def points_for(crosses: int) -> int:
    """What a row with so many crosses scores: 1, 3, 6 ... 78, each cross one point more than the last."""
    return crosses * (crosses + 1) // 2


class Row(NamedTuple):
    """A row's fields: `last` is the number that closes it."""

    name: str
    others: tuple[str, ...]
    last: str
    lock: str

    @property
    def numbers(self) -> tuple[str, ...]:
        """The numbers from left to right."""
        return (*self.others, self.last)


@dataclass(frozen=True)
class RowCrosses:
    """What is crossed in a row: which numbers, among them perhaps the last one, which closes it."""

    row: Row
    crossed: tuple[str, ...]

    @cached_property
    def last(self) -> bool:
        """Whether the last number is crossed."""
        return self.row.last in self.crossed

    @cached_property
    def others(self) -> int:
        """How many numbers are crossed beside the last one."""
        return len(self.crossed) - self.last

    @cached_property
    def closed(self) -> bool:
        """Whether the last number is crossed with enough others: it counts and the lock with it."""
        return self.last and self.others >= OTHERS_TO_LOCK

    @cached_property
    def points(self) -> int:
        """A row's points; a last number crossed too early and its lock don't count."""
        return points_for(self.others + 2 * self.closed)


@dataclass(frozen=True)
class Layout:
    """The rows of a Qwixx sheet."""

    rows: tuple[Row, ...]

    @classmethod
    def of(cls, places: Mapping[str, tuple[str, ...]]) -> "Layout":
        """The rows from their fields, from left to right; raises TemplateError if those are no Qwixx rows."""
        if set(places) != set(ROW_NAMES):
            raise TemplateError(
                f"the rows of a Qwixx sheet are {', '.join(ROW_NAMES)}, not {', '.join(places) or 'none'}",
                "name the rows by their locks' colours",
            )
        return cls(tuple(_row(name, places[name]) for name in ROW_NAMES))

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """All numbers, row by row."""
        return tuple(field for row in self.rows for field in row.numbers)

    @cached_property
    def possible_contents(self) -> dict[str, tuple[Content, ...]]:
        """What each field may hold on a sheet that somebody filled."""
        points = [number(points_for(crosses)) for crosses in range(len(NUMBERS) + 2)]
        penalties = [number(PENALTY_POINTS * count) for count in range(MAX_PENALTIES + 1)]
        lowest, highest = LEGAL_TOTALS
        marks = (*self.numbers, *(row.lock for row in self.rows), *PENALTIES)
        return (
            dict.fromkeys(marks, (EMPTY, CROSS))
            | {f"tally-{row.name}": (EMPTY, *points) for row in self.rows}
            | {"tally-penalties": (EMPTY, *penalties)}
            | {"tally-total": (EMPTY, *(number(total) for total in range(lowest, highest + 1)))}
        )


def _row(name: str, fields: tuple[str, ...]) -> Row:
    *numbers, lock = fields or ("",)
    if lock != f"{name}-lock" or sorted(numbers) != sorted(f"{name}-{value}" for value in NUMBERS):
        raise TemplateError(
            f"row {name} of a Qwixx sheet is not the numbers 2 to 12 and then the lock",
            "give it eleven cells x with those labels, then L",
        )
    return Row(name, tuple(numbers[:-1]), numbers[-1], lock)


def is_crossed(contents: Contents, field: str) -> bool:
    """Whether a field holds a mark that counts."""
    return contents.get(field, EMPTY).kind == CROSS.kind


def lock_marked(contents: Contents, lock: str) -> bool:
    """Whether a lock is crossed, or lined through as the end of a row that somebody closed."""
    return contents.get(lock, EMPTY).kind in ("cross", "line")


def crosses_of(contents: Contents, row: Row) -> RowCrosses:
    """What is crossed in a row."""
    marks = zip(row.numbers, map(contents.get, row.numbers, repeat(EMPTY)), strict=True)
    return _crosses(row, tuple([field for field, mark in marks if mark.kind == CROSS.kind]))


@lru_cache(ROWS_REMEMBERED)
def _crosses(row: Row, crossed: tuple[str, ...]) -> RowCrosses:
    return RowCrosses(row, crossed)


def marked_penalties(contents: Contents) -> tuple[str, ...]:
    """The penalty boxes with a mark that counts."""
    return marked_boxes(contents, PENALTY)


def score_lines(rows: Collection[RowCrosses], penalties: int) -> tuple[ScoreLine, ...]:
    """The tally: rows and penalties (`rules/qwixx.md`, "Score")."""
    labels = (*[crosses.row.name for crosses in rows], "penalties")
    points = [crosses.points for crosses in rows]
    return tally_lines(labels, (*points, -PENALTY_POINTS * min(penalties, MAX_PENALTIES)))


def total_bounds(layout: Layout, options: Mapping[str, Collection[Content]]) -> tuple[int, int]:
    """Totals that no sheet of a game, with one of the `options` in each field, goes beyond.

    A row's points grow with its crosses: at least those count that are sure, at most all that are possible.
    """
    sure, possible = (_marks(options, judged) for judged in (all, any))
    lowest = score_lines([crosses_of(sure, row) for row in layout.rows], len(marked_penalties(possible)))
    highest = score_lines([crosses_of(possible, row) for row in layout.rows], len(marked_penalties(sure)))
    low = total_of(lowest)
    return low, max(low, min(total_of(highest), LEGAL_TOTALS[1]))


def _marks(
    options: Mapping[str, Collection[Content]], judged: Callable[[Iterable[bool]], bool]
) -> dict[str, Content]:
    """The fields that are crossed by all or by any of their options."""
    return {
        field: CROSS
        for field, contents in options.items()
        if contents and judged(content.kind == CROSS.kind for content in contents)
    }
