"""Every error maps to its exit code of the contract and carries what to do next."""

import pytest

from sheetscan import errors
from sheetscan.errors import ExitCode, SheetscanError


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.SheetscanError, 15),
        (errors.UsageError, 2),
        (errors.UnreadableInputError, 3),
        (errors.NoSheetError, 4),
        (errors.UnknownTemplateError, 4),
        (errors.OutputError, 5),
        (errors.TemplateError, 6),
        (errors.MissingExtraError, 7),
    ],
)
def test_errors_have_the_exit_code_of_the_contract(error: type[SheetscanError], code: int) -> None:
    failure = error("photo.jpg: can't be read", "check the file")
    assert failure.exit_code == code
    assert str(failure) == failure.message == "photo.jpg: can't be read"
    assert failure.hint == "check the file"


def test_hint_may_be_left_out() -> None:
    assert SheetscanError("broken").hint == ""


def test_all_errors_are_listed_above() -> None:
    kinds = {
        kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, SheetscanError)
    }
    assert len(kinds) == 8


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (FileNotFoundError(2, "No such file or directory", "photo.jpg"), "No such file or directory"),
        (OSError("odd"), "odd"),
        (ValueError("embedded null byte"), "embedded null byte"),
    ],
)
def test_the_reason_of_an_error_of_the_system(error: Exception, reason: str) -> None:
    assert errors.reason_of(error) == reason


def test_exit_codes_without_an_error() -> None:
    assert (ExitCode.OK, ExitCode.NEEDS_A_LOOK, ExitCode.INTERRUPTED) == (0, 1, 130)
