"""How well a sheet can be seen in the photo: how sharp, with how much contrast; measured at its markers.

Whether that is enough depends on the writing, too: its readings tell, by how probable they are.
"""

from collections.abc import Collection
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetscan.errors import NoSheetError
from sheetscan.geometry import Box
from sheetscan.imaging.markers import SeenSheet
from sheetscan.imaging.rectify import GO_NEARER, SheetMap
from sheetscan.result import EMPTY, FieldReading
from sheetscan.template import MARKER_MODULES

MAX_EDGE_MM = 1.2
"""Wider edges blur a written digit, whose strokes are 1.5 mm apart, into a blot."""
MIN_CONTRAST = 12
"""Grey levels between the markers' black and the paper around them: fewer leave none for pencil."""
MIN_SIGNAL = 2.7
"""The same in units of the noise: with less, hardly a photo of the lab is read."""
POOR_EDGE_MM, POOR_SIGNAL, POOR_PX_PER_MM = 0.6, 16.0, 2.5
"""A photo worse than one of these is not good, but often good enough: that shows in its readings."""
MAX_MISREAD = 0.17
"""With a larger share of its writing misread, by the readings' own probabilities, a poor photo is quicker
taken again than reviewed."""
MIN_WRITTEN = 0.25
"""So large a share of the fields counts as written at least: a sheet with less has little to be misread."""
GREYS = (25, 230)
MIN_GREY_SHARE, MIN_WHITE_SHARE = 0.02, 0.1
"""A picture with fewer pixels between black and white is a black and white scan, if there is white in it."""
DARK_PAPER = 110
"""Paper darker than this lacks light; brighter, it is the print that is pale."""
HOLD_STILL = "hold the phone still, let it focus, and photograph the sheet again"
MORE_LIGHT = "photograph it again in better light"
LESS_HAZE = "wipe the lens, and keep lights out of the photo"
PLACES = 9
"""Profiles taken along the middle of each side of a marker."""
SIDE_SHARE = 0.6
STEPS_A_MODULE = 12
BARE_STEPS = 4
"""So many steps of a profile at its outer end lie on bare paper, clear of the edge."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is poor about a photo, in words, and what to do about it."""

    words: str
    hint: str


@dataclass(frozen=True, slots=True)
class Sharpness:
    """How wide the blur makes a printed edge, how black, paper and noise differ, and how large the sheet is.

    `edge_mm` is the width on the sheet from 10 % to 90 %, in the blurrier direction. `contrast`
    between black and paper, brightness of `paper` and `noise` (a standard deviation) are in grey levels.
    A `black_and_white` scan knows none: it shows neither glare nor ink on dark print, and pale ink as dots.
    """

    edge_mm: float
    contrast: float
    paper: float
    noise: float
    px_per_mm: float
    black_and_white: bool = False

    @property
    def signal(self) -> float:
        """The contrast in units of the noise."""
        return self.contrast / max(self.noise, 0.1)

    @property
    def hopeless(self) -> bool:
        """Whether readings could not be trusted, not even their doubts."""
        return self.contrast < MIN_CONTRAST or self.signal < MIN_SIGNAL or self.edge_mm > MAX_EDGE_MM

    @property
    def fault(self) -> Fault | None:
        """What is poor about the photo; None if it is good."""
        if self.px_per_mm < POOR_PX_PER_MM:
            return Fault(f"too small ({self.px_per_mm:.1f} pixels a millimetre)", GO_NEARER)
        if self.black_and_white:
            return Fault("black and white without any grey", "scan it again in grey or in colour")
        if self.contrast < MIN_CONTRAST or self.signal < POOR_SIGNAL:
            levels = f"{self.contrast:.0f} grey levels between black and paper, noise of {self.noise:.0f}"
            dark = self.paper < DARK_PAPER
            return (
                Fault(f"too dark ({levels})", MORE_LIGHT)
                if dark
                else Fault(f"too pale ({levels})", LESS_HAZE)
            )
        if self.edge_mm > POOR_EDGE_MM:
            return Fault(f"too blurred (edges are {self.edge_mm:.1f} mm wide)", HOLD_STILL)
        return None


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
    return Sharpness(
        edge_mm=float(max(across, down)),
        contrast=float(np.median(heights)),
        paper=float(np.median(edges.max(axis=2))),
        noise=float(np.median(grey[..., -BARE_STEPS:].std(axis=2))),
        px_per_mm=float(sheet_map.resolutions(boxes).min()),
        black_and_white=_black_and_white(pixels),
    )


def _black_and_white(pixels: NDArray[np.uint8]) -> bool:
    sample = pixels[::7, ::7, 1]
    white, grey = sample >= GREYS[1], (sample > GREYS[0]) & (sample < GREYS[1])
    return bool(grey.mean() < MIN_GREY_SHARE and white.mean() > MIN_WHITE_SHARE)


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
    """Raises NoSheetError, in words that people can act on, if nothing could be read."""
    fault = sharpness.fault
    if sharpness.hopeless and fault:
        raise NoSheetError(f"the {name} sheet is {fault.words} in the photo", fault.hint)


def check_legible(sharpness: Sharpness, readings: Collection[FieldReading], name: str) -> None:
    """Raises NoSheetError if the photo is poor and so much of the sheet would be misread for it.

    A good photo that is hard to read shows a hand that is.
    """
    fault, share = sharpness.fault, misread_share(readings)
    if fault and share > MAX_MISREAD:
        raise NoSheetError(
            f"the {name} sheet is {fault.words} in the photo:"
            f" about {100 * share:.0f} % of what is written in it would be misread",
            fault.hint,
        )


def misread_share(readings: Collection[FieldReading]) -> float:
    """The share of the written fields that is read wrong, as the readings' own probabilities have it."""
    written = sum(reading.content != EMPTY for reading in readings)
    misread = sum(1 - reading.confidence for reading in readings)
    return misread / max(written, MIN_WRITTEN * len(readings), 1)
