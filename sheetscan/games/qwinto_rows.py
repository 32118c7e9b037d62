"""What stands in Qwinto's rows: values, clashes and their repairs, the score.

Rows are judged one by one, and what follows from all of them only once for each way of clashing and scoring:
nearly equal sheets, as doubtful fields make them by the thousand, have nearly all of that in common.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from types import MappingProxyType
from typing import NamedTuple

from sheetscan.games.base import Violation
from sheetscan.games.qwinto_score import (
    BONUS_COLUMNS,
    COLUMNS,
    MAX_MISTHROWS,
    NUMBER_FIELDS,
    PICK_ROW,
    ROWS,
    ROWS_THAT_END,
    THROWABLE,
    Values,
    bonus_points,
    lines_of,
    row_points,
)
from sheetscan.games.repairs import minimal_repairs
from sheetscan.games.tally import total_of
from sheetscan.result import Repair, ScoreLine

LISTED_REPAIRS = 4096
"""Enough for every set of twelve separate clashes; a sheet with more is no longer a score sheet."""
ROWS_REMEMBERED = 4096
RULINGS_REMEMBERED = 128
VERDICTS_REMEMBERED = 256
"""Not more, for of a sheet full of clashes each holds thousands of repairs."""

_SCORING = (*ROWS.values(), *(COLUMNS[column] for column in BONUS_COLUMNS))
LINES_OF = {
    field: tuple(line for line, fields in enumerate(_SCORING) if field in fields) for field in NUMBER_FIELDS
}
"""The places, among the rows and bonus columns, of those that a field is part of."""
COLUMN_PAIRS = tuple(
    (pair, NUMBER_FIELDS.index(pair[0]), NUMBER_FIELDS.index(pair[1]))
    for fields in COLUMNS.values()
    for pair in combinations(fields, 2)
)
"""Two fields of one column, with their places among NUMBER_FIELDS."""


class Clash(NamedTuple):
    """Two numbers that can't both stand, in the sheet's order, and the finding's code."""

    code: str
    fields: tuple[str, str]


def not_throwable(fields: Sequence[str], values: Values) -> list[Violation]:
    """Value: one, two or three dice give 1 to 18; any other number must become a cross."""
    return [
        Violation("value", "must-cross", (field,), {"field": field, "value": value})
        for field, value in zip(fields, values, strict=True)
        if value is not None and value not in THROWABLE
    ]


def row_clashes(fields: Sequence[str], values: Values) -> list[Clash]:
    """Row order: in a row every number is above all to its left."""
    written = zip(fields, values, strict=True)
    numbers = [(field, value) for field, value in written if value is not None and value in THROWABLE]
    return [
        Clash("row-order", (left, right))
        for (left, first), (right, second) in combinations(numbers, 2)
        if first >= second
    ]


def column_clashes(values: Values) -> list[Clash]:
    """Column repeat: no number stands twice in a column; `values` are those of NUMBER_FIELDS."""
    return [
        Clash("column-repeat", pair)
        for pair, upper, lower in COLUMN_PAIRS
        if values[upper] == values[lower] and values[upper] is not None and values[upper] in THROWABLE
    ]


def clash_findings(clashes: Iterable[Clash], must_cross: Iterable[str]) -> list[Violation]:
    """One finding a clashing pair; clashes of a field that must become a cross anyway are one finding."""
    findings = []
    opponents: dict[tuple[str, str], list[str]] = {}
    for clash in clashes:
        first, second = clash.fields
        if first not in must_cross and second not in must_cross:
            figures = {"first": (first,), "second": (second,)}
            findings.append(Violation(clash.code, "one-of", clash.fields, figures))
        for field, other in ((first, second), (second, first)):
            if field not in must_cross:
                continue
            opponents.setdefault((clash.code, field), []).append(other)
    accused = [
        Violation(code, "must-cross", (field,), {"field": (field,), "others": tuple(others)})
        for (code, field), others in opponents.items()
    ]
    return accused + findings


def three_complete_rows(complete: Collection[str]) -> list[Violation]:
    """Three complete rows: the game ends with a player's second, and one throw fills one field."""
    impossible = len(complete) > ROWS_THAT_END
    return [Violation("three-complete-rows", "one-of", NUMBER_FIELDS)] if impossible else []


def end_not_proven(
    complete: Collection[str], misthrows: int, repairs: Iterable[Collection[str]]
) -> list[Violation]:
    """End not proven: a minimum repair undoes a complete row that ended the game."""
    if len(complete) < ROWS_THAT_END or misthrows >= MAX_MISTHROWS:
        return []
    undoing: set[str] = set()
    for repair in repairs:
        undone = {row: crossed for row in complete if (crossed := set(ROWS[row]).intersection(repair))}
        if len(complete) - len(undone) < ROWS_THAT_END:
            undoing.update(*undone.values())
    fields = tuple(field for field in NUMBER_FIELDS if field in undoing)
    return [Violation("end-not-proven", "note", fields, {"fields": fields})] if fields else []


def repairs_truncated(count: int) -> list[Violation]:
    """Repairs truncated: of thousands only the smallest are listed; all minimum ones are judged."""
    if count <= LISTED_REPAIRS:
        return []
    return [Violation("repairs-truncated", "note", (), {"count": count, "listed": LISTED_REPAIRS})]


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """What a row by itself comes to; rows are told apart, not compared, for that takes the longest of all."""

    unthrowable: tuple[Violation, ...]
    clashes: tuple[Clash, ...]
    points: int
    complete: bool


