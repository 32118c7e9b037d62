"""Saved results as input: read, and checked against the template before anything relies on them."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from sheetscan.errors import UnreadableInputError, reason_of

if TYPE_CHECKING:
    from sheetscan.result import Document, FieldReading, Sheet

HINT = "give a file written by `sheetscan scan --json`, or one of its sheets"


def read_result(name: str) -> "Document":
    """The result in a file, or on stdin for "-".

    Raises UnreadableInputError when it isn't one, or says what no scan can say of a sheet, and
    UnknownTemplateError.
    """
    from sheetscan.result import document_from_json

    source = "stdin" if name == "-" else name
    document = document_from_json(_read(name, source), source)
    for place, sheet in enumerate(document.sheets, 1):
        for fault in _faults(sheet):
            raise UnreadableInputError(f"{source}: sheet {place}: {fault}", "correct it, or scan again")
    return document


def _read(name: str, source: str) -> str:
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except (OSError, ValueError) as error:
        raise UnreadableInputError(f"{source}: can't be read ({reason_of(error)})", HINT) from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableInputError(f"{source}: not text in UTF-8 ({error})", HINT) from error


def _faults(sheet: "Sheet") -> Iterator[str]:
    from sheetscan.template import load_template

    known = {field.id for field in load_template(sheet.template).readable_fields}
    for name, reading in sheet.fields.items():
        if name not in known:
            yield f"fields.{name}: the {sheet.template} sheet has no such field"
        yield from (f"fields.{name}: {fault}" for fault in _reading_faults(reading))


def _reading_faults(reading: "FieldReading") -> Iterator[str]:
    for content in (reading.content, reading.raw, *(one.content for one in reading.alternatives)):
        if (content.kind == "number") != (content.value is not None):
            yield f"kind {content.kind!r} does not go with value {content.value}"
    for figure in (reading.confidence, *(one.probability for one in reading.alternatives)):
        if not 0 <= figure <= 1:
            yield f"{figure} is no probability"
