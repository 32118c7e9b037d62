"""Damage does to the paper what its name says, and nothing to the rest of it."""

import cv2
import numpy as np
import pytest

from sheetscan.geometry import Box
from sheetscan.lab.damage import (
    CORNERS,
    Corner,
    bent_corner,
    covered,
    dog_eared,
    shown_through,
    streaked,
    thumbed,
    with_decoy,
)
from sheetscan.lab.scene import Thumb
from sheetscan.lab.studio import RASTER_PX_PER_MM, PrintedSheet, print_sheet
from sheetscan.printing.order import PrintOrder
from sheetscan.template import load_template

QWINTO = load_template("qwinto")
SHEETS = [print_sheet(QWINTO, PrintOrder(paper=paper, game_id="LAB234"), 1) for paper in ("a5", "letter")]


def changed(before: PrintedSheet, after: PrintedSheet) -> np.ndarray:
    """Where the page differs, in sheet millimetres (n, 2)."""
    places = np.argwhere(cv2.absdiff(before.page, after.page).max(axis=2) > 40)[:, ::-1]
    return ((places + 0.5) / RASTER_PX_PER_MM - before.origin_mm) / before.scale


def markers_in(sheet: PrintedSheet) -> dict[int, np.ndarray]:
    """Middles of the markers that can be found, in sheet millimetres, by id."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, QWINTO.dictionary))
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(sheet.page)
    return {
        int(marker_id): ((quad.reshape(4, 2).mean(axis=0) + 0.5) / RASTER_PX_PER_MM - sheet.origin_mm)
        / sheet.scale
        for quad, marker_id in zip(corners, np.ravel(ids), strict=True)
    }


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_sticker_covers_its_marker_alone(sheet: PrintedSheet) -> None:
    box = QWINTO.markers[3].box_mm.grown(0.8)
    stuck = covered(sheet, box)
    assert sorted(markers_in(stuck)) == [0, 1, 2, 4, 5, 6, 7]
    places = changed(sheet, stuck)
    assert (places.min(axis=0) > np.array([box.x, box.y]) - 0.1).all()
    assert (places.max(axis=0) < np.array([box.right, box.bottom]) + 0.1).all()


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_decoy_is_a_marker_where_it_was_put(sheet: PrintedSheet) -> None:
    without = covered(sheet, QWINTO.markers[0].box_mm.grown(0.8))
    decoyed = with_decoy(without, QWINTO, 0, (27.0, 11.0))
    assert markers_in(decoyed)[0] == pytest.approx([27, 11], abs=0.2)


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_thumb_lies_from_its_tip_to_the_edge_that_it_comes_from(sheet: PrintedSheet) -> None:
    places = changed(sheet, thumbed(sheet, Thumb((105.0, 15.0), -90.0)))
    assert places[:, 1].max() < 17
    assert np.abs(places[:, 0] - 105).max() < 12
    assert 1 not in markers_in(thumbed(sheet, Thumb((105.0, 15.0), -90.0)))


@pytest.mark.parametrize("upright", [True, False])
def test_streaks_run_from_edge_to_edge(upright: bool) -> None:
    (sheet, *_) = SHEETS
    streaky = streaked(sheet, np.random.default_rng(3), upright=upright, width_mm=0.4)
    darker = (streaky.page < sheet.page).any(axis=2)
    assert darker.any(axis=1 if upright else 0).all()
    assert not (streaky.page > sheet.page).any()
    assert darker.mean() < 0.05


def test_the_back_shows_through_mirrored_and_pale() -> None:
    (sheet, *_) = SHEETS
    seen = shown_through(sheet, 0.1)
    darker = sheet.page.astype(int) - seen.page
    assert darker.min() >= 0
    assert 15 < darker.max() <= 26
    back = 255 - sheet.page[:, ::-1].astype(int)
    assert np.corrcoef(darker[sheet.page > 250], back[sheet.page > 250])[0, 1] > 0.9


CORNER_MARKER: dict[Corner, int] = {"top left": 0, "top right": 2, "bottom right": 4, "bottom left": 6}


@pytest.mark.parametrize("corner", CORNERS)
def test_a_folded_corner_takes_its_marker_with_it(corner: Corner) -> None:
    sheet = SHEETS[0]
    folded = dog_eared(sheet, corner, 28)
    assert set(range(8)) - set(markers_in(folded)) == {CORNER_MARKER[corner]}
    distance = np.abs(changed(sheet, folded) - corner_of(corner))
    assert distance.max() < 28.2
    y, x = (int(side * RASTER_PX_PER_MM) for side in np.abs(np.array(corner_of(corner))[::-1] - 2))
    assert folded.page[y, x].max() < 100
    y, x = (int(side * RASTER_PX_PER_MM) for side in np.abs(np.array(corner_of(corner))[::-1] - 18))
    assert np.ptp(folded.page[y, x]) == 0


@pytest.mark.parametrize("corner", CORNERS)
@pytest.mark.parametrize("angle_deg", [20, 40])
def test_a_bent_corner_carries_its_marker_towards_the_fold(corner: Corner, angle_deg: float) -> None:
    """Beyond the fold distances from it shrink by the cosine."""
    sheet, leg = SHEETS[0], 36.0
    bent = bent_corner(sheet, corner, leg, angle_deg)
    before, after = (markers_in(each) for each in (sheet, bent))
    marker = CORNER_MARKER[corner]
    beyond = leg / np.sqrt(2) - np.abs(np.array(before[marker]) - corner_of(corner)).sum() / np.sqrt(2)
    moved = np.linalg.norm(after[marker] - before[marker])
    assert moved == pytest.approx(beyond * (1 - np.cos(np.deg2rad(angle_deg))), abs=0.25)
    for other in set(range(8)) - {marker}:
        assert after[other] == pytest.approx(before[other], abs=0.05)


def corner_of(corner: Corner) -> tuple[float, float]:
    page = Box(0, 0, *QWINTO.page_mm)
    return (page.right if "right" in corner else page.x, page.bottom if "bottom" in corner else page.y)
