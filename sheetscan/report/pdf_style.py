"""How the printed evidence looks: type, colours, and text that the typeface can show."""

from functools import cache
from xml.sax.saxutils import escape

from reportlab.lib.colors import Color, HexColor
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, Paragraph

from sheetscan.printing import fonts

INK = HexColor("#1c1c1c")
MUTED = HexColor("#666666")
RULE = HexColor("#c9c9c9")
PANEL = HexColor("#f5f4f0")
CERTAIN = HexColor("#1f7a3d")
OPEN = HexColor("#b45309")
VIOLATION = HexColor("#b91c1c")
SEVERITIES = {"must-cross": VIOLATION, "one-of": OPEN, "note": HexColor("#2563a8")}
WIDTH = 174 * mm
"""Of the text, on a4."""
GAP = 3 * mm

_NEAREST = {"✗": "×", "⬠": "◊"}


def printable(words: str) -> str:
    """Words with signs that the typeface lacks replaced."""
    near = "".join(_NEAREST.get(letter, letter) for letter in words)
    for letter in fonts.missing_characters(near, fonts.REGULAR):
        near = near.replace(letter, "?")
    return near


def text(words: str) -> str:
    """Words as markup, with signs that the typeface lacks replaced."""
    return escape(printable(words))


@cache
def style(
    size: float = 9.5, bold: bool = False, colour: Color = INK, align: int = 0, after: float = 0
) -> ParagraphStyle:
    """A paragraph style; `align` 0 left, 1 centred, 2 right; `after` is the space below, in points."""
    return ParagraphStyle(
        f"{size}{bold}{colour}{align}{after}",
        fontName=fonts.face(bold),
        fontSize=size,
        leading=size * 1.3,
        textColor=colour,
        alignment=align,
        spaceAfter=after,
        bulletFontName=fonts.REGULAR,
    )


def paragraph(
    words: str,
    size: float = 9.5,
    *,
    bold: bool = False,
    colour: Color = INK,
    align: int = 0,
    after: float = 0,
) -> Paragraph:
    """Plain words as a paragraph."""
    return Paragraph(text(words), style(size, bold, colour, align, after))


def heading(words: str) -> Flowable:
    """The heading of a part, which stays with what follows."""
    part = Paragraph(text(words), style(12.5, True, INK, 0, 3))
    part.keepWithNext = True
    part.spaceBefore = 10
    return part
