"""Qwinto's audit of one sheet; the rules in words are the `*-rule` texts of `sheetscan/locale/*/qwinto.toml`.

The severity of a finding says what it asks for:

- `must-cross`: the one field of the finding is in every minimum repair; what it clashes with is in `figures`.
- `one-of`: one of the finding's fields can't stay as it is. Of two clashing numbers one becomes a cross; of
  fields that no repair concerns (a written figure that differs from the computed one, something in a blocked
  field, rows or misthrows that no game allows) a person has to say what went wrong.
- `note`: information only, nothing has to change.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from sheetscan.games.base import Audit, SheetViolation, Violation
from sheetscan.games.qwinto_game import across_sheets, ended_by
from sheetscan.games.qwinto_mistakes import TallyMistakes
from sheetscan.games.qwinto_score import (
    BLOCKED_FIELDS,
    COLUMNS,
    MAX_MISTHROWS,
    MISTHROWS,
    NUMBER_FIELDS,
    POSSIBLE_CONTENTS,
    ROWS,
    ROWS_THAT_END,
    THROWABLE,
    Numbers,
    complete_rows,
    marked_misthrows,
    score_lines,
    total_bounds,
    without,
    written_numbers,
)
from sheetscan.games.repairs import minimal_repairs
from sheetscan.games.tally import Contents, tally_differences, total_of
from sheetscan.result import EMPTY, Content, Repair

LISTED_REPAIRS = 4096
"""Enough for every set of twelve separate clashes; a sheet with more is no longer a score sheet."""


@dataclass(frozen=True, slots=True)
class Clash:
    """Two numbers that can't both stand, in the sheet's order, and the finding's code."""

    code: str
    fields: tuple[str, str]


def not_throwable(numbers: Numbers) -> list[str]:
    """Value: one, two or three dice give 1 to 18; any other number must become a cross."""
    return [field for field, value in numbers.items() if value not in THROWABLE]


def row_clashes(numbers: Numbers) -> list[Clash]:
    """Row order: in a row every number is above all to its left."""
    return [
        Clash("row-order", (left, right))
        for fields in ROWS.values()
        for left, right in combinations([field for field in fields if field in numbers], 2)
        if numbers[left] >= numbers[right]
    ]


def column_clashes(numbers: Numbers) -> list[Clash]:
    """Column repeat: no number stands twice in a column."""
    return [
        Clash("column-repeat", (upper, lower))
        for fields in COLUMNS.values()
        for upper, lower in combinations([field for field in fields if field in numbers], 2)
        if numbers[upper] == numbers[lower]
    ]


