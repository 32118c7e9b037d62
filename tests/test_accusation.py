"""A sure reading that accuses must be surer than one that nobody minds."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheetscan.accusation import ACCUSING_FROM, beside_violation, without_rash_accusations
from sheetscan.doubts import UNLISTED_MASS, plausible_contents
from sheetscan.games import rules_for
from sheetscan.games.base import Rules
from sheetscan.judge import judge
from sheetscan.result import CROSS, EMPTY, Alternative, Content, FieldReading, number
from sheetscan.template import load_template

PLAIN, JUST_SURE = 0.999, 0.98


@pytest.fixture(scope="module")
def rules() -> Rules:
    return rules_for(load_template("qwinto"))


def sure(content: Content, confidence: float = PLAIN) -> FieldReading:
    return FieldReading(content.kind, content.value, confidence, content)


def doubted(rules: Rules, read: dict[str, FieldReading]) -> set[str]:
    after = without_rash_accusations(rules, read)
    assert {name: one.content for name, one in after.items()} == {n: one.content for n, one in read.items()}
    return {name for name, one in after.items() if one.doubtful and not read[name].doubtful}


def test_a_plain_reading_accuses_and_one_just_sure_does_not():
    assert beside_violation(PLAIN) > ACCUSING_FROM > beside_violation(JUST_SURE)
    assert beside_violation(1.0) == pytest.approx(1.0)


def test_of_two_numbers_that_clash_the_weak_one_is_doubted(rules: Rules) -> None:
    read = {"orange-3": sure(number(12)), "orange-4": sure(number(5), JUST_SURE)}
    assert doubted(rules, read) == {"orange-4"}
    after = without_rash_accusations(rules, read)["orange-4"]
    assert after.confidence == pytest.approx(0.98 * 0.05 / (0.98 * 0.05 + 0.02), abs=1e-4)
    assert after.raw == number(5)


def test_what_explains_the_violation_gains_what_the_weak_number_loses(rules: Rules) -> None:
    explained, broken = Alternative("number", 15, 0.012), Alternative("number", 7, 0.006)
    weak = replace(sure(number(5), JUST_SURE), alternatives=(broken, explained))
    read = {"orange-3": sure(number(12)), "orange-5": sure(number(17)), "orange-4": weak}
    after = without_rash_accusations(rules, read)["orange-4"]
    shares = {one.content: one.probability for one in after.alternatives}
    assert list(shares) == [number(15), EMPTY, *map(number, (13, 14, 16)), CROSS, number(7)]
    assert shares[number(15)] / after.confidence == pytest.approx(0.012 / (0.98 * 0.05), abs=1e-3)
    assert shares[number(7)] / after.confidence == pytest.approx(0.006 / 0.98, abs=1e-3)
    assert len({shares[one] for one in (EMPTY, number(13), number(14), number(16), CROSS)}) == 1
    assert after.confidence + sum(shares.values()) == pytest.approx(1, abs=1e-3)
    assert set(plausible_contents(rules, {"orange-4": after})["orange-4"]) == {number(5), *shares}


def test_the_score_may_be_what_the_explanations_come_to_though_none_is_listed(rules: Rules) -> None:
    read = {"orange-3": sure(number(12)), "orange-4": sure(number(5), JUST_SURE), "orange-5": sure(EMPTY)}
    score = judge(rules, without_rash_accusations(rules, read), "en").score
    assert score.range == (1, 2)
    assert score.certainty < 0.9


def test_plain_numbers_accuse(rules: Rules) -> None:
    read = {"orange-3": sure(number(12)), "orange-4": sure(number(5))}
    assert without_rash_accusations(rules, read) == read


def test_a_reading_just_sure_stands_where_it_accuses_nobody(rules: Rules) -> None:
    read = {
        "orange-3": sure(number(4), JUST_SURE),
        "yellow-2": sure(number(12)),
        "yellow-3": sure(number(5)),
        "misthrow-1": sure(CROSS, JUST_SURE),
    }
    assert doubted(rules, read) == set()


def test_a_tally_just_sure_accuses_nobody_and_neither_does_a_number_that_would_make_it_right(
    rules: Rules,
) -> None:
    read = {"orange-3": sure(number(4)), "orange-4": sure(number(7)), "tally-orange": sure(number(3))}
    assert doubted(rules, read) == set()
    assert doubted(rules, read | {"tally-orange": sure(number(3), JUST_SURE)}) == {"tally-orange"}
    assert doubted(rules, read | {"orange-5": sure(CROSS, JUST_SURE)}) == {"orange-5"}, "it may be a number"
    two = read | {"tally-orange": sure(number(1))}
    assert doubted(rules, two | {"orange-4": sure(number(7), JUST_SURE)}) == {"orange-4"}, "it may be none"


def test_what_became_sure_with_the_sheets_help_is_weighed_like_any_other(rules: Rules) -> None:
    helped = replace(sure(number(5), JUST_SURE), why="rule hint")
    assert doubted(rules, {"orange-3": sure(number(12)), "orange-4": helped}) == {"orange-4"}


def test_what_the_user_says_accuses(rules: Rules) -> None:
    said = replace(sure(number(5), JUST_SURE), why="user")
    assert doubted(rules, {"orange-3": sure(number(12)), "orange-4": said}) == set()


def test_beside_a_doubt_nobody_is_accused_yet(rules: Rules) -> None:
    """The finding is conditional as it is; the doubtful field is the one to ask about."""
    five = FieldReading("number", 5, 0.6, number(5), (Alternative("number", 15, 0.39),), why="low confidence")
    read = {"orange-3": sure(number(12), JUST_SURE), "orange-4": five}
    assert doubted(rules, read) == set()


def test_a_doubt_lists_what_would_explain_all_if_enough_was_left_open(rules: Rules) -> None:
    read = {"orange-3": sure(number(4)), "orange-4": sure(number(7))}

    def alternatives(*shares: float) -> list[Content]:
        best, other = shares
        tally = FieldReading(
            "number", 20, best, number(20), (Alternative("number", 30, other),), why="low confidence"
        )
        after = without_rash_accusations(rules, read | {"tally-orange": tally})["tally-orange"]
        return [one.content for one in after.alternatives]

    assert alternatives(0.7, 0.26) == [number(30), EMPTY, number(2)], "two numbers are two points"
    assert alternatives(0.7, 0.2999) == [number(30)]


def test_the_finding_is_conditional_and_the_weak_field_is_asked_about(rules: Rules) -> None:
    weak = replace(sure(number(5), JUST_SURE), alternatives=(Alternative("number", 15, 0.019),))
    read = {field.id: sure(EMPTY) for field in load_template("qwinto").readable_fields}
    read |= {"orange-3": sure(number(12)), "orange-4": weak}
    for fields, asked in ((read, ()), (without_rash_accusations(rules, read), ("orange-4",))):
        assert judge(rules, fields, "en").review == asked


def test_qwixx_marks_are_weighed_too() -> None:
    rules = rules_for(load_template("qwixx"))
    read = {"red-12": sure(CROSS, JUST_SURE), "red-3": sure(CROSS)}
    assert doubted(rules, read) == {"red-12"}, "the last number needs five others"


fields = st.sampled_from(["orange-3", "orange-4", "orange-5", "yellow-3", "yellow-4", "tally-orange"])
weak_or_plain = st.builds(
    lambda held, other, confidence, share: replace(
        sure(number(held), confidence),
        alternatives=(Alternative("number", other, share * (1 - confidence)),),
    ),
    st.integers(1, 9),
    st.integers(10, 18),
    st.sampled_from([0.95, JUST_SURE, PLAIN]),
    st.sampled_from([0.0, 0.5, 1.0]),
)


@given(st.dictionaries(fields, weak_or_plain))
def test_of_a_field_put_in_doubt_everything_listed_comes_to_a_probability_of_one(
    read: dict[str, FieldReading],
) -> None:
    rules = rules_for(load_template("qwinto"))
    after = without_rash_accusations(rules, read)
    for name in doubted(rules, read):
        one = after[name]
        listed = {other.content: other.probability for other in one.alternatives}
        assert len(listed) == len(one.alternatives), "nothing twice"
        assert one.confidence < read[name].confidence
        assert one.confidence + sum(listed.values()) == pytest.approx(1, abs=UNLISTED_MASS)
