"""From the light on the sensor to the picture file: lens blur, exposure, noise, tone, sharpening, JPEG."""

from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetscan.lab.light import glare_amount, light_gains
from sheetscan.lab.scene import Scene

Pixels = NDArray[np.uint8]
Noise = NDArray[np.float32]

_STRIP_PX = 128
_NOISE_TILE_PX = 768


def develop(pixels: Pixels, scene: Scene, rng: np.random.Generator) -> Pixels:
    """The photo (RGB) as the camera's file would decode; `pixels` is the evenly lit view and is used up."""
    pixels = _blurred(pixels, scene)
    _expose(pixels, scene, rng)
    if scene.sharpen:
        soft = cv2.GaussianBlur(pixels, (0, 0), 1.5)
        cv2.addWeighted(pixels, 1 + scene.sharpen, soft, -scene.sharpen, 0, dst=pixels)
    if scene.palette != "colour":
        pixels = _without_colour(pixels, scene)
    if scene.palette in {"bilevel", "dithered"}:
        return pixels
    return jpeg(pixels, scene.jpeg_quality)


def jpeg(pixels: Pixels, quality: int) -> Pixels:
    """What is left of an RGB picture after saving it as a JPEG of that quality."""
    _, data = cv2.imencode(
        ".jpg", cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, quality]
    )
    return cast(Pixels, cv2.imdecode(data, cv2.IMREAD_COLOR_RGB))


def _blurred(pixels: Pixels, scene: Scene) -> Pixels:
    if scene.blur_px > 0.2:
        pixels = cast(Pixels, cv2.GaussianBlur(pixels, (0, 0), scene.blur_px))
    if scene.motion_px >= 1:
        kernel = _shake(scene.motion_px, scene.motion_deg)
        pixels = cast(Pixels, cv2.filter2D(pixels, -1, kernel))
    return pixels


def _shake(length_px: float, way_deg: float) -> Noise:
    """The kernel of a straight camera shake."""
    half = int(np.ceil(length_px / 2)) + 1
    way = np.deg2rad(way_deg)
    reach = np.array([np.cos(way), np.sin(way)]) * length_px / 2
    kernel = np.zeros((2 * half + 1, 2 * half + 1), np.float32)
    start, end = (tuple(int(v) for v in np.rint((half + sign * reach) * 16)) for sign in (-1, 1))
    cv2.line(kernel, start, end, 1.0, 1, cv2.LINE_AA, shift=4)
    spread: Noise = kernel / kernel.sum()
    return spread


def _expose(pixels: Pixels, scene: Scene, rng: np.random.Generator) -> None:
    """Light, glare, noise and tone curve, strip by strip so that all stays in the processor's cache."""
    height, width = pixels.shape[:2]
    gains = light_gains(scene.light, scene.size_px) * np.float32(scene.exposure)
    glare = glare_amount(scene.light, scene.size_px)
    noise = _noise_tile(scene.noise, width, rng)
    tone = _tone_curve(scene)
    for top in range(0, height, _STRIP_PX):
        strip = pixels[top : top + _STRIP_PX]
        rows = len(strip)
        value = strip * _strip_of(gains, top, rows, (width, height))
        if glare is not None:
            amount = _strip_of(glare, top, rows, (width, height))[:, :, None]
            value += (255 - value) * amount
        shift = int(rng.integers(noise.shape[0] - rows))
        value += np.roll(noise[shift : shift + rows], int(rng.integers(width)), axis=1)
        cv2.LUT(cv2.convertScaleAbs(np.maximum(value, 0, out=value)), tone, dst=strip)


def _strip_of(coarse: Noise, top: int, rows: int, size_px: tuple[int, int]) -> Noise:
    """Rows top .. top + rows of the coarse raster stretched to the photo's size."""
    width, height = size_px
    y = (np.arange(top, top + rows) + 0.5) * len(coarse) / height - 0.5
    low = np.clip(np.floor(y).astype(int), 0, len(coarse) - 2)
    part = np.clip(y - low, 0, 1).astype(np.float32)
    shape = (-1,) + (1,) * (coarse.ndim - 1)
    part = part.reshape(shape)
    lines = coarse[low] * (1 - part) + coarse[low + 1] * part
    stretched: Noise = cv2.resize(lines, (width, rows))
    return stretched


def _noise_tile(sigma: float, width: int, rng: np.random.Generator) -> Noise:
    """Sensor noise as phones leave it: fine in brightness, blotchy in colour."""
    shape = (_NOISE_TILE_PX, _NOISE_TILE_PX)
    fine = rng.standard_normal(shape, np.float32)
    fine = 0.8 * fine + 1.3 * cv2.GaussianBlur(fine, (0, 0), 1.2)
    blotches = rng.standard_normal((_NOISE_TILE_PX // 4, _NOISE_TILE_PX // 4, 3), np.float32)
    tile = cv2.resize(blotches, shape, interpolation=cv2.INTER_CUBIC) * np.float32(0.5) + fine[:, :, None]
    across = -(-width // _NOISE_TILE_PX)
    wide: Noise = np.tile(tile * np.float32(sigma), (1, across, 1))[:, :width]
    return wide


def _tone_curve(scene: Scene) -> Pixels:
    """Display value to display value: gamma, then contrast as a blend towards a smooth S."""
    value = np.linspace(0, 1, 256) ** scene.gamma
    curved = value * value * (3 - 2 * value)
    mixed = value + (curved - value) * scene.contrast
    table: Pixels = np.rint(mixed * 255).astype(np.uint8)
    return table


def _without_colour(pixels: Pixels, scene: Scene) -> Pixels:
    """A grey picture, or the black and white that a scanner's threshold leaves; three channels."""
    grey = cast(Pixels, cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY))
    if scene.palette == "bilevel":
        grey = np.where(grey < 140, 0, 255).astype(np.uint8)
    if scene.palette == "dithered":
        grey = _dithered(grey)
    return cast(Pixels, cv2.cvtColor(grey, cv2.COLOR_GRAY2RGB))


def _dithered(grey: Pixels) -> Pixels:
    """Ordered dither with Bayer's 4 x 4 matrix."""
    bayer = np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]])
    height, width = grey.shape
    threshold = np.tile((bayer + 0.5) * 16, (-(-height // 4), -(-width // 4)))[:height, :width]
    return np.where(grey < threshold, 0, 255).astype(np.uint8)
