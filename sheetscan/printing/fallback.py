"""Letters that our typeface lacks, drawn as pictures: Chinese, Japanese and Korean names.

They come from the font inside OpenCV, so that nothing has to be installed. It can't set scripts whose letters
change beside each other (Arabic, Thai), nor emoji; they stay missing.
"""

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby

from PIL import Image

from sheetscan.printing import fonts

EAST_ASIAN = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "FULLWIDTH", "HALFWIDTH", "IDEOGRAPHIC")
"""How Unicode's names of the letters begin that are set one beside the other."""
EM_PX = 200
"""Height of the pictures' letters: 600 dots an inch for the largest that are printed."""
DEPTH = 0.25
"""How far the pictures reach below the baseline, in sizes; above it they reach a whole one."""
WEIGHTS = {False: 400, True: 600}
Rgb = tuple[int, int, int]


def runs(text: str, font: str) -> Iterator[tuple[str, bool]]:
    """The parts of a text, each with whether the typeface has its letters; else it is to be a picture."""
    lacking = set(fonts.missing_characters(text, font))
    for own, letters in groupby(text, lambda letter: letter not in lacking):
        yield "".join(letters), own


def missing_characters(text: str, font: str) -> str:
    """The characters that can't be set in any way, each once, in order."""
    return "".join(letter for letter in fonts.missing_characters(text, font) if not _drawable(letter))


def width_of(text: str, font: str, size: float) -> float:
    """How wide a text is, its pictures included, in the unit of `size`."""
    return sum(
        fonts.width_of(part, font, size) if own else size * _width_px(part, font) / EM_PX
        for part, own in runs(text, font)
    )


def picture(text: str, font: str, colour: Rgb) -> Image.Image:
    """The text in that colour on nothing, as wide as `width_of`, 1 + DEPTH sizes high."""
    import cv2
    import numpy as np

    ink = np.zeros((round(EM_PX * (1 + DEPTH)), _width_px(text, font), 3), np.uint8)
    cv2.putText(ink, text, (0, EM_PX), (255, 255, 255), cv2.FontFace("sans"), EM_PX, _weight(font))
    drawn = Image.new("RGBA", ink.shape[1::-1], (*colour, 0))
    drawn.putalpha(Image.fromarray(ink[..., 0]))
    return drawn


def _weight(font: str) -> int:
    return WEIGHTS[font == fonts.BOLD]


def _width_px(text: str, font: str) -> int:
    import cv2

    return int(cv2.getTextSize((0, 0), text, (0, 0), cv2.FontFace("sans"), EM_PX, _weight(font))[2])


@lru_cache
def _drawable(letter: str) -> bool:
    """Whether it is East Asian, and OpenCV's font draws it instead of a question mark."""
    if not unicodedata.name(letter, "").startswith(EAST_ASIAN):
        return False
    drawn, unknown = (picture(one, fonts.REGULAR, (0, 0, 0)) for one in (letter, "?"))
    return drawn.tobytes() != unknown.tobytes()
