"""How many own turns the players of one game may have had: what makes its sheets fit together."""

from collections.abc import Sequence


def most_turns(bounds: Sequence[tuple[int, int]]) -> list[list[int]]:
    """The largest numbers of own turns within each player's (least, most) that differ by at most one.

    One list for each least number of the game, none if the players can't have been in one game together.
    What a game demands of its turns is that they are enough; so it can be met only if one of these does.
    """
    found = []
    for least in range(max(0, max(low for low, _ in bounds) - 1), max(high for _, high in bounds) + 1):
        turns = [min(high, least + 1) for _, high in bounds]
        if all(max(low, least) <= own for (low, _), own in zip(bounds, turns, strict=True)):
            found.append(turns)
    return found
