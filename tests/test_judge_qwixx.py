"""The judge carries doubts through Qwixx's rules as through any game's."""

import pytest

from sheetscan.judge import judge
from sheetscan.language import LANGUAGES
from sheetscan.result import CROSS, EMPTY, UNREADABLE, VOID, Alternative, FieldReading
from tests.games.qwixx_sheets import VARIANTS, rules_of, sheet


def sure(content):
    return FieldReading(content.kind, content.value, 1.0, content)


def doubtful(content, other, confidence=0.7):
    alternative = Alternative(other.kind, other.value, 1 - confidence)
    return FieldReading(content.kind, content.value, confidence, content, (alternative,), "low confidence")


def judged(contents, changes=None, language="en", variant="qwixx"):
    rules = rules_of(variant)
    everything = dict.fromkeys(rules.layout.possible_contents, EMPTY) | contents
    fields = {name: sure(content) for name, content in everything.items()}
    return judge(rules, fields | (changes or {}), language)


def told(verdict):
    return [(found.code, found.severity, found.fields) for found in verdict.findings]


def test_a_doubtful_cross_is_carried_to_the_score():
    verdict = judged(sheet(red="2 3 5"), {"red-8": doubtful(CROSS, VOID)})
    assert (verdict.score.total, verdict.score.range, verdict.review) == (10, (6, 10), ("red-8",))
    assert verdict.score.certainty == pytest.approx(0.7)


def test_a_doubtful_fifth_cross_decides_about_the_lock():
    """Nobody is accused over a doubtful reading."""
    verdict = judged(sheet(red="2 3 5 7 12 L"), {"red-8": doubtful(EMPTY, CROSS)})
    assert (verdict.score.range, verdict.review) == ((10, 28), ("red-8",))
    assert told(verdict) == [("last-number", "note", ("red-12", "red-lock"))]
    assert verdict.findings[0].message == (
        "If 8 in the red row really is empty: 12 in the red row is crossed with only 4 of the five other"
        " crosses that this takes: it and the lock do not count."
    )


def test_a_doubtful_lock_matters_to_no_score():
    verdict = judged(sheet(red="2 3 5 7 8 12"), {"red-lock": doubtful(CROSS, EMPTY)})
    assert (verdict.score.range, verdict.score.certainty, verdict.review) == ((28, 28), 1.0, ())


def test_a_doubtful_last_number_with_its_lock_crossed():
    verdict = judged(sheet(blue="12 11 10 9 8 L"), {"blue-2": doubtful(EMPTY, CROSS)})
    assert (verdict.score.total, verdict.score.range, verdict.review) == (15, (15, 28), ("blue-2",))
    assert told(verdict) == [("lone-lock", "note", ("blue-lock",))]


def test_so_many_doubts_that_not_all_can_be_tried_keep_the_bounds():
    unreadable = FieldReading("unreadable", None, 0.2, UNREADABLE, (), "low confidence")
    rules = rules_of()
    verdict = judged({}, dict.fromkeys(sorted(rules.scoring_fields), unreadable))
    assert verdict.score.range == (-20, 266)
    assert len(verdict.review) == len(rules.scoring_fields)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_all_findings_have_words(language, variant):
    rules = rules_of(variant)
    lasts = [(row.last, row.lock) for row in rules.layout.rows]
    full = {name: CROSS for row in rules.layout.rows[:3] for name in row.numbers}
    contents = full | {lasts[0][1]: CROSS, lasts[3][1]: CROSS} | sheet(penalties=5, tally={"red": 9})
    found = judged(contents, language=language, variant=variant).findings
    codes = ["lock-missing", "lock-missing", "lone-lock", "penalties-too-many", "own-locks", "tally"]
    assert [one.code for one in found] == codes
    early = judged({lasts[3][0]: CROSS}, language=language, variant=variant).findings
    for one in (*found, *early):
        assert one.message[:1].isupper() or one.message[:1].isdigit()
        assert "{" not in one.message + one.rule
        assert one.rule.endswith(".")
