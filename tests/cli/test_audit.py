import dataclasses
import io
import json
from pathlib import Path
from typing import Any

import pytest

from sheetscan.errors import ExitCode
from sheetscan.result import Document, Failure, Sheet, document_from_json, number, to_json
from tests.cli.conftest import Run
from tests.report.results import GOLDEN_28, GOLDEN_43, doubtful, result

ANNA = result(GOLDEN_43)
BEN = result(GOLDEN_28, player="Ben", source="b.jpg", sheet_id="K7M2QX-2", sha256="b" * 64)


def saved(folder: Path, *sheets: Sheet) -> Path:
    path = folder / "game.json"
    failure = Failure("x.jpg", None, 3, "x.jpg: no picture", "none")
    path.write_text(to_json(Document(sheets=sheets, failures=(failure,))), encoding="utf-8")
    return path


def test_a_saved_result_is_audited_again_as_it_was(run: Run, tmp_path: Path) -> None:
    path = saved(tmp_path, ANNA, BEN)
    outcome = run("audit", path, "--json")
    assert outcome.code == ExitCode.OK
    assert document_from_json(outcome.text, "x") == document_from_json(path.read_text("utf-8"), "y")


def test_it_is_shown_like_a_scan(run: Run, tmp_path: Path) -> None:
    text = run("audit", saved(tmp_path, ANNA, BEN), "--lang", "en").text
    assert text.startswith("Anna  43 points  Qwinto · sheet K7M2QX-1 · IMG_1.jpg\n")
    assert "Ranking of game K7M2QX\n  1.  Anna  43\n  2.  Ben   28" in text


