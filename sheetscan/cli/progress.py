"""A progress bar on stderr: for several photos and on a terminal only."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from sheetscan.cli import terminal


class Bar:
    """Shows how many photos are done and which one is being read; steps aside while something is written."""

    def __init__(self, total: int) -> None:
        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
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

    def advance(self) -> None:
        """It is done."""
        self._progress.advance(self._task)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Keep out of the way of something that is being written."""
        self._progress.stop()
        try:
            yield
        finally:
            self._progress.start()
