"""What people really write, all on one sheet, through every step: each field is read right, or doubted."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import cv2
import numpy as np
import pytest

from sheetscan.imaging.photo import Photo
from sheetscan.lab.hand import MarkKind, Strokes, SyntheticHand
from sheetscan.lab.pen import Pen, draw
from sheetscan.lab.studio import RASTER_PX_PER_MM, print_sheet
from sheetscan.pipeline import Outcome, Refusal, Scan, Scanner
from sheetscan.printing.order import PrintOrder
from sheetscan.reading.network import NetworkReader
from sheetscan.result import CROSS, EMPTY, VOID, Content, Sheet, number
from sheetscan.template import load_template

HAND = SyntheticHand(4, european=True)
BALLPOINT = Pen("ballpoint", (0.1, 0.15, 0.5), 0.4, 0.9, 0.1, 0.0, 0.0, 0.03)
PALE = replace(BALLPOINT, kind="pencil", colour_rgb=(180 / 235,) * 3, darkness=1.0, grain=0.2)
FELT = replace(BALLPOINT, kind="felt", colour_rgb=(0.05, 0.05, 0.05), width_mm=1.6, softness_mm=0.08)
HIGHLIGHTER = replace(FELT, colour_rgb=(0.98, 0.95, 0.2), width_mm=2.2)
RED, GREEN = (replace(BALLPOINT, colour_rgb=rgb) for rgb in ((0.75, 0.1, 0.12), (0.05, 0.4, 0.2)))
PENCIL = replace(BALLPOINT, kind="pencil", colour_rgb=(0.3, 0.3, 0.31), grain=0.4)
DIGIT_MM, MARK_MM = 6.0, 7.5

Ink = tuple[Strokes, Pen]
Draw = Callable[[np.random.Generator], list[Ink]]


def centred(strokes: Strokes, size_mm: float) -> Strokes:
    """The strokes in millimetres about the middle of a field."""
    points = np.concatenate(strokes)
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    return [(stroke - middle) * size_mm for stroke in strokes]


def written(text: str, pen: Pen = BALLPOINT) -> Draw:
    return lambda rng: [(centred(HAND.write(text, rng), DIGIT_MM), pen)]


def marked(kind: MarkKind, pen: Pen = BALLPOINT) -> Draw:
    return lambda rng: [(centred(HAND.mark(kind, rng), MARK_MM), pen)]


def both(first: Draw, second: Draw) -> Draw:
    """The one over the other."""
    return lambda rng: first(rng) + second(rng)


def side_by_side(left: str, right: str, gap_mm: float) -> Draw:
    """Two digits whose outlines lie so far apart; below 0 they overlap."""

    def draw_both(rng: np.random.Generator) -> list[Ink]:
        first, second = (centred(HAND.write(sign, rng), DIGIT_MM) for sign in (left, right))
        way = max(s[:, 0].max() for s in first) - min(s[:, 0].min() for s in second) + gap_mm
        return [
            ([stroke - np.float32([way / 2, 0]) for stroke in first], BALLPOINT),
            ([stroke + np.float32([way / 2, 0]) for stroke in second], BALLPOINT),
        ]

    return draw_both


def broken(text: str) -> Draw:
    """The pen gave no ink in the middle of every stroke."""

    def with_gaps(rng: np.random.Generator) -> list[Ink]:
        ((strokes, pen),) = written(text)(rng)
        pieces = [
            piece
            for stroke in strokes
            for piece in (stroke[: int(0.46 * len(stroke))], stroke[int(0.54 * len(stroke)) :])
        ]
        return [(pieces, pen)]

    return with_gaps


def nothing(_: np.random.Generator) -> list[Ink]:
    return []


def arm_to_the_left(length_mm: float) -> Draw:
    """A stroke out of the middle of a field."""
    return lambda _: [([np.float32([[-length_mm, 0], [0, 0.5]])], BALLPOINT)]


FIELDS: dict[str, tuple[str, Draw, Content]] = {
    "orange-3": ("pale pencil", written("3", PALE), number(3)),
    "orange-4": ("thick felt-pen cross", marked("cross", FELT), CROSS),
    "orange-5": ("cross, then filled", both(marked("cross"), marked("fill")), VOID),
    "orange-7": ("touching 11", side_by_side("1", "1", 0.3), number(11)),
    "orange-8": ("overlapping 10", side_by_side("1", "0", -0.8), number(10)),
    "orange-9": ("broken 4", broken("4"), number(4)),
    "orange-10": ("broken 5", broken("5"), number(5)),
    "orange-11": ("6 over 8", both(written("8"), written("6", FELT)), number(6)),
    "yellow-2": ("1 with upstroke", written("1"), number(1)),
    "yellow-3": ("barred 7", written("7"), number(7)),
    "yellow-4": ("open 4", written("4"), number(4)),
    "yellow-5": ("9", written("9"), number(9)),
    "yellow-8": ("a stroke runs 30 % into it", nothing, EMPTY),
    "yellow-9": ("cross with a long arm", both(marked("cross"), arm_to_the_left(11.5)), CROSS),
    "yellow-10": ("scribble", marked("scribble"), VOID),
    "purple-1": ("red", written("2", RED), number(2)),
    "purple-2": ("green", written("4", GREEN), number(4)),
    "purple-3": ("pencil", written("6", PENCIL), number(6)),
    "purple-4": ("highlighter", written("8", HIGHLIGHTER), number(8)),
    "misthrow-1": ("tick", marked("tick"), CROSS),
    "misthrow-2": ("slash", marked("slash"), CROSS),
    "misthrow-3": ("cross", marked("cross"), CROSS),
}


def outcome_of(drawings: Mapping[str, Draw]) -> Outcome:
    """What becomes of a sheet with these drawings in its fields, seen as sharply as a good phone sees it."""
    template = load_template("qwinto")
    printed = print_sheet(template, PrintOrder(paper="a5", game_id="LAB234"), 1)
    page = printed.page.astype(np.float32) / 255
    for name, drawing in drawings.items():
        rng = np.random.default_rng(sum(map(ord, name)))
        middle_px = np.array(template.field(name).box_mm.centre) * RASTER_PX_PER_MM
        for strokes, pen in drawing(rng):
            strokes_px = [np.float32(stroke * RASTER_PX_PER_MM + middle_px) for stroke in strokes]
            draw(page, strokes_px, RASTER_PX_PER_MM, pen, rng)
    picture = np.uint8(page[..., ::-1] * 235)
    photo = cv2.resize(picture, None, fx=0.75, fy=0.75, interpolation=cv2.INTER_AREA)
    framed = cv2.copyMakeBorder(photo, 100, 100, 100, 100, cv2.BORDER_CONSTANT, value=(90, 90, 90))
    (outcome,) = Scanner(NetworkReader()).scan_photo(Photo("page.png", 1, "", np.ascontiguousarray(framed)))
    return outcome


@pytest.fixture(scope="module")
def sheet() -> Sheet:
    scan = outcome_of({name: drawing for name, (_, drawing, _) in FIELDS.items()})
    assert isinstance(scan, Scan)
    return scan.sheet


@pytest.mark.parametrize("name", FIELDS, ids=lambda name: FIELDS[name][0].replace(" ", "-"))
def test_it_is_read_right_or_doubted(sheet: Sheet, name: str) -> None:
    reading = sheet.fields[name]
    assert reading.content == FIELDS[name][2] or reading.why == "low confidence", reading


def test_what_is_not_written_in_is_empty(sheet: Sheet) -> None:
    assert {sheet.fields[name].content for name in sheet.fields if name not in FIELDS} == {EMPTY}


def test_a_sheet_written_so_palely_that_it_looks_bare_is_refused() -> None:
    """The grey of such strokes is 224 on 235."""
    ghostly = replace(PALE, colour_rgb=(224 / 235,) * 3)
    numbers = {name: content.value for name, (_, _, content) in FIELDS.items() if content.value is not None}
    refusal = outcome_of({name: written(str(value), ghostly) for name, value in numbers.items()})
    assert isinstance(refusal, Refusal)
    assert "too pale" in refusal.failure.message


def test_a_blank_sheet_is_blank_and_leaves_no_doubt() -> None:
    scan = outcome_of({})
    assert isinstance(scan, Scan)
    assert {field.content for field in scan.sheet.fields.values()} == {EMPTY}
    assert (scan.sheet.review, scan.sheet.quality["pale"]) == ((), False)
