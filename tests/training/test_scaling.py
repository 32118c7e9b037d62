"""Scalings find back what shares were distorted by. Skips without torch."""

import math

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is for training only")

from sheetscan.reading.reader import NUMBER
from sheetscan.result import CROSS, EMPTY, VOID, Content, number
from training.scaling import fit_scaling

CONTENTS = (EMPTY, NUMBER, CROSS, VOID)


def drawn(
    temperature: float, of_void: float, size: int = 2000
) -> tuple[list[dict[Content, float]], list[Content]]:
    """Shares of a reader that is that much too sure and sees that much too many voids, and what is there."""
    rng = np.random.default_rng(3)
    true = rng.dirichlet((0.5, 1.5, 0.3, 0.2), size)
    there = [CONTENTS[int(rng.choice(4, p=shares))] for shares in true]
    told = true**temperature * np.array([1, 1, 1, math.exp(of_void)])
    told /= told.sum(axis=1, keepdims=True)
    return [dict(zip(CONTENTS, row, strict=True)) for row in told.tolist()], there


@pytest.mark.parametrize(("temperature", "of_void"), [(1.0, 0.0), (2.0, 0.0), (0.7, 1.5)])
def test_temperature_and_bias_are_found_back(temperature: float, of_void: float) -> None:
    scaling = fit_scaling(*drawn(temperature, of_void))
    assert scaling.temperature == pytest.approx(temperature, rel=0.1)
    against_empty = scaling.biases.get("void", 0.0) - scaling.biases.get("empty", 0.0)
    assert against_empty * temperature == pytest.approx(-of_void, abs=0.3)


def test_values_have_a_temperature_and_no_bias() -> None:
    shares = [{number(7): 0.9, number(1): 0.1, NUMBER: 0.0}] * 10
    scaling = fit_scaling(shares, [number(7)] * 6 + [number(1)] * 4)
    assert scaling.temperature > 2
    assert scaling.biases == {}


def test_a_value_that_was_not_spelled_counts_as_not_listed() -> None:
    scaling = fit_scaling([{number(7): 0.6, NUMBER: 0.4}] * 10, [number(7)] * 5 + [number(12)] * 5)
    assert scaling.temperature > 1


def test_without_samples_nothing_is_scaled() -> None:
    assert fit_scaling([], []).biases == {}
