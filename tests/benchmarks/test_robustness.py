"""The matrix counts what its headings say, and its faults change the photo."""

import numpy as np
import pytest

from benchmarks import faults, lab, robustness
from benchmarks.faults import CELLS
from benchmarks.outcome import FieldOutcome, PhotoOutcome
from benchmarks.robustness import Row
from sheetscan.errors import NoSheetError
from sheetscan.pipeline import find_sheets
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
    assert (row.sheets, row.fields, row.refused) == (2, 4 + A_SHEET, A_SHEET)
    assert (row.right, row.doubtful, row.wrong) == (1, 2, 1)
    assert row.reasons == ("photo 2: too blurred",)
    assert row.mistakes == (str(fields[1]),)


def test_a_lost_sheet_of_another_game_counts_for_that_games_fields() -> None:
    row = Row.of("sheets 2", [PhotoOutcome(1, "missed", "", template="qwixx")])
    assert row.fields == row.refused == len(load_template("qwixx").readable_fields)


def test_report_tells_why_and_what(capsys: pytest.CaptureFixture[str]) -> None:
    found = PhotoOutcome(1, "found", "", (field(number(3), number(8)),))
    robustness.report([Row.of("blur 3 px", [found, PhotoOutcome(2, "refused", "too blurred")])])
    told = capsys.readouterr().out
    assert "- blur 3 px, photo 2: too blurred" in told
    assert "- blur 3 px, photo 1 orange-3: 3 read as 8" in told


def cell(name: str) -> faults.Cell:
    return next(cell for cell in CELLS if cell.name == name)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> lab.Job:
    monkeypatch.setattr(faults, "SIZE_PX", (1200, 900))
    return lab.Job(lab.Source(None, "easy"), 4)


def test_names_of_cells_are_unique() -> None:
    assert len({cell.name for cell in CELLS}) == len(CELLS) > 50


@pytest.mark.parametrize(
    "name",
    [
        "glare 1",
        "toner 40 %",
        "thumbs 2",
        "printed at 71 %",
        "printed off by 4 mm",
        "markers missing 1",
        "decoy instead of one",
        "corner folded over",
        "corner bent 40°",
        "code covered",
        "overwritten 4 fields",
        "overexposed 1.25",
        "pale writing 20 %",
    ],
)
def test_a_fault_changes_the_photo_and_nothing_else(name: str, small: lab.Job) -> None:
    plain, faulty = (faults.photograph(cell(wanted), small) for wanted in ("none", name))
    assert plain.truth == faulty.truth
    assert np.abs(plain.photo.pixels.astype(int) - faulty.photo.pixels).mean() > 0.05


@pytest.mark.parametrize("name", ["mirrored", "squeezed to 94 %"])
def test_a_stretched_picture_comes_with_its_map(name: str, small: lab.Job) -> None:
    """At the middle of a marker's black border the picture is dark, just outside of it bright."""
    photo = faults.photograph(cell(name), small)
    for marker in load_template("qwinto").markers:
        box = marker.box_mm
        border, paper = np.rint(
            photo.to_photo(np.array([[box.centre[0], box.y + 0.5], [box.centre[0], box.y - 1.5]]))
        ).astype(int)
        assert photo.photo.pixels[border[1], border[0], 1] < photo.photo.pixels[paper[1], paper[0], 1] - 60


def test_a_mirror_image_is_called_that(small: lab.Job) -> None:
    with pytest.raises(NoSheetError, match="mirror image"):
        find_sheets(faults.photograph(cell("mirrored"), small).photo, None)


@pytest.mark.parametrize("count", [1, 2])
def test_every_choice_of_lost_markers_has_its_turn(count: int) -> None:
    template = load_template("qwinto")
    chosen = {faults.chosen_markers(template, count, photo) for photo in range(30)}
    assert len(chosen) == {1: 8, 2: 28}[count]