def test_one_sheet_of_a_document_is_a_result_too(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "sheet.json"
    path.write_text(to_json(ANNA), encoding="utf-8")
    document = document_from_json(run("audit", path, "--json").text, "x")
    assert document.sheets == (ANNA,)


def test_findings_and_scores_of_an_edited_result_are_not_believed(run: Run, tmp_path: Path) -> None:
    data: dict[str, Any] = json.loads(to_json(ANNA))
    data["fields"]["yellow-2"] |= {"value": 19}
    data["score"]["total"] = 99
    path = tmp_path / "edited.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    outcome = run("audit", path, "--json")
    (sheet,) = document_from_json(outcome.text, "x").sheets
    assert outcome.code == ExitCode.NEEDS_A_LOOK
    assert sheet.score.total == 35
    assert [finding.code for finding in sheet.findings] == ["value"]
    assert run("audit", path, "--exit-zero").code == ExitCode.OK


@pytest.mark.parametrize(("mark", "line_end"), [("\ufeff", "\n"), ("", "\r\n"), ("\ufeff", "\r\n")])
def test_marks_and_line_ends_of_windows_are_read(run: Run, tmp_path: Path, mark: str, line_end: str) -> None:
    path = tmp_path / "win.json"
    path.write_bytes((mark + to_json(ANNA).replace("\n", line_end)).encode())
    assert run("audit", path).code == ExitCode.OK


def test_stdin_is_read(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(to_json(ANNA).encode()))
    monkeypatch.setattr("sys.stdin", stream)
    assert run("audit", "-", "--json").code == ExitCode.OK


class TestSet:
    """`--set FIELD=VALUE`."""

    @pytest.mark.parametrize(
        ("value", "kind", "figure"),
        [
            ("19", "number", 19),
            ("0", "number", 0),
            ("-1", "number", -1),
            ("123", "number", 123),
            ("cross", "cross", None),
            ("empty", "empty", None),
            ("line", "line", None),
            ("void", "void", None),
        ],
    )
    def test_a_correction_is_pinned(
        self, run: Run, tmp_path: Path, value: str, kind: str, figure: int | None
    ) -> None:
        path = saved(tmp_path, ANNA)
        (sheet,) = document_from_json(
            run("audit", path, "--set", f"yellow-2={value}", "--json").text, "x"
        ).sheets
        reading = sheet.fields["yellow-2"]
        assert (reading.kind, reading.value, reading.why) == (kind, figure, "user")
        assert reading.raw == number(2)

    def test_it_moves_no_other_field_and_recomputes_the_rest(self, run: Run, tmp_path: Path) -> None:
        path = saved(tmp_path, ANNA)
        arguments = ["--set", "yellow-2=cross", "--set", "misthrow-2=empty"]
        (sheet,) = document_from_json(run("audit", path, *arguments, "--json").text, "x").sheets
        changed = {name for name in sheet.fields if sheet.fields[name] != ANNA.fields[name]}
        assert changed == {"yellow-2", "misthrow-2"}
        assert sheet.score.total == 35 + 5

    def test_the_file_itself_stays_as_it_is(self, run: Run, tmp_path: Path) -> None:
        path = saved(tmp_path, ANNA)
        before = path.read_bytes()
        run("audit", path, "--set", "yellow-2=1")
        assert path.read_bytes() == before

    def test_a_doubt_is_settled_by_it(self, run: Run, tmp_path: Path) -> None:
        path = saved(tmp_path, result(GOLDEN_43, {"yellow-9": doubtful(number(12), 0.7, (number(13), 0.29))}))
        assert run("audit", path).code == ExitCode.NEEDS_A_LOOK
        assert run("audit", path, "--set", "yellow-9=12").code == ExitCode.OK

    @pytest.mark.parametrize(
        "value", ["７", "1 2", "", " 7", "+7", "07", "-0", "1.0", "1e2", "1000", "Cross", "unreadable", "x"]
    )
    def test_other_values_are_refused_with_what_is_allowed(
        self, run: Run, tmp_path: Path, value: str
    ) -> None:
        outcome = run("audit", saved(tmp_path, ANNA), "--set", f"yellow-2={value}")
        assert outcome.code == ExitCode.USAGE
        assert outcome.out == b""
        assert "a whole number of up to three digits, cross, empty, line or void" in outcome.err

    def test_a_mark_takes_no_number(self, run: Run, tmp_path: Path) -> None:
        outcome = run("audit", saved(tmp_path, ANNA), "--set", "misthrow-1=1")
        assert outcome.code == ExitCode.USAGE
        assert "cross, empty, line, void" in outcome.err

    @pytest.mark.parametrize(
        ("field", "hint"),
        [
            ("yelow-2", "do you mean yellow-2"),
            ("YELLOW-2", "templates show qwinto"),
            ("name", "templates show qwinto"),
        ],
    )
    def test_an_unknown_field_is_refused_with_near_names(
        self, run: Run, tmp_path: Path, field: str, hint: str
    ) -> None:
        outcome = run("audit", saved(tmp_path, ANNA), "--set", f"{field}=3")
        assert outcome.code == ExitCode.USAGE
        assert f"{field!r}" in outcome.err
        assert hint in outcome.err

    @pytest.mark.parametrize("change", ["yellow-2", "=3", ""])
    def test_what_is_no_assignment_is_refused(self, run: Run, tmp_path: Path, change: str) -> None:
        assert run("audit", saved(tmp_path, ANNA), "--set", change).code == ExitCode.USAGE

    def test_two_values_for_one_field_are_refused(self, run: Run, tmp_path: Path) -> None:
        path = saved(tmp_path, ANNA)
        arguments = ["--set", "yellow-2=1", "--set"]
        assert run("audit", path, *arguments, "yellow-2=2").code == ExitCode.USAGE
        assert run("audit", path, *arguments, "yellow-2=1").code == ExitCode.OK

    def test_of_several_sheets_one_has_to_be_named(self, run: Run, tmp_path: Path) -> None:
        path = saved(tmp_path, ANNA, BEN)
        outcome = run("audit", path, "--set", "orange-3=1")
        assert outcome.code == ExitCode.USAGE
        assert "--sheet N" in outcome.err
        assert "1 Anna, 2 Ben" in outcome.err
        judged = run("audit", path, "--set", "orange-3=1", "--sheet", "2", "--json")
        first, second = document_from_json(judged.text, "x").sheets
        assert first == ANNA
        assert second.fields["orange-3"].value == 1
        assert run("audit", path, "--set", "orange-3=1", "--sheet", "3").code == ExitCode.USAGE


class TestBadResults:
    """Files that are no results."""

    @pytest.mark.parametrize(
        "data",
        [
            b"",
            b"\xff\xfe",
            b"[]",
            b"{}",
            b'{"schema": "sheetscan/9"}',
            b"not json",
            b"[" * 100_000,
            b'{"schema": "sheetscan/1", "sheets": ' + b"[" * 600 + b"]" * 600 + b"}",
            b'{"schema": "sheetscan/1", "sheets": [' + b"9" * 5000 + b"]}",
            b'{"schema": "sheetscan/1", "sheets": [{}]}',
        ],
    )
    def test_they_are_3(self, run: Run, tmp_path: Path, data: bytes) -> None:
        path = tmp_path / "bad.json"
        path.write_bytes(data)
        outcome = run("audit", path)
        assert outcome.code == ExitCode.UNREADABLE_INPUT
        assert outcome.err.startswith(f"Error: {path}: ")
        assert "  → " in outcome.err

    @pytest.mark.parametrize("command", ["audit", "review"])
    @pytest.mark.parametrize("data", [b"\xff\xd8\xff\xe0", b"\0\0\0\x18ftypheic", b"%PDF-1.7\n"])
    def test_a_picture_is_to_be_scanned_first(
        self, run: Run, tmp_path: Path, command: str, data: bytes
    ) -> None:
        path = tmp_path / "anna.jpg"
        path.write_bytes(data)
        outcome = run(command, path)
        assert outcome.code == ExitCode.UNREADABLE_INPUT
        assert outcome.err.startswith(f"Error: {path}: a picture, not a result\n")
        assert f"scan it first: `sheetscan scan --json {path} > result.json`" in outcome.err

    @pytest.mark.parametrize(
        ("change", "told"),
        [
            ({"page": "one"}, "page: must be a whole number"),
            ({"fields": []}, "fields: must hold keys with values"),
            ({"status": "fine"}, "status: 'fine' is not one of 'ok' or 'review'"),
            ({"review": 3}, "review: must be a list"),
            ({"colour": 1}, "colour: is not known here"),
        ],
    )
    def test_faults_are_told_in_plain_words(
        self, run: Run, tmp_path: Path, change: dict[str, Any], told: str
    ) -> None:
        path = tmp_path / "bad.json"
        path.write_text(json.dumps(json.loads(to_json(ANNA)) | change), encoding="utf-8")
        outcome = run("audit", path)
        assert outcome.code == ExitCode.UNREADABLE_INPUT
        assert told in outcome.err

    def test_a_number_without_end_is_told_in_plain_words(self, run: Run, tmp_path: Path) -> None:
        path = tmp_path / "bad.json"
        path.write_text(f'{{"page": {"9" * 5000}}}')
        assert f"{path}: holds a number of thousands of digits\n" in run("audit", path).err

    @pytest.mark.parametrize("name", ["missing.json", "."])
    def test_missing_files_and_folders_are_3(self, run: Run, tmp_path: Path, name: str) -> None:
        assert run("audit", tmp_path / name).code == ExitCode.UNREADABLE_INPUT

    def test_a_document_without_sheets_is_4(self, run: Run, tmp_path: Path) -> None:
        assert run("audit", saved(tmp_path)).code == ExitCode.NO_SHEET

    def test_an_unknown_template_is_4(self, run: Run, tmp_path: Path) -> None:
        path = saved(tmp_path, dataclasses.replace(ANNA, template="nope"))
        outcome = run("audit", path)
        assert outcome.code == ExitCode.NO_SHEET
        assert outcome.err.startswith(f"Error: {path}: sheet 1: there is no template named 'nope'")

    @pytest.mark.parametrize(
        ("missing", "told"),
        [
            (["yellow-2"], "empty: yellow-2\n"),
            (["misthrow-1", "orange-3"], "empty: orange-3, misthrow-1\n"),
            (list(ANNA.fields), f" and {len(ANNA.fields) - 8} more\n"),
        ],
        ids=["one", "two", "all"],
    )
    @pytest.mark.parametrize("command", ["audit", "settle", "review"])
    def test_a_field_that_is_missing_is_not_silently_taken_as_empty(
        self, run: Run, tmp_path: Path, command: str, missing: list[str], told: str
    ) -> None:
        fields = {name: reading for name, reading in ANNA.fields.items() if name not in missing}
        path = saved(tmp_path, BEN, dataclasses.replace(ANNA, fields=fields))
        outcome = run(command, path)
        assert outcome.code != ExitCode.BUG
        assert f"{path}: sheet 2 lacks fields, taken as empty: " in outcome.err
        assert told in outcome.err

    @pytest.mark.parametrize(
        ("field", "change", "reason"),
        [
            ("orang-3", {}, "no such field"),
            ("yellow-2", {"kind": "number", "value": None}, "does not go with"),
            ("yellow-2", {"kind": "empty", "value": 3}, "does not go with"),
            ("yellow-2", {"confidence": 1.5}, "no probability"),
            ("yellow-2", {"confidence": float("nan")}, "no probability"),
            ("yellow-2", {"raw": {"kind": "cross", "value": 1}}, "does not go with"),
            ("yellow-2", {"alternatives": [{"kind": "number", "value": 1, "probability": -1}]}, "no probab"),
        ],
    )
    def test_what_no_scan_says_is_3_with_the_place(
        self, run: Run, tmp_path: Path, field: str, change: dict[str, object], reason: str
    ) -> None:
        data = json.loads(to_json(ANNA))
        data["fields"][field] = data["fields"].get(field, data["fields"]["orange-3"]) | change
        path = tmp_path / "bad.json"
        path.write_text(json.dumps(data), encoding="utf-8")
        outcome = run("audit", path)
        assert outcome.code == ExitCode.UNREADABLE_INPUT
        assert f"sheet 1: fields.{field}: " in outcome.err
        assert reason in outcome.err
