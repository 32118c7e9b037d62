import json
from pathlib import Path

import pytest

from sheetscan.errors import ExitCode
from sheetscan.result import document_from_json, number
from tests.cli.conftest import KnownReader, Run
from tests.report.results import GOLDEN_43

pytestmark = pytest.mark.usefixtures("reader")


def test_a_game_is_printed_photographed_scanned_and_settled(
    run: Run, tmp_path: Path, reader: KnownReader
) -> None:
    folder = tmp_path / "demo"
    outcome = run("demo", "-o", folder, "--lang", "en")
    assert outcome.text.count("  43 points  Qwinto") == 3
    assert "Ranking of game " not in outcome.text
    assert "Anna, Ben and Zoë share the win." in outcome.text
    # Nobody has ended this game.
    assert outcome.code == ExitCode.NEEDS_A_LOOK
    assert {path.name for path in folder.iterdir()} >= {
        "sheets.pdf",
        *(f"photo-{place}.jpg" for place in (1, 2, 3)),
        *(f"photo-{place}.overlay.jpg" for place in (1, 2, 3)),
        "result.json",
        "game.pdf",
    }
    assert (folder / "game.pdf").read_bytes().count(b"/DCTDecode") == 3
    document = document_from_json((folder / "result.json").read_text("utf-8"), "x")
    assert [sheet.player for sheet in document.sheets] == ["Anna", "Ben", "Zoë"]
    assert run("demo", "-o", folder).code == ExitCode.OUTPUT

    reader.contents = GOLDEN_43 | {"yellow-2": number(19)}
    again = run("demo", "-o", folder, "--force", "--json", "-q")
    assert (again.code, again.err) == (ExitCode.NEEDS_A_LOOK, "")
    game = json.loads(again.text)
    assert (len(game["sheets"]), game["winner"]["possible"]) == (3, [[1, 2, 3]])


def test_without_a_folder_nothing_is_left(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    outcome = run("demo", "--exit-zero")
    assert outcome.code == ExitCode.OK
    assert outcome.text.count("43") >= 3
    assert list(tmp_path.iterdir()) == []
