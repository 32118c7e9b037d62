"""Sheets drawn from the template alone (markers and outlines), and views of them with the true map known."""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from sheetscan.geometry import CellSpec
from sheetscan.imaging.markers import SeenSheet, find_markers, group_sheets
from sheetscan.imaging.outline import outline
from sheetscan.template import Template, load_template

PX_PER_MM = 10
BACKGROUND = (90, 110, 120)
Page = NDArray[np.uint8]


@pytest.fixture(scope="session")
def qwinto() -> Template:
    return load_template("qwinto")


@pytest.fixture(scope="session")
def page(qwinto: Template) -> Page:
    return drawn_page(qwinto)


def drawn_page(template: Template, without: frozenset[int] = frozenset()) -> Page:
    width_mm, height_mm = template.page_mm
    picture = np.full((int(height_mm * PX_PER_MM), int(width_mm * PX_PER_MM), 3), 255, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, template.dictionary))
    for marker in template.markers:
        if marker.id in without:
            continue
        side = round(marker.box_mm.width * PX_PER_MM)
        x, y = round(marker.box_mm.x * PX_PER_MM), round(marker.box_mm.y * PX_PER_MM)
        picture[y : y + side, x : x + side] = cv2.aruco.generateImageMarker(dictionary, marker.id, side)[
            ..., None
        ]
    for field in template.readable_fields:
        side = round((field.box_mm.width + 1) * PX_PER_MM) // 2 * 2
        line = outline(field.shape, field.box_mm, CellSpec(side, side / PX_PER_MM))
        x, y = (round(middle * PX_PER_MM) - side // 2 for middle in field.box_mm.centre)
        picture[y : y + side, x : x + side][line > 127] = (40, 120, 230)
    return picture


@dataclass(frozen=True)
class View:
    """A photo and the true map from sheet millimetres to its pixels, one for each sheet in it."""

    pixels: NDArray[np.uint8]
    to_photo: tuple[Callable[[NDArray[np.float64]], NDArray[np.float64]], ...]


def view(page: Page, *quads: list[tuple[float, float]], size: tuple[int, int] = (2400, 1800)) -> View:
    """The page seen with its corners (clockwise from the top left) at each of `quads`."""
    pixels = np.full((size[1], size[0], 3), BACKGROUND, np.uint8)
    maps = []
    height, width = page.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    for quad in quads:
        homography = cv2.getPerspectiveTransform(corners, np.array(quad, np.float32))
        seen = cv2.warpPerspective(page, homography, size, flags=cv2.INTER_AREA)
        covered = cv2.warpPerspective(np.full(page.shape[:2], 255, np.uint8), homography, size)
        pixels[covered == 255] = seen[covered == 255]
        maps.append(lambda points_mm, homography=homography: _project(points_mm, homography))
    return View(pixels, tuple(maps))


def _project(points_mm: NDArray[np.float64], homography: NDArray[np.float64]) -> NDArray[np.float64]:
    return cv2.perspectiveTransform((points_mm * PX_PER_MM - 0.5)[None], homography)[0]


UPRIGHT = [(200, 150), (2200, 120), (2250, 1600), (150, 1550)]


def seen_in(pixels: NDArray[np.uint8], template: Template) -> list[SeenSheet]:
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    found = find_markers(grey, template.dictionary, [{marker.id for marker in template.markers}])
    return group_sheets(found, [template])


def centres_mm(template: Template) -> NDArray[np.float64]:
    return np.array([field.box_mm.centre for field in template.readable_fields])
