"""Saved results as input: read, and checked against the template before anything relies on them."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from sheetscan.errors import UnknownTemplateError, UnreadableInputError, reason_of

if TYPE_CHECKING:
    from sheetscan.result import Document, FieldReading, Sheet
    from sheetscan.template import Template

HINT = "give a file written by `sheetscan scan --json`, or one of its sheets"
MOST_NAMED = 8
"""Of more missing fields only the first are named."""


def read_result(name: str) -> "Document":
    """The result in a file, or on stdin for "-".

    Raises UnreadableInputError when it isn't one, says what no scan can say of a sheet or lacks some of its
    fields, and UnknownTemplateError.
    """
    from sheetscan.result import document_from_json
    from sheetscan.template import load_template

    source = "stdin" if name == "-" else name
    document = document_from_json(_read(name, source), source)
    for place, sheet in enumerate(document.sheets, 1):
        try:
            template = load_template(sheet.template)
        except UnknownTemplateError as error:
            raise UnknownTemplateError(f"{source}: sheet {place}: {error.message}", error.hint) from error
        for fault in _faults(sheet, template):
            raise UnreadableInputError(f"{source}: sheet {place}: {fault}", "correct it, or scan again")
    return document


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
    known = dict.fromkeys(field.id for field in template.readable_fields)
    # A field that is not there would count as empty, though nobody has said so.
    if missing := [name for name in known if name not in sheet.fields]:
        more = f" and {len(missing) - MOST_NAMED} more" if len(missing) > MOST_NAMED else ""
        yield f"fields: missing of the {template.id} sheet: {', '.join(missing[:MOST_NAMED])}{more}"
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
