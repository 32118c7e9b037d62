"""`sheetscan settle`: sheets in, ranking and disputes out."""

import csv
import dataclasses
import io
import json
from pathlib import Path
from typing import Any

import pytest

from sheetscan.errors import ExitCode
from sheetscan.result import CROSS, EMPTY, Document, Failure, Sheet, number, to_json
from tests.cli.conftest import KnownReader, Run, picture_of_sheet
from tests.games.sheets import sheet
from tests.report.results import GOLDEN_28, GOLDEN_43, GOLDEN_116, doubtful, result

CLASH = sheet("_ _ _ # 8 7 _", "_ _ _ _ _ # 9", "_ _ _ _ # _ _ 2")
"""The 8 of column 7 clashes with the 7 of column 8, which has a bonus."""


def of(contents: Any, place: int, player: str | None, readings: Any = None) -> Sheet:
    return result(
        contents,
        readings,
        player=player,
        sheet_id=f"K7M2QX-{place}",
        source=f"{place}.jpg",
        sha256=str(place) * 64,
    )


ANNA = of(CLASH, 1, "Anna")
BEN = of(sheet("_ 2 3 # 4 5 6 7"), 2, "Ben")
CEM = of(sheet("_ 2"), 3, "Cem", {"purple-9": doubtful(number(9), 0.7, (EMPTY, 0.29))})
ENDER = of(sheet(misthrows=4), 7, "Zed")
"""Ended the game, and can't win it."""


def saved(folder: Path, *sheets: Sheet) -> list[Path]:
    """One file a sheet."""
    paths = []
    for place, one in enumerate(sheets, 1):
        path = folder / f"{place}.json"
        path.write_text(to_json(Document(sheets=(one,))), encoding="utf-8")
        paths.append(path)
    return paths


def test_the_game_is_told_after_the_sheets_to_look_at(run: Run, tmp_path: Path) -> None:
    outcome = run("settle", *saved(tmp_path, ANNA, BEN, CEM), "--lang", "en")
    assert outcome.code == ExitCode.NEEDS_A_LOOK
    text = outcome.text
    assert text.startswith("Anna  ")
    assert "\nBen  " not in text
    game = text[text.index("Game K7M2QX\n") :]
    assert "  1.  Ben" in game
    assert "It is still open who wins: Anna or Ben." in game
    assert "This question decides\n  Anna: which was written first, 8 (orange 7) or 7 (orange 8)?" in game
    assert "    answer with --decide 1:orange-7=cross\n" in game
    assert "The game is not over" in game


def test_an_option_that_gives_several_answers_is_told_once(run: Run, tmp_path: Path) -> None:
    marks = ((number(4), 0.1), (EMPTY, 0.1), (CROSS, 0.09))
    anna = of(sheet("_ 2 3"), 1, "Anna", {"orange-5": doubtful(number(3), 0.7, *marks)})
    text = run("settle", *saved(tmp_path, anna, of(sheet("_ 2"), 2, "Ben")), "--lang", "en").text
    assert (
        "  Anna, orange 5: 3, 4, nothing or a cross?\n"
        "  • 3, 4: Anna\n"
        "  • nothing, a cross: Anna and Ben together\n"
        "    answer with --set 1:orange-5=VALUE\n"
    ) in text


def test_the_json_is_as_documented(run: Run, tmp_path: Path) -> None:
    outcome = run("settle", *saved(tmp_path, ANNA, BEN, CEM), "--json")
    data = json.loads(outcome.text)
    assert list(data) == ["schema", "ranking", "findings", "winner", "question", "sheets", "failures"]
    assert data["schema"] == "sheetscan/1"
    assert list(data["ranking"][0]) == ["place", "places", "sheet", "name", "total", "range"]
    assert list(data["findings"][0]) == ["code", "severity", "sheets", "fields", "message", "rule"]
    assert list(data["winner"]) == ["sheets", "certain", "every_repair", "possible", "message"]
    assert list(data["question"]) == ["kind", "sheet", "fields", "text", "decides", "answers"]
    assert list(data["question"]["answers"][0]) == ["text", "option", "winners"]
    assert data["winner"]["possible"] == [[1], [2]]
    assert [one["player"] for one in data["sheets"]] == ["Anna", "Ben", "Cem"]


