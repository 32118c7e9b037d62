"""The README shows what the program says."""

from pathlib import Path

import pytest

from sheetscan.errors import ExitCode
from tests.cli.conftest import Run

ROOT = Path(__file__).resolve().parents[2]
SHOWN = "sheetscan scan samples/ben.jpg"


def test_the_output_in_the_readme_is_the_real_one(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    readme = Path("README.md").read_text(encoding="utf-8")
    shown = readme.partition(f"(`{SHOWN}`):\n\n```\n")[2].partition("\n```")[0]
    outcome = run(*SHOWN.split()[1:])
    assert outcome.text.rstrip().splitlines() == shown.splitlines()
    assert outcome.code == ExitCode.NEEDS_A_LOOK
