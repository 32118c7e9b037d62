"""Printed outlines lead, pen strokes beside them don't; a map that is off is mended or refused."""

import dataclasses

import cv2
import numpy as np
import pytest

from sheetscan.errors import NoSheetError
from sheetscan.geometry import Box
from sheetscan.imaging import refine
from sheetscan.imaging.markers import SeenSheet
from sheetscan.imaging.rectify import SheetMap, fit_sheet_map
from sheetscan.imaging.refine import locate_sheet
from sheetscan.template import Template, load_template

from .conftest import PX_PER_MM, UPRIGHT, Page, View, drawn_page, seen_in, view

BLACK, GREY, RED = (30, 30, 30), (120, 120, 120), (40, 40, 190)
STROKE_PX = 6


@pytest.fixture(scope="module")
def qwixx() -> Template:
    return load_template("qwixx")


@pytest.fixture(scope="module")
def qwixx_page(qwixx: Template) -> Page:
    return drawn_page(qwixx)


def errors_mm(sheet_map: SheetMap, shot: View, template: Template) -> dict[str, float]:
    """How far off each field's middle is, on the sheet."""
    boxes = [field.box_mm for field in template.readable_fields]
    points = np.array([box.centre for box in boxes])
    misses = np.linalg.norm(sheet_map.to_photo(points) - shot.to_photo[0](points), axis=1)
    names = (field.id for field in template.readable_fields)
    return dict(zip(names, (misses / sheet_map.resolutions(boxes)).tolist(), strict=True))


def lined(page: Page, row: list[Box], beside_mm: float, pen: tuple[int, int, int]) -> Page:
    """The page with a stroke along the upper outlines of a row, so far below them."""
    drawn = page.copy()
    y = row[0].y + beside_mm
    ends = (row[0].x - 1, y), (row[-1].right + 1, y)
    start, end = ((round(x * PX_PER_MM), round(y * PX_PER_MM)) for x, y in ends)
    cv2.line(drawn, start, end, pen, STROKE_PX, cv2.LINE_AA)
    return drawn


def boxed(page: Page, boxes: list[Box], pen: tuple[int, int, int]) -> Page:
    """The page with rectangles drawn around the boxes."""
    drawn = page.copy()
    for box in boxes:
        x, y, right, bottom = (round(side * PX_PER_MM) for side in (box.x, box.y, box.right, box.bottom))
        cv2.rectangle(drawn, (x, y), (right, bottom), pen, STROKE_PX, cv2.LINE_AA)
    return drawn


def row_of(template: Template, name: str) -> list[Box]:
    return [field.box_mm for field in template.fields if field.row == name]


@pytest.mark.parametrize("pen", [BLACK, GREY, RED])
@pytest.mark.parametrize("beside_mm", [-1.1, -0.7, 0.7, 1.1])
def test_a_line_drawn_along_outlines_is_not_taken_for_them(
    qwixx: Template, qwixx_page: Page, beside_mm: float, pen: tuple[int, int, int]
) -> None:
    shot = view(lined(qwixx_page, row_of(qwixx, "yellow")[2:], beside_mm, pen), UPRIGHT)
    (seen,) = seen_in(shot.pixels, qwixx)
    assert max(errors_mm(locate_sheet(shot.pixels, seen), shot, qwixx).values()) < 0.2


@pytest.mark.parametrize("pen", [BLACK, GREY, RED])
@pytest.mark.parametrize("shift_mm", [(0.5, 0.6), (-0.8, 0.3), (0.0, 0.9)])
def test_a_box_drawn_around_a_field_is_not_taken_for_it(
    qwixx: Template, qwixx_page: Page, shift_mm: tuple[float, float], pen: tuple[int, int, int]
) -> None:
    around = [
        dataclasses.replace(box, x=box.x + shift_mm[0], y=box.y + shift_mm[1])
        for box in (qwixx.field(name).box_mm for name in ("red-4", "green-9", "green-3", "blue-lock"))
    ]
    shot = view(boxed(qwixx_page, around, pen), UPRIGHT)
    (seen,) = seen_in(shot.pixels, qwixx)
    assert max(errors_mm(locate_sheet(shot.pixels, seen), shot, qwixx).values()) < 0.25


def moved(seen: SeenSheet, by_mm: tuple[float, float]) -> SeenSheet:
    """The markers as they would be seen if the whole sheet lay `by_mm` further on, under the same camera."""
    homography = fit_sheet_map(seen).homography
    corners = {}
    for marker in seen.template.markers:
        places = np.array([marker.box_mm.corners]) + by_mm
        corners[marker.id] = cv2.perspectiveTransform(places, homography)[0].astype(np.float32)
    return SeenSheet(seen.template, corners)


@pytest.fixture(scope="module", params=["qwinto", "qwixx"])
def plain(request: pytest.FixtureRequest) -> tuple[View, SeenSheet]:
    template = load_template(request.param)
    shot = view(drawn_page(template), UPRIGHT)
    (seen,) = seen_in(shot.pixels, template)
    return shot, seen


@pytest.mark.parametrize("shift_px", [(3, 3), (-3, 0), (0, 6)])
def test_a_map_that_is_off_by_some_pixels_is_mended_by_the_print(
    plain: tuple[View, SeenSheet], shift_px: tuple[int, int]
) -> None:
    shot, seen = plain
    off = {marker_id: corners + np.float32(shift_px) for marker_id, corners in seen.corners.items()}
    misled = SeenSheet(seen.template, off)
    assert min(errors_mm(fit_sheet_map(misled), shot, seen.template).values()) > 0.25
    assert max(errors_mm(locate_sheet(shot.pixels, misled), shot, seen.template).values()) < 0.2


@pytest.mark.parametrize(
    "fields", [(1, 0), (-1, 0), (2, 0), (-3, 0), (0, 1), (0, -1), (0.5, 0), (-0.5, 1)], ids=str
)
def test_a_grid_moved_by_fields_is_refused(
    plain: tuple[View, SeenSheet], fields: tuple[float, float]
) -> None:
    """Most of a row's outlines have others beside them: nearly the whole grid fits there as well."""
    shot, seen = plain
    across, down = 14.0, seen.template.rows[1].band_mm.y - seen.template.rows[0].band_mm.y
    misled = moved(seen, (fields[0] * across, fields[1] * down))
    with pytest.raises(NoSheetError, match="print is not where"):
        locate_sheet(shot.pixels, misled)


def test_outlines_that_cannot_be_seen_are_no_moved_grid(
    plain: tuple[View, SeenSheet], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sticker on the ends of all rows: fewer outlines are seen, but no more beside their places."""
    shot, seen = plain
    (left, top), (right, bottom) = UPRIGHT[0], UPRIGHT[2]
    width, height = right - left, bottom - top
    covered = shot.pixels.copy()
    covered[top : top + height * 55 // 100, left + width * 70 // 100 : left + width * 91 // 100] = 250
    checked: list[object] = []
    check_unshifted = refine._check_unshifted
    monkeypatch.setattr(
        refine, "_check_unshifted", lambda *given: (checked.append(given), check_unshifted(*given))
    )
    sheet_map = locate_sheet(covered, seen)
    assert checked
    assert np.median(list(errors_mm(sheet_map, shot, seen.template).values())) < 0.1
