"""The settling benchmark: seeded disputes, and a brute force that knows nothing of `sheetscan.settle`."""

import re

import pytest

from benchmarks import settle as benchmark
from benchmarks.settle import DISPUTES, make_game, measure


@pytest.mark.parametrize("dispute", DISPUTES)
def test_a_seeded_dispute_is_found_and_nobody_else_accused(dispute):
    outcome = measure(make_game(7, dispute))
    assert (outcome.found, outcome.accused, outcome.winner_right) == (True, (), True)


@pytest.mark.parametrize("seed", range(4))
def test_a_clean_game_is_left_in_peace(seed):
    outcome = measure(make_game(seed, None))
    assert (outcome.found, outcome.accused, outcome.winner_right) == (True, (), True)


def test_a_missed_dispute_is_counted():
    game = make_game(3, None)
    missed = measure(benchmark.Game(game.inputs, "tally", game.player))
    assert not missed.found


def test_eight_clashes_are_repaired_within_fifty_milliseconds():
    assert benchmark.repairs_milliseconds(rounds=5) <= 50


def test_the_tables(capsys):
    assert benchmark.main(["--games", "4"]) == 0
    told = capsys.readouterr().out
    assert re.search(r"disputes found and named right +\| +2 of 2 ", told)
    assert re.search(r"clean games with an accusation +\| +0 of 2 ", told)
