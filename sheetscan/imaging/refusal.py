"""Says why no sheet, or only part of one, can be seen, in words that people can act on."""

from collections.abc import Collection

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetscan.errors import NoSheetError
from sheetscan.imaging.markers import SeenSheet, find_markers
from sheetscan.imaging.rectify import marker_corners

MIN_MARKERS = 4
MIN_COVER = 0.7
"""The found markers must span this share of what all markers span: beyond them the bend is a guess."""
DARK_PERCENTILE = 95
DARK_BELOW = 70
"""If 95 % of the pixels are darker than this, even white paper was hardly lit."""
BLUR_SIDE_PX = 800
BLURRED_BELOW = 12.0
"""Spread of the Laplacian on a picture reduced to BLUR_SIDE_PX: sharp printed paper has 20 to 60."""


def nothing_found(
    grey: NDArray[np.uint8], dictionary: str, wanted: Collection[int], name: str
) -> NoSheetError:
    """The reason why a photo shows no marker: mirrored, dark, blurred, or not a sheet of ours."""
    if find_markers(np.ascontiguousarray(grey[:, ::-1]), dictionary, wanted):
        return NoSheetError(
            "the photo is a mirror image", "turn mirroring off in the camera or the scanning app"
        )
    if np.percentile(grey[::8, ::8], DARK_PERCENTILE) < DARK_BELOW:
        return NoSheetError(
            f"no {name} sheet found: the photo is too dark", "photograph it again in better light"
        )
    if _sharpness(grey) < BLURRED_BELOW:
        return NoSheetError(
            f"no {name} sheet found: the photo is blurred, or nothing is printed on what it shows",
            "hold the phone still, let it focus, and photograph the sheet again",
        )
    return NoSheetError(
        f"no {name} sheet found: none of its markers can be seen",
        "photograph a sheet printed by `sheetscan print`, whole, sharp and well lit",
    )


def _sharpness(grey: NDArray[np.uint8]) -> float:
    scale = min(1.0, BLUR_SIDE_PX / max(grey.shape))
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return float(cv2.Laplacian(small, cv2.CV_32F).std())


def check_cover(seen: SeenSheet, size_px: tuple[int, int]) -> None:
    """Raises NoSheetError, saying what is in the way, if too few markers are seen to trust the whole sheet.

    `size_px` is the photo's width and height.
    """
    template = seen.template
    centres = {marker.id: marker.box_mm.centre for marker in template.markers}
    whole = cv2.convexHull(np.array(list(centres.values()), dtype=np.float32))
    part = cv2.convexHull(np.array([centres[marker_id] for marker_id in seen.corners], dtype=np.float32))
    count = len(seen.corners)
    if count >= MIN_MARKERS and cv2.contourArea(part) >= MIN_COVER * cv2.contourArea(whole):
        return
    sides = _cropped_sides(seen, size_px)
    reason = f"it is cropped {' and '.join(sides)}" if sides else "others are covered, blurred or washed out"
    raise NoSheetError(
        f"only {count} of {len(centres)} markers of a {template.id} sheet can be seen: {reason}",
        "photograph the whole sheet, flat, with every marker in view",
    )


def _cropped_sides(seen: SeenSheet, size_px: tuple[int, int]) -> list[str]:
    """At which sides of the photo the markers that are missing would lie outside of it."""
    missing = [marker for marker in seen.template.markers if marker.id not in seen.corners]
    homography, _ = cv2.findHomography(*marker_corners(seen))
    if homography is None or not missing:
        return []
    centres_mm = np.array([[marker.box_mm.centre for marker in missing]], dtype=np.float64)
    x, y = cv2.perspectiveTransform(centres_mm, homography)[0].T
    width, height = size_px
    outside = {
        "at the left": bool((x < 0).any()),
        "at the right": bool((x >= width).any()),
        "at the top": bool((y < 0).any()),
        "at the bottom": bool((y >= height).any()),
    }
    return [side for side, cropped in outside.items() if cropped]
