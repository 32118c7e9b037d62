"""What the sheets of one game of Qwixx show together (`rules/qwixx.md`, "Audit")."""

from collections.abc import Sequence
from itertools import chain

from sheetscan.games.base import SheetViolation
from sheetscan.games.qwixx_score import (
    MAX_PENALTIES,
    ROWS_THAT_END,
    Layout,
    Row,
    crosses_of,
    is_crossed,
    lock_marked,
    marked_penalties,
)
from sheetscan.games.tally import Contents
from sheetscan.games.turns import most_turns

ROWS_NEVER_CLOSED = 4
"""So many rows can't be closed: the game ends with the second, and few more close on the same throw."""


def across_sheets(layout: Layout, sheets: Sequence[Contents]) -> tuple[SheetViolation, ...]:
    """The findings on all sheets of a game; none for fewer than two."""
    if len(sheets) < 2:
        return ()
    closed = [row for row in layout.rows if any(crosses_of(contents, row).closed for contents in sheets)]
    return (
        *chain.from_iterable(closed_by_nobody(row, sheets) for row in layout.rows if row not in closed),
        *game_not_over(closed, sheets),
        *four_rows_closed(closed, sheets),
        *penalties_end_twice(sheets),
        *sheets_do_not_fit(layout, sheets),
    )


def closed_by_nobody(row: Row, sheets: Sequence[Contents]) -> list[SheetViolation]:
    """Closed by nobody: a row that no sheet of the game closed is marked as closed by another."""
    marked = tuple(
        place
        for place, contents in enumerate(sheets)
        if lock_marked(contents, row.lock) and not is_crossed(contents, row.last)
    )
    return [SheetViolation("closed-by-nobody", "one-of", marked, {"field": row.lock})] if marked else []


def game_not_over(closed: Sequence[Row], sheets: Sequence[Contents]) -> list[SheetViolation]:
    """Game not over: nobody has four penalties, and fewer than two rows are closed over all sheets."""
    over = len(closed) >= ROWS_THAT_END or bool(_with_all_penalties(sheets))
    return [] if over else [SheetViolation("game-not-over", "one-of", tuple(range(len(sheets))))]


def ended_by(layout: Layout, sheets: Sequence[Contents]) -> tuple[int, ...]:
    """The sheets with four penalties; without any, those that closed rows, if enough rows are closed."""
    closing = [[crosses_of(contents, row).closed for row in layout.rows] for contents in sheets]
    closed = sum(map(any, zip(*closing, strict=True)))
    closers = tuple(place for place, rows in enumerate(closing) if any(rows))
    return _with_all_penalties(sheets) or (closers if closed >= ROWS_THAT_END else ())


def four_rows_closed(closed: Sequence[Row], sheets: Sequence[Contents]) -> list[SheetViolation]:
    """Four rows closed over all sheets: the game ends at once with the second closed row."""
    if len(closed) < ROWS_NEVER_CLOSED:
        return []
    closing = tuple(
        place
        for place, contents in enumerate(sheets)
        if any(crosses_of(contents, row).closed for row in closed)
    )
    return [SheetViolation("four-rows-closed", "one-of", closing)]


def penalties_end_twice(sheets: Sequence[Contents]) -> list[SheetViolation]:
    """Two sheets with four penalties: the game ends at once with the first of them."""
    ended = _with_all_penalties(sheets)
    return [SheetViolation("penalties-end-twice", "one-of", ended)] if len(ended) > 1 else []


def sheets_do_not_fit(layout: Layout, sheets: Sequence[Contents]) -> list[SheetViolation]:
    """Sheets don't fit together: no numbers of own turns explain what stands on them.

    In an own turn somebody takes a penalty or makes one or two crosses, in that of another at most one.
    A cross that was taken back, or may be one, counts among those that own turns may have been used for.
    """
    crossed = [_count(layout, contents, ("cross",)) for contents in sheets]
    used = [_count(layout, contents, ("cross", "void", "unreadable")) for contents in sheets]
    penalties = [len(marked_penalties(contents)) for contents in sheets]
    bounds = [(taken, taken + count) for taken, count in zip(penalties, used, strict=True)]
    turns = most_turns(bounds)
    fits = turns is not None and all(
        count <= 2 * (own - taken) + sum(turns) - own
        for count, taken, own in zip(crossed, penalties, turns, strict=True)
    )
    return [] if fits else [SheetViolation("sheets-do-not-fit", "one-of", tuple(range(len(sheets))))]


def _count(layout: Layout, contents: Contents, kinds: tuple[str, ...]) -> int:
    return sum(contents[field].kind in kinds for field in layout.numbers if field in contents)


def _with_all_penalties(sheets: Sequence[Contents]) -> tuple[int, ...]:
    return tuple(
        place for place, contents in enumerate(sheets) if len(marked_penalties(contents)) >= MAX_PENALTIES
    )
