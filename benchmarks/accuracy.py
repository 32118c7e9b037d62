"""How well sheets are read: lab photos with the strokes of writers that the training never saw.

`python -m benchmarks.accuracy` makes 200 photos and 20 of blank sheets and prints what came of them; pictures
of the fields that were read wrong go to work/benchmarks/.
"""

import argparse
import dataclasses
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import get_args

import numpy as np

from benchmarks import lab
from benchmarks.outcome import FATES, FieldOutcome, PhotoOutcome, measure
from benchmarks.pool import outcomes_of
from benchmarks.reading_figures import group_of
from benchmarks.tables import percent, print_table
from sheetscan.reading.choice import ReaderName

FAILURES = Path("work/benchmarks")
LISTED = 40
COMMON_CONFUSIONS = 15
WHOLES = {
    **dict.fromkeys((f"photos {fate}" for fate in FATES), "photos"),
    "read exactly": "fields",
    "reader's first reading right": "fields",
    "in doubt": "fields",
    "sure": "fields",
    "sure and wrong": "sure",
    "empty read as ink": "empty",
    "totals right": "photos found",
    "totals certain": "photos found",
    "totals certain and wrong": "totals certain",
    "blank sheets found": "blank sheets",
}
"""What a figure is a share of."""


def _measured(job: lab.Job, reader: ReaderName, failures: Path | None) -> PhotoOutcome:
    """Runs in a process of its own, which keeps its reader and its writers."""
    return measure(lab.make(job), lab.scanner(reader), failures)


def run(
    jobs: Sequence[lab.Job], reader: ReaderName, processes: int, failures: Path | None = None
) -> list[PhotoOutcome]:
    """The outcomes of all jobs, in their order; progress on a terminal's stderr."""
    return outcomes_of(partial(_measured, reader=reader, failures=failures), jobs, processes)


def summary(outcomes: Sequence[PhotoOutcome], blanks: Sequence[PhotoOutcome]) -> dict[str, float]:
    """The figures that the project has set itself goals for, as plain data."""
    fields = [field for outcome in outcomes for field in outcome.fields]
    sure = [field for field in fields if field.sure]
    empty = [field for field in fields if field.truth.kind == "empty"]
    fates = Counter(outcome.fate for outcome in outcomes)
    errors_mm = np.array([error for outcome in outcomes for error in outcome.errors_mm] or [np.nan])
    found = [outcome for outcome in outcomes if outcome.fate == "found"]
    certain = [outcome for outcome in found if outcome.certain]
    questions = [float(outcome.questions or 0) for outcome in found]
    return {
        "photos": len(outcomes),
        **{f"photos {fate}": fates[fate] for fate in FATES},
        "fields": len(fields),
        "read exactly": sum(field.right for field in fields),
        "reader's first reading right": sum(field.raw == field.truth for field in fields),
        "in doubt": len(fields) - len(sure),
        "sure": len(sure),
        "sure and wrong": sum(not field.right for field in sure),
        "empty": len(empty),
        "empty read as ink": sum(field.read.kind != "empty" for field in empty),
        "position median mm": round(float(np.median(errors_mm)), 4),
        "position 99 % mm": round(float(np.quantile(errors_mm, 0.99)), 4),
        "totals right": sum(outcome.read_total == outcome.true_total for outcome in found),
        "totals certain": len(certain),
        "totals certain and wrong": sum(outcome.read_total != outcome.true_total for outcome in certain),
        "questions, median sheet": float(np.median(questions or [np.nan])),
        "questions": int(sum(questions)),
        "blank sheets": len(blanks),
        "blank sheets found": sum(outcome.fate == "found" for outcome in blanks),
        "blank fields read as ink or in doubt": sum(
            field.read.kind != "empty" or not field.sure for blank in blanks for field in blank.fields
        ),
    }


