"""Commands that speak as the rest of the program does.

Their help goes through `terminal`, which knows a stdout that is full or lacks signs.
"""

from typing import Any

from typer import BadParameter, Context
from typer.core import TyperCommand, TyperGroup

from sheetscan.cli import terminal
from sheetscan.errors import fault_in_words


class Command(TyperCommand):
    """A command."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse as Typer does, but say what is wrong with a value without pydantic's terms."""
        try:
            return super().parse_args(ctx, args)
        except BadParameter as error:
            if faults := getattr(error.__cause__, "errors", None):
                error.message = fault_in_words(faults()[0])
            raise

    def get_help_option(self, ctx: Any) -> Any:
        """The option `--help`."""
        return _through_terminal(super().get_help_option(ctx))


class Group(TyperGroup):
    """A group of commands."""

    def get_help_option(self, ctx: Any) -> Any:
        """The option `--help`."""
        return _through_terminal(super().get_help_option(ctx))


def _through_terminal(option: Any) -> Any:
    option.callback = _show
    return option


def _show(context: Context, _option: object, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        terminal.emit_text(f"{context.get_help()}\n")
        context.exit()
