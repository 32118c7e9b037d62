"""The formats of a result: what comes first, what each sheet or failure adds, and what comes last."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from rich.console import Console

from sheetscan.report import csv, json
from sheetscan.report.ranking import ranking_text
from sheetscan.report.text import sheet_text
from sheetscan.result import Document, Failure, Sheet
from sheetscan.template import load_template

FormatName = Literal["text", "json", "jsonl", "csv"]


def _nothing(_part: object) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write results; `piece` is what a part adds as soon as it is known."""

    suffix: str
    opening: str = ""
    piece: Callable[[Sheet | Failure], str] = _nothing
    closing: Callable[[Document], str] = _nothing

    def whole(self, result: Document) -> str:
        """All of a result at once."""
        parts: tuple[Sheet | Failure, ...] = (*result.sheets, *result.failures)
        return self.opening + "".join(self.piece(part) for part in parts) + self.closing(result)


def format_named(name: FormatName, language: str, console: Console) -> Format:
    """The format of that name; `console` gives the width and colours of text."""

    def text_piece(part: Sheet | Failure) -> str:
        if isinstance(part, Failure):
            return ""
        return sheet_text(part, load_template(part.template), language, console)

    def ranking(result: Document) -> str:
        return ranking_text(result.sheets, language, console)

    def csv_rows(part: Sheet | Failure) -> str:
        return "" if isinstance(part, Failure) else csv.rows(part)

    return {
        "text": Format("txt", piece=text_piece, closing=ranking),
        "json": Format("json", closing=json.document),
        "jsonl": Format("jsonl", piece=json.line),
        "csv": Format("csv", opening=csv.header(), piece=csv_rows),
    }[name]
