"""How doubt is carried to the score (the contract's `range`, `certainty`, `review`) and to the findings."""

import math
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sheetscan.doubts import audit_work
from sheetscan.games.qwinto import Qwinto
from sheetscan.games.qwinto_score import BLOCKED_FIELDS, MISTHROWS, NUMBER_FIELDS
from sheetscan.judge import SCORING_BUDGET, SURE_BUDGET, VARIATION_BUDGET, judge
from sheetscan.language import LANGUAGES
from sheetscan.result import (
    CONTENT_KINDS,
    CROSS,
    EMPTY,
    UNREADABLE,
    Alternative,
    Content,
    FieldReading,
    number,
)
from tests.games.sheets import GOLDEN, sheet

TALLIES = tuple(f"tally-{name}" for name in ("orange", "yellow", "purple", "misthrows", "total"))
RULES = Qwinto()


def sure(content, confidence=1.0, *alternatives, why=None):
    others = tuple(Alternative(other.kind, other.value, share) for other, share in alternatives)
    return FieldReading(content.kind, content.value, confidence, content, others, why)


def doubtful(content, confidence, *alternatives):
    return sure(content, confidence, *alternatives, why="low confidence")


def unreadable(*alternatives):
    return doubtful(UNREADABLE, 0.3, *alternatives)


def readings(contents, **changes):
    """All fields of a sheet, read surely but for the `changes` (names with _ for -)."""
    everything = dict.fromkeys((*NUMBER_FIELDS, *BLOCKED_FIELDS, *MISTHROWS, *TALLIES), EMPTY) | contents
    fields = {name: sure(content) for name, content in everything.items()}
    return fields | {name.replace("_", "-"): reading for name, reading in changes.items()}


def verdict(fields, language="en"):
    return judge(RULES, fields, language)


class CountingRules(Qwinto):
    """Qwinto, keeping the audits that it makes."""

    def __init__(self):
        self.audits = []

    def audit(self, contents):
        self.audits.append(super().audit(contents))
        return self.audits[-1]

    def work(self):
        """In units of the budgets; the dearest audit may go beyond each of them once."""
        return [audit_work(judged) for judged in self.audits]


def accusations(judged):
    return [(finding.code, finding.severity, finding.fields) for finding in judged.findings]


@pytest.fixture
def publishers():
    """The publisher's filled sheet, 43 points: yellow complete, bonuses 4, 8 and 9."""
    return sheet(*GOLDEN[0][1:])


class TestWithoutDoubt:
    def test_the_score_is_that_of_the_readings(self, publishers):
        judged = verdict(readings(publishers))
        assert (judged.score.total, judged.score.range, judged.score.certainty) == (43, (43, 43), 1.0)
        assert (judged.findings, judged.repairs, judged.review) == ((), (), ())

    def test_the_range_spans_the_minimum_repairs(self):
        contents = sheet("_ 9 8 # _ _ _ _ _ _", "_ _ 3 _ _ # _ _ _ _", "_ _ _ 4 # _ _ _ _ _")
        judged = verdict(readings(contents))
        assert (judged.score.total, judged.score.range) == (3, (3, 12))
        assert [repair.crosses for repair in judged.repairs] == [("orange-4",), ("orange-5",)]

    def test_fields_left_out_are_empty_and_unknown_ones_are_passed_over(self):
        judged = verdict({"orange-3": sure(number(4)), "name": unreadable(), "nonsense": unreadable()})
        assert (judged.score.total, judged.review) == (1, ())

    def test_findings_are_said_in_the_language(self):
        judged = verdict(readings({"orange-3": number(21)}), "de")
        (finding,) = judged.findings
        assert finding.message == "21 in Orange 3 lässt sich nicht würfeln: Die Zahl muss zum Kreuz werden."
        assert finding.rule == "Jede Zahl ist die Summe von einem, zwei oder drei Würfeln, also 1 bis 18."

    def test_numbers_below_nought_have_the_minus_sign_of_the_reports(self):
        contents = {**sheet(misthrows=2), "orange-3": number(-4), "tally-total": number(-8)}
        value, tally = verdict(readings(contents)).findings
        assert value.message == "−4 in orange 3 can't be thrown: it must become a cross."
        assert tally.message.startswith("Tally, total: −8 is written, but it comes to −10.")

    def test_fields_are_said_with_the_numbers_they_hold(self):
        judged = verdict(readings(sheet(purple="1 17 5 6 # _ 7 _ _ _")))
        assert judged.findings[0].message == (
            "17 (purple 2) breaks the order of its row against 5 (purple 3), 6 (purple 4) and 7 (purple 7): "
            "it must become a cross."
        )


