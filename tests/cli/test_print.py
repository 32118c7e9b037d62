import os
from pathlib import Path

import pypdfium2
import pytest

from sheetscan.errors import ExitCode
from tests.cli.conftest import Run


@pytest.fixture(autouse=True)
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def pages(data: bytes) -> list[str]:
    return [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(data)]


def test_the_default_name_tells_sheet_and_game_and_is_said(run: Run, tmp_path: Path) -> None:
    outcome = run("print", "qwinto")
    (path,) = tmp_path.iterdir()
    assert outcome.code == ExitCode.OK
    assert outcome.out == b""
    game = path.stem.removeprefix("qwinto-")
    assert outcome.err == f"{path.name}: 1 sheet of Qwinto for game {game} on a4\n"
    assert game in pages(path.read_bytes())[0]


def test_two_games_do_not_collide(run: Run, tmp_path: Path) -> None:
    assert [run("print", "qwinto").code for _ in range(3)] == [0, 0, 0]
    assert len(list(tmp_path.iterdir())) == 3


def test_players_get_a_sheet_each(run: Run, tmp_path: Path) -> None:
    outcome = run("print", "qwinto", "--players", "Anna, Zoë Müller,", "--paper", "a5", "-o", "x.pdf")
    first, second = pages(Path("x.pdf").read_bytes())
    assert "Anna" in first
    assert "Zoë Müller" in second
    assert "x.pdf: 2 sheets" in outcome.err


def test_copies_are_sheets_and_times_players(run: Run) -> None:
    run("print", "qwinto", "--copies", "3", "-o", "a.pdf")
    assert len(pages(Path("a.pdf").read_bytes())) == 2
    assert "4 sheets" in run("print", "qwinto", "--copies", "2", "--players", "A,B", "-o", "b.pdf").err


def test_the_language_is_the_one_asked_for(run: Run) -> None:
    run("print", "qwinto", "--lang", "de", "-o", "x.pdf")
    assert "Fehlwürfe" in pages(Path("x.pdf").read_bytes())[0]


@pytest.mark.parametrize("ink", ["colour", "light", "black"])
def test_a_dash_is_stdout_and_notes_stay_out_of_it(run: Run, ink: str, tmp_path: Path) -> None:
    outcome = run("print", "qwinto", "-o", "-", "--ink", ink)
    assert outcome.out.startswith(b"%PDF-")
    assert len(pages(outcome.out)) == 1
    assert outcome.err.startswith("stdout: 1 sheet")
    assert list(tmp_path.iterdir()) == []


def test_quiet_says_nothing(run: Run) -> None:
    outcome = run("print", "qwinto", "-q", "-o", "x.pdf")
    assert (outcome.out, outcome.err) == (b"", "")


def test_a_file_that_exists_is_kept_unless_forced(run: Run) -> None:
    Path("x.pdf").write_text("mine")
    outcome = run("print", "qwinto", "-o", "x.pdf")
    assert outcome.code == ExitCode.OUTPUT
    assert "x.pdf: exists already" in outcome.err
    assert "--force" in outcome.err
    assert Path("x.pdf").read_text() == "mine"
    assert run("print", "qwinto", "-o", "x.pdf", "--force").code == ExitCode.OK
    assert Path("x.pdf").read_bytes().startswith(b"%PDF-")


def test_a_dangling_link_counts_as_existing(run: Run) -> None:
    Path("x.pdf").symlink_to("nowhere.pdf")
    assert run("print", "qwinto", "-o", "x.pdf").code == ExitCode.OUTPUT


@pytest.mark.parametrize("target", ["missing/x.pdf", ".", "file.txt/x.pdf", "x" * 300])
def test_a_place_that_takes_no_file_is_5(run: Run, target: str) -> None:
    Path("file.txt").write_text("")
    outcome = run("print", "qwinto", "-o", target)
    assert outcome.code == ExitCode.OUTPUT
    assert outcome.err.startswith(f"Error: {Path(target)}: ")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_5(run: Run) -> None:
    outcome = run("print", "qwinto", "-o", "/dev/full")
    assert outcome.code == ExitCode.OUTPUT
    assert "/dev/full: can't be written" in outcome.err


def test_a_device_is_written_to_and_not_replaced(run: Run) -> None:
    assert run("print", "qwinto", "-o", os.devnull, "--force").code == ExitCode.OK
    assert not Path(os.devnull).is_file()


def test_no_draft_is_left_behind_when_writing_fails(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    outcome = run("print", "qwinto", "-o", "x.pdf")
    assert outcome.code == ExitCode.OUTPUT
    assert "No space left" in outcome.err
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_template_is_4_and_lists_those_there_are(run: Run) -> None:
    outcome = run("print", "qwintx")
    assert outcome.code == ExitCode.NO_SHEET
    assert "'qwintx'" in outcome.err
    assert "qwinto" in outcome.err


def test_paths_may_hold_any_letters(run: Run) -> None:
    assert run("print", "qwinto", "-o", "Zoë 東京.pdf").code == ExitCode.OK
    assert Path("Zoë 東京.pdf").exists()


def test_a_terminal_gets_no_pdf(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    outcome = run("print", "qwinto", "-o", "-")
    assert outcome.code == ExitCode.USAGE
    assert outcome.out == b""
