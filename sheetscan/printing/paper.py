"""Where the sheets lie on the paper."""

from dataclasses import dataclass

from sheetscan.printing.order import Paper

PAPER_SIZES_MM: dict[str, tuple[float, float]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Portrait pages that take two sheets, one above the other (ISO 216; ANSI/ASME Y14.1 A)."""


@dataclass(frozen=True, slots=True)
class PageLayout:
    """A page: its size, the scale of its sheets, and their top left corners, y downward."""

    size_mm: tuple[float, float]
    scale: float
    origins_mm: tuple[tuple[float, float], ...]
    cut_y_mm: float | None = None


def page_layout(paper: Paper, sheet_mm: tuple[float, float]) -> PageLayout:
    """One sheet a page on a5, exactly; else two, each in the middle of its half, shrunk if they must be."""
    if paper == "a5":
        return PageLayout(sheet_mm, 1.0, ((0.0, 0.0),))
    width, height = PAPER_SIZES_MM[paper]
    half = height / 2
    scale = min(1.0, width / sheet_mm[0], half / sheet_mm[1])
    left = (width - scale * sheet_mm[0]) / 2
    spare = (half - scale * sheet_mm[1]) / 2
    return PageLayout((width, height), scale, ((left, spare), (left, half + spare)), half)
