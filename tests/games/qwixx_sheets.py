"""Qwixx sheets in short: the crossed numbers of each row, `L` for its lock."""

from sheetscan.games import rules_for
from sheetscan.games.base import Audit, Violation
from sheetscan.games.qwixx import Qwixx
from sheetscan.result import CROSS, Content, number
from sheetscan.template import load_template

VARIANTS = ("qwixx", "qwixx-mixx-a", "qwixx-mixx-b")
ORDERS = {
    "qwixx": {
        "red": "2 3 4 5 6 7 8 9 10 11 12",
        "yellow": "2 3 4 5 6 7 8 9 10 11 12",
        "green": "12 11 10 9 8 7 6 5 4 3 2",
        "blue": "12 11 10 9 8 7 6 5 4 3 2",
    },
    "qwixx-mixx-b": {
        "red": "10 6 2 8 3 4 12 5 9 7 11",
        "yellow": "9 12 4 6 7 2 5 8 11 3 10",
        "green": "8 2 10 12 6 9 7 4 5 11 3",
        "blue": "5 7 11 9 12 3 8 10 2 6 4",
    },
}
ORDERS["qwixx-mixx-a"] = ORDERS["qwixx"]


def rules_of(variant: str = "qwixx") -> Qwixx:
    rules = rules_for(load_template(variant))
    assert isinstance(rules, Qwixx)
    return rules


def sheet(penalties: int = 0, tally: dict[str, int] | None = None, **rows: str) -> dict[str, Content]:
    """The contents of a sheet, as in `sheet(red="2 3 12 L", tally={"total": 6})`."""
    contents = {
        f"{row}-{'lock' if word == 'L' else word}": CROSS
        for row, words in rows.items()
        for word in words.split()
    }
    contents |= {f"penalty-{place}": CROSS for place in range(1, penalties + 1)}
    return contents | {f"tally-{name}": number(value) for name, value in (tally or {}).items()}


def audit(contents: dict[str, Content], variant: str = "qwixx") -> Audit:
    return rules_of(variant).audit(contents)


def points(judged: Audit) -> dict[str, int]:
    return {line.label: line.points for line in judged.lines}


def told(judged: Audit) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(found.code, found.severity, found.fields) for found in judged.violations]


def figures(judged: Audit) -> dict[str, object]:
    (violation,) = judged.violations
    assert isinstance(violation, Violation)
    return dict(violation.figures)
