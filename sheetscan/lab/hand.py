"""Invented handwriting: writers with a style of their own who write numbers and marks as strokes.

Units: a digit is 1.0 high, its baseline y = 0, y downward, x from 0 rightwards.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from sheetscan.lab.glyphs import DIGITS, MARKS, Form

Strokes = list[NDArray[np.float32]]
"""Polylines of shape (n, 2), dense enough to be drawn as straight pieces."""

MarkKind = Literal["cross", "tick", "slash", "line", "scribble", "fill"]
MARK_KINDS: tuple[MarkKind, ...] = get_args(MarkKind)

POINTS_PER_PIECE = 12
MIN_SPACING = 0.03
"""Digit heights between neighbouring digits: some touch now and then, nobody writes one over the other."""
STEM_WIDTH, STEM_GAP = 0.2, 0.12
"""A sign as narrow as a plain 1 keeps this distance from its neighbours: else nobody could see it."""


class Hand(Protocol):
    """One writer. `european` tells whose 1 and 7 he writes."""

    name: str
    european: bool

    def write(self, text: str, rng: np.random.Generator) -> Strokes:
        """Write digits and "-" on the baseline from x = 0. Raises ValueError for any other sign."""
        ...

    def mark(self, kind: MarkKind, rng: np.random.Generator) -> Strokes:
        """Draw a mark centred in the unit square x 0..1, y -1..0; it may reach a little beyond."""
        ...

    def cross(self, rng: np.random.Generator) -> Strokes:
        """The writer's cross, in the same square."""
        ...


@dataclass(frozen=True, slots=True)
class Style:
    """What stays the same whenever a writer writes. Lengths in digit heights."""

    digit_forms: dict[str, tuple[Form, float]]
    mark_forms: dict[str, tuple[Form, float]]
    slant: float
    """Shear: how far the top leans to the right."""
    width: float
    """Factor on the digits' widths."""
    roundness: float
    """How far corners are rounded."""
    tremor: float
    looseness: float
    """How much control points wander from one writing to the next."""
    size_variation: float
    spacing: float
    """Gap between neighbouring digits; negative ones touch or overlap."""
    climb: float
    """Rise of the baseline over a digit's width."""


class SyntheticHand:
    """An invented writer with these forms of digits and marks; the same seed is the same writer for ever."""

    def __init__(
        self,
        seed: int,
        european: bool | None = None,
        digits: Mapping[str, tuple[Form, ...]] = DIGITS,
        marks: Mapping[str, tuple[Form, ...]] = MARKS,
    ) -> None:
        rng = np.random.default_rng([seed, 71])
        drawn = bool(rng.random() < 0.7)
        self.european = drawn if european is None else european
        self.name = f"synthetic:{seed}"
        self._digits, self._marks = digits, marks
        self._style = _random_style(rng, self.european, digits, marks)

    def write(self, text: str, rng: np.random.Generator) -> Strokes:
        """Write digits and "-" (see Hand)."""
        if not text or any(sign not in self._digits for sign in text):
            raise ValueError(f"only digits and '-' can be written, not {text!r}")
        return compose([self._sign(sign, rng) for sign in text], self._style.spacing, self._style.climb, rng)

    def mark(self, kind: MarkKind, rng: np.random.Generator) -> Strokes:
        """Draw a mark (see Hand)."""
        if kind == "scribble":
            return scribble(rng)
        if kind == "fill":
            return fill(rng)
        form, place = self._style.mark_forms[kind]
        if rng.random() < 0.15:
            form = _choose(self._marks[kind], self.european, rng)
        strokes = _draw(form, place, self._style, rng)
        return [_resized(stroke, rng) for stroke in strokes]

    def cross(self, rng: np.random.Generator) -> Strokes:
        """The writer's cross (see Hand)."""
        return self.mark("cross", rng)

    def _sign(self, sign: str, rng: np.random.Generator) -> Strokes:
        style = self._style
        form, place = style.digit_forms[sign]
        if rng.random() < 0.06:
            form = _choose(self._digits[sign], self.european, rng)
        strokes = _draw(form, place, style, rng)
        shear = np.array([[style.width, -style.slant], [0, 1]], np.float32)
        size = np.float32(np.exp(rng.normal(0, style.size_variation)))
        return [stroke @ shear.T * size for stroke in strokes]