def value_findings(numbers: Numbers, fields: Iterable[str]) -> list[Violation]:
    """One finding a number that can't be thrown."""
    return [
        Violation("value", "must-cross", (field,), {"field": field, "value": numbers[field]})
        for field in fields
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


def blocked_findings(contents: Contents) -> list[Violation]:
    """Blocked field: nothing is ever written in the coloured field; what stands there doesn't count."""
    written = [
        field for field in BLOCKED_FIELDS if contents.get(field, EMPTY).kind not in ("empty", "unreadable")
    ]
    return [Violation("blocked-field", "one-of", (field,), {"field": field}) for field in written]


def three_complete_rows(numbers: Numbers) -> list[Violation]:
    """Three complete rows: the game ends with a player's second, and one throw fills one field."""
    impossible = len(complete_rows(numbers)) > ROWS_THAT_END
    return [Violation("three-complete-rows", "one-of", NUMBER_FIELDS)] if impossible else []


def misthrows_too_many(marked: tuple[str, ...]) -> list[Violation]:
    """Too many misthrows: the fourth ends the game."""
    if len(marked) <= MAX_MISTHROWS:
        return []
    return [Violation("misthrows-too-many", "one-of", marked, {"count": len(marked)})]


def misthrows_order(contents: Contents, marked: Iterable[str]) -> list[Violation]:
    """Misthrows are marked from the left: no empty box stands left of a marked one."""
    empty = [place for place, box in enumerate(MISTHROWS) if contents.get(box, EMPTY).kind == EMPTY.kind]
    gap = empty[0] if empty else MAX_MISTHROWS
    late = [box for box in MISTHROWS[gap:] if box in marked]
    return [
        Violation("misthrows-order", "note", (box,), {"field": box, "empty": MISTHROWS[gap]}) for box in late
    ]


def end_not_proven(numbers: Numbers, misthrows: int, repairs: Iterable[tuple[str, ...]]) -> list[Violation]:
    """End not proven: a minimum repair undoes a complete row that ended the game."""
    ended = complete_rows(numbers)
    if len(ended) < ROWS_THAT_END or misthrows >= MAX_MISTHROWS:
        return []
    undoing = {
        field
        for repair in repairs
        if len(complete_rows(without(numbers, repair))) < ROWS_THAT_END
        for field in repair
        if any(field in ROWS[row] for row in ended)
    }
    fields = tuple(field for field in NUMBER_FIELDS if field in undoing)
    return [Violation("end-not-proven", "note", fields, {"fields": fields})] if fields else []


def repairs_truncated(count: int) -> list[Violation]:
    """Repairs truncated: of thousands only the smallest are listed; all minimum ones are judged."""
    if count <= LISTED_REPAIRS:
        return []
    return [Violation("repairs-truncated", "note", (), {"count": count, "listed": LISTED_REPAIRS})]


class Qwinto:
    """The rules of Qwinto."""

    name = "qwinto"
    scoring_fields = frozenset((*NUMBER_FIELDS, *MISTHROWS))

    def audit(self, contents: Contents) -> Audit:
        """Judge and score a sheet. Never raises, whatever the contents are.

        `total` is the lowest over the minimum repairs, `range` spans all of them.
        """
        numbers = written_numbers(contents)
        marked = marked_misthrows(contents)
        impossible = not_throwable(numbers)
        throwable = without(numbers, impossible)
        clashes = row_clashes(throwable) + column_clashes(throwable)
        crosses = minimal_repairs(NUMBER_FIELDS, impossible, [clash.fields for clash in clashes])
        minimum = [repair for repair in crosses if len(repair) == len(crosses[0])]
        repairs = _scored(crosses[: max(LISTED_REPAIRS, len(minimum))], numbers, len(marked))
        lines = score_lines(without(numbers, repairs[0].crosses), len(marked))
        totals = [repair.score for repair in repairs[: len(minimum)]]
        mistakes = TallyMistakes(numbers, without(numbers, repairs[0].crosses), len(marked))
        violations = (
            *value_findings(numbers, impossible),
            *clash_findings(clashes, frozenset(minimum[0]).intersection(*minimum)),
            *blocked_findings(contents),
            *three_complete_rows(numbers),
            *misthrows_too_many(marked),
            *misthrows_order(contents, marked),
            *tally_differences(contents, lines, "misthrows", mistakes),
            *end_not_proven(numbers, len(marked), minimum),
            *repairs_truncated(len(crosses)),
        )
        listed = repairs[:LISTED_REPAIRS] if crosses[0] else ()
        return Audit(violations, listed, lines, total_of(lines), (min(totals), max(totals)))

    def possible_contents(self, field_id: str) -> tuple[Content, ...]:
        """What a field may hold of which nothing could be read; empty for a field that the game lacks."""
        return POSSIBLE_CONTENTS.get(field_id, ())

    def total_bounds(self, options: Mapping[str, Collection[Content]]) -> tuple[int, int]:
        """Totals that no sheet of a game, with one of the `options` in each field, goes beyond."""
        return total_bounds(options)

    def across(self, sheets: Sequence[Contents]) -> tuple[SheetViolation, ...]:
        """What the sheets of one game, all of them, show together. Never raises."""
        return across_sheets(sheets)

    def ended_by(self, sheets: Sequence[Contents]) -> tuple[int, ...]:
        """The places, from 0, of the sheets that brought the game's end; none while it is not over."""
        return ended_by(sheets)


def _scored(crosses: Iterable[tuple[str, ...]], numbers: Numbers, misthrows: int) -> tuple[Repair, ...]:
    """The repairs with their totals: the smallest first, of one size the lowest total first."""
    repairs = [
        Repair(repair, total_of(score_lines(without(numbers, repair), misthrows))) for repair in crosses
    ]
    return tuple(sorted(repairs, key=lambda repair: (len(repair.crosses), repair.score)))
