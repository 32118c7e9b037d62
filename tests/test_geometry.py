"""Boxes and outlines in millimetres, y downward."""

from math import dist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheetscan.geometry import Box, CellSpec, pentagon

lengths = st.floats(0.1, 500)
boxes = st.builds(Box, st.floats(-500, 500), st.floats(-500, 500), lengths, lengths)


def test_edges_centre_and_corners() -> None:
    box = Box(10, 20, 4, 6)
    assert (box.right, box.bottom, box.centre) == (14, 26, (12, 23))
    assert box.corners == ((10, 20), (14, 20), (14, 26), (10, 26))
    assert Box.around((12, 23), 4, 6) == box


def test_grown_adds_on_every_side() -> None:
    assert Box(10, 20, 4, 6).grown(1) == Box(9, 19, 6, 8)
    assert Box(10, 20, 4, 6).grown(-1) == Box(11, 21, 2, 4)


def test_pixels_are_rows_and_columns_and_begin_with_the_picture() -> None:
    assert Box(1, 2, 3, 4).pixels(10) == (slice(20, 60), slice(10, 40))
    assert Box(-1, 2, 3, 4).pixels(10) == (slice(20, 60), slice(0, 20))


def test_boxes_that_share_an_edge_do_not_overlap() -> None:
    left = Box(0, 0, 10, 10)
    assert not left.overlaps(Box(10, 0, 5, 10))
    assert not left.overlaps(Box(0, 10, 10, 5))
    assert left.overlaps(Box(9.9, 9.9, 5, 5))


def test_contains_allows_touching_edges_and_nothing_beyond() -> None:
    outer = Box(0, 0, 10, 10)
    assert outer.contains(outer)
    for beyond in (Box(-0.1, 0, 1, 1), Box(0, -0.1, 1, 1), Box(9.5, 0, 1, 1), Box(0, 9.5, 1, 1)):
        assert not outer.contains(beyond)


@given(boxes, boxes)
def test_overlapping_is_mutual(one: Box, two: Box) -> None:
    assert one.overlaps(two) == two.overlaps(one)


@given(boxes)
def test_pentagon_is_regular_tip_up_and_as_wide_as_its_box(box: Box) -> None:
    corners = pentagon(box)
    sides = [dist(corners[place], corners[place - 1]) for place in range(5)]
    assert sides == pytest.approx([sides[0]] * 5)
    xs, ys = zip(*corners, strict=True)
    assert max(xs) - min(xs) == pytest.approx(box.width)
    assert ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2) == pytest.approx(box.centre, abs=1e-6)
    assert corners[0] == (pytest.approx(box.centre[0], abs=1e-6), min(ys))


def test_inset_moves_every_side_of_a_pentagon_inwards_by_as_much() -> None:
    box = Box(0, 0, 12.4, 12.4)
    outer, inner = pentagon(box), pentagon(box, 0.5)
    for place in range(5):
        (ax, ay), (bx, by) = outer[place - 1], outer[place]
        length = dist((ax, ay), (bx, by))
        for x, y in (inner[place - 1], inner[place]):
            assert abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / length == pytest.approx(0.5)


def test_cell_resolution() -> None:
    assert CellSpec(64, 16).px_per_mm == 4
