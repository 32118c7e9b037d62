"""Follows bent paper between the markers by the fields' printed outlines, and checks that they are there."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetscan.errors import NoSheetError
from sheetscan.imaging.markers import SeenSheet
from sheetscan.imaging.rectify import SheetMap, fit_sheet_map, marker_corners, unprojected, without_stray
from sheetscan.imaging.refusal import check_cover, check_inside
from sheetscan.imaging.sighting import MIN_LIKENESS, Sightings, field_pitches, sight_outlines
from sheetscan.imaging.surface import Points, Surface, consensus, fit_thin_plate, left_out
from sheetscan.template import Field

MIN_AGREEING = 0.5
"""Share of the outlines that must be seen where one smooth sheet has them: by chance it is a few percent."""

CLEAR_AGREEING = 0.93
"""With fewer of them seen the print may be a field further on: that leaves out the ends of rows."""
BETTER = 1.05
"""So many times the outlines must be seen elsewhere before that is believed."""
MAX_LOOKS = 5
ROUNDS = 4
"""Outlines that move tell others better where to be; by then none moves any more."""
NEAR_MM = 0.8
"""With every outline so near to where it was looked for, another look would find nothing new."""


def locate_sheet(
    pixels: NDArray[np.uint8], seen: SeenSheet, grey: NDArray[np.uint8] | None = None
) -> SheetMap:
    """The map of a sheet of which the markers were seen; raises NoSheetError if it can't be trusted.

    `grey` is the photo in grey, if that is at hand: of several sheets in a photo each needs it.
    """
    height, width = pixels.shape[:2]
    check_cover(pixels, seen)
    trusted = without_stray(seen)
    if grey is None:
        grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    sheet_map = refine(grey, fit_sheet_map(trusted), trusted)
    check_inside(sheet_map, seen.template, (width, height))
    return sheet_map


def refine(grey: NDArray[np.uint8], sheet_map: SheetMap, seen: SeenSheet) -> SheetMap:
    """The map with the bend of the paper followed by markers and printed outlines together.

    Where outlines lie far from where they were looked for, as beside a fold, all are looked for again from
    the better map. Raises NoSheetError when they are not where a smooth sheet with these markers has them.
    """
    fields = [field for field in seen.template.readable_fields if field.kind != "blocked"]
    for _ in range(MAX_LOOKS):
        sightings = sight_outlines(grey, sheet_map, fields)
        look = _agreed(sheet_map, seen, sightings)
        if look.agreeing < MIN_AGREEING * len(fields):
            raise NoSheetError(
                f"the {seen.template.id} sheet's print is not where its markers put it, or too pale:"
                f" {look.agreeing} of {len(fields)} field outlines were found",
                "lay the sheet flat and bare, and photograph it in even light, or scan it in colour",
            )
        sheet_map = dataclasses.replace(sheet_map, surface=look.surface)
        if look.farthest_mm < NEAR_MM:
            break
    if look.agreeing < CLEAR_AGREEING * len(fields):
        _check_unshifted(grey, sheet_map, fields, seen.template.id)
    return sheet_map


def _check_unshifted(
    grey: NDArray[np.uint8], sheet_map: SheetMap, fields: Sequence[Field], name: str
) -> None:
    """Raises NoSheetError if the print fits better with the whole grid moved by a field: most outlines of a
    row have others beside them."""
    here = sight_outlines(grey, sheet_map, fields).together
    for shift_mm in field_pitches(fields):
        moved = np.eye(3)
        moved[:2, 2] = shift_mm
        beside = dataclasses.replace(sheet_map, homography=sheet_map.homography @ moved)
        if sight_outlines(grey, beside, fields).together > BETTER * here:
            raise NoSheetError(
                f"the {name} sheet's print is not where its markers put it, but beside that",
                "print the sheet anew: its markers and its fields don't belong together",
            )


@dataclass(frozen=True, slots=True)
class _Look:
    """What one look at the outlines gives: the bent sheet through those that agree, how many did so before
    they were told where to be, and how far from where it was looked for any of them lies."""

    surface: Surface
    agreeing: int
    farthest_mm: float


def _agreed(sheet_map: SheetMap, seen: SeenSheet, sightings: Sightings) -> _Look:
    """The sheet bent through the markers and those outlines that agree with it and each other.

    Each outline is taken where it is most credible beside all others; those move in turn, if any does.
    """
    offsets_mm, likeness = sightings.best()
    trusted = likeness >= MIN_LIKENESS
    sightings = Sightings(
        [field for field, clear in zip(sightings.fields, trusted, strict=True) if clear],
        sightings.likeness[trusted],
    )
    offsets_mm = offsets_mm[trusted]
    anchors = _Anchors.of(sheet_map, seen, sightings.fields)
    agreeing = anchors.agreeing(offsets_mm)
    sighted = int(agreeing[anchors.markers :].sum())
    for _ in range(ROUNDS):
        nearer_mm = sightings.near(anchors.expected(offsets_mm, agreeing))
        if np.array_equal(nearer_mm, offsets_mm):
            break
        offsets_mm = nearer_mm
        agreeing = anchors.agreeing(offsets_mm)
    surface = anchors.surface(offsets_mm, agreeing)
    farthest_mm = float(np.abs(offsets_mm[agreeing[anchors.markers :]]).max(initial=0))
    return _Look(surface, sighted, farthest_mm)


@dataclass(frozen=True)
class _Anchors:
    """The markers' corners and the fields' middles, in that order: where the map and the photo have them."""

    sheet_map: SheetMap
    markers: int
    places_mm: Points
    markers_px: Points

    @classmethod
    def of(cls, sheet_map: SheetMap, seen: SeenSheet, fields: Sequence[Field]) -> "_Anchors":
        corners_mm, corners_px = marker_corners(seen)
        centres_mm = np.array([field.box_mm.centre for field in fields]).reshape(-1, 2)
        return cls(sheet_map, len(corners_mm), np.concatenate([corners_mm, centres_mm]), corners_px)

    def bends(self, offsets_mm: Points) -> Points:
        """How far off a flat sheet each anchor lies, (n, 2), with the fields seen `offsets_mm` from the map's
        places."""
        fields_px = self.sheet_map.to_photo(self.places_mm[self.markers :] + offsets_mm)
        seen_px = np.concatenate([self.markers_px, fields_px])
        return unprojected(seen_px, self.sheet_map.homography) - self.places_mm

    def agreeing(self, offsets_mm: Points) -> NDArray[np.bool_]:
        """Which anchors lie on one smooth sheet."""
        changes_mm = self.bends(offsets_mm) - self.sheet_map.surface.offset(self.places_mm)
        return consensus(self.places_mm, changes_mm, self.sheet_map.page_mm)

    def expected(self, offsets_mm: Points, agreeing: NDArray[np.bool_]) -> Points:
        """Where the agreeing anchors other than itself have each field, as an offset like `offsets_mm`."""
        bends_mm = self.bends(offsets_mm)
        misfits_mm = left_out(self.places_mm, bends_mm, agreeing, self.sheet_map.page_mm) - bends_mm
        return np.asarray(offsets_mm + misfits_mm[self.markers :])

    def surface(self, offsets_mm: Points, agreeing: NDArray[np.bool_]) -> Surface:
        """The sheet through the agreeing anchors."""
        bends_mm = self.bends(offsets_mm)
        return fit_thin_plate(self.places_mm[agreeing], bends_mm[agreeing], self.sheet_map.page_mm)
