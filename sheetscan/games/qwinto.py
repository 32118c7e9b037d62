"""Qwinto's audit of one sheet; the rules in words are the `*-rule` texts of `sheetscan/locale/*/qwinto.toml`.

The severity of a finding says what it asks for:

- `must-cross`: the one field of the finding is in every minimum repair; what it clashes with is in `figures`.
- `one-of`: one of the finding's fields can't stay as it is. Of two clashing numbers one becomes a cross; of
  fields that no repair concerns (a written figure that differs from the computed one, something in a blocked
  field, rows or misthrows that no game allows) a person has to say what went wrong.
- `note`: information only, nothing has to change.
"""

from collections.abc import Collection, Mapping, Sequence

from sheetscan.games.base import Audit, SheetViolation, Violation
from sheetscan.games.qwinto_game import across_sheets, ended_by
from sheetscan.games.qwinto_mistakes import TallyMistakes
from sheetscan.games.qwinto_rows import judged_rows
from sheetscan.games.qwinto_score import (
    BLOCKED_FIELDS,
    MAX_MISTHROWS,
    MISTHROWS,
    NUMBER_FIELDS,
    POSSIBLE_CONTENTS,
    marked_misthrows,
    total_bounds,
    written_values,
)
from sheetscan.games.tally import Contents, tally_differences
from sheetscan.result import EMPTY, Content


def blocked_findings(contents: Contents) -> list[Violation]:
    """Blocked field: nothing is ever written in the coloured field; what stands there doesn't count."""
    written = [
        field for field in BLOCKED_FIELDS if contents.get(field, EMPTY).kind not in ("empty", "unreadable")
    ]
    return [Violation("blocked-field", "one-of", (field,), {"field": field}) for field in written]


def misthrows_too_many(marked: tuple[str, ...]) -> list[Violation]:
    """Too many misthrows: the fourth ends the game."""
    if len(marked) <= MAX_MISTHROWS:
        return []
    return [Violation("misthrows-too-many", "one-of", marked, {"count": len(marked)})]


def misthrows_order(contents: Contents, marked: Collection[str]) -> list[Violation]:
    """Misthrows are marked from the left: no empty box stands left of a marked one."""
    if not marked:
        return []
    empty = [place for place, box in enumerate(MISTHROWS) if contents.get(box, EMPTY).kind == EMPTY.kind]
    gap = empty[0] if empty else MAX_MISTHROWS
    late = [box for box in MISTHROWS[gap:] if box in marked]
    return [
        Violation("misthrows-order", "note", (box,), {"field": box, "empty": MISTHROWS[gap]}) for box in late
    ]


class Qwinto:
    """The rules of Qwinto."""

    name = "qwinto"
    scoring_fields = frozenset((*NUMBER_FIELDS, *MISTHROWS))

    def audit(self, contents: Contents) -> Audit:
        """Judge and score a sheet. Never raises, whatever the contents are.

        `total` is the lowest over the minimum repairs, `range` spans all of them.
        """
        marked = marked_misthrows(contents)
        values = written_values(contents)
        unthrowable, rows = judged_rows(values, len(marked))

        def violations() -> tuple[Violation, ...]:
            crosses = rows.repairs[0].crosses if rows.repairs else ()
            mistakes = TallyMistakes(rows.unrepaired, values, crosses, len(marked))
            return (
                *unthrowable,
                *rows.clashes,
                *blocked_findings(contents),
                *rows.complete,
                *misthrows_too_many(marked),
                *misthrows_order(contents, marked),
                *tally_differences(contents, rows.lines, "misthrows", mistakes),
                *rows.remarks,
            )

        return Audit(rows.repairs, rows.lines, rows.range[0], rows.range, violations)

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
