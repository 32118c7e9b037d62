"""Who may win: the possible sets of winners from what each sheet may come to."""

from collections.abc import Sequence
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
        always.union(others)
        for always, maybe in _at_the_top(chances)
        for size in (range(len(maybe) + 1) if len(maybe) <= MOST_LISTED else (0, 1, len(maybe)))
        for others in combinations(sorted(maybe), size)
        if always or others
    )


def _at_the_top(chances: Sequence[Chance]) -> set[tuple[frozenset[int], frozenset[int]]]:
    """The sheets that win for sure and those that may, for each total that may be the highest."""
    least = {chance.sheet: min(chance.totals) for chance in chances if not chance.optional}
    floor = max(least.values(), default=None)
    tops = set()
    for highest in frozenset[int]().union(*(chance.totals for chance in chances)):
        if floor is None or highest >= floor:
            always = frozenset(sheet for sheet, total in least.items() if total == highest)
            able = frozenset(chance.sheet for chance in chances if highest in chance.totals)
            tops.add((always, able - always))
    return tops


def places(chance: Chance, chances: Sequence[Chance]) -> tuple[int, int]:
    """The best and the worst place that a sheet may have."""
    others = [other for other in chances if other.sheet != chance.sheet]
    ahead = [other for other in others if not other.optional and min(other.totals) > max(chance.totals)]
    maybe = [other for other in others if max(other.totals) > min(chance.totals)]
    return 1 + len(ahead), 1 + len(maybe)
