"""The Qwinto sheet and its score.

Three rows of nine fields over twelve columns. A number is what stands there as one; a cross, a line or a
scribbled-out number makes its field dead; an empty field and one that can't be read hold no number.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import repeat
from operator import itemgetter

from sheetscan.games.tally import Contents, marked_boxes, tally_lines, total_of, written_number
from sheetscan.result import CROSS, EMPTY, Content, ScoreLine, number

LAYOUT = {"orange": (3, "oPo#oPoooo"), "yellow": (2, "ooooo#oPoo"), "purple": (1, "ooPo#ooooP")}
"""Each row's first column and its fields: `o` plain, `P` a pentagon, `#` blocked."""

THROWABLE = range(1, 19)
MISTHROW_POINTS = 5
MAX_MISTHROWS = 4
ROWS_THAT_END = 2
"""As many complete rows of one player end the game."""
LEGAL_TOTALS = (-20, 116)
LEAST_IN_A_COMPLETE_ROW = 9
"""The least number at the right end of nine that rise from 1 at least."""


def _fields_of(row: str, letters: str) -> tuple[str, ...]:
    first, cells = LAYOUT[row]
    return tuple(f"{row}-{first + place}" for place, letter in enumerate(cells) if letter in letters)


def _column(field: str) -> int:
    return int(field.rpartition("-")[2])


ROWS = {row: _fields_of(row, "oP") for row in LAYOUT}
NUMBER_FIELDS = tuple(field for fields in ROWS.values() for field in fields)
BLOCKED_FIELDS = tuple(field for row in LAYOUT for field in _fields_of(row, "#"))
PENTAGONS = {_column(field): field for row in LAYOUT for field in _fields_of(row, "P")}
COLUMNS = {
    column: tuple(field for field in NUMBER_FIELDS if _column(field) == column) for column in range(1, 13)
}
BONUS_COLUMNS = tuple(sorted(PENTAGONS))
ROWS_AND_BONUSES = (*ROWS, *(f"bonus-{column}" for column in BONUS_COLUMNS))
LABELS = (*ROWS_AND_BONUSES, "misthrows")
"""The lines of the tally."""
MISTHROW = "misthrow-"
MISTHROWS = tuple(f"{MISTHROW}{place}" for place in range(1, MAX_MISTHROWS + 1))

Numbers = Mapping[str, int]
Values = tuple[int | None, ...]
"""What stands in one field after the other: its number, or None."""


def _picker(fields: Sequence[str]) -> Callable[[Values], Values]:
    """Picks the values of two or more fields from those of all NUMBER_FIELDS."""
    return itemgetter(*map(NUMBER_FIELDS.index, fields))


PICK_ROW = {row: _picker(fields) for row, fields in ROWS.items()}
PICK_COLUMN = {column: _picker(fields) for column, fields in COLUMNS.items() if len(fields) > 1}
_BONUSES = tuple((PICK_COLUMN[column], NUMBER_FIELDS.index(PENTAGONS[column])) for column in BONUS_COLUMNS)


def written_values(contents: Contents) -> Values:
    """What stands in the rows, in the order of NUMBER_FIELDS."""
    written = map(contents.get, NUMBER_FIELDS, repeat(EMPTY))
    return tuple([content.value if content.kind == "number" else None for content in written])


def written_numbers(contents: Contents) -> dict[str, int]:
    """The numbers in the rows, by field, in the sheet's order."""
    written = zip(NUMBER_FIELDS, written_values(contents), strict=True)
    return {field: value for field, value in written if value is not None}


def marked_misthrows(contents: Contents) -> tuple[str, ...]:
    """The misthrow boxes with a mark that counts."""
    return marked_boxes(contents, MISTHROW)


def complete_rows(numbers: Numbers) -> tuple[str, ...]:
    """The rows in which all nine fields hold numbers."""
    return tuple(row for row, fields in ROWS.items() if all(map(numbers.__contains__, fields)))


