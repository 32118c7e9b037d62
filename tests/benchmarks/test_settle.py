"""The settling benchmark: seeded disputes, and a brute force that knows nothing of `sheetscan.settle`."""

import dataclasses
import json
import re

import numpy as np
import pytest

from benchmarks import settle as benchmark
from benchmarks import settle_photos, settle_speed
from benchmarks.disputes import DISPUTES, Game, play_disputed
from benchmarks.settle import measure, results_of
from benchmarks.settle_outcome import FATES, GameOutcome, compare, wrong
from sheetscan.games.qwinto import Qwinto
from sheetscan.reassess import reassess
from sheetscan.result import Alternative, Content, FieldReading, Sheet, number
from sheetscan.settle import settle


@pytest.mark.parametrize("dispute", DISPUTES)
def test_a_seeded_dispute_is_found_and_nobody_else_accused(dispute):
    outcome = measure(play_disputed(7, dispute))
    assert (outcome.found, outcome.accused, outcome.winner_right) == (True, (), True)


@pytest.mark.parametrize("seed", range(4))
def test_a_clean_game_is_left_in_peace(seed):
    outcome = measure(play_disputed(seed, None))
    assert (outcome.accused, outcome.winner_right) == ((), True)


def test_a_missed_dispute_is_counted():
    missed = measure(dataclasses.replace(play_disputed(3, None), dispute="tally"))
    assert not missed.found
    assert benchmark.wrong(missed)


def test_both_games_and_all_sheets_are_played():
    games = benchmark.games(0, 40)
    assert {game.template.id for game in games} == {"qwinto", "qwixx", "qwixx-mixx-a", "qwixx-mixx-b"}
    assert [game.dispute is None for game in games] == [True, False] * 20
    assert {game.dispute for game in games} == {None, *DISPUTES}


@pytest.mark.parametrize("seed", range(5))
def test_a_sheet_with_eight_clashes_has_just_them(seed):
    found = Qwinto().audit(settle_speed.clashing(np.random.default_rng(seed))).violations
    assert [violation.code for violation in found] == ["row-order"] * settle_speed.CLASHES


@pytest.mark.parametrize("doubts", [0, 3])
def test_so_many_fields_are_in_doubt_as_are_wanted(doubts):
    (sheet,) = results_of(play_disputed(3, None), doubts=False)[0]
    read = settle_speed.in_doubt(sheet, doubts, np.random.default_rng(1)).fields
    assert sum(one.doubtful for one in read.values()) == doubts
    assert {name: one.content for name, one in read.items()} == {
        name: one.content for name, one in sheet.fields.items()
    }
    for one in read.values():
        assert one.confidence + sum(other.probability for other in one.alternatives) <= 1
        assert one.content not in [other.content for other in one.alternatives]


def test_the_speed_beside_its_goals(capsys, monkeypatch):
    monkeypatch.setattr(settle_speed, "DOUBTS", (0,))
    settle_speed.main(["--rounds", "1", "--json"])
    figures = {figure["name"]: figure for figure in json.loads(capsys.readouterr().out)}
    assert {name: figure["goal"] for name, figure in figures.items() if figure["goal"]} == {
        "repairs of a sheet with 8 clashes, median": 50,
        "repairs of a sheet with 8 clashes, longest": 50,
        "qwinto, 0 doubtful fields a sheet: settling 5 players": 0.5,
        "qwixx, 0 doubtful fields a sheet: settling 5 players": 0.5,
        "sheetscan settle, 5 finished results": 0.5,
    }
    assert all(figure["value"] > 0 for figure in figures.values())


def test_the_tables(capsys):
    assert benchmark.main(["--games", "4"]) == 0
    told = capsys.readouterr().out
    assert re.search(r"disputes found and named right +\| +2 of 2 ", told)
    assert re.search(r"clean games with an accusation +\| +0 of 2 ", told)


def test_the_outcomes_as_json(capsys):
    assert benchmark.main(["--games", "2", "--json"]) == 0
    assert [game["dispute"] for game in json.loads(capsys.readouterr().out)] == [None, "row-order"]


