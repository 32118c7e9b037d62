"""Sharpness and contrast are measured in the sheet's own units, whatever the photo's."""

import cv2
import numpy as np
import pytest

from sheetscan.errors import NoSheetError
from sheetscan.imaging.photo import Photo
from sheetscan.imaging.quality import (
    MAX_EDGE_MM,
    MIN_CONTRAST,
    Sharpness,
    check_sharpness,
    measure_sharpness,
)
from sheetscan.imaging.refine import locate_sheet
from sheetscan.pipeline import find_sheets
from tests.imaging.conftest import Page, view

FLAT = [(100, 100), (2200, 100), (2200, 1580), (100, 1580)]
PX_PER_MM = 10
TEN_TO_NINETY = 2.563
"""Width of a Gaussian's integral from 10 % to 90 %, in units of its sigma."""


@pytest.fixture(scope="module")
def photo(page: Page) -> np.ndarray:
    return view(page, FLAT).pixels


def measured(photo: np.ndarray) -> Sharpness:
    (seen,) = find_sheets(Photo("x", 1, "", photo), "qwinto")
    return measure_sharpness(photo, locate_sheet(photo, seen), seen)


@pytest.mark.parametrize("sigma_px", [2.0, 3.0])
@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_blur_is_measured_in_millimetres(photo: np.ndarray, sigma_px: float, scale: float) -> None:
    blurred = cv2.GaussianBlur(photo, (0, 0), sigma_px)
    reduced = cv2.resize(blurred, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    assert measured(reduced).edge_mm == pytest.approx(TEN_TO_NINETY * sigma_px / PX_PER_MM, rel=0.15)


def test_a_shake_in_one_direction_counts_in_full(photo: np.ndarray) -> None:
    shaken = cv2.blur(photo, (8, 1))
    assert measured(shaken).edge_mm > 0.6
    assert measured(photo).edge_mm < 0.25


def test_contrast_is_that_between_black_and_paper(photo: np.ndarray) -> None:
    flat = (60 + photo * 0.4).astype(np.uint8)
    assert measured(flat).contrast == pytest.approx(102, abs=3)


def test_paper_is_how_bright_paper_is(photo: np.ndarray) -> None:
    assert measured((photo * 0.5).astype(np.uint8)).paper == pytest.approx(127, abs=3)


def test_only_what_cant_be_read_is_refused_and_says_what_to_do() -> None:
    check_sharpness(Sharpness(MAX_EDGE_MM, MIN_CONTRAST, 40), "qwinto")
    with pytest.raises(NoSheetError, match="too blurred") as blurred:
        check_sharpness(Sharpness(MAX_EDGE_MM + 0.1, 150, 200), "qwinto")
    with pytest.raises(NoSheetError, match="too dark") as dark:
        check_sharpness(Sharpness(0.2, MIN_CONTRAST - 1, 40), "qwinto")
    with pytest.raises(NoSheetError, match="too pale") as pale:
        check_sharpness(Sharpness(0.2, MIN_CONTRAST - 1, 240), "qwinto")
    assert "still" in blurred.value.hint
    assert "better light" in dark.value.hint
    assert "lens" in pale.value.hint
