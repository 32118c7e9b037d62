"""The rules help doubtful readings a little, and never touch sure ones."""

import pytest

from sheetscan.decode import VIOLATION_ODDS, with_rules
from sheetscan.games import rules_for
from sheetscan.games.base import Rules
from sheetscan.result import CROSS, EMPTY, UNREADABLE, Alternative, Content, FieldReading, number
from sheetscan.template import load_template

SURE = 0.98


def sure_from(_field: str, _content: Content) -> float:
    return SURE


@pytest.fixture(scope="module")
def rules() -> Rules:
    return rules_for(load_template("qwinto"))


def sure(value: int) -> FieldReading:
    return FieldReading("number", value, 0.999, number(value))


def doubtful(*candidates: tuple[Content, float]) -> FieldReading:
    (best, confidence), *others = candidates
    alternatives = tuple(Alternative(content.kind, content.value, share) for content, share in others)
    return FieldReading(best.kind, best.value, confidence, best, alternatives, "low confidence")


def test_a_doubtful_reading_that_fits_its_row_is_confirmed(rules: Rules) -> None:
    read = {
        "orange-3": sure(4),
        "orange-4": doubtful((number(7), 0.9), (number(1), 0.095)),
        "orange-5": sure(9),
    }
    seven = with_rules(rules, read, sure_from)["orange-4"]
    assert seven.content == seven.raw == number(7)
    assert seven.why == "rule hint"
    assert seven.confidence >= SURE


def test_sure_readings_stay_as_they_are_in_whatever_violation(rules: Rules) -> None:
    read = {
        "orange-3": sure(12),
        "orange-4": sure(5),
        "orange-5": doubtful((number(6), 0.9), (number(14), 0.09)),
    }
    after = with_rules(rules, read, sure_from)
    assert {name: after[name] for name in ("orange-3", "orange-4")} == {
        name: read[name] for name in ("orange-3", "orange-4")
    }


def test_another_value_is_offered_but_never_asserted(rules: Rules) -> None:
    read = {
        "orange-3": sure(4),
        "orange-4": doubtful((number(1), 0.6), (number(7), 0.39)),
        "orange-5": sure(9),
    }
    seven = with_rules(rules, read, sure_from)["orange-4"]
    assert seven.content == number(7)
    assert seven.raw == number(1)
    assert seven.doubtful


def test_alternatives_stay_in_the_order_of_their_probabilities(rules: Rules) -> None:
    # 14 and 3 break a rule, so that they fall below the 2, which is too improbable to be weighed.
    read = {
        "orange-3": sure(4),
        "orange-4": doubtful((number(7), 0.9), (number(14), 0.03), (number(3), 0.02), (number(2), 0.0018)),
        "orange-5": sure(9),
        "orange-6": sure(10),
    }
    seven = with_rules(rules, read, sure_from)["orange-4"]
    shares = [other.probability for other in seven.alternatives]
    assert {other.content for other in seven.alternatives} == {number(14), number(3), number(2)}
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] > 0


def test_what_the_rules_make_next_to_impossible_keeps_a_probability(rules: Rules) -> None:
    read = {
        "orange-3": sure(4),
        "orange-4": doubtful((number(7), 0.9), (number(14), 0.002), (number(1), 0.09)),
        "orange-5": sure(9),
        "yellow-4": sure(14),
    }
    *_, impossible = with_rules(rules, read, sure_from)["orange-4"].alternatives
    assert impossible.content == number(14)
    assert 0 < impossible.probability < 0.00005


def test_a_written_violation_read_well_is_not_explained_away(rules: Rules) -> None:
    read = {
        "orange-3": sure(12),
        "orange-4": doubtful((number(5), 0.975), (number(15), 0.02)),
    }
    five = with_rules(rules, read, sure_from)["orange-4"]
    assert five.content == number(5)
    assert five.doubtful


def test_nobody_is_accused_over_a_reading_that_the_rules_made_sure(rules: Rules) -> None:
    read = {
        "orange-3": sure(12),
        "orange-4": doubtful((number(5), 0.9), (number(4), 0.095)),
        "orange-5": sure(6),
        "yellow-4": sure(4),
    }
    five = with_rules(rules, read, sure_from)["orange-4"]
    assert five.content == number(5)
    assert five.doubtful


def test_what_the_reader_leaves_open_counts_against_the_hint(rules: Rules) -> None:
    read = {
        "orange-3": sure(4),
        "orange-4": doubtful((number(7), 0.6), (number(1), 0.1)),
        "orange-5": sure(9),
    }
    after = with_rules(rules, read, sure_from)["orange-4"]
    assert after.confidence == pytest.approx(0.6 / (0.6 + 0.1 * VIOLATION_ODDS + 0.3), abs=0.01)
    assert after.doubtful


