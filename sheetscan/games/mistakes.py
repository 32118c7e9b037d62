"""The usual mistakes of people who reckon a tally: which one explains a figure that is wrong.

Each is named by the text that says it, `mistake-NAME` in the game's catalogue. A figure that two mistakes
explain is put down to the first of them; none is claimed where the figure could as well be a slip.
"""

from collections.abc import Iterable, Mapping

UNREPAIRED = "unrepaired"
"""The figure is right for the sheet as it stands, before anything is crossed out."""


def first_that_fits(written: int, explanations: Iterable[tuple[str, int]]) -> str | None:
    """The name of the first mistake that gives the `written` figure."""
    for name, figure in explanations:
        if figure == written:
            return name
    return None


def mistake_in_total(written: int, known: Mapping[str, int], unsigned: str) -> str:
    """What is wrong with a total; `known` is what is written in the lines, by label, or computed for them.

    The `unsigned` line is written without its minus sign.
    """
    taken = abs(known[unsigned])
    added = sum(known.values()) - known[unsigned]
    explanations = (
        ("total-follows", added - taken),
        ("total-not-subtracted", added),
        ("total-added", added + taken),
    )
    return first_that_fits(written, explanations) or "total-arithmetic"
