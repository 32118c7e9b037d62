"""Draws the coloured bands that carry the rows' fields."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from sheetscan.geometry import Box
from sheetscan.printing.fonts import CAP_HEIGHT
from sheetscan.printing.ink import Palette, RowStyle
from sheetscan.printing.patterns import PATTERNS
from sheetscan.printing.surface import Surface
from sheetscan.template import Field, Row, Template

BAND_CORNER_MM = 4.0
BAND_EDGE_MM = 0.35
HALO_MM = 0.9
"""White ring around the fields of a patterned band: the pattern must not touch their outlines."""
ROW_NAME_SIZE_MM = 2.8
LOOK_NAME_SIZE_MM = 2.3


@dataclass(frozen=True, slots=True)
class _Piece:
    """Neighbouring fields that share a look, and the part of their band that has it too."""

    look: Row
    fields: Sequence[Field]
    area: Box


@dataclass(frozen=True, slots=True)
class BandArtist:
    """Draws the bands of one template in one ink and language."""

    template: Template
    palette: Palette
    texts: Mapping[str, str]

    def draw(self, surface: Surface, row: Row) -> None:
        """Draw a row's band and its name, which reads upwards before the first field.

        Fields with looks given stand on pieces of band that look so too and bear the names of those looks.
        """
        fields = [field for field in self.template.fields if field.row == row.id]
        mixed = any(field.look is not None for field in fields)
        first_x = min((field.box_mm.x for field in fields), default=row.band_mm.x)
        style = self.palette.row_style(row)
        pieces = list(self._pieces(row, fields)) if mixed else []
        if not self.palette.patterned:
            surface.fill_rounded(row.band_mm, BAND_CORNER_MM, style.band)
            self._coloured(surface, row, pieces)
        else:
            self._edged(surface, row, style)
            if mixed:
                self._parted(surface, pieces, style)
            else:
                self._patterned(surface, row, first_x, style)
        self._row_name(surface, row, first_x, style)
        for piece in pieces:
            self._look_name(surface, piece)

    def _pieces(self, row: Row, fields: Sequence[Field]) -> Iterator[_Piece]:
        """The pieces from left to right; each begins half way between its fields and those before."""
        groups = [list(group) for _, group in groupby(fields, key=lambda field: field.look or row.id)]
        gaps = [right.box_mm.x - left.box_mm.right for left, right in pairwise(fields)]
        half_gap = min(gaps, default=HALO_MM) / 2
        starts = [group[0].box_mm.x - half_gap for group in groups]
        ends = [*starts[1:], row.band_mm.right]
        for group, start, end in zip(groups, starts, ends, strict=True):
            area = Box(start, row.band_mm.y, end - start, row.band_mm.height)
            yield _Piece(self.template.row(group[0].look or row.id), group, area)

    def _coloured(self, surface: Surface, row: Row, pieces: Sequence[_Piece]) -> None:
        for piece in pieces:
            with surface.inside(row.band_mm, BAND_CORNER_MM):
                surface.fill_boxes([piece.area], self.palette.row_style(piece.look).band)

    def _edged(self, surface: Surface, row: Row, style: RowStyle) -> None:
        surface.fill_rounded(row.band_mm, BAND_CORNER_MM, style.outline)
        surface.fill_rounded(row.band_mm.grown(-BAND_EDGE_MM), BAND_CORNER_MM - BAND_EDGE_MM, style.band)

    def _patterned(self, surface: Surface, row: Row, first_x: float, style: RowStyle) -> None:
        """Draw the pattern from the first field on: the name stands on plain paper."""
        inner = row.band_mm.grown(-BAND_EDGE_MM)
        from_x = first_x - HALO_MM
        patterned = Box(from_x, inner.y, inner.right - from_x, inner.height)
        with surface.inside(inner, BAND_CORNER_MM - BAND_EDGE_MM), surface.inside(patterned, 0):
            PATTERNS[style.pattern](surface, patterned, style.pattern_colour)

    def _parted(self, surface: Surface, pieces: Sequence[_Piece], style: RowStyle) -> None:
        """Part pieces by lines: between fields so close no pattern would show."""
        starts = [(piece.area.corners[0], piece.area.corners[3]) for piece in pieces]
        surface.lines(starts, style.outline, BAND_EDGE_MM)

    def _row_name(self, surface: Surface, row: Row, first_x: float, style: RowStyle) -> None:
        if name := self.texts.get(f"row-{row.id}"):
            middle = ((row.band_mm.x + first_x + ROW_NAME_SIZE_MM * CAP_HEIGHT) / 2, row.band_mm.centre[1])
            surface.text(
                middle, name, ROW_NAME_SIZE_MM, style.name, anchor="middle", bold=True, upright=False
            )

    def _look_name(self, surface: Surface, piece: _Piece) -> None:
        if name := self.texts.get(f"row-{piece.look.id}"):
            first, last = piece.fields[0].box_mm, piece.fields[-1].box_mm
            baseline = (piece.area.y + first.y + LOOK_NAME_SIZE_MM * CAP_HEIGHT) / 2
            at = ((first.x + last.right) / 2, baseline)
            style = self.palette.row_style(piece.look)
            surface.text(at, name, LOOK_NAME_SIZE_MM, style.name, anchor="middle", bold=True)
