"""What the tallies of all games have in common."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from sheetscan.games.base import Figure, Violation
from sheetscan.games.mistakes import mistake_in_total
from sheetscan.result import CROSS, EMPTY, Content, ScoreLine

Contents = Mapping[str, Content]


def written_number(contents: Contents, field: str) -> int | None:
    """The number in a field, None if it holds none."""
    content = contents.get(field, EMPTY)
    return content.value if content.kind == "number" else None


def marked_boxes(contents: Contents, prefix: str) -> tuple[str, ...]:
    """The boxes, named by a prefix and their place, with a mark that counts."""
    crossed = (field for field, content in contents.items() if content.kind == CROSS.kind)
    return tuple(sorted(field for field in crossed if field.startswith(prefix)))


def total_of(lines: Iterable[ScoreLine]) -> int:
    """The sum of the tally."""
    return sum(line.points for line in lines)


def tally_differences(
    contents: Contents,
    lines: Sequence[ScoreLine],
    unsigned: str,
    mistake_in: Callable[[str, int], str | None],
) -> list[Violation]:
    """Tally: every figure that is written equals the computed one, the `unsigned` line's but for its sign.

    `mistake_in` names the likely mistake in a line, by its label, that comes to a figure.
    """
    figures = {line.label: written_number(contents, f"tally-{line.label}") for line in lines}
    written = {label: figure for label, figure in figures.items() if figure is not None}
    findings = []
    for line in lines:
        points = abs(line.points) if line.label == unsigned else line.points
        figure = abs(written.get(line.label, points)) if line.label == unsigned else written.get(line.label)
        if figure is not None and figure != points:
            findings.append(
                _difference(line.label, written[line.label], points, mistake_in(line.label, figure))
            )
    total = written_number(contents, "tally-total")
    if total is not None and total != total_of(lines):
        mistake = mistake_in("total", total) or mistake_in_total(total, lines, written, unsigned)
        findings.append(_difference("total", total, total_of(lines), mistake))
    return findings


def _difference(label: str, written: int, computed: int, mistake: str | None) -> Violation:
    field = f"tally-{label}"
    figures: dict[str, Figure] = {"field": field, "written": written, "computed": computed}
    return Violation("tally", "one-of", (field,), figures, mistake)
