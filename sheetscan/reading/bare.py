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
    inside = inside_outline(cells)
    shown, seen = (
        where.reshape(len(cells), -1).any(axis=1) for where in ((spots_of(cells) > INK) & inside, inside)
    )
    return np.asarray(seen & ~shown)


def spots_of(cells: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """How dark the surroundings of each pixel are, (n, size, size): ink that is more than noise."""
    ink = _below_each_other(cells[..., 0])
    return cv2.blur(ink, (SPOT_PX, SPOT_PX)).reshape(cells.shape[:3]).astype(np.uint8, copy=False)


def inside_outline(cells: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Where a cell shows its field and no outline, (n, size, size)."""
    printed = _below_each_other(cells[..., 1])
    grown = cv2.dilate(printed, np.ones((OUTLINE_PX, OUTLINE_PX), np.uint8))
    return np.asarray(grown.reshape(cells.shape[:3]) == 0)


def _below_each_other(plane: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """One picture for all cells: what a filter takes from the next one lies outside of both outlines."""
    return np.ascontiguousarray(plane).reshape(-1, plane.shape[-1])
