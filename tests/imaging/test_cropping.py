"""Photos that end inside the paper: what is lost is named, and nothing outside is taken for empty."""

import numpy as np
import pytest
from numpy.typing import NDArray

from sheetscan.errors import NoSheetError
from sheetscan.imaging.photo import Photo
from sheetscan.imaging.rectify import fit_sheet_map
from sheetscan.imaging.refine import locate_sheet
from sheetscan.imaging.refusal import check_inside, listed
from sheetscan.lab.studio import RASTER_PX_PER_MM, print_sheet
from sheetscan.pipeline import find_sheets
from sheetscan.printing.order import PrintOrder
from sheetscan.template import Template, load_template

from .conftest import PX_PER_MM, Page, centres_mm, seen_in

SIDES = ("left", "right", "top", "bottom")


def cropped(page: Page, side: str, loss_mm: int) -> NDArray[np.uint8]:
    """A photo that shows the page alone, and of it not even all."""
    loss = loss_mm * PX_PER_MM
    cut = {"left": np.s_[:, loss:], "right": np.s_[:, :-loss], "top": np.s_[loss:], "bottom": np.s_[:-loss]}
    return np.ascontiguousarray(page[cut[side]])


@pytest.mark.parametrize("side", SIDES)
def test_8_mm_cut_off_one_side_are_named(page: Page, qwinto: Template, side: str) -> None:
    """The markers there are 7 mm from the edge: a millimetre of each is lost."""
    photo = cropped(page, side, 8)
    (seen,) = seen_in(photo, qwinto)
    with pytest.raises(NoSheetError, match=f"it is cropped at the {side}$"):
        locate_sheet(photo, seen)


@pytest.mark.parametrize("side", SIDES)
def test_4_mm_cut_off_one_side_do_no_harm(page: Page, qwinto: Template, side: str) -> None:
    photo = cropped(page, side, 4)
    (seen,) = seen_in(photo, qwinto)
    sheet_map = locate_sheet(photo, seen)
    middles_mm = centres_mm(qwinto)
    shift_px = {"left": (-4, 0), "top": (0, -4)}.get(side, (0, 0))
    expected = (middles_mm + shift_px) * PX_PER_MM - 0.5
    assert np.abs(sheet_map.to_photo(middles_mm) - expected).max() < 0.2 * PX_PER_MM


@pytest.mark.parametrize("sides", [("left", "right"), ("top", "bottom")])
def test_8_mm_cut_off_two_sides_are_named(page: Page, qwinto: Template, sides: tuple[str, str]) -> None:
    photo = cropped(cropped(page, sides[0], 8), sides[1], 8)
    (seen,) = seen_in(photo, qwinto)
    with pytest.raises(NoSheetError, match=f"cropped at the {sides[0]} and at the {sides[1]}"):
        locate_sheet(photo, seen)


def test_8_mm_cut_off_every_side_are_known_by_the_code_that_is_left() -> None:
    printed = print_sheet(load_template("qwinto"), PrintOrder(paper="a5", game_id="LAB234"), 1)
    loss = round(8 * RASTER_PX_PER_MM)
    photo = printed.page[loss:-loss, loss:-loss, ::-1]
    with pytest.raises(NoSheetError, match=r"code of sheet LAB234-1 .* cropped at every side"):
        find_sheets(Photo("x", 1, "", np.ascontiguousarray(photo)), None)


def test_fields_outside_the_photo_are_not_empty(page: Page, qwinto: Template) -> None:
    """A photo that ends in the middle of the tally shows nothing of what is written beyond."""
    sheet_map = fit_sheet_map(seen_in(page, qwinto)[0])
    check_inside(sheet_map, qwinto, (2100, 1480))
    with pytest.raises(
        NoSheetError, match=r"cropped at the bottom: tally-orange, .* 4 other fields can't be seen"
    ):
        check_inside(sheet_map, qwinto, (2100, 1200))
    with pytest.raises(NoSheetError, match="cropped at the right: orange-12, tally-total can't be seen"):
        check_inside(sheet_map, qwinto, (1900, 1480))


def test_only_the_first_of_many_fields_are_named() -> None:
    names = [f"field-{number}" for number in range(1, 10)]
    assert listed(names[:2]) == "field-1, field-2"
    assert listed(names).endswith("field-6 and 3 other fields")
