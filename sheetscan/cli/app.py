"""The program `sheetscan`: its commands, and the one boundary where errors become messages and exit codes."""

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from sheetscan.cli import audit, demo, print_, review, scan, settle, templates, terminal
from sheetscan.cli.help import Command, Group
from sheetscan.errors import ExitCode, SheetscanError

app = typer.Typer(
    name="sheetscan",
    cls=Group,
    help="Print score sheets for dice games, read the filled sheets from photos, audit and score them.",
    epilog="Example:\n\n\b\n"
    '  sheetscan print qwinto --players "Anna,Zoë"     a PDF to print\n'
    "  sheetscan scan IMG_1.jpg IMG_2.jpg              read the photographed sheets",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    # Typer coerces an absent --help through pydantic; a given default spares `COMMAND --help` that import.
    context_settings={
        "help_option_names": ["-h", "--help"],
        "default_map": {"help": False, "templates": {"help": False}},
    },
)
# What the list of commands says of each has to fit a line.
for command, function, example, short_help in (
    ("print", print_.print_sheets, print_.EXAMPLE, None),
    ("scan", scan.scan, scan.EXAMPLE, "Read, audit and score the filled sheets in photos."),
    ("audit", audit.audit, audit.EXAMPLE, None),
    ("settle", settle.settle, settle.EXAMPLE, "Settle a game from all its sheets: who won."),
    ("review", review.review, review.EXAMPLE, None),
    ("demo", demo.demo, demo.EXAMPLE, "Show all of it with a game made up, without paper."),
):
    app.command(command, cls=Command, epilog=example, short_help=short_help)(function)
app.add_typer(templates.app, name="templates")


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        terminal.emit_text(f"sheetscan {version('sheetscan')}\n")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Print score sheets for dice games, read the filled sheets from photos, audit and score them."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; every error ends here, no traceback reaches a user."""
    terminal.set_up(quiet=False, verbosity=0)
    try:
        app(args=arguments, prog_name="sheetscan")
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else ExitCode.OK
    except KeyboardInterrupt:
        terminal.note("Interrupted.")
        return ExitCode.INTERRUPTED
    except terminal.PipeClosedError:
        return ExitCode.OUTPUT
    except SheetscanError as error:
        terminal.complain(error)
        return error.exit_code
    except Exception as error:
        terminal.complain(terminal.as_bug(error))
        return ExitCode.BUG
    return ExitCode.OK


if __name__ == "__main__":
    sys.exit(main())
