"""Follows bent paper between the markers by the fields' printed outlines, and checks that they are there."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetscan.errors import NoSheetError
from sheetscan.geometry import Box, CellSpec
from sheetscan.imaging.markers import SeenSheet
from sheetscan.imaging.outline import outline
from sheetscan.imaging.rectify import (
    SheetMap,
    fit_sheet_map,
    flatten,
    marker_corners,
    unprojected,
    without_stray,
)
from sheetscan.imaging.refusal import check_cover, check_inside
from sheetscan.imaging.surface import Points, consensus, fit_thin_plate
from sheetscan.template import Field, Template

SEARCH_MM = 2.5
"""How far an outline may lie from where the markers put it."""
SEARCH_PX_PER_MM = 4.0
LINE_REACH_MM = 1.25
"""Wider than an outline: what a closing of this size takes away is line, the rest is band and paper."""
MIN_LIKENESS = 0.12
"""Correlation below which an outline was not seen at all."""
MIN_AGREEING = 0.5
"""Share of the outlines that must be seen where one smooth sheet has them: by chance it is a few percent."""

MAX_LOOKS = 5
NEAR_MM = 0.8
"""With every outline so near to where it was looked for, another look would find nothing new."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """Where a field's outline was seen: `offset_mm` from where the map puts it, with its correlation."""

    field: Field
    offset_mm: Points
    likeness: float


def locate_sheet(pixels: NDArray[np.uint8], seen: SeenSheet) -> SheetMap:
    """The map of a sheet of which the markers were seen; raises NoSheetError if it can't be trusted."""
    height, width = pixels.shape[:2]
    check_cover(pixels, seen)
    trusted = without_stray(seen)
    sheet_map = refine(pixels, fit_sheet_map(trusted), trusted)
    check_inside(sheet_map, seen.template, (width, height))
    return sheet_map


def refine(pixels: NDArray[np.uint8], sheet_map: SheetMap, seen: SeenSheet) -> SheetMap:
    """The map with the bend of the paper followed by markers and printed outlines together.

    Where outlines lie far from where they were looked for, as beside a fold, all are looked for again from
    the better map. Raises NoSheetError when they are not where a smooth sheet with these markers has them.
    """
    grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    for _ in range(MAX_LOOKS):
        sightings = sight_outlines(grey, sheet_map, seen.template)
        sheet_map, agreeing = _fitted(sheet_map, seen, sightings)
        if len(agreeing) < MIN_AGREEING * len(sightings):
            raise NoSheetError(
                f"the {seen.template.id} sheet's print is not where its markers put it, or too pale:"
                f" {len(agreeing)} of {len(sightings)} field outlines were found",
                "lay the sheet flat and bare, and photograph it in even light, or scan it in colour",
            )
        if all(np.abs(sighting.offset_mm).max() < NEAR_MM for sighting in agreeing):
            break
    return sheet_map


def _fitted(
    sheet_map: SheetMap, seen: SeenSheet, sightings: Sequence[Sighting]
) -> tuple[SheetMap, list[Sighting]]:
    """The map bent through the markers and those outlines that agree with it and each other; these, too."""
    template = seen.template
    trusted = [sighting for sighting in sightings if sighting.likeness >= MIN_LIKENESS]
    markers_mm, markers_px = marker_corners(seen)
    centres_mm = np.array([sighting.field.box_mm.centre for sighting in trusted]).reshape(-1, 2)
    centres_px = sheet_map.to_photo(centres_mm + np.array([s.offset_mm for s in trusted]).reshape(-1, 2))
    anchors_mm = np.concatenate([markers_mm, centres_mm])
    anchors_px = np.concatenate([markers_px, centres_px])
    offsets_mm = unprojected(anchors_px, sheet_map.homography) - anchors_mm
    agreeing = consensus(anchors_mm, offsets_mm - sheet_map.surface.offset(anchors_mm), template.page_mm)
    surface = fit_thin_plate(anchors_mm[agreeing], offsets_mm[agreeing], template.page_mm)
    outlines = [trusted[place] for place in np.flatnonzero(agreeing[len(markers_mm) :])]
    return dataclasses.replace(sheet_map, surface=surface), outlines


def sight_outlines(grey: NDArray[np.uint8], sheet_map: SheetMap, template: Template) -> list[Sighting]:
    """Look in the grey photo for the outline of every field that has one, around where the map puts it."""
    return [_sight(grey, sheet_map, field) for field in template.readable_fields if field.kind != "blocked"]


def _sight(grey: NDArray[np.uint8], sheet_map: SheetMap, field: Field) -> Sighting:
    side_px = round((max(field.box_mm.width, field.box_mm.height) + 1) * SEARCH_PX_PER_MM)
    spec = CellSpec(side_px, side_px / SEARCH_PX_PER_MM)
    reach_px = round(SEARCH_MM * SEARCH_PX_PER_MM)
    side_mm = spec.size_mm + 2 * reach_px / SEARCH_PX_PER_MM
    window = Box.around(field.box_mm.centre, side_mm, side_mm)
    lines = _lines(flatten(grey, sheet_map, SEARCH_PX_PER_MM, window, max_oversampling=2))
    drawn = outline(field.shape, field.box_mm, spec).astype(np.float32)
    likeness = np.asarray(cv2.matchTemplate(lines, drawn, cv2.TM_CCOEFF_NORMED), dtype=np.float32)
    _, best, _, (column, row) = cv2.minMaxLoc(likeness)
    offset_px = np.array([column - reach_px, row - reach_px]) + _subpixel(likeness, column, row)
    return Sighting(field, offset_px / SEARCH_PX_PER_MM, best)


def _lines(flat: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Dark lines in relation to what is around them: 0 where there is none."""
    reach = round(LINE_REACH_MM * SEARCH_PX_PER_MM) | 1
    around = cv2.morphologyEx(flat, cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
    return np.asarray(1 - (flat + np.float32(1)) / (around + np.float32(1)), dtype=np.float32)


def _subpixel(likeness: NDArray[np.float32], column: int, row: int) -> NDArray[np.float64]:
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
