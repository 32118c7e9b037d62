"""What is known of readers, as tables beside each other."""

from collections.abc import Iterator, Sequence

from benchmarks.reading_figures import PARTS
from benchmarks.tables import percent, print_table

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

Results = Sequence[tuple[str, dict[str, object]]]
"""Readers' names with their figures (`reading_figures.figures`)."""


def report(results: Results) -> None:
    """Print all tables."""
    names = [name for name, _ in results]
    print_table("Fields read exactly", ("written", "fields", *names), _group_rows(results, "groups", GROUPS))
    kinds = _group_rows(results, "kinds of field")
    print_table("Fields read exactly, by kind of field", ("field", "fields", *names), kinds)
    print_table("Numbers, by pen", ("pen", "fields", *names), _group_rows(results, "pens"))
    print_table("Numbers, by writer", ("writer", "fields", *names), _group_rows(results, "writers"))
    headers = ("reader", "fields", "exact", "in doubt", "sure, wrong", "wrong of all", "by the sheet")
    for part in PARTS:
        print_table(f"At the stored thresholds, {part}", headers, _outcome_rows(results, part))
    pairs = list(_table(results[0][1], "digits"))
    digits = [(name, *(_table(result, "digits")[pair] for pair in pairs)) for name, result in results]
    print_table("Digits taken for each other", ("reader", *pairs), digits)
    for name, result in results:
        _print_confidence(name, result)
    times = [(name, result["ms a sheet"], result["ms of the slowest sheet"]) for name, result in results]
    print_table("Time of one core a sheet", ("reader", "mean, ms", "slowest, ms"), times)


def _print_confidence(name: str, result: dict[str, object]) -> None:
    bins = result["reliability"]
    assert isinstance(bins, list)
    rows = [
        (f"{low} to {high}", count, f"{mean:.4f}", f"{right:.4f}") for low, high, count, mean, right in bins
    ]
    title = f"{name}: confidence and truth, calibration error {result['calibration error']}"
    print_table(title, ("confidence", "readings", "mean", "right"), rows)
    confusions = result["confusions"]
    assert isinstance(confusions, list)
    print("\nMost common:", ", ".join(f"{pair} ({count})" for pair, count in confusions) or "none")


def _table(result: dict[str, object], name: str) -> dict[str, int]:
    part = result[name]
    assert isinstance(part, dict)
    return part


def _group_rows(results: Results, part: str, order: Sequence[str] = ()) -> Iterator[tuple[object, ...]]:
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


def _outcome_rows(results: Results, part: str) -> Iterator[tuple[object, ...]]:
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
