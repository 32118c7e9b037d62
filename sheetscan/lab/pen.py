"""Pens: strokes become ink on a page, with the pressure, gaps and grain of a real pen."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetscan.lab.hand import Strokes

Rgb = tuple[float, float, float]
PenKind = Literal["ballpoint", "pencil", "gel", "felt"]

SUPERSAMPLED_PX_PER_MM = 32.0
"""Resolution at which strokes are drawn before they are reduced to the page: a ball pen's line is 13 px."""

COLOURS: dict[str, tuple[Rgb, float]] = {
    "blue": ((0.08, 0.14, 0.5), 0.42),
    "black": ((0.06, 0.06, 0.07), 0.33),
    "red": ((0.72, 0.1, 0.12), 0.1),
    "green": ((0.05, 0.4, 0.2), 0.07),
    "violet": ((0.35, 0.12, 0.5), 0.05),
    "turquoise": ((0.05, 0.45, 0.55), 0.03),
}
"""Reflectance of full ink, and how common the colour is."""


@dataclass(frozen=True, slots=True)
class Pen:
    """A pen. Reflectances and shares are 0..1."""

    kind: PenKind
    colour_rgb: Rgb
    """Reflectance of paper under full ink."""
    width_mm: float
    darkness: float
    """Share of full ink that an ordinary stroke leaves."""
    pressure_variation: float
    """How much width and darkness vary along a stroke."""
    skips_per_cm: float
    """How often the line breaks off for a moment."""
    grain: float
    """How much of the paper's grain stays bare."""
    softness_mm: float
    """Blur of the line's edges."""


def random_pen(rng: np.random.Generator) -> Pen:
    """A pen as found on a games table: mostly ballpoint and pencil, some gel and felt pens."""
    kind = str(rng.choice(get_args(PenKind), p=[0.45, 0.25, 0.17, 0.13]))
    return _MAKERS[kind](rng)


def _pencil(rng: np.random.Generator) -> Pen:
    grey = float(rng.uniform(0.15, 0.4))
    return Pen(
        kind="pencil",
        colour_rgb=(grey, grey, grey * 1.03),
        width_mm=float(rng.uniform(0.3, 0.75)),
        darkness=float(rng.uniform(0.4, 0.95)),
        pressure_variation=float(rng.uniform(0.1, 0.35)),
        skips_per_cm=0.0,
        grain=float(rng.uniform(0.2, 0.6)),
        softness_mm=0.05,
    )


def _ballpoint(rng: np.random.Generator) -> Pen:
    return Pen(
        kind="ballpoint",
        colour_rgb=_random_colour(rng),
        width_mm=float(rng.uniform(0.22, 0.5)),
        darkness=float(rng.uniform(0.7, 1.0)),
        pressure_variation=float(rng.uniform(0.05, 0.3)),
        skips_per_cm=float(rng.choice([0.0, rng.uniform(0.2, 1.5)], p=[0.75, 0.25])),
        grain=float(rng.uniform(0.0, 0.25)),
        softness_mm=0.03,
    )


def _gel(rng: np.random.Generator) -> Pen:
    return Pen(
        kind="gel",
        colour_rgb=_random_colour(rng),
        width_mm=float(rng.uniform(0.3, 0.65)),
        darkness=float(rng.uniform(0.9, 1.0)),
        pressure_variation=float(rng.uniform(0.02, 0.12)),
        skips_per_cm=float(rng.choice([0.0, rng.uniform(0.1, 0.6)], p=[0.85, 0.15])),
        grain=0.0,
        softness_mm=0.03,
    )


def _felt(rng: np.random.Generator) -> Pen:
    return Pen(
        kind="felt",
        colour_rgb=_random_colour(rng),
        width_mm=float(rng.uniform(0.6, 1.3)),
        darkness=float(rng.uniform(0.85, 1.0)),
        pressure_variation=float(rng.uniform(0.02, 0.12)),
        skips_per_cm=0.0,
        grain=float(rng.uniform(0.0, 0.1)),
        softness_mm=0.07,
    )


_MAKERS: dict[str, Callable[[np.random.Generator], Pen]] = {
    "ballpoint": _ballpoint,
    "pencil": _pencil,
    "gel": _gel,
    "felt": _felt,
}


def _random_colour(rng: np.random.Generator) -> Rgb:
    names = list(COLOURS)
    weights = np.array([share for _, share in COLOURS.values()])
    base, _ = COLOURS[names[int(rng.choice(len(names), p=weights / weights.sum()))]]
    red, green, blue = (float(np.clip(value + rng.normal(0, 0.04), 0.02, 0.9)) for value in base)
    return red, green, blue


