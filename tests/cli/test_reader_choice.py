"""What the command line says when the default reader is not all that it could be."""

from pathlib import Path

import pytest

from sheetscan.errors import ExitCode
from sheetscan.reading import second
from tests.cli.conftest import Run
from tests.cli.test_scan import copies

ALONE = "The network reads alone, and doubts more: the second reader needs the package no-such-package"


@pytest.fixture(autouse=True)
def without_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second, "PACKAGE", "no-such-package")


def test_that_the_network_is_alone_is_said_once(run: Run, photo: Path) -> None:
    outcome = run("scan", photo, *copies(photo, "b.png"))
    assert outcome.code == ExitCode.OK
    assert outcome.err.count(ALONE) == 1


@pytest.mark.parametrize("option", ["-q", "--reader=network"])
def test_it_is_not_said_to_who_knows_or_wants_silence(run: Run, photo: Path, option: str) -> None:
    outcome = run("scan", photo, option)
    assert outcome.code == ExitCode.OK
    assert "alone" not in outcome.err


def test_both_readers_are_refused_with_advice_where_they_are_asked_for(run: Run, photo: Path) -> None:
    outcome = run("scan", photo, "--reader", "combined")
    assert outcome.code == ExitCode.MISSING_EXTRA
    assert "no-such-package" in outcome.err
    assert "pip install" in outcome.err
