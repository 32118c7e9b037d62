"""What comes of photos, ready to be written: scanned in this process, or by several at once."""

import signal
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import TYPE_CHECKING

from sheetscan.cli import inputs, terminal
from sheetscan.errors import SheetscanError
from sheetscan.result import Failure, Sheet

if TYPE_CHECKING:
    from sheetscan.pipeline import Outcome, Scanner


@dataclass(frozen=True, slots=True)
class Part:
    """A sheet or a failure, and the JPEG that shows it, where one was wanted and can be had."""

    result: Sheet | Failure
    picture: bytes | None = field(default=None, repr=False)


Parts = Iterator[Part]


def in_turn(
    scanner: "Scanner", sources: Sequence[inputs.Source], pictures: bool
) -> Generator[Parts, None, None]:
    """What comes of each source, one after the other, each part as soon as it is known."""
    yield from (parts_of(scanner, source, pictures) for source in sources)


def parts_of(scanner: "Scanner", source: inputs.Source, pictures: bool) -> Parts:
    """The sheets and failures of one source; a fault in it must not cost the results of the others."""
    try:
        for outcome in scanner.scan(source):
            yield _part(outcome, scanner.language, pictures)
    except Exception as error:
        terminal.show_traceback()
        yield Part(Failure.of(str(source), None, terminal.as_bug(error)))


def _part(outcome: "Outcome", language: str, pictures: bool) -> Part:
    from sheetscan.pipeline import Refusal
    from sheetscan.report.overlay import overlay_jpeg
    from sheetscan.report.refused import refused_jpeg

    if isinstance(outcome, Failure):
        return Part(outcome)
    if isinstance(outcome, Refusal):
        failure = outcome.failure
        shown = (outcome.pixels, outcome.seen, failure.message, failure.hint)
        return Part(failure, refused_jpeg(*shown) if pictures else None)
    if not pictures:
        return Part(outcome.sheet)
    return Part(
        outcome.sheet,
        overlay_jpeg(outcome.flat, outcome.px_per_mm, outcome.sheet, outcome.template, language),
    )


@dataclass(frozen=True, slots=True)
class Crew:
    """Several processes, each with a scanner of its own that it loads once.

    `load_scanner` is called in every process, so it must be something that can be pickled.
    """

    load_scanner: "Callable[[], Scanner]"
    size: int
    pictures: bool

    def in_order(self, sources: Sequence[inputs.Source]) -> Generator[Parts, None, None]:
        """What comes of each source, in their order, as soon as it and those before it are known.

        On an interruption no further photo is begun. A photo over which its process dies costs no other.
        """
        left = deque(sources)
        while left:
            yield from self._in_parallel(left)
            # A process died over one of the next: each of them gets a process to itself.
            for _ in range(min(self.size, len(left))):
                yield iter(self._alone(left.popleft()))

    def _in_parallel(self, left: deque[inputs.Source]) -> Generator[Parts, None, None]:
        """What comes of the sources, which are taken from `left`, until none is left or a process dies."""
        pool = self._pool(self.size)
        try:
            waiting = deque(pool.submit(_all_parts, source) for source in left)
            while waiting:
                parts = waiting.popleft().result()
                left.popleft()
                yield iter(parts)
        except BrokenProcessPool:
            return
        finally:
            pool.shutdown(cancel_futures=True)

    def _alone(self, source: inputs.Source) -> list[Part]:
        with self._pool(1) as pool:
            try:
                return pool.submit(_all_parts, source).result()
            except BrokenProcessPool:
                error = SheetscanError(
                    f"{source}: the process that read it ended unexpectedly",
                    "it may have run out of memory: scale the photo down, or try without --jobs",
                )
                return [Part(Failure.of(str(source), None, error))]

    def _pool(self, size: int) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            size,
            mp_context=get_context("spawn"),
            initializer=_begin,
            initargs=(self.load_scanner, self.pictures, terminal.quiet(), terminal.verbosity()),
        )


_worker: "list[tuple[Scanner, bool]]" = []
"""In a process of the crew: its scanner, and whether pictures are wanted."""


def _begin(load_scanner: "Callable[[], Scanner]", pictures: bool, quiet: bool, verbosity: int) -> None:
    """Set up a process of the crew: it leaves interruptions to its parent, and keeps to one core."""
    import cv2

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    cv2.setNumThreads(1)
    terminal.set_up(quiet, verbosity)
    _worker.append((load_scanner(), pictures))


def _all_parts(source: inputs.Source) -> list[Part]:
    ((scanner, pictures),) = _worker
    return list(parts_of(scanner, source, pictures))
