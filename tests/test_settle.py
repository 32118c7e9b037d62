"""Settling games: which sheets count, who may win, and the one question that decides."""

from dataclasses import replace
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sheetscan.games.qwinto import Qwinto
from sheetscan.judge import judge
from sheetscan.language import LANGUAGES
from sheetscan.result import CROSS, EMPTY, number
from sheetscan.settle import settle
from sheetscan.settle.winners import Chance, places, winner_sets
from tests.games.sheets import sheet
from tests.report.results import GOLDEN_28, GOLDEN_43, GOLDEN_116, doubtful, result, sure, unreadable


def of(contents, place, player, readings=None, **more):
    """A player's sheet of game K7M2QX, from a photo of its own."""
    given_more = {"sheet_id": f"K7M2QX-{place}", "source": f"{place}.jpg", "sha256": str(place) * 64} | more
    return result(contents, readings, player=player, **given_more)


ANNA = of(GOLDEN_116, 1, "Anna")
BEN = of(GOLDEN_28, 2, "Ben")
CEM = of(GOLDEN_43, 3, "Cem")
ENDER = of(sheet(misthrows=4), 7, "Zed")
"""Ended the game, and can't win it."""


def settled(*sheets, **options):
    return settle([[one] for one in sheets], "en", **options)


def codes(settlement, severity=None):
    return [one.code for one in settlement.findings if severity in (None, one.severity)]


def brute_force(sheets):
    """The possible sets of winners by trying every reading with every minimum repair of every sheet."""
    totals = []
    for one in sheets:
        contents = {name: reading.content for name, reading in one.fields.items()}
        doubts = {
            name: [reading.content, *(other.content for other in reading.alternatives)]
            for name, reading in one.fields.items()
            if reading.doubtful
        }
        possible = set()
        for joint in product(*doubts.values()):
            audit = Qwinto().audit(contents | dict(zip(doubts, joint, strict=True)))
            fewest = min((len(repair.crosses) for repair in audit.repairs), default=0)
            possible |= {repair.score for repair in audit.repairs if len(repair.crosses) == fewest}
            possible |= set() if audit.repairs else {audit.total}
        totals.append(possible)
    return {
        frozenset(place for place, total in enumerate(game, 1) if total == max(game))
        for game in product(*totals)
    }


def random_sheet(random, place):
    """A sheet with a few numbers, some of which clash and some of which are doubtful."""
    names = [f"{row}-{column}" for row in ("orange", "yellow", "purple") for column in (3, 4, 8, 9)]
    contents = {
        name: number(random.randrange(1, 19)) for name in random.sample(names, random.randrange(2, 5))
    }
    readings = {}
    for name in random.sample(sorted(contents), random.randrange(0, 3)):
        other = random.choice([EMPTY, CROSS, number(random.randrange(1, 19))])
        if other != contents[name]:
            readings[name] = doubtful(contents[name], 0.6, (other, 0.39))
    return of(contents, place, f"P{place}", readings)


