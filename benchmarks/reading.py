"""The readers against each other on the same fields of the same photos.

`python -m benchmarks.reading` prints, for the network, the second reader alone, both combined and Tesseract,
how many fields they read exactly: by what is written, by pen, by writers' habits (European 1 and 7 or not);
what they take for what; how far their confidence can be believed; what the rules add; and the time a sheet
takes on one core. The writers are those of the `validation` split, which nothing was trained on; photos are
none of those that calibrations were made with.
"""

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from benchmarks import lab
from benchmarks.tables import percent, print_table
from sheetscan.decode import with_rules
from sheetscan.games import rules_for
from sheetscan.imaging.cells import cut_cells
from sheetscan.pipeline import Scan, Scanner, concluded
from sheetscan.reading.choice import ReaderName, load_reader
from sheetscan.reading.combined import load_combination
from sheetscan.reading.network import reading_of
from sheetscan.reading.reader import Reader, Reading
from sheetscan.reading.second import SecondReader
from sheetscan.result import Content, FieldReading
from sheetscan.template import Field, FieldKind

COMPARED = ("network", "second", "combined", "tesseract")
GROUPS = (
    "1 digit",
    "2 digits",
    "3 digits",
    "empty",
    "cross",
    "void",
    "mark: empty",
    "mark: cross",
    "mark: void",
)
CONFUSED_DIGITS = (("1", "7"), ("4", "9"), ("5", "6"), ("0", "6"), ("3", "8"))
COMMON_CONFUSIONS = 12
BINS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)
"""Confidence from which to which readings are counted together; the last bin includes 1."""
EQUAL_BINS = 15
PARTS = ("raw", "with rules")


class SecondAlone:
    """The second reader asked about every field that may hold a number, with the combination's thresholds."""

    def __init__(self) -> None:
        self._second = SecondReader()
        combination = load_combination(self._second.folder)
        self.name, self.cell = self._second.name, self._second.cell
        self.sure_from, self.unreadable_below = combination.sure_from, combination.unreadable_below

    def read(self, cells: NDArray[np.uint8], kinds: Sequence[FieldKind]) -> list[Reading]:
        """See Reader; fields to be marked are not read."""
        return [reading_of(shares) for shares in self._second.probabilities(cells, kinds)]


@dataclass(frozen=True, slots=True)
class Answer:
    """One field: what stands there, what the reader said, and what was concluded with the rules' help."""

    field: Field
    truth: Content
    reading: Reading
    alone: FieldReading
    helped: FieldReading
    pen: str
    european: bool

    @property
    def right(self) -> bool:
        """Whether the reader's first reading is exactly what stands there."""
        return self.reading.best == self.truth


@dataclass(frozen=True, slots=True)
class Comparison:
    """One reader's answers to every field of all sheets, and the processor's seconds that a sheet took."""

    name: str
    answers: tuple[Answer, ...]
    seconds_per_sheet: float


def reader_named(name: str) -> Reader:
    """One of COMPARED."""
    if name == "second":
        return SecondAlone()
    chosen: dict[str, ReaderName] = {"network": "network", "combined": "combined", "tesseract": "tesseract"}
    return load_reader(chosen[name])


def group_of(content: Content) -> str:
    """What stands in a field, by its number of digits where it is a number."""
    if content.value is None:
        return content.kind
    digits = len(str(abs(content.value)))
    return f"{digits} digit{'s' if digits > 1 else ''}"


def field_group(answer: Answer) -> str:
    """As `group_of`, fields to be marked apart."""
    group = group_of(answer.truth)
    return f"mark: {group}" if answer.field.kind == "mark" else group


def compare(scans: Sequence[tuple[lab.LabPhoto, Scan]], reader: Reader) -> Comparison:
    """Let one reader read every field of the scanned photos, each cut as the reader wants it."""
    answers: list[Answer] = []
    seconds = 0.0
    for photo, scan in scans:
        chosen = [
            place
            for place, field in enumerate(scan.template.readable_fields)
            if field.kind != "mark" or not isinstance(reader, SecondAlone)
        ]
        fields = [scan.template.readable_fields[place] for place in chosen]
        cells = cut_cells(scan.pixels, scan.sheet_map, scan.template, reader.cell)[chosen]
        start = _processor_seconds()
        readings = reader.read(cells, [field.kind for field in fields])
        seconds += _processor_seconds() - start
        answers += _answers(photo, scan, fields, readings, reader)
    return Comparison(reader.name, tuple(answers), seconds / max(len(scans), 1))


