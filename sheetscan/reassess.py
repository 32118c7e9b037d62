"""A result judged anew, with a person's corrections: no photo, and nothing that reads one, is needed."""

import dataclasses
from collections.abc import Mapping

from sheetscan.errors import UsageError
from sheetscan.games import rules_for
from sheetscan.judge import judge
from sheetscan.result import Content, FieldReading, Sheet
from sheetscan.template import load_template


def reassess(sheet: Sheet, changes: Mapping[str, Content], language: str) -> Sheet:
    """A new result beside the old one, with `changes` pinned as the user's and everything judged anew.

    No other field changes. Raises UsageError for a field that the sheet doesn't have.
    """
    unknown = sorted(set(changes) - set(sheet.fields))
    if unknown:
        raise UsageError(
            f"the {sheet.template} sheet has no field {', '.join(unknown)}",
            f"`sheetscan templates show {sheet.template}` lists its fields",
        )
    fields = sheet.fields | {name: _pinned(sheet.fields[name], content) for name, content in changes.items()}
    verdict = judge(rules_for(load_template(sheet.template)), fields, language)
    return dataclasses.replace(
        sheet,
        status=verdict.status,
        fields=fields,
        findings=verdict.findings,
        repairs=verdict.repairs,
        score=verdict.score,
        review=verdict.review,
    )


def _pinned(reading: FieldReading, content: Content) -> FieldReading:
    """The field as the user says: what else the reader thought possible is not, only what it said is kept."""
    return FieldReading(content.kind, content.value, 1.0, reading.raw, (), "user")
