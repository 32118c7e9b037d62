"""How many own turns the players of one game may have had: what makes its sheets fit together."""

from collections.abc import Sequence


def most_turns(bounds: Sequence[tuple[int, int]]) -> list[int] | None:
    """The largest numbers of own turns within each player's (least, most) that differ by at most one.

    No other such numbers give anybody more; None if the players can't have been in one game together. What
    a game demands of its turns is that they are enough; so it can be met only if these do.
    """
    fewest = min(high for _, high in bounds)
    if max(low for low, _ in bounds) > fewest + 1:
        return None
    return [min(high, fewest + 1) for _, high in bounds]