class TestReview:
    """A doubt that can't change score, audit or ranking is not in it."""

    def test_a_doubt_that_cannot_matter(self, publishers):
        fields = readings(publishers, orange_11=doubtful(number(17), 0.7, (number(18), 0.28)))
        judged = verdict(fields)
        assert (judged.review, judged.score.range) == ((), (43, 43))
        assert judged.score.certainty == pytest.approx(0.98)

    def test_a_doubt_that_changes_the_score(self, publishers):
        fields = readings(publishers, orange_8=doubtful(number(10), 0.7, (number(8), 0.28)))
        judged = verdict(fields)
        assert (judged.review, judged.score.total, judged.score.range) == (("orange-8",), 43, (41, 43))
        assert judged.score.certainty == pytest.approx(0.7)

    def test_a_doubt_that_changes_only_the_findings(self, publishers):
        fields = readings(publishers, tally_total=doubtful(number(43), 0.7, (number(48), 0.28)))
        judged = verdict(fields)
        assert (judged.review, judged.score.range, judged.score.certainty) == (
            ("tally-total",),
            (43, 43),
            1.0,
        )
        assert judged.findings == ()

    def test_a_written_figure_that_is_wrong_either_way(self, publishers):
        fields = readings(publishers, tally_total=doubtful(number(45), 0.7, (number(46), 0.28)))
        judged = verdict(fields)
        assert judged.review == ()
        (finding,) = judged.findings
        assert (finding.code, finding.severity) == ("tally", "one-of")
        assert finding.message.startswith("If tally, total really is 45: ")

    def test_two_doubts_that_matter_only_together(self):
        """Each alone clashes with nothing; 6 and 5 do."""
        fields = readings(
            sheet(orange="_ _ _ # _ _ _ _ 9 12"),
            orange_5=doubtful(number(5), 0.8, (number(6), 0.19)),
            orange_7=doubtful(number(7), 0.8, (number(6), 0.19)),
        )
        judged = verdict(fields)
        assert judged.review == ("orange-5", "orange-7")
        assert judged.score.range == (3, 4)
        assert judged.score.certainty == pytest.approx(0.99**2 - 0.19**2)

    def test_only_the_doubts_that_matter_of_several(self, publishers):
        fields = readings(
            publishers,
            orange_11=doubtful(number(17), 0.7, (number(18), 0.28)),
            misthrow_3=doubtful(EMPTY, 0.8, (CROSS, 0.2)),
            purple_1=doubtful(number(2), 0.9, (number(1), 0.09)),
        )
        judged = verdict(fields)
        assert (judged.review, judged.score.range) == (("misthrow-3",), (38, 43))
        assert judged.score.certainty == pytest.approx(0.98 * 0.8 * 0.99)

    def test_an_unreadable_field_may_hold_anything(self, publishers):
        judged = verdict(readings(publishers, orange_10=unreadable()))
        assert judged.review == ("orange-10",)
        assert judged.score.total == 43
        assert judged.score.range == (31, 44), "13 or 17 there would clash, 14 or 16 be a fifth orange number"

    def test_an_unreadable_field_with_candidates_that_do_not_matter(self, publishers):
        fields = readings(
            publishers, misthrow_4=unreadable((EMPTY, 0.49), (Content("void"), 0.49), (UNREADABLE, 0.02))
        )
        judged = verdict(fields)
        assert (judged.review, judged.score.range) == ((), (43, 43))
        assert judged.score.certainty == pytest.approx(0.98)

    def test_an_unreadable_field_whose_candidates_agree_on_another_score(self, publishers):
        """Nothing is concluded from the field, so the score given is that without it."""
        fields = readings(publishers, orange_10=unreadable((number(14), 0.49), (number(16), 0.49)))
        judged = verdict(fields)
        assert (judged.review, judged.score.total, judged.score.range) == (("orange-10",), 43, (43, 44))
        assert judged.score.certainty == 0

    def test_a_doubt_without_candidates_may_be_anything(self, publishers):
        judged = verdict(readings(publishers, orange_8=doubtful(number(10), 0.97)))
        assert judged.review == ("orange-8",)
        assert judged.score.certainty == pytest.approx(0.97)

    def test_a_users_correction_is_sure(self, publishers):
        pinned = FieldReading("number", 10, 0.5, number(9), (Alternative("number", 9, 0.5),), "user")
        judged = verdict(readings(publishers, orange_8=pinned))
        assert (judged.review, judged.score.range, judged.score.certainty) == ((), (43, 43), 1.0)