class TestWinner:
    """Who wins, and whether that may still change."""

    def test_places_are_shared_and_the_next_one_is_left_out(self):
        game = settled(CEM, of(GOLDEN_43, 1, "Anna"), BEN)
        assert [(one.place, one.name, one.total) for one in game.ranking] == [
            (1, "Cem", 43),
            (1, "Anna", 43),
            (3, "Ben", 28),
        ]
        assert game.winner.sheets == (1, 2)
        assert settled(CEM, of(GOLDEN_43, 1, "Anna"), ENDER).winner.message == "Cem and Anna share the win."

    def test_without_doubts_it_is_certain_and_nothing_is_asked(self):
        game = settled(ANNA, BEN, CEM)
        assert (game.winner.certain, game.winner.every_repair, game.question) == (True, True, None)
        assert game.winner.message == "Anna wins."
        assert game.winner.possible == ((1,),)

    def test_a_doubt_that_can_not_change_it_is_not_asked(self):
        ben = of(GOLDEN_28, 2, "Ben", {"purple-8": doubtful(number(9), 0.7, (EMPTY, 0.29))})
        game = settled(ANNA, ben)
        assert game.winner.message == "Anna wins, whatever the answers to the open questions are."
        assert game.question is None

    def test_the_doubtful_reading_that_decides_is_asked(self):
        anna = of(sheet("_ 2 3"), 1, "Anna", {"orange-5": doubtful(number(3), 0.7, (EMPTY, 0.29))})
        game = settled(anna, of(sheet("_ 2"), 2, "Ben"))
        assert game.winner.message.startswith(
            "It is still open who wins: Anna alone, or Anna and Ben together. "
        )
        assert game.question.text == "Anna, orange 5: 3 or nothing?"
        assert game.question.decides
        assert [(one.text, one.option, one.winners) for one in game.question.answers] == [
            ("3", "--set 1:orange-5=3", ((1,),)),
            ("nothing", "--set 1:orange-5=empty", ((1, 2),)),
        ]

    def test_the_clash_that_decides_is_asked(self):
        # Crossing out the 8 leaves the bonus of column 8 alone; crossing out the 7 does not.
        anna = of(sheet("_ _ _ # 8 7 _", "_ _ _ _ _ # 9", "_ _ _ _ # _ _ 2"), 1, "Anna")
        ben = of(sheet("_ 2 3 # 4 5 6 7"), 2, "Ben")
        game = settled(anna, ben)
        assert not game.winner.certain
        assert game.question.kind == "order"
        assert game.question.text == ("Anna: which was written first, 8 (orange 7) or 7 (orange 8)?")
        assert [(one.text, one.option) for one in game.question.answers] == [
            ("8 (orange 7) was first, so 7 (orange 8) becomes a cross", "--decide 1:orange-8=cross"),
            ("7 (orange 8) was first, so 8 (orange 7) becomes a cross", "--decide 1:orange-7=cross"),
        ]
        assert {one.winners for one in game.question.answers} == {((1,),), ((2,),)}

    def test_among_several_questions_the_deciding_one_is_chosen(self):
        small = {"purple-1": doubtful(number(1), 0.7, (EMPTY, 0.29))}
        large = {"orange-12": doubtful(number(18), 0.7, (EMPTY, 0.29))}
        anna = of(sheet("1 2 3 # 4 5 6 7 8 18", purple="1"), 1, "Anna", small | large)
        game = settled(anna, of(sheet("_ _ 3 # 4 5 6 7 8 9", "1 2 3 4 5"), 2, "Ben"))
        assert game.question.fields == ("orange-12",)
        assert game.question.decides

    def test_only_a_larger_repair_could_change_it_is_said(self):
        # The 9 clashes with three numbers, so it must go; yet the three could go instead.
        anna = of(sheet("_ _ _ # 9 1 2 3"), 1, "Anna")
        ben = of(sheet("_ 2 3"), 2, "Ben")
        game = settled(anna, ben, ENDER)
        assert game.winner.certain
        assert not game.winner.every_repair
        assert game.winner.message == (
            "Anna wins, Only if more fields were crossed out than needed could that change."
        ).replace(",", ".")

    def test_of_many_sets_of_winners_only_the_names_are_told(self):
        doubts = {"purple-1": doubtful(number(1), 0.7, (EMPTY, 0.29))}
        three = [of({}, place, name, doubts) for place, name in enumerate(("Anna", "Ben", "Cem"), 1)]
        assert len(settled(*three).winner.possible) == 7
        assert settled(*three).winner.message.startswith(
            "It is still open who wins: one of Anna, Ben and Cem, or several of them together. "
        )
        assert settled(*three[:2]).winner.message.startswith(
            "It is still open who wins: Anna alone, Ben alone, or Anna and Ben together. "
        )

    def test_a_single_sheet_has_nobody_to_beat(self):
        assert "single sheet" in settled(ANNA).winner.message

    def test_no_sheets_settle_nothing(self):
        game = settle([], "en")
        assert (game.ranking, game.winner, game.needs_a_look) == ((), None, False)

    @settings(max_examples=60, deadline=None)
    @given(st.integers(0, 2**32 - 1))
    def test_the_statement_is_that_of_brute_force(self, seed):
        random = Random(seed)
        sheets = [random_sheet(random, place) for place in range(1, random.randrange(2, 4) + 1)]
        game = settled(*sheets, ENDER)
        expected = brute_force(sheets)
        assert {frozenset(winners) for winners in game.winner.possible} == expected
        assert game.winner.certain == (len(expected) == 1)
        assert (game.question is None) == game.winner.certain

    @settings(max_examples=40, deadline=None)
    @given(st.integers(0, 2**32 - 1))
    def test_each_answer_leads_where_it_says(self, seed):
        random = Random(seed)
        sheets = [random_sheet(random, place) for place in range(1, 4)]
        question = settled(*sheets).question
        for answer in question.answers if question else ():
            field, value = answer.option.split(":")[1].split("=")
            place = question.sheet - 1
            content = {"empty": EMPTY, "cross": CROSS}.get(value) or number(int(value))
            fields = sheets[place].fields | {field: replace(sure(content), why="user")}
            changed = [*sheets]
            changed[place] = of({name: one.content for name, one in fields.items()}, place + 1, "x", fields)
            assert settled(*changed).winner.possible == answer.winners

    def test_a_sheet_with_too_many_doubts_is_bounded(self):
        doubts = {f"yellow-{column}": unreadable(column, column + 1) for column in (2, 3, 4, 5, 6, 8, 9)}
        anna = of({}, 1, "Anna", doubts)
        ben = of(sheet("1 2 3 # 4 5"), 2, "Ben")
        game = settled(anna, ben)
        assert set(game.winner.possible) >= {(1,), (2,), (1, 2)}
        assert game.question.kind == "reading"
        sure_of_it = settled(anna, of(GOLDEN_116, 2, "Ben"))
        assert sure_of_it.winner.certain

    def test_a_sheet_with_more_repairs_than_are_listed_is_bounded(self):
        contents = sheet("3 2 1 # 6 5 4 9 8 7", "3 2 1 6 5 # 4 9 8 7", "3 2 1 6 # 5 4 9 8 7")
        anna = of(contents, 1, "Anna")
        assert "repairs-truncated" in [finding.code for finding in anna.findings]
        low, high = Qwinto().total_bounds({name: (one,) for name, one in contents.items()})
        (entry,) = settled(anna).ranking
        assert low <= entry.range[0] < entry.range[1] <= high
        assert len(settled(anna, of(sheet("1 2 3 # 4 5"), 2, "Ben")).winner.possible) == 3


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(st.frozensets(st.integers(0, 4), min_size=1), st.booleans()), min_size=1, max_size=4)
)
def test_winner_sets_and_places_are_those_of_brute_force(given_chances):
    chances = [Chance(place, totals, optional) for place, (totals, optional) in enumerate(given_chances)]
    worlds = list(
        product(*([*chance.totals, None] if chance.optional else [*chance.totals] for chance in chances))
    )
    sets = set()
    reached = {chance.sheet: set() for chance in chances}
    for world in worlds:
        there = {place: total for place, total in enumerate(world) if total is not None}
        if there:
            best = max(there.values())
            sets.add(frozenset(place for place, total in there.items() if total == best))
        for place, total in there.items():
            reached[place].add(1 + sum(other > total for other in there.values()))
    assert winner_sets(chances) == sets
    for chance in chances:
        assert places(chance, chances) == (min(reached[chance.sheet]), max(reached[chance.sheet]))


