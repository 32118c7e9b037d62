"""The results of a batch: written in the photos' order as soon as known, failures kept to the end."""

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sheetscan.cli import inputs, output, terminal
from sheetscan.cli.progress import Bar
from sheetscan.cli.work import Part, Parts
from sheetscan.errors import ExitCode, OutputError
from sheetscan.report.formats import Format
from sheetscan.result import Document, Failure, Sheet


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

    def picture(self, name: str, read: bool) -> Path | None:
        """The picture with the readings of a sheet, or with what was found of one that was not `read`."""
        kind = "overlay" if read else "refused"
        return self.overlay_folder / f"{name}.{kind}.jpg" if self.overlay_folder else None

    def prepare(self, names: Iterable[str]) -> None:
        """Make the folders; raises OutputError before any work is done if a result would find no place."""
        for folder in (self.folder, self.overlay_folder):
            if folder:
                output.make_folder(folder)
        for name in names:
            for path in (self.file(name), self.picture(name, True), self.picture(name, False)):
                if path:
                    output.check_free(path, self.force)


@dataclass(slots=True)
class Batch:
    """One call's photos and what has become of them so far."""

    destination: Destination
    bar: Bar
    sheets: list[Sheet] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    pictures: output.FileNames = field(default_factory=output.FileNames)
    refused: output.FileNames = field(default_factory=output.FileNames)

    def run(self, sources: Sequence[inputs.Source], work: Iterable[Parts]) -> Document:
        """Write what comes of the sources, one of `work` each; what goes wrong is a failure in the result."""
        file_names = output.FileNames()
        named = [(source, file_names.take(inputs.stem(source))) for source in sources]
        self.destination.prepare(name for _, name in named)
        self._emit(self.destination.format.opening)
        self.bar.start(str(sources[0]))
        for place, ((source, name), parts) in enumerate(zip(named, work, strict=True), 1):
            self._one(source, name, parts)
            self.bar.advance(str(sources[place]) if place < len(sources) else "")
        result = self._since(0, 0)
        self._emit(self.destination.format.closing(result))
        return result

    def _one(self, source: inputs.Source, name: str, parts: Parts) -> None:
        sheets_before, failures_before = len(self.sheets), len(self.failures)
        for part in parts:
            for result in self._with_picture(part, name):
                if isinstance(result, Sheet):
                    self.sheets.append(result)
                    self._tell_quality(result)
                else:
                    self.failures.append(result)
                self._emit(self.destination.format.piece(result))
        path = self.destination.file(name)
        own = self._since(sheets_before, failures_before)
        if path and own.sheets:
            self._save(path, own, source)

    def _since(self, sheets: int, failures: int) -> Document:
        return Document(sheets=tuple(self.sheets[sheets:]), failures=tuple(self.failures[failures:]))

    def _with_picture(self, part: Part, name: str) -> Iterator[Sheet | Failure]:
        """The result with its picture written; without one, and a failure, when that can't be done."""
        result = part.result
        read = isinstance(result, Sheet)
        picture_name = (self.pictures if read else self.refused).take(name) if part.picture else name
        path = self.destination.picture(picture_name, read)
        if path is None or part.picture is None:
            yield result
            return
        try:
            output.write_file(path, part.picture, self.destination.force)
        except OutputError as error:
            yield result
            yield Failure.of(result.source, result.page, error)
            return
        if isinstance(result, Sheet):
            yield dataclasses.replace(result, overlay=str(path))
            return
        yield result
        with self.bar.aside():
            terminal.note(f"{result.source}: what was found of the refused sheet is drawn in {path}")

    def _save(self, path: Path, own: Document, source: inputs.Source) -> None:
        data = terminal.data_bytes(self.destination.format.whole(own))
        try:
            output.write_file(path, data, self.destination.force)
        except OutputError as error:
            self.failures.append(Failure.of(str(source), None, error))
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
        terminal.complain_of_failure(failure)
    failed = len({failure.source for failure in result.failures})
    if failed and photos > 1:
        terminal.note(f"{failed} of {photos} photos had failures, {_counted(result.sheets)} read")


def exit_code(result: Document, exit_zero: bool) -> int:
    """The highest code met (contract, "Exit codes")."""
    looks = any(sheet.needs_a_look for sheet in result.sheets) and not exit_zero
    codes = [failure.code for failure in result.failures]
    return max([*codes, ExitCode.NEEDS_A_LOOK if looks else ExitCode.OK])


def _counted(sheets: tuple[Sheet, ...]) -> str:
    return "1 sheet" if len(sheets) == 1 else f"{len(sheets)} sheets"
