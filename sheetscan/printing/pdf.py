"""Sheets as a vector PDF."""

from collections.abc import Sequence
from io import BytesIO

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from sheetscan.printing import fonts
from sheetscan.printing.ink import grey
from sheetscan.printing.order import PrintOrder
from sheetscan.printing.paper import PageLayout, page_layout
from sheetscan.printing.sheet import SheetArtist
from sheetscan.printing.surface import Surface
from sheetscan.sheetcode import SheetCode, new_game_id
from sheetscan.template import Template

COMMON_FORM = "common"
"""Name of the form (a drawing kept once in the file) with what all sheets share."""
CUT_GREY = 0.6
CUT_WIDTH_MM = 0.2
CUT_DASH_MM = (2.0, 1.5)


def render_pdf(template: Template, order: PrintOrder) -> bytes:
    """Print an order's sheets; with a `game_id` in the order the bytes are the same every time.

    Raises UsageError when a player's name can't be printed.
    """
    fonts.register()
    layout = page_layout(order.paper, template.page_mm)
    artist = SheetArtist(template, order.ink, order.language)
    file = BytesIO()
    canvas = _new_canvas(file, template, order, layout)
    _define_common_form(canvas, artist)
    codes = _sheet_codes(template, order)
    per_page = len(layout.origins_mm)
    for first in range(0, len(codes), per_page):
        _draw_page(canvas, layout, artist, codes[first : first + per_page])
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def _new_canvas(file: BytesIO, template: Template, order: PrintOrder, layout: PageLayout) -> Canvas:
    width, height = (side * mm for side in layout.size_mm)
    canvas = Canvas(
        file,
        pagesize=(width, height),
        invariant=True,
        lang=order.language,
        initialFontName=fonts.REGULAR,
    )
    canvas.setTitle(template.title)
    canvas.setCreator("sheetscan")
    return canvas


def _sheet_codes(template: Template, order: PrintOrder) -> list[SheetCode]:
    game_id = order.game_id or new_game_id()
    return [
        SheetCode(template.id, template.version, game_id, number, player) for number, player in order.sheets()
    ]


def _define_common_form(canvas: Canvas, artist: SheetArtist) -> None:
    width, height = artist.template.page_mm
    canvas.beginForm(COMMON_FORM, 0, 0, width * mm, height * mm)
    artist.draw_common(Surface(canvas, height))
    canvas.endForm()


def _draw_page(canvas: Canvas, layout: PageLayout, artist: SheetArtist, codes: Sequence[SheetCode]) -> None:
    page_width, page_height = layout.size_mm
    sheet_height = artist.template.page_mm[1]
    for code, (left, top) in zip(codes, layout.origins_mm, strict=False):
        canvas.saveState()
        canvas.translate(left * mm, (page_height - top - layout.scale * sheet_height) * mm)
        canvas.scale(layout.scale, layout.scale)
        canvas.doForm(COMMON_FORM)
        artist.draw_own(Surface(canvas, sheet_height), code)
        canvas.restoreState()
    if layout.cut_y_mm is not None:
        cut = ((0.0, layout.cut_y_mm), (page_width, layout.cut_y_mm))
        Surface(canvas, page_height).lines([cut], grey(CUT_GREY), CUT_WIDTH_MM, CUT_DASH_MM)
