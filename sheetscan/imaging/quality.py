"""How well a sheet can be seen in the photo: how sharp, with how much contrast; measured at its markers."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetscan.errors import NoSheetError
from sheetscan.geometry import Box
from sheetscan.imaging.markers import SeenSheet
from sheetscan.imaging.rectify import SheetMap
from sheetscan.template import MARKER_MODULES

MAX_EDGE_MM = 0.95
"""Wider edges blur a written digit, whose strokes are 1.5 mm apart, into a blot."""
MIN_CONTRAST = 35
"""Grey levels between the markers' black and the paper around them; fewer drown in noise and JPEG."""
DARK_PAPER = 110
"""Paper darker than this lacks light; brighter, it is the print that is pale."""
HOLD_STILL = "hold the phone still, let it focus, and photograph the sheet again"
MORE_LIGHT = "photograph it again in better light"
LESS_HAZE = "wipe the lens, and keep lights out of the photo"
PLACES = 9
"""Profiles taken along the middle of each side of a marker."""
SIDE_SHARE = 0.6
STEPS_A_MODULE = 12


@dataclass(frozen=True, slots=True)
class Sharpness:
    """How wide the blur makes a printed edge, the grey levels between black and paper, and those of paper.

    `edge_mm` is the width on the sheet from 10 % to 90 %, in the blurrier direction.
    """

    edge_mm: float
    contrast: float
    paper: float

    @property
    def fault_of_contrast(self) -> tuple[str, str]:
        """What a low contrast comes from, in a word, and what to do about it."""
        return ("dark", MORE_LIGHT) if self.paper < DARK_PAPER else ("pale", LESS_HAZE)


def measure_sharpness(pixels: NDArray[np.uint8], sheet_map: SheetMap, seen: SeenSheet) -> Sharpness:
    """Measure at the outer edges of the markers that were seen.

    An edge blurred by a Gaussian is as wide, from 10 % to 90 %, as its height divided by its steepest slope
    (within 2 %), which takes less room than looking for the 10 % and the 90 %.
    """
    boxes = [marker.box_mm for marker in seen.template.markers if marker.id in seen.corners]
    module_mm = boxes[0].width / MARKER_MODULES
    points_mm = np.stack([_profiles(box, module_mm) for box in boxes])
    photo_px = sheet_map.to_photo(points_mm.reshape(-1, 2)).astype(np.float32)
    x, y = photo_px[:, :1], photo_px[:, 1:]
    values = cv2.remap(pixels, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    grey = cv2.cvtColor(values, cv2.COLOR_BGR2GRAY).reshape(points_mm.shape[:-1]).astype(np.float64)
    edges = grey.mean(axis=2)  # Over the places along a side: (markers, sides, steps).
    heights = edges.max(axis=2) - edges.min(axis=2)
    step_mm = module_mm / STEPS_A_MODULE
    slopes = np.abs(np.diff(edges, axis=2)).max(axis=2) / step_mm
    widths = heights / np.maximum(slopes, 1e-6)
    across, down = np.median(widths[:, 0::2]), np.median(widths[:, 1::2])
    return Sharpness(float(max(across, down)), float(np.median(heights)), float(np.median(edges.max(axis=2))))


def _profiles(box: Box, module_mm: float) -> NDArray[np.float64]:
    """Points across the four sides of a marker, from its border to the quiet zone: (4, PLACES, steps, 2)."""
    along = np.linspace(-SIDE_SHARE / 2, SIDE_SHARE / 2, PLACES) * box.width
    across = np.arange(-STEPS_A_MODULE + 1, STEPS_A_MODULE) * module_mm / STEPS_A_MODULE
    outwards = box.width / 2 + across
    sides = []
    for x, y in ((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)):
        way, edge = np.array([x, y]), np.array([-y, x])
        sides.append(outwards[None, :, None] * way + along[:, None, None] * edge)
    return np.stack(sides) + box.centre


def check_sharpness(sharpness: Sharpness, name: str) -> None:
    """Raises NoSheetError, in words that people can act on, if readings could not be trusted."""
    if sharpness.contrast < MIN_CONTRAST:
        fault, hint = sharpness.fault_of_contrast
        raise NoSheetError(
            f"the {name} sheet is too {fault} in the photo: only {sharpness.contrast:.0f} grey levels between"
            f" black and paper (at least {MIN_CONTRAST})",
            hint,
        )
    if sharpness.edge_mm > MAX_EDGE_MM:
        raise NoSheetError(
            f"the {name} sheet is too blurred in the photo: printed edges are {sharpness.edge_mm:.2f} mm wide"
            f" (at most {MAX_EDGE_MM:g} mm)",
            HOLD_STILL,
        )
