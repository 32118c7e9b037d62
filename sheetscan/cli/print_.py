"""`sheetscan print`: blank sheets as a PDF."""

import sys
import unicodedata
from pathlib import Path
from typing import Annotated, Literal

import typer

from sheetscan.cli import output, terminal
from sheetscan.cli.options import Force, Lang, Quiet, Verbose, chosen
from sheetscan.errors import UsageError

EXAMPLE = (
    "Example:\n\n\b\n"
    '  sheetscan print qwinto --players "Anna,Zoë"       one sheet each, for one game\n'
    "  sheetscan print qwinto --copies 4 --paper letter\n"
    "  sheetscan print qwinto -o - | lp"
)


def print_sheets(
    template: Annotated[
        str, typer.Argument(metavar="TEMPLATE", help="The sheet; see `sheetscan templates list`.")
    ],
    output_file: Annotated[
        str | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="The PDF; - is stdout.", show_default="TEMPLATE-GAME.pdf"
        ),
    ] = None,
    paper: Annotated[
        Literal["a4", "a5", "letter"],
        typer.Option(help="a4 and letter carry two sheets a page, a5 one."),
    ] = "a4",
    copies: Annotated[
        int, typer.Option(min=1, max=500, help="Number of sheets; with --players for each of them.")
    ] = 1,
    players: Annotated[
        str | None,
        typer.Option(metavar="NAMES", help="One sheet for each of these names, separated by commas."),
    ] = None,
    lang: Lang = None,
    ink: Annotated[
        Literal["colour", "light", "black"],
        typer.Option(help="light saves ink; black tells the rows apart without colour."),
    ] = "colour",
    force: Force = False,
    quiet: Quiet = False,
    verbose: Verbose = 0,
) -> None:
    """Make a PDF of blank sheets to print. All sheets of one call belong to one game."""
    terminal.set_up(quiet, verbose)
    names = () if players is None else _split(players)
    to_stdout = output_file == "-"
    if to_stdout and sys.stdout.isatty():
        raise UsageError("a PDF is not written to a terminal", "redirect stdout, or give -o FILE")

    from sheetscan.printing.order import PrintOrder
    from sheetscan.printing.pdf import render_pdf
    from sheetscan.sheetcode import new_game_id
    from sheetscan.template import load_template

    sheet = load_template(template)
    game_id = new_game_id()
    path = Path(output_file or f"{template}-{game_id}.pdf")
    if not to_stdout:
        output.check_free(path, force)
    order = PrintOrder(
        paper=paper, copies=copies, players=names, language=chosen(lang), ink=ink, game_id=game_id
    )
    pdf = render_pdf(sheet, order)
    if to_stdout:
        terminal.emit(pdf)
    else:
        output.write_file(path, pdf, force)
    count = copies * max(1, len(names))
    sheets = "1 sheet" if count == 1 else f"{count} sheets"
    terminal.note(
        f"{'stdout' if to_stdout else path}: {sheets} of {sheet.title} for game {game_id} on {paper}"
    )


def _split(players: str) -> tuple[str, ...]:
    """The names between the commas, as they are shown (NFC).

    Raises UsageError when there are none, and for control characters: a line end is no comma.
    """
    if any(unicodedata.category(letter) == "Cc" for letter in players):
        raise UsageError(f"--players {players!r} holds a control character", "separate the names by commas")
    names = (unicodedata.normalize("NFC", " ".join(name.split())) for name in players.split(","))
    kept = tuple(name for name in names if name)
    if not kept:
        raise UsageError("--players holds no name", 'for example --players "Anna,Zoë"')
    return kept
