"""Fields in which nothing stands: paper without any ink needs no network to be seen."""

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetscan.reading.reader import Reading
from sheetscan.result import EMPTY

INK = 12
"""As dark as the darkest spot in a bare field may be, of 255. The palest of 20 000 cells that are written in,
pencil in poor light, shows twice as much (`training.calibrate` counts them)."""
SPOT_PX = 3
OUTLINE_PX = 5
"""So wide a square around any print doesn't count: print may lie a little beside its place."""
BARE = Reading(((EMPTY, 0.9999),))


def bare_cells(cells: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which cells (n, size, size, 2) show nothing inside the outline, (n,)."""
    n, size = cells.shape[:2]
    # One picture below the other: what a filter takes from the next cell lies outside of both outlines.
    ink, printed = (np.ascontiguousarray(cells[..., plane]).reshape(n * size, size) for plane in (0, 1))
    spots = cv2.blur(ink, (SPOT_PX, SPOT_PX)) > INK
    inside = cv2.dilate(printed, np.ones((OUTLINE_PX, OUTLINE_PX), np.uint8)) == 0
    shown, seen = ((picture.reshape(n, -1)).any(axis=1) for picture in (spots & inside, inside))
    return np.asarray(seen & ~shown)
