"""The readers against each other on the same fields of the same photos.

`python -m benchmarks.reading` prints, for the network, the second reader alone, both combined and Tesseract,
how many fields they read exactly: by what is written, by kind of field, by pen, by writers' habits (European
1 and 7 or not); what they take for what; how far their confidence can be believed; what the sheet's hand and
the rules add; and the time a sheet takes on one core; at last the network and both combined against their
goals. The writers are those of the `validation` split, which nothing was trained on; photos are none of those
that calibrations were made with. 120 photos take about seven minutes of one core. `--cards` writes what is
held to goals into the model cards, too.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import date

import numpy as np
from numpy.typing import NDArray

from benchmarks import lab
from benchmarks.goals import Figure, print_figures
from benchmarks.reading_card import fill_card
from benchmarks.reading_figures import GOAL_MS, Answer, Comparison, against_goals, figures
from benchmarks.reading_report import report
from sheetscan.decode import with_rules
from sheetscan.games import rules_for
from sheetscan.imaging.cells import cut_cells
from sheetscan.pipeline import Scan, Scanner, by_same_hand, concluded, threshold_of
from sheetscan.reading.choice import ReaderName, load_reader
from sheetscan.reading.combined import load_combination
from sheetscan.reading.model_folder import newest_model
from sheetscan.reading.reader import Reader, Reading, reading_of
from sheetscan.reading.second import SecondReader
from sheetscan.template import Field, FieldKind

COMPARED = ("network", "second", "combined", "tesseract")
PHOTOS = 120
CARDS = {"network": "cells", "combined": "second"}
"""Whose figures stand in which model's card."""


class SecondAlone:
    """The second reader asked about every field that may hold a number, with the combination's thresholds."""

    def __init__(self) -> None:
        self._second = SecondReader()
        combination = load_combination(self._second.folder)
        self.name, self.cell = self._second.name, self._second.cell
        self.sure_from, self.unreadable_below = combination.sure_from, combination.unreadable_below
        self.same_hand = None
        self.pale_below = 0.0

    def read(self, cells: NDArray[np.uint8], kinds: Sequence[FieldKind]) -> list[Reading]:
        """See Reader; fields to be marked are not read."""
        return [reading_of(shares) for shares in self._second.probabilities(cells, kinds)]


def reader_named(name: str) -> Reader:
    """One of COMPARED."""
    if name == "second":
        return SecondAlone()
    chosen: dict[str, ReaderName] = {"network": "network", "combined": "combined", "tesseract": "tesseract"}
    return load_reader(chosen[name])


def compare(
    scans: Iterable[tuple[lab.LabPhoto, Scan]], readers: Mapping[str, Reader]
) -> dict[str, Comparison]:
    """Let the readers read every field of the scanned photos, each cut as the reader wants it.

    What a reader loads once is no part of its time: it reads the first sheet twice.
    """
    answers: dict[str, list[Answer]] = {name: [] for name in readers}
    seconds: dict[str, list[float]] = {name: [] for name in readers}
    for photo, scan in scans:
        for name, reader in readers.items():
            fields, cells = _cells(scan, reader)
            kinds = [field.kind for field in fields]
            if not seconds[name]:
                reader.read(cells, kinds)
            start = _processor_seconds()
            readings = reader.read(cells, kinds)
            seconds[name].append(_processor_seconds() - start)
            answers[name] += _answers(photo, scan, fields, readings, reader)
    return {
        name: Comparison(reader.name, tuple(answers[name]), tuple(seconds[name]))
        for name, reader in readers.items()
    }


def _cells(scan: Scan, reader: Reader) -> tuple[list[Field], NDArray[np.uint8]]:
    """The fields that a reader reads, with their cells."""
    chosen = [
        place
        for place, field in enumerate(scan.template.readable_fields)
        if field.kind != "mark" or not isinstance(reader, SecondAlone)
    ]
    cells = cut_cells(scan.pixels, scan.sheet_map, scan.template, reader.cell)[chosen]
    return [scan.template.readable_fields[place] for place in chosen], cells


def _processor_seconds() -> float:
    """What this process and the programs that it ran have worked: fair on a machine with other work."""
    return time.process_time() + sum(os.times()[2:4])


def _answers(
    photo: lab.LabPhoto, scan: Scan, fields: Sequence[Field], readings: Sequence[Reading], reader: Reader
) -> Iterator[Answer]:
    rules = rules_for(scan.template)
    by_hand = {
        field.id: concluded(with_hand, reader, field.kind, reading)
        for field, reading, with_hand in zip(
            fields, readings, by_same_hand(readings, fields, rules, reader), strict=True
        )
    }
    helped = with_rules(rules, by_hand, threshold_of(reader, scan.template))
    for field, reading in zip(fields, readings, strict=True):
        yield Answer(
            field,
            photo.truth.fields[field.id].content,
            reading,
            concluded(reading, reader, field.kind),
            by_hand[field.id],
            helped[field.id],
            photo.pen,
            photo.european,
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reading", description=__doc__)
    parser.add_argument("--photos", type=int, default=PHOTOS)
    parser.add_argument("--readers", nargs="+", choices=COMPARED, default=list(COMPARED))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--cards", action="store_true", help="write the figures into the model cards, too")
    lab.add_options(parser)
    options = parser.parse_args(arguments)
    lab.one_thread()
    os.environ["OMP_THREAD_LIMIT"] = "1"
    readers = {name: reader_named(name) for name in options.readers}
    compared = compare(_scans(options), readers)
    sheets = len(next(iter(compared.values())).seconds)
    if not sheets:
        raise SystemExit(f"none of {options.photos} photos could be read")
    results = {name: figures(comparison) for name, comparison in compared.items()}
    goals = {name: list(against_goals(name, compared[name])) for name in GOAL_MS if name in compared}
    if options.json:
        held = {name: [asdict(figure) for figure in found] for name, found in goals.items()}
        document = {"photos": options.photos, "sheets": sheets, "readers": results, "goals": held}
        print(json.dumps(document, ensure_ascii=False))
    else:
        print(f"{sheets} of {options.photos} photos scanned")
        report(list(results.items()))
        for name, found in goals.items():
            print_figures(f"{name} against the goals", found)
    if options.cards:
        _fill_cards(goals, f"{sheets} sheets (`{_command(options)}`, {date.today():%d %B %Y})")
    return 0


def _fill_cards(goals: Mapping[str, Sequence[Figure]], measured_on: str) -> None:
    for name, model in CARDS.items():
        if name in goals:
            fill_card(newest_model(model) / "MODEL_CARD.md", name, goals[name], measured_on)


def _command(options: argparse.Namespace) -> str:
    """What was called, as far as it decides on the photos."""
    words = ["python -m benchmarks.reading", f"--photos {options.photos}", f"--seed {options.seed}"]
    words += [f"--template {options.template}", f"--difficulty {options.difficulty}"]
    return " ".join(words)


def _scans(options: argparse.Namespace) -> Iterator[tuple[lab.LabPhoto, Scan]]:
    """The photos that could be scanned, each with its sheet."""
    source, finder = lab.source_of(options), Scanner(load_reader("network"))
    for number in range(options.photos):
        photo = lab.make(lab.Job(source, options.seed + number))
        for found in finder.scan_photo(photo.photo):
            if isinstance(found, Scan):
                yield photo, found


if __name__ == "__main__":
    sys.exit(main())
