"""What a game's rules module offers: one pure function from the contents of a sheet to its audit."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from sheetscan.result import Content, Repair, ScoreLine, Severity


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken rule or a remark as data; `figures` fill the words of the catalogue (`sheetscan/locale`)."""

    code: str
    severity: Severity
    fields: tuple[str, ...]
    figures: Mapping[str, object] = field(default_factory=dict)


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

    def audit(self, contents: Mapping[str, Content]) -> Audit:
        """Judge and score a sheet. Never raises, whatever the contents are."""
        ...