def test_a_table_for_spreadsheets(run: Run, tmp_path: Path) -> None:
    hostile = of(GOLDEN_43, 1, '=HYPERLINK("x")')
    outcome = run("settle", *saved(tmp_path, hostile, BEN), "-f", "csv")
    assert outcome.out.startswith(b"\xef\xbb\xbfplace,")
    rows = list(csv.DictReader(io.StringIO(outcome.text.removeprefix("\ufeff"))))
    assert [(row["place"], row["player"], row["total"]) for row in rows] == [
        ("1", '\'=HYPERLINK("x")', "43"),
        ("2", "Ben", "6"),
    ]
    assert sum(int(rows[0][f"{name}"]) for name in ("orange", "yellow", "purple")) == 26
    assert rows[0]["misthrows"] == "-10"


class TestAnswers:
    """`--set` and `--decide`."""

    @pytest.mark.parametrize("name", ["1", "Anna", "anna", "ANNA", "K7M2QX-1"])
    def test_a_decision_settles_it(self, run: Run, tmp_path: Path, name: str) -> None:
        paths = saved(tmp_path, ANNA, BEN, ENDER)
        data = json.loads(run("settle", *paths, "--json", "--decide", f"{name}:orange-8=cross").text)
        assert data["winner"]["certain"]
        reading = data["sheets"][0]["fields"]["orange-8"]
        assert (reading["kind"], reading["why"]) == ("cross", "user")

    def test_each_answer_leads_to_what_the_question_said(self, run: Run, tmp_path: Path) -> None:
        paths = saved(tmp_path, ANNA, BEN, CEM)
        question = json.loads(run("settle", *paths, "--json").text)["question"]
        for answer in question["answers"]:
            data = json.loads(run("settle", *paths, "--json", *answer["option"].split()).text)
            assert data["winner"]["possible"] == answer["winners"]

    def test_a_reading_is_set(self, run: Run, tmp_path: Path) -> None:
        paths = saved(tmp_path, ANNA, BEN, CEM)
        data = json.loads(run("settle", *paths, "--json", "--set", "cem:purple-9=9").text)
        assert data["sheets"][2]["review"] == []
        assert data["sheets"][2]["fields"]["purple-9"]["why"] == "user"

    def test_a_single_sheet_needs_no_name(self, run: Run, tmp_path: Path) -> None:
        (path,) = saved(tmp_path, CEM)
        assert run("settle", path, "--set", "purple-9=9", "--json").code == ExitCode.OK

    @pytest.mark.parametrize(
        ("options", "told"),
        [
            (["--set", "orange-3=1"], "which sheet is meant?"),
            (["--set", "Zoë:orange-3=1"], "there is no sheet 'Zoë'"),
            (["--set", "9:orange-3=1"], "there is no sheet '9'"),
            (["--set", "anna:orange-33=1"], "no field 'orange-33'"),
            (["--set", "anna:orange-3=７"], "no such value"),
            (["--set", "anna"], "is not FIELD=VALUE"),
            (["--decide", "anna:orange-8=9"], "can only be decided to be a cross"),
            (["--decide", "anna:yellow-8=cross"], "clashes with nothing"),
            (["--decide", "ben:orange-4=cross"], "fields of this sheet that do: none"),
            (
                ["--decide", "anna:orange-7=cross", "--decide", "1:orange-8=cross"],
                "orange-7 and orange-8: more than needed to put the sheet right",
            ),
        ],
    )
    def test_an_unclear_answer_is_refused(
        self, run: Run, tmp_path: Path, options: list[str], told: str
    ) -> None:
        outcome = run("settle", *saved(tmp_path, ANNA, BEN), *options)
        assert outcome.code == ExitCode.USAGE
        assert told in outcome.err
        assert not outcome.out

    def test_sheets_of_several_games_may_be_said_to_be_of_one(self, run: Run, tmp_path: Path) -> None:
        stranger = dataclasses.replace(of(GOLDEN_28, 2, "Ben"), sheet_id="ZZZZZZ-1")
        paths = saved(tmp_path, of(GOLDEN_116, 1, "Anna"), stranger)
        assert run("settle", *paths).code == ExitCode.NEEDS_A_LOOK
        assert run("settle", *paths, "--same-game").code == ExitCode.OK


