"""Printers that fade and scale leave the truth true."""

import numpy as np
import pytest

from sheetscan.lab.printer import GOOD_PRINTER, Printer
from sheetscan.lab.studio import RASTER_PX_PER_MM, out_of, print_sheet
from sheetscan.printing.order import PrintOrder
from sheetscan.template import load_template

QWINTO = load_template("qwinto")
PRINTED = print_sheet(QWINTO, PrintOrder(paper="a4", game_id="LAB234"), 1)


def test_half_a_page_fades() -> None:
    black = np.zeros((10, 100, 3), np.uint8)
    pale = Printer(1.0, 0.4).print(black, RASTER_PX_PER_MM)
    assert pale[:, :40].max() == 0
    assert pale[:, 60:].min() == pale[:, 60:].max() == 153


@pytest.mark.parametrize(
    "printer", [*(Printer(scale=scale) for scale in (0.5, 0.94, 1.03)), Printer(shift_mm=(4.0, -3.0))]
)
def test_a_scaled_or_shifted_print_has_its_markers_where_its_truth_says(printer: Printer) -> None:
    scaled = out_of(printer, PRINTED)
    assert scaled.page.shape == PRINTED.page.shape
    marker = QWINTO.markers[0].box_mm
    left, top, right, bottom = (
        round((side * scaled.scale + origin) * RASTER_PX_PER_MM)
        for side, origin in zip(
            (marker.x, marker.y, marker.right, marker.bottom), scaled.origin_mm * 2, strict=True
        )
    )
    assert scaled.page[top + 2 : top + 4, left + 2 : right - 2].max() < 60
    assert scaled.page[top - 4 : top - 2, left:right].min() > 200
    assert scaled.page[bottom + 2 : bottom + 4, left:right].min() > 200


def test_a_good_printer_changes_nothing() -> None:
    assert out_of(GOOD_PRINTER, PRINTED) is PRINTED