class TestPapers:
    """Photos of the same sheet, and sheets that don't belong here."""

    def test_the_same_photo_counts_once(self):
        game = settled(ANNA, replace(ANNA, source="copy.jpg"), BEN)
        assert [one.name for one in game.ranking] == ["Anna", "Ben"]
        assert codes(game) == ["same-photo", "ended-by"]
        assert not game.needs_a_look

    def test_results_of_one_photo_are_told_apart_by_their_numbers(self):
        finding = settled(ANNA, BEN, ANNA).findings[0]
        assert finding.message == "1.jpg #3 and 1.jpg #1 are the same photo; it counts once."

    def test_of_one_photo_the_corrected_result_counts(self):
        corrected = of(GOLDEN_116, 1, "Anna", {"purple-6": replace(sure(EMPTY), why="user")})
        for order in ((corrected, ANNA), (ANNA, corrected)):
            assert settled(*order, BEN).ranking[0].total == corrected.score.total

    def test_corrections_that_contradict_are_asked_about(self):
        ways = [
            of(GOLDEN_116, 1, "Anna", {"purple-6": replace(sure(content), why="user")})
            for content in (EMPTY, number(15))
        ]
        game = settled(*ways, BEN)
        (finding,) = (one for one in game.findings if one.code == "corrections-contradict")
        assert finding.fields == ("purple-6",)
        assert "corrected differently: purple 6 (15 / nothing). 1.jpg #2 counts for now" in finding.message
        assert game.needs_a_look

    def test_two_sheets_in_one_photo_both_count(self):
        game = settle([[ANNA, replace(BEN, source="1.jpg", sha256="1" * 64)]], "en")
        assert len(game.ranking) == 2
        assert codes(game) == ["ended-by"]

    def test_two_photocopies_in_one_photo_both_count(self):
        twin = of(GOLDEN_28, 1, "Anna")
        game = settle([[ANNA, replace(twin, source="1.jpg", sha256="1" * 64)]], "en")
        assert len(game.ranking) == 2
        assert "photocopies" in codes(game)

    def test_truths_without_a_photo_are_not_the_same_photo(self):
        assert len(settled(replace(ANNA, sha256=""), replace(BEN, sha256="")).ranking) == 2

    def test_of_two_stages_the_later_counts(self):
        early = {name: content for name, content in GOLDEN_28.items() if "purple" not in name}
        first = of(early, 2, "Ben", source="early.jpg", sha256="e" * 64)
        for order in ((first, BEN), (BEN, first)):
            game = settled(ANNA, *order)
            (finding,) = (one for one in game.findings if one.code == "same-sheet")
            assert finding.message == (
                "2.jpg and early.jpg show the same sheet; it counts once, as on 2.jpg."
            )
            assert [(one.name, one.total) for one in game.ranking] == [("Anna", 116), ("Ben", 28)]
            assert not game.needs_a_look

    def test_a_number_that_became_a_cross_is_a_later_stage(self):
        later = of(GOLDEN_28 | {"purple-9": CROSS, "orange-4": CROSS}, 2, "Ben", sha256="f" * 64)
        game = settled(ANNA, BEN, later)
        assert codes(game, "note") == ["same-sheet", "ended-by"]
        assert game.ranking[1].total == later.score.total

    def test_stages_that_contradict_are_asked_about(self):
        other = of(GOLDEN_28 | {"orange-4": number(5), "purple-10": number(18)}, 2, "Ben", sha256="f" * 64)
        game = settled(ANNA, BEN, other)
        (finding,) = (one for one in game.findings if one.code == "stages-contradict")
        assert (finding.fields, finding.severity) == (("orange-4",), "one-of")
        assert "contradict each other in orange 4 (5 / 3). " in finding.message
        assert [one.sheet for one in game.ranking] == [1, 3]

    def test_if_the_contradiction_decides_the_photo_is_asked_for(self):
        ways = [of(sheet("_ 2 3"), 1, "Anna"), of(sheet("_ 2 _ # 5", "1"), 1, "Anna", sha256="f" * 64)]
        ways[1] = replace(ways[1], source="other.jpg")
        game = settled(*ways, of(sheet("_ 3 4"), 2, "Ben"))
        assert game.question is not None
        assert game.question.kind == "photo"
        assert game.question.decides

    def test_a_doubtful_reading_contradicts_nothing(self):
        other = of(
            GOLDEN_28, 2, "Ben", {"orange-4": doubtful(number(5), 0.6, (number(3), 0.39))}, sha256="f" * 64
        )
        assert "stages-contradict" not in codes(settled(ANNA, BEN, other))

    def test_photocopies_filled_by_two_people_both_count(self):
        copy = of(GOLDEN_43, 2, "Ben", source="copy.jpg", sha256="f" * 64)
        game = settled(ANNA, BEN, copy)
        assert codes(game, "one-of") == ["photocopies"]
        assert [one.name for one in game.ranking] == ["Anna", "Ben (copy.jpg)", "Ben (2.jpg)"]

    def test_a_sheet_of_another_game_counts_but_is_asked_about(self):
        stranger = of(sheet("_ 2 3"), 9, "Zoë", sheet_id="ZZZZZZ-1")
        game = settled(of(sheet("_ 2"), 1, "Anna"), of(sheet(), 2, "Ben"), stranger)
        assert "foreign-game" in codes(game, "one-of")
        assert game.question.kind == "member"
        assert [one.winners for one in game.question.answers] == [((3,),), ((1,),)]
        accepted = settled(*game.sheets, ENDER, same_game=True)
        assert "foreign-game" in codes(accepted, "note")
        assert accepted.winner.sheets == (3,)
        assert accepted.winner.certain

    def test_two_games_of_as_many_sheets_are_told(self):
        game = settled(ANNA, replace(BEN, sheet_id="ZZZZZZ-2"))
        assert "several-games" in codes(game, "one-of")
        assert game.winner.message == "It is still open who wins: Anna or Ben."
        assert "ended-by" not in codes(game)
        assert settled(*game.sheets, same_game=True).winner.message == "Anna wins."
        assert "several-games" in codes(settled(*game.sheets, same_game=True), "note")

    def test_a_sheet_of_another_kind_does_not_count(self):
        qwixx = replace(CEM, template="qwixx-mixx-a", fields={"red-2": sure(CROSS)})
        other = replace(qwixx, player="Zoë", source="zoe.jpg", sha256="d" * 64, sheet_id="K7M2QX-5")
        game = settled(ANNA, BEN, qwixx, other, replace(ANNA, sheet_id="K7M2QX-4", sha256="4" * 64))
        (finding,) = (one for one in game.findings if one.severity == "one-of")
        assert (finding.code, finding.sheets) == ("other-template", (3, 4))
        assert finding.message == (
            "Another kind of sheet than the others (Qwixx Mixx A), not counted:"
            " Cem (3.jpg) and Zoë (zoe.jpg)."
        )
        game = settled(ANNA, BEN, qwixx)
        assert [one.name for one in game.ranking] == ["Anna", "Ben"]

    def test_unread_codes_are_no_matter(self):
        game = settled(replace(ANNA, sheet_id=None, player=None), BEN)
        assert codes(game) == ["ended-by"]
        assert game.ranking[0].name == "1.jpg"


