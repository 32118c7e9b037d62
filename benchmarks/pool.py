"""Work shared out among processes, each on one core."""

import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

from benchmarks.lab import one_thread

Task = TypeVar("Task")
Outcome = TypeVar("Outcome")


def outcomes_of(work: Callable[[Task], Outcome], tasks: Sequence[Task], processes: int) -> list[Outcome]:
    """What `work` makes of all tasks, in their order; progress on a terminal's stderr.

    With one process it is this one, where tests can look into it.
    """
    if processes == 1:
        one_thread()
        return [work(task) for task in tasks]
    context = get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context, initializer=one_thread) as pool:
        outcomes = []
        for outcome in pool.map(work, tasks):
            outcomes.append(outcome)
            if sys.stderr.isatty():
                print(f"\r{len(outcomes)} of {len(tasks)}", end="", file=sys.stderr)
    return outcomes
