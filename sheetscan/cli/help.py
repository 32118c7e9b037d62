"""Commands whose help goes through `terminal`: it knows a stdout that is full or lacks signs."""

from typing import Any

from typer import Context
from typer.core import TyperCommand, TyperGroup

from sheetscan.cli import terminal


class Command(TyperCommand):
    """A command."""

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
