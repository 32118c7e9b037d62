"""The comparison of readers counts right, on few answers; how good the figures are is no matter here."""

import json
import shutil
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from benchmarks import lab, reading
from benchmarks.goals import Figure
from benchmarks.reading_card import fill_card
from benchmarks.reading_figures import (
    PARTS,
    Answer,
    Comparison,
    against_goals,
    calibration_error,
    digit_confusions,
    figures,
    reliability,
)
from benchmarks.reading_report import report
from sheetscan.pipeline import Scanner
from sheetscan.reading.model_folder import newest_model
from sheetscan.reading.reader import Reading
from sheetscan.result import CROSS, EMPTY, Content, FieldReading, number
from sheetscan.template import load_template
from tests.benchmarks.test_benchmarks import INVENTED, Stubborn

needs_second = pytest.mark.skipif(find_spec("rapidocr") is None, reason="needs the package rapidocr")


@pytest.fixture(scope="module")
def photo() -> lab.LabPhoto:
    return lab.make(lab.Job(INVENTED, 1))


def answer(
    truth: Content, read: Content, confidence: float = 1.0, field: str = "orange-3", european: bool = True
) -> Answer:
    said = FieldReading(read.kind, read.value, confidence, read)
    place = load_template("qwinto").field(field)
    return Answer(place, truth, Reading(((read, confidence),)), said, said, said, "gel", european)


def helped_answer(truth: Content, read: Content) -> Answer:
    """A number that was read wrong and that the rules put right."""
    said = FieldReading(truth.kind, truth.value, 0.9, read, why="low confidence")
    return replace(answer(truth, read), helped=said)


def test_readers_are_compared_by_what_is_written(photo: lab.LabPhoto) -> None:
    reader = Stubborn()
    scans = [(photo, scan) for scan in Scanner(reader).scan_photo(photo.photo)]
    found = figures(reading.compare(scans, {"stubborn": reader})["stubborn"])
    groups = found["groups"]
    assert groups["empty"]["exact"] == groups["empty"]["fields"]
    assert groups["1 digit"]["exact"] == 0 < groups["1 digit"]["fields"]
    numbers = sum(counts["fields"] for group, counts in groups.items() if "digit" in group)
    assert found["pens"] == {photo.pen: {"fields": numbers, "exact": 0}}
    assert sum(counts["fields"] for counts in found["writers"].values()) == numbers
    wrong = sum(counts["fields"] - counts["exact"] for counts in groups.values())
    for part in PARTS:
        assert found[part]["sure and wrong"] == wrong == found[part]["fields"] - found[part]["exact"]
        assert found[part]["in doubt"] == found[part]["rule hints"] == 0
    assert found["calibration error"] == pytest.approx(wrong / found["raw"]["fields"], abs=1e-3)


def test_digits_taken_for_each_other_are_counted_each_way() -> None:
    pairs = [(12, 72), (71, 11), (7, 1), (9, 4), (7, 17), (7, 7)]
    counts = digit_confusions([answer(number(truth), number(read)) for truth, read in pairs])
    assert list(counts)[:2] == ["1 as 7", "7 as 1"]
    assert {pair: count for pair, count in counts.items() if count} == {
        "1 as 7": 1,
        "7 as 1": 2,
        "9 as 4": 1,
    }


def test_confidence_is_set_against_truth() -> None:
    answers = [answer(number(1), number(1), 0.75)] * 3 + [answer(number(1), number(7), 0.75)]
    assert reliability(answers) == [(0.7, 0.8, 4, pytest.approx(0.75), 0.75)]
    assert calibration_error(answers) == pytest.approx(0)
    sure = [answer(number(1), number(7), 1.0)]
    assert reliability(sure) == [(0.99, 1.0, 1, 1.0, 0.0)]
    assert calibration_error(sure) == pytest.approx(1)


def test_numbers_are_told_apart_by_writers_and_rows() -> None:
    answers = [
        answer(number(18), number(18)),
        answer(number(19), number(18)),
        answer(number(1), number(7), european=False),
    ]
    assert figures(Comparison("x", tuple(answers), (0.1,)))["writers"] == {
        "European, 1 to 18": {"fields": 1, "exact": 1},
        "European, others": {"fields": 1, "exact": 0},
        "other, 1 to 18": {"fields": 1, "exact": 0},
    }