class TestComparison:
    """Games that were scanned, against their truths."""

    @pytest.mark.parametrize("dispute", DISPUTES)
    def test_what_is_read_right_is_found(self, dispute):
        outcome = compared(play_disputed(11, dispute))
        assert (outcome.reading, outcome.fate, outcome.accused) == ("right", "found", ())
        assert not wrong(outcome)

    def test_a_surely_misread_dispute_is_missed(self):
        game = play_disputed(11, "row-order")
        outcome = compared(game, {fault_of(game): as_read(number(1), 0.999)})
        assert outcome.reading == "misread"
        assert any("read as 1 (sure)" in one for one in outcome.misread)

    def test_a_misread_dispute_in_doubt_is_asked_about(self):
        game = play_disputed(11, "tally")
        place, name = fault_of(game)
        right = number(tally_without_fault(game, place, name))
        read = as_read(right, 0.6, truth_of(game, place, name))
        outcome = compared(game, {(place, name): read})
        assert (outcome.reading, outcome.fate) == ("misread", "asked")
        assert not wrong(outcome)

    def test_a_doubt_that_keeps_the_right_reading_first_is_no_excuse(self):
        game = play_disputed(11, "tally")
        place, name = fault_of(game)
        truth = truth_of(game, place, name)
        outcome = compared(game, {(place, name): as_read(truth, 0.6, number(99))})
        assert (outcome.reading, outcome.fate) == ("doubted", "found")

    def test_a_false_accusation_is_counted(self):
        game = play_disputed(2, None)
        outcome = compared(game, {(0, "tally-total"): as_read(number(120), 0.999)})
        assert [code for code, _, _ in outcome.accused] == ["tally"]
        assert wrong(outcome)

    def test_a_certain_winner_that_is_not_the_true_one_is_wrong(self):
        game = play_disputed(1, None)  # Another than the winner ended it.
        loser = next(place for place in range(len(game.pages)) if place not in compared(game).true_winners[0])
        outcome = compared(game, dict.fromkeys(emptied(game, loser), as_read(Content("empty"), 0.999)))
        assert outcome.winner_right
        winner = compared(game).true_winners[0][0]
        outcome = compared(game, dict.fromkeys(emptied(game, winner), as_read(Content("empty"), 0.999)))
        assert outcome.certain
        assert not outcome.winner_right

    def test_a_refused_photo_leaves_the_winner_open(self):
        game = play_disputed(11, "tally")
        place, _ = fault_of(game)
        outcome = compared(game, refused=[place])
        assert (outcome.reading, outcome.fate, outcome.refused) == ("refused", "missed", 1)
        assert not outcome.certain
        assert outcome.winner_right
        assert outcome.accused == ()


def compared(
    game: Game, read: dict[tuple[int, str], FieldReading] | None = None, refused: list[int] | None = None
) -> GameOutcome:
    """The game as settled if all was read right but for these fields."""
    truths = [sheet for (sheet,) in results_of(game, doubts=False)]
    sheets = [[with_readings(sheet, place, read or {})] for place, sheet in enumerate(truths)]
    for place in refused or []:
        sheets[place] = []
    unread = [truths[place].source for place in refused or []]
    return compare(game, truths, sheets, settle(sheets, "en", unread=unread), 0.01)


def with_readings(sheet: Sheet, place: int, read: dict[tuple[int, str], FieldReading]) -> Sheet:
    own = {name: reading for (where, name), reading in read.items() if where == place}
    return reassess(dataclasses.replace(sheet, fields=sheet.fields | own), {}, "en")


def as_read(content: Content, confidence: float, *others: Content) -> FieldReading:
    alternatives = tuple(Alternative(other.kind, other.value, 0.3) for other in others)
    why = None if confidence > 0.9 else "low confidence"
    return FieldReading(content.kind, content.value, confidence, content, alternatives, why)


def fault_of(game: Game) -> tuple[int, str]:
    """The input with the seeded dispute, and the first field of its finding."""
    for place, (sheet,) in enumerate(results_of(game, doubts=False)):
        for finding in sheet.findings:
            if finding.code == game.dispute:
                return place, finding.fields[0]
    raise AssertionError("nothing is disputed")


def truth_of(game: Game, place: int, name: str) -> Content:
    return game.pages[place].contents[name]


def tally_without_fault(game: Game, place: int, name: str) -> int:
    """What should have been written."""
    (sheet,) = results_of(game, doubts=False)[place]
    lines = {f"tally-{line.label}": line.points for line in sheet.score.lines}
    return abs(lines.get(name, sheet.score.total))


def emptied(game: Game, place: int) -> list[tuple[int, str]]:
    """All fields of a sheet."""
    return [(place, name) for name in game.pages[place].contents]


def test_a_game_is_photographed_scanned_and_settled(capsys):
    arguments = ["--photos", "--games", "2", "--seed", "22", "--hands", "synthetic", "--difficulty", "easy"]
    benchmark.main([*arguments, "--processes", "1", "--json"])
    told = json.loads(capsys.readouterr().out)
    summary, (clean, disputed) = told["summary"], told["games"]
    assert summary["games"] == 2
    assert summary["photos"] == clean["photos"] + disputed["photos"]
    assert (clean["dispute"], clean["fate"], disputed["dispute"]) == (None, None, "row-order")
    assert disputed["fate"] in FATES


def test_the_tables_of_photographed_games(capsys):
    outcomes = [compared(play_disputed(seed, dispute)) for seed, dispute in ((1, None), (2, "tally"))]
    settle_photos.report([*outcomes, dataclasses.replace(outcomes[1], fate="missed")])
    told = capsys.readouterr().out
    assert re.search(r"disputes read right and found +\| +1 \| +50.00 % ", told)
    assert re.search(r"winner statements right +\| +3 \| +100.00 % ", told)
    assert "Settled wrongly, or a dispute missed: 1" in told
