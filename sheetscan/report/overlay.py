"""The flattened photo with what was read drawn in: rings around the fields, labels below them, a legend."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetscan.language import signed
from sheetscan.report.signs import SIGNS, WORTH_SAYING, Notice, Notices
from sheetscan.report.words import Words, shown
from sheetscan.result import Content, Sheet
from sheetscan.template import Field, Template

Picture = NDArray[np.uint8]
Colour = tuple[int, int, int]

WHITE: Colour = (255, 255, 255)
INK: Colour = (40, 40, 40)
READ: Colour = (70, 140, 30)
COLOURS: dict[Notice, Colour] = {
    "doubt": (0, 130, 235),
    "must": (30, 20, 210),
    "one-of": (120, 60, 210),
    "hint": (170, 110, 20),
    "user": (130, 120, 0),
}
"""Blue-green-red, each dark enough for white words on it."""

GLYPHS = {"empty": "–", "cross": "×", "line": "/", "void": "■", "unreadable": "?"}
LABEL_MM = 2.8
LABEL_GAP_MM = 0.5
LEGEND_LINE_MM = 6.0
RING_MM = {True: 0.6, False: 0.25}
"""Thickness of the rings, of fields to be looked at and of others."""
RING_DISTANCE_MM = 0.6
HALO_MM = 0.25
JPEG_QUALITY = 90
FONT_WEIGHT = 600


def overlay_jpeg(flat: Picture, px_per_mm: float, sheet: Sheet, template: Template, language: str) -> bytes:
    """The overlay as a JPEG file; arguments as for `draw_overlay`."""
    picture = draw_overlay(flat, px_per_mm, sheet, template, language)
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return data.tobytes()


def draw_overlay(flat: Picture, px_per_mm: float, sheet: Sheet, template: Template, language: str) -> Picture:
    """A new picture with the readings, doubts and fields to be crossed out of `sheet` drawn in.

    `flat` is the flattened photo, (height, width, 3) blue-green-red, with the sheet's (0, 0) at its top left
    corner. The legend is added below, so that places on the sheet keep their pixels.
    """
    words = Words(template, language)
    brush = _Brush(flat.copy(), px_per_mm)
    labels = [label for field in template.readable_fields if (label := _label(field, sheet))]
    for label in labels:
        brush.ring(label)
    for label in labels:
        brush.tag(label)
    told = {label.notice for label in labels}
    return np.vstack([brush.picture, _legend(flat.shape[1], px_per_mm, sheet, words, told)])


@dataclass(frozen=True, slots=True)
class _Label:
    field: Field
    text: str
    notice: Notice | None

    @property
    def colour(self) -> Colour:
        return COLOURS[self.notice] if self.notice else READ

    @property
    def wants_a_look(self) -> bool:
        return self.notice in ("doubt", "must", "one-of")


def _label(field: Field, sheet: Sheet) -> _Label | None:
    """What stands at a field; nothing at one that is surely empty."""
    reading = sheet.fields.get(field.id)
    if reading is None:
        return None
    notice = Notices(sheet).of(field.id)
    if reading.kind == "empty" and notice is None:
        return None
    contents = [reading.content]
    if notice == "doubt":
        contents += [
            one.content
            for one in reading.alternatives[:1]
            if one.content != reading.content and one.probability >= WORTH_SAYING
        ]
    if reading.kind == "unreadable":
        contents = [one.content for one in reading.alternatives[:2]] or contents
    sign = SIGNS[notice] if notice else ""
    return _Label(field, "|".join(_glyph(content) for content in contents) + sign, notice)


def _glyph(content: Content) -> str:
    return signed(content.value) if content.value is not None else GLYPHS[content.kind]


@dataclass(frozen=True)
class _Brush:
    """Draws into `picture`; lengths in millimetres."""

    picture: Picture
    px_per_mm: float

    def px(self, length_mm: float) -> int:
        return round(length_mm * self.px_per_mm)

    def ring(self, label: _Label) -> None:
        """An outline just outside the field's own; one to be looked at stands out by a white edge."""
        thickness = max(1, self.px(RING_MM[label.wants_a_look]))
        if label.wants_a_look:
            self._outline(label.field, WHITE, thickness + 2 * self.px(HALO_MM))
        self._outline(label.field, label.colour, thickness)

    def _outline(self, field: Field, colour: Colour, thickness: int) -> None:
        box = field.box_mm.grown(RING_DISTANCE_MM)
        if field.shape == "box":
            top_left, bottom_right = ((self.px(x), self.px(y)) for x, y in (box.corners[0], box.corners[2]))
            cv2.rectangle(self.picture, top_left, bottom_right, colour, thickness, cv2.LINE_AA)
            return
        centre = (self.px(box.centre[0]), self.px(box.centre[1]))
        axes = (self.px(box.width / 2), self.px(box.height / 2))
        cv2.ellipse(self.picture, centre, axes, 0, 0, 360, colour, thickness, cv2.LINE_AA)

    def tag(self, label: _Label) -> None:
        """The label below its field, clear of what is written in it."""
        size = self.px(LABEL_MM)
        width = text_width(label.text, size)
        box = label.field.box_mm
        top = self.px(box.bottom + LABEL_GAP_MM)
        height, margin = round(size * 1.25), size // 4
        left = self.px(box.centre[0]) - width // 2
        left = min(max(left, margin), self.picture.shape[1] - width - margin)
        top = min(top, self.picture.shape[0] - height)
        low, high = (left - margin, top), (left + width + margin, top + height)
        filled = label.wants_a_look
        cv2.rectangle(self.picture, low, high, label.colour if filled else WHITE, cv2.FILLED)
        cv2.rectangle(self.picture, low, high, label.colour, max(1, self.px(0.15)), cv2.LINE_AA)
        write(self.picture, label.text, (left, top + size), size, WHITE if filled else label.colour)


