import json
from pathlib import Path

import pytest

from sheetscan.errors import ExitCode
from tests.cli.conftest import TEMPLATE, Run

QWINTO = Path(__file__).parents[2] / "templates" / "qwinto.toml"


def test_the_list_names_the_templates(run: Run) -> None:
    outcome = run("templates", "list")
    assert outcome.code == ExitCode.OK
    assert outcome.text.startswith("qwinto")
    entries = json.loads(run("templates", "list", "--json").text)["templates"]
    assert {"id": "qwinto", "version": TEMPLATE.version, "title": "Qwinto"} in entries


def test_the_json_of_a_template_is_the_contracts(run: Run) -> None:
    shown = json.loads(run("templates", "show", "qwinto", "--json").text)
    assert (shown["id"], shown["page_mm"]) == ("qwinto", [210, 148])
    orange = next(field for field in shown["fields"] if field["id"] == "orange-3")
    assert orange["kind"] == "number"
    assert len(orange["box_mm"]) == 4


def test_the_fields_are_shown_for_people_too(run: Run) -> None:
    lines = run("templates", "show", "qwinto").text.splitlines()
    assert len(lines) == 3 + len(TEMPLATE.fields)
    assert any(line.startswith("misthrow-1 ") and " mark " in line for line in lines)


def test_an_unknown_template_is_4(run: Run) -> None:
    assert run("templates", "show", "nope").code == ExitCode.NO_SHEET


def test_a_valid_file_is_told_so(run: Run) -> None:
    outcome = run("templates", "check", QWINTO)
    assert (outcome.code, outcome.out) == (ExitCode.OK, b"")
    assert "valid" in outcome.err


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("page_mm = [210, 148]", "page_mm = [100, 148]"), "off the page"),
        (('kind = "mark"', 'kind = "smudge"'), "kind"),
        (("[markers]", "[markers"), "not a TOML file"),
        (('id = "misthrow-2"', 'id = "misthrow-1"'), "two fields are named misthrow-1"),
        (('game = "qwinto"', 'game = "chess"'), "there are no rules for a game named 'chess'"),
        (('game = "qwinto"', 'game = "qwixx"'), "the rows of a Qwixx sheet are red, yellow, green, blue"),
    ],
)
def test_an_invalid_file_is_6_with_the_reason(
    run: Run, tmp_path: Path, change: tuple[str, str], reason: str
) -> None:
    path = tmp_path / "mine.toml"
    text = QWINTO.read_text(encoding="utf-8")
    assert change[0] in text
    path.write_text(text.replace(*change), encoding="utf-8")
    outcome = run("templates", "check", path)
    assert outcome.code == ExitCode.TEMPLATE
    assert outcome.err.startswith(f"Error: {path}: ")
    assert reason in outcome.err


@pytest.mark.parametrize("data", [b"", b"a = 1\n"])
def test_foreign_files_are_6(run: Run, tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(data)
    assert run("templates", "check", path).code == ExitCode.TEMPLATE


@pytest.mark.parametrize("name", ["missing.toml", ".", "photo.jpg"])
def test_what_can_not_be_read_is_3(run: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / "photo.jpg").write_bytes(b"\xff\xd8\xff\xe0")
    outcome = run("templates", "check", tmp_path / name)
    assert outcome.code == ExitCode.UNREADABLE_INPUT
    assert outcome.err.startswith(f"Error: {tmp_path / name}: ")
    assert "codec" not in outcome.err


def test_a_dash_checks_stdin(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with QWINTO.open(encoding="utf-8") as stream:
        monkeypatch.setattr("sys.stdin", stream)
        assert run("templates", "check", "-").code == ExitCode.OK
