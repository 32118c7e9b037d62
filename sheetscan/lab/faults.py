"""Puts one fault into a legally filled sheet: a violation, a dead field, a wrong figure."""

from typing import Literal, get_args

import numpy as np

from sheetscan.games.qwinto import Qwinto
from sheetscan.games.qwinto_score import BLOCKED_FIELDS, MISTHROWS, NUMBER_FIELDS, THROWABLE, written_numbers
from sheetscan.lab.play import Contents
from sheetscan.result import CROSS, EMPTY, Content, number

Fault = Literal[
    "row-order",
    "column-repeat",
    "value-0",
    "value-19",
    "value-21",
    "blocked-field",
    "misthrows-order",
    "tally",
    "cross",
    "void",
]
FAULTS: tuple[Fault, ...] = get_args(Fault)

CONSEQUENCE = "end-not-proven"
"""A remark that follows from other findings, no fault of its own."""

_Change = tuple[str, Content]


def findings_of(fault: Fault) -> frozenset[str]:
    """The codes of the findings that a fault gives on its own; none for a dead field."""
    if fault in ("cross", "void"):
        return frozenset()
    return frozenset({"value" if fault.startswith("value-") else fault})


def seed_fault(contents: Contents, fault: Fault, rng: np.random.Generator) -> Contents:
    """The sheet with one field changed so that the audit of its rows finds this fault.

    It finds no other if any field allows that. A small slip is more likely than a gross one. The figures of
    the tally stay; they are audited for the fault "tally" only. Raises ValueError if no field can take it.
    """
    audited = {name: c for name, c in contents.items() if fault == "tally" or not name.startswith("tally-")}
    wanted = findings_of(fault)
    slips = [(_size(contents, change) + rng.exponential(2), change) for change in _changes(contents, fault)]
    with_more = None
    for _, (place, content) in sorted(slips, key=lambda slip: slip[0]):
        violations = Qwinto().audit(audited | {place: content}).violations
        codes = {violation.code for violation in violations} - {CONSEQUENCE}
        if codes == wanted:
            return contents | {place: content}
        if codes > wanted and with_more is None:
            with_more = contents | {place: content}
    if with_more is None:
        raise ValueError(f"no field of this sheet can take the fault {fault!r}")
    return with_more


def _size(contents: Contents, change: _Change) -> float:
    """How far a change is from what stands there."""
    place, content = change
    before = contents.get(place, EMPTY).value
    return 0.0 if before is None or content.value is None else abs(content.value - before)


def _changes(contents: Contents, fault: Fault) -> list[_Change]:
    """All changes of one field that may give the fault."""
    written = list(written_numbers(contents))
    throws = [number(value) for value in THROWABLE]
    match fault:
        case "row-order" | "column-repeat":
            return [(place, content) for place in NUMBER_FIELDS for content in throws]
        case "value-0" | "value-19" | "value-21":
            return [(place, number(int(fault.removeprefix("value-")))) for place in written]
        case "blocked-field":
            return [(place, content) for place in BLOCKED_FIELDS for content in (*throws, CROSS)]
        case "misthrows-order":
            return [(place, CROSS) for place in MISTHROWS[1:]]
        case "tally":
            return slips_of_the_tally(contents)
        case "cross" | "void":
            return [(place, Content(fault)) for place in written]


def slips_of_the_tally(contents: Contents) -> list[_Change]:
    """All changes of one figure of a tally as slips of reckoning make them."""
    figures = {
        name: content.value
        for name, content in contents.items()
        if name.startswith("tally-") and content.value is not None
    }
    return [
        (name, number(value + slip))
        for name, value in figures.items()
        for slip in (-10, -2, -1, 1, 2, 10)
        if value + slip >= 0
    ]
