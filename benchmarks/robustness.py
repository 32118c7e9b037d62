"""What becomes of photos with one fault each: a matrix of the kinds of fault and their strengths.

`python -m benchmarks.robustness` makes 30 photos of each cell of the matrix, with the strokes of writers that
the training never saw, and prints which share of their fields is read right, in doubt, refused, or wrong and
given as sure. `--faults augraphy` tries another workshop's faults (see `benchmarks/augraphy_faults.py`).
"""

import argparse
import dataclasses
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import get_args

import numpy as np

from benchmarks import lab
from benchmarks.augraphy_faults import augraphy_cells
from benchmarks.faults import CELLS, photograph
from benchmarks.outcome import PhotoOutcome, measure
from benchmarks.pool import outcomes_of
from benchmarks.table import measure_table, photograph_table
from benchmarks.tables import percent, print_table
from sheetscan.reading.choice import ReaderName
from sheetscan.template import load_template

ALL_CELLS = (*CELLS, *augraphy_cells())
OWN_FAULTS = {cell.fault for cell in CELLS}


def _measured(task: tuple[str, lab.Job], reader: ReaderName, failures: Path | None) -> list[PhotoOutcome]:
    """One outcome a sheet. Runs in a process of its own; cells hold functions, so they travel by name."""
    name, job = task
    cell = next(cell for cell in ALL_CELLS if cell.name == name)
    folder = failures / name if failures else None
    if cell.table is not None:
        return measure_table(photograph_table(job, cell.table), lab.scanner(reader), folder)
    return [measure(photograph(cell, job), lab.scanner(reader), folder)]


@dataclass(frozen=True, slots=True)
class Row:
    """What became of the fields of one cell's sheets: counts. `wrong` are those given as sure."""

    name: str
    sheets: int
    fields: int
    right: int
    doubtful: int
    refused: int
    wrong: int
    reasons: tuple[str, ...]
    mistakes: tuple[str, ...] = ()

    @classmethod
    def of(cls, name: str, outcomes: Sequence[PhotoOutcome]) -> "Row":
        """Count; a sheet that was refused, missed or doubled counts for all its fields."""
        fields = [field for outcome in outcomes for field in outcome.fields]
        lost = [outcome for outcome in outcomes if outcome.fate != "found"]
        refused = sum(len(load_template(outcome.template).readable_fields) for outcome in lost)
        return cls(
            name,
            len(outcomes),
            len(fields) + refused,
            sum(field.sure and field.right for field in fields),
            sum(not field.sure for field in fields),
            refused,
            sum(field.sure and not field.right for field in fields),
            tuple(f"photo {outcome.photo}: {outcome.reason}" for outcome in lost),
            tuple(str(field) for field in fields if field.sure and not field.right),
        )


def report(rows: Sequence[Row]) -> None:
    """Print the matrix, and below it why sheets were refused and which fields were read wrong."""
    headers = ("fault", "sheets", "right", "in doubt", "refused", "wrong and sure")
    print_table(
        "Shares of fields",
        headers,
        [
            (
                row.name,
                row.sheets,
                *(percent(count, row.fields, 1) for count in (row.right, row.doubtful, row.refused)),
                percent(row.wrong, row.fields, 3),
            )
            for row in rows
        ],
    )
    print("\nWhy sheets were refused\n")
    for row in rows:
        for reason in row.reasons:
            print(f"- {row.name}, {reason}")
    print("\nWrong and sure\n")
    for row in rows:
        for mistake in row.mistakes:
            print(f"- {row.name}, {mistake}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.robustness", description=__doc__)
    parser.add_argument("--photos", type=int, default=30, help="photos of each fault and strength")
    parser.add_argument(
        "--faults", nargs="+", choices=sorted({cell.fault for cell in ALL_CELLS}), metavar="FAULT"
    )
    parser.add_argument("--reader", choices=get_args(ReaderName), default="network")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--failures", type=Path, help="folder for pictures of wrong fields")
    parser.add_argument("--json", action="store_true")
    lab.add_options(parser)
    parser.set_defaults(difficulty="easy")
    options = parser.parse_args(arguments)
    source = lab.source_of(options)
    chosen = [cell for cell in ALL_CELLS if cell.fault in (options.faults or OWN_FAULTS)]
    numbers = range(options.seed, options.seed + options.photos)
    tasks = [(cell.name, lab.Job(source, number)) for cell in chosen for number in numbers]
    outcomes = outcomes_of(
        partial(_measured, reader=options.reader, failures=options.failures), tasks, options.processes
    )
    by_cell = np.arange(len(tasks)).reshape(len(chosen), options.photos)
    rows = [
        Row.of(cell.name, [outcome for place in places for outcome in outcomes[place]])
        for cell, places in zip(chosen, by_cell, strict=True)
    ]
    if options.json:
        print(json.dumps([dataclasses.asdict(row) for row in rows], ensure_ascii=False))
    else:
        report(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