class Together(NamedTuple):
    """What the rows come to without regard to their columns; `complete` are the names of those that are."""

    unthrowable: tuple[Violation, ...]
    impossible: tuple[str, ...]
    clashes: tuple[Clash, ...]
    points: tuple[int, ...]
    complete: tuple[str, ...]


@lru_cache(ROWS_REMEMBERED)
def judged_row(row: str, values: Values) -> Row:
    """Judge what stands in a row's fields."""
    fields = ROWS[row]
    return Row(
        unthrowable=tuple(not_throwable(fields, values)),
        clashes=tuple(row_clashes(fields, values)),
        points=row_points(values),
        complete=None not in values,
    )


@dataclass(frozen=True, slots=True)
class Ruling:
    """What must become a cross: of `count` repairs the smallest, of which the first `minimum` are minimum."""

    repairs: tuple[tuple[str, ...], ...]
    count: int
    minimum: int
    findings: tuple[Violation, ...]


@lru_cache(RULINGS_REMEMBERED)
def ruling_on(impossible: tuple[str, ...], clashes: tuple[Clash, ...]) -> Ruling:
    """How numbers that can't stand at all, and those that clash, are to be repaired."""
    repairs = minimal_repairs(NUMBER_FIELDS, impossible, [clash.fields for clash in clashes])
    minimum = [repair for repair in repairs if len(repair) == len(repairs[0])]
    return Ruling(
        repairs=tuple(repairs[: max(LISTED_REPAIRS, len(minimum))]),
        count=len(repairs),
        minimum=len(minimum),
        findings=tuple(clash_findings(clashes, frozenset(minimum[0]).intersection(*minimum))),
    )


class Verdict(NamedTuple):
    """What follows from the rows and the number of misthrows.

    `clashes` are the findings on numbers that can't stand together, `remarks` those on what repairs mean;
    `unrepaired` is the tally by label before anything is crossed out, empty where nothing has to be.
    """

    lines: tuple[ScoreLine, ...]
    range: tuple[int, int]
    complete: tuple[Violation, ...]
    clashes: tuple[Violation, ...] = ()
    remarks: tuple[Violation, ...] = ()
    repairs: tuple[Repair, ...] = ()
    unrepaired: Mapping[str, int] = MappingProxyType({})


@lru_cache(ROWS_REMEMBERED)
def together(*rows: Row) -> Together:
    """Put together what ROWS come to one by one."""
    unthrowable = tuple([violation for row in rows for violation in row.unthrowable])
    return Together(
        unthrowable=unthrowable,
        impossible=tuple([field for violation in unthrowable for field in violation.fields]),
        clashes=tuple([clash for row in rows for clash in row.clashes]),
        points=tuple([row.points for row in rows]),
        complete=tuple([name for name, row in zip(ROWS, rows, strict=True) if row.complete]),
    )


def judged_rows(values: Values, misthrows: int) -> tuple[tuple[Violation, ...], Verdict]:
    """Judge and score what stands in the rows, in the order of NUMBER_FIELDS, beside so many misthrows.

    Apart from the verdict, which is the same for all of them: the findings on numbers that can't be thrown.
    """
    rows = together(*[judged_row(row, pick(values)) for row, pick in PICK_ROW.items()])
    verdict = verdict_on(
        impossible=rows.impossible,
        clashes=(*rows.clashes, *column_clashes(values)),
        complete=rows.complete,
        points=(*rows.points, *bonus_points(values)),
        misthrows=misthrows,
    )
    return rows.unthrowable, verdict


@lru_cache(VERDICTS_REMEMBERED)
def verdict_on(
    *,
    impossible: tuple[str, ...],
    clashes: tuple[Clash, ...],
    complete: tuple[str, ...],
    points: tuple[int, ...],
    misthrows: int,
) -> Verdict:
    """The verdict on a sheet with these complete rows, and these points of rows and bonus columns."""
    lines = lines_of(points, misthrows)
    total = total_of(lines)
    three = tuple(three_complete_rows(complete))
    if not (impossible or clashes):
        return Verdict(lines, (total, total), three)
    ruling = ruling_on(impossible, clashes)
    rows = zip(ROWS, points, strict=False)
    counts = [len(ROWS[row]) if row in complete else standing for row, standing in rows]
    counts += [0] * len(BONUS_COLUMNS)
    rest = {crosses: _points_without(crosses, counts, points) for crosses in ruling.repairs}
    repairs = [Repair(crosses, sum(kept) + lines[-1].points) for crosses, kept in rest.items()]
    repairs.sort(key=lambda repair: (len(repair.crosses), repair.score))
    minimum = repairs[: ruling.minimum]
    return Verdict(
        lines=lines_of(rest[repairs[0].crosses], misthrows),
        range=(minimum[0].score, minimum[-1].score),
        complete=three,
        clashes=ruling.findings,
        remarks=(
            *end_not_proven(complete, misthrows, [repair.crosses for repair in minimum]),
            *repairs_truncated(ruling.count),
        ),
        repairs=tuple(repairs[:LISTED_REPAIRS]),
        unrepaired={line.label: line.points for line in lines} | {"total": total},
    )


def _points_without(crosses: Iterable[str], counts: Sequence[int], points: Sequence[int]) -> list[int]:
    """The points of rows and bonus columns when `crosses` have become crosses.

    `counts` are what they give where they are not complete: a point a number, no bonus.
    """
    crossed = [0] * len(points)
    for field in crosses:
        for line in LINES_OF[field]:
            crossed[line] += 1
    lines = zip(points, counts, crossed, strict=True)
    return [max(0, count - fewer) if fewer else standing for standing, count, fewer in lines]
