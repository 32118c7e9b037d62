"""How the printed evidence looks: type, colours, and text that the typeface can show."""

from base64 import b64encode
from functools import cache
from io import BytesIO
from xml.sax.saxutils import escape

from reportlab import rl_config
from reportlab.lib.colors import Color, HexColor
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, Paragraph

from sheetscan.printing import fallback, fonts

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

UNBROKEN = 12
"""So many letters that the typeface lacks fit into the narrowest column."""

NO_WIDTH = '<font size="0.1">\N{NO-BREAK SPACE}</font>'
"""Before a picture that a paragraph begins with: else its lines would not be broken."""

# Paragraphs take pictures as data: addresses only from hosts that are trusted; nothing else may be opened.
rl_config.trustedHosts, rl_config.trustedSchemes = ["localhost"], ["data"]

_NEAREST = {"✗": "×", "⬠": "◊"}


def printable(words: str) -> str:
    """Words with signs that can't be set replaced."""
    near = "".join(_NEAREST.get(letter, letter) for letter in words)
    for letter in fallback.missing_characters(near, fonts.REGULAR):
        near = near.replace(letter, "?")
    return near


def text(words: str, font: str, size: float, colour: Color) -> str:
    """Words as markup, with pictures of letters that the typeface lacks, and "?" where there is none."""
    parts = list(fallback.runs(printable(words), font))
    set_parts = [escape(part) if own else _pictures(part, font, size, colour) for part, own in parts]
    return "".join(set_parts) if parts and parts[0][1] else NO_WIDTH + "".join(set_parts)


def _pictures(words: str, font: str, size: float, colour: Color) -> str:
    """The words in pieces, as lines break between pictures only."""
    pieces = (words[start : start + UNBROKEN] for start in range(0, len(words), UNBROKEN))
    return " ".join(_picture(piece, font, size, colour) for piece in pieces)


def _picture(words: str, font: str, size: float, colour: Color) -> str:
    file = BytesIO()
    fallback.picture(words, font, rgb(colour)).save(file, "PNG")
    data = b64encode(file.getvalue()).decode("ascii")
    width, height = fallback.width_of(words, font, size), size * (1 + fallback.DEPTH)
    below = -size * fallback.DEPTH
    return f'<img src="data:image/png;base64,{data}" width="{width}" height="{height}" valign="{below}"/>'


def rgb(colour: Color) -> tuple[int, int, int]:
    """Red, green and blue, 0 to 255 each."""
    return round(255 * colour.red), round(255 * colour.green), round(255 * colour.blue)


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
    return _set(words, style(size, bold, colour, align, after))


def heading(words: str) -> Flowable:
    """The heading of a part, which stays with what follows."""
    part = _set(words, style(12.5, True, INK, 0, 3))
    part.keepWithNext = True
    part.spaceBefore = 10
    return part


def _set(words: str, look: ParagraphStyle) -> Paragraph:
    return Paragraph(text(words, look.fontName, look.fontSize, look.textColor), look)
