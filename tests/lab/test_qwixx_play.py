"""Games of Qwixx are legal to their end and marked as people mark; each fault gives its finding alone."""

from collections import Counter

import numpy as np
import pytest

from sheetscan.games import rules_for
from sheetscan.games.qwixx_score import PENALTIES
from sheetscan.lab.any_game import play, tally
from sheetscan.lab.qwixx_faults import QWIXX_FAULTS, seed_qwixx_fault
from sheetscan.lab.qwixx_play import play_qwixx, tallied_qwixx
from sheetscan.result import CROSS, VOID, Content, number
from sheetscan.template import load_template

VARIANTS = ("qwixx", "qwixx-mixx-a", "qwixx-mixx-b")
SEEDS = range(30)
LINE = Content("line")


def game(name, seed):
    template = load_template(name)
    sheets = play_qwixx(template, 2 + seed % 4, np.random.default_rng(seed))
    return template, rules_for(template), sheets


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("seed", SEEDS)
def test_play_is_legal_and_rightly_tallied(name, seed):
    template, rules, sheets = game(name, seed)
    assert len(sheets) == 2 + seed % 4
    for contents in sheets:
        written = tallied_qwixx(template, contents)
        audit = rules.audit(written)
        assert {violation.code for violation in audit.violations} <= {"lone-lock"}
        assert written["tally-total"] == number(audit.total)


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_game_goes_to_its_end_and_no_further(name, seed):
    template, _, sheets = game(name, seed)
    lasts = {fields[-2] for fields in template.places.values()}
    closed = {field for contents in sheets for field in lasts if contents.get(field) == CROSS}
    penalties = [sum(box in contents for box in PENALTIES) for contents in sheets]
    assert 2 <= len(closed) <= 3 or (max(penalties) == 4 and len(closed) < 2)
    assert sum(count == 4 for count in penalties) <= 1


@pytest.mark.parametrize("name", VARIANTS)
def test_sheets_are_filled_as_people_fill_them(name):
    totals, kinds, lone, struck = [], Counter(), 0, 0
    for seed in SEEDS:
        template, rules, sheets = game(name, seed)
        for contents in sheets:
            totals.append(rules.audit(contents).total)
            kinds.update({content.kind for content in contents.values()})
            for fields in template.places.values():
                lone += contents.get(fields[-1]) == CROSS and contents.get(fields[-2]) != CROSS
                struck += contents.get(fields[-1]) == LINE == contents.get(fields[-2])
    assert 35 <= np.median(totals) <= 70
    assert kinds["line"] > 10
    assert kinds["void"] > 5
    assert lone > 10
    assert struck > 5


def test_a_struck_row_is_struck_from_its_last_cross_to_the_lock():
    for seed in SEEDS:
        template, _, sheets = game("qwixx", seed)
        for contents, fields in ((c, f) for c in sheets for f in template.places.values()):
            if contents.get(fields[-1]) == LINE:
                crossed = [place for place, field in enumerate(fields) if contents.get(field) == CROSS]
                rest = fields[max(crossed, default=-1) + 1 :]
                assert {contents.get(field) for field in rest} <= {LINE, VOID}


def test_the_same_seed_plays_the_same_game():
    assert game("qwixx", 1)[2] == game("qwixx", 1)[2]
    assert game("qwixx", 1)[2] != game("qwixx", 5)[2]


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("fault", QWIXX_FAULTS)
def test_a_fault_gives_its_finding_and_no_other(fault, seed):
    template, rules, sheets = game("qwixx-mixx-b", seed)
    rng = np.random.default_rng(seed)
    contents = max(sheets, key=lambda sheet: sum(name.endswith("-lock") for name in sheet))
    if fault == "lock-missing":
        lasts = [fields[-2] for fields in template.places.values()]
        contents = max(sheets, key=lambda sheet: sum(sheet.get(last) == CROSS for last in lasts))
    if fault == "tally":
        contents = tallied_qwixx(template, contents)
    changed = seed_qwixx_fault(template, contents, fault, rng)
    codes = [violation.code for violation in rules.audit(changed).violations]
    assert [code for code in codes if code != "lone-lock"] == [fault]


def test_a_player_tallies_a_bad_lock_as_crosses():
    template = load_template("qwixx")
    contents = {"red-2": CROSS, "red-12": CROSS, "red-lock": CROSS, "blue-lock": CROSS, "penalty-1": CROSS}
    written = tallied_qwixx(template, contents, error=2)
    assert (written["tally-red"], written["tally-blue"]) == (number(6), number(0))
    assert (written["tally-penalties"], written["tally-total"]) == (number(5), number(3))
    assert "tally-penalties" not in tallied_qwixx(template, {})


@pytest.mark.parametrize("fault", QWIXX_FAULTS)
def test_a_fault_that_nothing_can_take_is_told(fault):
    with pytest.raises(ValueError, match=f"can take the fault '{fault}'"):
        seed_qwixx_fault(load_template("qwixx"), {}, fault, np.random.default_rng(1))


@pytest.mark.parametrize("name", ["qwinto", "qwixx-mixx-a"])
def test_any_game_is_played_and_tallied(name):
    template = load_template(name)
    rules = rules_for(template)
    for contents in play(template, 3, np.random.default_rng(4)):
        assert rules.audit(tally(template, contents)).total == tally(template, contents)["tally-total"].value
        slipped = tally(template, contents, error=1)
        assert "tally" in {violation.code for violation in rules.audit(slipped).violations}
