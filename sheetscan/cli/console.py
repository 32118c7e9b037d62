"""Rich's consoles, set up for where the words go."""

import io
import sys

from rich.console import Console

FILE_WIDTH = 100


def for_stdout() -> Console:
    """Colours if stdout is a terminal and NO_COLOR is not set; the terminal's width."""
    width = None if sys.stdout.isatty() else FILE_WIDTH
    return Console(file=sys.stdout, width=width, highlight=False, markup=False, emoji=False)


def for_file() -> Console:
    """No colours."""
    return Console(
        file=io.StringIO(), width=FILE_WIDTH, color_system=None, highlight=False, markup=False, emoji=False
    )