def score_lines(values: Values, misthrows: int) -> tuple[ScoreLine, ...]:
    """The tally: rows, bonus columns, misthrows (Qwinto's "Score"); `values` are those of NUMBER_FIELDS."""
    rows = [row_points(pick(values)) for pick in PICK_ROW.values()]
    return lines_of((*rows, *bonus_points(values)), misthrows)


def row_points(values: Values) -> int:
    """A complete row scores its rightmost number, any other one point a number."""
    written = [value for value in values if value is not None]
    return written[-1] if len(written) == len(values) else len(written)


def bonus_points(values: Values) -> list[int]:
    """A bonus column with three numbers scores the one in its pentagon (values of all NUMBER_FIELDS)."""
    return [0 if None in pick(values) else values[pentagon] or 0 for pick, pentagon in _BONUSES]


def lines_of(points: Iterable[int], misthrows: int) -> tuple[ScoreLine, ...]:
    """The tally from the points of rows and bonus columns: a misthrow costs five, four are the most."""
    return tally_lines(LABELS, (*points, -MISTHROW_POINTS * min(misthrows, MAX_MISTHROWS)))


def _possible_contents() -> dict[str, tuple[Content, ...]]:
    def empty_or(*values: int) -> tuple[Content, ...]:
        return (EMPTY, *(number(value) for value in values))

    lowest, highest = LEGAL_TOTALS
    return (
        {field: (*empty_or(*THROWABLE), CROSS) for field in NUMBER_FIELDS}
        | dict.fromkeys((*BLOCKED_FIELDS, *MISTHROWS), (EMPTY, CROSS))
        | {f"tally-{label}": empty_or(0, *THROWABLE) for label in ROWS_AND_BONUSES}
        | {"tally-misthrows": empty_or(*(MISTHROW_POINTS * count for count in range(MAX_MISTHROWS + 1)))}
        | {"tally-total": empty_or(*range(lowest, highest + 1))}
    )


POSSIBLE_CONTENTS = _possible_contents()


def total_bounds(options: Mapping[str, Collection[Content]]) -> tuple[int, int]:
    """Totals that no sheet of a game, with one of the `options` in each field, goes beyond.

    At least those numbers score that stand there for sure and clash with nothing that may stand elsewhere; at
    most, everything does that may stand there, a complete row being a rising one.
    """
    possible = {field: _throwable_values(field, options.get(field, ())) for field in NUMBER_FIELDS}
    safe = {
        field: min(values)
        for field, values in possible.items()
        if values and len(options[field]) == 1 and not _endangered(field, min(values), possible)
    }
    most = {field: max(values) for field, values in possible.items() if values}
    rising = [max(0, LEAST_IN_A_COMPLETE_ROW - most[ROWS[row][-1]]) for row in complete_rows(most)]
    boxes = [choices for field, choices in options.items() if field.startswith(MISTHROW)]
    marks = [[content.kind == CROSS.kind for content in choices] for choices in boxes]
    lowest = score_lines(_values_of(safe), sum(map(any, marks)))
    highest = score_lines(_values_of(most), sum(map(all, marks)))
    low = total_of(lowest)
    return low, max(low, min(total_of(highest) + sum(rising), LEGAL_TOTALS[1]))


def _values_of(numbers: Numbers) -> Values:
    return tuple(map(numbers.get, NUMBER_FIELDS))


def _throwable_values(field: str, contents: Iterable[Content]) -> list[int]:
    values = (written_number({field: content}, field) for content in contents)
    return [value for value in values if value is not None and value in THROWABLE]


def _endangered(field: str, value: int, possible: Mapping[str, Collection[int]]) -> bool:
    """Whether a number clashes with one that may stand in its row or column."""
    row = next(fields for fields in ROWS.values() if field in fields)
    place = row.index(field)
    return (
        any(other >= value for left in row[:place] for other in possible[left])
        or any(other <= value for right in row[place + 1 :] for other in possible[right])
        or any(value in possible[other] for other in COLUMNS[_column(field)] if other != field)
    )
