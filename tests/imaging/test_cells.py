"""Cells: the right places, flattened light, ink told from paper, band, blocked fill and outline."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from sheetscan.geometry import Box, CellSpec
from sheetscan.imaging.cells import cut_cells, paper_colour
from sheetscan.imaging.outline import outline, print_mask
from sheetscan.imaging.rectify import SheetMap
from sheetscan.imaging.surface import Surface
from sheetscan.template import Shape, Template

from .conftest import PX_PER_MM, Page

SPEC = CellSpec(64, 16)
DARK_PEN = (40, 30, 30)


def straight(template: Template) -> SheetMap:
    """The map of a page that fills the photo at PX_PER_MM."""
    homography = np.array([[PX_PER_MM, 0, -0.5], [0, PX_PER_MM, -0.5], [0, 0, 1]], dtype=np.float64)
    return SheetMap(homography, Surface(np.zeros((2, 2, 2))), template.page_mm, 0.0, len(template.markers))


def cells_of(page: Page, template: Template) -> dict[str, NDArray[np.uint8]]:
    cells = cut_cells(page, straight(template), template, SPEC)
    return {field.id: cell for field, cell in zip(template.readable_fields, cells, strict=True)}


def place_px(template: Template, field_id: str, dx_mm: float = 0, dy_mm: float = 0) -> tuple[int, int]:
    x, y = template.field(field_id).box_mm.centre
    return round((x + dx_mm) * PX_PER_MM), round((y + dy_mm) * PX_PER_MM)


def inside(cell: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return cell[..., 0][cell[..., 1] == 0]


def test_a_stroke_lands_where_it_was_written_and_in_no_other_cell(page: Page, qwinto: Template) -> None:
    blank = cells_of(page, qwinto)
    written = page.copy()
    cv2.circle(written, place_px(qwinto, "yellow-5", 2, -1), 6, DARK_PEN, cv2.FILLED)
    for name, cell in cells_of(written, qwinto).items():
        added = cell[..., 0].astype(int) - blank[name][..., 0]
        if name != "yellow-5":
            assert added.max() < 20, name
            continue
        y, x = np.unravel_index(added.argmax(), added.shape)
        centre = (SPEC.size_px / 2 + np.array([2, -1]) * SPEC.px_per_mm) - 0.5
        assert np.linalg.norm(np.array([x, y]) - centre) < 3
        assert added.max() > 180


@pytest.mark.parametrize("darkest", [1.0, 0.33])
def test_a_gradient_of_light_is_flattened(page: Page, qwinto: Template, darkest: float) -> None:
    light = np.linspace(1, darkest, page.shape[1], dtype=np.float32)[None, :, None]
    for name, cell in cells_of((page * light).astype(np.uint8), qwinto).items():
        if qwinto.field(name).shape == "circle":
            assert np.median(inside(cell)) < 15, name


@pytest.mark.parametrize("slant", [0.0, 0.4])
def test_the_edge_of_a_hard_shadow_is_no_stroke(page: Page, qwinto: Template, slant: float) -> None:
    x, y = place_px(qwinto, "yellow-5")
    rows, columns = np.indices(page.shape[:2])
    shaded = page.copy()
    shaded[columns > x + slant * (rows - y)] //= 2
    cells = cells_of(shaded, qwinto)
    assert cells["yellow-5"][16:-16, 16:-16, 0].max() < 50
    cv2.line(shaded, place_px(qwinto, "yellow-5", 1, -3), place_px(qwinto, "yellow-5", 1, 3), (20, 15, 15), 6)
    assert inside(cells_of(shaded, qwinto)["yellow-5"]).max() > 150


def test_a_colour_cast_is_not_ink(page: Page, qwinto: Template) -> None:
    yellowish = (page * np.array([0.6, 0.95, 1.0])).astype(np.uint8)
    cells = cells_of(yellowish, qwinto)
    assert np.median(inside(cells["orange-5"])) < 15


@pytest.mark.parametrize("pen", [(200, 60, 30), (40, 30, 200), (60, 140, 40), (60, 60, 60)])
def test_every_colour_of_pen_is_ink(page: Page, qwinto: Template, pen: tuple[int, int, int]) -> None:
    written = page.copy()
    cv2.line(written, place_px(qwinto, "purple-1", 0, -3), place_px(qwinto, "purple-1", 0, 3), pen, 6)
    assert cells_of(written, qwinto)["purple-1"][32, 32, 0] > 120


def test_a_box_filled_with_a_felt_pen_is_ink_not_paper(page: Page, qwinto: Template) -> None:
    written = page.copy()
    x, y = place_px(qwinto, "misthrow-1")
    cv2.rectangle(written, (x - 45, y - 45), (x + 45, y + 45), DARK_PEN, cv2.FILLED)
    assert np.median(inside(cells_of(written, qwinto)["misthrow-1"])) > 180


def test_writing_in_a_blocked_field_shows_against_its_fill(page: Page, qwinto: Template) -> None:
    filled = page.copy()
    centre = place_px(qwinto, "yellow-7")
    cv2.circle(filled, centre, 62, (10, 130, 200), cv2.FILLED, cv2.LINE_AA)
    assert np.percentile(inside(cells_of(filled, qwinto)["yellow-7"]), 90) < 25
    cv2.line(filled, (centre[0], centre[1] - 30), (centre[0], centre[1] + 30), DARK_PEN, 7)
    assert cells_of(filled, qwinto)["yellow-7"][32, 32, 0] > 100


def test_a_band_around_the_field_vanishes_and_strokes_over_it_stay(page: Page, qwinto: Template) -> None:
    banded = np.where(np.all(page == 255, axis=2, keepdims=True), np.uint8([30, 140, 230]), page)
    x, y = place_px(qwinto, "orange-10")
    cv2.circle(banded, (x, y), 58, (255, 255, 255), cv2.FILLED, cv2.LINE_AA)
    corner = cells_of(banded, qwinto)["orange-10"][:8, 28:36, 0]
    assert np.median(corner) < 25
    cv2.line(banded, (x, y - 80), (x, y), DARK_PEN, 6)
    assert cells_of(banded, qwinto)["orange-10"][2:6, 30:34, 0].max() > 100


def test_the_expected_print_is_the_fields_outline() -> None:
    circle = print_mask("circle", Box(0, 0, 12.4, 12.4), SPEC)
    assert circle[32, 32] == 0
    assert circle[0, 0] == 255
    radius = np.sqrt((circle == 0).sum() / np.pi) / SPEC.px_per_mm
    assert radius == pytest.approx(12.4 / 2 - 0.5, abs=0.15)
    box = print_mask("box", Box(0, 0, 14, 11), SPEC)
    rows, columns = np.flatnonzero((box == 0).any(axis=1)), np.flatnonzero((box == 0).any(axis=0))
    assert len(rows) / SPEC.px_per_mm == pytest.approx(10, abs=0.6)
    assert len(columns) / SPEC.px_per_mm == pytest.approx(13, abs=0.6)


def test_paper_is_estimated_through_what_is_printed(page: Page, qwinto: Template) -> None:
    dimmed = (page * 0.7).astype(np.uint8)
    paper = paper_colour(dimmed, straight(qwinto))
    assert np.abs(paper.astype(int) - 178).max() < 6


@pytest.mark.parametrize("shape", ["box", "circle"])
@pytest.mark.parametrize("side_px", [50, 57])
def test_the_printed_line_is_drawn_in_the_middle(shape: Shape, side_px: int) -> None:
    """Fields are placed by it: a line drawn off the middle would move them all."""
    line = outline(shape, Box(18, 91.5, 11.5, 11.5), CellSpec(side_px, side_px / 4)).astype(float)
    rows, columns = np.indices(line.shape) - (side_px - 1) / 2
    assert abs((line * rows).sum() / line.sum()) < 0.05
    assert abs((line * columns).sum() / line.sum()) < 0.05
    assert line.sum() / 255 / 16 == pytest.approx(
        0.5 * 4 * 11 if shape == "box" else 0.5 * np.pi * 11, rel=0.1
    )