def test_a_tally_that_fits_its_row_is_confirmed(rules: Rules) -> None:
    read = {"orange-3": sure(4), "orange-4": sure(7)}
    points = next(line.points for line in rules.audit({n: r.content for n, r in read.items()}).lines)
    tally = doubtful((number(points), 0.9), (number(points + 70), 0.09))
    after = with_rules(rules, {**read, "tally-orange": tally}, sure_from)["tally-orange"]
    assert after.why == "rule hint"
    wrong = doubtful((number(points + 70), 0.9), (number(points), 0.09))
    assert with_rules(rules, {**read, "tally-orange": wrong}, sure_from)["tally-orange"].doubtful


def test_where_nothing_is_in_doubt_nothing_changes(rules: Rules) -> None:
    read = {"orange-3": sure(12), "orange-4": sure(5)}
    assert with_rules(rules, read, sure_from) == read


def test_unreadable_fields_and_unknown_ones_are_left_alone(rules: Rules) -> None:
    unreadable = FieldReading(
        UNREADABLE.kind, None, 0.3, number(5), (Alternative("number", 5, 0.3),), "low confidence"
    )
    read = {"orange-3": unreadable, "elsewhere": doubtful((number(5), 0.9), (CROSS, 0.1))}
    assert with_rules(rules, read, sure_from) == read


def test_too_many_doubts_are_left_to_a_person(rules: Rules) -> None:
    fields = [name for name in load_template("qwinto").readable_fields if name.kind == "number"]
    spread = tuple((number(value), 0.19) for value in (3, 7, 11, 13, 17))
    read = {field.id: doubtful(*spread) for field in fields}
    assert with_rules(rules, read, sure_from) == read


def many_doubts() -> dict[str, FieldReading]:
    """So many doubtful fields that their combinations can't be covered."""
    fields = [field.id for field in load_template("qwinto").readable_fields if field.row == "purple"]
    spread = tuple((number(value), 0.19) for value in (3, 7, 11, 13, 17))
    return {name: doubtful(*spread) for name in fields}


def test_among_many_doubts_each_is_weighed_beside_the_sure_ones(rules: Rules) -> None:
    read = {
        **many_doubts(),
        "yellow-2": doubtful((number(75), 0.6), (number(15), 0.39)),
        "orange-3": sure(9),
        "orange-4": doubtful((number(7), 0.6), (number(12), 0.39)),
        "tally-misthrows": doubtful((number(70), 0.6), (number(10), 0.39)),
    }
    after = with_rules(rules, read, sure_from)
    assert [after[name].value for name in ("yellow-2", "orange-4", "tally-misthrows")] == [15, 12, 10]
    assert all(after[name].doubtful for name in ("yellow-2", "orange-4", "tally-misthrows"))
    assert after["orange-3"] == read["orange-3"]


def test_among_many_doubts_a_plain_impossible_number_stays(rules: Rules) -> None:
    read = {**many_doubts(), "yellow-2": doubtful((number(21), 0.97), (number(11), 0.02))}
    assert with_rules(rules, read, sure_from)["yellow-2"].value == 21


def test_a_cross_is_not_blamed_for_doubtful_crosses_beside_it() -> None:
    """Qwixx: the last number needs five others; doubtful ones may well be among them."""
    rules = rules_for(load_template("qwixx"))
    crossed = FieldReading("cross", None, 0.999, CROSS)
    maybe = doubtful((CROSS, 0.9), (EMPTY, 0.09))
    read = {
        **{f"red-{value}": crossed for value in (2, 3, 4)},
        **{f"{row}-{value}": maybe for row in ("yellow", "green", "blue") for value in range(3, 10)},
        **{f"red-{value}": maybe for value in (5, 6, 7)},
        "red-12": maybe,
    }
    after = with_rules(rules, read, sure_from)["red-12"]
    assert after.content == CROSS
    assert after.confidence >= 0.9


def test_the_rules_make_a_cross_no_surer_than_its_threshold_asks_for(rules: Rules) -> None:
    read = {"orange-4": doubtful((CROSS, 0.985), (number(7), 0.005))}

    def stricter(field: str, content: Content) -> float:
        return 0.995 if (field, content) == ("orange-4", CROSS) else SURE

    assert not with_rules(rules, read, sure_from)["orange-4"].doubtful
    assert with_rules(rules, read, stricter)["orange-4"].doubtful
