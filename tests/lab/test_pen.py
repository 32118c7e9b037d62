"""Pens leave ink where the strokes are, only there, and no more than ink can."""

import dataclasses
from typing import get_args

import numpy as np
import pytest

from sheetscan.lab.pen import Pen, PenKind, draw, random_pen

BALLPOINT = Pen("ballpoint", (0.1, 0.1, 0.5), 0.5, 1.0, 0.0, 0.0, 0.0, 0.03)
LINE = [np.array([[20.0, 40.0], [140.0, 40.0]], np.float32)]


def drawn(pen, strokes=None, px_per_mm=8.0, seed=0):
    page = np.ones((80, 160, 3), np.float32)
    draw(page, LINE if strokes is None else strokes, px_per_mm, pen, np.random.default_rng(seed))
    return page


def test_a_line_is_as_wide_and_as_dark_as_the_pen_says():
    column = drawn(BALLPOINT)[:, 80]
    assert column.min(axis=0) == pytest.approx(BALLPOINT.colour_rgb, abs=0.02)
    width_mm = (1 - column[:, 0]).sum() / (1 - BALLPOINT.colour_rgb[0]) / 8
    assert width_mm == pytest.approx(0.5, abs=0.08)


def test_nothing_is_drawn_away_from_the_stroke():
    page = drawn(BALLPOINT)
    assert page[:30].min() == page[50:].min() == 1
    assert page[:, 150:].min() == 1


def test_ink_multiplies_what_is_printed_there():
    page = np.full((80, 160, 3), 0.5, np.float32)
    draw(page, LINE, 8.0, BALLPOINT, np.random.default_rng(0))
    assert page[40, 80] == pytest.approx(0.5 * np.array(BALLPOINT.colour_rgb), abs=0.02)


def test_the_line_is_the_same_at_another_resolution():
    coarse, fine = drawn(BALLPOINT), np.ones((160, 320, 3), np.float32)
    draw(fine, [LINE[0] * 2 + 0.5], 16.0, BALLPOINT, np.random.default_rng(0))
    assert (1 - fine).sum() / 4 == pytest.approx((1 - coarse).sum(), rel=0.05)


def test_a_pen_that_skips_leaves_less_ink_and_pencil_shows_the_grain():
    skipping = dataclasses.replace(BALLPOINT, skips_per_cm=5.0)
    grainy = dataclasses.replace(BALLPOINT, grain=0.6)
    assert (1 - drawn(skipping)).sum() < 0.97 * (1 - drawn(BALLPOINT)).sum()
    assert drawn(grainy)[40, 30:130, 0].std() > 3 * drawn(BALLPOINT)[40, 30:130, 0].std()


@pytest.mark.parametrize(
    "strokes",
    [
        [],
        [np.zeros((0, 2), np.float32)],
        [np.array([[5.0, 5.0]], np.float32)],
        [np.array([[5.0, 5.0], [5.0, 5.0]], np.float32)],
        [np.array([[-500.0, 10.0], [900.0, 10.0]], np.float32)],
        [np.array([[-500.0, -500.0], [-400.0, -400.0]], np.float32)],
    ],
)
def test_odd_strokes_stay_on_the_page(strokes):
    page = drawn(BALLPOINT, strokes)
    assert np.isfinite(page).all()
    assert page.min() > 0
    assert page.max() == 1


def test_a_dot_leaves_a_dot():
    assert drawn(BALLPOINT, [np.array([[80.0, 40.0]], np.float32)])[40, 80].max() < 0.7


def test_random_pens_cover_all_kinds_within_reason():
    pens = [random_pen(np.random.default_rng(seed)) for seed in range(200)]
    assert {pen.kind for pen in pens} == set(get_args(PenKind))
    for pen in pens:
        assert 0.15 < pen.width_mm < 1.5
        assert all(0 < value < 1 for value in pen.colour_rgb)
        assert 0.3 < pen.darkness <= 1