class TestUnread:
    """Inputs that could not be read: who filled those sheets may have won."""

    def test_no_winner_is_certain(self):
        game = settled(ANNA, BEN, unread=["blurred.jpg"])
        assert (game.winner.sheets, game.winner.possible) == ((1,), ((1,),))
        assert (game.winner.certain, game.winner.every_repair, game.question) == (False, False, None)
        assert game.winner.message == "Anna wins. Yet not every sheet could be read."

    def test_it_is_a_finding_and_names_them_once(self):
        game = settled(ANNA, BEN, unread=["blurred.jpg", "dark.jpg", "blurred.jpg"])
        finding = game.findings[0]
        assert (finding.code, finding.severity) == ("unread", "one-of")
        assert finding.message.startswith("Could not be read: blurred.jpg and dark.jpg.")

    def test_that_the_game_is_not_over_is_not_claimed(self):
        (finding,) = (one for one in settled(BEN, CEM, unread=["x"]).findings if one.code == "game-not-over")
        assert finding.severity == "note"
        assert finding.message.startswith("As far as the sheets could be read: ")


class TestGame:
    """What the sheets show together."""

    def test_a_game_that_is_not_over(self):
        game = settled(BEN, of(sheet("_ 2"), 1, "Anna"))
        assert "game-not-over" in codes(game, "one-of")
        assert not game.winner.certain
        assert game.winner.message == "Ben wins. But by these sheets the game is not over."

    def test_that_a_game_is_perhaps_not_over_is_told(self):
        rows = {name: content for name, content in GOLDEN_116.items() if "purple" not in name}
        anna = of(rows, 1, "Anna", {"orange-3": doubtful(number(10), 0.9, (EMPTY, 0.09))})
        ben = of({name: content for name, content in GOLDEN_28.items() if "orange" not in name}, 2, "Ben")
        game = settled(ben, anna)
        assert codes(game) == []
        assert game.winner.certain
        assert game.winner.message.endswith("Yet it is not certain that the game is over.")
        undone = of(GOLDEN_116 | {"orange-3": number(13)}, 1, "Anna")
        assert settled(undone, BEN).winner.message.endswith("Yet it is not certain that the game is over.")
        assert settled(undone, BEN, ENDER).winner.message == "Anna wins."

    def test_who_ended_it(self):
        (finding,) = settled(ANNA, BEN).findings
        assert (finding.code, finding.severity, finding.sheets) == ("ended-by", "note", (1,))
        assert finding.message == "The game was ended by: Anna."

    def test_an_end_that_a_repair_undoes_is_claimed_by_nobody(self):
        anna = of(GOLDEN_116 | {"orange-3": number(13)}, 1, "Anna")
        assert "end-not-proven" in {finding.code for finding in anna.findings}
        assert "ended-by" not in codes(settled(anna, BEN))

    def test_nothing_is_claimed_over_a_doubtful_reading(self):
        rows = {name: content for name, content in GOLDEN_116.items() if "purple" not in name}
        anna = of(rows, 1, "Anna", {"orange-3": doubtful(EMPTY, 0.6, (number(10), 0.39))})
        game = settled(of(sheet("_ 2"), 2, "Ben"), anna)
        (finding,) = (one for one in game.findings if one.code == "game-not-over")
        assert finding.severity == "note"
        assert finding.message.startswith("If the doubtful fields are read rightly: ")
        assert "ended-by" not in codes(game)

    def test_a_doubt_over_too_many_fields_proves_nothing(self):
        doubts = {f"purple-{column}": unreadable(column, column + 1) for column in (1, 2, 3, 4, 6, 7, 8, 9)}
        game = settled(of({}, 1, "Anna", doubts), of(GOLDEN_28, 2, "Ben", doubts))
        assert "sheets-do-not-fit" not in codes(game, "one-of")

    def test_that_a_game_is_not_over_stands_however_many_doubts_there_are(self):
        doubts = {f"purple-{column}": unreadable(column, column + 1) for column in (1, 2, 3, 4, 6, 7, 8, 9)}
        game = settled(of({}, 1, "Anna", doubts), BEN)
        assert "game-not-over" in codes(game, "one-of")
        rows = {name: content for name, content in GOLDEN_116.items() if "orange" in name}
        doubts = {name: unreadable(3, 4) for name in GOLDEN_116 if "yellow" in name}
        game = settled(of(rows, 1, "Anna", doubts), BEN)
        assert "game-not-over" in codes(game, "note")

    def test_who_surely_ended_it_is_told_however_many_doubts_there_are(self):
        doubts = {name: unreadable(3, 4) for name in GOLDEN_116 if "purple" in name}
        game = settled(of(GOLDEN_116, 1, "Anna", doubts), BEN)
        assert "ended-by" in codes(game, "note")


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_is_said_in_every_language(language):
    first = of(sheet(), 2, "Ben", source="early.jpg", sha256="e" * 64, language=language)
    clash = of(sheet("_ _ _ # 8 7 _", "_ _ _ _ _ # 9", "_ _ _ _ # _ _ 2"), 1, "Anna", language=language)
    stranger = of(sheet("_ 2 3 # 4 5 6 7"), 9, "Zoë", sheet_id="ZZZZZZ-1", language=language)
    ben = of(sheet("_ 2"), 2, "Ben", language=language)
    game = settle([[clash], [ben], [first], [stranger]], language)
    unread = settle([[ben], [clash]], language, unread=["a.jpg"])
    texts = [one.message for one in (*game.findings, *unread.findings)]
    texts += [game.winner.message, game.question.text, unread.winner.message]
    assert all(text and "{" not in text for text in texts)


def test_settling_is_the_judges_data_only():
    """The verdicts of the sheets given are believed; who changes a reading judges again."""
    fields = ANNA.fields
    verdict = judge(Qwinto(), fields, "en")
    assert settled(ANNA).sheets[0].score == verdict.score