def compose(signs: list[Strokes], spacing: float, climb: float, rng: np.random.Generator) -> Strokes:
    """Set signs side by side on a baseline, `spacing` digit heights apart; below 0 they touch or overlap."""
    pen_x, width_before, written = 0.0, 1.0, []
    for place, strokes in enumerate(signs):
        left, right = (float(edge(np.concatenate(strokes)[:, 0])) for edge in (np.min, np.max))
        if place:
            gap = spacing + float(rng.normal(0, 0.05))
            pen_x += max(gap, STEM_GAP if min(right - left, width_before) < STEM_WIDTH else gap)
        shift = np.array([pen_x - left, -climb * pen_x + rng.normal(0, 0.03)], np.float32)
        written += [stroke + shift for stroke in strokes]
        width_before = right - left
        pen_x += width_before
    return written


def scribble(rng: np.random.Generator) -> Strokes:
    """A loose zigzag or coil that makes what is under it void."""
    turns = int(rng.integers(4, 10))
    wide, high = rng.uniform(0.7, 1.1), rng.uniform(0.45, 0.95)
    along = np.linspace(0, 1, turns * 2 * POINTS_PER_PIECE)
    phase = along * turns * 2 * np.pi
    if rng.random() < 0.5:  # a coil
        x = 0.5 + wide * (along - 0.5) * 0.8 + 0.2 * np.cos(phase)
        y = -0.5 + high / 2 * np.sin(phase)
    else:  # a zigzag
        x = 0.5 + wide * (along - 0.5) + 0.04 * np.cos(phase * 0.7)
        y = -0.5 + high / 2 * (2 / np.pi) * np.arcsin(np.sin(phase))
    points = np.stack([x, y], axis=1) + _wander(len(along), 0.06, rng)
    return [_turned(points, float(rng.uniform(-0.7, 0.7)))]


def fill(rng: np.random.Generator) -> Strokes:
    """Dense strokes to and fro that blacken the whole square."""
    rows = int(rng.integers(14, 24))
    ends = np.linspace(0.02, 0.98, rows)
    side = np.where(np.arange(rows) % 2 == 0, 0.04, 0.96) + rng.normal(0, 0.04, rows)
    corners = np.stack([side, -ends + rng.normal(0, 0.01, rows)], axis=1)
    steps = np.linspace(0, rows - 1, rows * POINTS_PER_PIECE)
    points = np.stack([np.interp(steps, np.arange(rows), corners[:, axis]) for axis in (0, 1)], axis=1)
    return [_turned(points + _wander(len(points), 0.02, rng), float(rng.uniform(-1, 1)))]


def _random_style(
    rng: np.random.Generator,
    european: bool,
    digits: Mapping[str, tuple[Form, ...]],
    marks: Mapping[str, tuple[Form, ...]],
) -> Style:
    def chosen(table: Mapping[str, tuple[Form, ...]]) -> dict[str, tuple[Form, float]]:
        return {sign: (_choose(forms, european, rng), float(rng.random())) for sign, forms in table.items()}

    return Style(
        digit_forms=chosen(digits),
        mark_forms=chosen(marks),
        slant=float(np.clip(rng.normal(0.12, 0.15), -0.25, 0.5)),
        width=float(np.clip(rng.normal(1.0, 0.15), 0.65, 1.4)),
        roundness=float(rng.uniform(0, 0.06)),
        tremor=float(abs(rng.normal(0, 0.006))),
        looseness=float(rng.uniform(0.01, 0.035)),
        size_variation=float(rng.uniform(0.02, 0.09)),
        spacing=max(float(rng.normal(0.16, 0.09)), MIN_SPACING),
        climb=float(rng.normal(0, 0.05)),
    )