def write(picture: Picture, text: str, left_baseline: tuple[int, int], size_px: int, colour: Colour) -> None:
    """Write words into a picture in OpenCV's own font, which knows most scripts."""
    cv2.putText(picture, text, left_baseline, colour, cv2.FontFace("sans"), size_px, FONT_WEIGHT)


def text_width(text: str, size_px: int) -> int:
    """How many pixels wide `write` makes a text."""
    return int(cv2.getTextSize((0, 0), text, (0, 0), cv2.FontFace("sans"), size_px, FONT_WEIGHT)[2])


def _legend(width_px: int, px_per_mm: float, sheet: Sheet, words: Words, told: set[Notice | None]) -> Picture:
    """A strip with the total and what the colours mean, in as many lines as that takes."""
    strip = np.full((round(6 * LEGEND_LINE_MM * px_per_mm), width_px, 3), 255, np.uint8)
    brush = _Brush(strip, px_per_mm)
    margin, small = brush.px(8), brush.px(LABEL_MM)
    left, baseline = margin, brush.px(LEGEND_LINE_MM)
    write(strip, _total(sheet, words), (left, baseline), brush.px(LEGEND_LINE_MM * 0.7), INK)
    baseline += brush.px(LEGEND_LINE_MM * 1.1)
    for colour, text in _swatches(words, told):
        width = text_width(text, small) + round(small * 1.5)
        if left > margin and left + width > width_px - margin:
            left, baseline = margin, baseline + brush.px(LEGEND_LINE_MM * 0.8)
        cv2.rectangle(strip, (left, baseline - small), (left + small, baseline), colour, cv2.FILLED)
        write(strip, text, (left + round(small * 1.5), baseline), small, INK)
        left += width + small * 2
    return strip[: baseline + brush.px(LEGEND_LINE_MM / 2)]


def _total(sheet: Sheet, words: Words) -> str:
    low, high = sheet.score.range
    total = words.points(sheet.score.total)
    if low != high:
        total += f" ({words.say('ranking-open', low=signed(low), high=signed(high))})"
    return f"{shown(sheet.player)}: {total}" if sheet.player else total


def _swatches(words: Words, told: set[Notice | None]) -> Iterator[tuple[Colour, str]]:
    if None in told:
        yield READ, words.say("legend-sure")
    for notice, colour in COLOURS.items():
        if notice in told:
            yield colour, f"{SIGNS[notice]} {words.say(f'legend-{notice}')}"
