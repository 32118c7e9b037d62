"""`sheetscan scan`: read the sheets in photos."""

from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from sheetscan.cli import terminal
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
from sheetscan.reading.choice import ReaderName, load_reader, why_alone

if TYPE_CHECKING:
    from sheetscan.pipeline import Scanner
    from sheetscan.reading.reader import Reader

EXAMPLE = (
    "Example:\n\n\b\n"
    "  sheetscan scan IMG_1.jpg IMG_2.jpg                 show sheets, findings, scores, ranking\n"
    "  sheetscan scan --json --overlay seen IMG_1.jpg     results as data, and as pictures in seen/\n"
    "  sheetscan scan -f csv *.jpg > game.csv             one row a field, for a spreadsheet\n"
    "\nExit code 1 means: read, but something needs a look (findings, doubtful fields)."
)

FormatName = Literal["text", "json", "jsonl", "csv"]


def scan(
    photos: Annotated[
        list[str],
        typer.Argument(
            metavar="PHOTO", help="JPEG, PNG, TIFF, WebP or PDF, with the extra `heic` HEIC; - is stdin."
        ),
    ],
    template: Annotated[
        str, typer.Option("-t", "--template", metavar="TEMPLATE", help="Which sheet it is; auto finds out.")
    ] = "auto",
    format_name: Annotated[
        FormatName | None,
        typer.Option("-f", "--format", help="Form of the results.", show_default="text"),
    ] = None,
    as_json: Json = False,
    output_folder: Annotated[
        str | None,
        typer.Option(
            "-o", "--output", metavar="DIR", help="One file a photo in DIR, in the chosen form; - is stdout."
        ),
    ] = None,
    overlay: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Write photos with the readings, or what was found, drawn in to DIR."
        ),
    ] = None,
    lang: Lang = None,
    reader: Reading = "auto",
    jobs: Annotated[
        int,
        typer.Option(
            "-j",
            "--jobs",
            min=1,
            metavar="N",
            help="Photos read at the same time, each by a process of up to 400 MB.",
        ),
    ] = 1,
    exit_zero: ExitZero = False,
    force: Force = False,
    quiet: Quiet = False,
    verbose: Verbose = 0,
) -> None:
    """Read the filled sheets in photos: contents, findings by the rules, score and what to check."""
    terminal.set_up(quiet, verbose)
    check_forms(format_name, as_json)
    check_no_stream("--overlay", overlay, "folder")
    name: FormatName = "json" if as_json else format_name or "text"
    folder = None if output_folder in (None, "-") else Path(str(output_folder))
    language = chosen(lang)

    from sheetscan.cli import console, inputs
    from sheetscan.cli.batch import Batch, Destination, exit_code, report_failures
    from sheetscan.cli.progress import Bar
    from sheetscan.cli.work import Crew, in_turn
    from sheetscan.report.formats import format_named

    words = console.for_file() if folder else console.for_stdout()
    emit = terminal.emit_text if name == "text" else terminal.emit_data
    form = format_named(name, language, words)
    destination = Destination(form, emit, folder, overlay, force, language)
    sources = inputs.distinct(photos)
    load_scanner = partial(scanner_for, template, reader, language)
    scanner, pictures = load_scanner(), overlay is not None
    processes = 1 if "-" in sources else min(jobs, len(sources))
    crew = Crew(load_scanner, processes, pictures)
    work = crew.in_order(sources) if processes > 1 else in_turn(scanner, sources, pictures)
    with Bar(len(sources)).shown() as bar, closing(work):
        result = Batch(destination, bar).run(sources, work)
    report_failures(result, len(sources))
    raise typer.Exit(exit_code(result, exit_zero))


def scanner_for(template: str, reader: ReaderName, language: str) -> "Scanner":
    """The scanner with its reader loaded; raises UnknownTemplateError or MissingExtraError."""
    from sheetscan.pipeline import Scanner
    from sheetscan.template import load_template

    wanted = None if template == "auto" else load_template(template).id
    loaded = load_reader(reader)
    if reader == "auto":
        _tell_if_alone(loaded)
    return Scanner(reader=loaded, template=wanted, language=language)


def _tell_if_alone(reader: "Reader") -> None:
    """Say that there is no second reader, and why; not again in every process of a crew."""
    from multiprocessing import parent_process

    from sheetscan.reading.network import NetworkReader

    if isinstance(reader, NetworkReader) and parent_process() is None:
        terminal.note(f"The network reads alone, and doubts more: {why_alone()}")
