"""The photo studio: prints a sheet, writes on it, photographs it, and knows what is true of the photo."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
import pypdfium2
from numpy.typing import NDArray

from sheetscan.games import rules_for
from sheetscan.judge import judge
from sheetscan.lab.camera import PlacedPage, SheetView, photograph_many
from sheetscan.lab.hand import Hand
from sheetscan.lab.optics import Bend, Floats, Vector
from sheetscan.lab.pen import Pen
from sheetscan.lab.printer import GOOD_PRINTER, Printer
from sheetscan.lab.scene import Scene
from sheetscan.lab.writing import write_contents, write_name
from sheetscan.printing.order import PrintOrder
from sheetscan.printing.paper import page_layout
from sheetscan.printing.pdf import render_pdf
from sheetscan.result import EMPTY, Content, FieldReading, Sheet
from sheetscan.template import Template

RASTER_PX_PER_MM = 12.0
"""305 dpi."""
LAB_SOURCE = "lab"

Contents = Mapping[str, Content]


@dataclass(frozen=True)
class PrintedSheet:
    """One printed sheet cut from its page: uint8 RGB, shape (h, w, 3), at RASTER_PX_PER_MM.

    The sheet begins at `origin_mm` of the cut paper and is printed at `scale`.
    """

    page: NDArray[np.uint8] = field(repr=False)
    origin_mm: Vector
    scale: float


@dataclass(frozen=True)
class FilledSheet:
    """A sheet somebody wrote on, and what is true of it."""

    printed: PrintedSheet
    truth: Sheet


@dataclass(frozen=True)
class SheetPlace:
    """The exact map from sheet millimetres (n, 2) to photo pixels (n, 2) of a printed sheet."""

    view: SheetView
    origin_mm: Vector
    scale: float

    def __call__(self, points_mm: NDArray[np.floating]) -> Floats:
        """Where these places of the template are in the photo; pixel centres at integers."""
        return self.view(np.asarray(points_mm) * self.scale + self.origin_mm)


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a sheet's middle lies on the table, its clockwise turn, and its bend (None: the scene's)."""

    centre_mm: Vector = (0.0, 0.0)
    turn_deg: float = 0.0
    bend: Bend | None = None


@dataclass(frozen=True)
class LabPhoto:
    """A photo (uint8 RGB), and of each sheet in it the truth and the map from its millimetres to pixels."""

    pixels: NDArray[np.uint8] = field(repr=False)
    truths: tuple[Sheet, ...]
    to_photos: tuple[SheetPlace, ...] = field(repr=False)

    @property
    def truth(self) -> Sheet:
        """The truth of the only, or first, sheet."""
        return self.truths[0]

    @property
    def to_photo(self) -> SheetPlace:
        """The map of the only, or first, sheet."""
        return self.to_photos[0]


def make_photo(
    template: Template,
    contents: Contents,
    hand: Hand,
    pen: Pen,
    scene: Scene,
    order: PrintOrder,
    rng: np.random.Generator,
    *,
    sheet: int = 1,
    printer: Printer = GOOD_PRINTER,
) -> LabPhoto:
    """Print sheet number `sheet` (from 1) of an order, fill it and photograph it alone.

    The order needs a game id, else its sheets could not be told apart. Deterministic by arguments.
    """
    filled = fill_sheet(template, contents, hand, pen, order, rng, sheet=sheet, printer=printer)
    return photograph_sheets([filled], [Placement()], scene, rng)


def fill_sheet(
    template: Template,
    contents: Contents,
    hand: Hand,
    pen: Pen,
    order: PrintOrder,
    rng: np.random.Generator,
    *,
    sheet: int = 1,
    printer: Printer = GOOD_PRINTER,
) -> FilledSheet:
    """Print sheet number `sheet` of an order, write the contents on it, and a name where none is printed."""
    printed = out_of(printer, print_sheet(template, order, sheet))
    truth = true_sheet(template, contents, order, sheet)
    nameless = bool(contents) and truth.player is None
    return FilledSheet(write_on(printed, template, contents, hand, pen, rng, nameless=nameless), truth)


