"""Findings in words: the rules' violations, with fields and figures said in a language."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sheetscan.games.base import Figure, SheetViolation, Violation
from sheetscan.language import field_name, listed, say, signed
from sheetscan.result import Content, Finding

MOST_NAMED = 3
"""Of more readings than that the words give only the number."""


@dataclass(frozen=True, slots=True)
class Words:
    """Puts violations into words, from the game's own catalogue and from `judge.toml` for all games.

    `contents` are the concluded readings, from which fields are said with the numbers that they hold, the
    `doubtful` ones with a question mark.
    """

    game: str
    language: str
    contents: Mapping[str, Content]
    doubtful: Collection[str]

    def finding(self, violation: Violation, *, proven: bool, suspects: Sequence[str]) -> Finding:
        """The finding, a note unless it is `proven`; its words hold if the `suspects` were read rightly."""
        figures = {name: self._figure(figure) for name, figure in violation.figures.items()}
        message = say(self.language, f"{self.game}.{violation.code}-{violation.severity}", **figures)
        if violation.mistake:
            message += " " + say(self.language, f"{self.game}.mistake-{violation.mistake}", **figures)
        if suspects:
            message = say(self.language, "judge.if", readings=self._readings(suspects), message=message)
        return Finding(
            code=violation.code,
            severity=violation.severity if proven else "note",
            fields=violation.fields,
            message=message[:1].upper() + message[1:],
            rule=say(self.language, f"{self.game}.{violation.code}-rule"),
        )

    def _figure(self, figure: Figure) -> str:
        if isinstance(figure, str):
            return field_name(self.language, self.game, figure)
        if isinstance(figure, tuple):
            return listed(self.language, [self._field_with_number(name) for name in figure])
        return signed(figure)

    def _field_with_number(self, name: str) -> str:
        content = self.contents[name]
        held = content.kind if content.value is None else signed(content.value)
        mark = "?" if name in self.doubtful else ""
        return f"{held}{mark} ({field_name(self.language, self.game, name)})"

    def _readings(self, names: Sequence[str]) -> str:
        if len(names) > MOST_NAMED:
            return say(self.language, "judge.many", count=len(names))
        return listed(self.language, [self._reading(name) for name in names])

    def _reading(self, name: str) -> str:
        content = self.contents[name]
        place = field_name(self.language, self.game, name)
        value = None if content.value is None else signed(content.value)
        return say(self.language, f"judge.is-{content.kind}", field=place, value=value)


def game_finding(violation: SheetViolation, game: str, language: str, players: Sequence[str]) -> Finding:
    """A finding on the sheets of one game; `players` names the sheet of each place."""
    figures = {
        name: field_name(language, game, figure) if isinstance(figure, str) else figure
        for name, figure in violation.figures.items()
    }
    sheets = listed(language, [players[place] for place in violation.sheets])
    message = say(language, f"{game}.{violation.code}-{violation.severity}", sheets=sheets, **figures)
    return Finding(
        code=violation.code,
        severity=violation.severity,
        fields=(),
        message=message[:1].upper() + message[1:],
        rule=say(language, f"{game}.{violation.code}-rule"),
    )
