"""What is settled about a game, as data. Sheets go by their numbers, from 1, in the order they were given."""

from dataclasses import dataclass
from typing import Literal

from sheetscan.result import Severity, Sheet

QuestionKind = Literal["reading", "order", "member", "photo"]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A player: the place by the provisional total, the best and worst place possible, total and range."""

    place: int
    places: tuple[int, int]
    sheet: int
    name: str
    total: int
    range: tuple[int, int]


@dataclass(frozen=True, slots=True)
class GameFinding:
    """What the sheets of a game show together (`sheetscan.result.Finding`, and the sheets concerned)."""

    code: str
    severity: Severity
    sheets: tuple[int, ...]
    fields: tuple[str, ...]
    message: str
    rule: str


@dataclass(frozen=True, slots=True)
class Winner:
    """Who wins. `sheets` have the highest provisional total; `possible` are all sets that may win.

    `certain`: all inputs were read, nothing shows that the game is not over, and the same ones win under
    every plausible reading of the doubtful fields and every minimum repair; that a doubt leaves open whether
    the game is over is only told. `every_repair`: so they do under the inclusion-minimal repairs with more
    crosses than needed.
    """

    sheets: tuple[int, ...]
    certain: bool
    every_repair: bool
    possible: tuple[tuple[int, ...], ...]
    message: str


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to the question: the option that gives it to `sheetscan settle`, and who may win then."""

    text: str
    option: str | None
    winners: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Question:
    """The one question whose answer decides who wins (`decides`) or narrows it down most."""

    kind: QuestionKind
    sheet: int
    fields: tuple[str, ...]
    text: str
    decides: bool
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Settlement:
    """A game settled as far as its sheets allow; `winner` is None without a sheet that counts."""

    ranking: tuple[Ranked, ...]
    findings: tuple[GameFinding, ...]
    winner: Winner | None
    question: Question | None
    sheets: tuple[Sheet, ...]

    @property
    def counted(self) -> tuple[Sheet, ...]:
        """The sheets that are ranked, in the order of the ranking."""
        return tuple(self.sheets[ranked.sheet - 1] for ranked in self.ranking)

    @property
    def needs_a_look(self) -> bool:
        """Whether a finding other than a note, or a field to review, is there (exit code 1)."""
        return any(finding.severity != "note" for finding in self.findings) or any(
            sheet.needs_a_look for sheet in self.counted
        )
