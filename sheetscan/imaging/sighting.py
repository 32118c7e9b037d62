"""Looks for the fields' printed outlines, and tells them from pen strokes along them."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetscan.geometry import Box, CellSpec
from sheetscan.imaging.outline import outline
from sheetscan.imaging.rectify import SheetMap, flatten_alike
from sheetscan.imaging.surface import Points
from sheetscan.template import Field, Shape

MIN_LIKENESS = 0.12
"""Correlation below which an outline was not seen at all."""
TOGETHER_MM = 1.2
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
        return _tops(self.likeness, self.likeness), self.likeness.max(axis=(1, 2), initial=-1)

    @property
    def together(self) -> int:
        """How many outlines are seen, all moved about equally from the map's places."""
        offsets_mm, likeness = self.best()
        offsets_mm = offsets_mm[likeness >= MIN_LIKENESS]
        if not len(offsets_mm):
            return 0
        apart_mm = np.linalg.norm(offsets_mm - np.median(offsets_mm, axis=0), axis=1)
        return int(np.sum(apart_mm < TOGETHER_MM))

    def near(self, expected_mm: Points) -> Points:
        """Where each outline is seen, (n, 2), if its neighbours tell to expect it at `expected_mm` (n, 2).

        A stroke along an outline may look more like it than the outline itself: that is seen as well, though,
        and nearer to where the neighbours have it.
        """
        across = _STEPS_MM - expected_mm[:, :1]
        down = _STEPS_MM - expected_mm[:, 1:]
        squared = down[:, :, None] ** 2 + across[:, None, :] ** 2
        return _tops(self.likeness, np.maximum(self.likeness, 0) / (1 + squared / NEAR_MM**2))


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


def field_pitches(fields: Sequence[Field]) -> list[tuple[float, float]]:
    """By what (x, y) millimetres a grid of fields can be moved, so that many lie on others like them: to the
    next of a row, to the next row, both ways."""
    apart = [
        (other.box_mm.x - field.box_mm.x, other.box_mm.y - field.box_mm.y)
        for field in fields
        for other in fields
        if field.row is not None and field.shape == other.shape
    ]
    across = [x for x, y in apart if x > 1 and abs(y) < 1]
    down = [y for x, y in apart if y > 1 and abs(x) < 1]
    pitches = [(min(across), 0.0)] if across else []
    pitches += [(0.0, min(down))] if down else []
    return [(sign * x, sign * y) for x, y in pitches for sign in (1, -1)]


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
    row, column = divmod(int(likeness.argmax()), likeness.shape[1])
    values = lines[row : row + drawn.shape[0], column : column + drawn.shape[1]][drawn > 127]
    middle = len(values) // 2
    return float(np.partition(values, middle)[middle])


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
            usual[place] = median(darkness[around].tolist())
    return usual


def _printed(lines: NDArray[np.float32], usual: float) -> NDArray[np.float32]:
    """The lines as far as they can be print that is usually so dark; pens are darker than most print."""
    usual = max(usual, 1e-3)
    trust = np.clip((INK_AT_LEAST - lines / usual) / (INK_AT_LEAST - PRINT_AT_MOST), 0, 1)
    return np.asarray(np.minimum(lines, usual) * trust, dtype=np.float32)


def _likeness(lines: NDArray[np.float32], drawn: NDArray[np.float32]) -> Likeness:
    return np.asarray(cv2.matchTemplate(lines, drawn, cv2.TM_CCOEFF_NORMED), dtype=np.float32)


def _tops(likeness: Likeness, credible: NDArray[np.floating]) -> Points:
    """Millimetres (n, 2) of the most credible places, or of the tops of the likeness next to them."""
    count, height, width = likeness.shape
    rows, columns = np.divmod(credible.reshape(count, height * width).argmax(axis=1), width)
    steps = _around(likeness, rows, columns).reshape(count, 9).argmax(axis=1)
    top_rows, top_columns = rows + steps // 3 - 1, columns + steps % 3 - 1
    at_top = _around(likeness, top_rows, top_columns)
    peak = at_top[:, 1, 1] >= at_top.max(axis=(1, 2), initial=-1)
    rows, columns = np.where(peak, top_rows, rows), np.where(peak, top_columns, columns)
    near = np.where(peak[:, None, None], at_top, _around(credible, rows, columns)).astype(np.float64)
    inside = (rows > 0) & (rows < height - 1) & (columns > 0) & (columns < width - 1)
    across = np.where(inside, _vertices(near[:, 1]), 0)
    down = np.where(inside, _vertices(near[:, :, 1]), 0)
    places_px = np.stack([columns + across, rows + down], axis=1)
    return np.asarray((places_px - _REACH_PX) / SEARCH_PX_PER_MM)


def _around(
    values: NDArray[np.floating], rows: NDArray[np.intp], columns: NDArray[np.intp]
) -> NDArray[np.floating]:
    """Of each field's picture a place and those around it: (n, 3, 3); beyond the edge less than any."""
    padded = np.pad(values, ((0, 0), (1, 1), (1, 1)), constant_values=-2)
    step = np.arange(3)
    fields = np.arange(len(values))
    return np.asarray(
        padded[fields[:, None, None], (rows[:, None] + step)[:, :, None], (columns[:, None] + step)[:, None]]
    )


def _vertices(values: Points) -> Points:
    """Where the parabolas through three values (n, 3) each have their tops, from the middle one: (n,)."""
    left, middle, right = values.T
    bend = np.minimum(left - 2 * middle + right, -1e-9)
    return np.asarray(np.clip((left - right) / (2 * bend), -0.5, 0.5))
