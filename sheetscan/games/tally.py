"""What the tallies of all games have in common."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

from sheetscan.games.base import Figure, Violation
from sheetscan.games.mistakes import mistake_in_total
from sheetscan.result import CROSS, EMPTY, Content, ScoreLine

Contents = Mapping[str, Content]

SHEETS_REMEMBERED = 64
LINES_REMEMBERED = 4096
DIFFERENCES_REMEMBERED = 4096


def written_number(contents: Contents, field: str) -> int | None:
    """The number in a field, None if it holds none."""
    content = contents.get(field, EMPTY)
    return content.value if content.kind == "number" else None


def marked_boxes(contents: Contents, prefix: str) -> tuple[str, ...]:
    """The boxes, named by a prefix and their place, with a mark that counts."""
    boxes = _named(prefix, tuple(contents))
    return tuple([box for box in boxes if contents[box].kind == CROSS.kind])


@lru_cache(SHEETS_REMEMBERED)
def _named(prefix: str, fields: tuple[str, ...]) -> tuple[str, ...]:
    """The fields with that prefix, sorted: the same for all readings of a sheet."""
    return tuple(sorted([field for field in fields if field.startswith(prefix)]))


@lru_cache(LINES_REMEMBERED)
def tally_lines(labels: tuple[str, ...], points: tuple[int, ...]) -> tuple[ScoreLine, ...]:
    """The lines of a tally, of which nearly equal sheets have the same."""
    return tuple(map(ScoreLine, labels, points))


def total_of(lines: Iterable[ScoreLine]) -> int:
    """The sum of the tally."""
    return sum([line.points for line in lines])


def tally_differences(
    contents: Contents,
    lines: Sequence[ScoreLine],
    unsigned: str,
    mistake_in: Callable[[str, int], str | None],
) -> list[Violation]:
    """Tally: every figure that is written equals the computed one, the `unsigned` line's but for its sign.

    `mistake_in` names the likely mistake in a line, by its label, that comes to a figure.
    """
    contained = [contents.get(f"tally-{line.label}", EMPTY) for line in lines]
    figures = [content.value if content.kind == "number" else None for content in contained]
    findings = []
    for line, figure in zip(lines, figures, strict=True):
        if figure is None or figure == line.points:
            continue
        written, computed = figure, line.points
        if line.label == unsigned:
            written, computed = abs(written), abs(computed)
        if written != computed:
            findings.append(_difference(line.label, figure, computed, mistake_in(line.label, written)))
    total = written_number(contents, "tally-total")
    if total is not None and total != total_of(lines):
        known = {
            line.label: line.points if figure is None else figure
            for line, figure in zip(lines, figures, strict=True)
        }
        mistake = mistake_in("total", total) or mistake_in_total(total, known, unsigned)
        findings.append(_difference("total", total, total_of(lines), mistake))
    return findings


@lru_cache(DIFFERENCES_REMEMBERED)
def _difference(label: str, written: int, computed: int, mistake: str | None) -> Violation:
    field = f"tally-{label}"
    figures: dict[str, Figure] = {"field": field, "written": written, "computed": computed}
    return Violation("tally", "one-of", (field,), figures, mistake)
