"""How well a sheet can be seen in the photo: how sharp, with how much contrast; measured at its markers."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetscan.errors import NoSheetError
from sheetscan.geometry import Box
from sheetscan.imaging.markers import SeenSheet
from sheetscan.imaging.rectify import GO_NEARER, SheetMap
from sheetscan.template import MARKER_MODULES

MAX_EDGE_MM = 1.2
"""Wider edges blur a written digit, whose strokes are 1.5 mm apart, into a blot."""
MIN_CONTRAST = 12
"""Grey levels between the markers' black and the paper around them: fewer leave none for pencil."""
MIN_SIGNAL = 3.6
"""The same in units of the noise: at less, digits are taken for others without a doubt."""
POOR_EDGE_MM, POOR_SIGNAL, POOR_PX_PER_MM = 0.7, 9.0, 2.5
"""A photo worse than one of these is not good, but often good enough: that shows in its readings."""
MAX_DOUBTFUL, MAX_DOUBTFUL_IN_NOISE = 0.35, 0.25
"""With a larger share of its fields in doubt, a poor photo is quicker taken again than reviewed; and where
noise is the reason, some of the others are wrong."""
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
    """What is poor about a photo, in words, what to do about it, and the share of its fields that may be in
    doubt."""

    words: str
    hint: str
    max_doubtful: float = MAX_DOUBTFUL


NO_GREY = Fault("black and white without any grey", "scan it again in grey or in colour")


@dataclass(frozen=True, slots=True)
class Sharpness:
    """How wide the blur makes a printed edge, how black, paper and noise differ, and how large the sheet is.

    `edge_mm` is the width on the sheet from 10 % to 90 %, in the blurrier direction. `contrast`
    between black and paper, brightness of `paper` and `noise` (a standard deviation) are in grey levels.
    """

    edge_mm: float
    contrast: float
    paper: float
    noise: float
    px_per_mm: float

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
        if self.contrast < MIN_CONTRAST or self.signal < POOR_SIGNAL:
            levels = f"{self.contrast:.0f} grey levels between black and paper, noise of {self.noise:.0f}"
            dark = self.paper < DARK_PAPER
            words, hint = (
                (f"too dark ({levels})", MORE_LIGHT) if dark else (f"too pale ({levels})", LESS_HAZE)
            )
            return Fault(words, hint, MAX_DOUBTFUL_IN_NOISE)
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
    )


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


def check_legible(
    sharpness: Sharpness, doubtful: int, fields: int, name: str, *, black_and_white: bool = False
) -> None:
    """Raises NoSheetError if the photo is poor and too many of the sheet's fields are in doubt for it.

    A scan without grey shows faint writing as dots here and there.
    """
    fault = sharpness.fault or (NO_GREY if black_and_white else None)
    if fault and doubtful > fault.max_doubtful * fields:
        raise NoSheetError(
            f"the {name} sheet is {fault.words} in the photo:"
            f" {doubtful} of {fields} fields can't be read surely",
            fault.hint,
        )
