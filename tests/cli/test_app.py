import io
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from sheetscan.__main__ import main as start
from sheetscan.cli import app, terminal
from sheetscan.errors import (
    ExitCode,
    MissingExtraError,
    NoSheetError,
    OutputError,
    SheetscanError,
    TemplateError,
    UnreadableInputError,
    UsageError,
)
from sheetscan.result import to_json
from tests.cli.conftest import Run
from tests.report.results import GOLDEN_43, result

COMMANDS = (
    [],
    ["print"],
    ["scan"],
    ["audit"],
    ["demo"],
    ["templates"],
    ["templates", "list"],
    ["templates", "show"],
    ["templates", "check"],
)
HEAVY = ("cv2", "numpy", "pydantic", "reportlab", "PIL", "zxingcpp", "pypdfium2")


def started(*arguments: str | Path, **variables: str) -> subprocess.CompletedProcess[bytes]:
    """The program in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "sheetscan.cli.app", *map(str, arguments)],
        capture_output=True,
        env=os.environ | variables,
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_every_command_explains_itself_with_an_example(run: Run, command: list[str], flag: str) -> None:
    outcome = run(*command, flag)
    assert outcome.code == ExitCode.OK
    assert "Example:" in outcome.text
    assert f"sheetscan {' '.join(command)}".strip() in outcome.text.split("Example:")[1]
    assert outcome.err == ""


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_loads_nothing_heavy(command: list[str]) -> None:
    script = (
        "import sys; from sheetscan.cli.app import main; "
        f"code = main({[*command, '--help']!r}); "
        f"loaded = [name for name in {HEAVY!r} if name in sys.modules]; "
        "sys.exit(f'loaded: {loaded}' if loaded else code)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--paper", "a3"], "Error: Invalid value for '--paper': 'a3' is not one of 'a4', 'a5', 'letter'"),
        (["--copies", "many"], "Error: Invalid value for '--copies': must be a whole number"),
        (["--copies", "0"], "Error: Invalid value for '--copies': must be "),
    ],
    ids=lambda value: "",
)
def test_wrong_values_are_told_in_plain_words(run: Run, arguments: list[str], told: str) -> None:
    assert told in run("print", "qwinto", *arguments).err


def test_an_interruption_of_the_start_is_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Interrupted(ModuleType):
        def __getattr__(self, name: str) -> None:
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "sheetscan.cli.app", Interrupted("app"))
    assert start() == ExitCode.INTERRUPTED
    assert capsys.readouterr().err == "Interrupted.\n"


def test_the_version_is_told(run: Run) -> None:
    outcome = run("--version")
    assert outcome.code == ExitCode.OK
    assert outcome.text.startswith("sheetscan 0.")


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["scan"],
        ["scan", "--format", "xml", "a.jpg"],
        ["scan", "--lang", "es", "a.jpg"],
        ["scan", "--reader", "psychic", "a.jpg"],
        ["scan", "--json", "-f", "csv", "a.jpg"],
        ["scan", ""],
        ["print"],
        ["print", "qwinto", "--paper", "a3"],
        ["print", "qwinto", "--copies", "0"],
        ["print", "qwinto", "--copies", "many"],
        ["print", "qwinto", "--players", " , "],
        ["print", "qwinto", "--players", "Anna\nBen"],
        ["audit"],
        ["audit", "x.json", "--sheet", "0"],
        ["templates", "show"],
        ["settle"],
        ["settle", "--json", "-f", "csv", "a.jpg"],
        ["review"],
        ["review", "-"],
        ["settle", "a.jpg", "--report", "-"],
        ["scan", "a.jpg", "--overlay", "-"],
        ["review", "a.json", "--pictures", "-"],
        ["demo", "-o", "-"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_2_and_says_why_on_stderr(run: Run, arguments: list[str]) -> None:
    outcome = run(*arguments)
    assert outcome.code == ExitCode.USAGE
    assert outcome.out == b""
    assert "Error: " in outcome.err
    assert not Path("-").exists()


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UsageError("bad", "do this"), 2),
        (UnreadableInputError("bad", "do this"), 3),
        (NoSheetError("bad", "do this"), 4),
        (OutputError("bad", "do this"), 5),
        (TemplateError("bad", "do this"), 6),
        (MissingExtraError("bad", "do this"), 7),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, SheetscanError) else str(value),
)
def test_every_error_gives_its_code_message_and_hint(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: SheetscanError, code: int
) -> None:
    def fail(**_: object) -> None:
        raise error

    monkeypatch.setattr(app, "app", fail)
    outcome = run("templates", "list")
    assert (outcome.code, outcome.out) == (code, b"")
    assert outcome.err == "Error: bad\n  → do this\n"


def test_a_bug_says_how_to_report_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("sheetscan.template.template_names", fail)
    outcome = run("templates", "list")
    assert outcome.code == ExitCode.BUG
    assert "this is a bug in sheetscan (ZeroDivisionError: division by zero)" in outcome.err
    assert "report it" in outcome.err


def test_tracebacks_are_shown_when_asked_for(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("sheetscan.template.template_names", fail)
    assert "Traceback" in run("templates", "list", "-vv").err
    assert "Traceback" not in run("templates", "list", "-v").err


def test_interrupting_is_130(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sheetscan.template.template_names", interrupt)
    assert run("templates", "list").code == ExitCode.INTERRUPTED


def test_a_reader_that_goes_away_is_no_traceback() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "sheetscan.cli.app", "templates", "show", "qwinto"],
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
        timeout=60,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (ExitCode.OUTPUT, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["scan", "--help"],
        ["templates", "list", "-h"],
        ["templates", "list"],
        ["audit", "RESULT"],
        ["settle", "RESULT"],
    ],
    ids=" ".join,
)
def test_a_full_disk_behind_stdout_is_no_success(tmp_path: Path, arguments: list[str]) -> None:
    path = tmp_path / "game.json"
    path.write_text(to_json(result(GOLDEN_43)))
    named = [str(path) if argument == "RESULT" else argument for argument in arguments]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "sheetscan.cli.app", *named],
            stdout=full,
            stderr=subprocess.PIPE,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
            check=False,
            timeout=60,
        )
    assert done.returncode == ExitCode.OUTPUT
    assert done.stderr.startswith(b"Error: stdout: can't be written")
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("variables", [{"LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C.UTF-8"}])
def test_words_come_through_in_any_locale(variables: dict[str, str]) -> None:
    done = started("templates", "list", **variables)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"qwinto" in done.stdout
    helped = started("print", "--help", **variables)
    assert (helped.returncode, helped.stderr) == (0, b"")
    assert b"--players" in helped.stdout


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [
        ("ascii", b"Zoe Muller -> x -5 % # ??"),
        ("latin-1", b"Zo\xeb M\xfcller -> x -5 % # ??"),
        ("utf-8", "Zoë Müller → ✗ −5 ▒ █ 東京".encode()),
    ],
)
def test_signs_that_a_terminal_lacks_are_replaced(
    monkeypatch: pytest.MonkeyPatch, encoding: str, shown: bytes
) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr("sys.stdout", stream)
    terminal.emit_text("Zoë Müller → ✗ −5 ▒ █ 東京")
    assert stream.buffer.getvalue() == shown  # type: ignore[attr-defined]


def test_messages_cannot_steer_the_terminal(run: Run) -> None:
    outcome = run("templates", "check", "evil\x1b[2J.toml")
    assert outcome.code == ExitCode.UNREADABLE_INPUT
    assert "\x1b" not in outcome.err


def test_quiet_keeps_errors(run: Run) -> None:
    assert run("templates", "check", "-q", "missing.toml").err.startswith("Error: missing.toml")


def test_verbose_lets_the_parts_talk(capsys: pytest.CaptureFixture[str]) -> None:
    import logging

    terminal.set_up(quiet=False, verbosity=1)
    logging.getLogger("sheetscan.imaging").info("seen")
    logging.getLogger("sheetscan.imaging").debug("unseen")
    terminal.set_up(quiet=False, verbosity=0)
    assert capsys.readouterr().err == "sheetscan.imaging: seen\n"
