"""Finds the fiducial markers in a photo and groups them into sheets by their geometry."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetscan.template import MARKER_MODULES, Marker, Template

SEARCH_SIDES_PX = (1600, 3200)
"""Longest sides of the reduced images that are searched, the cheap one first."""
LONE_TOLERANCE = 0.35
"""From one marker the place of another is known to this share of their distance; the rest is perspective."""
GROUP_TOLERANCE = 0.08
TOLERANCE_FLOOR_MM = 4.0

Corners = NDArray[np.float32]
"""(4, 2) photo pixels: top left, top right, bottom right, bottom left of the upright marker."""


@dataclass(frozen=True, slots=True)
class FoundMarker:
    """A marker seen in a photo."""

    id: int
    corners: Corners


@dataclass(frozen=True, slots=True)
class SeenSheet:
    """The markers of one sheet of paper: their corners in the photo by marker id."""

    template: Template
    corners: Mapping[int, Corners]


def find_markers(
    grey: NDArray[np.uint8], dictionary: str, kinds: Collection[Collection[int]]
) -> list[FoundMarker]:
    """Markers in a grey image, their corners refined to a fraction of a pixel.

    `kinds` are the ids on each kind of sheet; others don't count. The search runs on a reduced image first,
    and on a larger one only where sheets are incomplete.
    """
    wanted = sorted({marker_id for ids in kinds for marker_id in ids})
    found: list[FoundMarker] = []
    for side in SEARCH_SIDES_PX:
        found = _search(grey, dictionary, wanted, side)
        if _complete(found, kinds) or side >= max(grey.shape):
            break
    return [FoundMarker(marker.id, _refined(grey, marker.corners)) for marker in found]


def _complete(found: Sequence[FoundMarker], kinds: Collection[Collection[int]]) -> bool:
    """Whether all ids of every kind of sheet that is there were seen equally often.

    A larger image would show nothing new then.
    """
    seen = Counter(marker.id for marker in found)
    there = [{seen[marker_id] for marker_id in ids} for ids in kinds if any(seen[each] for each in ids)]
    return bool(there) and all(len(counts) == 1 for counts in there)


def _search(grey: NDArray[np.uint8], dictionary: str, wanted: Sequence[int], side: int) -> list[FoundMarker]:
    scale = min(1.0, side / max(grey.shape))
    size = (round(grey.shape[1] * scale), round(grey.shape[0] * scale))
    reduced = cv2.resize(grey, size, interpolation=cv2.INTER_AREA) if scale < 1 else grey
    parameters = cv2.aruco.DetectorParameters()
    parameters.minMarkerPerimeterRate = 0.015
    parameters.adaptiveThreshWinSizeMin = 5
    parameters.adaptiveThreshWinSizeMax = 45
    parameters.adaptiveThreshWinSizeStep = 20
    detector = cv2.aruco.ArucoDetector(_part(dictionary, wanted), parameters)
    corners, ids, _ = detector.detectMarkers(reduced)
    if ids is None:
        return []
    stretch = np.array([grey.shape[1] / size[0], grey.shape[0] / size[1]], dtype=np.float32)
    return [
        FoundMarker(wanted[int(place)], ((quad.reshape(4, 2) + 0.5) * stretch - 0.5).astype(np.float32))
        for quad, place in zip(corners, np.ravel(ids), strict=True)
    ]


def _part(dictionary: str, wanted: Sequence[int]) -> cv2.aruco.Dictionary:
    """The markers of a dictionary that count: every square in a photo is compared to each of them."""
    whole = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    return cv2.aruco.Dictionary(whole.bytesList[list(wanted)], whole.markerSize, whole.maxCorrectionBits)


def _refined(grey: NDArray[np.uint8], corners: Corners) -> Corners:
    """Corners moved to where the edges cross, looking no further than the black border is wide."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    reach = int(np.clip(sides.min() / MARKER_MODULES * 0.7, 2, 12))
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 0.01)
    refined = cv2.cornerSubPix(grey, corners.reshape(4, 1, 2).copy(), (reach, reach), (-1, -1), criteria)
    moved = refined.reshape(4, 2)
    strayed = np.linalg.norm(moved - corners, axis=1) > 1.5 * reach
    moved[strayed] = corners[strayed]
    return np.asarray(moved, dtype=np.float32)


def group_sheets(found: Sequence[FoundMarker], templates: Sequence[Template]) -> list[SeenSheet]:
    """Sort markers into sheets of paper.

    Ids alone don't do: two sheets of one kind show the same ids. From the markers already in a group the
    places of the others are predicted, and the nearest marker of the right id, size and direction joins.
    """
    sheets = []
    for template in templates:
        places = {marker.id: marker for marker in template.markers}
        remaining = [marker for marker in found if marker.id in places]
        while remaining:
            group = _grow(remaining, places)
            sheets.append(SeenSheet(template, {marker.id: marker.corners for marker in group}))
            remaining = [marker for marker in remaining if all(marker is not member for member in group)]
    return _in_reading_order(sheets)


