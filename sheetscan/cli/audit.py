"""`sheetscan audit`: judge a saved result anew, with corrections."""

from typing import TYPE_CHECKING, Annotated

import typer

from sheetscan.cli import terminal
from sheetscan.cli.changes import ALLOWED, changes_of, split
from sheetscan.cli.options import ExitZero, Json, Lang, Quiet, Verbose, chosen
from sheetscan.cli.results import read_result
from sheetscan.errors import ExitCode, NoSheetError, UsageError

if TYPE_CHECKING:
    from sheetscan.result import Document

EXAMPLE = (
    "Example:\n\n\b\n"
    "  sheetscan scan --json IMG_1.jpg > game.json\n"
    "  sheetscan audit game.json --set yellow-7=12 --set misthrow-1=cross\n"
    "  sheetscan audit game.json --sheet 2 --set orange-3=empty --json > corrected.json"
)


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
    pairs = [split(change) for change in changes or ()]

    import dataclasses

    from sheetscan.reassess import reassess

    document = read_result(result)
    chosen_sheet = _choose(document, result, sheet_number, bool(pairs))
    sheets = [
        reassess(sheet, changes_of(sheet, pairs if place == chosen_sheet else ()), language)
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
