"""Faults and hands that are not of our own making: Augraphy's effects, handwriting fonts."""

import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from benchmarks import lab, robustness
from benchmarks.augraphy_faults import augraphy_cells
from sheetscan.lab.studio import PrintedSheet

SHEET = PrintedSheet(np.full((40, 60, 3), (200, 100, 50), np.uint8), (0.0, 0.0), 1.0)


@pytest.mark.parametrize("grey", [False, True])
def test_an_effect_sees_the_page_as_opencv_would_and_gives_it_back(
    monkeypatch: pytest.MonkeyPatch, grey: bool
) -> None:
    def effect(p: float) -> object:
        assert p == 1
        return lambda page: page[..., 0] if grey else page // 2

    fake = SimpleNamespace(**{cell.strength: effect for cell in augraphy_cells()})
    monkeypatch.setitem(sys.modules, "augraphy", fake)
    cell = next(augraphy_cells())
    script = lab.script_of(lab.Job(lab.Source(recorded=None), 0), np.random.default_rng(0))
    spoilt = cell.spoil(SHEET, script, 0).page
    assert spoilt.shape == SHEET.page.shape
    assert spoilt[0, 0].tolist() == ([50, 50, 50] if grey else [100, 50, 25])


def test_they_are_tried_only_where_they_are_asked_for() -> None:
    assert "augraphy" not in robustness.OWN_FAULTS
    assert "augraphy" in {cell.fault for cell in robustness.ALL_CELLS}


def test_a_folder_without_fonts_is_told(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="no fonts"):
        lab.writers(lab.Source(recorded=None, fonts=tmp_path))


def test_fonts_and_their_folder_go_together(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="go together"):
        robustness.main(["--hands", "fonts", "--photos", "1"])


def test_a_font_writes_digits_on_the_baseline() -> None:
    pytest.importorskip("sknw", reason="font hands need fonttools, scikit-image and sknw")
    from benchmarks.font_hands import FontHand

    (font,) = Path(__file__).parents[2].glob("sheetscan/printing/fonts/*Regular.ttf")
    written = np.concatenate(FontHand(font, 0).write("18", np.random.default_rng(1)))
    assert written[:, 1].max() == pytest.approx(0, abs=0.1)
    assert written[:, 1].min() == pytest.approx(-1, abs=0.25)
    assert 0.8 < np.ptp(written[:, 0]) < 2
