"""Lines through the whole sheet are found, printed and written ones are not, and cells are rid of them."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from sheetscan.geometry import CellSpec
from sheetscan.imaging.photo import Photo
from sheetscan.imaging.refine import locate_sheet
from sheetscan.imaging.streaks import Streak, find_streaks, without_streaks
from sheetscan.pipeline import find_sheets
from sheetscan.template import Template
from tests.imaging.conftest import PX_PER_MM, UPRIGHT, Page, view

CELL = CellSpec(64, 16)
Ends = tuple[tuple[float, float], tuple[float, float]]
UPRIGHT_LINE: Ends = ((70.0, -5.0), (71.5, 153.0))
LEVEL_LINE: Ends = ((-5.0, 52.0), (215.0, 50.0))


def drawn(page: Page, ends_mm: Ends, width_mm: float = 0.4, grey: int = 120) -> Page:
    streaky = page.copy()
    start, end = ([round(place * PX_PER_MM) for place in point] for point in ends_mm)
    cv2.line(streaky, start, end, (grey,) * 3, round(width_mm * PX_PER_MM), cv2.LINE_AA)
    return streaky


def streaks_in(page: Page, noise: float = 0.0) -> tuple[Streak, ...]:
    pixels = view(page, UPRIGHT).pixels
    spoilt = pixels + np.random.default_rng(1).normal(0, noise, pixels.shape)
    photo = Photo("x", 1, "", np.clip(spoilt, 0, 255).astype(np.uint8))
    (seen,) = find_sheets(photo, "qwinto")
    return find_streaks(photo.grey, locate_sheet(photo.pixels, seen), seen.template)


@pytest.mark.parametrize("ends_mm", [UPRIGHT_LINE, LEVEL_LINE])
@pytest.mark.parametrize("width_mm", [0.15, 0.4])
def test_a_line_from_edge_to_edge_is_found_where_it_is(page: Page, ends_mm: Ends, width_mm: float) -> None:
    (streak,) = streaks_in(drawn(page, ends_mm, width_mm))
    assert streak.level == (ends_mm is LEVEL_LINE)
    across = 1 if streak.level else 0
    for found, line in zip((streak.start_mm, streak.end_mm), ends_mm, strict=True):
        assert found[across] == pytest.approx(line[across], abs=0.6)
    assert width_mm <= streak.width_mm < width_mm + 1.2


def test_it_is_found_in_noise_and_noise_is_none(page: Page) -> None:
    assert len(streaks_in(drawn(page, LEVEL_LINE, grey=60), noise=25)) == 1
    assert streaks_in(page, noise=25) == ()


@pytest.mark.parametrize("ends_mm", [((20.0, 51.0), (190.0, 51.0)), ((100.0, 20.0), (100.0, 153.0))])
def test_a_line_that_ends_on_the_sheet_was_drawn(page: Page, ends_mm: Ends) -> None:
    """A player strikes out what is left of a row; rows and names are printed on lines."""
    assert streaks_in(drawn(page, ends_mm)) == ()


def test_fields_that_it_runs_through_or_beside_are_crossed(qwinto: Template) -> None:
    x, y = qwinto.field("yellow-5").box_mm.centre
    streak = Streak((x, 0.0), (x, 148.0), 0.5)
    crossed = {field.id for field in qwinto.readable_fields if streak.crosses(field.box_mm)}
    assert {"yellow-5", "orange-5"} <= crossed
    assert not crossed & {"yellow-3", "yellow-7", "orange-9"}
    level = Streak((0.0, y), (210.0, y), 0.5)
    assert {field.row for field in qwinto.readable_fields if level.crosses(field.box_mm)} == {"yellow"}


@pytest.mark.parametrize("level", [True, False])
def test_a_cell_is_rid_of_it_and_keeps_what_crosses_it(level: bool) -> None:
    def turned(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return picture if level else picture.T

    clean = np.zeros((64, 64), np.uint8)
    clean[8:56, 20:24] = 200  # a stroke across the streak
    dirty = clean.copy()
    dirty[30:32] = np.maximum(dirty[30:32], 150)
    ends: Ends = ((0.0, 107.75), (210.0, 107.75))
    streak = Streak(*ends, 0.5) if level else Streak(ends[0][::-1], ends[1][::-1], 0.5)
    cell = np.ascontiguousarray(np.stack([turned(dirty), np.full((64, 64), 9, np.uint8)], axis=-1))
    centre = (50.0, 108.0) if level else (108.0, 50.0)
    mended = without_streaks(cell, centre, CELL, [streak])
    assert np.array_equal(turned(mended[..., 0]), clean)
    assert np.array_equal(mended[..., 1], cell[..., 1])