def draw(
    page: NDArray[np.float32], strokes_px: Strokes, px_per_mm: float, pen: Pen, rng: np.random.Generator
) -> None:
    """Draw strokes on a page in place; ink multiplies what is there.

    `page` is (h, w, 3) RGB reflectance 0..1; strokes are in its pixels (centres at integer coordinates),
    those outside it are cut off.
    """
    strokes = [stroke for stroke in strokes_px if len(stroke)]
    if not strokes:
        return
    margin = int(np.ceil((pen.width_mm + 3 * pen.softness_mm) * px_per_mm)) + 2
    points = np.concatenate(strokes)
    low = np.maximum(np.floor(points.min(axis=0)).astype(int) - margin, 0)
    high = np.minimum(np.ceil(points.max(axis=0)).astype(int) + margin + 1, (page.shape[1], page.shape[0]))
    if np.any(high <= low):
        return
    patch = page[low[1] : high[1], low[0] : high[0]]
    cover = _coverage([stroke - low for stroke in strokes], patch.shape[:2], px_per_mm, pen, rng)
    patch *= 1 - cover[..., None] * (1 - np.array(pen.colour_rgb, np.float32))


def _coverage(
    strokes: Strokes, shape: tuple[int, ...], px_per_mm: float, pen: Pen, rng: np.random.Generator
) -> NDArray[np.float32]:
    """The share of full ink on each pixel of a patch, shape (h, w)."""
    factor = max(1, round(SUPERSAMPLED_PX_PER_MM / px_per_mm))
    canvas = np.zeros((shape[0] * factor, shape[1] * factor), np.uint8)
    for stroke in strokes:
        _draw_stroke(canvas, (stroke + 0.5) * factor - 0.5, px_per_mm * factor, pen, rng)
    reduced = cv2.resize(canvas, (shape[1], shape[0]), interpolation=cv2.INTER_AREA)
    cover = reduced.astype(np.float32) / 255
    if pen.grain > 0:
        cover *= _grain(cover.shape, px_per_mm, pen.grain, rng)
    return np.asarray(cv2.GaussianBlur(cover, (0, 0), max(pen.softness_mm * px_per_mm, 0.1)), np.float32)


def _draw_stroke(
    canvas: NDArray[np.uint8],
    points: NDArray[np.float32],
    px_per_mm: float,
    pen: Pen,
    rng: np.random.Generator,
) -> None:
    """Draw one stroke in short pieces whose width and darkness follow a slowly varying pressure."""
    width_px = pen.width_mm * px_per_mm
    dense = _resampled(points, max(1.0, width_px / 3))
    pressure = _pressure(len(dense), pen.pressure_variation, rng)
    widths = np.maximum(1, np.rint(width_px * (1 + 0.6 * pressure))).astype(int)
    inks = np.clip(255 * pen.darkness * (1 + 0.7 * pressure), 0, 255).astype(int)
    inked = _without_skips(dense, px_per_mm, pen, rng)
    fixed = np.rint(dense * 16).astype(int)
    for place in range(max(1, len(dense) - 1)):
        end = fixed[min(place + 1, len(fixed) - 1)]
        if inked[place]:
            cv2.line(
                canvas,
                fixed[place].tolist(),
                end.tolist(),
                int(inks[place]),
                int(widths[place]),
                cv2.LINE_8,
                shift=4,
            )


def _resampled(points: NDArray[np.float32], step: float) -> NDArray[np.float64]:
    """The polyline at equal distances of about `step`, shape (m, 2), m >= 1."""
    lengths = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    count = int(lengths[-1] / step) + 2 if lengths[-1] > 0 else 1
    places = np.linspace(0, lengths[-1], count)
    return np.stack([np.interp(places, lengths, points[:, axis]) for axis in (0, 1)], axis=1)


def _pressure(count: int, variation: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Pressure along a stroke as a deviation from the ordinary, lighter at its very ends."""
    knots = max(2, count // 15 + 2)
    steps = np.linspace(0, knots - 1, count)
    slow = np.interp(steps, np.arange(knots), rng.normal(0, variation, knots))
    along = np.linspace(0, 1, count)
    return np.asarray(slow - variation * np.exp(-np.minimum(along, 1 - along) * 12))


def _without_skips(
    points: NDArray[np.float64], px_per_mm: float, pen: Pen, rng: np.random.Generator
) -> NDArray[np.bool_]:
    """Which pieces of the stroke leave ink."""
    inked = np.ones(len(points), bool)
    if pen.skips_per_cm == 0 or len(points) < 3:
        return inked
    length_mm = float(np.hypot(*np.diff(points, axis=0).T).sum()) / px_per_mm
    for _ in range(int(rng.poisson(pen.skips_per_cm * length_mm / 10))):
        share = rng.uniform(0.2, 0.9) / length_mm
        start = int(rng.uniform(0, 1) * len(points))
        inked[start : start + max(1, int(share * len(points)))] = False
    return inked


def _grain(
    shape: tuple[int, ...], px_per_mm: float, amount: float, rng: np.random.Generator
) -> NDArray[np.float32]:
    """Paper grain: a factor around 1 - amount / 2 with dents of about a sixth of a millimetre."""
    noise = rng.standard_normal(shape, np.float32)
    sigma = max(0.4, px_per_mm * 0.06)
    grain = cv2.GaussianBlur(noise, (0, 0), sigma) * (2 * sigma * np.sqrt(np.pi))
    return np.asarray(np.clip(1 - amount * (0.5 + 0.5 * grain), 0, 1), np.float32)
