"""Finds fields that can't be seen, washed out by a reflection or covered: they are not empty."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetscan.errors import NoSheetError
from sheetscan.geometry import Box, CellSpec
from sheetscan.imaging.outline import outline, print_mask
from sheetscan.imaging.rectify import SheetMap, flatten_alike
from sheetscan.imaging.refusal import listed
from sheetscan.template import Field, Shape, Template

PX_PER_MM = 4.0
MARGIN_MM = 0.5
SECTORS = 8
INNER_MM = 1.5
"""How far inside the outline bare paper is looked for."""
PALE = 0.35
"""An outline with less than this share of the contrast that others have is not seen; nor is pencil then."""
BRIGHTER = 1.05
"""A reflection makes the paper so much brighter than elsewhere on the sheet, or as white as can be."""
WHITE = 250
WASHED_SECTORS = 2
GONE = 0.15
"""An outline with less than this share is not pale but gone: something lies over it, or it is elsewhere."""
COVERED_SECTORS = 2
"""A folded corner hides half a number and no more of the outline. In 6 000 plain fields no two are gone."""
MAX_WASHED = 0.4
"""With a larger share of its fields washed out, a sheet is quicker photographed again than reviewed."""
REFERENCE = 80
"""The percentile of contrasts that stands for print without glare, of brightnesses for paper without ink."""


@dataclass(frozen=True, slots=True)
class _Looks:
    """Of each field and sector of its outline, (fields, SECTORS): its contrast, 0..1, and how bright the
    paper inside is."""

    contrast: NDArray[np.float64]
    paper: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Hidden:
    """The names of fields that glare washes out, and of those that something else hides: a thumb, a fold."""

    washed_out: tuple[str, ...] = ()
    covered: tuple[str, ...] = ()

    @property
    def names(self) -> set[str]:
        """Those of both kinds."""
        return {*self.washed_out, *self.covered}


def hidden_fields(
    pixels: NDArray[np.uint8], sheet_map: SheetMap, template: Template, *, black_and_white: bool = False
) -> Hidden:
    """The fields where print is hidden that shows elsewhere on the same sheet.

    Print that is pale by itself (faded toner, light ink) is no glare: the paper there is no brighter. A
    black and white scan knows no glare, and rows of pale print are not in it at all.
    """
    fields = [field for field in template.readable_fields if field.kind != "blocked"]
    looks = _looks(pixels, sheet_map, fields)
    expected = _expected_contrast(fields, looks, across_rows=not black_and_white)[:, None]
    bright = min(WHITE, BRIGHTER * float(np.median(looks.paper)))
    pale = (looks.contrast < PALE * expected) & (looks.paper >= bright)
    washed_out = (np.sum(pale, axis=1) >= WASHED_SECTORS) & (not black_and_white)
    covered = (np.sum(looks.contrast < GONE * expected, axis=1) >= COVERED_SECTORS) & ~washed_out
    return Hidden(
        *(tuple(fields[place].id for place in np.flatnonzero(which)) for which in (washed_out, covered))
    )


def check_glare(washed_out: Sequence[str], template: Template) -> None:
    """Raises NoSheetError when glare hides so many fields that little is left to be read."""
    fields = len(template.readable_fields)
    if len(washed_out) > MAX_WASHED * fields:
        raise NoSheetError(
            f"glare washes out {len(washed_out)} of {fields} fields of the {template.id} sheet:"
            f" {listed(washed_out)}",
            "turn the sheet or the lamp so that nothing is reflected, and photograph it again",
        )


def _expected_contrast(fields: Sequence[Field], looks: _Looks, *, across_rows: bool) -> NDArray[np.float64]:
    """How much contrast the outline of each field, (fields,), has where its row is seen well.

    A row that is wholly washed out is judged by the sheet (`across_rows`): no row is printed half as strong
    as others.
    """
    usual = np.median(looks.contrast, axis=1)
    least = float(np.percentile(usual, REFERENCE)) / 2 if across_rows else 0.0
    rows = np.array([field.row or "" for field in fields])
    of_row = {row: max(float(np.percentile(usual[rows == row], REFERENCE)), least) for row in set(rows)}
    return np.array([of_row[row] for row in rows])


def _looks(pixels: NDArray[np.uint8], sheet_map: SheetMap, fields: Sequence[Field]) -> _Looks:
    """Fields of one shape and size are looked at together."""
    alike: dict[tuple[Shape, float, float], list[int]] = {}
    for place, field in enumerate(fields):
        alike.setdefault((field.shape, field.box_mm.width, field.box_mm.height), []).append(place)
    contrast, paper = np.zeros((len(fields), SECTORS)), np.zeros((len(fields), SECTORS))
    for (shape, width, height), places in alike.items():
        seen = _seen(pixels, sheet_map, [fields[place].box_mm for place in places])
        for sector, (line, inner) in enumerate(_sectors(shape, Box(0, 0, width, height))):
            rank = len(inner) * REFERENCE // 100
            bare = np.partition(seen[:, inner], rank, axis=1)[:, rank].astype(np.float64)
            contrast[places, sector] = (1 - seen[:, line].mean(axis=1) / np.maximum(bare, 1)).max(axis=1)
            paper[places, sector] = bare.min(axis=1)
    return _Looks(contrast, paper)


def _seen(pixels: NDArray[np.uint8], sheet_map: SheetMap, boxes: Sequence[Box]) -> NDArray[np.uint8]:
    """The pixels (fields, n, 3) of fields of one size, with a margin, flattened."""
    spec = _spec(boxes[0])
    windows = [Box.around(box.centre, spec.size_mm, spec.size_mm) for box in boxes]
    flat = flatten_alike(pixels, sheet_map, PX_PER_MM, windows, max_oversampling=2)
    return flat.reshape(len(boxes), -1, 3)


def _spec(box: Box) -> CellSpec:
    side_px = round((max(box.width, box.height) + 2 * MARGIN_MM) * PX_PER_MM)
    return CellSpec(side_px, side_px / PX_PER_MM)


@lru_cache(maxsize=512)
def _sectors(shape: Shape, box: Box) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Of each sector around the middle the pixels of the outline, and those just inside of it."""
    spec = _spec(box)
    line = outline(shape, box, spec) > 127
    inside = print_mask(shape, box, spec) == 0
    reach = 2 * round(INNER_MM * PX_PER_MM) + 1
    core = cv2.erode(inside.astype(np.uint8), np.ones((reach, reach), np.uint8)) > 0
    places = np.arange(spec.size_px) - (spec.size_px - 1) / 2
    turn = np.arctan2(places[:, None], places[None, :]) / (2 * np.pi) + 0.5
    sector = np.minimum(turn * SECTORS, SECTORS - 1).astype(np.intp)
    return [
        (np.flatnonzero((sector == one) & line), np.flatnonzero((sector == one) & inside & ~core))
        for one in range(SECTORS)
    ]
