from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from sheetscan.language import LANGUAGES
from sheetscan.report.overlay import COLOURS, READ, draw_overlay, overlay_jpeg
from sheetscan.result import CROSS, Content, FieldReading, Sheet, number
from sheetscan.template import Field
from tests.report.results import GOLDEN_43, TEMPLATE, doubtful, result, sure, unreadable

PX_PER_MM = 8.0
GREY = 230
"""Paper that shows white halos too."""
PAPER = np.full((148 * 8, 210 * 8, 3), GREY, np.uint8)

MESSY = result(
    GOLDEN_43,
    {
        "yellow-2": sure(number(19)),
        "yellow-8": doubtful(number(11), 0.71, (number(14), 0.25)),
        "purple-6": unreadable(7, 1),
        "purple-10": sure(Content("void")),
        "misthrow-3": sure(CROSS),
        "orange-3": FieldReading("number", 4, 1.0, number(8), (), "user"),
        "orange-5": FieldReading("number", 9, 0.9, number(9), (), "rule hint"),
        "tally-total": sure(number(44)),
    },
    player="Zoë 東京",
)


def drawn(sheet: Sheet, language: str = "en") -> NDArray[np.uint8]:
    return draw_overlay(PAPER, PX_PER_MM, sheet, TEMPLATE, language)


def inside(field: Field) -> NDArray[np.bool_]:
    """The pixels that the field's outline encloses, less the line itself."""
    mask = np.zeros(PAPER.shape[:2], np.uint8)
    box = field.box_mm.grown(-0.4)
    if field.shape == "box":
        left, top, right, bottom = (round(v * PX_PER_MM) for v in (box.x, box.y, box.right, box.bottom))
        mask[top:bottom, left:right] = 1
    else:
        centre = (round(box.centre[0] * PX_PER_MM), round(box.centre[1] * PX_PER_MM))
        cv2.circle(mask, centre, int(box.width / 2 * PX_PER_MM), 1, cv2.FILLED)
    return mask.astype(bool)


def share_of(picture: NDArray[np.uint8], field_id: str, colour: tuple[int, int, int]) -> float:
    box = TEMPLATE.field(field_id).box_mm.grown(1.5)
    top, bottom, left, right = (round(edge * PX_PER_MM) for edge in (box.y, box.bottom, box.x, box.right))
    return float((picture[top:bottom, left:right] == colour).all(axis=2).mean())


def test_the_sheet_keeps_its_pixels_and_the_legend_comes_below() -> None:
    picture = drawn(MESSY)
    assert picture.shape[0] > PAPER.shape[0]
    assert picture.shape[1:] == PAPER.shape[1:]
    assert (picture[PAPER.shape[0] :] != 255).any()
    assert (PAPER == GREY).all()


def test_the_handwriting_stays_uncovered() -> None:
    picture = drawn(MESSY)
    for field in TEMPLATE.readable_fields:
        assert (picture[: PAPER.shape[0]][inside(field)] == GREY).all(), field.id


def test_fields_that_are_surely_empty_are_left_alone() -> None:
    empty = [
        name for name, reading in MESSY.fields.items() if reading.kind == "empty" and reading.why is None
    ]
    picture = drawn(MESSY)
    assert len(empty) > 10
    # A neighbour's ring may reach in from the side, not from above.
    for name in empty:
        box = TEMPLATE.field(name).box_mm
        x, y = round(box.centre[0] * PX_PER_MM), round(box.y * PX_PER_MM)
        assert (picture[y - 8 : y + 8, x] == GREY).all(), name


@pytest.mark.parametrize(
    ("field_id", "colour"),
    [
        ("yellow-2", COLOURS["must"]),
        ("yellow-8", COLOURS["doubt"]),
        ("purple-6", COLOURS["doubt"]),
        ("tally-total", COLOURS["one-of"]),
        ("orange-3", COLOURS["user"]),
        ("orange-5", COLOURS["hint"]),
        ("yellow-3", READ),
        ("misthrow-1", READ),
    ],
)
def test_every_field_is_marked_in_its_colour(field_id: str, colour: tuple[int, int, int]) -> None:
    picture = drawn(MESSY)
    shares = {other: share_of(picture, field_id, other) for other in (READ, *COLOURS.values())}
    assert max(shares, key=lambda other: shares[other]) == colour
    assert shares[colour] > 0.01


def test_a_label_stands_below_its_field() -> None:
    box = TEMPLATE.field("yellow-3").box_mm
    x, y = round(box.centre[0] * PX_PER_MM), round((box.bottom + 2.2) * PX_PER_MM)
    assert (drawn(MESSY)[y - 8 : y + 8, x - 12 : x + 12] != GREY).any()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_legend_fits_in_every_language(language: str) -> None:
    picture = drawn(MESSY, language)
    assert (picture[PAPER.shape[0] :, -40:] == 255).all()


@pytest.mark.parametrize("name", ["東京", "김민"])
def test_east_asian_names_are_drawn(name: str) -> None:
    named, unknown = (drawn(replace(MESSY, player=player)) for player in (name, "??"))
    assert (named != unknown).any()


def test_a_small_flat_photo_takes_it_too() -> None:
    small = np.full((148 * 3, 210 * 3, 3), 200, np.uint8)
    picture = draw_overlay(small, 3.0, MESSY, TEMPLATE, "fr")
    assert picture.shape[1] == 630


def test_the_file_is_a_jpeg_of_the_drawing() -> None:
    data = overlay_jpeg(PAPER, PX_PER_MM, MESSY, TEMPLATE, "en")
    assert data[:2] == b"\xff\xd8"
    decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert decoded is not None
    assert decoded.shape == drawn(MESSY).shape
