"""The photos named on the command line: each once, however often and in whatever spelling it is given."""

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from sheetscan.cli import terminal
from sheetscan.errors import UsageError

Source = Path | Literal["-"]


def distinct(names: Iterable[str]) -> list[Source]:
    """The sources in order; one that is the same file as an earlier one is left out with a note.

    Raises UsageError for an empty name, which would stand for the folder that one is in.
    """
    seen: dict[object, str] = {}
    kept: list[Source] = []
    for name in names:
        if not name:
            raise UsageError("the name of a file is empty", "give the names of the files")
        key = identity(name)
        if key in seen:
            again = "given twice" if name == "-" else f"the same file as {seen[key]}"
            terminal.note(f"{called(name)}: {again}, so it is taken once")
            continue
        seen[key] = name
        kept.append("-" if name == "-" else Path(name))
    return kept


def called(name: str) -> str:
    """A file, or standard input, in words."""
    return "stdin" if name == "-" else name


def identity(name: str) -> object:
    """What stays the same over spellings, symbolic links and hard links of one file."""
    if name == "-":
        return "-"
    try:
        status = Path(name).stat()
    except (OSError, ValueError):
        return str(Path(name).absolute())
    return status.st_dev, status.st_ino


def stem(source: Source) -> str:
    """What files that belong to the source are named after."""
    return "stdin" if source == "-" else source.stem
