"""Qwixx's audit of one sheet; the rules in words are the `*-rule` texts of `sheetscan/locale/*/qwixx.toml`.

The order in which crosses were made is invisible, and a last number that was crossed too early just doesn't
count. So there is nothing to repair, and a sheet has one total. The severities of the findings:

- `one-of`: a person has to say what went wrong: a last number crossed too early, a written figure that
  differs from the computed one, more closed rows or penalties than a game allows.
- `note`: information only: a lock that was forgotten, or marked because somebody else closed the row.
"""

from collections.abc import Collection, Mapping, Sequence

from sheetscan.games.base import Audit, Figure, SheetViolation, Violation
from sheetscan.games.qwixx_game import across_sheets, ended_by
from sheetscan.games.qwixx_mistakes import TallyMistakes
from sheetscan.games.qwixx_score import (
    MAX_PENALTIES,
    PENALTIES,
    ROWS_THAT_END,
    Layout,
    RowCrosses,
    crosses_of,
    is_crossed,
    lock_marked,
    marked_penalties,
    points_for,
    score_lines,
    total_bounds,
)
from sheetscan.games.tally import Contents, tally_differences, total_of
from sheetscan.result import EMPTY, Content


def last_number_too_early(contents: Contents, crosses: RowCrosses) -> list[Violation]:
    """Last number: it takes at least five other crosses in its row, else it and its lock don't count."""
    if not crosses.last or crosses.closed:
        return []
    row = crosses.row
    fields = (row.last, row.lock) if is_crossed(contents, row.lock) else (row.last,)
    return [Violation("last-number", "one-of", fields, {"field": row.last, "others": crosses.others})]


def lock_missing(contents: Contents, crosses: RowCrosses) -> list[Violation]:
    """Lock missing: crossing it with the last number is compulsory, so it counts."""
    lock = crosses.row.lock
    if not crosses.closed or contents.get(lock, EMPTY).kind in ("cross", "unreadable"):
        return []
    gained = crosses.points - points_for(crosses.others + 1)
    figures: dict[str, Figure] = {"field": lock, "last": crosses.row.last, "points": gained}
    return [Violation("lock-missing", "note", (lock,), figures)]


def lone_lock(contents: Contents, crosses: RowCrosses) -> list[Violation]:
    """Lone lock: marked without the last number it says that somebody else closed the row; no points."""
    lock = crosses.row.lock
    if crosses.last or not lock_marked(contents, lock):
        return []
    return [Violation("lone-lock", "note", (lock,), {"field": lock, "last": crosses.row.last})]


def penalties_too_many(marked: tuple[str, ...]) -> list[Violation]:
    """Too many penalties: the fourth ends the game."""
    if len(marked) <= MAX_PENALTIES:
        return []
    return [Violation("penalties-too-many", "one-of", marked, {"count": len(marked)})]


def own_locks(rows: Sequence[RowCrosses]) -> list[Violation]:
    """Own locks: the game ends with the second closed row, so nobody closes three."""
    closed = tuple(crosses.row.last for crosses in rows if crosses.closed)
    if len(closed) <= ROWS_THAT_END:
        return []
    return [Violation("own-locks", "one-of", closed, {"count": len(closed)})]


class Qwixx:
    """The rules of Qwixx, for the order of numbers on one kind of sheet."""

    name = "qwixx"

    def __init__(self, places: Mapping[str, tuple[str, ...]]) -> None:
        self.layout = Layout.of(places)
        self.scoring_fields = frozenset((*self.layout.numbers, *PENALTIES))

    def audit(self, contents: Contents) -> Audit:
        """Judge and score a sheet. Never raises, whatever the contents are."""
        rows = [crosses_of(contents, row) for row in self.layout.rows]
        marked = marked_penalties(contents)
        lines = score_lines(rows, len(marked))
        total = total_of(lines)

        def violations() -> tuple[Violation, ...]:
            of_rows = (
                found
                for judged in (last_number_too_early, lock_missing, lone_lock)
                for crosses in rows
                for found in judged(contents, crosses)
            )
            mistakes = TallyMistakes(contents, rows, len(marked))
            return (
                *of_rows,
                *penalties_too_many(marked),
                *own_locks(rows),
                *tally_differences(contents, lines, "penalties", mistakes),
            )

        return Audit((), lines, total, (total, total), violations)

    def possible_contents(self, field_id: str) -> tuple[Content, ...]:
        """What a field may hold of which nothing could be read; empty for a field that the game lacks."""
        return self.layout.possible_contents.get(field_id, ())

    def total_bounds(self, options: Mapping[str, Collection[Content]]) -> tuple[int, int]:
        """Totals that no sheet of a game, with one of the `options` in each field, goes beyond."""
        return total_bounds(self.layout, options)

    def across(self, sheets: Sequence[Contents]) -> tuple[SheetViolation, ...]:
        """What the sheets of one game, all of them, show together. Never raises."""
        return across_sheets(self.layout, sheets)

    def ended_by(self, sheets: Sequence[Contents]) -> tuple[int, ...]:
        """The places, from 0, of the sheets that brought the game's end; none while it is not over."""
        return ended_by(self.layout, sheets)
