"""The prefix search against the definition of CTC: the sum over all paths."""

from itertools import groupby, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sheetscan.reading.ctc import number_probabilities

SYMBOLS = "_-0123456789"


def spelled(path: tuple[int, ...]) -> str:
    """The text of a path: repeats merged, blanks dropped."""
    return "".join(SYMBOLS[symbol] for symbol, _ in groupby(path) if symbol)


def certain(path: str) -> np.ndarray:
    columns = np.zeros((1, len(SYMBOLS), len(path)))
    for column, sign in enumerate(path):
        columns[0, SYMBOLS.index(sign), column] = 1
    return columns


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=15, deadline=None)
def test_probability_of_a_number_is_the_sum_over_all_its_paths(seed):
    rng = np.random.default_rng(seed)
    columns = np.zeros((1, len(SYMBOLS), 4))
    used = [0, *rng.choice(np.arange(1, len(SYMBOLS)), 2, replace=False)]
    columns[0, used] = rng.dirichlet(np.ones(3), 4).T
    by_text: dict[str, float] = {}
    for path in product(used, repeat=4):
        text = spelled(path)
        by_text[text] = by_text.get(text, 0) + np.prod(
            [columns[0, symbol, t] for t, symbol in enumerate(path)]
        )
    by_value: dict[int, float] = {}
    for text, probability in by_text.items():
        if text.lstrip("-").isdecimal() and "-" not in text[1:] and len(text.lstrip("-")) <= 3:
            by_value[int(text)] = by_value.get(int(text), 0) + probability
    found = number_probabilities(columns, SYMBOLS)[0]
    for value, probability in by_value.items():
        assert found.get(value, 0.0) == pytest.approx(probability, abs=2e-4)
    assert sum(found.values()) <= 1 + 1e-9


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("__2211__", 21),
        ("_1_1_", 11),
        ("_11__1_", 11),
        ("999_9_9", 999),
        ("--4_7", -47),
        ("-1_1_8", -118),
        ("0_7_", 7),
    ],
)
def test_spells_numbers(path, value):
    assert number_probabilities(certain(path), SYMBOLS) == [{value: pytest.approx(1.0)}]


@pytest.mark.parametrize("path", ["_____", "__-__", "1_2_3_4", "-1234"])
def test_what_is_no_number_gets_nothing(path):
    assert number_probabilities(certain(path), SYMBOLS) == [{}]


def test_cells_do_not_influence_each_other():
    both = np.concatenate([certain("__2211__"), certain("_7______")])
    assert number_probabilities(both, SYMBOLS) == [{21: pytest.approx(1.0)}, {7: pytest.approx(1.0)}]


def test_no_cells_no_numbers():
    assert number_probabilities(np.zeros((0, len(SYMBOLS), 16)), SYMBOLS) == []
