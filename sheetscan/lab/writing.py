"""Writes contents into the fields of a printed page, as one person with one pen would."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby

import numpy as np
from numpy.typing import NDArray

from sheetscan.geometry import Box
from sheetscan.lab.hand import Hand, MarkKind, Strokes
from sheetscan.lab.pen import Pen, draw
from sheetscan.result import Content
from sheetscan.template import Field, Template

Page = NDArray[np.float32]

_MARKS: tuple[MarkKind, ...] = ("cross", "tick", "slash")
_MARK_SHARES = (0.7, 0.18, 0.12)


@dataclass(frozen=True, slots=True)
class Habits:
    """What a writer does alike all over a sheet: size, place and slope of the writing, the mark he makes."""

    height_mm: float
    widest_mm: float
    offset_mm: tuple[float, float]
    turn: float
    mark: MarkKind


def random_habits(rng: np.random.Generator) -> Habits:
    """Sizes and places as seen in fields of 12 mm: mostly inside, some cramped, some overflowing."""
    return Habits(
        height_mm=float(np.clip(6.3 * np.exp(rng.normal(0, 0.2)), 3.2, 10)),
        widest_mm=float(rng.uniform(8.5, 12.5)),
        offset_mm=(float(rng.normal(0, 0.5)), float(rng.normal(0, 0.5))),
        turn=float(rng.normal(0, 0.04)),
        mark=_MARKS[int(rng.choice(3, p=_MARK_SHARES))],
    )


def write_contents(
    page: Page,
    template: Template,
    contents: Mapping[str, Content],
    hand: Hand,
    pen: Pen,
    rng: np.random.Generator,
    *,
    px_per_mm: float,
    origin_mm: tuple[float, float] = (0.0, 0.0),
) -> None:
    """Write into a page (h, w, 3) of reflectance 0..1, in place.

    `px_per_mm` counts sheet millimetres; `origin_mm` is where the sheet begins on the page, in those too.
    """
    habits = random_habits(rng)
    struck = list(_struck_through(template, contents))
    lined = {field.id for run in struck for field in run}
    drawings = chain(
        (_long_line(run, hand, habits, rng) for run in struck),
        (
            drawing
            for field in template.fields
            if field.id in contents and field.id not in lined
            for drawing in _drawings(field, contents[field.id], hand, habits, rng)
        ),
    )
    for drawing in drawings:
        pixels = [(stroke + origin_mm) * px_per_mm - 0.5 for stroke in drawing]
        draw(page, [stroke.astype(np.float32) for stroke in pixels], px_per_mm, pen, rng)


def _struck_through(template: Template, contents: Mapping[str, Content]) -> Iterator[list[Field]]:
    """Neighbours in a row that hold lines: one long stroke goes through them."""
    in_rows = (field for field in template.fields if field.row is not None)
    for key, run in groupby(in_rows, key=lambda field: (field.row, _holds_line(field, contents))):
        fields = list(run)
        if key[1] and len(fields) > 1:
            yield fields


def _holds_line(field: Field, contents: Mapping[str, Content]) -> bool:
    return field.id in contents and contents[field.id].kind == "line"


def write_name(
    page: Page,
    template: Template,
    pen: Pen,
    rng: np.random.Generator,
    *,
    px_per_mm: float,
    origin_mm: tuple[float, float] = (0.0, 0.0),
) -> None:
    """Scrawl what looks like a name into the template's text fields (parameters: see write_contents)."""
    for field in template.fields:
        if field.kind == "text":
            stroke = (_scrawl(field.box_mm, rng) + origin_mm) * px_per_mm - 0.5
            draw(page, [stroke.astype(np.float32)], px_per_mm, pen, rng)


def _scrawl(box: Box, rng: np.random.Generator) -> NDArray[np.float64]:
    """A line of loops, high ones among low ones, in the left part of the box."""
    letters = int(rng.integers(3, 9))
    phase = np.linspace(0, letters, 16 * letters)
    heights = rng.choice([0.3, 0.35, 0.7], letters + 1, p=[0.4, 0.35, 0.25])
    height = np.interp(phase, np.arange(letters + 1), heights) * box.height
    angle = 2 * np.pi * phase
    letter_mm = min(rng.uniform(2.2, 3.6), 0.8 * box.width / letters)
    x = box.x + 2 + letter_mm * (phase + 0.35 * np.sin(angle))
    y = box.bottom - 1.5 - height * (0.5 - 0.5 * np.cos(angle))
    return np.column_stack([x, y])