class TestInputs:
    """Photos and results, mixed; what fails."""

    def test_photos_and_results_are_mixed(
        self, run: Run, reader: KnownReader, photo: Path, tmp_path: Path
    ) -> None:
        reader.contents = GOLDEN_116
        outcome = run("settle", photo, *saved(tmp_path, of(GOLDEN_28, 2, "Ben")), "--json")
        data = json.loads(outcome.text)
        assert [one["name"] for one in data["ranking"]] == ["Zoë", "Ben"]
        assert outcome.code == ExitCode.OK

    def test_no_reader_is_loaded_for_results(self, run: Run, reader: KnownReader, tmp_path: Path) -> None:
        run("settle", *saved(tmp_path, ANNA, BEN))
        assert reader.loaded == 0

    def test_the_same_photo_twice_counts_once(
        self, run: Run, reader: KnownReader, photo: Path, tmp_path: Path
    ) -> None:
        copy = tmp_path / "copy.png"
        copy.write_bytes(photo.read_bytes())
        data = json.loads(run("settle", photo, copy, "--json").text)
        assert len(data["ranking"]) == 1
        assert [one["code"] for one in data["findings"]] == ["same-photo"]

    def test_a_failed_input_does_not_cost_the_others(
        self, run: Run, reader: KnownReader, noise: Path, blank: Path, tmp_path: Path
    ) -> None:
        broken = tmp_path / "broken.json"
        broken.write_text('{"schema": "sheetscan/1", "sheets": [')
        outcome = run("settle", *saved(tmp_path, ANNA, BEN), noise, broken, blank, "--json")
        data = json.loads(outcome.text)
        assert len(data["ranking"]) == 2
        assert data["findings"][0]["code"] == "unread"
        assert "broken.json" in data["findings"][0]["message"]
        assert [one["code"] for one in data["failures"]] == [3, 3, 4]
        assert outcome.code == ExitCode.NO_SHEET

    def test_failures_of_a_saved_batch_are_not_forgotten(self, run: Run, tmp_path: Path) -> None:
        path = tmp_path / "batch.json"
        failure = Failure("x.jpg", None, 3, "x.jpg: no picture", "none")
        path.write_text(to_json(Document(sheets=(ANNA, BEN), failures=(failure,))))
        outcome = run("settle", path)
        assert outcome.code == ExitCode.UNREADABLE_INPUT
        assert "x.jpg: no picture" in outcome.err

    def test_the_page_that_failed_is_told(self, run: Run, tmp_path: Path) -> None:
        path = tmp_path / "batch.json"
        failure = Failure("game.pdf", 2, 4, "no sheet found", "none")
        path.write_text(to_json(Document(sheets=(ANNA, BEN), failures=(failure,))))
        assert "Error: game.pdf, page 2: no sheet found\n" in run("settle", path).err

    def test_a_settled_game_is_a_result_too(self, run: Run, tmp_path: Path) -> None:
        settled = tmp_path / "settled.json"
        settled.write_bytes(run("settle", *saved(tmp_path, ANNA, BEN), "--json").out)
        data = json.loads(run("settle", settled, "--decide", "1:orange-7=cross", "--json").text)
        assert [one["name"] for one in data["ranking"]] == ["Anna", "Ben"]
        assert data["winner"]["possible"] == [[1]]

    def test_so_are_the_lines_of_a_batch(self, run: Run, tmp_path: Path) -> None:
        failure = Failure("x.jpg", None, 3, "x.jpg: no picture", "none")
        path = tmp_path / "batch.jsonl"
        path.write_text("".join(f"{to_json(one, indent=None)}\r\n" for one in (ANNA, failure, BEN)))
        outcome = run("settle", path, "--json")
        assert len(json.loads(outcome.text)["ranking"]) == 2
        assert outcome.code == ExitCode.UNREADABLE_INPUT

    @pytest.mark.parametrize("text", ['{"a": 1}\n{"b": ', '{\n"a"\n}}', "[1]\n[2]", '{"a": 1}\n{"b": 2}'])
    def test_other_lines_are_not(self, run: Run, tmp_path: Path, text: str) -> None:
        path = tmp_path / "other.json"
        path.write_text(text)
        assert run("audit", path).code == ExitCode.UNREADABLE_INPUT

    def test_findings_of_an_edited_result_are_not_believed(self, run: Run, tmp_path: Path) -> None:
        (path,) = saved(tmp_path, BEN)
        data = json.loads(path.read_text())
        data["sheets"][0]["score"]["total"] = 99
        path.write_text(json.dumps(data))
        assert json.loads(run("settle", path, "--json").text)["ranking"][0]["total"] == 6

    def test_a_result_on_stdin(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        data = to_json(Document(sheets=(of(GOLDEN_116, 1, "Anna"), of(GOLDEN_28, 2, "Ben")))).encode()
        stream = io.TextIOWrapper(io.BufferedReader(io.BytesIO(data)))  # type: ignore[arg-type]
        monkeypatch.setattr("sys.stdin", stream)
        assert run("settle", "-").code == ExitCode.OK

    def test_without_a_sheet_there_is_nothing_to_settle(self, run: Run, tmp_path: Path) -> None:
        path = tmp_path / "none.json"
        path.write_text(to_json(Document()))
        outcome = run("settle", path)
        assert outcome.code == ExitCode.NO_SHEET
        assert "no sheet to settle" in outcome.err

    def test_forms_exclude_each_other(self, run: Run, tmp_path: Path) -> None:
        assert run("settle", *saved(tmp_path, BEN), "--json", "-f", "text").code == ExitCode.USAGE


class TestReport:
    """`--report FILE.pdf`."""

    def test_it_is_written_and_told(self, run: Run, tmp_path: Path) -> None:
        target = tmp_path / "game.pdf"
        outcome = run("settle", *saved(tmp_path, ANNA, BEN), "--report", target)
        assert target.read_bytes().startswith(b"%PDF-")
        assert f"{target}: the evidence, to print" in outcome.err

    def test_letters_that_it_can_not_show_are_told(self, run: Run, tmp_path: Path) -> None:
        paths = saved(tmp_path, of(CLASH, 1, "สม"), BEN)
        outcome = run("settle", *paths, "--report", tmp_path / "game.pdf")
        assert "the typeface has no ส ม: the report shows ? instead" in outcome.err

    def test_it_shows_the_photos(self, run: Run, reader: KnownReader, photo: Path, tmp_path: Path) -> None:
        scanned = tmp_path / "scanned.json"
        scanned.write_bytes(run("scan", photo, "--json").out)
        other = tmp_path / "other.png"
        picture_of_sheet("Ben", 2).save(other)
        for inputs in ([photo], [scanned], [scanned, other]):
            target = tmp_path / f"{len(inputs)}-{inputs[0].stem}.pdf"
            run("settle", *inputs, "--report", target)
            assert target.read_bytes().count(b"/DCTDecode") == len(inputs)

    def test_another_file_is_not_overwritten(self, run: Run, tmp_path: Path) -> None:
        target = tmp_path / "game.pdf"
        target.write_text("mine")
        paths = saved(tmp_path, ANNA, BEN)
        assert run("settle", *paths, "--report", target).code == ExitCode.OUTPUT
        assert target.read_text() == "mine"
        assert run("settle", *paths, "--report", target, "--force").code == ExitCode.NEEDS_A_LOOK


def test_exit_zero(run: Run, tmp_path: Path) -> None:
    assert run("settle", *saved(tmp_path, ANNA, BEN), "--exit-zero").code == ExitCode.OK


def test_an_ended_game_without_disputes_needs_no_look(run: Run, tmp_path: Path) -> None:
    paths = saved(tmp_path, of(GOLDEN_116, 1, "Anna"), of(GOLDEN_28, 2, "Ben"))
    outcome = run("settle", *paths, "--lang", "en")
    assert outcome.code == ExitCode.OK
    assert outcome.text.startswith("Game K7M2QX\n  1.  Anna  116\n  2.  Ben    28\n")
    assert "Anna wins." in outcome.text
    assert "Anna  116 points" in run("settle", *paths, "--lang", "en", "-v").text
