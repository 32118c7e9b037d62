"""Plays and tallies whatever game a sheet is for."""

import numpy as np

from sheetscan.games.qwixx import Qwixx
from sheetscan.lab.play import Contents, play_game, tallied
from sheetscan.lab.qwixx_play import play_qwixx, tallied_qwixx
from sheetscan.template import Template


def play(template: Template, players: int, rng: np.random.Generator) -> list[Contents]:
    """A legal game of 2 to 5 players to its end, nothing tallied yet."""
    if template.game == Qwixx.name:
        return play_qwixx(template, players, rng)
    return play_game(players, rng)


def tally(template: Template, contents: Contents, error: int = 0) -> Contents:
    """The sheet with its tally as its player reckons it; `error` is added to the total."""
    if template.game == Qwixx.name:
        return tallied_qwixx(template, contents, error)
    return tallied(contents, error)