def test_goals_are_held_against_the_fields_that_they_speak_of() -> None:
    answers = [
        answer(number(5), number(5)),
        helped_answer(number(5), number(6)),
        answer(number(5), number(6), european=False),
        answer(number(40), number(40), field="tally-total"),
        answer(CROSS, CROSS),
        answer(EMPTY, EMPTY),
        answer(EMPTY, number(1)),
        answer(EMPTY, EMPTY),
    ]
    found = {
        figure.name: figure
        for figure in against_goals("network", Comparison("x", tuple(answers), (0.01, 0.03)))
    }
    assert {name: figure.value for name, figure in found.items()} == {
        "fields read exactly, raw (8)": pytest.approx(62.5),
        "with the sheet's help": pytest.approx(75),
        "1 to 18 of European writers, raw (2)": pytest.approx(50),
        "the same with the sheet's help (2)": pytest.approx(100),
        "crosses (1)": pytest.approx(100),
        "tally fields (1)": pytest.approx(100),
        "empty fields read as ink": pytest.approx(100 / 3),
        "sure and wrong": pytest.approx(25),
        "in doubt": pytest.approx(12.5),
        "expected calibration error": pytest.approx(37.5),
        "time a sheet": pytest.approx(20),
    }
    assert [name for name, figure in found.items() if figure.met] == [
        "the same with the sheet's help (2)",
        "crosses (1)",
        "tally fields (1)",
        "time a sheet",
    ]


def test_the_report_has_all_that_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    answers = (answer(number(12), number(72), 0.6), answer(EMPTY, EMPTY, 0.995))
    report([(name, figures(Comparison(name, answers, (0.02, 0.04)))) for name in reading.COMPARED])
    text = capsys.readouterr().out
    for part in (
        "by kind of field",
        "by pen",
        "European, 1 to 18",
        "1 as 7",
        "with rules",
        "second: confidence and truth",
        "12 as 72 (1)",
    ):
        assert part in text
    assert "| tesseract |     30.0 |        40.0 |" in text


def test_only_the_marked_place_of_a_card_is_written(tmp_path: Path) -> None:
    card = tmp_path / "MODEL_CARD.md"
    card.write_text("# before\n<!-- measured -->\nold\n<!-- /measured -->\nafter\n", encoding="utf-8")
    fill_card(card, "network", [Figure("in doubt", 4.2, "%", 5)], "3 sheets")
    assert card.read_text(encoding="utf-8") == (
        "# before\n<!-- measured -->\n`--reader network` on 3 sheets:\n\n| figure | value | goal | met |\n"
        "|---|---|---|---|\n| in doubt | 4.2 % | ≤ 5 % | yes |\n<!-- /measured -->\nafter\n"
    )
    card.write_text("# no place", encoding="utf-8")
    with pytest.raises(ValueError, match="no place for figures"):
        fill_card(card, "network", [], "")


def test_the_shipped_cards_have_a_place_for_figures(tmp_path: Path) -> None:
    for model in reading.CARDS.values():
        card = tmp_path / f"{model}.md"
        shutil.copyfile(newest_model(model) / "MODEL_CARD.md", card)
        fill_card(card, model, [], "no sheets")


@needs_second
def test_the_second_reader_is_compared_where_it_reads(photo: lab.LabPhoto) -> None:
    (scan,) = Scanner(Stubborn()).scan_photo(photo.photo)
    comparison = reading.compare([(photo, scan)], {"second": reading.SecondAlone()})["second"]
    assert {one.field.kind for one in comparison.answers} == {"number", "tally", "blocked"}
    assert sum(one.right for one in comparison.answers) > 0.7 * len(comparison.answers)


def test_it_runs_as_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--photos", "1", "--hands", "synthetic", "--difficulty", "easy", "--readers", "network"]
    assert reading.main([*options, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["sheets"] == 1
    assert data["readers"]["network"]["raw"]["fields"] == len(load_template("qwinto").readable_fields)
    assert {figure["name"] for figure in data["goals"]["network"]} >= {"in doubt", "time a sheet"}
