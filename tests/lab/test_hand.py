"""Invented handwriting: readable, in the agreed units, and every writer true to himself."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sheetscan.lab.glyphs import DIGITS, MARKS
from sheetscan.lab.hand import MARK_KINDS, SyntheticHand, compose
from sheetscan.lab.hand import _parse as parse


def extent(strokes):
    points = np.concatenate(strokes)
    return points.min(axis=0), points.max(axis=0)


@pytest.mark.parametrize("form", [form for forms in (*DIGITS.values(), *MARKS.values()) for form in forms])
def test_both_extremes_of_a_form_have_the_same_points_and_corners(form):
    for near, far in form.strokes:
        assert parse(near)[0].shape == parse(far)[0].shape
        assert parse(near)[1] == parse(far)[1]


@given(st.integers(0, 10_000), st.integers(0, 2**32 - 1), st.sampled_from("0123456789"))
@settings(max_examples=60, deadline=None)
def test_a_digit_is_about_one_high_on_the_baseline(writer, seed, digit):
    low, high = extent(SyntheticHand(writer).write(digit, np.random.default_rng(seed)))
    assert 0.7 < high[1] - low[1] < 1.5
    assert -0.2 < high[1] < 0.3
    assert high[0] - low[0] < 1.5


def test_the_same_seeds_write_the_same():
    first, second = (SyntheticHand(5).write("17", np.random.default_rng(3)) for _ in range(2))
    for one, other in zip(first, second, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_number_is_wider_than_its_digits_and_written_left_to_right():
    hand = SyntheticHand(8)
    one, many = (extent(hand.write(text, np.random.default_rng(0))) for text in ("8", "888"))
    assert many[1][0] - many[0][0] > 2 * (one[1][0] - one[0][0])
    assert many[0][0] == pytest.approx(0, abs=0.2)


def test_europeans_write_flags_and_bars_that_americans_mostly_dont():
    def strokes_of_sevens(european):
        return [
            len(SyntheticHand(seed, european).write("7", np.random.default_rng(seed))) for seed in range(60)
        ]

    assert np.mean(strokes_of_sevens(True)) > np.mean(strokes_of_sevens(False)) + 0.3


@pytest.mark.parametrize("kind", MARK_KINDS)
def test_marks_lie_around_the_unit_square(kind):
    for seed in range(20):
        low, high = extent(SyntheticHand(seed).mark(kind, np.random.default_rng(seed)))
        centre = (low + high) / 2
        assert abs(centre[0] - 0.5) < 0.25
        assert abs(centre[1] + 0.5) < 0.25
        assert max(high - low) < 1.6


def test_a_cross_has_two_arms_in_both_directions():
    for seed in range(20):
        low, high = extent(SyntheticHand(seed).cross(np.random.default_rng(seed)))
        assert min(high - low) > 0.5


@pytest.mark.parametrize("text", ["", "x", "1 2", "٣"])
def test_what_cannot_be_written_is_refused(text):
    with pytest.raises(ValueError, match="can be written"):
        SyntheticHand(1).write(text, np.random.default_rng(0))


def test_signs_set_with_negative_spacing_overlap():
    bar = [np.array([[0.0, -1.0], [0.5, 0.0]], np.float32)]
    rng = np.random.default_rng(0)
    apart, touching = (extent(compose([bar, bar], spacing, 0.0, rng)) for spacing in (0.5, -0.4))
    assert touching[1][0] < apart[1][0] - 0.5
