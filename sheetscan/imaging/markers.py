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
    """The largest of the markers, and those that lie where the group, as it grows, expects them.

    Bent paper leads a homography through few markers astray, strong perspective leads single neighbours
    astray: whichever comes nearer has a say.
    """
    corners = np.stack([marker.corners for marker in remaining])
    places_mm = np.stack([_corners_mm(places[marker.id]) for marker in remaining])
    ids = np.array([marker.id for marker in remaining])
    joined = [max(range(len(remaining)), key=lambda one: float(cv2.contourArea(remaining[one].corners)))]
    others = np.flatnonzero(ids != ids[joined[0]])
    alone = np.full(len(remaining), np.inf)
    while len(others):
        seen = corners[others], places_mm[others]
        alone[others] = np.minimum(
            alone[others], _misfits_alone(*seen, corners[joined[-1]], places_mm[joined[-1]])
        )
        misfits = alone[others]
        if len(joined) > 1:
            misfits = np.minimum(misfits, _misfits_together(*seen, corners[joined], places_mm[joined]))
        nearest = int(misfits.argmin())
        if misfits[nearest] >= 1:
            break
        joined.append(int(others[nearest]))
        others = others[ids[others] != ids[joined[-1]]]
    return [remaining[one] for one in joined]


def _misfits_alone(
    corners: Corners, expected_mm: Corners, member: Corners, member_mm: Corners
) -> NDArray[np.floating]:
    """How far markers (n, 4, 2) lie from where one other expects them, in units of the tolerance: (n,).

    A marker alone knows the sheet's directions only where it is itself.
    """
    affine = np.asarray(cv2.getAffineTransform(member_mm[:3], member[:3]), np.float64)
    expected_px = (expected_mm @ affine[:, :2].T + affine[:, 2]).astype(np.float32)
    away_mm = np.linalg.norm(expected_mm.mean(axis=1) - member_mm.mean(axis=0), axis=1)
    return _distances(corners, expected_px, expected_mm, TOLERANCE_FLOOR_MM + LONE_TOLERANCE * away_mm)


def _misfits_together(
    corners: Corners, expected_mm: Corners, members: Corners, members_mm: Corners
) -> NDArray[np.floating]:
    """The same from where a group of others (m, 4, 2) expects them; nowhere if it doesn't tell."""
    sheet_mm = members_mm.reshape(-1, 2)
    homography, _ = cv2.findHomography(sheet_mm, members.reshape(-1, 2))
    if homography is None:
        return np.full(len(corners), np.inf)
    projected = cv2.perspectiveTransform(expected_mm.reshape(1, -1, 2), np.asarray(homography, np.float64))
    away_mm = np.linalg.norm(sheet_mm - expected_mm.mean(axis=1)[:, None], axis=2).min(axis=1)
    expected_px = np.asarray(projected, np.float32).reshape(corners.shape)
    return _distances(corners, expected_px, expected_mm, TOLERANCE_FLOOR_MM + GROUP_TOLERANCE * away_mm)


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
