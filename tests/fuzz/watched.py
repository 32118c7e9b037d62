"""Attempts made in a process of their own, which is ended and told of when one hangs, eats memory or dies.

An alarm within the process would not do: a decoder in C never comes back to see it, and our own borders turn
any exception that it raises into a refusal.
"""

import os
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

import numpy as np

from sheetscan.errors import SheetscanError

SEED = int(os.environ.get("SHEETSCAN_FUZZ_SEED", "0"))
"""Another seed gives other damages; CI keeps one, so that it fails for changes only."""
START_S = 120
POLL_S = 0.1
KB = 1024 / 1e6
"""A kilobyte of the kernel's, in megabytes of 10⁶ bytes."""

Attempt = Callable[[np.random.Generator], object]


@dataclass(frozen=True, slots=True)
class Limits:
    """What one attempt may take, and the most that the process may hold, the program included.

    Time is the processor's, for a busy machine is no fault; the clock's counts for what waits for ever.
    """

    processor_s: float = 20
    clock_s: float = 200
    memory_mb: float = 1000


LIMITS = Limits()


class FuzzError(AssertionError):
    """What an attempt did that no input may make us do."""


def endure(attempt: Attempt, count: int, limits: Limits = LIMITS) -> int:
    """Make `count` attempts, each with random numbers of its own; gives how many met one of our errors.

    `attempt` travels to the process by name. Raises FuzzError with the place of the first attempt that fails.
    """
    context = get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    with tempfile.TemporaryDirectory() as folder:
        said = Path(folder, "stderr")
        process = context.Process(target=_make, args=(attempt, count, theirs, said), daemon=True)
        process.start()
        theirs.close()
        try:
            return _watch(process, ours, limits)
        except FuzzError as error:
            raise FuzzError(f"{error} (seed {SEED})\n{_text(said)}") from None
        finally:
            process.kill()
            process.join()


def _watch(process: BaseProcess, ours: Connection, limits: Limits) -> int:
    """Follow the attempts; each tells when it begins, and the last word is how many were refused."""
    current, since, worked_s, patience_s = "the start", time.monotonic(), 0.0, float(START_S)
    while True:
        if ours.poll(POLL_S):
            try:
                current, outcome, peak_mb = ours.recv()
            except EOFError:
                process.join()
                raise FuzzError(f"{current}: the process died ({process.exitcode})") from None
            since, worked_s, patience_s = time.monotonic(), _worked_s(process.pid), limits.clock_s
            if peak_mb > limits.memory_mb:
                raise FuzzError(f"before {current}: {peak_mb:.0f} MB were held")
            if isinstance(outcome, str):
                raise FuzzError(f"{current}: {outcome}")
            if outcome is not None:
                return int(outcome)
        elif _worked_s(process.pid) - worked_s > limits.processor_s:
            raise FuzzError(f"{current}: worked longer than {limits.processor_s:g} s")
        elif time.monotonic() - since > patience_s:
            raise FuzzError(f"{current}: took longer than {patience_s:g} s")
        elif (held_mb := _held_mb(process.pid)) > limits.memory_mb:
            raise FuzzError(f"{current}: holds {held_mb:.0f} MB")


def _make(attempt: Attempt, count: int, parent: Connection, said: Path) -> None:
    """Runs in the process: (what begins, outcome, memory) for each attempt; a text is what went wrong."""
    with said.open("wb") as file:
        os.dup2(file.fileno(), 2)
    refused = 0
    for place in range(count):
        parent.send((f"attempt {place}", None, _peak_mb()))
        try:
            attempt(np.random.default_rng([SEED, place]))
        except SheetscanError as error:
            refused += 1
            if not (error.message and error.hint):
                parent.send((f"attempt {place}", f"no message or no hint: {error!r}", 0.0))
        except Exception:
            parent.send((f"attempt {place}", traceback.format_exc(), 0.0))
        sys.stderr.flush()
        if said.stat().st_size:
            parent.send((f"attempt {place}", "something was written to stderr", 0.0))
    parent.send(("the end", refused, _peak_mb()))


def _peak_mb() -> float:
    """The most that this process held, 0 where nobody tells: `ru_maxrss` would begin with the parent's."""
    return _status_mb("self", "VmHWM")


def _held_mb(pid: int | None) -> float:
    """What the process holds now; 0 where the system doesn't tell."""
    return _status_mb(str(pid), "VmRSS")


def _status_mb(process: str, entry: str) -> float:
    with suppress(OSError):
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith(entry):
                return int(line.split()[1]) * KB
    return 0.0


def _worked_s(pid: int | None) -> float:
    """The processor's time that the process has had so far; 0 where the system doesn't tell."""
    with suppress(OSError):
        user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
    return 0.0


def _text(said: Path) -> str:
    return said.read_text(errors="replace") if said.exists() else ""