def _processor_seconds() -> float:
    """What this process and the programs that it ran have worked: fair on a machine with other work."""
    return sum(os.times()[:4])


def _answers(
    photo: lab.LabPhoto, scan: Scan, fields: Sequence[Field], readings: Sequence[Reading], reader: Reader
) -> Iterator[Answer]:
    alone = {field.id: concluded(reading, reader) for field, reading in zip(fields, readings, strict=True)}
    helped = with_rules(rules_for(scan.template), alone, reader.sure_from)
    for field, reading in zip(fields, readings, strict=True):
        yield Answer(
            field,
            photo.truth.fields[field.id].content,
            reading,
            alone[field.id],
            helped[field.id],
            photo.pen,
            photo.european,
        )


def outcome(answers: Sequence[Answer], part: Literal["alone", "helped"]) -> dict[str, int]:
    """Counts over what was concluded: exact, in doubt, sure and wrong, and sure by the rules alone."""
    readings: list[tuple[Content, FieldReading]] = [
        (answer.truth, answer.alone if part == "alone" else answer.helped) for answer in answers
    ]
    return {
        "fields": len(readings),
        "exact": sum(reading.content == truth for truth, reading in readings),
        "in doubt": sum(reading.doubtful for _, reading in readings),
        "sure and wrong": sum(
            not reading.doubtful and reading.content != truth for truth, reading in readings
        ),
        "rule hints": sum(reading.why == "rule hint" for _, reading in readings),
    }


def by_group(answers: Sequence[Answer], group: Callable[[Answer], str]) -> dict[str, dict[str, int]]:
    """Fields and how many were read exactly, by group."""
    groups: dict[str, dict[str, int]] = {}
    for answer in answers:
        counts = groups.setdefault(group(answer), {"fields": 0, "exact": 0})
        counts["fields"] += 1
        counts["exact"] += answer.right
    return groups


def digit_confusions(answers: Sequence[Answer]) -> dict[str, int]:
    """How often one digit was taken for another in numbers read with the right length, both ways, by pair."""
    pairs: Counter[tuple[str, str]] = Counter()
    for answer in answers:
        written, read = answer.truth.value, answer.reading.best.value
        if written is not None and read is not None and len(str(written)) == len(str(read)):
            pairs.update((a, b) for a, b in zip(str(written), str(read), strict=True) if a != b)
    return {f"{a}/{b}": pairs[a, b] + pairs[b, a] for a, b in CONFUSED_DIGITS}


def reliability(answers: Sequence[Answer]) -> list[tuple[float, float, int, float, float]]:
    """For each of BINS that is not empty: from, to, readings, mean confidence, share that is right."""
    confidence = np.array([answer.reading.confidence for answer in answers])
    right = np.array([answer.right for answer in answers])
    places = np.clip(np.searchsorted(BINS, confidence, side="right") - 1, 0, len(BINS) - 2)
    return [
        (
            BINS[place],
            BINS[place + 1],
            int((places == place).sum()),
            float(confidence[places == place].mean()),
            float(right[places == place].mean()),
        )
        for place in range(len(BINS) - 1)
        if (places == place).any()
    ]


def calibration_error(answers: Sequence[Answer]) -> float:
    """Expected calibration error over 15 bins of equal width (Naeini, Cooper and Hauskrecht 2015)."""
    confidence = np.array([answer.reading.confidence for answer in answers])
    right = np.array([answer.right for answer in answers])
    places = np.minimum((confidence * EQUAL_BINS).astype(int), EQUAL_BINS - 1)
    gaps = [
        abs(confidence[places == place].sum() - right[places == place].sum()) for place in range(EQUAL_BINS)
    ]
    return float(sum(gaps) / len(answers))


def figures(comparison: Comparison) -> dict[str, object]:
    """All that is known of one reader as plain data."""
    answers = comparison.answers
    numbers = [answer for answer in answers if answer.truth.kind == "number"]
    return {
        "reader": comparison.name,
        "groups": by_group(answers, field_group),
        "pens": by_group(numbers, lambda answer: answer.pen),
        "writers": by_group(numbers, lambda answer: "European" if answer.european else "other"),
        "raw": outcome(answers, "alone"),
        "with rules": outcome(answers, "helped"),
        "digits": digit_confusions(answers),
        "confusions": Counter(
            f"{answer.truth} as {answer.reading.best}" for answer in answers if not answer.right
        ).most_common(COMMON_CONFUSIONS),
        "reliability": reliability(answers),
        "calibration error": round(calibration_error(answers), 4),
        "ms a sheet": round(1000 * comparison.seconds_per_sheet, 1),
    }


