"""What has to be told about a field beside its content; the terminal and the picture agree on it."""

from dataclasses import dataclass
from typing import Literal

from sheetscan.result import Content, Sheet

Notice = Literal["doubt", "must", "one-of", "hint", "user"]

SIGNS: dict[Notice, str] = {"doubt": "?", "must": "!", "one-of": "^", "hint": "~", "user": "*"}
"""Signs stand beside colours, so that nothing is lost without colour."""

WORTH_SAYING = 0.02
"""A less probable alternative is not shown."""

GLYPHS = {"empty": "", "cross": "✗", "line": "/", "void": "█", "unreadable": "??"}


@dataclass(frozen=True, slots=True)
class Notices:
    """What there is to tell about the fields of a sheet."""

    sheet: Sheet

    def of(self, field_id: str) -> Notice | None:
        """The weightiest notice of a field."""
        reading = self.sheet.fields.get(field_id)
        if field_id in self._concerned("must-cross"):
            return "must"
        if (reading is not None and reading.doubtful) or field_id in self.sheet.review:
            return "doubt"
        if field_id in self._concerned("one-of"):
            return "one-of"
        if reading is None or reading.why is None:
            return None
        return "hint" if reading.why == "rule hint" else "user"

    def _concerned(self, severity: str) -> set[str]:
        findings = self.sheet.findings
        return {name for finding in findings if finding.severity == severity for name in finding.fields}


def glyph(content: Content) -> str:
    """A content in three signs or less."""
    return str(content.value) if content.value is not None else GLYPHS[content.kind]
