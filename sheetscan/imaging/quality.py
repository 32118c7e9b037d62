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
from sheetscan.imaging.rectify import GO_NEARER, MIN_PX_PER_MM, SheetMap
from sheetscan.result import EMPTY, FieldReading
from sheetscan.template import MARKER_MODULES

MAX_MISREAD = 0.25
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


NO_GREY = Fault("black and white without any grey", "scan it again in grey or in colour")


@dataclass(frozen=True, slots=True)
class Limits:
    """The widest edges, the least contrast, signal and resolution of a photo (see Visibility)."""

    edge_mm: float
    contrast: float
    signal: float
    px_per_mm: float


HOPELESS = Limits(edge_mm=1.2, contrast=12, signal=2.7, px_per_mm=MIN_PX_PER_MM)
"""With worse, writing is a blot, and not even the doubts of its readings can be trusted."""
MARKERS_LOST = Limits(edge_mm=0.7, contrast=12, signal=9, px_per_mm=2.5)
"""With worse, markers are not seen that nothing covers."""
NOISY = 25
"""With less signal, grain may look like writing. Dithered scans of white paper have 21 at most."""
POOR = Limits(edge_mm=0.6, contrast=40, signal=16, px_per_mm=2.5)
"""A worse photo is not good, but often good enough: that shows in its readings."""


@dataclass(frozen=True, slots=True)
class Visibility:
    """How well a sheet can be seen in a photo.

    `edge_mm` is the width of a printed edge on the sheet from 10 % to 90 %, in the blurrier direction.
    `contrast` between black and paper, brightness of `paper` and `noise` (a standard deviation) are in grey
    levels. A `black_and_white` scan shows neither glare nor ink on dark print, and pale ink as dots.
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
    def noisy(self) -> bool:
        """Whether grain may look like writing."""
        return self.signal < NOISY

    def fault(self, limits: Limits) -> Fault | None:
        """What most exceeds the limits, if anything does."""
        excesses = {
            self._small(): limits.px_per_mm / max(self.px_per_mm, 0.01),
            self._pale(): limits.contrast / max(self.contrast, 0.01),
            self._noisy(): limits.signal / max(self.signal, 0.01),
            self._blurred(): self.edge_mm / limits.edge_mm,
        }
        worst = max(excesses, key=lambda fault: excesses[fault])
        return worst if excesses[worst] > 1 else None

    def _small(self) -> Fault:
        return Fault(f"too small ({self.px_per_mm:.1f} pixels a millimetre)", GO_NEARER)

    def _pale(self) -> Fault:
        words = f"({self.contrast:.0f} grey levels between black and paper)"
        return (
            Fault(f"too dark {words}", MORE_LIGHT)
            if self.paper < DARK_PAPER
            else Fault(f"too pale {words}", LESS_HAZE)
        )

    def _noisy(self) -> Fault:
        where = "too dark" if self.paper < DARK_PAPER else "too noisy"
        levels = f"noise of {self.noise:.0f} among {self.contrast:.0f} grey levels"
        return Fault(f"{where} ({levels})", MORE_LIGHT)

    def _blurred(self) -> Fault:
        return Fault(f"too blurred (edges are {self.edge_mm:.1f} mm wide)", HOLD_STILL)


def measure_visibility(pixels: NDArray[np.uint8], sheet_map: SheetMap, seen: SeenSheet) -> Visibility:
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
    return Visibility(
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


def check_visible(visibility: Visibility, name: str) -> None:
    """Raises NoSheetError, in words that people can act on, if nothing could be read."""
    if (fault := visibility.fault(HOPELESS)) is not None:
        raise NoSheetError(f"the {name} sheet is {fault.words} in the photo", fault.hint)


def check_legible(visibility: Visibility, readings: Collection[FieldReading], name: str) -> None:
    """Raises NoSheetError if so much of the sheet would be misread that the photo should be taken again."""
    share = misread_share(readings)
    if (fault := illegible(visibility, share)) is not None:
        raise NoSheetError(
            f"the {name} sheet is {fault.words} in the photo:"
            f" about {100 * share:.0f} % of what is written in it would be misread",
            fault.hint,
        )


def illegible(visibility: Visibility, share: float, limit: float = MAX_MISREAD) -> Fault | None:
    """What is poor about a photo of which this share would be misread; None if that is within the limit.

    A good photo that is hard to read shows a hand that is.
    """
    if share <= limit:
        return None
    return NO_GREY if visibility.black_and_white else visibility.fault(POOR)


def misread_share(readings: Collection[FieldReading]) -> float:
    """How many readings are wrong, as their probabilities have it, a written field; at most 1."""
    written = sum(reading.content != EMPTY for reading in readings)
    misread = sum(1 - reading.confidence for reading in readings)
    return min(1.0, misread / max(written, MIN_WRITTEN * len(readings), 1))
