"""Saved results as input: read, and checked against the template before anything relies on them."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sheetscan.cli.inputs import called
from sheetscan.cli.terminal import note
from sheetscan.errors import UnknownTemplateError, UnreadableInputError, reason_of

if TYPE_CHECKING:
    from sheetscan.result import Document, FieldReading, Sheet
    from sheetscan.template import Template

HINT = "give a file written by `sheetscan scan --json`, or one of its sheets"
MOST_NAMED = 8
"""Of more missing fields only the first are named."""


def read_result(name: str) -> "Document":
    """The result in a file, or on stdin for "-".

    Fields that a sheet lacks are taken as empty, and named on stderr. Raises UnreadableInputError when it
    isn't one or says what no scan can say of a sheet, and UnknownTemplateError.
    """
    from sheetscan.result import document_from_json
    from sheetscan.template import load_template

    source = called(name)
    document = document_from_json(_read(name, source), source)
    sheets = []
    for place, sheet in enumerate(document.sheets, 1):
        try:
            template = load_template(sheet.template)
        except UnknownTemplateError as error:
            raise UnknownTemplateError(f"{source}: sheet {place}: {error.message}", error.hint) from error
        for fault in _faults(sheet, template):
            raise UnreadableInputError(f"{source}: sheet {place}: {fault}", "correct it, or scan again")
        sheets.append(_whole(sheet, template, f"{source}: sheet {place}"))
    return replace(document, sheets=tuple(sheets))


def _whole(sheet: "Sheet", template: "Template", place: str) -> "Sheet":
    """The sheet with all of its fields: a result written by hand may tell only what stands there."""
    from sheetscan.result import EMPTY, FieldReading

    missing = [field.id for field in template.readable_fields if field.id not in sheet.fields]
    if not missing:
        return sheet
    more = f" and {len(missing) - MOST_NAMED} more" if len(missing) > MOST_NAMED else ""
    note(f"{place} lacks fields, taken as empty: {', '.join(missing[:MOST_NAMED])}{more}")
    empty = FieldReading(EMPTY.kind, None, 1.0, EMPTY)
    return replace(sheet, fields={**dict.fromkeys(missing, empty), **sheet.fields})


def _read(name: str, source: str) -> str:
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except (OSError, ValueError) as error:
        raise UnreadableInputError(f"{source}: can't be read ({reason_of(error)})", HINT) from error
    if data.startswith(_PICTURES) or data[4:8] == b"ftyp":
        scanned = f"`sheetscan scan --json {source} > result.json`"
        raise UnreadableInputError(f"{source}: a picture, not a result", f"scan it first: {scanned}")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableInputError(f"{source}: not text in UTF-8", HINT) from error


_PICTURES = (b"\xff\xd8", b"\x89PNG", b"II*\0", b"MM\0*", b"RIFF", b"GIF8", b"BM", b"%PDF")
"""How files begin that `scan` reads; HEIC has its sign a little later."""


def _faults(sheet: "Sheet", template: "Template") -> Iterator[str]:
    known = {field.id for field in template.readable_fields}
    for name, reading in sheet.fields.items():
        if name not in known:
            yield f"fields.{name}: the {template.id} sheet has no such field"
        yield from (f"fields.{name}: {fault}" for fault in _reading_faults(reading))


def _reading_faults(reading: "FieldReading") -> Iterator[str]:
    for content in (reading.content, reading.raw, *(one.content for one in reading.alternatives)):
        if (content.kind == "number") != (content.value is not None):
            yield f"kind {content.kind!r} does not go with value {content.value}"
    for figure in (reading.confidence, *(one.probability for one in reading.alternatives)):
        if not 0 <= figure <= 1:
            yield f"{figure} is no probability"
