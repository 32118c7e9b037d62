"""Another game is only another template."""

import pytest

from sheetscan.printing.order import PrintOrder
from sheetscan.printing.pdf import render_pdf
from sheetscan.sheetcode import SheetCode
from sheetscan.template import parse_template
from tests.printing.conftest import picture, texts_of
from tests.test_template import SMALL


def test_any_sound_template_is_printed_with_its_labels_in_the_fields() -> None:
    tiny = parse_template(SMALL, "tiny.toml")
    pdf = render_pdf(tiny, PrintOrder(paper="a5", language="nl", players=("Anna",), game_id="AB"))
    assert picture(pdf, 5).shape == pytest.approx((400, 500, 3), abs=1)
    printed = {piece.text: piece.box_mm for piece in texts_of(pdf)}
    code = SheetCode("tiny", 2, "AB", 1)
    assert set(printed) == {"Mini", "-5", "Anna", code.to_text()}
    assert tiny.field("penalty-1").box_mm.contains(printed["-5"])
    assert tiny.field("name").box_mm.contains(printed["Anna"])
