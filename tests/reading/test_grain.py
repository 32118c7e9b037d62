"""Grain is smoothed and strokes stay; crumbs of strokes are told from whole ones."""

import numpy as np
import pytest
from numpy.typing import NDArray

from sheetscan.geometry import CellSpec
from sheetscan.reading.grain import stroke_lengths_mm, without_noise

CELL = CellSpec(64, 16)


def cell(*strokes: tuple[slice, slice], noise: float = 0.0) -> NDArray[np.uint8]:
    """A field of 44 pixels, 4 to a millimetre, with black strokes and noise."""
    ink = np.random.default_rng(3).normal(20 if noise else 0, noise, (64, 64))
    for stroke in strokes:
        ink[stroke] = 220
    printed = np.full((64, 64), 255)
    printed[10:54, 10:54] = 0
    return np.stack([np.clip(ink, 0, 255), printed], axis=-1).astype(np.uint8)


STEM = (slice(18, 46), slice(30, 33))


def test_noise_is_smoothed_and_a_stroke_is_not() -> None:
    (smooth,) = without_noise(cell(STEM, noise=12.0)[None])
    bare = smooth[20:44, 12:26, 0]
    assert bare.std() < 4
    assert smooth[20:44, 31, 0].min() > 150


def test_print_and_the_cells_themselves_are_left_alone() -> None:
    cells = cell(STEM, noise=12.0)[None]
    before = cells.copy()
    assert (without_noise(cells)[..., 1] == cells[..., 1]).all()
    assert (cells == before).all()


@pytest.mark.parametrize(
    ("strokes", "length_mm"),
    [
        ((STEM,), 7.0),
        (((slice(18, 22), slice(30, 33)), (slice(26, 32), slice(30, 33))), 1.5),
        ((), 0.0),
        (((slice(2, 7), slice(0, 64)),), 0.0),
    ],
    ids=["whole", "crumbs", "none", "outside"],
)
def test_the_longest_stroke_counts(strokes: tuple[tuple[slice, slice], ...], length_mm: float) -> None:
    assert stroke_lengths_mm(cell(*strokes)[None], CELL).tolist() == [length_mm]
