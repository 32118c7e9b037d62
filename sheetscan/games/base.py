"""What a game's rules module offers: one pure function from the contents of a sheet to its audit."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from sheetscan.result import Content, Repair, ScoreLine, Severity

Figure = int | str | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken rule or a remark as data; `figures` fill the words of the catalogue (`sheetscan/locale`).

    A figure that is a number stays one, a string is a field's name and is said in words, a tuple of names
    is said as a list of the fields with the numbers that they hold. `mistake` names the likely cause.
    """

    code: str
    severity: Severity
    fields: tuple[str, ...]
    figures: Mapping[str, Figure] = field(default_factory=dict)
    mistake: str | None = None


@dataclass(frozen=True, eq=False)
class Audit:
    """The rules' verdict on one sheet.

    `total` is provisional: the lowest over the minimum repairs. `lines` belong to that repair.
    `repairs` are all inclusion-minimal ones, the smallest first; empty when nothing must be crossed out.
    Violations are found when they are asked for: of most readings of a doubtful sheet only the score is.
    """

    repairs: tuple[Repair, ...]
    lines: tuple[ScoreLine, ...]
    total: int
    range: tuple[int, int]
    find: Callable[[], tuple[Violation, ...]] = field(repr=False)

    @cached_property
    def violations(self) -> tuple[Violation, ...]:
        """All broken rules and remarks; no two share code, severity and fields."""
        return self.find()


@dataclass(frozen=True, slots=True)
class SheetViolation:
    """What the sheets of one game show together; `sheets` are the places, from 0, of those concerned.

    Its words have a place `{sheets}` for their players' names, which the rules don't know.
    """

    code: str
    severity: Severity
    sheets: tuple[int, ...]
    figures: Mapping[str, Figure] = field(default_factory=dict)


class SheetLayout(Protocol):
    """What the rules need to know of a sheet's template."""

    @property
    def game(self) -> str:
        """The name of its rules."""
        ...

    @property
    def places(self) -> Mapping[str, tuple[str, ...]]:
        """Each row's fields from left to right."""
        ...


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

    def across(self, sheets: Sequence[Mapping[str, Content]]) -> tuple[SheetViolation, ...]:
        """What the sheets of one game, all of them, show together. Never raises, whatever the contents are.

        Of fewer than two sheets nothing can be said.
        """
        ...

    def ended_by(self, sheets: Sequence[Mapping[str, Content]]) -> tuple[int, ...]:
        """The places, from 0, of the sheets that brought the game's end; none while it is not over.

        More numbers and crosses on the sheets never undo an end.
        """
        ...
