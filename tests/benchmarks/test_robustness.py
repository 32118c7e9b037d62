"""The matrix counts what its headings say, and its faults change the photo."""

import numpy as np
import pytest

from benchmarks import lab, robustness
from benchmarks.outcome import FieldOutcome, PhotoOutcome
from benchmarks.robustness import CELLS, Row
from sheetscan.result import EMPTY, Content, number
from sheetscan.template import load_template

A_SHEET = len(load_template("qwinto").readable_fields)


def field(truth: Content, read: Content, *, sure: bool = True) -> FieldOutcome:
    return FieldOutcome(1, "orange-3", "number", truth, read, read, 0.9, sure)


def test_a_refused_photo_counts_for_all_its_fields() -> None:
    fields = (
        field(EMPTY, EMPTY),
        field(number(3), number(8)),
        field(number(3), number(3), sure=False),
        field(number(3), number(8), sure=False),
    )
    found = PhotoOutcome(1, "found", "", fields)
    row = Row.of("blur 3 px", [found, PhotoOutcome(2, "refused", "too blurred")])
    assert (row.photos, row.fields, row.refused) == (2, 4 + A_SHEET, A_SHEET)
    assert (row.right, row.doubtful, row.wrong) == (1, 2, 1)
    assert row.reasons == ("too blurred",)


def test_names_of_cells_are_unique() -> None:
    assert len({cell.name for cell in CELLS}) == len(CELLS) > 30


@pytest.mark.parametrize("name", ["glare 1", "toner 40 %", "thumbs 2", "printed at 71 %"])
def test_a_fault_changes_the_photo_and_nothing_else(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robustness, "SIZE_PX", (800, 600))
    job = lab.Job(lab.Source(None, "easy"), 4)
    plain, faulty = (
        robustness.photograph(next(cell for cell in CELLS if cell.name == wanted), job)
        for wanted in ("none", name)
    )
    assert plain.truth == faulty.truth
    assert np.abs(plain.photo.pixels.astype(int) - faulty.photo.pixels).mean() > 0.5
