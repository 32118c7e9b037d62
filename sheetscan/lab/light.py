"""The light of a scene: how it falls on the photo, shades bent paper, and throws the sheet's own shadow."""

from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetscan.lab.optics import Camera, Floats, Surface
from sheetscan.lab.scene import Light, Shadow

DISPLAY_GAMMA = 2.2
_COARSE_PX = 8
_SHADE_COLOUR = np.array([1.08, 1.0, 0.9], np.float32)
"""What a shadow takes of red, green and blue: it is lit by the bluish sky only."""

Pixels = NDArray[np.uint8]
Gains = NDArray[np.float32]


def light_gains(light: Light, size_px: tuple[int, int]) -> Gains:
    """The gains of the display values over the photo, on a coarse raster (h / 8, w / 8, 3)."""
    width, height = (max(side // _COARSE_PX, 2) for side in size_px)
    x = (np.arange(width) + 0.5)[None, :] / width
    y = (np.arange(height) + 0.5)[:, None] / height
    aspect = size_px[0] / size_px[1]
    diagonal = float(np.hypot(aspect, 1))
    way = np.deg2rad(light.gradient_deg)
    along = ((x - 0.5) * aspect * np.cos(way) + (y - 0.5) * np.sin(way)) / diagonal
    amount = light.gradient**along
    radius2 = (((x - 0.5) * aspect) ** 2 + (y - 0.5) ** 2) / (diagonal / 2) ** 2
    amount = amount * (1 - light.vignette * radius2)
    gains = amount[:, :, None] * np.array(light.cast)
    for shadow in light.shadows:
        gains *= (
            1 - _shade(shadow, x * aspect, y, aspect, diagonal)[:, :, None] * _SHADE_COLOUR * shadow.depth
        )
    display: Gains = np.clip(gains, 0, None).astype(np.float32) ** (1 / DISPLAY_GAMMA)
    return display


def _shade(shadow: Shadow, x: Floats, y: Floats, aspect: float, diagonal: float) -> Gains:
    """How deep in a band of shade each place is, 0..1."""
    edge = np.deg2rad(shadow.edge_deg)
    off = (x - shadow.at[0] * aspect) * np.sin(edge) - (y - shadow.at[1]) * np.cos(edge)
    inside = (shadow.half_width - np.abs(off) / diagonal) / max(shadow.softness, 1e-4)
    part = np.clip(inside + 0.5, 0, 1)
    smooth: Gains = (part * part * (3 - 2 * part)).astype(np.float32)
    return smooth


def glare_amount(light: Light, size_px: tuple[int, int]) -> Gains | None:
    """The share of white that a reflection adds, on the coarse raster (h / 8, w / 8); None without one."""
    if light.glare is None:
        return None
    width, height = (max(side // _COARSE_PX, 2) for side in size_px)
    x = (np.arange(width, dtype=np.float32)[None, :] / width - light.glare.at[0]) * size_px[0]
    y = (np.arange(height, dtype=np.float32)[:, None] / height - light.glare.at[1]) * size_px[1]
    radius_px = light.glare.radius * np.hypot(*size_px)
    amount: Gains = light.glare.strength * np.exp(-(x**2 + y**2) / (2 * radius_px**2)).astype(np.float32)
    return amount


def _lamp(light: Light) -> Floats:
    """The table direction towards the lamp, as long as the shadow of a thing of height 1."""
    way = np.deg2rad(light.gradient_deg)
    lamp: Floats = np.array([np.cos(way), np.sin(way)]) / np.tan(np.deg2rad(light.height_deg))
    return lamp


def paper_shade(page: Pixels, scale: Floats, surface: Surface, light: Light) -> Pixels:
    """A copy of the page, shaded where the paper turns towards or away from the lamp (Lambert's law).

    `scale` are the page's pixels per mm in x and y.
    """
    width_mm, height_mm = surface.size_mm
    x, y = np.meshgrid(np.arange(0, width_mm + 2, 2.0), np.arange(0, height_mm + 2, 2.0))
    slope = surface.slope(surface.across_mm(np.column_stack([x.ravel(), y.ravel()])))
    towards = float(surface.uphill() @ _lamp(light))
    lit = np.clip(np.cos(slope) - np.sin(slope) * towards, 0.2, 1.4) ** (1 / DISPLAY_GAMMA)
    if np.ptp(lit) < 0.004:
        return page.copy()
    size_px = (page.shape[1], page.shape[0])
    to_grid = np.array([[0.5 / scale[0], 0, 0.25 / scale[0]], [0, 0.5 / scale[1], 0.25 / scale[1]]])
    gain = cv2.warpAffine(
        lit.reshape(x.shape).astype(np.float32),
        to_grid,
        size_px,
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return cast(Pixels, cv2.multiply(page, cv2.merge([gain] * 3), dtype=cv2.CV_8U))


def shadow_on_table(
    pixels: Pixels, outline_px: Floats, surface: Surface, camera: Camera, light: Light
) -> None:
    """Darken the table, in place, where the sheet keeps the light away: further off where it is lifted."""
    lifted = surface.lift(surface.outline_mm())
    thrown = lifted.copy()
    thrown[:, :2] -= _lamp(light) * (lifted[:, 2:] + 0.3)
    thrown[:, 2] = 0
    shadow_px = camera.project(thrown)
    softness_px = 2 + float(lifted[:, 2].mean()) * camera.focal_px / camera.distance_mm / 4
    margin = int(3 * softness_px) + _COARSE_PX
    height, width = pixels.shape[:2]
    both = np.concatenate([shadow_px, outline_px])
    left, top = np.clip(both.min(axis=0).astype(int) - margin, 0, (width, height))
    right, bottom = np.clip(both.max(axis=0).astype(int) + margin, 0, (width, height))
    if right - left < _COARSE_PX or bottom - top < _COARSE_PX:
        return
    size = ((right - left) // 4, (bottom - top) // 4)
    mask = np.full(size[::-1], 255, np.uint8)
    small = (shadow_px - (left, top)) * np.array(size) / (right - left, bottom - top)
    cv2.fillPoly(mask, [np.rint(small * 16).astype(np.int32)], 130, cv2.LINE_AA, shift=4)
    mask = cv2.GaussianBlur(mask, (0, 0), max(softness_px / 4, 0.8))
    part = pixels[top:bottom, left:right]
    full = cv2.resize(mask, (right - left, bottom - top))
    cv2.multiply(part, cv2.merge([full] * 3), dst=part, scale=1 / 255)
