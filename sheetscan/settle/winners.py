"""Who may win: the possible sets of winners from what each sheet may come to."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

MOST_LISTED = 10
"""Of more sheets that may share a win not all combinations are listed; there are several in any case."""


@dataclass(frozen=True, slots=True)
class Chance:
    """The totals that a sheet may have; `optional` says that it may not belong to the game."""

    sheet: int
    totals: frozenset[int]
    optional: bool = False


def winner_sets(chances: Sequence[Chance]) -> frozenset[frozenset[int]]:
    """Every set of sheets that may win together; the totals of the sheets don't depend on each other.

    For each total that may be the highest: the sheets that can't be below it win, those that may be either
    are in some of the sets, and where one is above it for sure, it is not the highest.
    """
    return frozenset(
        winners
        for highest in frozenset[int]().union(*(chance.totals for chance in chances))
        for winners in _winning_with(highest, chances)
    )


def _winning_with(highest: int, chances: Sequence[Chance]) -> Iterator[frozenset[int]]:
    bound = [chance for chance in chances if not chance.optional and min(chance.totals) >= highest]
    if any(min(chance.totals) > highest for chance in bound):
        return
    always = frozenset(chance.sheet for chance in bound)
    maybe = [chance.sheet for chance in chances if highest in chance.totals and chance.sheet not in always]
    sizes = range(len(maybe) + 1) if len(maybe) <= MOST_LISTED else (0, 1, len(maybe))
    for size in sizes:
        for others in combinations(maybe, size):
            if always or others:
                yield always.union(others)


def places(chance: Chance, chances: Sequence[Chance]) -> tuple[int, int]:
    """The best and the worst place that a sheet may have."""
    others = [other for other in chances if other.sheet != chance.sheet]
    ahead = [other for other in others if not other.optional and min(other.totals) > max(chance.totals)]
    maybe = [other for other in others if max(other.totals) > min(chance.totals)]
    return 1 + len(ahead), 1 + len(maybe)
