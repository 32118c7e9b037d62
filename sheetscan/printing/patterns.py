"""Row patterns that tell rows apart without colour."""

from collections.abc import Callable

from sheetscan.geometry import Box
from sheetscan.printing.ink import Colour
from sheetscan.printing.surface import Surface

PITCH_MM = 1.6
LINE_MM = 0.22
DOT_RADIUS_MM = 0.3


def _steps(start_mm: float, end_mm: float, pitch_mm: float = PITCH_MM) -> list[float]:
    """Places from `start_mm` on, `pitch_mm` apart, in the middle of the stretch."""
    count = int((end_mm - start_mm) / pitch_mm)
    first = start_mm + (end_mm - start_mm - count * pitch_mm) / 2
    return [first + step * pitch_mm for step in range(count + 1)]


def _plain(surface: Surface, box: Box, colour: Colour) -> None:
    """Leave the band as it is."""


def _dots(surface: Surface, box: Box, colour: Colour) -> None:
    half = PITCH_MM / 2
    centres = [
        (x + half * (line % 2), y)
        for line, y in enumerate(_steps(box.y, box.bottom, half))
        for x in _steps(box.x, box.right)
    ]
    surface.fill_circles(centres, DOT_RADIUS_MM, colour)


def _stripes(surface: Surface, box: Box, colour: Colour) -> None:
    starts = _steps(box.x - box.height, box.right)
    surface.lines((((x, box.bottom), (x + box.height, box.y)) for x in starts), colour, LINE_MM * 1.6)


def _grid(surface: Surface, box: Box, colour: Colour) -> None:
    upright = [((x, box.y), (x, box.bottom)) for x in _steps(box.x, box.right)]
    level = [((box.x, y), (box.right, y)) for y in _steps(box.y, box.bottom)]
    surface.lines(upright + level, colour, LINE_MM)


PATTERNS: dict[str, Callable[[Surface, Box, Colour], None]] = {
    "plain": _plain,
    "dots": _dots,
    "stripes": _stripes,
    "grid": _grid,
}
