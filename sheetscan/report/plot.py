"""A bar for every player: what the rows, bonuses and penalties brought."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PIL.Image import Image as PictureFile
from PIL.Image import new as new_picture
from reportlab.graphics.shapes import STATE_DEFAULTS, Drawing, Image, Line, Rect, String
from reportlab.lib.colors import Color, HexColor, black, white
from reportlab.lib.units import mm

from sheetscan.language import say, signed
from sheetscan.printing import fallback, fonts
from sheetscan.report.pdf_style import INK, MUTED, RULE, WIDTH, rgb
from sheetscan.report.words import Words
from sheetscan.result import Sheet

BAR_MM, PITCH_MM = 5.5, 8.5
LABEL_SIZE, FIGURE_SIZE = 9.0, 7.5
NAME_SHARE = 0.22
"""Of the width, for the names."""
TOTAL_WIDTH = 12 * mm
SHARES = {"start": 0.0, "middle": 0.5, "end": 1.0}
"""How much of a word's width lies left of the place that it is set at."""
BONUS = HexColor("#8a8a8a")
PENALTY = HexColor("#2e2e2e")

# Every drawing begins by setting this font, so Helvetica would be named in the file, and not embedded.
STATE_DEFAULTS["fontName"] = fonts.REGULAR


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a bar: its key in the legend, colour and points."""

    key: str
    colour: Color
    points: int


def parts_of(sheet: Sheet, words: Words) -> list[Part]:
    """The lines of the score as pieces: one a row, the bonuses together, what is subtracted."""
    colours = {row.id: HexColor(row.colour) for row in words.template.rows}
    bonus = sum(line.points for line in sheet.score.lines if line.label.startswith("bonus-"))
    lines = [line for line in sheet.score.lines if not line.label.startswith("bonus-")]
    rows = [
        Part(words.line(line.label), colours[line.label], line.points)
        for line in lines
        if line.label in colours
    ]
    others = [
        Part(words.line(line.label), PENALTY, line.points) for line in lines if line.label not in colours
    ]
    has_bonus = len(lines) < len(sheet.score.lines)
    return [
        *rows,
        *([Part(say(words.language, "settle.pdf-bonus"), BONUS, bonus)] if has_bonus else []),
        *others,
    ]


def points_plot(named: Sequence[tuple[str, Sheet]], words: Words) -> Drawing:
    """The bars, one below the other; each piece is as long as its points, those lost lie to the left."""
    bars = [(name, sheet.score.total, parts_of(sheet, words)) for name, sheet in named]
    height = (len(bars) * PITCH_MM + 9) * mm
    drawing = Drawing(WIDTH, height)
    lost = max(-sum(min(part.points, 0) for part in parts) for _, _, parts in bars)
    won = max(sum(max(part.points, 0) for part in parts) for _, _, parts in bars)
    left = WIDTH * NAME_SHARE
    unit = (WIDTH - left - TOTAL_WIDTH) / max(1, lost + won)
    zero = left + lost * unit
    for place, (name, total, parts) in enumerate(bars):
        bottom = height - (place + 1) * PITCH_MM * mm + (PITCH_MM - BAR_MM) / 2 * mm
        _bar(drawing, parts, zero, bottom, unit)
        middle = bottom + BAR_MM / 2 * mm - LABEL_SIZE * fonts.CAP_HEIGHT / 2
        _word(drawing, 0, middle, _fitted(name, left - 3 * mm), INK, LABEL_SIZE)
        _word(drawing, WIDTH, middle, signed(total), INK, LABEL_SIZE + 1, "end", bold=True)
    drawing.add(Line(zero, 9 * mm - 1, zero, height, strokeColor=MUTED, strokeWidth=0.6))
    _legend(drawing, {part.key: part.colour for _, _, parts in bars for part in parts if part.points})
    return drawing


def _bar(drawing: Drawing, parts: Sequence[Part], zero: float, bottom: float, unit: float) -> None:
    ends = {True: zero, False: zero}
    for part in parts:
        width = abs(part.points) * unit
        won = part.points > 0
        start = ends[won] if won else ends[won] - width
        ends[won] += width if won else -width
        if not part.points:
            continue
        drawing.add(
            Rect(start, bottom, width, BAR_MM * mm, fillColor=part.colour, strokeColor=white, strokeWidth=0.7)
        )
        figure = signed(part.points)
        if fonts.width_of(figure, fonts.REGULAR, FIGURE_SIZE) < width - 2:
            baseline = bottom + BAR_MM / 2 * mm - FIGURE_SIZE * fonts.CAP_HEIGHT / 2
            colour = _legible_on(part.colour)
            _word(drawing, start + width / 2, baseline, figure, colour, FIGURE_SIZE, "middle")


def _legend(drawing: Drawing, entries: Mapping[str, Color]) -> None:
    left = WIDTH * NAME_SHARE
    side = 2.6 * mm
    for key, colour in entries.items():
        drawing.add(Rect(left, 1.2 * mm, side, side, fillColor=colour, strokeColor=RULE, strokeWidth=0.3))
        _word(drawing, left + side + 3, 1.5 * mm, key, MUTED, FIGURE_SIZE + 0.5)
        left += side + 3 + fonts.width_of(key, fonts.REGULAR, FIGURE_SIZE + 0.5) + 4 * mm


def _word(
    drawing: Drawing,
    x: float,
    y: float,
    words: str,
    colour: Color,
    size: float,
    anchor: str = "start",
    *,
    bold: bool = False,
) -> None:
    font = fonts.face(bold)
    x -= SHARES[anchor] * fallback.width_of(words, font, size)
    for part, own in fallback.runs(words, font):
        width = fallback.width_of(part, font, size)
        if own:
            drawing.add(String(x, y, part, fontName=font, fontSize=size, fillColor=colour))
        else:
            below, height = size * fallback.DEPTH, size * (1 + fallback.DEPTH)
            drawing.add(
                Image(x, y - below, width, height, _on_white(fallback.picture(part, font, rgb(colour))))
            )
        x += width


def _on_white(drawn: PictureFile) -> PictureFile:
    """The picture without see-through parts, which a drawing would show black."""
    flat = new_picture("RGB", drawn.size, "white")
    flat.paste(drawn, mask=drawn)
    return flat


def _fitted(name: str, width: float) -> str:
    """The name, cut short with an ellipsis where it is too long."""
    if fallback.width_of(name, fonts.REGULAR, LABEL_SIZE) <= width:
        return name
    while name and fallback.width_of(f"{name}…", fonts.REGULAR, LABEL_SIZE) > width:
        name = name[:-1]
    return f"{name}…"


def _legible_on(colour: Color) -> Color:
    luma = 0.299 * colour.red + 0.587 * colour.green + 0.114 * colour.blue
    return black if luma > 0.55 else white
