"""Tables to photograph sheets on: textures as tiles that repeat without a seam."""

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetscan.lab.scene import Table

TILE_PX = 1600
TILE_PX_PER_MM = 4.0

Field = NDArray[np.float32]
_WOODS = ((150, 111, 74), (188, 152, 110), (105, 72, 48), (205, 178, 140))
_CLOTHS = ((176, 38, 42), (44, 74, 138), (38, 110, 72), (90, 90, 96))
_DARKS = ((46, 48, 52), (62, 44, 36), (34, 44, 40), (72, 76, 84))
_WHITES = ((236, 235, 230), (226, 222, 212), (216, 219, 222), (243, 240, 234))


@cache
def table_tile(table: Table, variant: int) -> NDArray[np.uint8]:
    """The texture of a table: RGB, TILE_PX square at TILE_PX_PER_MM, repeating at its edges."""
    rng = np.random.default_rng([len(table), ord(table[1]), variant])
    paint = {"white": _white, "wood": _wood, "cloth": _cloth, "dark": _dark}[table]
    tile: NDArray[np.uint8] = np.clip(paint(rng, variant % 4), 0, 255).astype(np.uint8)
    return tile


def _clouds(rng: np.random.Generator, sigma_x_px: float, sigma_y_px: float) -> Field:
    """Smooth noise of unit variance that repeats at the edges, as a filtered spectrum."""
    frequency_y = np.fft.fftfreq(TILE_PX)[:, None] * sigma_y_px
    frequency_x = np.fft.rfftfreq(TILE_PX)[None, :] * sigma_x_px
    smooth = np.exp(-2 * np.pi**2 * (frequency_x**2 + frequency_y**2))
    spectrum = np.fft.rfft2(rng.standard_normal((TILE_PX, TILE_PX))) * smooth
    field = np.fft.irfft2(spectrum)
    unit: Field = (field / field.std()).astype(np.float32)
    return unit


def _tinted(colour: tuple[int, int, int], shade: Field) -> Field:
    tinted: Field = np.array(colour, np.float32) * (1 + shade[:, :, None])
    return tinted


def _white(rng: np.random.Generator, variant: int) -> Field:
    return _tinted(_WHITES[variant], 0.012 * _clouds(rng, 60, 60) + 0.006 * _clouds(rng, 1, 1))


def _dark(rng: np.random.Generator, variant: int) -> Field:
    specks = np.maximum(_clouds(rng, 1.5, 1.5) - 1.8, 0)
    return _tinted(_DARKS[variant], 0.08 * _clouds(rng, 40, 40) + 0.06 * _clouds(rng, 1, 1) + 0.5 * specks)


def _wood(rng: np.random.Generator, variant: int) -> Field:
    """Planks of long fibres; the rings are bands in a stretched, bent height field."""
    height = np.arange(TILE_PX, dtype=np.float32)[:, None] * (2 * np.pi * 12 / TILE_PX)
    rings = np.sin(height + 2.2 * _clouds(rng, 320, 40))
    fibres = _clouds(rng, 50, 1)
    planks = rng.uniform(-0.1, 0.1, 4).repeat(TILE_PX // 4).astype(np.float32)[:, None]
    shade = 0.09 * rings + 0.06 * fibres + planks
    shade[:: TILE_PX // 4] -= 0.5
    shade[1 :: TILE_PX // 4] -= 0.3
    return _tinted(_WOODS[variant], shade)


def _cloth(rng: np.random.Generator, variant: int) -> Field:
    """Gingham: two sets of stripes whose crossings are full colour, over a weave."""
    stripe = (np.arange(TILE_PX) // 80 % 2).astype(np.float32)
    amount = cv2.GaussianBlur((stripe[:, None] + stripe[None, :]) / 2, (0, 0), 1.2)[:, :, None]
    white, full = np.array((238, 234, 226), np.float32), np.array(_CLOTHS[variant], np.float32)
    threads = np.sin(np.arange(TILE_PX) * (2 * np.pi / 4)).astype(np.float32)
    weave = 0.04 * threads[:, None] * threads[None, :] + 0.03 * _clouds(rng, 2, 2)
    cloth: Field = (white + (full - white) * amount) * (1 + weave[:, :, None])
    return cloth
