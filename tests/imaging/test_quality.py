"""Sharpness and contrast are measured in the sheet's own units, whatever the photo's."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from sheetscan.errors import NoSheetError
from sheetscan.imaging.photo import Photo
from sheetscan.imaging.quality import (
    MAX_EDGE_MM,
    MIN_CONTRAST,
    MIN_SIGNAL,
    POOR_PX_PER_MM,
    Sharpness,
    check_legible,
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


def test_noise_is_that_of_bare_paper(photo: np.ndarray) -> None:
    noisy = photo + np.random.default_rng(1).normal(0, 6, photo.shape[:2])[..., None] - 20
    seen = measured(np.clip(noisy, 0, 255).astype(np.uint8))
    assert seen.noise == pytest.approx(4.3, abs=1)  # Between pixels, where it is looked at, it is less.
    assert measured(photo).noise < 1
    assert seen.px_per_mm == pytest.approx(PX_PER_MM, rel=0.01)


GOOD = Sharpness(edge_mm=0.3, contrast=200, paper=220, noise=2, px_per_mm=10)
BLURRED = replace(GOOD, edge_mm=MAX_EDGE_MM - 0.1)
NOISY = replace(GOOD, contrast=30, paper=50, noise=30 / (MIN_SIGNAL + 0.2))
PALE = replace(NOISY, paper=220)
SMALL = replace(GOOD, px_per_mm=POOR_PX_PER_MM - 0.2)


@pytest.mark.parametrize(
    ("sharpness", "message", "hint"),
    [
        (replace(GOOD, edge_mm=MAX_EDGE_MM + 0.1), "too blurred", "still"),
        (replace(NOISY, noise=30 / (MIN_SIGNAL - 0.2)), "too dark", "better light"),
        (replace(PALE, contrast=MIN_CONTRAST - 1), "too pale", "lens"),
    ],
)
def test_what_cant_be_read_is_refused_and_says_what_to_do(
    sharpness: Sharpness, message: str, hint: str
) -> None:
    with pytest.raises(NoSheetError, match=f"qwinto sheet is {message}") as refusal:
        check_sharpness(sharpness, "qwinto")
    assert hint in refusal.value.hint


@pytest.mark.parametrize(
    ("sharpness", "message", "bearable"),
    [
        (BLURRED, "too blurred", 15),
        (NOISY, "too dark", 11),
        (PALE, "too pale", 11),
        (SMALL, "too small", 15),
    ],
)
def test_a_poor_photo_is_good_enough_unless_much_is_in_doubt(
    sharpness: Sharpness, message: str, bearable: int
) -> None:
    check_sharpness(sharpness, "qwinto")
    check_legible(sharpness, bearable, 44, "qwinto")
    with pytest.raises(NoSheetError, match=rf"{message} .* {bearable + 1} of 44 fields can't be read surely"):
        check_legible(sharpness, bearable + 1, 44, "qwinto")


def test_doubts_about_a_good_photo_are_the_writers() -> None:
    check_sharpness(GOOD, "qwinto")
    check_legible(GOOD, 44, 44, "qwinto")


def test_a_scan_without_grey_that_is_mostly_in_doubt_is_refused() -> None:
    check_legible(GOOD, 15, 44, "qwinto", black_and_white=True)
    with pytest.raises(NoSheetError, match="16 of 44 fields can't be read surely") as refusal:
        check_legible(GOOD, 16, 44, "qwinto", black_and_white=True)
    assert "grey" in refusal.value.hint
