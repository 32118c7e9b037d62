"""The photo of a refused sheet: the markers that were found, where others would be, and the reason."""

import textwrap

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetscan.imaging.markers import SeenSheet
from sheetscan.imaging.rectify import rough_projection
from sheetscan.report.overlay import INK, JPEG_QUALITY, WHITE, Colour, Picture, text_width, write

SIDE_PX = 1400
"""Longest side of the photo in the picture."""
MAX_MARGIN = 0.3
"""So much, in photo widths and heights, is added at a side beyond which markers would lie."""
FOUND: Colour = (40, 170, 30)
MISSING: Colour = (30, 20, 210)
TABLE: Colour = (150, 150, 150)
LINE_PX = 3
TEXT_PX = 26
LETTERS_A_LINE = 95


def refused_jpeg(pixels: Picture, seen: SeenSheet, message: str, hint: str) -> bytes:
    """The picture as a JPEG file; arguments as for `draw_refused`."""
    picture = draw_refused(pixels, seen, message, hint)
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return data.tobytes()


def draw_refused(pixels: Picture, seen: SeenSheet, message: str, hint: str) -> Picture:
    """The photo (height, width, 3), blue-green-red, reduced, with the sheet's markers and words drawn in.

    Where a marker would lie beyond the photo's edge, the picture is wider than the photo.
    """
    scale = min(1.0, SIDE_PX / max(pixels.shape))
    small = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    places = {key: (corners + 0.5) * scale - 0.5 for key, corners in expected_corners(seen).items()}
    left, top, right, bottom = _margins(np.concatenate(list(places.values())), small.shape[1::-1])
    wide = cv2.copyMakeBorder(small, top, bottom, left, right, cv2.BORDER_CONSTANT, value=TABLE)
    picture = np.asarray(wide, dtype=np.uint8)
    for key, corners in places.items():
        _draw_marker(picture, key, np.add(corners, (left, top)), found=key in seen.corners)
    return np.vstack([picture, _words(picture.shape[1], message, hint)])


def expected_corners(seen: SeenSheet) -> dict[int, NDArray[np.float64]]:
    """The corners of every marker in photo pixels, (4, 2) each: as seen, or judged by the seen ones."""
    to_photo = rough_projection(seen)
    places = {}
    for marker in seen.template.markers:
        expected = cv2.perspectiveTransform(np.array([marker.box_mm.corners], dtype=np.float64), to_photo)[0]
        places[marker.id] = np.asarray(seen.corners.get(marker.id, expected), dtype=np.float64)
    return places


def _margins(places_px: NDArray[np.float64], size_px: tuple[int, ...]) -> tuple[int, int, int, int]:
    """What to add at the left, top, right and bottom so that all places show, as far as that is sensible."""
    size = np.array(size_px)
    room = 4 * LINE_PX
    before = np.where(places_px.min(axis=0) < 0, room - places_px.min(axis=0), 0)
    after = np.where(places_px.max(axis=0) > size, places_px.max(axis=0) - size + room, 0)
    left, top, right, bottom = np.minimum(np.concatenate([before, after]), np.tile(MAX_MARGIN * size, 2))
    return int(left), int(top), int(right), int(bottom)


def _draw_marker(picture: Picture, key: int, corners: NDArray[np.float64], *, found: bool) -> None:
    colour, label = (FOUND, str(key)) if found else (MISSING, f"{key} ?")
    outline = np.rint(corners).astype(np.int32)
    cv2.polylines(picture, [outline], True, WHITE, 3 * LINE_PX, cv2.LINE_AA)
    cv2.polylines(picture, [outline], True, colour, LINE_PX, cv2.LINE_AA)
    middle = outline.mean(axis=0).astype(int)
    width = text_width(label, TEXT_PX)
    low = (int(middle[0]) - width // 2 - 4, int(middle[1]) - TEXT_PX // 2 - 4)
    cv2.rectangle(picture, low, (low[0] + width + 8, low[1] + TEXT_PX + 8), colour, cv2.FILLED)
    write(picture, label, (low[0] + 4, low[1] + TEXT_PX), TEXT_PX, WHITE)


def _words(width_px: int, message: str, hint: str) -> Picture:
    """The reason and what to do next, in a strip as wide as the picture."""
    letters = max(20, LETTERS_A_LINE * width_px // SIDE_PX)
    lines = [(line, MISSING) for line in textwrap.wrap(message, letters)]
    lines += [(line, INK) for line in textwrap.wrap(hint, letters)]
    strip = np.full((round((len(lines) + 0.7) * 1.5 * TEXT_PX), width_px, 3), 255, np.uint8)
    for place, (line, colour) in enumerate(lines, 1):
        write(strip, line, (TEXT_PX, round(place * 1.5 * TEXT_PX)), TEXT_PX, colour)
    return strip
