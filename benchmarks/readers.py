"""The readers against each other on the same fields of the same photos.

`python -m benchmarks.readers` prints, for every reader, how many fields it reads exactly by what is written
in them, how often it is sure and wrong, and its time a cell on one core.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks import lab
from benchmarks.tables import percent, print_table
from sheetscan.imaging.cells import cut_cells
from sheetscan.pipeline import Scan, Scanner
from sheetscan.reading.reader import Reader, Reading
from sheetscan.result import Content

READERS = ("network", "tesseract")
GROUPS = ("1 digit", "2 digits", "3 digits", "empty", "cross", "line", "void")


@dataclass(frozen=True, slots=True)
class Comparison:
    """One reader's answers: truth and reading of every field, and seconds spent a cell."""

    reader: Reader
    answers: tuple[tuple[Content, Reading], ...]
    seconds_per_cell: float


def load_reader(name: str) -> Reader:
    """The reader of that name, as `sheetscan scan --reader` loads it."""
    if name == "tesseract":
        from sheetscan.reading.tesseract import TesseractReader

        return TesseractReader()
    from sheetscan.reading.network import NetworkReader

    return NetworkReader()


def group_of(content: Content) -> str:
    """What stands in a field, by its number of digits where it is a number."""
    if content.value is None:
        return content.kind
    digits = len(str(abs(content.value)))
    return f"{digits} digit{'s' if digits > 1 else ''}"


def compare(scans: Sequence[tuple[lab.LabPhoto, Scan]], reader: Reader) -> Comparison:
    """Let one reader read every field of the scanned photos, each cut as the reader wants it."""
    answers: list[tuple[Content, Reading]] = []
    seconds = 0.0
    for photo, scan in scans:
        fields = scan.template.readable_fields
        cells = cut_cells(scan.pixels, scan.sheet_map, scan.template, reader.cell)
        start = time.perf_counter()
        readings = reader.read(cells, [field.kind for field in fields])
        seconds += time.perf_counter() - start
        truths = (photo.truth.fields[field.id].content for field in fields)
        answers += zip(truths, readings, strict=True)
    return Comparison(reader, tuple(answers), seconds / max(len(answers), 1))


def figures(comparison: Comparison) -> dict[str, object]:
    """Counts by group: fields and how many were read exactly; and those sure and wrong."""
    groups: dict[str, dict[str, int]] = {}
    sure_and_wrong = 0
    for truth, reading in comparison.answers:
        group = groups.setdefault(group_of(truth), {"fields": 0, "exact": 0})
        group["fields"] += 1
        group["exact"] += reading.best == truth
        sure_and_wrong += reading.best != truth and reading.confidence >= comparison.reader.sure_from
    return {
        "reader": comparison.reader.name,
        "fields": len(comparison.answers),
        "groups": groups,
        "sure and wrong": sure_and_wrong,
        "ms a cell": round(1000 * comparison.seconds_per_cell, 3),
    }


def _rows(results: Sequence[dict[str, object]]) -> Iterator[tuple[str, ...]]:
    for group in GROUPS:
        counts = [_counts(result).get(group, {"fields": 0, "exact": 0}) for result in results]
        if counts[0]["fields"]:
            shares = (percent(count["exact"], count["fields"]) for count in counts)
            yield (group, str(counts[0]["fields"]), *shares)
    for name in ("sure and wrong", "ms a cell"):
        yield (name, "", *(str(result[name]) for result in results))


def _counts(result: dict[str, object]) -> dict[str, dict[str, int]]:
    groups = result["groups"]
    assert isinstance(groups, dict)
    return groups


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.readers", description=__doc__)
    parser.add_argument("--photos", type=int, default=30)
    parser.add_argument("--readers", nargs="+", choices=READERS, default=list(READERS))
    parser.add_argument("--json", action="store_true")
    lab.add_options(parser)
    options = parser.parse_args(arguments)
    lab.one_thread()
    os.environ["OMP_THREAD_LIMIT"] = "1"
    readers = [load_reader(name) for name in options.readers]
    source = lab.source_of(options)
    photos = [lab.make(lab.Job(source, options.seed + number)) for number in range(options.photos)]
    results = [(photo, result) for photo in photos for result in Scanner(readers[0]).scan_photo(photo.photo)]
    scans = [(photo, result) for photo, result in results if isinstance(result, Scan)]
    measured = [figures(compare(scans, reader)) for reader in readers]
    if options.json:
        print(json.dumps(measured))
    else:
        title = f"Fields read exactly, {len(scans)} of {len(photos)} photos"
        print_table(title, ("written", "fields", *options.readers), _rows(measured))
    return 0


if __name__ == "__main__":
    sys.exit(main())
