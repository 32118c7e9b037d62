"""`sheetscan demo`: a whole game without paper or camera."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from sheetscan.cli import output, terminal
from sheetscan.cli.options import ExitZero, Force, Json, Lang, Quiet, Verbose, chosen
from sheetscan.cli.scan import scanner_for
from sheetscan.errors import OutputError

EXAMPLE = "Example:\n\n\b\n  sheetscan demo -o demo     keeps sheets, photos, overlays and results in demo/"
RESULT = "result.json"


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
    """Print, fill and photograph the sheets of a game, then scan them and rank the players.

    One player made a slip, so the exit code is 1: something needs a look.
    """
    terminal.set_up(quiet, verbose)
    language = chosen(lang)

    from sheetscan.cli import console
    from sheetscan.cli.batch import Batch, Destination, exit_code, report_failures
    from sheetscan.cli.progress import Bar
    from sheetscan.cli.work import in_turn
    from sheetscan.lab.demo import make_demo
    from sheetscan.report.formats import format_named

    form = format_named("json" if as_json else "text", language, console.for_stdout())
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
        if folder:
            document = format_named("json", language, console.for_file()).whole(result)
            output.write_file(folder / RESULT, terminal.data_bytes(document), force)
            terminal.note(f"{folder}: {game.pdf.name}, photos, overlays and {RESULT}")
    report_failures(result, len(game.photos))
    raise typer.Exit(exit_code(result, exit_zero))


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
