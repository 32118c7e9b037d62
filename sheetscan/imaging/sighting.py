"""Looks for the fields' printed outlines, and tells them from pen strokes along them."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetscan.geometry import Box, CellSpec
from sheetscan.imaging.outline import outline
from sheetscan.imaging.rectify import SheetMap, flatten_alike
from sheetscan.imaging.surface import Points
from sheetscan.template import Field, Shape

SEARCH_MM = 2.5
"""How far an outline may lie from where it is looked for."""
SEARCH_PX_PER_MM = 4.0
LINE_REACH_MM = 1.75
"""Wider than an outline with a stroke beside it: what a closing of this size takes away is line, the rest is
band and paper."""
PRINT_AT_MOST, INK_AT_LEAST = 1.5, 2.0
"""A line darker than the outlines of its row is capped, so much darker doubted, and then no print at all."""
NEIGHBOURS = 2
"""So many fields of a row on either side tell how dark its outlines are: print may fade along a row."""
NEAR_MM = 0.6
"""So far from where an outline's neighbours have it, a place must be twice as like it to be taken."""

_REACH_PX = round(SEARCH_MM * SEARCH_PX_PER_MM)
_STEPS_MM = np.arange(-_REACH_PX, _REACH_PX + 1) / SEARCH_PX_PER_MM

Likeness = NDArray[np.float32]


@dataclass(frozen=True)
class Sightings:
    """How much what is seen around each of the `fields` is like its outline: `likeness` holds, for places
    all around where a map puts the field, the correlations (fields, down, across)."""

    fields: Sequence[Field]
    likeness: Likeness

    def best(self) -> tuple[Points, NDArray[np.float32]]:
        """Where each outline is seen best, (n, 2) millimetres from the map's place, and how well, (n,)."""
        offsets = np.array([_top(one, one) for one in self.likeness]).reshape(-1, 2)
        return offsets, self.likeness.max(axis=(1, 2), initial=-1)

    def near(self, expected_mm: Points) -> Points:
        """Where each outline is seen, (n, 2), if its neighbours tell to expect it at `expected_mm` (n, 2).

        A stroke along an outline may look more like it than the outline itself: that is seen as well, though,
        and nearer to where the neighbours have it.
        """
        across = _STEPS_MM - expected_mm[:, :1]
        down = _STEPS_MM - expected_mm[:, 1:]
        squared = down[:, :, None] ** 2 + across[:, None, :] ** 2
        credible = np.maximum(self.likeness, 0) / (1 + squared / NEAR_MM**2)
        pairs = zip(self.likeness, credible, strict=True)
        return np.array([_top(one, trusted) for one, trusted in pairs]).reshape(-1, 2)


def sight_outlines(grey: NDArray[np.uint8], sheet_map: SheetMap, fields: Sequence[Field]) -> Sightings:
    """Look in the grey photo for the outlines of fields, around where the map puts them."""
    lines, drawn = _lines_around(grey, sheet_map, fields)
    darkness = np.array([_darkness(*pair) for pair in zip(lines, drawn, strict=True)])
    own_print = [
        _printed(around, float(usual))
        for around, usual in zip(lines, _usual_darkness(fields, darkness), strict=True)
    ]
    likeness = [_likeness(*pair) for pair in zip(own_print, drawn, strict=True)]
    return Sightings(fields, np.array(likeness, np.float32).reshape(-1, len(_STEPS_MM), len(_STEPS_MM)))


def _lines_around(
    grey: NDArray[np.uint8], sheet_map: SheetMap, fields: Sequence[Field]
) -> tuple[list[NDArray[np.float32]], list[NDArray[np.float32]]]:
    """Of each field the lines in its surroundings, and its outline as it should be; alike ones together."""
    lines: dict[int, NDArray[np.float32]] = {}
    drawn: dict[int, NDArray[np.float32]] = {}
    alike: dict[tuple[Shape, float, float], list[int]] = {}
    for place, field in enumerate(fields):
        alike.setdefault((field.shape, field.box_mm.width, field.box_mm.height), []).append(place)
    for places in alike.values():
        first = fields[places[0]]
        side_px = round((max(first.box_mm.width, first.box_mm.height) + 1) * SEARCH_PX_PER_MM)
        expected = outline(first.shape, first.box_mm, CellSpec(side_px, side_px / SEARCH_PX_PER_MM))
        side_mm = (side_px + 2 * _REACH_PX) / SEARCH_PX_PER_MM
        windows = [Box.around(fields[place].box_mm.centre, side_mm, side_mm) for place in places]
        flats = flatten_alike(grey, sheet_map, SEARCH_PX_PER_MM, windows, max_oversampling=2)
        for place, flat in zip(places, flats, strict=True):
            lines[place], drawn[place] = _lines(flat), expected.astype(np.float32)
    return [lines[place] for place in range(len(fields))], [drawn[place] for place in range(len(fields))]


