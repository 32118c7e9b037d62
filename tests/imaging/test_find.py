"""Markers, groups and the map: any rotation, strong perspective, a lost marker, several sheets, refusals."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from sheetscan.errors import NoSheetError
from sheetscan.geometry import Box
from sheetscan.imaging.markers import FoundMarker, SeenSheet, group_sheets
from sheetscan.imaging.rectify import SheetMap, fit_sheet_map, flatten
from sheetscan.imaging.refine import locate_sheet
from sheetscan.imaging.refusal import check_cover, nothing_found
from sheetscan.template import Template

from .conftest import PX_PER_MM, UPRIGHT, Page, View, centres_mm, drawn_page, seen_in, view


def worst_error_mm(sheet_map: SheetMap, shot: View, template: Template, sheet: int = 0) -> float:
    points = centres_mm(template)
    truth = shot.to_photo[sheet](points)
    px_per_mm = [sheet_map.px_per_mm(field.box_mm) for field in template.readable_fields]
    return float((np.linalg.norm(sheet_map.to_photo(points) - truth, axis=1) / px_per_mm).max())


@pytest.mark.parametrize("quarter_turns", [0, 1, 2, 3])
def test_any_rotation(page: Page, qwinto: Template, quarter_turns: int) -> None:
    quad = [(500, 200), (1900, 250), (1850, 1300), (450, 1250)]
    turned = quad[quarter_turns:] + quad[:quarter_turns]
    shot = view(page, turned)
    (seen,) = seen_in(shot.pixels, qwinto)
    assert len(seen.corners) == len(qwinto.markers)
    assert worst_error_mm(fit_sheet_map(seen), shot, qwinto) < 0.1


@pytest.mark.parametrize(
    "quad",
    [
        [(700, 300), (1700, 300), (2350, 1750), (50, 1750)],
        [(200, 500), (2300, 60), (2350, 1700), (150, 1100)],
        [(1200, 60), (2300, 900), (1300, 1700), (60, 800)],
    ],
)
def test_strong_perspective(page: Page, qwinto: Template, quad: list[tuple[float, float]]) -> None:
    shot = view(page, quad)
    (seen,) = seen_in(shot.pixels, qwinto)
    assert worst_error_mm(fit_sheet_map(seen), shot, qwinto) < 0.15


@pytest.mark.parametrize("lost", range(8))
def test_any_one_marker_may_be_missing(qwinto: Template, lost: int) -> None:
    shot = view(drawn_page(qwinto, without=frozenset({lost})), UPRIGHT)
    (seen,) = seen_in(shot.pixels, qwinto)
    assert lost not in seen.corners
    assert worst_error_mm(fit_sheet_map(seen), shot, qwinto) < 0.15


def test_a_sheet_of_which_half_is_hidden_is_refused(qwinto: Template) -> None:
    shot = view(drawn_page(qwinto, without=frozenset({2, 3, 4})), UPRIGHT)
    (seen,) = seen_in(shot.pixels, qwinto)
    with pytest.raises(NoSheetError, match=r"5 of 8 markers .* covered"):
        check_cover(shot.pixels, seen)


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda pixels: cv2.GaussianBlur(pixels, (0, 0), 3.5), r"too blurred \(edges are 0.8 mm wide\)"),
        (lambda pixels: (pixels * 0.04).astype(np.uint8), r"too dark \(10 grey levels"),
        (lambda pixels: (200 + pixels * 0.04).astype(np.uint8), r"too pale \(10 grey levels"),
        (lambda pixels: cv2.resize(pixels, None, fx=0.2, fy=0.2), r"too small \(1\.\d pixels a millimetre\)"),
    ],
)
def test_markers_are_lost_for_a_reason(
    qwinto: Template, spoil: Callable[[NDArray[np.uint8]], NDArray[np.uint8]], reason: str
) -> None:
    shot = view(drawn_page(qwinto, without=frozenset({2, 3, 4})), UPRIGHT)
    (seen,) = seen_in(shot.pixels, qwinto)
    poor = spoil(shot.pixels)
    scale = poor.shape[0] / shot.pixels.shape[0]
    corners = {key: ((places + 0.5) * scale - 0.5).astype(np.float32) for key, places in seen.corners.items()}
    with pytest.raises(NoSheetError, match=reason):
        check_cover(poor, SeenSheet(qwinto, corners))


@pytest.mark.parametrize(("shift", "side"), [((-500, 0), "left"), ((500, 0), "right"), ((0, -450), "top")])
def test_a_cropped_sheet_is_refused_with_the_side(
    page: Page, qwinto: Template, shift: tuple[int, int], side: str
) -> None:
    shot = view(page, [(x + shift[0], y + shift[1]) for x, y in UPRIGHT])
    (seen,) = seen_in(shot.pixels, qwinto)
    with pytest.raises(NoSheetError, match=f"cropped at the {side}"):
        locate_sheet(shot.pixels, seen)


def reason(picture: NDArray[np.uint8], template: Template) -> str:
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    return nothing_found(
        grey, template.dictionary, [{marker.id for marker in template.markers}], "any"
    ).message


def test_a_photo_without_markers_is_refused_with_its_reason(page: Page, qwinto: Template) -> None:
    shot = view(page, UPRIGHT).pixels
    assert "mirror" in reason(shot[:, ::-1].copy(), qwinto)
    assert "dark" in reason((shot * 0.15).astype(np.uint8), qwinto)
    assert "blurred" in reason(cv2.GaussianBlur(shot, (0, 0), 25), qwinto)
    assert "shaken" in reason(cv2.blur(shot, (30, 1)), qwinto)
    assert "shaken" in reason(cv2.filter2D(shot, -1, np.eye(25) / 25), qwinto)
    text = np.full_like(shot, 230)
    for line in range(100, 1700, 60):
        cv2.putText(text, "no sheet of ours but a letter " * 3, (50, line), 0, 1.2, (0, 0, 0), 3)
    assert "none of its markers" in reason(text, qwinto)


SIDE_BY_SIDE = (
    [(60, 100), (1160, 120), (1150, 880), (50, 900)],
    [(2340, 900), (1240, 880), (1250, 120), (2350, 100)],
    [(300, 1000), (1300, 930), (1340, 1650), (340, 1720)],
)


def test_several_sheets_of_one_kind_are_told_apart_by_geometry(page: Page, qwinto: Template) -> None:
    shot = view(page, *SIDE_BY_SIDE)
    sheets = seen_in(shot.pixels, qwinto)
    assert len(sheets) == 3
    for seen in sheets:
        sheet_map = fit_sheet_map(seen)
        assert min(worst_error_mm(sheet_map, shot, qwinto, sheet) for sheet in range(3)) < 0.2


def test_a_sheet_that_hides_part_of_another_takes_none_of_its_markers(page: Page, qwinto: Template) -> None:
    below = [(100, 100), (1500, 100), (1500, 1080), (100, 1080)]
    above = [(1000, 700), (2300, 760), (2260, 1700), (960, 1640)]
    sheets = seen_in(view(page, below, above).pixels, qwinto)
    assert sorted(len(seen.corners) for seen in sheets)[-1] == 8
    assert sum(len(seen.corners) for seen in sheets) <= 15
    whole = max(sheets, key=lambda seen: len(seen.corners))
    assert worst_error_mm(fit_sheet_map(whole), view(page, above), qwinto) < 0.2


def test_a_decoy_marker_does_not_join_a_sheet(page: Page, qwinto: Template) -> None:
    (seen,) = seen_in(view(drawn_page(qwinto, without=frozenset({2})), UPRIGHT).pixels, qwinto)
    found = [FoundMarker(marker_id, corners) for marker_id, corners in seen.corners.items()]
    decoy = FoundMarker(2, found[0].corners + np.float32([1500, 400]))
    sheets = group_sheets([*found, decoy], [qwinto])
    assert sorted(len(sheet.corners) for sheet in sheets) == [1, 7]


Profile = Callable[[NDArray[np.floating]], NDArray[np.floating]]
"""How far down a place at x millimetres is moved, in millimetres."""


def bow(x_mm: NDArray[np.floating]) -> NDArray[np.floating]:
    """4 mm with steep flanks, most in the middle."""
    return 4 * np.cos((2 * x_mm / 210 - 1) * np.pi / 2) ** 3


def fold(x_mm: NDArray[np.floating]) -> NDArray[np.floating]:
    """A sharp bend in the middle, where one that is smooth between the markers is off by up to 2.6 mm."""
    return 10 * (1 - np.abs(2 * x_mm / 210 - 1))


def bent(page: Page, profile: Profile) -> Page:
    """The page with every column moved down: a bend that straight lines can't follow."""
    height, width = page.shape[:2]
    columns, rows = np.meshgrid(np.arange(width), np.arange(height))
    sag = profile(columns / PX_PER_MM) * PX_PER_MM
    return cv2.remap(
        page, np.float32(columns), np.float32(rows - sag), cv2.INTER_LINEAR, borderValue=(255,) * 3
    )


