"""The picture of a refused sheet shows what was found and where the rest would be."""

import cv2
import numpy as np
import pytest

from sheetscan.imaging.markers import SeenSheet
from sheetscan.report.refused import FOUND, MISSING, draw_refused, expected_corners, refused_jpeg
from sheetscan.template import load_template

PX_PER_MM = 5.0
ALL = tuple(range(8))


def seen_sheet(places: tuple[int, ...], shift_px: tuple[float, float] = (50, 40)) -> SeenSheet:
    template = load_template("qwinto")
    corners = {
        marker.id: (np.array(marker.box_mm.corners) * PX_PER_MM + shift_px).astype(np.float32)
        for place, marker in enumerate(template.markers)
        if place in places
    }
    return SeenSheet(template, corners)


def photo(width: int = 1150, height: int = 820) -> np.ndarray:
    return np.full((height, width, 3), 230, np.uint8)


def painted(picture: np.ndarray, colour: tuple[int, int, int]) -> int:
    near = np.abs(picture.astype(int) - colour).max(axis=2) < 8
    return cv2.connectedComponents(cv2.dilate(near.astype(np.uint8), np.ones((25, 25))))[0] - 1


@pytest.mark.parametrize("found", [(0,), (0, 3), (0, 1, 2), ALL])
def test_missing_markers_are_expected_where_they_are_printed(found: tuple[int, ...]) -> None:
    expected, true = expected_corners(seen_sheet(found)), seen_sheet(ALL).corners
    assert set(expected) == set(true)
    for key, corners in true.items():
        assert np.abs(expected[key] - corners).max() < 0.1


def test_found_and_missing_markers_are_told_apart() -> None:
    picture = draw_refused(photo(), seen_sheet((0, 1, 2, 3, 4)), "", "")[:820]
    assert (painted(picture, FOUND), painted(picture, MISSING)) == (5, 3)


def test_the_reason_and_the_hint_stand_below() -> None:
    with_words = draw_refused(photo(), seen_sheet(ALL), "the sheet is folded or crumpled " * 8, "lay it flat")
    without = draw_refused(photo(), seen_sheet(ALL), "", "")
    assert with_words.shape[0] > without.shape[0] > 820
    assert painted(with_words[820:], MISSING) > 0


def test_markers_beyond_the_edge_widen_the_picture_within_bounds() -> None:
    near = draw_refused(photo(), seen_sheet((1, 2, 5, 6), (-60, 40)), "", "")
    far = draw_refused(photo(), seen_sheet((7,), (-3000, 40)), "", "")
    assert 1150 < near.shape[1] < far.shape[1] <= 1150 * 1.6


def test_large_photos_are_reduced() -> None:
    picture = cv2.imdecode(
        np.frombuffer(refused_jpeg(photo(4000, 3000), seen_sheet(ALL), "x", "y"), np.uint8), cv2.IMREAD_COLOR
    )
    assert picture.shape[1] == 1400
