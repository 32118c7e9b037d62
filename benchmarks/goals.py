"""Figures beside the goals that they are held to."""

from collections.abc import Iterable
from dataclasses import dataclass

from benchmarks.tables import print_table


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured value; `goal` is the most that it may be, or the least with `at_least`."""

    name: str
    value: float
    unit: str = ""
    goal: float | None = None
    at_least: bool = False

    @property
    def met(self) -> bool | None:
        """Whether the goal is reached, None without one."""
        if self.goal is None:
            return None
        return self.value >= self.goal if self.at_least else self.value <= self.goal


def print_figures(title: str, figures: Iterable[Figure]) -> None:
    """Print figures with their goals and whether they are met."""
    print_table(title, ("figure", "value", "goal", "met"), rows_of(figures))


def rows_of(figures: Iterable[Figure]) -> list[tuple[str, str, str, str]]:
    """Each figure's name, value, goal and whether it is met, in words."""
    return [(figure.name, _number(figure.value, figure.unit), *_goal(figure)) for figure in figures]


def _goal(figure: Figure) -> tuple[str, str]:
    if figure.goal is None:
        return "", ""
    sign = "≥" if figure.at_least else "≤"
    return f"{sign} {_number(figure.goal, figure.unit)}", "yes" if figure.met else "NO"


def _number(value: float, unit: str) -> str:
    text = f"{value:.0f}" if value >= 100 else f"{value:.3g}"
    return f"{text} {unit}".strip()