class TestCertainty:
    """`certainty`: the probability that the total is right."""

    def test_a_misreading_of_a_sure_field_that_would_change_the_total(self, publishers):
        fields = readings(
            publishers, orange_8=sure(number(10), 0.99, (number(8), 0.006), (number(11), 0.004))
        )
        assert verdict(fields).score.certainty == pytest.approx(0.99)

    def test_a_misreading_that_would_not_change_it_does_not_count(self, publishers):
        fields = readings(publishers, orange_11=sure(number(17), 0.99, (number(18), 0.01)))
        assert verdict(fields).score.certainty == pytest.approx(1.0)

    def test_probability_of_which_the_reader_says_nothing_counts_as_wrong(self, publishers):
        fields = readings(publishers, orange_11=sure(number(17), 0.99, (number(18), 0.004)))
        assert verdict(fields).score.certainty == pytest.approx(0.994)

    def test_fields_that_do_not_score_do_not_count(self, publishers):
        assert verdict(readings(publishers, tally_total=sure(number(43), 0.99))).score.certainty == 1.0

    def test_sure_and_doubtful_fields_are_independent(self, publishers):
        fields = readings(
            publishers,
            orange_8=doubtful(number(10), 0.7, (number(8), 0.28)),
            orange_9=sure(number(13), 0.99, (EMPTY, 0.01)),
        )
        assert verdict(fields).score.certainty == pytest.approx(0.7 * 0.99)


class TestAccusations:
    """Nobody is accused over a doubtful reading."""

    def test_a_finding_that_hangs_on_a_doubtful_reading_is_a_note(self):
        fields = readings(
            sheet(yellow="5 _ _ _ _ # _ _ _ _"), yellow_5=doubtful(number(2), 0.6, (number(7), 0.4))
        )
        judged = verdict(fields)
        (finding,) = judged.findings
        assert (finding.severity, finding.fields) == ("note", ("yellow-2", "yellow-5"))
        assert finding.message == (
            "If yellow 5 really is 2: 5 (yellow 2) stands to the left of 2? (yellow 5): "
            "one of the two must become a cross."
        )
        assert judged.review == ("yellow-5",)

    def test_a_finding_that_holds_either_way_keeps_its_severity(self):
        fields = readings(
            sheet(yellow="5 _ _ _ _ # _ _ _ _"), yellow_5=doubtful(number(2), 0.6, (number(3), 0.4))
        )
        judged = verdict(fields)
        (finding,) = judged.findings
        assert (finding.severity, judged.review) == ("one-of", ())
        assert finding.message.startswith("5 (yellow 2) stands to the left of 2? (yellow 5): ")

    def test_a_plain_violation_beside_a_doubt_is_not_hidden(self, publishers):
        fields = readings(
            publishers | {"purple-3": number(21)}, orange_8=doubtful(number(10), 0.7, (number(8), 0.28))
        )
        (finding,) = verdict(fields).findings
        assert (finding.code, finding.severity, finding.fields) == ("value", "must-cross", ("purple-3",))
        assert finding.message == "21 in purple 3 can't be thrown: it must become a cross."

    def test_a_figure_that_differs_because_a_field_could_not_be_read(self, publishers):
        fields = readings(
            publishers | {"tally-orange": number(4)},
            orange_4=unreadable((number(5), 0.49), (number(6), 0.49)),
        )
        (finding,) = verdict(fields).findings
        assert (finding.code, finding.severity) == ("tally", "note")
        assert finding.message.startswith("If orange 4, which can't be read, is empty: tally, orange: 4 is")

    def test_both_readings_are_named_when_only_both_together_clear_it(self):
        fields = readings(
            sheet(orange="9 _ _ # _ _ _ _ _ _"),
            orange_4=doubtful(number(4), 0.8, (number(10), 0.19)),
            orange_5=doubtful(number(5), 0.8, (number(11), 0.19)),
        )
        judged = verdict(fields)
        accused = [finding for finding in judged.findings if finding.fields == ("orange-3",)]
        (finding,) = accused
        assert (finding.severity, judged.review) == ("note", ("orange-4", "orange-5"))


