"""The standard streams: data on stdout, everything else on stderr, and how much of it is wanted."""

import codecs
import logging
import os
import sys
import traceback
import unicodedata
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sheetscan.errors import OutputError, SheetscanError

if TYPE_CHECKING:
    from sheetscan.result import Failure


class PipeClosedError(Exception):
    """Whoever read our stdout has gone away (`sheetscan … | head -1`); there is nothing to tell them."""


@dataclass(slots=True)
class _Wanted:
    quiet: bool = False
    verbosity: int = 0


_wanted = _Wanted()

_PLAIN = {
    "−": "-",
    "→": "->",
    "✗": "x",
    "·": "-",
    "…": "...",
    "–": "-",
    "•": "*",
    "▒": "%",
    "█": "#",
    "’": "'",
    "\xa0": " ",
    "\u202f": " ",
    "×": "x",
    "⬠": "<>",
}
"""What a terminal without Unicode shows instead."""

_CONTROLS = {code: "�" for code in (*range(32), *range(127, 160)) if code != ord("\n")}
"""File names may hold what would steer the terminal."""


def set_up(quiet: bool, verbosity: int) -> None:
    """Take over `-q` and `-v`; from `-v` on the parts' log messages go to stderr."""
    _wanted.quiet, _wanted.verbosity = quiet, verbosity
    if verbosity:
        level = logging.DEBUG if verbosity > 1 else logging.INFO
        logging.basicConfig(stream=sys.stderr, format="%(name)s: %(message)s", force=True)
        logging.getLogger("sheetscan").setLevel(level)


def verbosity() -> int:
    """How many `-v` were given."""
    return _wanted.verbosity


def quiet() -> bool:
    """Whether only data and errors are wanted."""
    return _wanted.quiet


def note(text: str) -> None:
    """Tell what was done, on stderr; silent under `-q`."""
    if not _wanted.quiet:
        _say(text)


def tell(text: str) -> None:
    """Say something that was asked for, on stderr; not even `-q` silences it."""
    _say(text)


def prompt(text: str) -> None:
    """Ask for a line: where one is typed by a person, that is."""
    if sys.stdin.isatty():
        _put(_encode(text, sys.stderr.encoding))


def show_codes(codes: bytes) -> None:
    """Send control sequences of our own making to the terminal."""
    _put(codes)


def complain(error: SheetscanError) -> None:
    """Tell what is wrong and what to do next, on stderr; the traceback too under `-vv`."""
    show_traceback()
    complain_of(error.message, error.hint)


def complain_of_failure(failure: "Failure") -> None:
    """Tell which input, or page of one, gave no sheet, why, and what to do next, on stderr."""
    place = failure.source if failure.page is None else f"{failure.source}, page {failure.page}"
    named = failure.message.startswith(failure.source)
    complain_of(failure.message if named else f"{place}: {failure.message}", failure.hint)


def complain_of(message: str, hint: str) -> None:
    """Tell what is wrong and what to do next, on stderr."""
    _say(f"Error: {message}")
    if hint:
        _say(f"  → {hint}")


def as_bug(error: Exception) -> SheetscanError:
    """The words for an error that nobody foresaw."""
    return SheetscanError(f"this is a bug in sheetscan ({type(error).__name__}: {error})", _REPORT_IT)


_REPORT_IT = (
    "please report it to the project with the command and, if you may share it, the photo; "
    "-vv shows the traceback to add"
)


def show_traceback() -> None:
    """Under `-vv` print the traceback of the exception that is being handled."""
    if _wanted.verbosity > 1 and sys.exc_info()[1] is not None:
        traceback.print_exc(file=sys.stderr)


def _say(text: str) -> None:
    with suppress(AttributeError):  # Stderr may be closed, then it is None.
        _put(_encode(text.translate(_CONTROLS) + "\n", sys.stderr.encoding))


def _put(data: bytes) -> None:
    with suppress(OSError, AttributeError):
        sys.stderr.buffer.write(data)
        sys.stderr.flush()


def emit_text(text: str) -> None:
    """Write words for people to stdout, in the terminal's encoding; signs that it lacks are replaced."""
    emit(_encode(text, sys.stdout.encoding))


def emit_data(text: str) -> None:
    """Write data for programs to stdout, always in UTF-8."""
    emit(data_bytes(text))


def data_bytes(text: str) -> bytes:
    """Data in UTF-8; the undecodable bytes of a file name become escapes that JSON understands."""
    return text.encode("utf-8", "backslashreplace")


def emit(data: bytes) -> None:
    """Write to stdout at once; raises PipeClosedError, or OutputError when the device is full."""
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError as error:
        _abandon_stdout()
        raise PipeClosedError from error
    except OSError as error:
        _abandon_stdout()
        raise OutputError(f"stdout: can't be written ({error.strerror})", "free some space") from error


def _abandon_stdout() -> None:
    """Keep the interpreter from failing once more when it flushes stdout on its way out."""
    with suppress(OSError, ValueError):
        devnull = os.open(os.devnull, os.O_WRONLY)
        os.dup2(devnull, sys.stdout.fileno())
        os.close(devnull)


def _encode(text: str, encoding: str | None) -> bytes:
    return text.encode(encoding or "utf-8", "sheetscan-nearest")


def _nearest(error: UnicodeError) -> tuple[str, int]:
    """The nearest that the terminal can show: an agreed sign, the letter without its accents, or a ?."""
    assert isinstance(error, UnicodeEncodeError)
    lost = error.object[error.start : error.end]
    near = (_PLAIN.get(sign) or _without_accents(sign) or "?" for sign in lost)
    return "".join(near), error.end


def _without_accents(letter: str) -> str:
    return unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode("ascii")


codecs.register_error("sheetscan-nearest", _nearest)
