"""Every error a user can meet: what is wrong, what to do next, and the exit code it maps to."""

import re
from collections.abc import Mapping
from enum import IntEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import ValidationError


class ExitCode(IntEnum):
    """The exit codes of the command line (contract, "Exit codes")."""

    OK = 0
    NEEDS_A_LOOK = 1
    USAGE = 2
    UNREADABLE_INPUT = 3
    NO_SHEET = 4
    OUTPUT = 5
    TEMPLATE = 6
    MISSING_EXTRA = 7
    BUG = 15
    INTERRUPTED = 130


def reason_of(error: Exception) -> str:
    """What the system says went wrong, without the path that it may repeat."""
    return getattr(error, "strerror", None) or str(error)


def first_fault(error: "ValidationError") -> str:
    """The first entry that a schema refuses, by its place (`rows.0.pattern`), and why."""
    first = error.errors()[0]
    place = ".".join(str(step) for step in first["loc"]) or "top level"
    return f"{place}: {fault_in_words(first)}"


def fault_in_words(fault: Mapping[str, Any]) -> str:
    """What is wrong with a value, in a user's words; `fault` is one of a pydantic error's `errors()`."""
    kind, context = fault["type"], fault.get("ctx", {})
    if kind == "value_error":
        return str(context["error"])
    if kind == "literal_error":
        return f"{fault['input']!r:.60} is not one of {context['expected']}"
    known = (words for start, words in _FAULTS.items() if kind.startswith(start))
    plain = re.sub(r"^\w+ should", "must", fault["msg"]).replace(" after validation", "")
    return next(known, plain)


_FAULTS = {
    "missing": "is missing",
    "extra_forbidden": "is not known here",
    "unexpected_keyword_argument": "is not known here",
    "int": "must be a whole number",
    "float": "must be a number",
    "string_type": "must be text",
    "dict_type": "must hold keys with values",
    "dataclass_type": "must hold keys with values",
    "model_type": "must hold keys with values",
    "tuple_type": "must be a list",
    "list_type": "must be a list",
}
"""By how the type of the fault begins."""


class SheetscanError(Exception):
    """Base of all expected failures; `message` names the input and the reason, `hint` what to do next."""

    exit_code = ExitCode.BUG

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(SheetscanError):
    """The command was given something that it can't act on."""

    exit_code = ExitCode.USAGE


class UnreadableInputError(SheetscanError):
    """A file is missing, damaged, or not of a kind that can be read."""

    exit_code = ExitCode.UNREADABLE_INPUT


class NoSheetError(SheetscanError):
    """The picture was read, but no sheet of ours, or none that can be trusted, was found in it."""

    exit_code = ExitCode.NO_SHEET


class UnknownTemplateError(NoSheetError):
    """No template has that name."""


class OutputError(SheetscanError):
    """A result can't be written, or would overwrite a file without `--force`."""

    exit_code = ExitCode.OUTPUT


class TemplateError(SheetscanError):
    """A template file or the configuration is invalid."""

    exit_code = ExitCode.TEMPLATE


class MissingExtraError(SheetscanError):
    """An optional part is not installed; the message names the extra."""

    exit_code = ExitCode.MISSING_EXTRA
