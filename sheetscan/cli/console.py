"""Rich's consoles, set up for where the words go."""

import io
import sys

from rich.console import Console

FILE_WIDTH = 100


def for_stdout() -> Console:
    """Colours if stdout is a terminal and NO_COLOR is not set; the terminal's width.

    It only makes words: `terminal` writes them, and says so where stdout can't be written.
    """
    shows = sys.stdout.isatty()
    # Rich writes to its file even where it only captures, though nothing; a full stdout refuses that, too.
    return Console(
        file=io.TextIOWrapper(io.BytesIO(), encoding=sys.stdout.encoding),
        force_terminal=shows or None,
        width=None if shows else FILE_WIDTH,
        highlight=False,
        markup=False,
        emoji=False,
    )


def for_file() -> Console:
    """No colours."""
    return Console(
        file=io.StringIO(), width=FILE_WIDTH, color_system=None, highlight=False, markup=False, emoji=False
    )
