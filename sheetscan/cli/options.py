"""The options that several commands share."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from sheetscan.errors import UsageError
from sheetscan.language import locale_language
from sheetscan.reading.choice import ReaderName

Language = Literal["en", "de", "nl", "fr"]

Lang = Annotated[
    Language | None,
    typer.Option("--lang", help="Language of the words.", show_default="the locale's, else en"),
]
Json = Annotated[bool, typer.Option("--json", help="Write JSON to stdout.")]
Reading = Annotated[
    ReaderName,
    typer.Option(
        "--reader",
        help="What reads the handwriting. auto: combined, or network where the package rapidocr is missing;"
        " combined: the network, and a second reader for numbers that are not plain to it; tesseract: only"
        " that program, to compare.",
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite files that exist.")]
ExitZero = Annotated[
    bool, typer.Option("--exit-zero", help="Exit with 0, not 1, when something needs a look.")
]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="No notes and no progress; errors only.")]
Verbose = Annotated[
    int,
    typer.Option(
        "-v", "--verbose", count=True, help="Tell more; -vv adds tracebacks.", show_default=False, metavar=""
    ),
]


def chosen(language: Language | None) -> Language:
    """The language asked for, else the locale's if it is one of ours, else English."""
    return language or locale_language()  # type: ignore[return-value]


def check_no_stream(option: str, path: Path | None, needed: str) -> None:
    """Raise UsageError for a `-`, which means stdout elsewhere, where a file or folder is `needed`."""
    if path == Path("-"):
        raise UsageError(f"{option} -: can't go to stdout", f"give the name of a {needed}")


def check_forms(name: str | None, as_json: bool) -> None:
    """Raise UsageError if `-f` asks for another form than `--json`."""
    if as_json and name not in (None, "json"):
        raise UsageError(f"--json and -f {name} exclude each other", "give one of them")