def _choose(forms: tuple[Form, ...], european: bool, rng: np.random.Generator) -> Form:
    weights = np.array([form.european if european else form.american for form in forms])
    return forms[int(rng.choice(len(forms), p=weights / weights.sum()))]


def _draw(form: Form, place: float, style: Style, rng: np.random.Generator) -> Strokes:
    """One writing of a form at the writer's `place` between its extremes."""
    place = float(np.clip(place + rng.normal(0, 0.12), -0.1, 1.1))
    strokes = []
    for first, second in form.strokes:
        (near, corners), (far, _) = _parse(first), _parse(second)
        control = near * (1 - place) + far * place
        control = control + rng.normal(0, style.looseness, control.shape)
        stroke = _smoothed(_spline(control, corners), style.roundness)
        strokes.append(stroke + _wander(len(stroke), style.tremor, rng).astype(np.float32))
    return strokes


@cache
def _parse(text: str) -> tuple[NDArray[np.float64], tuple[int, ...]]:
    """The control points of a stroke in digit heights, and the indices of its corners."""
    pairs = [pair.strip() for pair in text.split(",")]
    points = np.array([[float(figure) for figure in pair.rstrip("!").split()] for pair in pairs]) / 100
    return points, tuple(index for index, pair in enumerate(pairs) if pair.endswith("!"))


def _spline(control: NDArray[np.float64], corners: tuple[int, ...]) -> NDArray[np.float32]:
    """A Catmull-Rom curve through the control points, broken at the corners."""
    edges = [0, *corners, len(control) - 1]
    pieces = [_curve(control[start : end + 1]) for start, end in pairwise(edges) if end > start]
    return np.concatenate(pieces).astype(np.float32)


def _curve(control: NDArray[np.float64]) -> NDArray[np.float64]:
    t = np.linspace(0, 1, POINTS_PER_PIECE)[:, None]
    ghosts = np.vstack([2 * control[0] - control[1], control, 2 * control[-1] - control[-2]])
    pieces = []
    for a, b, c, d in zip(ghosts, ghosts[1:], ghosts[2:], ghosts[3:], strict=False):
        pieces.append(b + t / 2 * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a))))
    return np.concatenate(pieces)


def _smoothed(points: NDArray[np.float32], sigma: float) -> NDArray[np.float32]:
    """The polyline with its corners rounded over about `sigma`; its ends stay."""
    reach = int(sigma * 60)
    if reach < 1 or len(points) < 2 * reach + 3:
        return points
    kernel = np.hanning(2 * reach + 3)[1:-1]
    padded = np.pad(points, ((reach, reach), (0, 0)), mode="edge")
    smooth = [np.convolve(padded[:, axis], kernel / kernel.sum(), mode="valid") for axis in (0, 1)]
    return np.stack(smooth, axis=1).astype(np.float32)


def _wander(count: int, amount: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """A slow random walk around zero, shape (count, 2), standard deviation `amount`."""
    knots = max(3, count // 8)
    steps = np.linspace(0, knots - 1, count)
    values = rng.normal(0, amount, (knots, 2))
    return np.stack([np.interp(steps, np.arange(knots), values[:, axis]) for axis in (0, 1)], axis=1)


def _turned(points: NDArray[np.float64], angle: float) -> NDArray[np.float32]:
    """Turned by `angle` radians around the middle of the unit square."""
    middle = np.array([0.5, -0.5])
    cos, sin = np.cos(angle), np.sin(angle)
    turned = (points - middle) @ np.array([[cos, sin], [-sin, cos]]) + middle
    return np.asarray(turned, np.float32)


def _resized(points: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """One stroke of a mark, a little longer or shorter and off its place, as in a quick hand."""
    middle = np.array([0.5, -0.5], np.float32)
    moved = (points - middle) * rng.uniform(0.85, 1.1) + middle + rng.normal(0, 0.03, 2)
    return np.asarray(moved, np.float32)
