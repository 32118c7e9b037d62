"""The usual mistakes of people who reckon a tally: which one explains a figure that is wrong.

Each is named by the text that says it, `mistake-NAME` in the game's catalogue. A figure that two mistakes
explain is put down to the first of them; none is claimed where the figure could as well be a slip.
"""

from collections.abc import Iterable, Mapping, Sequence

from sheetscan.result import ScoreLine

UNREPAIRED = "unrepaired"
"""The figure is right for the sheet as it stands, before anything is crossed out."""


def first_that_fits(written: int, explanations: Iterable[tuple[str, int]]) -> str | None:
    """The name of the first mistake that gives the `written` figure."""
    return next((name for name, figure in explanations if figure == written), None)


def mistake_in_total(
    written: int, lines: Sequence[ScoreLine], figures: Mapping[str, int], unsigned: str
) -> str:
    """What is wrong with a total; `figures` are what is written in the lines, by label.

    A line that nobody filled in counts as computed. The `unsigned` line is written without its minus sign.
    """
    known = {line.label: figures.get(line.label, line.points) for line in lines}
    taken = abs(known[unsigned])
    added = sum(points for label, points in known.items() if label != unsigned)
    explanations = (
        ("total-follows", added - taken),
        ("total-not-subtracted", added),
        ("total-added", added + taken),
    )
    return first_that_fits(written, explanations) or "total-arithmetic"
