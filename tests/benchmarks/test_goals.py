"""Figures are set beside their goals, and a missed goal shows."""

import pytest

from benchmarks.goals import Figure, print_figures


@pytest.mark.parametrize(
    ("figure", "met"),
    [
        (Figure("time", 350, "ms", 350), True),
        (Figure("time", 351, "ms", 350), False),
        (Figure("times faster", 1.8, goal=1.8, at_least=True), True),
        (Figure("times faster", 1.79, goal=1.8, at_least=True), False),
        (Figure("time", 351, "ms"), None),
    ],
)
def test_a_goal_is_the_most_or_the_least(figure: Figure, met: bool | None) -> None:
    assert figure.met is met


def test_a_missed_goal_shows(capsys: pytest.CaptureFixture[str]) -> None:
    figures = [Figure("memory", 401.4, "MB", 400), Figure("speed", 1.994, goal=1.8, at_least=True)]
    print_figures("Goals", figures)
    rows = [[cell.strip() for cell in line.split("|")] for line in capsys.readouterr().out.splitlines()]
    assert ["", "memory", "401 MB", "≤ 400 MB", "NO", ""] in rows
    assert ["", "speed", "1.99", "≥ 1.8", "yes", ""] in rows
