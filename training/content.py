"""What people write into fields: contents with their labels, as ink on transparent ground.

A layer is a square of LAYER_MM around the field's middle at 4 px/mm; its values are ink, 255 for black.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetscan.lab.hand import Hand, MarkKind, Strokes, SyntheticHand
from sheetscan.lab.pen import Pen, draw, random_pen
from sheetscan.lab.recorded import RecordedHands, Split
from training.forms import TRAINING_DIGITS

LAYER_PX = 72
CELL_PX = 64
PX_PER_MM = 4
LAYER_MM = LAYER_PX / PX_PER_MM
DRAWN_PX_PER_MM = 8

Scope = Literal["number", "mark"]
Kind = Literal["empty", "number", "cross", "void", "line"]
KINDS: tuple[Kind, ...] = ("empty", "number", "cross", "void", "line")

Layer = NDArray[np.uint8]

IMAGE_SHARE = 0.18
STRING_SHARE = 0.1
INVENTED_SHARE = 0.33
OVERWRITTEN_SHARE = 0.02
RINGED_SHARE = 0.015
STEMS_SHARE = 0.04
STEMS = ("11", *map(str, range(110, 120)))
"""Numbers in which two stems stand side by side."""
CRAMPED_SHARE = 0.08
UPRIGHT_SHARE = 0.2


@dataclass(frozen=True, slots=True)
class Writing:
    """What is written in a field: drawings in millimetres from its middle, and its label.

    `text` is the number's digits where `kind` is "number", else empty.
    """

    drawings: tuple[Strokes, ...]
    kind: Kind
    text: str = ""


@dataclass(frozen=True, slots=True)
class Placing:
    """How big and where somebody writes, in millimetres from the field's middle; `turn` in radians."""

    height_mm: float
    widest_mm: float
    centre_mm: tuple[float, float]
    turn: float


class Writers:
    """All who write: for the training all kinds of hands and images, else validation writers."""

    def __init__(self, folder: Path, split: Split = "train") -> None:
        recorded = RecordedHands(folder, split)
        self._hands = recorded.hands
        self.restyling = split == "train"
        """Whether recorded writing is bent into the styles of writers who were not recorded."""
        self._invented_share = INVENTED_SHARE if split == "train" else 0.0
        weights = np.array([5.0 if hand.european else 1.0 for hand in self._hands])
        self._weights = weights / weights.sum()
        self._strings = [item for item in recorded.strings if 2 <= len(item[0]) <= 3 and item[0][0] != "0"]
        self.images = ImageWriters(folder)

    def hand(self, rng: np.random.Generator) -> Hand:
        """A writer; recorded European ones five times as often as their number."""
        if rng.random() < self._invented_share:
            return SyntheticHand(int(rng.integers(2**31)), digits=TRAINING_DIGITS)
        return self._hands[int(rng.choice(len(self._hands), p=self._weights))]

    def string(self, rng: np.random.Generator) -> tuple[str, Strokes]:
        """A number of two or three digits as somebody wrote it."""
        return self._strings[int(rng.integers(len(self._strings)))]


class ImageWriters:
    """Digits that exist as images: MNIST by writer, optdigits and mfeat with writers unknown."""

    def __init__(self, folder: Path) -> None:
        mnist = np.load(folder / "mnist_train.npz")
        order = np.argsort(mnist["writer"], kind="stable")
        self._mnist = mnist["images"][order], mnist["labels"][order]
        _, starts = np.unique(mnist["writer"][order], return_index=True)
        self._starts = np.append(starts, len(order))
        small = [np.load(folder / f"{name}.npz") for name in ("optdigits_orig", "mfeat_pix")]
        self._small = [
            {digit: data["images"][data["labels"] == digit] for digit in range(10)} for data in small
        ]

    def digits(self, text: str, rng: np.random.Generator) -> list[Layer]:
        """One image for each digit, all of one MNIST writer or of one set; ink 255 on 0."""
        choice = rng.random()
        if choice < 0.6:
            writer = int(rng.integers(len(self._starts) - 1))
            images, labels = (part[self._starts[writer] : self._starts[writer + 1]] for part in self._mnist)
            known = {digit: images[labels == digit] for digit in range(10)}
        else:
            known = self._small[0 if choice < 0.8 else 1]
        if any(len(known[int(digit)]) == 0 for digit in text):
            return self.digits(text, rng)
        return [known[int(digit)][int(rng.integers(len(known[int(digit)])))] for digit in text]