def _drawings(
    field: Field, content: Content, hand: Hand, habits: Habits, rng: np.random.Generator
) -> list[Strokes]:
    """What is drawn for a content, one drawing over the other, in sheet millimetres."""
    box = field.box_mm
    match content.kind:
        case "number":
            return [_number(str(content.value), box, hand, habits, rng)]
        case "cross" if field.kind == "mark":
            return [_mark(habits.mark, box, hand, habits, rng)]
        case "cross":
            return _killed("cross", box, hand, habits, rng)
        case "void":
            kind: MarkKind = "scribble" if rng.random() < 0.7 else "fill"
            return _killed(kind, box, hand, habits, rng, marked=field.kind == "mark")
        case "line":
            return [_mark("line", box, hand, habits, rng)]
        case _:
            return []


def _killed(
    kind: MarkKind, box: Box, hand: Hand, habits: Habits, rng: np.random.Generator, marked: bool = False
) -> list[Strokes]:
    """A mark alone, or over what it takes back: a number, in a mark field (`marked`) a mark."""
    if rng.random() < 0.4:
        return [_mark(kind, box, hand, habits, rng)]
    if marked:
        below = _mark(habits.mark, box, hand, habits, rng)
    else:
        below = _number(str(rng.integers(1, 19)), box, hand, habits, rng)
    return [below, _over(hand.mark(kind, rng), below, rng)]


def _number(text: str, box: Box, hand: Hand, habits: Habits, rng: np.random.Generator) -> Strokes:
    strokes = hand.write(text, rng)
    points = np.concatenate(strokes)
    low, high = points.min(axis=0), points.max(axis=0)
    height = habits.height_mm * float(np.exp(rng.normal(0, 0.08)))
    height = min(height, habits.widest_mm / max(float(high[0] - low[0]), 1e-3))
    angle = habits.turn + float(rng.normal(0, 0.03))
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]) * height
    centre = _place(box, habits, rng)
    return [((stroke - (low + high) / 2) @ turn + centre).astype(np.float32) for stroke in strokes]


def _mark(kind: MarkKind, box: Box, hand: Hand, habits: Habits, rng: np.random.Generator) -> Strokes:
    size = float(np.clip(rng.normal(0.75, 0.14), 0.4, 1.15)) * np.array([box.width, box.height])
    centre, middle = _place(box, habits, rng), np.array([0.5, -0.5])
    return [((stroke - middle) * size + centre).astype(np.float32) for stroke in hand.mark(kind, rng)]


def _long_line(fields: Sequence[Field], hand: Hand, habits: Habits, rng: np.random.Generator) -> Strokes:
    """A stroke that begins in the first of neighbouring fields and ends in the last, or a little beyond."""
    first, last = fields[0].box_mm, fields[-1].box_mm
    run = Box(first.x, first.y, last.right - first.x, first.height)
    stroke = hand.mark("line", rng)
    across = np.concatenate(stroke)[:, 0]
    low, high = across.min(), across.max()
    size = np.array([(run.width - rng.uniform(-1, 4)) / (high - low), run.height])
    centre, middle = _place(run, habits, rng), np.array([(low + high) / 2, -0.5])
    return [((piece - middle) * size + centre).astype(np.float32) for piece in stroke]


def _place(box: Box, habits: Habits, rng: np.random.Generator) -> NDArray[np.float64]:
    place: NDArray[np.float64] = np.array(box.centre) + habits.offset_mm + rng.normal(0, 0.5, 2)
    return place


def _over(mark: Strokes, below: Strokes, rng: np.random.Generator) -> Strokes:
    """A mark about as large as what it is drawn over."""
    points = np.concatenate(below)
    low, high = points.min(axis=0), points.max(axis=0)
    size = np.maximum((high - low) * rng.uniform(0.9, 1.4, 2), 4.0)
    middle = np.array([0.5, -0.5])
    return [((stroke - middle) * size + (low + high) / 2).astype(np.float32) for stroke in mark]
