"""A progress bar on stderr: for several photos and on a terminal only."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from sheetscan.cli import terminal


class _RateColumn(ProgressColumn):
    """Photos a second, or a minute where they take longer."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        if not speed:
            return Text("")
        return Text(f"{speed:.1f}/s" if speed >= 1 else f"{60 * speed:.0f}/min")


class Bar:
    """Shows how many photos are done and which one is being read; steps aside while something is written."""

    def __init__(self, total: int) -> None:
        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            _RateColumn(),
            TimeElapsedColumn(),
            TextColumn("·"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
            disable=total < 2 or terminal.quiet() or not sys.stderr.isatty(),
        )
        self._task = self._progress.add_task("", total=total)

    @contextmanager
    def shown(self) -> Iterator["Bar"]:
        """The bar while photos are being read."""
        with self._progress:
            yield self

    def start(self, name: str) -> None:
        """The photo `name` is being worked on."""
        self._progress.update(self._task, description=name)

    def advance(self, following: str = "") -> None:
        """It is done; the photo `following` is next."""
        self._progress.update(self._task, advance=1, description=following)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Keep out of the way of something that is being written."""
        self._progress.stop()
        try:
            yield
        finally:
            self._progress.start()