def _group_rows(
    fields: Iterable[FieldOutcome], group: Callable[[FieldOutcome], str]
) -> list[tuple[object, ...]]:
    groups: dict[str, list[FieldOutcome]] = {}
    for field in fields:
        groups.setdefault(group(field), []).append(field)
    rows: list[tuple[object, ...]] = []
    for name, members in sorted(groups.items()):
        sure = [field for field in members if field.sure]
        right = sum(field.right for field in members)
        wrong = sum(not field.right for field in sure)
        rows.append(
            (
                name,
                len(members),
                right,
                percent(right, len(members)),
                percent(len(members) - len(sure), len(members)),
                wrong,
                percent(wrong, len(sure), 3),
            )
        )
    return rows


def report(outcomes: Sequence[PhotoOutcome], blanks: Sequence[PhotoOutcome]) -> None:
    """Print all tables."""
    figures = summary(outcomes, blanks)
    print_table("Summary", ("figure", "value", "share"), _summary_rows(figures))
    fields = [field for outcome in outcomes for field in outcome.fields]
    headers = ("group", "fields", "exact", "exact share", "in doubt", "sure, wrong", "wrong of sure")
    print_table("By what is written", headers, _group_rows(fields, lambda field: group_of(field.truth)))
    print_table("By kind of field", headers, _group_rows(fields, lambda field: field.kind))
    pairs = Counter((str(field.truth), str(field.raw)) for field in fields if field.raw != field.truth)
    print_table(
        "Most common confusions of the reader",
        ("written", "read", "times"),
        [(truth, raw, times) for (truth, raw), times in pairs.most_common(COMMON_CONFUSIONS)],
    )
    _print_list("Given as sure, and wrong", [field for field in fields if field.sure and not field.right])
    ink = [field for outcome in (*outcomes, *blanks) for field in outcome.fields if _ghost(field)]
    _print_list("Empty, and read as ink", ink)
    lost = [f"photo {outcome.photo}: {outcome.reason}" for outcome in outcomes if outcome.fate != "found"]
    _print_list("Refused, missed or doubled", lost)
    wrong_totals = [
        f"photo {outcome.photo}: {outcome.read_total} instead of {outcome.true_total}"
        for outcome in outcomes
        if outcome.certain and outcome.read_total != outcome.true_total
    ]
    _print_list("Totals given as certain, and wrong", wrong_totals)


def _ghost(field: FieldOutcome) -> bool:
    return field.truth.kind == "empty" and field.read.kind != "empty"


def _summary_rows(figures: dict[str, float]) -> Iterator[tuple[object, ...]]:
    for name, figure in figures.items():
        whole = WHOLES.get(name)
        yield name, figure, percent(figure, figures[whole], 3) if whole else ""


def _print_list(title: str, entries: Sequence[object]) -> None:
    print(f"\n{title}: {len(entries)}\n")
    for entry in entries[:LISTED]:
        print(f"- {entry}")
    if len(entries) > LISTED:
        print(f"- and {len(entries) - LISTED} more")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accuracy", description=__doc__)
    parser.add_argument("--photos", type=int, default=200)
    parser.add_argument("--blank", type=int, default=20, help="photos of blank sheets")
    parser.add_argument("--reader", choices=get_args(ReaderName), default="network")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--failures", type=Path, default=FAILURES, help="folder for pictures of wrong fields")
    parser.add_argument("--json", action="store_true", help="the summary and all outcomes as JSON")
    lab.add_options(parser)
    options = parser.parse_args(arguments)
    source = lab.source_of(options)
    first = options.seed
    jobs = [lab.Job(source, first + number) for number in range(options.photos)]
    empty = [lab.Job(source, first + number, blank=True) for number in range(options.blank)]
    outcomes = run([*jobs, *empty], options.reader, options.processes, options.failures)
    filled, blanks = outcomes[: len(jobs)], outcomes[len(jobs) :]
    if options.json:
        everything = [dataclasses.asdict(outcome) for outcome in outcomes]
        print(json.dumps({"summary": summary(filled, blanks), "outcomes": everything}, ensure_ascii=False))
    else:
        report(filled, blanks)
    return 0


if __name__ == "__main__":
    sys.exit(main())
