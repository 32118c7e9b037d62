"""Writers made of handwriting fonts: the middle lines of their digits, drawn with the lab's pens.

No network was trained on them and no threshold fitted to them; `cells-v6` was chosen among five networks with
208 of their sheets (`--seed 5000`). Give `--hands fonts --fonts FOLDER`: a folder of `.ttf` or `.woff2`
files, such as npm's packages `@fontsource/caveat`, `indie-flower`, `kalam` and others hold (files
`*-latin-400-normal.woff2`). Needs `pip install 'fonttools[woff]' scikit-image sknw`.
"""

import io
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from sheetscan.lab.hand import MarkKind, Strokes, SyntheticHand, compose

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

FONT_KEY = 555_000
SIZE_PX = 300
CANVAS_PX, BASELINE_PX, LEFT_PX = 900, 600, 250
TALL = "023568"
"""Digits that are as high as a digit is in nearly every font."""
SPUR = 0.9
"""A loose end of the middle line shorter than this share of the stroke's width is a corner, no stroke."""
SMOOTHED_POINTS = 9
THINNED = 3
FLAG_WIDTH = 0.15
"""A 1 that is wider has a flag, as Europeans write it."""
LOOSENESS = 0.05
SPACING = 0.16


class FontHand:
    """A writer whose digits are a font's, a little different each time; marks are an invented writer's."""

    def __init__(self, path: Path, number: int) -> None:
        self.name = f"font:{path.stem}"
        self._signs = _digits(path)
        self._marks = SyntheticHand(FONT_KEY + number)
        one = np.concatenate(self._signs["1"])
        self.european = bool(np.ptp(one[:, 0]) > FLAG_WIDTH)

    def write(self, text: str, rng: np.random.Generator) -> Strokes:
        """Write digits and "-" (see Hand)."""
        signs = [self._loosely(self._signs[sign], rng) for sign in text]
        return compose(signs, SPACING, float(rng.normal(0, LOOSENESS)), rng)

    def mark(self, kind: MarkKind, rng: np.random.Generator) -> Strokes:
        """Draw a mark (see Hand)."""
        return self._marks.mark(kind, rng)

    def cross(self, rng: np.random.Generator) -> Strokes:
        """A cross (see Hand)."""
        return self._marks.cross(rng)

    @staticmethod
    def _loosely(strokes: Strokes, rng: np.random.Generator) -> Strokes:
        wide, slant, high = rng.normal(0, LOOSENESS, 3)
        change = np.array([[np.exp(wide), slant], [0, np.exp(high)]])
        return [np.asarray(stroke @ change.T, np.float32) for stroke in strokes]


def font_hands(folder: Path) -> list[FontHand]:
    """One writer for each font in a folder; ends the program if there is none."""
    fonts = sorted(path for path in folder.glob("*") if path.suffix in (".ttf", ".otf", ".woff2"))
    if not fonts:
        raise SystemExit(
            f"{folder}: there are no fonts in it; `python -m pydoc benchmarks.font_hands` tells more"
        )
    return [FontHand(path, number) for number, path in enumerate(fonts)]


def _digits(path: Path) -> dict[str, Strokes]:
    """The font's digits and a dash, in digit heights on the baseline."""
    font = _loaded(path)
    lines = {sign: _middle_lines(font, sign) for sign in "0123456789"}
    height = float(np.median([np.ptp(np.concatenate(lines[sign])[:, 1]) for sign in TALL]))
    signs = {}
    for sign, strokes in lines.items():
        left = min(float(stroke[:, 0].min()) for stroke in strokes)
        signs[sign] = [((stroke - [left, BASELINE_PX]) / height).astype(np.float32) for stroke in strokes]
    return signs | {"-": [np.array([[0, -0.45], [0.45, -0.45]], np.float32)]}


def _loaded(path: Path) -> "FreeTypeFont":
    from fontTools.ttLib import TTFont

    plain = TTFont(path)
    plain.flavor = None  # Pillow knows no woff2.
    data = io.BytesIO()
    plain.save(data)
    data.seek(0)
    return ImageFont.truetype(data, SIZE_PX)


def _middle_lines(font: "FreeTypeFont", sign: str) -> list[NDArray[np.float64]]:
    """The strokes of a sign in pixels: its skeleton's branches, without the spurs of its corners."""
    import sknw
    from skimage.morphology import skeletonize

    picture = Image.new("L", (CANVAS_PX, CANVAS_PX))
    ImageDraw.Draw(picture).text((LEFT_PX, BASELINE_PX), sign, font=font, fill=255, anchor="ls")
    filled = np.asarray(picture) > 127
    thin = skeletonize(filled)
    width = filled.sum() / max(1, thin.sum())
    graph = sknw.build_sknw(thin.astype(np.uint16), multi=True, ring=True, full=True)
    strokes = []
    for start, end, branch in graph.edges(data=True):
        points = branch["pts"][:, ::-1].astype(float)
        length = float(np.hypot(*np.diff(points, axis=0).T).sum())
        loose = [graph.degree(node) == 1 for node in (start, end)]
        if length > 2 and not (length < SPUR * width and loose[0] != loose[1]):
            strokes.append(_smooth(points))
    if not strokes:
        raise ValueError(f"the font has no strokes for {sign}")
    return strokes


def _smooth(points: NDArray[np.float64]) -> NDArray[np.float64]:
    if len(points) <= 2 * SMOOTHED_POINTS:
        return points
    reach = SMOOTHED_POINTS // 2
    padded = np.pad(points, ((reach, reach), (0, 0)), mode="edge")
    kernel = np.ones(SMOOTHED_POINTS) / SMOOTHED_POINTS
    smooth = np.stack([np.convolve(padded[:, axis], kernel, mode="valid") for axis in (0, 1)], axis=1)
    return np.vstack([smooth[::THINNED], smooth[-1]])
