"""Photos with every fault of the robustness matrix are read right, doubted or refused, all within a week.

Those of an ordinary sheet, however it lies, are not refused.

A seventh of the faults each day; SHEETSCAN_DAY repeats a day (`date.toordinal`), which a failure names.
"""

import os

import pytest

from benchmarks import lab
from benchmarks.faults import CELLS, Cell, photograph
from benchmarks.outcome import PhotoOutcome, measure
from benchmarks.table import measure_table, photograph_table
from sheetscan.pipeline import Scanner
from sheetscan.reading.choice import load_reader

DAY = int(os.environ["SHEETSCAN_DAY"])
DAYS = 7
JOB = lab.Job(lab.Source(None, "easy"), 5000)
WRONG = 1
"""So many of a sheet's fields may be misread and given as sure: what is tested is that no fault turns over
whole rows, not the last per mille of the reader, which `benchmarks.robustness` measures."""
READ = (
    "none",
    "turned 90°",
    "turned 180°",
    "turned 37°",
    "code covered",
    "table chequered cloth",
    "sheets 2",
)
"""Cells whose sheets must be found: a quality gate grown too strict fails here."""


@pytest.fixture(scope="module")
def scanner() -> Scanner:
    return Scanner(load_reader("network"))


def outcomes(cell: Cell, scanner: Scanner) -> list[PhotoOutcome]:
    """What came of each sheet in the photo."""
    if cell.table is not None:
        return measure_table(photograph_table(JOB, cell.table), scanner)
    return [measure(photograph(cell, JOB), scanner)]


def test_the_cells_that_must_be_read_are_there() -> None:
    assert set(READ) <= {cell.name for cell in CELLS}


@pytest.mark.parametrize("cell", CELLS[DAY % DAYS :: DAYS], ids=lambda cell: f"{cell.name}-day{DAY}")
def test_a_fault_makes_one_wrong_reading_of_a_sheet_sure_at_most(cell: Cell, scanner: Scanner) -> None:
    fates = ("found",) if cell.name in READ else ("found", "refused")
    for outcome in outcomes(cell, scanner):
        assert outcome.fate in fates, outcome.reason
        assert outcome.fields or outcome.reason
        wrong = [str(field) for field in outcome.fields if field.sure and not field.right]
        assert len(wrong) <= WRONG, wrong
