"""The Qwinto sheet and its score.

Three rows of nine fields over twelve columns. A number is what stands there as one; a cross, a line or a
scribbled-out number makes its field dead; an empty field and one that can't be read hold no number.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from sheetscan.games.tally import Contents, marked_boxes, total_of, written_number
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
MISTHROW = "misthrow-"
MISTHROWS = tuple(f"{MISTHROW}{place}" for place in range(1, MAX_MISTHROWS + 1))

Numbers = Mapping[str, int]


def written_numbers(contents: Contents) -> dict[str, int]:
    """The numbers in the rows, by field, in the sheet's order."""
    written = ((field, written_number(contents, field)) for field in NUMBER_FIELDS)
    return {field: value for field, value in written if value is not None}


def marked_misthrows(contents: Contents) -> tuple[str, ...]:
    """The misthrow boxes with a mark that counts."""
    return marked_boxes(contents, MISTHROW)


def complete_rows(numbers: Numbers) -> tuple[str, ...]:
    """The rows in which all nine fields hold numbers."""
    return tuple(row for row, fields in ROWS.items() if all(field in numbers for field in fields))


def without(numbers: Numbers, crosses: Iterable[str]) -> dict[str, int]:
    """The numbers that are left when `crosses` have become crosses."""
    gone = frozenset(crosses)
    return {field: value for field, value in numbers.items() if field not in gone}


def score_lines(numbers: Numbers, misthrows: int) -> tuple[ScoreLine, ...]:
    """The tally: rows, bonus columns, misthrows (Qwinto's "Score")."""
    rows = [ScoreLine(row, row_points(numbers, fields)) for row, fields in ROWS.items()]
    bonuses = [ScoreLine(f"bonus-{column}", bonus_points(numbers, column)) for column in BONUS_COLUMNS]
    return (*rows, *bonuses, ScoreLine("misthrows", -MISTHROW_POINTS * min(misthrows, MAX_MISTHROWS)))


def row_points(numbers: Numbers, fields: Sequence[str]) -> int:
    """A complete row scores its rightmost number, any other one point a number."""
    count = sum(field in numbers for field in fields)
    return numbers[fields[-1]] if count == len(fields) else count


def bonus_points(numbers: Numbers, column: int) -> int:
    """A bonus column with three numbers scores the one in its pentagon."""
    complete = all(field in numbers for field in COLUMNS[column])
    return numbers[PENTAGONS[column]] if complete else 0


def _possible_contents() -> dict[str, tuple[Content, ...]]:
    def empty_or(*values: int) -> tuple[Content, ...]:
        return (EMPTY, *(number(value) for value in values))

    rows_and_bonuses = (*ROWS, *(f"bonus-{column}" for column in BONUS_COLUMNS))
    lowest, highest = LEGAL_TOTALS
    return (
        {field: (*empty_or(*THROWABLE), CROSS) for field in NUMBER_FIELDS}
        | dict.fromkeys((*BLOCKED_FIELDS, *MISTHROWS), (EMPTY, CROSS))
        | {f"tally-{label}": empty_or(0, *THROWABLE) for label in rows_and_bonuses}
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
    lowest = score_lines(safe, sum(map(any, marks)))
    highest = score_lines(most, sum(map(all, marks)))
    low = total_of(lowest)
    return low, max(low, min(total_of(highest) + sum(rising), LEGAL_TOTALS[1]))


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
