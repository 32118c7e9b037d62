"""Paper without ink is told from the palest writing and from print beside its place."""

import numpy as np
import pytest
from numpy.typing import NDArray

from sheetscan.reading.bare import bare_cells
from sheetscan.reading.network import NetworkReader
from sheetscan.result import EMPTY


def cell(*, stroke: int = 0, noise: int = 0, outline_off_px: int = 0) -> NDArray[np.uint8]:
    """A box of 44 pixels with a stroke of 3 x 28 pixels, an outline that may lie off its place, and noise."""
    ink = np.random.default_rng(2).integers(0, noise + 1, (64, 64)).astype(np.uint8)
    printed = np.full((64, 64), 255, np.uint8)
    printed[10:54, 10:54] = 0
    ink[8:56, 8 + outline_off_px : 10 + outline_off_px] = 200
    ink[18:46, 30:33] = np.maximum(ink[18:46, 30:33], stroke)
    return np.stack([ink, printed], axis=-1)


@pytest.mark.parametrize(
    ("shown", "bare"),
    [
        (cell(), True),
        (cell(noise=14), True),
        (cell(outline_off_px=1), True),
        (cell(stroke=24), False),
        (cell(noise=60), False),
        (np.full((64, 64, 2), 255, np.uint8), False),
    ],
)
def test_only_what_shows_nothing_is_bare(shown: NDArray[np.uint8], bare: bool) -> None:
    others = [cell(stroke=200), cell()]
    assert bare_cells(np.stack([others[0], shown, others[1]])).tolist() == [False, bare, True]


def test_bare_cells_are_surely_empty_and_the_others_are_still_read() -> None:
    readings = NetworkReader().read(np.stack([cell(), cell(stroke=255), cell()]), ["number"] * 3)
    assert [reading.best == EMPTY for reading in readings] == [True, False, True]
    assert readings[0].confidence > 0.999


def test_a_sheet_of_bare_cells_needs_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = NetworkReader()
    monkeypatch.setattr("sheetscan.reading.cell_network.CellNetwork.outputs", None)
    assert len(reader.read(np.stack([cell()] * 5), ["tally"] * 5)) == 5
    assert reader.read(np.empty((0, 64, 64, 2), np.uint8), []) == []
