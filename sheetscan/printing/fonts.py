"""The typefaces on the sheets: Source Sans Pro (SIL Open Font License), embedded in every PDF."""

from functools import cache
from importlib import resources

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

REGULAR = "SourceSansPro-Regular"
BOLD = "SourceSansPro-Semibold"
CAP_HEIGHT = 0.66
"""Height of capitals and figures, in sizes."""


@cache
def register() -> None:
    """Make the typefaces known to ReportLab; needed once before drawing or measuring."""
    folder = resources.files(__package__).joinpath("fonts")
    for name in (REGULAR, BOLD):
        with resources.as_file(folder.joinpath(f"{name}.ttf")) as path:
            pdfmetrics.registerFont(TTFont(name, str(path)))


def face(bold: bool) -> str:
    """The name of the typeface in that weight."""
    return BOLD if bold else REGULAR


def width_of(text: str, font: str, size: float) -> float:
    """How wide `text` is when set in `size`, in the unit of `size`."""
    register()
    return float(pdfmetrics.stringWidth(text, font, size))


def missing_characters(text: str, font: str) -> str:
    """The characters of `text` that the typeface doesn't have, each once, in order."""
    register()
    glyphs = pdfmetrics.getFont(font).face.charToGlyph
    return "".join(dict.fromkeys(letter for letter in text if ord(letter) not in glyphs))
