"""A drawing surface in millimetres with y downward, as templates measure, over a ReportLab canvas."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from sheetscan.geometry import Box
from sheetscan.printing import fallback, fonts
from sheetscan.printing.ink import Colour
from sheetscan.template import Anchor

Point = tuple[float, float]
ANCHOR_SHARE: dict[Anchor, float] = {"left": 0.0, "middle": 0.5, "right": 1.0}
"""How much of a text's width lies left of the place that it is set at."""


class Surface:
    """Draws on a page or form `height_mm` high whose canvas is set to points, y upward."""

    def __init__(self, canvas: Canvas, height_mm: float) -> None:
        self._canvas = canvas
        self._height_mm = height_mm

    def _x(self, x_mm: float) -> float:
        return float(x_mm * mm)

    def _y(self, y_mm: float) -> float:
        return float((self._height_mm - y_mm) * mm)

    def _set_fill(self, colour: Colour) -> None:
        """Greys are set as greys, so that printers make them of black toner alone."""
        if len(set(colour)) == 1:
            self._canvas.setFillGray(colour[0])
        else:
            self._canvas.setFillColorRGB(*colour)

    def _set_stroke(self, colour: Colour, width_mm: float) -> None:
        if len(set(colour)) == 1:
            self._canvas.setStrokeGray(colour[0])
        else:
            self._canvas.setStrokeColorRGB(*colour)
        self._canvas.setLineWidth(width_mm * mm)

    def fill_boxes(self, boxes: Iterable[Box], colour: Colour) -> None:
        """Fill all the boxes as one path: neighbours leave no hairline between them."""
        path = self._canvas.beginPath()
        for box in boxes:
            path.rect(self._x(box.x), self._y(box.bottom), box.width * mm, box.height * mm)
        self._fill_path(path, colour)

    def fill_rounded(self, box: Box, radius_mm: float, colour: Colour) -> None:
        """Fill a box with rounded corners."""
        self._fill_path(self._rounded(box, radius_mm), colour)

    def fill_circles(self, centres: Iterable[Point], radius_mm: float, colour: Colour) -> None:
        """Fill many circles of one size as one path."""
        path = self._canvas.beginPath()
        for x, y in centres:
            path.circle(self._x(x), self._y(y), radius_mm * mm)
        self._fill_path(path, colour)

    def fill_polygon(self, corners: Iterable[Point], colour: Colour) -> None:
        """Fill a polygon."""
        path = self._canvas.beginPath()
        for place, (x, y) in enumerate(corners):
            (path.lineTo if place else path.moveTo)(self._x(x), self._y(y))
        path.close()
        self._fill_path(path, colour)

    def lines(
        self,
        ends: Iterable[tuple[Point, Point]],
        colour: Colour,
        width_mm: float,
        dash_mm: tuple[float, float] | None = None,
    ) -> None:
        """Draw straight lines, dashed when `dash_mm` gives (on, off)."""
        self._canvas.saveState()
        self._set_stroke(colour, width_mm)
        if dash_mm:
            self._canvas.setDash([length * mm for length in dash_mm])
        for (x1, y1), (x2, y2) in ends:
            self._canvas.line(self._x(x1), self._y(y1), self._x(x2), self._y(y2))
        self._canvas.restoreState()

    @contextmanager
    def inside(self, box: Box, radius_mm: float) -> Iterator[None]:
        """Within this context nothing is drawn outside the rounded box."""
        self._canvas.saveState()
        self._canvas.clipPath(self._rounded(box, radius_mm), stroke=0, fill=0)
        yield
        self._canvas.restoreState()

    def text(
        self,
        at_mm: Point,
        text: str,
        size_mm: float,
        colour: Colour,
        *,
        anchor: Anchor = "left",
        bold: bool = False,
        upright: bool = True,
    ) -> None:
        """Set one line with its baseline at `at_mm`; not `upright`: reading upwards."""
        font, size = fonts.face(bold), size_mm * mm
        x = -ANCHOR_SHARE[anchor] * fallback.width_of(text, font, size)
        self._canvas.saveState()
        self._set_fill(colour)
        self._canvas.translate(self._x(at_mm[0]), self._y(at_mm[1]))
        if not upright:
            self._canvas.rotate(90)
        self._canvas.setFont(font, size)
        for part, own in fallback.runs(text, font):
            if own:
                self._canvas.drawString(x, 0, part)
            else:
                self._picture(part, font, x, size, colour)
            x += fallback.width_of(part, font, size)
        self._canvas.restoreState()

    def _picture(self, text: str, font: str, x: float, size: float, colour: Colour) -> None:
        """Letters that the typeface lacks, from `x` points on."""
        red, green, blue = (round(255 * share) for share in colour)
        drawn = ImageReader(fallback.picture(text, font, (red, green, blue)))
        width, height = fallback.width_of(text, font, size), size * (1 + fallback.DEPTH)
        self._canvas.drawImage(drawn, x, -size * fallback.DEPTH, width, height, mask="auto")

    def _rounded(self, box: Box, radius_mm: float) -> PDFPathObject:
        path = self._canvas.beginPath()
        corner = min(radius_mm, box.width / 2, box.height / 2) * mm
        path.roundRect(self._x(box.x), self._y(box.bottom), box.width * mm, box.height * mm, corner)
        return path

    def _fill_path(self, path: PDFPathObject, colour: Colour) -> None:
        self._set_fill(colour)
        self._canvas.drawPath(path, stroke=0, fill=1)
