"""Draws a template: what all its sheets share, and what makes each of them its own."""

from sheetscan.errors import UsageError
from sheetscan.geometry import Box, pentagon
from sheetscan.printing import fallback, fonts
from sheetscan.printing.band import HALO_MM, BandArtist
from sheetscan.printing.fonts import CAP_HEIGHT
from sheetscan.printing.ink import BLACK, PALETTES, WHITE, Colour
from sheetscan.printing.order import Ink
from sheetscan.printing.surface import ANCHOR_SHARE, Surface
from sheetscan.printing.symbols import draw_lock, marker_modules, module_boxes, qr_modules
from sheetscan.sheetcode import SheetCode
from sheetscan.template import BOX_CORNER_MM, FIELD_OUTLINE_MM, LOCK_SIGN, Field, Label, Row, Template

NAME_SIZE_MM = 4.6
SMALLEST_NAME_MM = 2.4
LABEL_SIZE = 0.6
"""Of a field's label, in heights of the field."""
PENTAGON_SIGN = "⬠"
PENTAGON_SIGN_WIDTH = 1.1
"""Of the sign with the space after it, in sizes."""


class SheetArtist:
    """Draws the sheets of one template in one ink and language."""

    def __init__(self, template: Template, ink: Ink, language: str) -> None:
        self.template = template
        self.palette = PALETTES[ink]
        self.texts = template.texts[language]

    def draw_common(self, surface: Surface) -> None:
        """Draw everything that all sheets share."""
        bands = BandArtist(self.template, self.palette, self.texts)
        for row in self.template.rows:
            bands.draw(surface, row)
        for field in self.template.fields:
            self._field(surface, field)
        for label in self.template.labels:
            self._label(surface, label)
        for marker in self.template.markers:
            modules = marker_modules(self.template.dictionary, marker.id)
            surface.fill_boxes(module_boxes(modules, marker.box_mm), BLACK)

    def draw_own(self, surface: Surface, code: SheetCode) -> None:
        """Draw a sheet's codes and its player's name.

        Raises UsageError when the name has characters without a glyph or is too long for its line.
        """
        if code.player is not None:
            self._player(surface, code.player)
        surface.fill_boxes(module_boxes(qr_modules(code.to_payload()), self.template.code_mm), BLACK)
        self._code_text(surface, code.to_text())

    def _field(self, surface: Surface, field: Field) -> None:
        if field.kind == "text":
            baseline = field.box_mm.bottom - 0.2
            ends = ((field.box_mm.x, baseline), (field.box_mm.right, baseline))
            surface.lines([ends], self.palette.rule, 0.25)
            return
        style = self.palette.row_style(self._row_of(field))
        if self.palette.patterned and field.row is not None and field.look is None:
            _fill_shape(surface, field, -HALO_MM, style.band)
        _fill_shape(surface, field, 0, style.outline)
        inside = style.blocked if field.kind == "blocked" else WHITE
        _fill_shape(surface, field, FIELD_OUTLINE_MM, inside)
        if field.label == LOCK_SIGN:
            draw_lock(surface, field.box_mm.centre, field.box_mm.height * LABEL_SIZE, style.label)
        elif field.label is not None:
            size = field.box_mm.height * LABEL_SIZE
            x, y = field.box_mm.centre
            at = (x, y + size * CAP_HEIGHT / 2)
            surface.text(at, field.label, size, style.label, anchor="middle", bold=True)

    def _row_of(self, field: Field) -> Row | None:
        """The row that gives a field its look: its own, or for a tally field the one it is named after."""
        row_id = field.look or field.row or field.id.removeprefix("tally-")
        return next((row for row in self.template.rows if row.id == row_id), None)

    def _label(self, surface: Surface, label: Label) -> None:
        """Print a label, shrunk to its width if it has one; a pentagon sign before the words is drawn."""
        text = self.texts.get(label.text, label.text)
        words = text.removeprefix(PENTAGON_SIGN).lstrip()
        sign = PENTAGON_SIGN_WIDTH if text.startswith(PENTAGON_SIGN) else 0.0
        width = sign + fonts.width_of(words, fonts.face(label.bold), 1.0)
        size = min(label.size_mm, label.width_mm / width) if label.width_mm else label.size_mm
        x = label.at_mm[0] - ANCHOR_SHARE[label.anchor] * width * size
        if sign:
            self._pentagon_sign(surface, (x, label.at_mm[1]), size)
        surface.text((x + sign * size, label.at_mm[1]), words, size, self.palette.text, bold=label.bold)

    def _pentagon_sign(self, surface: Surface, at: tuple[float, float], size: float) -> None:
        """Draw the sign that the typeface lacks, as high as a capital, its left edge and baseline at `at`."""
        side = PENTAGON_SIGN_WIDTH * 0.77 * size
        box = Box.around((at[0] + side / 2, at[1] - size * CAP_HEIGHT / 2), side, side)
        surface.fill_polygon(pentagon(box), self.palette.text)
        surface.fill_polygon(pentagon(box, 0.08 * size), WHITE)

    def _code_text(self, surface: Surface, text: str) -> None:
        box = self.template.code_text_mm
        size = min(box.height, box.width / fonts.width_of(text, fonts.REGULAR, 1.0))
        surface.text((box.right, box.bottom - 0.25 * size), text, size, BLACK, anchor="right")

    def _player(self, surface: Surface, name: str) -> None:
        if missing := fallback.missing_characters(name, fonts.REGULAR):
            shown = " ".join(c if c.isprintable() else f"U+{ord(c):04X}" for c in missing)
            raise UsageError(
                f"the name {name!r} can't be printed: the typeface has no {shown}",
                "write it in Latin, Greek, Cyrillic, Chinese, Japanese or Korean, or by hand on the paper",
            )
        box = next((field.box_mm for field in self.template.fields if field.id == "name"), None)
        if box is None:
            raise UsageError(f"{self.template.title} has no line for names", "print it without --players")
        size = min(NAME_SIZE_MM, (box.width - 2) / fallback.width_of(name, fonts.REGULAR, 1.0))
        if size < SMALLEST_NAME_MM:
            raise UsageError(f"the name {name!r} is too long for its line", "shorten it")
        surface.text((box.x + 1, box.bottom - 1.6), name, size, self.palette.text)


def _fill_shape(surface: Surface, field: Field, inset_mm: float, colour: Colour) -> None:
    """Fill the field's shape, its edge moved inwards by `inset_mm`."""
    box = field.box_mm
    if field.shape == "circle":
        surface.fill_circles([box.centre], box.width / 2 - inset_mm, colour)
    elif field.shape == "pentagon":
        surface.fill_polygon(pentagon(box, inset_mm), colour)
    else:
        surface.fill_rounded(box.grown(-inset_mm), BOX_CORNER_MM - inset_mm, colour)
