"""Every template, paper and language is printed and found again where it was printed."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest
from numpy.typing import NDArray

from sheetscan.geometry import CellSpec
from sheetscan.language import LANGUAGES
from sheetscan.pipeline import Scan, Scanner
from sheetscan.printing.order import INKS, PAPERS, PrintOrder
from sheetscan.printing.paper import page_layout
from sheetscan.printing.pdf import render_pdf
from sheetscan.reading.reader import Reading
from sheetscan.result import EMPTY
from sheetscan.template import FieldKind, load_template, template_names

PX_PER_MM = 8
COMBINATIONS = list(product(template_names(), PAPERS, LANGUAGES))


@dataclass
class BlankReader:
    """Says that nothing is written."""

    name: str = "blank"
    cell: CellSpec = field(default_factory=lambda: CellSpec(64, 16))
    sure_from: float = 0.98
    unreadable_below: float = 0.4

    def read(self, cells: NDArray[np.uint8], kinds: Sequence[FieldKind]) -> list[Reading]:
        return [Reading(((EMPTY, 0.9999),)) for _ in kinds]


@pytest.mark.parametrize(("name", "paper", "language"), COMBINATIONS)
def test_a_printed_sheet_is_found_where_it_was_printed(
    name: str, paper: str, language: str, tmp_path: Path
) -> None:
    template = load_template(name)
    ink = INKS[COMBINATIONS.index((name, paper, language)) % len(INKS)]
    order = PrintOrder(paper, copies=2, players=(), language=language, ink=ink, game_id="LAB234")  # type: ignore[arg-type]
    document = pypdfium2.PdfDocument(render_pdf(template, order))
    path = tmp_path / "page.png"
    bitmap = document[0].render(scale=PX_PER_MM * 25.4 / 72)
    path.write_bytes(cv2.imencode(".png", bitmap.to_numpy()[..., :3])[1].tobytes())
    layout = page_layout(order.paper, template.page_mm)
    scans = [scan for scan in Scanner(BlankReader()).scan(path) if isinstance(scan, Scan)]
    found = {scan.sheet.sheet_id: scan for scan in scans}
    assert set(found) == {f"LAB234-{place + 1}" for place in range(len(layout.origins_mm))}
    middles = np.array([field.box_mm.centre for field in template.readable_fields])
    for place, origin in enumerate(layout.origins_mm):
        scan = found[f"LAB234-{place + 1}"]
        assert (scan.sheet.template, scan.sheet.findings, scan.sheet.review) == (name, (), ())
        printed_mm = middles * layout.scale + origin
        seen_mm = (scan.sheet_map.to_photo(middles) + 0.5) / PX_PER_MM
        assert np.abs(seen_mm - printed_mm).max() < 0.15
