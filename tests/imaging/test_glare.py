"""Fields that are washed out or covered are told from those that are pale, grey, faded or empty."""

import cv2
import numpy as np
import pytest

from sheetscan.errors import NoSheetError
from sheetscan.imaging.glare import Hidden, check_glare, hidden_fields
from sheetscan.imaging.photo import Photo
from sheetscan.imaging.rectify import SheetMap
from sheetscan.imaging.refine import locate_sheet
from sheetscan.pipeline import find_sheets
from sheetscan.template import Template
from tests.imaging.conftest import UPRIGHT, Page, view

PAPER = 0.8


def photo_of(page: Page) -> np.ndarray:
    """Dimmed, so that light has room above the paper's white."""
    return (view(page, UPRIGHT).pixels * PAPER).astype(np.uint8)


@pytest.fixture(scope="module")
def photo(page: Page) -> np.ndarray:
    return photo_of(page)


@pytest.fixture(scope="module")
def sheet_map(photo: np.ndarray) -> SheetMap:
    (seen,) = find_sheets(Photo("x", 1, "", photo), "qwinto")
    return locate_sheet(photo, seen)


def place(sheet_map: SheetMap, qwinto: Template, field: str) -> np.ndarray:
    return sheet_map.to_photo(np.array([qwinto.field(field).box_mm.centre]))[0]


def with_glare(photo: np.ndarray, at_px: np.ndarray, radius_px: float, strength: float) -> np.ndarray:
    y, x = np.indices(photo.shape[:2])
    amount = strength * np.exp(-((x - at_px[0]) ** 2 + (y - at_px[1]) ** 2) / (2 * radius_px**2))
    return (photo + (255 - photo) * amount[..., None]).astype(np.uint8)


def test_a_reflection_washes_out_the_fields_under_it(
    photo: np.ndarray, sheet_map: SheetMap, qwinto: Template
) -> None:
    glary = with_glare(photo, place(sheet_map, qwinto, "yellow-5"), 120, 1.0)
    hidden = hidden_fields(glary, sheet_map, qwinto)
    found = hidden.washed_out
    assert hidden.covered == ()
    assert "yellow-5" in found
    assert "yellow-11" not in found
    assert len(found) < 12


@pytest.mark.parametrize("strength", [0.0, 0.2, 0.4])
def test_a_weak_reflection_hides_nothing(
    photo: np.ndarray, sheet_map: SheetMap, qwinto: Template, strength: float
) -> None:
    glary = with_glare(photo, place(sheet_map, qwinto, "yellow-5"), 120, strength)
    assert hidden_fields(glary, sheet_map, qwinto) == Hidden()


def faded(photo: np.ndarray, left: int) -> np.ndarray:
    """The print of the part right of `left` at a quarter of its darkness."""
    pale = photo.copy()
    paper = 255 * PAPER
    part = pale[:, left:].astype(np.float32)
    pale[:, left:] = (paper - (paper - part) / 4).astype(np.uint8)
    return pale


def test_pale_print_is_no_glare(photo: np.ndarray, sheet_map: SheetMap, qwinto: Template) -> None:
    shape = photo.shape
    ramp = np.linspace(0.6, 1.25, shape[1])[None, :, None]
    for changed in (
        faded(photo, shape[1] // 2),
        np.clip(photo * ramp, 0, 255).astype(np.uint8),
        np.clip(photo * 1.4, 0, 255).astype(np.uint8),
        cv2.cvtColor(cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR),
    ):
        assert hidden_fields(changed, sheet_map, qwinto) == Hidden()


@pytest.mark.parametrize("colour", [(235, 235, 235), (110, 150, 200), (30, 30, 30)])
@pytest.mark.parametrize("share", [0.5, 1.0])
def test_a_field_under_something_is_covered(
    photo: np.ndarray, sheet_map: SheetMap, qwinto: Template, colour: tuple[int, int, int], share: float
) -> None:
    """White paper, skin, dark cloth over the whole of a field, or over its left half."""
    box = qwinto.field("tally-orange").box_mm.grown(0.5)
    right = box.x + share * box.width
    corners = [(box.x, box.y), (right, box.y), (right, box.bottom), (box.x, box.bottom)]
    under = photo.copy()
    cv2.fillConvexPoly(under, np.rint(sheet_map.to_photo(np.array(corners))).astype(int), colour)
    assert "tally-orange" in (hidden := hidden_fields(under, sheet_map, qwinto)).covered + hidden.washed_out
    assert len(hidden.covered + hidden.washed_out) == 1


def test_what_covers_a_field_does_so_in_a_black_and_white_scan(
    photo: np.ndarray, sheet_map: SheetMap, qwinto: Template
) -> None:
    """Rows whose pale outlines no such scan shows are not covered."""
    under = photo.copy()
    box = qwinto.field("tally-orange").box_mm.grown(0.5)
    cv2.fillConvexPoly(under, np.rint(sheet_map.to_photo(np.array(box.corners))).astype(int), (255, 255, 255))
    scan = np.where(cv2.cvtColor(under, cv2.COLOR_BGR2GRAY) < 128, 0, 255).astype(np.uint8)
    seen = hidden_fields(cv2.cvtColor(scan, cv2.COLOR_GRAY2BGR), sheet_map, qwinto, black_and_white=True)
    assert seen == Hidden(covered=("tally-orange",))


def test_a_folded_corner_over_most_of_a_number_covers_its_field(
    photo: np.ndarray, sheet_map: SheetMap, qwinto: Template
) -> None:
    """Seen at 28 mm: two eighths of the outline are gone, two more in part, and half of what is written."""
    box = qwinto.field("tally-total").box_mm
    left, top = box.x + 0.3 * box.width, box.y + 0.25 * box.height
    corners = [(left, top), (box.right + 1, top), (box.right + 1, box.bottom + 1), (left, box.bottom + 1)]
    under = photo.copy()
    paper = (200, 200, 200)
    cv2.fillConvexPoly(under, np.rint(sheet_map.to_photo(np.array(corners))).astype(int), paper)
    assert hidden_fields(under, sheet_map, qwinto) == Hidden(covered=("tally-total",))


def test_writing_over_the_outline_covers_nothing(
    photo: np.ndarray, sheet_map: SheetMap, qwinto: Template
) -> None:
    written = photo.copy()
    box = qwinto.field("yellow-5").box_mm
    places = np.rint(sheet_map.to_photo(np.array(box.corners))).astype(int)
    for start, end in ((0, 2), (1, 3)):
        cv2.line(written, places[start].tolist(), places[end].tolist(), (120, 30, 30), 12)
    assert hidden_fields(written, sheet_map, qwinto) == Hidden()


def test_a_sheet_mostly_washed_out_is_refused(qwinto: Template) -> None:
    names = [field.id for field in qwinto.readable_fields]
    check_glare(names[: len(names) // 3], qwinto)
    with pytest.raises(NoSheetError, match="glare washes out 22 of 44 fields") as refusal:
        check_glare(names[: len(names) // 2], qwinto)
    assert f"{names[0]}, {names[1]}, " in refusal.value.message
    assert "and 16 other fields" in refusal.value.message
    assert "lamp" in refusal.value.hint
