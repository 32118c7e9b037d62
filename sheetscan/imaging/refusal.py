"""Says why no sheet, or only part of one, can be seen, in words that people can act on."""

from collections.abc import Collection, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetscan.errors import NoSheetError
from sheetscan.imaging.code import find_sheet_code
from sheetscan.imaging.markers import SeenSheet, find_markers
from sheetscan.imaging.quality import HOLD_STILL, MARKERS_LOST, MORE_LIGHT, measure_visibility
from sheetscan.imaging.rectify import SheetMap, rough_projection
from sheetscan.imaging.surface import FLAT, Points
from sheetscan.template import Template

MIN_MARKERS = 4
MIN_COVER = 0.7
"""The found markers must span this share of what all markers span: beyond them the bend is a guess."""
CROP_MM = 3.0
"""A missing marker that would come so near to the photo's edge was cut off: from a few others its place is
known no better, and this near the edge of the paper there is nothing to cover it."""
MAX_LISTED = 6
WHOLE_SHEET = "photograph the whole sheet, flat, with every marker in view"
DARK_PERCENTILE = 95
DARK_BELOW = 70
"""If 95 % of the pixels are darker than this, even white paper was hardly lit."""
BLUR_SIDE_PX = 800
BLURRED_BELOW = 12.0
"""Spread of the Laplacian on a picture reduced to BLUR_SIDE_PX: sharp printed paper has 20 to 60."""
SHAKE_SIDE_PX = 1600
SHAKEN_FROM = 1.8
"""Strength of the edges across the sharpest direction, against that along it: it is 1 to 1.4 on sheets."""


def nothing_found(
    grey: NDArray[np.uint8], dictionary: str, kinds: Collection[Collection[int]], name: str
) -> NoSheetError:
    """The reason why a photo shows no marker: mirrored, cropped, dark, blurred, or not a sheet of ours."""
    if find_markers(np.ascontiguousarray(grey[:, ::-1]), dictionary, kinds):
        return NoSheetError(
            "the photo is a mirror image", "turn mirroring off in the camera or the scanning app"
        )
    if (code := find_sheet_code(grey)) is not None:
        return NoSheetError(
            f"no {name} sheet found: the code of sheet {code.sheet_id} can be seen, but none of its markers:"
            " it is cropped at every side, or they are covered",
            WHOLE_SHEET,
        )
    if np.percentile(grey[::8, ::8], DARK_PERCENTILE) < DARK_BELOW:
        return NoSheetError(f"no {name} sheet found: the photo is too dark", MORE_LIGHT)
    if _anisotropy(grey) > SHAKEN_FROM:
        return NoSheetError(
            f"no {name} sheet found: the photo looks shaken, it is sharp in one direction only", HOLD_STILL
        )
    if _detail(grey) < BLURRED_BELOW:
        return NoSheetError(
            f"no {name} sheet found: the photo is blurred, or nothing is printed on what it shows",
            HOLD_STILL,
        )
    return NoSheetError(
        f"no {name} sheet found: none of its markers can be seen",
        "photograph a sheet printed by `sheetscan print`, whole, sharp and well lit",
    )


def _detail(grey: NDArray[np.uint8]) -> float:
    return float(cv2.Laplacian(_reduced(grey, BLUR_SIDE_PX), cv2.CV_32F).std())


def _anisotropy(grey: NDArray[np.uint8]) -> float:
    """Ratio of the eigenvalues of the whole picture's structure tensor, at least 1."""
    small = cv2.GaussianBlur(_reduced(grey, SHAKE_SIDE_PX), (0, 0), 1)
    gradients = [cv2.Sobel(small, cv2.CV_32F, *order).ravel() for order in ((1, 0), (0, 1))]
    weak, strong = np.linalg.eigvalsh(np.cov(gradients))
    return float(strong / max(weak, 1e-6))


def _reduced(grey: NDArray[np.uint8], side_px: int) -> NDArray[np.uint8]:
    scale = min(1.0, side_px / max(grey.shape))
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.uint8)


def check_cover(pixels: NDArray[np.uint8], seen: SeenSheet) -> None:
    """Raises NoSheetError, saying what is in the way, if too few markers are seen to trust the sheet."""
    template = seen.template
    centres = {marker.id: marker.box_mm.centre for marker in template.markers}
    whole = cv2.convexHull(np.array(list(centres.values()), dtype=np.float32))
    part = cv2.convexHull(np.array([centres[marker_id] for marker_id in seen.corners], dtype=np.float32))
    count = len(seen.corners)
    if count >= MIN_MARKERS and cv2.contourArea(part) >= MIN_COVER * cv2.contourArea(whole):
        return
    reason, hint = _why_lost(pixels, seen)
    raise NoSheetError(
        f"only {count} of {len(centres)} markers of a {template.id} sheet can be seen: {reason}", hint
    )


def _why_lost(pixels: NDArray[np.uint8], seen: SeenSheet) -> tuple[str, str]:
    """Why markers are missing, judged by the photo's sides and the markers that are seen; and what to do."""
    sides = _cropped_sides(seen, pixels.shape[1::-1])
    if sides:
        return f"it is cropped {' and '.join(sides)}", WHOLE_SHEET
    page_mm = seen.template.page_mm
    rough = SheetMap(rough_projection(seen), FLAT, page_mm, 0.0, len(seen.corners))
    if (fault := measure_visibility(pixels, rough, seen).fault(MARKERS_LOST)) is not None:
        return f"the sheet is {fault.words} in the photo", fault.hint
    return "others are covered, cut off or washed out", WHOLE_SHEET


def _cropped_sides(seen: SeenSheet, size_px: tuple[int, int]) -> list[str]:
    """At which sides of the photo the markers that are missing would lie outside of it, or half outside."""
    missing = [marker for marker in seen.template.markers if marker.id not in seen.corners]
    if not missing:
        return []
    around_mm = np.array([corner for marker in missing for corner in marker.box_mm.grown(CROP_MM).corners])
    return _sides_passed(cv2.perspectiveTransform(around_mm[None], rough_projection(seen))[0], size_px)


def check_inside(sheet_map: SheetMap, template: Template, size_px: tuple[int, int]) -> None:
    """Raises NoSheetError if fields lie outside the photo, where what is written in them can't be seen."""
    corners_mm = np.array([field.box_mm.corners for field in template.readable_fields])
    corners_px = sheet_map.to_photo(corners_mm.reshape(-1, 2)).reshape(corners_mm.shape)
    outside = [
        field.id
        for field, corners in zip(template.readable_fields, corners_px, strict=True)
        if _sides_passed(corners, size_px)
    ]
    if outside:
        sides = " and ".join(_sides_passed(corners_px.reshape(-1, 2), size_px))
        raise NoSheetError(
            f"the {template.id} sheet is cropped {sides}: {listed(outside)} can't be seen",
            WHOLE_SHEET,
        )


def _sides_passed(places_px: Points, size_px: tuple[int, int]) -> list[str]:
    """The sides of the photo beyond which any of the places (n, 2) lies."""
    (left, top), (right, bottom) = places_px.min(axis=0), places_px.max(axis=0)
    width, height = size_px
    passed = {
        "at the left": left < 0,
        "at the right": right >= width,
        "at the top": top < 0,
        "at the bottom": bottom >= height,
    }
    return [side for side, beyond in passed.items() if beyond]


def listed(names: Sequence[str]) -> str:
    """Names of fields in a row of words, the first ones if they are many."""
    if len(names) <= MAX_LISTED:
        return ", ".join(names)
    return f"{', '.join(names[:MAX_LISTED])} and {len(names) - MAX_LISTED} other fields"
