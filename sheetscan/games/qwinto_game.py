"""What the sheets of one game of Qwinto show together (`rules/qwinto.md`, "Sheets of one game")."""

from collections import Counter
from collections.abc import Sequence

from sheetscan.games.base import SheetViolation
from sheetscan.games.qwinto_score import (
    MAX_MISTHROWS,
    NUMBER_FIELDS,
    ROWS_THAT_END,
    complete_rows,
    marked_misthrows,
    written_numbers,
)
from sheetscan.games.tally import Contents
from sheetscan.games.turns import most_turns


def across_sheets(sheets: Sequence[Contents]) -> tuple[SheetViolation, ...]:
    """The findings on all sheets of a game; none for fewer than two."""
    if len(sheets) < 2:
        return ()
    return (*game_not_over(sheets), *misthrows_end_twice(sheets), *sheets_do_not_fit(sheets))


def game_not_over(sheets: Sequence[Contents]) -> list[SheetViolation]:
    """Game not over: nobody has two complete rows or four misthrows."""
    over = ended_by(sheets)
    return [] if over else [SheetViolation("game-not-over", "one-of", tuple(range(len(sheets))))]


def ended_by(sheets: Sequence[Contents]) -> tuple[int, ...]:
    """The sheets with two complete rows or four misthrows."""
    return tuple(
        place
        for place, contents in enumerate(sheets)
        if len(complete_rows(written_numbers(contents))) >= ROWS_THAT_END
        or len(marked_misthrows(contents)) >= MAX_MISTHROWS
    )


def misthrows_end_twice(sheets: Sequence[Contents]) -> list[SheetViolation]:
    """Two sheets with four misthrows: the game ends with the first of them."""
    ended = tuple(
        place for place, contents in enumerate(sheets) if len(marked_misthrows(contents)) >= MAX_MISTHROWS
    )
    return [SheetViolation("misthrows-end-twice", "one-of", ended)] if len(ended) > 1 else []


def sheets_do_not_fit(sheets: Sequence[Contents]) -> list[SheetViolation]:
    """Sheets don't fit together: no numbers of own turns explain what stands on them.

    A dead field may have held a number once, so it counts among those that own turns may have filled.
    """
    numbers = [written_numbers(contents) for contents in sheets]
    misthrows = [len(marked_misthrows(contents)) for contents in sheets]
    used = [_used_fields(contents) for contents in sheets]
    bounds = [(taken, taken + count) for taken, count in zip(misthrows, used, strict=True)]
    thrown: Counter[int] = Counter()
    for written in numbers:
        thrown |= Counter(written.values())
    passed = [len(written) + taken for written, taken in zip(numbers, misthrows, strict=True)]
    throws = max(thrown.total(), *passed)
    turns = most_turns(bounds)
    fits = turns is not None and sum(turns) >= throws
    return [] if fits else [SheetViolation("sheets-do-not-fit", "one-of", tuple(range(len(sheets))))]


def _used_fields(contents: Contents) -> int:
    """The fields that hold or may have held a number."""
    kinds = (contents[field].kind for field in NUMBER_FIELDS if field in contents)
    return sum(kind != "empty" for kind in kinds)
