"""Results as a table for spreadsheets: one row a field, UTF-8 with a byte order mark."""

import csv
import io
from collections.abc import Iterable

from sheetscan.result import FieldReading, Sheet

COLUMNS = (
    "source",
    "page",
    "sheet_id",
    "player",
    "template",
    "field",
    "kind",
    "value",
    "confidence",
    "why",
    "review",
    "findings",
    "sheet_total",
)
BYTE_ORDER_MARK = "\ufeff"
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""A spreadsheet takes text that begins so for a formula (OWASP, "CSV Injection")."""


def header() -> str:
    """The names of the columns, after the mark without which spreadsheets take UTF-8 for Latin-1."""
    return BYTE_ORDER_MARK + lines([COLUMNS])


def rows(sheet: Sheet) -> str:
    """One line for every field of the sheet."""
    return lines(_row(sheet, name, reading) for name, reading in sheet.fields.items())


def _row(sheet: Sheet, name: str, reading: FieldReading) -> tuple[object, ...]:
    codes = (finding.code for finding in sheet.findings if name in finding.fields)
    return (
        safe(sheet.source),
        sheet.page,
        safe(sheet.sheet_id),
        safe(sheet.player),
        safe(sheet.template),
        safe(name),
        reading.kind,
        reading.value,
        reading.confidence,
        reading.why,
        "yes" if name in sheet.review else "no",
        safe(" ".join(dict.fromkeys(codes))),
        sheet.score.total,
    )


def safe(value: str | None) -> str | None:
    """Text that no spreadsheet runs: an apostrophe before what would be a formula."""
    return f"'{value}" if value and value.lstrip(" ").startswith(_FORMULA_STARTS) else value


def lines(entries: Iterable[Iterable[object]]) -> str:
    """The entries as lines of a CSV file (RFC 4180)."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\r\n").writerows(entries)
    return stream.getvalue()