def _in_reading_order(sheets: Sequence[SeenSheet]) -> list[SeenSheet]:
    """Line by line, each from left to right. A sheet begins a new line when it lies lower than the line's
    first sheet by more than half of its own height, as seen in the photo."""
    lines: list[list[SeenSheet]] = []
    for sheet in sorted(sheets, key=lambda sheet: _middle(sheet)[1]):
        height = float(np.ptp(np.concatenate(list(sheet.corners.values()))[:, 1]))
        if lines and _middle(sheet)[1] - _middle(lines[-1][0])[1] < height / 2:
            lines[-1].append(sheet)
        else:
            lines.append([sheet])
    return [sheet for line in lines for sheet in sorted(line, key=lambda sheet: _middle(sheet)[0])]


def _middle(sheet: SeenSheet) -> tuple[float, float]:
    x, y = np.concatenate(list(sheet.corners.values())).mean(axis=0)
    return float(x), float(y)


def _grow(remaining: Sequence[FoundMarker], places: Mapping[int, Marker]) -> list[FoundMarker]:
    group = [max(remaining, key=lambda marker: float(cv2.contourArea(marker.corners)))]
    while True:
        have = {marker.id for marker in group}
        others = [marker for marker in remaining if marker.id not in have]
        if not others:
            return group
        misfits = _View.of(group, places).misfits(
            np.stack([marker.corners for marker in others]),
            np.stack([_corners_mm(places[marker.id]) for marker in others]),
        )
        nearest = int(misfits.argmin())
        if misfits[nearest] >= 1:
            return group
        group.append(others[nearest])


@dataclass(frozen=True, slots=True)
class _View:
    """Where a group of markers expects others: as each of them sees it alone, and as all do together.

    A marker alone knows the sheet's directions only where it is itself: `alone` holds its middle in sheet
    millimetres and its affine map (2, 3) to the photo.
    """

    sheet_mm: Corners
    alone: Sequence[tuple[NDArray[np.float32], NDArray[np.floating]]]
    homography: NDArray[np.floating] | None

    @classmethod
    def of(cls, group: Sequence[FoundMarker], places: Mapping[int, Marker]) -> "_View":
        each_mm = [_corners_mm(places[member.id]) for member in group]
        alone = [
            (
                own_mm.mean(axis=0),
                np.asarray(cv2.getAffineTransform(own_mm[:3], member.corners[:3]), np.float64),
            )
            for own_mm, member in zip(each_mm, group, strict=True)
        ]
        sheet_mm = np.concatenate(each_mm)
        if len(group) == 1:
            return cls(sheet_mm, alone, None)
        homography, _ = cv2.findHomography(sheet_mm, np.concatenate([member.corners for member in group]))
        return cls(sheet_mm, alone, None if homography is None else np.asarray(homography, np.float64))

    def misfits(self, corners: Corners, expected_mm: Corners) -> NDArray[np.floating]:
        """How far markers (n, 4, 2) lie from where the group expects them, in units of the tolerance: (n,).

        Bent paper leads a homography through few markers astray, strong perspective leads single neighbours
        astray: whichever comes nearer has a say.
        """
        middles_mm = expected_mm.mean(axis=1)
        misfits = []
        for member_mm, affine in self.alone:
            expected_px = (expected_mm @ affine[:, :2].T + affine[:, 2]).astype(np.float32)
            away_mm = np.linalg.norm(middles_mm - member_mm, axis=1)
            tolerances_mm = TOLERANCE_FLOOR_MM + LONE_TOLERANCE * away_mm
            misfits.append(_distances(corners, expected_px, expected_mm, tolerances_mm))
        if self.homography is not None:
            projected = cv2.perspectiveTransform(expected_mm.reshape(1, -1, 2), self.homography)
            away_mm = np.linalg.norm(self.sheet_mm - middles_mm[:, None], axis=2).min(axis=1)
            tolerances_mm = TOLERANCE_FLOOR_MM + GROUP_TOLERANCE * away_mm
            expected_px = np.asarray(projected, np.float32).reshape(corners.shape)
            misfits.append(_distances(corners, expected_px, expected_mm, tolerances_mm))
        return np.asarray(np.min(misfits, axis=0))


def _distances(
    corners: Corners, expected_px: Corners, expected_mm: Corners, tolerances_mm: NDArray[np.floating]
) -> NDArray[np.floating]:
    """The largest distance (n,) of a corner from its expected place, in units of the tolerance."""
    seen = _diagonals(corners)
    farthest_px = np.linalg.norm(expected_px - corners, axis=2).max(axis=1)
    distances = farthest_px / (seen / _diagonals(expected_mm)) / tolerances_mm
    ratios = _diagonals(expected_px) / seen
    return np.asarray(np.where((ratios > 0.5) & (ratios < 2), distances, np.inf))


def _corners_mm(marker: Marker) -> Corners:
    return np.array(marker.box_mm.corners, dtype=np.float32)


def _diagonals(corners: Corners) -> NDArray[np.floating]:
    return np.asarray(np.linalg.norm(corners[:, 0] - corners[:, 2], axis=1))