@pytest.mark.parametrize(("profile", "at_least_mm"), [(bow, 0.3), (fold, 0.8)])
def test_outlines_lead_where_markers_alone_are_off(
    page: Page, qwinto: Template, profile: Profile, at_least_mm: float
) -> None:
    """Markers alone leave half a millimetre at a bow and more at a fold, the outlines a tenth."""
    shot = view(bent(page, profile), UPRIGHT)
    (seen,) = seen_in(shot.pixels, qwinto)
    points = np.array([field.box_mm.centre for field in qwinto.readable_fields if field.shape == "circle"])
    truth = shot.to_photo[0](points + np.stack([0 * points[:, 0], profile(points[:, 0])], axis=1))
    by_markers = fit_sheet_map(seen)
    by_outlines = locate_sheet(shot.pixels, seen)
    px_per_mm = by_markers.px_per_mm(Box(0, 0, 210, 148))
    errors = [
        np.linalg.norm(sheet_map.to_photo(points) - truth, axis=1) / px_per_mm
        for sheet_map in (by_markers, by_outlines)
    ]
    assert np.median(errors[0]) > at_least_mm
    assert np.median(errors[1]) < 0.1
    assert errors[1].max() < 0.5


def test_print_that_is_not_where_the_markers_say_is_refused(page: Page, qwinto: Template) -> None:
    """Markers in their places, the rest of the page moved by 7 mm: a decoy, never a shifted grid."""
    moved = np.roll(page, 7 * PX_PER_MM, axis=1)
    for marker in qwinto.markers:
        x, y, right, bottom = (
            round(side * PX_PER_MM)
            for side in (marker.box_mm.x, marker.box_mm.y, marker.box_mm.right, marker.box_mm.bottom)
        )
        moved[y - 10 : bottom + 10, x - 10 : right + 80] = 255
        moved[y:bottom, x:right] = page[y:bottom, x:right]
    shot = view(moved, UPRIGHT)
    (seen,) = seen_in(shot.pixels, qwinto)
    fit_sheet_map(seen)
    with pytest.raises(NoSheetError, match="print is not where"):
        locate_sheet(shot.pixels, seen)


