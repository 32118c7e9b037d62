"""`sheetscan audit`: judge a saved result anew, with corrections."""

import difflib
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from sheetscan.cli import terminal
from sheetscan.cli.options import ExitZero, Json, Lang, Quiet, Verbose, chosen
from sheetscan.cli.results import read_result
from sheetscan.errors import ExitCode, NoSheetError, UsageError

if TYPE_CHECKING:
    from sheetscan.result import Content, Document, Sheet
    from sheetscan.template import Template

EXAMPLE = (
    "Example:\n\n\b\n"
    "  sheetscan scan --json IMG_1.jpg > game.json\n"
    "  sheetscan audit game.json --set yellow-7=12 --set misthrow-1=cross\n"
    "  sheetscan audit game.json --sheet 2 --set orange-3=empty --json > corrected.json"
)

NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,2})", re.ASCII)
MARKS = ("cross", "empty", "line", "void")
ALLOWED = "a whole number of up to three digits, cross, empty, line or void"


def audit(
    result: Annotated[
        str,
        typer.Argument(metavar="RESULT.json", help="Written by `scan --json`, or a sheet of it; - is stdin."),
    ],
    changes: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="FIELD=VALUE",
            help=f"Correct a field, as often as you like. VALUE: {ALLOWED}.",
        ),
    ] = None,
    sheet_number: Annotated[
        int | None,
        typer.Option("--sheet", metavar="N", min=1, help="Which sheet of the result --set corrects, from 1."),
    ] = None,
    lang: Lang = None,
    as_json: Json = False,
    exit_zero: ExitZero = False,
    quiet: Quiet = False,
    verbose: Verbose = 0,
) -> None:
    """Audit and score the sheets of a saved or edited result again. The file itself is not changed."""
    terminal.set_up(quiet, verbose)
    language = chosen(lang)
    pairs = [_split(change) for change in changes or ()]

    import dataclasses

    from sheetscan.pipeline import reassess

    document = read_result(result)
    chosen_sheet = _choose(document, result, sheet_number, bool(pairs))
    sheets = [
        reassess(sheet, _changes(sheet, pairs if place == chosen_sheet else ()), language)
        for place, sheet in enumerate(document.sheets, 1)
    ]
    judged = dataclasses.replace(document, sheets=tuple(sheets))
    _show(judged, language, as_json)
    looks = any(sheet.needs_a_look for sheet in sheets) and not exit_zero
    raise typer.Exit(ExitCode.NEEDS_A_LOOK if looks else ExitCode.OK)


def _show(document: "Document", language: str, as_json: bool) -> None:
    from sheetscan.cli import console
    from sheetscan.report.formats import format_named

    text = format_named("json" if as_json else "text", language, console.for_stdout()).whole(document)
    (terminal.emit_data if as_json else terminal.emit_text)(text)


def _choose(document: "Document", name: str, wanted: int | None, correcting: bool) -> int:
    """Which sheet is corrected; raises NoSheetError, or UsageError when that is not clear."""
    count = len(document.sheets)
    if not count:
        raise NoSheetError(f"{name}: holds no sheet", "scan a photo that shows one")
    if wanted is not None and wanted > count:
        raise UsageError(f"{name}: has no sheet {wanted}", f"it holds {count}")
    if wanted is None and correcting and count > 1:
        listed = ", ".join(
            f"{place} {sheet.player or sheet.source}" for place, sheet in enumerate(document.sheets, 1)
        )
        raise UsageError(f"{name}: --set needs --sheet N, for there are {count} sheets", f"sheets: {listed}")
    return wanted or 1


def _split(change: str) -> tuple[str, str]:
    field, equals, value = change.partition("=")
    if not equals or not field:
        raise UsageError(f"--set {change!r} is not FIELD=VALUE", f"VALUE is {ALLOWED}")
    return field, value


def _changes(sheet: "Sheet", pairs: Sequence[tuple[str, str]]) -> dict[str, "Content"]:
    """The corrections of one sheet; raises UsageError for a field or value that it can't have."""
    from sheetscan.template import load_template

    template = load_template(sheet.template)
    changes: dict[str, Content] = {}
    for field, value in pairs:
        _check_field(field, template)
        content = _content(field, value, template)
        if changes.setdefault(field, content) != content:
            raise UsageError(f"--set {field} is given twice with different values", "give it once")
    return changes


def _check_field(field: str, template: "Template") -> None:
    known = [one.id for one in template.readable_fields]
    if field in known:
        return
    near = difflib.get_close_matches(field, known, n=3)
    hint = (
        f"do you mean {' or '.join(near)}?" if near else f"fields: `sheetscan templates show {template.id}`"
    )
    raise UsageError(f"the {template.id} sheet has no field {field!r} that can be set", hint)


def _content(field: str, value: str, template: "Template") -> "Content":
    from sheetscan.result import Content, number

    if value in MARKS:
        return Content(value)  # type: ignore[arg-type]
    if not NUMBER.fullmatch(value) or value == "-0":
        raise UsageError(f"--set {field}={value!r}: no such value", f"it may be {ALLOWED}")
    if template.field(field).kind == "mark":
        raise UsageError(
            f"--set {field}={value}: holds a mark, not a number", f"it may be {', '.join(MARKS)}"
        )
    return number(int(value))
