"""Games played in the lab, for its tests."""

import numpy as np

from sheetscan.lab.play import Contents, play_game, tallied


def play_sheets(players: int, rng: np.random.Generator) -> list[Contents]:
    """A game's sheets with correct tallies."""
    return [tallied(contents) for contents in play_game(players, rng)]
