"""Photos of several sheets: laid out as asked, and every result counted for the sheet that it is of."""

import dataclasses

import numpy as np
import pytest

from benchmarks import lab, table
from benchmarks.table import Arrangement, TablePhoto, measure_table, photograph_table
from sheetscan.geometry import Box
from sheetscan.pipeline import Scanner
from sheetscan.template import load_template
from tests.benchmarks.test_benchmarks import Stubborn

JOB = lab.Job(lab.Source(None, "easy"), 3)
ANY_WAY = (0.0, 90.0, 180.0, 270.0)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "SIZE_PX", (2600, 1950))


@pytest.fixture(scope="module")
def pair() -> TablePhoto:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "SIZE_PX", (2600, 1950))
        return photograph_table(JOB, Arrangement(2, 1, any_game=False))


def outlines(photo: TablePhoto) -> list[np.ndarray]:
    """The corners of each sheet's page in the photo."""
    corners = np.array(Box(0, 0, *load_template("qwinto").page_mm).corners)
    return [sheet.to_photo(corners) for sheet in photo.sheets]


def test_sheets_are_told_line_by_line_and_lie_whole_in_the_photo() -> None:
    photo = photograph_table(JOB, Arrangement(2, 3, turns_deg=ANY_WAY))
    places = np.array([corners.mean(axis=0) for corners in outlines(photo)])
    assert (np.diff(places[:3, 0]) > 300).all()
    assert (np.diff(places[3:, 0]) > 300).all()
    assert places[:3, 1].max() < places[3:, 1].min()
    assert (np.concatenate(outlines(photo)) > 0).all()
    assert (np.concatenate(outlines(photo)) < (2600, 1950)).all()
    assert len({sheet.truth.sheet_id for sheet in photo.sheets}) == 6
    again = photograph_table(JOB, Arrangement(2, 3, turns_deg=ANY_WAY))
    assert np.array_equal(again.photo.pixels, photo.photo.pixels)


def test_photocopies_are_of_one_sheet() -> None:
    photo = photograph_table(JOB, Arrangement(1, 2, any_game=False, copies=True))
    first, second = photo.sheets
    assert first.truth == second.truth
    assert not np.allclose(*outlines(photo))


def test_every_sheet_is_compared_with_its_own_truth(pair: TablePhoto) -> None:
    outcomes = measure_table(pair, Scanner(Stubborn()))
    assert [outcome.fate for outcome in outcomes] == ["found", "found"]
    for outcome, sheet in zip(outcomes, pair.sheets, strict=True):
        assert [field.truth for field in outcome.fields] == [
            reading.content for reading in sheet.truth.fields.values()
        ]
        assert max(outcome.errors_mm) < 0.5


def test_results_in_another_order_are_no_results(pair: TablePhoto) -> None:
    turned = dataclasses.replace(pair, sheets=pair.sheets[::-1])
    outcomes = measure_table(turned, Scanner(Stubborn()))
    assert {(outcome.fate, outcome.reason) for outcome in outcomes} == {
        ("extra", "results out of reading order")
    }


def test_a_sheet_taken_for_another_is_lost(pair: TablePhoto) -> None:
    first, second = pair.sheets
    stranger = dataclasses.replace(first, truth=dataclasses.replace(first.truth, sheet_id="OTHER2-1"))
    outcomes = measure_table(dataclasses.replace(pair, sheets=(stranger, second)), Scanner(Stubborn()))
    assert [outcome.reason for outcome in outcomes] == ["read as another sheet", ""]


def test_sheets_that_nothing_is_said_of_are_missed(pair: TablePhoto) -> None:
    white = dataclasses.replace(pair.photo, pixels=np.full_like(pair.photo.pixels, 255))
    outcomes = measure_table(dataclasses.replace(pair, photo=white), Scanner(Stubborn()))
    assert [outcome.fate for outcome in outcomes] == ["missed", "missed"]
    assert "sheet found" in outcomes[0].reason


def test_a_refused_sheet_comes_with_its_reason(pair: TablePhoto) -> None:
    """The left fifth of the photo is gone, and with it half the markers of both sheets."""
    pixels = pair.photo.pixels.copy()
    right = int(np.concatenate(outlines(pair))[:, 0].mean()) - 200
    pixels[:, :right] = 128
    photo = dataclasses.replace(pair.photo, pixels=pixels)
    outcomes = measure_table(dataclasses.replace(pair, photo=photo), Scanner(Stubborn()))
    assert [outcome.fate for outcome in outcomes] == ["refused", "refused"]
    assert all("markers of a qwinto sheet" in outcome.reason for outcome in outcomes)
