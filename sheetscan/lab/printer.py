"""Printers that run out of toner, print smaller or larger than they were told, or beside the middle."""

from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

Page = NDArray[np.uint8]
FADE_WIDTH = 0.1
"""The share of the page's width over which the toner gives out."""


@dataclass(frozen=True, slots=True)
class Printer:
    """`toner` and `toner_right` are the share of the print's darkness in the left and right half of the page.

    `scale` is the size of the print, about the middle of the paper; `shift_mm` is how far it lies off."""

    toner: float = 1.0
    toner_right: float = 1.0
    scale: float = 1.0
    shift_mm: tuple[float, float] = (0.0, 0.0)

    def print(self, page: Page, px_per_mm: float) -> Page:
        """The page (RGB, uint8) as it comes out, on paper of the same size."""
        height, width = page.shape[:2]
        about_middle = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), 0, self.scale)
        about_middle[:, 2] += np.multiply(self.shift_mm, px_per_mm)
        scaled = cv2.warpAffine(
            page, about_middle, (width, height), flags=cv2.INTER_AREA, borderValue=(255, 255, 255)
        )
        part = np.clip((np.linspace(0, 1, width) - 0.5) / FADE_WIDTH + 0.5, 0, 1)
        darkness = self.toner + (self.toner_right - self.toner) * part
        lost = (1 - darkness).astype(np.float32)[None, :, None]
        return cast(Page, np.rint(scaled + (255 - scaled) * lost).astype(np.uint8))


GOOD_PRINTER = Printer()