def test_print_too_pale_to_be_seen_is_called_that(page: Page, qwinto: Template) -> None:
    """The markers alone are left, as of light ink in a black and white scan."""
    black = np.where(page[..., :1] < 100, page, 255) * np.uint8(1)
    black[page.max(axis=2) - page.min(axis=2).astype(int) > 50] = 255
    shot = view(black, UPRIGHT)
    (seen,) = seen_in(shot.pixels, qwinto)
    with pytest.raises(NoSheetError, match=r"or too pale: \d+ of 41 field outlines"):
        locate_sheet(shot.pixels, seen)


@pytest.mark.parametrize("moved", range(8))
def test_a_marker_out_of_place_is_outvoted_by_the_print(page: Page, qwinto: Template, moved: int) -> None:
    """One marker 5 mm off, as on a folded corner or a decoy: never a shifted grid."""
    shot = view(page, UPRIGHT)
    (seen,) = seen_in(shot.pixels, qwinto)
    misled = seen.corners | {moved: seen.corners[moved] + np.float32([0, 5 * 9.5])}
    assert worst_error_mm(locate_sheet(shot.pixels, SeenSheet(qwinto, misled)), shot, qwinto) < 0.5


def test_crumpled_paper_is_refused_in_millimetres(page: Page, qwinto: Template) -> None:
    (seen,) = seen_in(view(page, UPRIGHT).pixels, qwinto)
    offsets = np.random.default_rng(2).normal(0, 4 * 9.5, (8, 2)).astype(np.float32)
    crumpled = {marker_id: corners + offsets[marker_id] for marker_id, corners in seen.corners.items()}
    with pytest.raises(NoSheetError, match="mm off"):
        fit_sheet_map(SeenSheet(qwinto, crumpled))


def test_a_sheet_too_small_to_read_is_refused(
    page: Page, qwinto: Template, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sheetscan.imaging.rectify.MIN_PX_PER_MM", 3)
    shot = view(page, [(200, 200), (640, 200), (640, 510), (200, 510)])
    sheets = seen_in(shot.pixels, qwinto)
    assert sheets
    for seen in sheets:
        with pytest.raises(NoSheetError, match=r"pixels a millimetre|markers"):
            locate_sheet(shot.pixels, seen)


def test_flatten_gives_back_the_page(page: Page, qwinto: Template) -> None:
    shot = view(page, UPRIGHT)
    (seen,) = seen_in(shot.pixels, qwinto)
    flat = flatten(shot.pixels, fit_sheet_map(seen), PX_PER_MM)
    assert flat.shape == page.shape
    assert np.abs(flat.astype(int) - page)[20:-20, 20:-20].mean() < 3
