"""Lines that run straight through a whole sheet: dust on a scanner's glass, a scratch on a printer's drum.

Nobody draws such lines. Where one runs through a field, a 5 looks like a −5, an 8 like an 18, nothing like a
dash.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetscan.geometry import Box, CellSpec
from sheetscan.imaging.rectify import SheetMap, flatten
from sheetscan.template import Template

PX_PER_MM = 3.0
OVERSAMPLING = 2
WIDEST_MM = 2.5
DARKER = 0.05
"""A streak takes at least this share of the light; paper's grain and noise take less, on most of a line."""
ABOVE_NOISE = 4.0
"""And so many times what paper seems to take in a noisy photo."""
SMOOTHED_PX = 11
"""Along a streak noise is averaged over so many pixels."""
MAX_SKEW = np.deg2rad(2.0)
SKEW_STEP = np.deg2rad(0.1)
LEAST_SHARE = 0.7
"""So much of the way through the sheet is dark: markers and writing may interrupt it."""
END_MM = 15.0
LEAST_AT_ENDS = 0.6
"""Printed lines end before the sheet does: this tells streaks from them."""
MARKER_MARGIN_MM = 1.5
EDGE_MM = 1.5
"""The paper's own edge is a line, too."""
BESIDE_MM = 1.0
"""Writing reaches so far out of its field."""


@dataclass(frozen=True, slots=True)
class Streak:
    """From edge to edge: its ends and its width, in sheet millimetres."""

    start_mm: tuple[float, float]
    end_mm: tuple[float, float]
    width_mm: float

    @property
    def level(self) -> bool:
        """Whether it runs from left to right."""
        return abs(self.end_mm[0] - self.start_mm[0]) > abs(self.end_mm[1] - self.start_mm[1])

    def crosses(self, box: Box) -> bool:
        """Whether it runs through a field, or so near that what is written there may reach into it."""
        (x, y), (end_x, end_y) = self.start_mm, self.end_mm
        corners = np.array(box.grown(BESIDE_MM + self.width_mm / 2).corners)
        sides = (corners[:, 0] - x) * (end_y - y) - (corners[:, 1] - y) * (end_x - x)
        return bool(sides.min() < 0 < sides.max())


def find_streaks(grey: NDArray[np.uint8], sheet_map: SheetMap, template: Template) -> tuple[Streak, ...]:
    """The streaks along or across a sheet in a grey photo; they may lie askew by two degrees."""
    flat = flatten(grey, sheet_map, PX_PER_MM, max_oversampling=OVERSAMPLING)
    bare = np.zeros(flat.shape, bool)
    edge = round(EDGE_MM * PX_PER_MM)
    bare[edge:-edge, edge:-edge] = True
    for marker in template.markers:
        bare[marker.box_mm.grown(MARKER_MARGIN_MM).pixels(PX_PER_MM)] = False
    level = _level_streaks(flat, bare)
    upright = _level_streaks(np.ascontiguousarray(flat.T), bare.T)
    turned = (Streak(streak.start_mm[::-1], streak.end_mm[::-1], streak.width_mm) for streak in upright)
    return (*level, *turned)


def without_streaks(
    cell: NDArray[np.uint8], centre_mm: tuple[float, float], spec: CellSpec, streaks: Sequence[Streak]
) -> NDArray[np.uint8]:
    """A cell (size, size, 2) around a place of the sheet, in its ink no streak and what crosses one still."""
    ink = np.ascontiguousarray(cell[..., 0])
    origin_mm = np.array(centre_mm) - spec.size_mm / 2
    for streak in streaks:
        ends_px = (np.array([streak.start_mm, streak.end_mm]) - origin_mm) * spec.px_per_mm - 0.5
        wide_px = streak.width_mm * spec.px_per_mm
        ink = _opened(ink, ends_px, wide_px) if streak.level else _opened(ink.T, ends_px[:, ::-1], wide_px).T
    return np.stack([ink, cell[..., 1]], axis=-1)