def random_number(rng: np.random.Generator) -> str:
    """A number to write: 1..18 mostly, the rest of 0..999, some negative ones as in tallies."""
    if rng.random() < STEMS_SHARE:
        return STEMS[int(rng.integers(len(STEMS)))]
    choice = rng.random()
    if choice < 0.66:
        return str(rng.integers(1, 19))
    if choice < 0.83:
        return str(rng.integers(19, 100))
    if choice < 0.86:
        return "0"
    if choice < 0.94:
        return str(rng.integers(100, 1000 if rng.random() < 0.3 else 200))
    return f"-{rng.integers(1, 100)}"


def random_writing(
    writers: Writers, hand: Hand, scope: Scope, kind: Kind, rng: np.random.Generator
) -> Writing:
    """A writing of that kind by a hand; for empty fields, specks that are to be overlooked."""
    makers: dict[tuple[Scope, Kind], Callable[[], Writing]] = {
        ("number", "number"): lambda: _number(writers, hand, rng),
        ("number", "cross"): lambda: _crossed(hand, rng),
        ("number", "void"): lambda: _voided(hand, rng),
        ("number", "empty"): lambda: _specks(rng),
        ("mark", "empty"): lambda: _specks(rng),
        ("mark", "cross"): lambda: _marked(hand, rng),
        ("mark", "line"): lambda: Writing((_mark_placed(hand, "line", rng),), "line"),
        ("mark", "void"): lambda: _marked_void(hand, rng),
    }
    return makers[scope, kind]()


def random_layer(writers: Writers, scope: Scope, kind: Kind, rng: np.random.Generator) -> tuple[Layer, str]:
    """A layer with that kind of content and its text; a share of the numbers comes from images."""
    if kind == "number" and rng.random() < IMAGE_SHARE:
        text = random_number(rng).lstrip("-")
        return _from_images(writers.images.digits(text, rng), rng), text
    writing = random_writing(writers, writers.hand(rng), scope, kind, rng)
    return ink(writing, random_pen(rng), rng), writing.text


def _number(writers: Writers, hand: Hand, rng: np.random.Generator) -> Writing:
    if rng.random() < STRING_SHARE:
        text, strokes = writers.string(rng)
    else:
        text = random_number(rng)
        strokes = hand.write(text, rng)
    if writers.restyling:
        strokes = restyled(strokes, rng)
        if rng.random() < CRAMPED_SHARE:
            narrower = np.array([rng.uniform(0.6, 0.9), 1], np.float32)
            strokes = [stroke * narrower for stroke in strokes]
    number = placed(strokes, random_placing(rng))
    choice = rng.random()
    if choice < OVERWRITTEN_SHARE:
        return Writing(_overwritten(hand, number, rng), "number", text)
    if choice < OVERWRITTEN_SHARE + RINGED_SHARE:
        return Writing((number, _ring(number, rng)), "number", text)
    return Writing((number,), "number", text)


def _overwritten(hand: Hand, number: Strokes, rng: np.random.Generator) -> tuple[Strokes, ...]:
    """A number written over a wrong digit, gone over once or twice more so that it shows."""
    points = np.concatenate(number)
    low, high = points.min(axis=0), points.max(axis=0)
    height = float(high[1] - low[1]) * rng.uniform(0.85, 1.1)
    middle = (low + high) / 2 + rng.normal(0, 0.3, 2)
    wrong = Placing(height, 14.0, (float(middle[0]), float(middle[1])), 0.0)
    again = [
        [(stroke + rng.normal(0, 0.12, 2)).astype(np.float32) for stroke in number]
        for _ in range(int(rng.integers(1, 3)))
    ]
    return placed(hand.write(str(rng.integers(1, 10)), rng), wrong), number, *again


def _ring(number: Strokes, rng: np.random.Generator) -> Strokes:
    """A ring around a number that somebody wants to stress."""
    points = np.concatenate(number)
    low, high = points.min(axis=0), points.max(axis=0)
    angle = rng.uniform(0, 2 * np.pi) + np.linspace(0, 2 * np.pi * rng.uniform(0.95, 1.1), 60)
    radii = np.maximum((high - low) / 2 * rng.uniform(1.25, 1.6), 2.5)
    wobble = 1 + rng.normal(0, 0.06) * np.sin(2 * angle + rng.uniform(0, 6))
    ring = (low + high) / 2 + np.stack([np.cos(angle), np.sin(angle)], axis=1) * radii * wobble[:, None]
    return [ring.astype(np.float32)]


def _number_to_kill(hand: Hand, rng: np.random.Generator) -> Strokes:
    return placed(hand.write(str(rng.integers(1, 19)), rng), random_placing(rng))


