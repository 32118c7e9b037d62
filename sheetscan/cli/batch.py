"""Scanning a batch: every photo in turn, results out as soon as they are known, failures kept to the end."""

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from sheetscan.cli import inputs, output, terminal
from sheetscan.cli.progress import Bar
from sheetscan.errors import ExitCode, OutputError, SheetscanError
from sheetscan.report.formats import Format
from sheetscan.result import Document, Failure, Sheet

if TYPE_CHECKING:
    from sheetscan.pipeline import Scan, Scanner


@dataclass(frozen=True, slots=True)
class Destination:
    """Where results go: one file a photo in `folder`, or `emit` without one; pictures to `overlay_folder`."""

    format: Format
    emit: Callable[[str], None]
    folder: Path | None
    overlay_folder: Path | None
    force: bool
    language: str

    def file(self, name: str) -> Path | None:
        """The file with the results of the photo called `name`."""
        return self.folder / f"{name}.{self.format.suffix}" if self.folder else None

    def picture(self, name: str) -> Path | None:
        """The picture with the readings of a sheet."""
        return self.overlay_folder / f"{name}.overlay.jpg" if self.overlay_folder else None

    def prepare(self, names: Iterable[str]) -> None:
        """Make the folders; raises OutputError before any work is done if a result would find no place."""
        for folder in (self.folder, self.overlay_folder):
            if folder:
                output.make_folder(folder)
        for name in names:
            for path in (self.file(name), self.picture(name)):
                if path:
                    output.check_free(path, self.force)


@dataclass(slots=True)
class Batch:
    """One call's photos and what has become of them so far."""

    scanner: "Scanner"
    destination: Destination
    bar: Bar
    sheets: list[Sheet] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    pictures: output.FileNames = field(default_factory=output.FileNames)

    def run(self, sources: list[inputs.Source]) -> Document:
        """Scan all sources; what goes wrong with one of them is a failure in the result."""
        file_names = output.FileNames()
        named = [(source, file_names.take(inputs.stem(source))) for source in sources]
        self.destination.prepare(name for _, name in named)
        self._emit(self.destination.format.opening)
        for source, name in named:
            self.bar.start(str(source))
            self._one(source, name)
            self.bar.advance()
        result = self._since(0, 0)
        self._emit(self.destination.format.closing(result))
        return result

    def _one(self, source: inputs.Source, name: str) -> None:
        sheets_before, failures_before = len(self.sheets), len(self.failures)
        for part in self._parts(source, name):
            if isinstance(part, Sheet):
                self.sheets.append(part)
                self._tell_quality(part)
            else:
                self.failures.append(part)
            self._emit(self.destination.format.piece(part))
        path = self.destination.file(name)
        own = self._since(sheets_before, failures_before)
        if path and own.sheets:
            self._save(path, own, source)

    def _since(self, sheets: int, failures: int) -> Document:
        return Document(sheets=tuple(self.sheets[sheets:]), failures=tuple(self.failures[failures:]))

    def _parts(self, source: inputs.Source, name: str) -> Iterator[Sheet | Failure]:
        try:
            for outcome in self.scanner.scan(source):
                yield from (outcome,) if isinstance(outcome, Failure) else self._with_picture(outcome, name)
        except Exception as error:
            # A fault in one photo must not cost the results of the others.
            terminal.show_traceback()
            yield _failure(str(source), None, terminal.as_bug(error))

    def _with_picture(self, scan: "Scan", name: str) -> Iterator[Sheet | Failure]:
        """The sheet with its overlay written; without one, and a failure, when that can't be done."""
        path = self.destination.picture(self.pictures.take(name))
        if path is None:
            yield scan.sheet
            return
        from sheetscan.report.overlay import overlay_jpeg

        picture = overlay_jpeg(
            scan.flat, scan.px_per_mm, scan.sheet, scan.template, self.destination.language
        )
        try:
            output.write_file(path, picture, self.destination.force)
        except OutputError as error:
            yield scan.sheet
            yield _failure(scan.sheet.source, scan.sheet.page, error)
            return
        yield dataclasses.replace(scan.sheet, overlay=str(path))

    def _save(self, path: Path, own: Document, source: inputs.Source) -> None:
        data = terminal.data_bytes(self.destination.format.whole(own))
        try:
            output.write_file(path, data, self.destination.force)
        except OutputError as error:
            self.failures.append(_failure(str(source), None, error))
            return
        with self.bar.aside():
            terminal.note(f"{source}: {_counted(own.sheets)} in {path}")

    def _tell_quality(self, sheet: Sheet) -> None:
        if terminal.verbosity():
            figures = ", ".join(f"{name} {figure}" for name, figure in sheet.quality.items())
            with self.bar.aside():
                terminal.note(f"{sheet.source}: {sheet.template} {sheet.sheet_id or ''} ({figures})")

    def _emit(self, text: str) -> None:
        if text and self.destination.folder is None:
            with self.bar.aside():
                self.destination.emit(text)


def report_failures(result: Document, photos: int) -> None:
    """Tell on stderr which photos failed and why."""
    for failure in result.failures:
        place = failure.source if failure.page is None else f"{failure.source}, page {failure.page}"
        named = failure.message.startswith(failure.source)
        terminal.complain_of(failure.message if named else f"{place}: {failure.message}", failure.hint)
    failed = len({failure.source for failure in result.failures})
    if failed and photos > 1:
        terminal.note(f"{failed} of {photos} photos had failures, {_counted(result.sheets)} read")


def exit_code(result: Document, exit_zero: bool) -> int:
    """The highest code met (contract, "Exit codes")."""
    looks = any(sheet.needs_a_look for sheet in result.sheets) and not exit_zero
    codes = [failure.code for failure in result.failures]
    return max([*codes, ExitCode.NEEDS_A_LOOK if looks else ExitCode.OK])


def _failure(source: str, page: int | None, error: SheetscanError) -> Failure:
    return Failure(source, page, int(error.exit_code), error.message, error.hint)


def _counted(sheets: tuple[Sheet, ...]) -> str:
    return "1 sheet" if len(sheets) == 1 else f"{len(sheets)} sheets"
