"""Up to six sheets in one photo, however they lie, each told from the others by where it lies."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest

from sheetscan.imaging.markers import SeenSheet
from sheetscan.imaging.photo import Photo
from sheetscan.imaging.refine import locate_sheet
from sheetscan.lab.camera import PlacedPage, Shot, photograph_many
from sheetscan.lab.optics import Bend
from sheetscan.lab.scene import Scene
from sheetscan.lab.studio import PrintedSheet, print_sheet
from sheetscan.pipeline import find_sheets
from sheetscan.printing.order import PrintOrder
from sheetscan.template import load_template

RASTER_PX_PER_MM = 12.0
SIZE_PX = (4032, 3024)
Place = tuple[str, float, float, float]
"""Template, middle on the table in millimetres, turn in degrees."""

GRID: list[Place] = [
    ("qwinto", -230, -90, 4),
    ("qwixx", 0, -85, 183),
    ("qwinto", 228, -88, -3),
    ("qwixx", -225, 88, 0),
    ("qwinto", 3, 92, 178),
    ("qwixx-mixx-a", 232, 86, 2),
]
SIDEWAYS: list[Place] = [
    ("qwinto", -200, 0, 90),
    ("qwinto", -30, 5, -88),
    ("qwixx", 180, -80, 7),
    ("qwinto", 185, 85, 190),
]


def printed(name: str) -> PrintedSheet:
    return print_sheet(load_template(name), PrintOrder(paper="a5", game_id="LAB234"), 1)


def photographed(places: Sequence[Place], scene: Scene | None = None) -> Shot:
    pages = [
        PlacedPage(printed(name).page, RASTER_PX_PER_MM, (x, y), turn, Bend(2.0, axis_deg=80.0))
        for name, x, y, turn in places
    ]
    lying = scene or Scene(size_px=SIZE_PX, tilt_deg=8.0, azimuth_deg=70.0, table="wood")
    return photograph_many(pages, lying, np.random.default_rng(7))


def found(shot: Shot) -> tuple[np.ndarray, list[SeenSheet]]:
    pixels = np.ascontiguousarray(shot.pixels[..., ::-1])
    return pixels, find_sheets(Photo("table.jpg", 1, "", pixels), None)


def worst_error_mm(pixels: np.ndarray, seen: SeenSheet, shot: Shot) -> tuple[int, float]:
    """Which of the sheets it is, and how far its fields' middles are off at most."""
    middles_mm = np.array([field.box_mm.centre for field in seen.template.readable_fields])
    sheet_map = locate_sheet(pixels, seen)
    px_per_mm = sheet_map.px_per_mm(seen.template.fields[0].box_mm)
    places_px = sheet_map.to_photo(middles_mm)
    errors = [float(np.abs(view(middles_mm) - places_px).max()) / px_per_mm for view in shot.to_photos]
    return int(np.argmin(errors)), min(errors)


@pytest.mark.parametrize("places", [GRID, SIDEWAYS], ids=["six", "sideways"])
def test_every_sheet_is_found_once_and_where_it_lies(places: list[Place]) -> None:
    shot = photographed(places)
    pixels, sheets = found(shot)
    matches = [worst_error_mm(pixels, seen, shot) for seen in sheets]
    assert sorted(number for number, _ in matches) == list(range(len(places)))
    for seen, (number, error_mm) in zip(sheets, matches, strict=True):
        assert seen.template.id == places[number][0]
        assert error_mm < 0.8


def test_sheets_come_in_reading_order() -> None:
    """Line by line as they lie in the photo, however a line slopes."""
    _, sheets = found(photographed(GRID))
    middles = [np.concatenate(list(seen.corners.values())).mean(axis=0) for seen in sheets]
    for first, second in pairwise(middles[:3]):
        assert first[0] < second[0]
    for first, second in pairwise(middles[3:]):
        assert first[0] < second[0]
    assert max(y for _, y in middles[:3]) < min(y for _, y in middles[3:])


def test_photocopies_of_one_sheet_are_two_sheets_though_they_overlap() -> None:
    """The second lies on the first one's edge, beside its markers."""
    places: list[Place] = [("qwinto", -100, -4, 0), ("qwinto", 106, 6, 0)]
    pixels, sheets = found(photographed(places))
    assert len(sheets) == 2
    for seen in sheets:
        assert len(seen.corners) >= 6
        locate_sheet(pixels, seen)
