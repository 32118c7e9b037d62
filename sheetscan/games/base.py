"""What a game's rules module offers: one pure function from the contents of a sheet to its audit."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from sheetscan.result import Content, Repair, ScoreLine, Severity

Figure = int | str | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken rule or a remark as data; `figures` fill the words of the catalogue (`sheetscan/locale`).

    A figure that is a number stays one, a string is a field's name and is said in words, a tuple of names
    is said as a list of the fields with the numbers that they hold.
    """

    code: str
    severity: Severity
    fields: tuple[str, ...]
    figures: Mapping[str, Figure] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Audit:
    """The rules' verdict on one sheet.

    `total` is provisional: the lowest over the minimum repairs. `lines` belong to that repair.
    `repairs` are all inclusion-minimal ones, the smallest first; empty when nothing must be crossed out.
    """

    violations: tuple[Violation, ...]
    repairs: tuple[Repair, ...]
    lines: tuple[ScoreLine, ...]
    total: int
    range: tuple[int, int]


class Rules(Protocol):
    """A game. Contents are keyed by field name; fields that are left out count as empty."""

    name: str
    scoring_fields: frozenset[str]
    """The fields that total and repairs depend on; any other one only changes findings that name it."""

    def audit(self, contents: Mapping[str, Content]) -> Audit:
        """Judge and score a sheet. Never raises, whatever the contents are."""
        ...

    def possible_contents(self, field_id: str) -> tuple[Content, ...]:
        """What a field may hold of which nothing could be read; empty for a field that the game lacks."""
        ...

    def total_bounds(self, options: Mapping[str, Collection[Content]]) -> tuple[int, int]:
        """Totals that no sheet of a game, with one of the `options` in each field, goes beyond."""
        ...
