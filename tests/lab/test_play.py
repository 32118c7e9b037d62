"""Games are legal to their end, and each fault gives its finding and no other."""

import numpy as np
import pytest

from sheetscan.games.qwinto import Qwinto
from sheetscan.games.qwinto_score import MISTHROWS, complete_rows, marked_misthrows, written_numbers
from sheetscan.lab.faults import CONSEQUENCE, FAULTS, findings_of, seed_fault
from sheetscan.lab.play import play_game, tallied
from sheetscan.result import number
from tests.lab.games import play_sheets

SEEDS = range(40)


def players_of(seed):
    return 2 + seed % 4


@pytest.mark.parametrize("seed", SEEDS)
def test_play_is_legal_and_rightly_tallied(seed):
    sheets = play_sheets(players_of(seed), np.random.default_rng(seed))
    assert len(sheets) == players_of(seed)
    for contents in sheets:
        audit = Qwinto().audit(contents)
        assert audit.violations == ()
        assert contents["tally-total"] == number(audit.total)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_game_goes_to_its_end_and_no_further(seed):
    sheets = play_game(players_of(seed), np.random.default_rng(seed))
    rows = [len(complete_rows(written_numbers(contents))) for contents in sheets]
    misthrows = [len(marked_misthrows(contents)) for contents in sheets]
    assert max(rows) == 2 or max(misthrows) == len(MISTHROWS)
    assert sum(count == len(MISTHROWS) for count in misthrows) <= 1


def test_sheets_are_filled_as_people_fill_them():
    sheets = [c for seed in SEEDS for c in play_game(players_of(seed), np.random.default_rng(seed))]
    counts = [len(written_numbers(contents)) for contents in sheets]
    assert 15 <= np.median(counts) <= 22
    assert min(counts) >= 9
    assert np.mean([len(marked_misthrows(contents)) for contents in sheets]) < 3


def test_the_same_seed_plays_the_same_game():
    assert play_sheets(3, np.random.default_rng(1)) == play_sheets(3, np.random.default_rng(1))
    assert play_sheets(3, np.random.default_rng(1)) != play_sheets(3, np.random.default_rng(2))


CROWDED = "column-repeat"
"""On a crowded sheet a repeat in a column may be impossible without a breach of the row's order."""


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_gives_its_finding_and_no_other(fault, seed):
    rng = np.random.default_rng(seed)
    contents = min(play_sheets(5, rng), key=lambda sheet: len(marked_misthrows(sheet)))
    changed = seed_fault(contents, fault, rng)
    assert sum(changed.get(name) != contents.get(name) for name in changed) == 1
    if fault != "tally":
        changed = {name: content for name, content in changed.items() if not name.startswith("tally-")}
    found = {violation.code for violation in Qwinto().audit(changed).violations} - {CONSEQUENCE}
    allowed = findings_of(fault) | ({"row-order"} if fault == CROWDED else set())
    assert findings_of(fault) <= found <= allowed


def test_a_fault_that_no_field_can_take_is_refused():
    with pytest.raises(ValueError, match="can take the fault 'cross'"):
        seed_fault({}, "cross", np.random.default_rng(1))


def test_the_player_reckons_what_he_wrote():
    contents = {"orange-3": number(5), "orange-4": number(3)}
    assert tallied(contents)["tally-total"] == number(2)
    assert tallied(contents, error=3)["tally-total"] == number(5)
    assert "tally-misthrows" not in tallied(contents)
