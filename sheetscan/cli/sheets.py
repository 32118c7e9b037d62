"""The sheets of one game: scanned from photos and read from saved results, in the order they are given."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from sheetscan.cli import inputs, terminal
from sheetscan.cli.progress import Bar
from sheetscan.cli.results import read_result
from sheetscan.errors import SheetscanError
from sheetscan.result import Failure, Sheet

if TYPE_CHECKING:
    from sheetscan.picture import Picture
    from sheetscan.pipeline import Scanner

PEEKED_BYTES = 64


@dataclass(slots=True)
class Gathered:
    """The sheets of each input, what failed, and, if wanted, the picture of each sheet that has one."""

    documents: list[list[Sheet]] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    pictures: "list[Picture | None]" = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Gatherer:
    """Gathers the sheets; the reader is loaded only if there is a photo to read."""

    load_scanner: "Callable[[], Scanner]"
    language: str
    with_pictures: bool

    def gather(self, sources: Sequence[inputs.Source], bar: Bar) -> Gathered:
        """Read all sources; what goes wrong with one of them is a failure, the others are read."""
        gathered = Gathered()
        results = {source for source in sources if _holds_result(source)}
        scanner = self.load_scanner() if len(results) < len(sources) else None
        for source in sources:
            bar.start(str(source))
            if source in results or scanner is None:
                self._read(source, gathered)
            else:
                self._scan(source, scanner, gathered)
            bar.advance()
        return gathered

    def _read(self, source: inputs.Source, gathered: Gathered) -> None:
        from sheetscan.reassess import reassess

        try:
            document = read_result(str(source))
        except SheetscanError as error:
            gathered.failures.append(Failure.of(str(source), None, error))
            return
        gathered.documents.append([reassess(sheet, {}, self.language) for sheet in document.sheets])
        gathered.failures += document.failures
        if self.with_pictures:
            folder = Path() if source == "-" else source.parent
            gathered.pictures += [_picture(sheet, folder) for sheet in document.sheets]

    def _scan(self, source: inputs.Source, scanner: "Scanner", gathered: Gathered) -> None:
        from sheetscan.pipeline import Scan, failure_of

        sheets: list[Sheet] = []
        try:
            for outcome in scanner.scan(source):
                if not isinstance(outcome, Scan):
                    gathered.failures.append(failure_of(outcome))
                    continue
                sheets.append(outcome.sheet)
                if self.with_pictures:
                    gathered.pictures.append(outcome.flat)
        except Exception as error:
            # A fault in one photo must not cost the others.
            terminal.show_traceback()
            gathered.failures.append(Failure.of(str(source), None, terminal.as_bug(error)))
        gathered.documents.append(sheets)


def _picture(sheet: Sheet, folder: Path) -> "Picture | None":
    from sheetscan.picture import picture_of

    try:
        return picture_of(sheet, (Path(), folder))
    except SheetscanError as error:
        terminal.note(f"the report does without a picture: {error.message}")
        return None


def _holds_result(source: inputs.Source) -> bool:
    """Whether it begins like JSON; what can't be opened is left to the reading of photos to report."""
    try:
        if source == "-":
            stream = sys.stdin.buffer
            start = stream.peek(PEEKED_BYTES) if hasattr(stream, "peek") else b""
        else:
            with source.open("rb") as file:
                start = file.read(PEEKED_BYTES)
    except (OSError, ValueError):
        return False
    return start.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")
