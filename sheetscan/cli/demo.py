"""`sheetscan demo`: a whole game without paper or camera."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sheetscan.cli import output, terminal
from sheetscan.cli.options import ExitZero, Force, Json, Lang, Quiet, Verbose, check_no_stream, chosen
from sheetscan.cli.scan import scanner_for
from sheetscan.cli.settle import show
from sheetscan.errors import ExitCode, OutputError

if TYPE_CHECKING:
    from sheetscan.result import Document
    from sheetscan.settle import Settlement

EXAMPLE = "Example:\n\n\b\n  sheetscan demo -o demo     keeps sheets, photos, overlays and results in demo/"
RESULT, REPORT = "result.json", "game.pdf"


def demo(
    folder: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="DIR", help="Keep all files in DIR; else they are thrown away."
        ),
    ] = None,
    lang: Lang = None,
    as_json: Json = False,
    exit_zero: ExitZero = False,
    force: Force = False,
    quiet: Quiet = False,
    verbose: Verbose = 0,
) -> None:
    """Print, fill and photograph the sheets of a game, then scan them and settle the game.

    One player made a slip, so the exit code is 1: something needs a look.
    """
    terminal.set_up(quiet, verbose)
    check_no_stream("-o", folder, "folder")
    language = chosen(lang)

    from sheetscan.cli import console
    from sheetscan.cli.batch import Batch, Destination, exit_code, report_failures
    from sheetscan.cli.progress import Bar
    from sheetscan.cli.work import in_turn
    from sheetscan.lab.demo import make_demo
    from sheetscan.report.formats import Format, format_named
    from sheetscan.settle import settle
    from sheetscan.settle.names import source_of

    words = console.for_stdout()
    # The outcome of the whole game follows; it has the ranking, and in JSON the sheets.
    form = Format("json") if as_json else replace(format_named("text", language, words), closing=_nothing)
    emit = terminal.emit_data if as_json else terminal.emit_text
    scanner = scanner_for("auto", "network", language)
    with _place(folder, force) as place:
        terminal.note("Printing three sheets, writing on them and photographing them …")
        game = make_demo(place, language=language)
        terminal.note(f"Scanning {len(game.photos)} photos …")
        destination = Destination(form, emit, None, folder, force, language)
        with Bar(len(game.photos)).shown() as bar:
            work = in_turn(scanner, game.photos, pictures=folder is not None)
            result = Batch(destination, bar).run(game.photos, work)
        unread = [source_of(failure) for failure in result.failures]
        settlement = settle([[sheet] for sheet in result.sheets], language, unread=unread)
        show(settlement, result.failures, "json" if as_json else "text", language, sheets_too=False)
        if folder:
            document = format_named("json", language, console.for_file()).whole(result)
            output.write_file(folder / RESULT, terminal.data_bytes(document), force)
            _write_report(folder / REPORT, settlement, language, force)
            terminal.note(f"{folder}: {game.pdf.name}, photos, overlays, {RESULT} and {REPORT}")
    report_failures(result, len(game.photos))
    looks = settlement.needs_a_look and not exit_zero
    raise typer.Exit(max(exit_code(result, exit_zero), ExitCode.NEEDS_A_LOOK if looks else ExitCode.OK))


def _nothing(_result: "Document") -> str:
    return ""


def _write_report(path: Path, settlement: "Settlement", language: str, force: bool) -> None:
    from sheetscan.picture import picture_of
    from sheetscan.report.pdf import report_pdf

    pictures = [picture_of(sheet, (Path(),)) for sheet in settlement.sheets]
    output.write_file(path, report_pdf(settlement, pictures, language), force)


@contextmanager
def _place(folder: Path | None, force: bool) -> Iterator[Path]:
    """The folder for the game's files, new or empty unless forced; without one, a passing one."""
    if folder is None:
        with tempfile.TemporaryDirectory(prefix="sheetscan-demo-") as passing:
            yield Path(passing)
        return
    output.make_folder(folder)
    if any(folder.iterdir()) and not force:
        raise OutputError(f"{folder}: is not empty", "give a new folder, or --force to write into this one")
    yield folder
