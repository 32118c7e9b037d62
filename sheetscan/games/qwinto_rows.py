"""What stands in Qwinto's rows: values, clashes and their repairs, the score.

Rows and columns are judged apart, and each way of filling one, or of clashing, only once: nearly equal
sheets, as doubtful fields make them by the thousand, have nearly all of that in common.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import combinations
from typing import NamedTuple

from sheetscan.games.base import Violation
from sheetscan.games.qwinto_mistakes import TallyMistakes
from sheetscan.games.qwinto_score import (
    BONUS_COLUMNS,
    COLUMNS,
    MAX_MISTHROWS,
    NUMBER_FIELDS,
    PICK_COLUMN,
    PICK_ROW,
    ROWS,
    ROWS_THAT_END,
    THROWABLE,
    Values,
    bonus_line,
    row_line,
    score_lines,
)
from sheetscan.games.repairs import minimal_repairs
from sheetscan.games.tally import total_of
from sheetscan.result import Repair, ScoreLine

LISTED_REPAIRS = 4096
"""Enough for every set of twelve separate clashes; a sheet with more is no longer a score sheet."""
PARTS_REMEMBERED = 4096
RULINGS_REMEMBERED = 128
SHEETS_REMEMBERED = 8
"""Few, as one may have thousands of repairs; enough while only the tally of a sheet is varied."""


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
    return [
        Clash("row-order", (left, right))
        for (left, first), (right, second) in combinations(_throwable(fields, values), 2)
        if first >= second
    ]


def column_clashes(fields: Sequence[str], values: Values) -> list[Clash]:
    """Column repeat: no number stands twice in a column."""
    return [
        Clash("column-repeat", (upper, lower))
        for (upper, first), (lower, second) in combinations(_throwable(fields, values), 2)
        if first == second
    ]


def _throwable(fields: Sequence[str], values: Values) -> list[tuple[str, int]]:
    written = zip(fields, values, strict=True)
    return [(field, value) for field, value in written if value is not None and value in THROWABLE]


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


@dataclass(frozen=True, slots=True)
class Part:
    """A row or a column judged by itself.

    `premium` are the fields of a complete row or bonus column and what it gives beside a point a number.
    """

    unthrowable: tuple[Violation, ...]
    clashes: tuple[Clash, ...]
    premium: tuple[frozenset[str], int] | None


@lru_cache(PARTS_REMEMBERED)
def judged_row(row: str, values: Values) -> Part:
    """Judge what stands in a row's fields."""
    fields = ROWS[row]
    premium = None if None in values else (frozenset(fields), row_line(row, values).points - len(fields))
    return Part(tuple(not_throwable(fields, values)), tuple(row_clashes(fields, values)), premium)


@lru_cache(PARTS_REMEMBERED)
def judged_column(column: int, values: Values) -> Part:
    """Judge what stands in a column's fields, of which each is in a row as well."""
    fields = COLUMNS[column]
    bonus = column in BONUS_COLUMNS and None not in values
    premium = (frozenset(fields), bonus_line(column, values).points) if bonus else None
    return Part((), tuple(column_clashes(fields, values)), premium)


PARTS: tuple[tuple[Callable[[Values], Part], Callable[[Values], Values]], ...] = (
    *((partial(judged_row, row), pick) for row, pick in PICK_ROW.items()),
    *((partial(judged_column, column), pick) for column, pick in PICK_COLUMN.items()),
)
"""How each part is judged, and how its values are picked from those of the sheet."""


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


@dataclass(frozen=True, slots=True)
class JudgedRows:
    """What the rows and the number of misthrows come to, whatever else stands on the sheet.

    Of its findings `accusing` are those on values and clashes, `remarks` those on what repairs mean.
    """

    accusing: tuple[Violation, ...]
    complete: tuple[Violation, ...]
    remarks: tuple[Violation, ...]
    repairs: tuple[Repair, ...]
    lines: tuple[ScoreLine, ...]
    range: tuple[int, int]
    mistakes: TallyMistakes


@lru_cache(SHEETS_REMEMBERED)
def judged_rows(values: Values, misthrows: int) -> JudgedRows:
    """Judge and score what stands in the rows, in the order of NUMBER_FIELDS, beside so many misthrows."""
    parts = [judged(pick(values)) for judged, pick in PARTS]
    unthrowable = [violation for part in parts for violation in part.unthrowable]
    clashes = tuple([clash for part in parts for clash in part.clashes])
    complete = [row for row, part in zip(ROWS, parts, strict=False) if part.premium]
    lines = score_lines(values, misthrows)
    total = total_of(lines)
    if not (unthrowable or clashes):
        mistakes = TallyMistakes((), values, misthrows)
        return JudgedRows((), tuple(three_complete_rows(complete)), (), (), lines, (total, total), mistakes)
    ruling = ruling_on(tuple([field for found in unthrowable for field in found.fields]), clashes)
    minimum = ruling.repairs[: ruling.minimum]
    repairs = _scored(ruling.repairs, total, [part.premium for part in parts if part.premium])
    totals = [repair.score for repair in repairs[: ruling.minimum]]
    kept = _without(values, repairs[0].crosses)
    return JudgedRows(
        accusing=(*unthrowable, *ruling.findings),
        complete=tuple(three_complete_rows(complete)),
        remarks=(*end_not_proven(complete, misthrows, minimum), *repairs_truncated(ruling.count)),
        repairs=repairs[:LISTED_REPAIRS],
        lines=score_lines(kept, misthrows),
        range=(min(totals), max(totals)),
        mistakes=TallyMistakes(lines, kept, misthrows),
    )


def _scored(
    crosses: Iterable[tuple[str, ...]], total: int, premiums: Sequence[tuple[frozenset[str], int]]
) -> tuple[Repair, ...]:
    """The repairs with their totals: the smallest first, of one size the lowest total first.

    Of the sheet's `total` a cross costs its number's point and the premiums that this helped to earn.
    """
    repairs = [
        Repair(
            repair,
            total - len(repair) - sum([gain for fields, gain in premiums if fields.intersection(repair)]),
        )
        for repair in crosses
    ]
    return tuple(sorted(repairs, key=lambda repair: (len(repair.crosses), repair.score)))


def _without(values: Values, crosses: Collection[str]) -> Values:
    """What is left in the rows when `crosses` have become crosses."""
    written = zip(NUMBER_FIELDS, values, strict=True)
    return tuple([None if field in crosses else value for field, value in written])