def _crossed(hand: Hand, rng: np.random.Generator) -> Writing:
    """A cross in a number field: alone, or over a number that it kills."""
    if rng.random() < 0.7:
        return Writing((_mark_placed(hand, "cross", rng),), "cross")
    number = _number_to_kill(hand, rng)
    return Writing((number, _over(_mark(hand, "cross", rng), number, rng)), "cross")


def _voided(hand: Hand, rng: np.random.Generator) -> Writing:
    """Nothing that counts: a number struck out or blackened, a scribble, a filled field, a dash."""
    if rng.random() < 0.3:
        alone: MarkKind = ("scribble", "fill", "line")[int(rng.integers(3))]
        return Writing((_mark_placed(hand, alone, rng),), "void")
    number = _number_to_kill(hand, rng)
    kind: MarkKind = ("scribble", "scribble", "scribble", "fill", "line", "line", "slash")[
        int(rng.integers(7))
    ]
    reach = (1.3, 1.9) if kind in ("line", "slash") else (0.85, 1.4)
    strikes = [_over(hand.mark(kind, rng), number, rng, reach)]
    if kind in ("line", "slash") and rng.random() < 0.5:
        strikes.append(_over(hand.mark(kind, rng), number, rng, reach))
    return Writing((number, *strikes), "void")


def _marked(hand: Hand, rng: np.random.Generator) -> Writing:
    """A mark field that counts: cross, tick or slash (rules/qwixx.md, "Marks that players really make")."""
    kind: MarkKind = ("cross", "cross", "cross", "tick", "slash")[int(rng.integers(5))]
    return Writing((_mark_placed(hand, kind, rng),), "cross")


def _marked_void(hand: Hand, rng: np.random.Generator) -> Writing:
    """A mark taken back: blackened or scribbled over, with or without the cross below."""
    kind: MarkKind = "fill" if rng.random() < 0.6 else "scribble"
    top = _mark_placed(hand, kind, rng)
    below = [_mark_placed(hand, "cross", rng)] if rng.random() < 0.5 else []
    return Writing((*below, top), "void")


def _specks(rng: np.random.Generator) -> Writing:
    """Dots of dirt or of a pen that rested: smaller than any sign."""
    places = [rng.uniform(-LAYER_MM / 2, LAYER_MM / 2, 2) for _ in range(int(rng.integers(1, 4)))]
    dots = [np.stack([place, place + rng.normal(0, 0.18, 2)]).astype(np.float32) for place in places]
    return Writing((dots,), "empty")


def random_placing(rng: np.random.Generator) -> Placing:
    """Sizes and places seen in circles of 12 mm: from cramped to overflowing."""
    return Placing(
        height_mm=float(np.clip(6.3 * np.exp(rng.normal(0, 0.25)), 2.8, 11.5)),
        widest_mm=float(rng.uniform(8.5, 14)),
        centre_mm=(float(rng.normal(0, 0.9)), float(rng.normal(0, 0.9))),
        turn=float(rng.normal(0, 0.06)),
    )


def restyled(strokes: Strokes, rng: np.random.Generator) -> Strokes:
    """Writing made narrower or wider, slanted and gently bent, as another writer might have done it."""
    width, slant = np.exp(rng.normal(0, 0.16)), rng.normal(0, 0.12)
    bend, phase = rng.normal(0, 0.025, 2), rng.uniform(0, 2 * np.pi, 2)

    def bent(points: NDArray[np.float32]) -> NDArray[np.float32]:
        x, y = points.T
        moved_x = width * x - slant * y + bend[0] * np.sin(5 * y + phase[0])
        moved_y = y + bend[1] * np.sin(5 * x + phase[1])
        return np.stack([moved_x, moved_y], axis=1).astype(np.float32)

    return [bent(stroke) for stroke in strokes]


def placed(strokes: Strokes, placing: Placing) -> Strokes:
    """Strokes in digit heights, in millimetres from the field's middle."""
    points = np.concatenate(strokes)
    low, high = points.min(axis=0), points.max(axis=0)
    scale = min(placing.height_mm, placing.widest_mm / max(float(high[0] - low[0]), 1e-3))
    cos, sin = np.cos(placing.turn), np.sin(placing.turn)
    turn = np.array([[cos, sin], [-sin, cos]]) * scale
    centre = np.array(placing.centre_mm)
    return [((stroke - (low + high) / 2) @ turn + centre).astype(np.float32) for stroke in strokes]


def _mark_placed(hand: Hand, kind: MarkKind, rng: np.random.Generator) -> Strokes:
    """A mark of its own size, near the field's middle."""
    size = float(np.clip(rng.normal(8.0, 2.0), 3.5, 13)) * np.array([rng.uniform(0.7, 1.3), 1.0])
    return _stretched(_mark(hand, kind, rng), size, rng.normal(0, 0.9, 2))


