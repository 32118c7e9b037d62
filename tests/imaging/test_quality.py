"""Visibility and contrast are measured in the sheet's own units, whatever the photo's."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from sheetscan.errors import NoSheetError
from sheetscan.imaging.photo import Photo
from sheetscan.imaging.quality import (
    HOPELESS,
    MARKERS_LOST,
    MAX_MISREAD,
    POOR,
    Visibility,
    check_legible,
    check_visible,
    measure_visibility,
    misread_share,
)
from sheetscan.imaging.refine import locate_sheet
from sheetscan.pipeline import find_sheets
from sheetscan.result import CROSS, EMPTY, Content, FieldReading, number
from tests.imaging.conftest import Page, view

FLAT = [(100, 100), (2200, 100), (2200, 1580), (100, 1580)]
PX_PER_MM = 10
TEN_TO_NINETY = 2.563
"""Width of a Gaussian's integral from 10 % to 90 %, in units of its sigma."""


@pytest.fixture(scope="module")
def photo(page: Page) -> np.ndarray:
    return view(page, FLAT).pixels


def measured(photo: np.ndarray) -> Visibility:
    (seen,) = find_sheets(Photo("x", 1, "", photo), "qwinto")
    return measure_visibility(photo, locate_sheet(photo, seen), seen)


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


def test_a_black_and_white_scan_is_known_as_such(photo: np.ndarray) -> None:
    grey = cv2.cvtColor(cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    scan = np.where(photo.min(axis=2, keepdims=True) < 140, 0, 255).repeat(3, axis=2).astype(np.uint8)
    assert measured(scan).black_and_white
    assert not measured(photo).black_and_white
    assert not measured(grey).black_and_white
    assert not measured((photo * 0.08).astype(np.uint8)).black_and_white


GOOD = Visibility(edge_mm=0.3, contrast=200, paper=220, noise=2, px_per_mm=10)
BLURRED = replace(GOOD, edge_mm=HOPELESS.edge_mm - 0.1)
NOISY = replace(GOOD, contrast=30, paper=50, noise=30 / (HOPELESS.signal + 0.2))
PALE = replace(GOOD, contrast=POOR.contrast - 10)
SMALL = replace(GOOD, px_per_mm=POOR.px_per_mm - 0.2)


@pytest.mark.parametrize(
    ("visibility", "message", "hint"),
    [
        (replace(GOOD, edge_mm=HOPELESS.edge_mm + 0.1), "too blurred", "still"),
        (replace(NOISY, noise=30 / (HOPELESS.signal - 0.2)), "too dark", "better light"),
        (replace(PALE, contrast=HOPELESS.contrast - 1), "too pale", "lens"),
    ],
)
def test_what_cant_be_read_is_refused_and_says_what_to_do(
    visibility: Visibility, message: str, hint: str
) -> None:
    with pytest.raises(NoSheetError, match=f"qwinto sheet is {message}") as refusal:
        check_visible(visibility, "qwinto")
    assert hint in refusal.value.hint


def read(confidence: float, content: Content = CROSS, count: int = 20) -> list[FieldReading]:
    return [FieldReading(content.kind, content.value, confidence, content)] * count


@pytest.mark.parametrize(
    ("visibility", "message", "hint"),
    [
        (BLURRED, "too blurred", "still"),
        (NOISY, "too dark", "light"),
        (PALE, "too pale", "lens"),
        (SMALL, "too small", "nearer"),
        (replace(GOOD, black_and_white=True), "black and white", "grey"),
        (replace(PALE, black_and_white=True), "black and white", "grey"),
    ],
)
def test_a_poor_photo_is_good_enough_unless_much_would_be_misread(
    visibility: Visibility, message: str, hint: str
) -> None:
    check_visible(visibility, "qwinto")
    check_legible(visibility, read(1.01 - MAX_MISREAD), "qwinto")
    with pytest.raises(
        NoSheetError, match=f"{message} .* about {100 * MAX_MISREAD + 1:.0f} % of what"
    ) as refusal:
        check_legible(visibility, read(0.99 - MAX_MISREAD), "qwinto")
    assert hint in refusal.value.hint


def test_doubts_about_a_good_photo_are_the_writers() -> None:
    check_visible(GOOD, "qwinto")
    check_legible(GOOD, read(0.1), "qwinto")


def test_what_would_be_misread_is_held_against_what_is_written() -> None:
    assert misread_share(read(0.9, number(7), 10) + read(1.0, EMPTY, 10)) == pytest.approx(0.1)
    assert misread_share(read(0.9, number(7), 10) + read(0.9, EMPTY, 10)) == pytest.approx(0.2)
    assert misread_share(read(0.9, number(7), 1) + read(1.0, EMPTY, 39)) == pytest.approx(0.01)
    assert misread_share(read(0.75, EMPTY, 40)) == pytest.approx(1)
    assert misread_share(read(0.25, EMPTY, 40)) == 1
    assert misread_share([]) == 0


@pytest.mark.parametrize(
    ("visibility", "words"),
    [
        (replace(NOISY, px_per_mm=2.3), "too dark (noise of 10 among 30 grey levels)"),
        (replace(NOISY, noise=1), "too dark (30 grey levels between black and paper)"),
        (replace(GOOD, noise=15), "too noisy (noise of 15 among 200 grey levels)"),
        (replace(SMALL, edge_mm=2), "too blurred (edges are 2.0 mm wide)"),
        (replace(SMALL, edge_mm=0.61), "too small (2.3 pixels a millimetre)"),
        (replace(PALE, contrast=6, noise=0.1), "too pale (6 grey levels between black and paper)"),
    ],
)
def test_the_fault_that_matters_most_is_named(visibility: Visibility, words: str) -> None:
    fault = visibility.fault(POOR)
    assert fault is not None
    assert fault.words == words
    assert GOOD.fault(POOR) is None


def test_a_black_and_white_scan_loses_no_markers_for_that() -> None:
    assert replace(GOOD, black_and_white=True).fault(MARKERS_LOST) is None
