"""`sheetscan settle`: all sheets of one game, ranked, compared, and what is still open."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from sheetscan.cli import output, terminal
from sheetscan.cli.changes import ALLOWED
from sheetscan.cli.options import (
    ExitZero,
    Force,
    Json,
    Lang,
    Quiet,
    Reading,
    Verbose,
    check_forms,
    check_no_stream,
    chosen,
)
from sheetscan.cli.scan import scanner_for
from sheetscan.errors import ExitCode

if TYPE_CHECKING:
    from sheetscan.result import Failure
    from sheetscan.settle import Settlement

EXAMPLE = (
    "Example:\n\n\b\n"
    "  sheetscan settle anna.jpg ben.jpg                    who wins, and what could change that\n"
    "  sheetscan settle anna.jpg ben.json --report game.pdf\n"
    "  sheetscan settle *.jpg --decide anna:yellow-7=cross --set 2:purple-9=7\n"
    "\nA SHEET is named by its number in the order given, its player's name or its sheet id;"
    " with a single sheet it is not needed.\n"
    "\nExit code 1 means: settled, but something needs a look (findings, doubtful fields)."
)

FormatName = Literal["text", "json", "csv"]


def settle(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="PHOTO|RESULT.json",
            help="Photos and results of `scan --json`, mixed as you like; - is stdin.",
        ),
    ],
    template: Annotated[
        str, typer.Option("-t", "--template", metavar="TEMPLATE", help="Which sheet it is; auto finds out.")
    ] = "auto",
    format_name: Annotated[
        FormatName | None, typer.Option("-f", "--format", help="Form of the outcome.", show_default="text")
    ] = None,
    as_json: Json = False,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE.pdf", help="Write the evidence as a PDF to print.")
    ] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="[SHEET:]FIELD=VALUE",
            help=f"Say what a field holds, as often as you like. VALUE: {ALLOWED}.",
        ),
    ] = None,
    decisions: Annotated[
        list[str] | None,
        typer.Option(
            "--decide",
            metavar="[SHEET:]FIELD=cross",
            help="Of clashing numbers, say which was written later and becomes a cross.",
        ),
    ] = None,
    same_game: Annotated[
        bool, typer.Option("--same-game", help="Sheets whose codes name other games belong to this one.")
    ] = False,
    lang: Lang = None,
    reader: Reading = "auto",
    exit_zero: ExitZero = False,
    force: Force = False,
    quiet: Quiet = False,
    verbose: Verbose = 0,
) -> None:
    """Settle a game from all its sheets: ranking, findings, who wins and which question decides that."""
    terminal.set_up(quiet, verbose)
    check_forms(format_name, as_json)
    check_no_stream("--report", report, "file")
    if report is not None:
        output.check_free(report, force)
    language = chosen(lang)

    from sheetscan.cli import inputs
    from sheetscan.cli.answers import answered
    from sheetscan.cli.progress import Bar
    from sheetscan.cli.sheets import Gatherer
    from sheetscan.settle.names import source_of

    distinct = inputs.distinct(sources)
    gatherer = Gatherer(lambda: scanner_for(template, reader, language), language, report is not None)
    with Bar(len(distinct)).shown() as bar:
        gathered = gatherer.gather(distinct, bar)
    unread = [source_of(failure) for failure in gathered.failures]
    settlement = answered(gathered.documents, changes or (), decisions or (), language, same_game, unread)
    show(settlement, gathered.failures, "json" if as_json else format_name or "text", language)
    if report is not None and settlement.sheets:
        from sheetscan.report.pdf import report_pdf, unprintable
        from sheetscan.report.words import shown

        output.write_file(report, report_pdf(settlement, gathered.pictures, language), force)
        if letters := unprintable(settlement):
            terminal.note(f"the typeface has no {shown(' '.join(letters))}: the report shows ? instead")
        terminal.note(f"{report}: the evidence, to print")
    report_failures(gathered.failures, bool(settlement.sheets))
    raise typer.Exit(exit_code(settlement, gathered.failures, exit_zero))


def show(
    settlement: "Settlement",
    failures: "Sequence[Failure]",
    format_name: FormatName,
    language: str,
    *,
    sheets_too: bool = True,
) -> None:
    """Write a settled game to stdout: as text the sheets to look at come first (if wanted), then the game."""
    from sheetscan.cli import console
    from sheetscan.report import settlement as report

    if format_name == "json":
        terminal.emit_data(report.settlement_json(settlement, failures))
    elif format_name == "csv":
        terminal.emit_data(report.settlement_csv(settlement))
    elif settlement.sheets:
        from sheetscan.report.text import sheet_text
        from sheetscan.template import load_template

        words = console.for_stdout()
        for sheet in settlement.counted:
            if sheets_too and (sheet.needs_a_look or terminal.verbosity()):
                terminal.emit_text(sheet_text(sheet, load_template(sheet.template), language, words))
        terminal.emit_text(report.settlement_text(settlement, language, words))


def report_failures(failures: "Sequence[Failure]", some_sheets: bool) -> None:
    """Tell on stderr which inputs gave no sheet; without any sheet that there is nothing to settle."""
    for failure in failures:
        terminal.complain_of_failure(failure)
    if not some_sheets:
        terminal.complain_of("there is no sheet to settle", "give photos or results of a game's sheets")


def exit_code(settlement: "Settlement", failures: "Sequence[Failure]", exit_zero: bool) -> int:
    """The highest code met (contract, "Exit codes")."""
    looks = settlement.needs_a_look and not exit_zero
    codes = [failure.code for failure in failures]
    if not settlement.sheets:
        codes.append(ExitCode.NO_SHEET)
    return max([*codes, ExitCode.NEEDS_A_LOOK if looks else ExitCode.OK])