class TestManyDoubts:
    """Beyond the budgets: conservative, and quick."""

    def test_the_range_has_the_rules_bounds_and_every_doubt_is_reviewed(self, publishers):
        names = NUMBER_FIELDS[:12]
        fields = readings(publishers) | {name: unreadable() for name in names}
        judged = verdict(fields)
        assert judged.review == names
        assert judged.score.range == RULES.total_bounds(
            {name: (reading.content,) for name, reading in fields.items()}
            | {name: (EMPTY, *(number(value) for value in range(1, 19))) for name in names}
        )
        assert judged.score.certainty < 0.01

    def test_an_accusation_stands_only_without_the_doubtful_fields(self):
        contents = sheet(orange="9 8 _ # _ _ _ _ _ _", purple="_ _ _ _ # _ _ 3 4 _") | {
            "tally-total": number(99)
        }
        doubts = {
            name: doubtful(number(5), 0.5, (EMPTY, 0.4), (number(6), 0.09)) for name in NUMBER_FIELDS[9:20]
        }
        severities = {
            (finding.code, finding.fields): finding.severity
            for finding in verdict(readings(contents) | doubts).findings
        }
        assert severities["row-order", ("orange-3", "orange-4")] == "one-of"
        assert severities["tally", ("tally-total",)] == "note"
        assert {severities[key] for key in severities if set(key[1]) & set(doubts)} == {"note"}

    def test_more_readings_than_a_sentence_holds_are_counted(self):
        doubts = {
            name: doubtful(number(value), 0.5, (EMPTY, 0.49))
            for value, name in enumerate(NUMBER_FIELDS[:4], 1)
        }
        (finding,) = verdict(readings({"tally-orange": number(9)}) | doubts).findings
        assert finding.severity == "one-of"
        assert finding.message == (
            "If 4 doubtful fields are read rightly: tally, orange: 9 is written, but it comes to 4."
        )

    def test_a_sheet_of_which_nothing_can_be_read(self):
        fields = {name: unreadable() for name in readings({})}
        rules = CountingRules()
        judged = judge(rules, fields, "en")
        assert SCORING_BUDGET // 2 < sum(rules.work()) < SCORING_BUDGET + 3 * max(rules.work())
        assert set(judged.review) == set(fields)
        assert judged.findings == ()

    def test_clashes_and_doubts_together_end_in_time(self):
        falling = sheet("9 8 7 # 6 5 4 3 2 1", "9 8 7 6 5 # 4 3 2 1", "9 8 7 6 # 5 4 3 2 1")
        fields = readings(falling) | {
            name: doubtful(falling[name], 0.6, (EMPTY, 0.39)) for name in NUMBER_FIELDS[::4]
        }
        rules = CountingRules()
        judged = judge(rules, fields, "en")
        budgets = SCORING_BUDGET + VARIATION_BUDGET + SURE_BUDGET
        assert SCORING_BUDGET < sum(rules.work()) < budgets + 5 * max(rules.work())
        assert max(rules.work()) > 100, "there are hundreds of repairs"
        assert set(judged.review) == set(NUMBER_FIELDS[::4])

    def test_a_tally_that_is_varied_needs_no_audit_of_its_own_unless_a_finding_hangs_on_it(self, publishers):
        doubts = {
            "orange-8": doubtful(number(10), 0.7, (number(8), 0.28)),
            "orange-9": doubtful(number(13), 0.7, (number(12), 0.28)),
            "tally-total": doubtful(number(43), 0.7, *((number(value), 0.01) for value in range(50, 70))),
        }
        rules = CountingRules()
        judged = judge(rules, readings(publishers) | doubts, "en")
        assert judged.review == tuple(doubts)
        assert len(rules.audits) < 10, "not 2 * 2 * 21"


number_contents = st.one_of(st.just(EMPTY), st.just(CROSS), st.integers(0, 8).map(number))
mark_contents = st.sampled_from([EMPTY, CROSS, Content("void")])


@st.composite
def doubted_sheets(draw):
    """A small sheet with up to four doubtful fields, their options complete to a probability of 1."""
    contents = draw(st.dictionaries(st.sampled_from(NUMBER_FIELDS), number_contents, max_size=10))
    contents |= draw(st.dictionaries(st.sampled_from(TALLIES), number_contents, max_size=2))
    fields = {name: sure(content) for name, content in contents.items()}
    pool = sorted({*contents, *draw(st.lists(st.sampled_from((*NUMBER_FIELDS, *MISTHROWS)), max_size=3))})
    for name in draw(st.lists(st.sampled_from(pool), max_size=4, unique=True)) if pool else ():
        kind = mark_contents if name in MISTHROWS else number_contents
        options = draw(st.lists(kind, min_size=2, max_size=3, unique=True))
        weights = draw(st.lists(st.integers(1, 9), min_size=len(options), max_size=len(options)))
        best, *others = [
            (option, weight / sum(weights))
            for option, weight in zip(options, sorted(weights, reverse=True), strict=True)
        ]
        fields[name] = doubtful(*best, *others)
    return fields