def _mark(hand: Hand, kind: MarkKind, rng: np.random.Generator) -> Strokes:
    """A mark; recorded crosses all are an x, and a share is turned to stand upright."""
    strokes = hand.mark(kind, rng)
    if kind != "cross" or rng.random() > UPRIGHT_SHARE:
        return strokes
    points = np.concatenate(strokes)
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    angle = np.pi / 4 + rng.normal(0, 0.1)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return [((stroke - middle) @ turn + middle).astype(np.float32) for stroke in strokes]


def _over(
    mark: Strokes, number: Strokes, rng: np.random.Generator, reach: tuple[float, float] = (0.85, 1.4)
) -> Strokes:
    """A mark drawn over a number, as large as it times a factor within `reach`, at least 5 mm."""
    points = np.concatenate(number)
    low, high = points.min(axis=0), points.max(axis=0)
    return _stretched(mark, np.maximum((high - low) * rng.uniform(*reach, 2), 5), (low + high) / 2)


def _stretched(mark: Strokes, size_mm: NDArray[np.float64], centre_mm: NDArray[np.float64]) -> Strokes:
    middle = np.array([0.5, -0.5])
    return [((stroke - middle) * size_mm + centre_mm).astype(np.float32) for stroke in mark]


def ink(writing: Writing, pen: Pen, rng: np.random.Generator) -> Layer:
    """A writing with one pen as a layer."""
    side = LAYER_PX * DRAWN_PX_PER_MM // PX_PER_MM
    page = np.ones((side, side, 3), np.float32)
    draw_on(page, writing, (LAYER_MM / 2, LAYER_MM / 2), px_per_mm=DRAWN_PX_PER_MM, pen=pen, rng=rng)
    red, green, blue = cv2.split(page)
    return _reduced(1 - np.minimum(np.minimum(red, green), blue))


def layer_cell(layer: Layer) -> Layer:
    """The part of a layer that a cell shows."""
    margin = (LAYER_PX - CELL_PX) // 2
    return layer[margin:-margin, margin:-margin]


def draw_on(
    page: NDArray[np.float32],
    writing: Writing,
    centre_mm: tuple[float, float],
    *,
    px_per_mm: float,
    pen: Pen,
    rng: np.random.Generator,
) -> None:
    """Write on a page around `centre_mm`, one drawing over the other."""
    for drawing in writing.drawings:
        strokes = [
            ((stroke + np.array(centre_mm)) * px_per_mm - 0.5).astype(np.float32) for stroke in drawing
        ]
        draw(page, strokes, px_per_mm, pen, rng)


def _reduced(drawn: NDArray[np.float32]) -> Layer:
    small = cv2.resize(drawn, (LAYER_PX, LAYER_PX), interpolation=cv2.INTER_AREA)
    return np.asarray(np.rint(255 * small), dtype=np.uint8)


def _from_images(digits: list[Layer], rng: np.random.Generator) -> Layer:
    """Digit images side by side as a layer, at a pen's darkness."""
    cropped = [_cropped(digit) for digit in digits]
    tallest = max(digit.shape[0] for digit in cropped)
    gap = rng.normal(0.12, 0.08) * tallest
    width = sum(digit.shape[1] for digit in cropped) + gap * (len(cropped) - 1)
    placing = random_placing(rng)
    scale = min(placing.height_mm / tallest, placing.widest_mm / width) * DRAWN_PX_PER_MM
    side = LAYER_PX * DRAWN_PX_PER_MM // PX_PER_MM
    page = np.zeros((side, side), np.float32)
    x, y = (np.array(placing.centre_mm) + LAYER_MM / 2) * DRAWN_PX_PER_MM - np.array(
        [width, tallest]
    ) * scale / 2
    for digit in cropped:
        lift = y + (tallest - digit.shape[0]) * scale * rng.uniform(0.3, 1)
        to_page = np.array([[scale, 0, x], [0, scale, lift]])
        warped = cv2.warpAffine(digit.astype(np.float32) / 255, to_page, (side, side), flags=cv2.INTER_CUBIC)
        page = np.maximum(page, warped)
        x += (digit.shape[1] + gap) * scale
    sharpened = np.clip((page - 0.5) * rng.uniform(1.2, 3) + 0.5, 0, 1)
    return _reduced(np.asarray(sharpened * rng.uniform(0.35, 0.95), np.float32))


def _cropped(digit: Layer) -> Layer:
    rows, columns = (np.flatnonzero((digit > 60).any(axis=axis)) for axis in (1, 0))
    return digit[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
