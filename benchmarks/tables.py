"""Figures as plain Markdown tables, ready for a terminal and for a document."""

from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Console
from rich.table import Table

WIDTH = 200


def print_table(title: str, headers: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table to stdout; the first column is words, the others are figures."""
    table = Table(box=box.MARKDOWN, pad_edge=True, header_style="")
    for place, header in enumerate(headers):
        table.add_column(header, justify="right" if place else "left", no_wrap=True)
    for row in rows:
        table.add_row(*(str(figure) for figure in row))
    console = Console(width=WIDTH, no_color=True, highlight=False, markup=False)
    console.print(f"\n{title}\n")
    console.print(table)


def percent(part: float, whole: float, places: int = 2) -> str:
    """A share in percent, or a dash where there is nothing to share."""
    return f"{100 * part / whole:.{places}f} %" if whole else "-"
