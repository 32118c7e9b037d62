"""Puts one fault into a legally filled Qwixx sheet: a bad lock, a forgotten one, a wrong figure."""

from typing import Literal, get_args

import numpy as np

from sheetscan.games.qwixx_score import OTHERS_TO_LOCK, Layout, Row, crosses_of
from sheetscan.lab.faults import slips_of_the_tally
from sheetscan.lab.qwixx_play import Contents
from sheetscan.result import CROSS
from sheetscan.template import Template

QwixxFault = Literal["last-number", "lock-missing", "tally"]
QWIXX_FAULTS: tuple[QwixxFault, ...] = get_args(QwixxFault)
"""Each is the code of the finding that it gives."""


def seed_qwixx_fault(
    template: Template, contents: Contents, fault: QwixxFault, rng: np.random.Generator
) -> Contents:
    """The sheet changed so that its audit finds this fault and no other.

    "last-number" crosses a row's last number and lock too early, "lock-missing" forgets a lock, "tally" (of a
    tallied sheet) changes a figure. The others leave the tally as it is. Raises ValueError if nothing on the
    sheet can take the fault.
    """
    rows = Layout.of(template.places).rows
    changed = {
        "last-number": lambda: [
            _locked_early(contents, row) for row in rows if _may_lock_early(contents, row)
        ],
        "lock-missing": lambda: [
            {name: content for name, content in contents.items() if name != row.lock}
            for row in rows
            if crosses_of(contents, row).closed
        ],
        "tally": lambda: [contents | dict([slip]) for slip in slips_of_the_tally(contents)],
    }[fault]()
    if not changed:
        raise ValueError(f"nothing on this sheet can take the fault {fault!r}")
    return changed[int(rng.integers(len(changed)))]


def _may_lock_early(contents: Contents, row: Row) -> bool:
    crosses = crosses_of(contents, row)
    return not crosses.last and 0 < crosses.others < OTHERS_TO_LOCK


def _locked_early(contents: Contents, row: Row) -> Contents:
    return contents | {row.last: CROSS, row.lock: CROSS}
