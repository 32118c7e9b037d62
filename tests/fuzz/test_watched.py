"""The watch itself: what hangs, eats memory, fails, talks or dies is told with the attempt that did it."""

import ctypes
import os
from itertools import count

import numpy as np
import pytest

from sheetscan.errors import UnreadableInputError
from tests.fuzz.watched import Attempt, FuzzError, Limits, endure

LIMITS = Limits(processor_s=3, clock_s=6, memory_mb=300)


def behave(rng: np.random.Generator) -> None:
    if rng.random() < 0.5:
        raise UnreadableInputError("damaged", "copy it again")


def wait(_: np.random.Generator) -> None:
    """In C, with Python's lock held: nothing within the process gets to run."""
    ctypes.PyDLL(None).sleep(600)


def hang(_: np.random.Generator) -> None:
    """Behind a border that turns whatever it meets into a refusal."""
    try:
        for _number in count():
            pass
    except Exception as error:
        raise UnreadableInputError("damaged", "copy it again") from error


def eat_memory(_: np.random.Generator) -> None:
    """And give it back before anybody looks."""
    np.ones(50_000_000)
    raise UnreadableInputError("too large", "scale it down")


def raise_what_we_never_do(_: np.random.Generator) -> None:
    raise ZeroDivisionError("oops")


def advise_nothing(_: np.random.Generator) -> None:
    raise UnreadableInputError("damaged")


def talk(_: np.random.Generator) -> None:
    os.write(2, b"LZWDecode: Not enough data")


def die(_: np.random.Generator) -> None:
    os._exit(3)


def test_refusals_are_counted() -> None:
    assert 0 < endure(behave, 20, LIMITS) < 20


@pytest.mark.parametrize(
    ("attempt", "told"),
    [
        (wait, "attempt 0: took longer than 6 s"),
        (hang, "attempt 0: (worked|took) longer than"),
        (eat_memory, r"[34]\d\d MB"),
        (raise_what_we_never_do, "(?s)attempt 0: .*ZeroDivisionError: oops"),
        (advise_nothing, "attempt 0: no message or no hint"),
        (talk, "(?s)attempt 0: something was written to stderr.*Not enough data"),
        (die, r"attempt 0: the process died \(3\)"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_misbehaviour_is_told(attempt: Attempt, told: str) -> None:
    with pytest.raises(FuzzError, match=told):
        endure(attempt, 3, LIMITS)