def _lines(flat: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Dark lines in relation to what is around them: 0 where there is none."""
    reach = round(LINE_REACH_MM * SEARCH_PX_PER_MM) | 1
    around = cv2.morphologyEx(flat, cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
    return np.asarray(1 - (flat + np.float32(1)) / (around + np.float32(1)), dtype=np.float32)


def _darkness(lines: NDArray[np.float32], drawn: NDArray[np.float32]) -> float:
    """How dark the line most like the outline is; what is written over less than half of it doesn't count."""
    likeness = _likeness(lines, drawn)
    row, column = np.unravel_index(int(likeness.argmax()), likeness.shape)
    there = lines[row : row + drawn.shape[0], column : column + drawn.shape[1]]
    return float(np.median(there[drawn > 127]))


def _usual_darkness(fields: Sequence[Field], darkness: Points) -> Points:
    """How dark the outlines around each field are that are printed in one colour with its own, (n,)."""
    usual = darkness.copy()
    alike: dict[tuple[str, str | None], list[int]] = {}
    for place, field in enumerate(fields):
        if field.row is not None:
            alike.setdefault((field.row, field.look), []).append(place)
    for places in alike.values():
        for at, place in enumerate(places):
            around = places[max(at - NEIGHBOURS, 0) : at + NEIGHBOURS + 1]
            usual[place] = np.median(darkness[around])
    return usual


def _printed(lines: NDArray[np.float32], usual: float) -> NDArray[np.float32]:
    """The lines as far as they can be print that is usually so dark; pens are darker than most print."""
    usual = max(usual, 1e-3)
    trust = np.clip((INK_AT_LEAST - lines / usual) / (INK_AT_LEAST - PRINT_AT_MOST), 0, 1)
    return np.asarray(np.minimum(lines, usual) * trust, dtype=np.float32)


def _likeness(lines: NDArray[np.float32], drawn: NDArray[np.float32]) -> Likeness:
    return np.asarray(cv2.matchTemplate(lines, drawn, cv2.TM_CCOEFF_NORMED), dtype=np.float32)


def _top(likeness: Likeness, credible: Likeness) -> NDArray[np.float64]:
    """Millimetres (x, y) of the most credible place, or of the top of the likeness if it is next to that."""
    place = _highest(credible)
    row, column = (slice(max(at - 1, 0), at + 2) for at in place)
    beside = _highest(likeness[row, column])
    top = (row.start + beside[0], column.start + beside[1])
    surface, (row_px, column_px) = (likeness, top) if _is_peak(likeness, top) else (credible, place)
    offset_px = np.array([column_px - _REACH_PX, row_px - _REACH_PX]) + _subpixel(surface, column_px, row_px)
    return np.asarray(offset_px / SEARCH_PX_PER_MM)


def _highest(values: NDArray[np.floating]) -> tuple[int, int]:
    row, column = divmod(int(values.argmax()), values.shape[1])
    return row, column


def _is_peak(likeness: Likeness, place: tuple[int, int]) -> bool:
    row, column = (slice(max(at - 1, 0), at + 2) for at in place)
    return bool(likeness[place] >= likeness[row, column].max())


def _subpixel(likeness: NDArray[np.floating], column: int, row: int) -> NDArray[np.float64]:
    """The top of the parabolas through the best place and its neighbours, relative to it."""
    height, width = likeness.shape
    if not (0 < column < width - 1 and 0 < row < height - 1):
        return np.zeros(2)
    across = likeness[row, column - 1 : column + 2].astype(np.float64)
    down = likeness[row - 1 : row + 2, column].astype(np.float64)
    return np.array([_vertex(across), _vertex(down)])


def _vertex(values: NDArray[np.float64]) -> float:
    left, middle, right = values
    bend = left - 2 * middle + right
    return float(np.clip((left - right) / (2 * bend), -0.5, 0.5)) if bend < 0 else 0.0
