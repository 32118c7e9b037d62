"""What noise and black and white scans do to writing: grain that is no ink, strokes that are crumbs."""

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetscan.geometry import CellSpec
from sheetscan.reading.bare import inside_outline

BLUR_PX = 0.7
STRENGTH, PATCH_PX, REACH_PX = 15, 3, 11
"""Of non-local means, in grey levels and pixels; what else was tried is in training/README.md."""
SOLID = 110


def without_noise(cells: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The cells (n, size, size, 2) with their ink smoothed where it doesn't repeat itself.

    Non-local means, A. Buades, B. Coll, J.-M. Morel: A non-local algorithm for image denoising, CVPR 2005.
    """
    smooth = cells.copy()
    for cell in smooth:
        ink = cv2.GaussianBlur(cell[..., 0], (0, 0), BLUR_PX)
        cell[..., 0] = cv2.fastNlMeansDenoising(ink, None, STRENGTH, PATCH_PX, REACH_PX)
    return smooth


def stroke_lengths_mm(cells: NDArray[np.uint8], spec: CellSpec) -> NDArray[np.float64]:
    """How wide or high the largest connected ink inside the outline of each cell is, (n,); 0 without any."""
    lengths = np.zeros(len(cells))
    solid = (cells[..., 0] > SOLID) & inside_outline(cells)
    for place, ink in enumerate(solid.astype(np.uint8)):
        _, _, boxes, _ = cv2.connectedComponentsWithStats(ink)
        lengths[place] = boxes[1:, 2:4].max(initial=0) / spec.px_per_mm
    return lengths
