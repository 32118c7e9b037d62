"""What the tallies of all games have in common."""

from collections.abc import Iterable, Mapping, Sequence

from sheetscan.games.base import Violation
from sheetscan.result import CROSS, EMPTY, Content, ScoreLine

Contents = Mapping[str, Content]


def written_number(contents: Contents, field: str) -> int | None:
    """The number in a field, None if it holds none."""
    content = contents.get(field, EMPTY)
    return content.value if content.kind == "number" and isinstance(content.value, int) else None


def marked_boxes(contents: Contents, prefix: str) -> tuple[str, ...]:
    """The boxes, named by a prefix and their place, with a mark that counts."""
    boxes = sorted(field for field in contents if field.startswith(prefix))
    return tuple(field for field in boxes if contents[field].kind == CROSS.kind)


def total_of(lines: Iterable[ScoreLine]) -> int:
    """The sum of the tally."""
    return sum(line.points for line in lines)


def tally_differences(contents: Contents, lines: Sequence[ScoreLine], unsigned: str) -> list[Violation]:
    """Tally: every figure that is written equals the computed one, the `unsigned` line's but for its sign."""
    computed = {f"tally-{line.label}": line.points for line in lines} | {"tally-total": total_of(lines)}
    findings = []
    for field, points in computed.items():
        written = written_number(contents, field)
        sign_apart = field == f"tally-{unsigned}"
        if written is None or written == points or (sign_apart and abs(written) == abs(points)):
            continue
        figures = {"written": written, "computed": abs(points) if sign_apart else points}
        findings.append(Violation("tally", "one-of", (field,), {"field": field, **figures}))
    return findings