def _opened(ink: NDArray[np.uint8], ends_px: NDArray[np.float64], wide_px: float) -> NDArray[np.uint8]:
    """Where a streak runs from left to right, no ink that is less wide across it than it is."""
    x, y = np.arange(ink.shape[1]), np.arange(ink.shape[0])
    middle = np.interp(x, *ends_px.T)
    kernel = np.ones((round(wide_px) + 2, 1), np.uint8)
    opened = cv2.morphologyEx(np.ascontiguousarray(ink), cv2.MORPH_OPEN, kernel)
    return np.asarray(np.where(abs(y[:, None] - middle) <= (wide_px + 1) / 2, opened, ink), np.uint8)


def _level_streaks(seen: NDArray[np.uint8], bare: NDArray[np.bool_]) -> list[Streak]:
    """The streaks that run from left to right where it is `bare` of markers and edges; the darkest first."""
    dark = _darker_than_beside(seen) & bare
    streaks: list[Streak] = []
    looked_at = np.zeros(len(seen), bool)
    for path in _straight_paths(dark):
        middle = int(np.clip(path.mean(), 0, len(seen) - 1))
        if looked_at[middle]:
            continue
        found = _reaches_both_ends(dark, bare, path)
        beside = round(WIDEST_MM * PX_PER_MM) if found else 0
        looked_at[max(0, middle - beside) : middle + beside + 1] = True
        if found:
            y_mm, end_y_mm = (float(path[x] + 0.5) / PX_PER_MM for x in (0, -1))
            end_x_mm = len(path) / PX_PER_MM
            streaks.append(Streak((0.0, y_mm), (end_x_mm, end_y_mm), _width_mm(dark, path)))
    return streaks


def _straight_paths(dark: NDArray[np.bool_]) -> Iterator[NDArray[np.float64]]:
    """The y of every column along lines that are mostly dark, the darkest line first."""
    width = dark.shape[1]
    level = np.pi / 2
    lines = cv2.HoughLines(
        dark.astype(np.uint8),
        1,
        SKEW_STEP,
        round(LEAST_SHARE * width),
        min_theta=level - MAX_SKEW,
        max_theta=level + MAX_SKEW,
    )
    for rho, theta in np.empty((0, 2)) if lines is None else lines.reshape(-1, 2).astype(float):
        yield (rho - np.arange(width) * np.cos(theta)) / np.sin(theta)


def _reaches_both_ends(dark: NDArray[np.bool_], bare: NDArray[np.bool_], path: NDArray[np.float64]) -> bool:
    end = round(END_MM * PX_PER_MM)
    met = np.asarray(_along(dark, path, (-1, 0, 1)).any(axis=0))
    known = _along(bare, path, (0,))[0]
    return all(
        met[part].sum() >= LEAST_AT_ENDS * max(1, known[part].sum())
        for part in (slice(0, end), slice(-end, None))
    )


def _width_mm(dark: NDArray[np.bool_], path: NDArray[np.float64]) -> float:
    reach = round(WIDEST_MM * PX_PER_MM)
    shares = _along(dark, path, range(-reach, reach + 1)).mean(axis=1)
    return max(1, int(np.sum(shares > LEAST_SHARE / 2))) / PX_PER_MM


def _along(
    picture: NDArray[np.bool_], path: NDArray[np.float64], offsets: Sequence[int]
) -> NDArray[np.bool_]:
    """The picture so many pixels below a path, (offsets, columns); False beyond it."""
    y = np.rint(path).astype(int) + np.array(offsets)[:, None]
    inside = (y >= 0) & (y < len(picture))
    return np.asarray(picture[np.clip(y, 0, len(picture) - 1), np.arange(len(path))] & inside)


def _darker_than_beside(seen: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Where it is darker than above and below within the width of a streak, and more so than noise is."""
    smooth = cv2.blur(seen, (SMOOTHED_PX, 1))
    reach = round(WIDEST_MM * PX_PER_MM) | 1
    ground = cv2.morphologyEx(smooth, cv2.MORPH_CLOSE, np.ones((reach, 1), np.uint8))
    lost = 1 - smooth / np.maximum(ground, 1).astype(np.float32)
    noise = float(np.median(lost[::3, ::3]))
    return np.asarray(lost > max(DARKER, ABOVE_NOISE * noise))
