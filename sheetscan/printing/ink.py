"""The three inks: full colours, pale tints that drop out of a copy, and black alone."""

from dataclasses import dataclass

from sheetscan.template import Pattern, Row

Colour = tuple[float, float, float]
"""Red, green and blue, 0..1."""

BLACK: Colour = (0.0, 0.0, 0.0)
WHITE: Colour = (1.0, 1.0, 1.0)
RED_WEIGHT, GREEN_WEIGHT, BLUE_WEIGHT = 0.299, 0.587, 0.114
"""Share of the primaries in luma (ITU-R BT.601), which is what a grey copy keeps."""

DEEPENING = 1.6
"""Density of the deeper shade, in layers of the row colour."""

LABEL_LUMA = 0.36
"""Of the colour whose pale tint is printed in fields."""


@dataclass(frozen=True, slots=True)
class RowStyle:
    """How a row's band, the outlines, blocked fields and labels of its fields, and its name are drawn."""

    band: Colour
    outline: Colour
    blocked: Colour
    label: Colour
    name: Colour
    pattern: Pattern
    pattern_colour: Colour


@dataclass(frozen=True, slots=True)
class Palette:
    """An ink: how dark (luma, 0 black .. 1 white) each part of the sheet is printed, and whether in colour.

    `band_luma` is the least luma of a band; a row colour that is lighter stays as it is. What is printed in
    fields has no primary darker than `label_primary`, so that a mark over it is seen whatever its colour.
    """

    coloured: bool
    patterned: bool
    text: Colour
    rule: Colour
    band_luma: float
    outline_luma: float
    blocked_luma: float
    label_primary: float

    def row_style(self, row: Row | None) -> RowStyle:
        """The style of a row, or of fields that belong to none."""
        base = _parse(row.colour) if row and self.coloured else grey(0.5)
        deep = deepened(base)
        return RowStyle(
            band=toned(base, max(self.band_luma, luma(base))),
            outline=toned(deep, self.outline_luma),
            blocked=toned(deep, self.blocked_luma),
            label=_paled(toned(deep, LABEL_LUMA), self.label_primary),
            name=toned(deep, min(self.outline_luma, luma(self.text) + 0.1)),
            pattern=row.pattern if row and self.patterned else "plain",
            pattern_colour=grey(0.62),
        )


PALETTES = {
    "colour": Palette(True, False, (0.1, 0.1, 0.1), (0.4, 0.4, 0.4), 0.63, 0.36, 0.52, 0.64),
    "light": Palette(True, False, (0.45, 0.45, 0.45), (0.7, 0.7, 0.7), 0.92, 0.72, 0.78, 0.78),
    "black": Palette(False, True, BLACK, (0.3, 0.3, 0.3), 1.0, 0.15, 0.6, 0.72),
}


def grey(value: float) -> Colour:
    """The grey of that luma."""
    return value, value, value


def luma(colour: Colour) -> float:
    """How light a colour is in a grey copy, 0..1 (ITU-R BT.601)."""
    return RED_WEIGHT * colour[0] + GREEN_WEIGHT * colour[1] + BLUE_WEIGHT * colour[2]


def toned(colour: Colour, target: float) -> Colour:
    """The colour mixed with black or white until its luma is `target`."""
    now = luma(colour)
    if now >= target:
        red, green, blue = (part * target / now for part in colour)
    else:
        share = (target - now) / (1 - now)
        red, green, blue = (part + (1 - part) * share for part in colour)
    return red, green, blue


def deepened(colour: Colour) -> Colour:
    """The colour as a denser layer of its ink: purer, where mere black would turn yellow into olive."""
    red, green, blue = (part**DEEPENING for part in colour)
    return red, green, blue


def _paled(colour: Colour, least: float) -> Colour:
    """The colour mixed with white until no primary is darker than `least`."""
    share = max(0.0, (least - min(colour)) / (1 - min(colour)))
    red, green, blue = (part + (1 - part) * share for part in colour)
    return red, green, blue


def _parse(colour: str) -> Colour:
    red, green, blue = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    return red, green, blue