def outcome(contents):
    audit = RULES.audit(contents)
    findings = {(found.code, found.severity, found.fields) for found in audit.violations}
    plain = frozenset(finding for finding in findings if finding[1] != "note")
    return audit, findings, (audit.total, plain, audit.repairs)


@given(doubted_sheets())
@settings(max_examples=150, deadline=None)
def test_range_certainty_review_and_findings_against_brute_force(fields):
    judged = verdict(fields)
    doubts = [name for name, reading in fields.items() if reading.doubtful]
    options = [
        [(fields[name].content, fields[name].confidence)]
        + [(other.content, other.probability) for other in fields[name].alternatives]
        for name in doubts
    ]
    everything = {}
    for joint in product(*options):
        contents = {name: reading.content for name, reading in fields.items()}
        contents |= {name: content for name, (content, _) in zip(doubts, joint, strict=True)}
        share = math.prod(probability for _, probability in joint)
        everything[tuple(content for content, _ in joint)] = (*outcome(contents), share)

    audits = [audit for audit, _, _, _ in everything.values()]
    assert judged.score.range == (min(a.range[0] for a in audits), max(a.range[1] for a in audits))
    same = sum(share for audit, _, _, share in everything.values() if audit.total == judged.score.total)
    assert judged.score.certainty == pytest.approx(same, abs=1e-6)

    for place, name in enumerate(doubts):
        by_rest = {}
        for contents, (_, _, result, _) in everything.items():
            by_rest.setdefault(contents[:place] + contents[place + 1 :], set()).add(result)
        assert (name in judged.review) == any(len(results) > 1 for results in by_rest.values())

    certain = set.intersection(*(findings for _, findings, _, _ in everything.values()))
    kept = {finding for finding in accusations(judged) if finding[1] != "note"}
    assert kept == {finding for finding in certain if finding[1] != "note"}


wild_readings = st.builds(
    FieldReading,
    kind=st.sampled_from(CONTENT_KINDS),
    value=st.one_of(st.none(), st.integers()),
    confidence=st.floats(0, 1),
    raw=st.just(EMPTY),
    alternatives=st.lists(
        st.builds(
            Alternative,
            kind=st.sampled_from(CONTENT_KINDS),
            value=st.one_of(st.none(), st.integers()),
            probability=st.floats(0, 1),
        ),
        max_size=2,
    ).map(tuple),
    why=st.sampled_from([None, "low confidence", "rule hint", "user"]),
)
wild_names = st.one_of(st.text(), st.sampled_from((*NUMBER_FIELDS, *BLOCKED_FIELDS, *MISTHROWS, *TALLIES)))


@given(st.dictionaries(wild_names, wild_readings, max_size=12), st.sampled_from(LANGUAGES))
@settings(max_examples=50, deadline=None)
def test_the_judge_never_raises_and_never_promises_too_much(fields, language):
    judged = judge(RULES, fields, language)
    assert judged.score.range[0] <= judged.score.total <= judged.score.range[1]
    assert 0 <= judged.score.certainty <= 1
    assert set(judged.review) <= {name for name, reading in fields.items() if judged_doubtful(reading)}


def judged_doubtful(reading):
    return reading.doubtful or reading.kind == "unreadable"


@given(doubted_sheets(), st.data())
@settings(deadline=None)
def test_once_the_review_is_settled_nothing_else_can_change_the_outcome(fields, data):
    """`review` is the smallest set of fields a person must look at before the score is certain."""
    review = verdict(fields).review

    def settled(name, reading, choose):
        others = [reading.content, *(other.content for other in reading.alternatives)]
        return data.draw(st.sampled_from(others)) if choose else reading.content

    looked_at = {name: settled(name, reading, name in review) for name, reading in fields.items()}
    others = {
        name: settled(name, reading, reading.doubtful)
        for name, reading in fields.items()
        if name not in review
    }
    assert outcome(looked_at)[2] == outcome(looked_at | others)[2]