def write_on(
    printed: PrintedSheet,
    template: Template,
    contents: Contents,
    hand: Hand,
    pen: Pen,
    rng: np.random.Generator,
    *,
    nameless: bool = False,
) -> PrintedSheet:
    """The sheet with the contents written on it, and a name if it has been `nameless` so far."""
    page = printed.page.astype(np.float32) / np.float32(255)
    px_per_mm = RASTER_PX_PER_MM * printed.scale
    origin_mm = (printed.origin_mm[0] / printed.scale, printed.origin_mm[1] / printed.scale)
    write_contents(page, template, contents, hand, pen, rng, px_per_mm=px_per_mm, origin_mm=origin_mm)
    if nameless:
        write_name(page, template, pen, rng, px_per_mm=px_per_mm, origin_mm=origin_mm)
    return replace(printed, page=np.rint(page * 255).astype(np.uint8))


def photograph_sheets(
    filled: Sequence[FilledSheet],
    placements: Sequence[Placement],
    scene: Scene,
    rng: np.random.Generator,
) -> LabPhoto:
    """One photo of filled sheets at their places of the table; later ones lie on top."""
    placed = [
        PlacedPage(sheet.printed.page, RASTER_PX_PER_MM, place.centre_mm, place.turn_deg, place.bend)
        for sheet, place in zip(filled, placements, strict=True)
    ]
    shot = photograph_many(placed, scene, rng)
    places = (
        SheetPlace(view, sheet.printed.origin_mm, sheet.printed.scale)
        for view, sheet in zip(shot.to_photos, filled, strict=True)
    )
    return LabPhoto(shot.pixels, tuple(sheet.truth for sheet in filled), tuple(places))


def out_of(printer: Printer, printed: PrintedSheet) -> PrintedSheet:
    """The sheet as that printer prints it, about the middle of the paper."""
    if printer == GOOD_PRINTER:
        return printed
    height, width = printed.page.shape[:2]
    middle = (width / RASTER_PX_PER_MM / 2, height / RASTER_PX_PER_MM / 2)
    left, top = (
        centre + (edge - centre) * printer.scale + shift
        for edge, centre, shift in zip(printed.origin_mm, middle, printer.shift_mm, strict=True)
    )
    page = printer.print(printed.page, RASTER_PX_PER_MM)
    return PrintedSheet(page, (left, top), printed.scale * printer.scale)


def print_sheet(template: Template, order: PrintOrder, sheet: int) -> PrintedSheet:
    """Sheet number `sheet` (from 1) of an order as printed and cut out; its `page` is read-only."""
    layout = page_layout(order.paper, template.page_mm)
    on_page, slot = divmod(sheet - 1, len(layout.origins_mm))
    page = _rasters(render_pdf(template, order))[on_page]
    if layout.cut_y_mm is None:
        return PrintedSheet(page, layout.origins_mm[slot], layout.scale)
    cut_px = round(layout.cut_y_mm * RASTER_PX_PER_MM)
    piece = page[:cut_px] if slot == 0 else page[cut_px:]
    left, top = layout.origins_mm[slot]
    return PrintedSheet(piece, (left, top - slot * cut_px / RASTER_PX_PER_MM), layout.scale)


@lru_cache(maxsize=4)
def _rasters(pdf: bytes) -> tuple[NDArray[np.uint8], ...]:
    """The pages of a PDF in RGB at RASTER_PX_PER_MM, read-only."""
    # Page sizes are rounded to float32 in the file; without the nudge a page may get one more pixel.
    scale = RASTER_PX_PER_MM * 25.4 / 72 * (1 - 1e-6)
    pages = []
    document = pypdfium2.PdfDocument(pdf)
    for page in document:
        raster = page.render(scale=scale, rev_byteorder=True).to_numpy()[:, :, :3].copy()
        raster.setflags(write=False)
        pages.append(raster)
    document.close()
    return tuple(pages)


def true_sheet(template: Template, contents: Contents, order: PrintOrder, sheet: int = 1) -> Sheet:
    """The result that a perfect reader would give for these contents; raises ValueError without a game id."""
    if order.game_id is None:
        raise ValueError("the order needs a game id, so that the sheet's identity is known")
    fields = {place.id: _certain(contents.get(place.id, EMPTY)) for place in template.readable_fields}
    verdict = judge(rules_for(template), fields, order.language)
    player = dict(order.sheets())[sheet]
    return Sheet(
        source=LAB_SOURCE,
        page=1,
        sha256="",
        template=template.id,
        sheet_id=f"{order.game_id}-{sheet}",
        player=player,
        status=verdict.status,
        fields=fields,
        findings=verdict.findings,
        repairs=verdict.repairs,
        score=verdict.score,
        review=verdict.review,
    )


def _certain(content: Content) -> FieldReading:
    return FieldReading(content.kind, content.value, 1.0, content)
