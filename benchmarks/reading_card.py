"""Writes the measured figures of a reader into its model card, between two marks."""

from collections.abc import Sequence
from pathlib import Path

from benchmarks.goals import Figure, rows_of

BEGIN, END = "<!-- measured -->", "<!-- /measured -->"
"""What stands between them in a card is made anew; nothing else of it is touched."""


def fill_card(card: Path, name: str, figures: Sequence[Figure], measured_on: str) -> None:
    """Put the figures of the reader `name` into a card; raises ValueError where it has no place for them."""
    text = card.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"{card}: no place for figures between {BEGIN} and {END}")
    rows = "\n".join(f"| {' | '.join(row)} |" for row in rows_of(figures))
    table = (
        f"`--reader {name}` on {measured_on}:\n\n| figure | value | goal | met |\n|---|---|---|---|\n{rows}"
    )
    card.write_text(f"{before}{BEGIN}\n{table}\n{END}{after}", encoding="utf-8")