def report(results: Sequence[tuple[str, dict[str, object]]]) -> None:
    """Print all tables."""
    names = [name for name, _ in results]
    print_table("Fields read exactly", ("written", "fields", *names), _group_rows(results, "groups", GROUPS))
    print_table("Numbers, by pen", ("pen", "fields", *names), _group_rows(results, "pens"))
    print_table("Numbers, by writer", ("writer", "fields", *names), _group_rows(results, "writers"))
    headers = ("reader", "fields", "exact", "in doubt", "sure, wrong", "wrong of all", "by rules")
    for part in PARTS:
        print_table(f"At the stored thresholds, {part}", headers, _outcome_rows(results, part))
    pairs = [f"{a}/{b}" for a, b in CONFUSED_DIGITS]
    digits = [(name, *(_table(result, "digits")[pair] for pair in pairs)) for name, result in results]
    print_table("Digits taken for each other", ("reader", *pairs), digits)
    for name, result in results:
        bins = result["reliability"]
        assert isinstance(bins, list)
        title = f"{name}: confidence and truth, calibration error {result['calibration error']}"
        rows = [
            (f"{low} to {high}", count, f"{mean:.4f}", f"{right:.4f}")
            for low, high, count, mean, right in bins
        ]
        print_table(title, ("confidence", "readings", "mean", "right"), rows)
        print(f"\nMost common: {result['confusions']}")
    print_table("Time of one core a sheet", ("reader", "ms"), [(n, r["ms a sheet"]) for n, r in results])


def _table(result: dict[str, object], name: str) -> dict[str, int]:
    part = result[name]
    assert isinstance(part, dict)
    return part


def _group_rows(
    results: Sequence[tuple[str, dict[str, object]]], part: str, order: Sequence[str] = ()
) -> Iterator[tuple[object, ...]]:
    tables: list[dict[str, dict[str, int]]] = []
    for _, result in results:
        table = result[part]
        assert isinstance(table, dict)
        tables.append(table)
    found = {group: None for table in tables for group in table}
    nothing = {"fields": 0, "exact": 0}
    for group in sorted(found, key=lambda name: (order.index(name) if name in order else len(order), name)):
        counts = [table.get(group, nothing) for table in tables]
        most = max(count["fields"] for count in counts)
        yield (group, most, *(percent(count["exact"], count["fields"]) for count in counts))


def _outcome_rows(
    results: Sequence[tuple[str, dict[str, object]]], part: str
) -> Iterator[tuple[object, ...]]:
    for name, result in results:
        counts = _table(result, part)
        whole = counts["fields"]
        yield (
            name,
            whole,
            percent(counts["exact"], whole),
            percent(counts["in doubt"], whole),
            counts["sure and wrong"],
            percent(counts["sure and wrong"], whole, 3),
            counts["rule hints"],
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reading", description=__doc__)
    parser.add_argument("--photos", type=int, default=60)
    parser.add_argument("--readers", nargs="+", choices=COMPARED, default=list(COMPARED))
    parser.add_argument("--json", action="store_true")
    lab.add_options(parser)
    options = parser.parse_args(arguments)
    lab.one_thread()
    os.environ["OMP_THREAD_LIMIT"] = "1"
    readers = {name: reader_named(name) for name in options.readers}
    source = lab.source_of(options)
    scans: list[tuple[lab.LabPhoto, Scan]] = []
    finder = Scanner(next(iter(readers.values())) if "second" not in readers else load_reader("network"))
    for number in range(options.photos):
        photo = lab.make(lab.Job(source, options.seed + number))
        scans += [(photo, result) for result in finder.scan_photo(photo.photo) if isinstance(result, Scan)]
    results = [(name, figures(compare(scans, reader))) for name, reader in readers.items()]
    if options.json:
        print(json.dumps({"photos": options.photos, "sheets": len(scans), "readers": dict(results)}))
    else:
        print(f"{len(scans)} of {options.photos} photos scanned")
        report(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
