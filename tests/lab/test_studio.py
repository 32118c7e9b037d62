"""Photos come with their truth, and what is written lies where the template has its fields."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from sheetscan.lab.camera import Scene
from sheetscan.lab.faults import seed_fault
from sheetscan.lab.hand import SyntheticHand
from sheetscan.lab.pen import Pen
from sheetscan.lab.studio import (
    RASTER_PX_PER_MM,
    Placement,
    fill_sheet,
    make_photo,
    photograph_sheets,
    print_sheet,
    true_sheet,
)
from sheetscan.printing.order import PrintOrder
from sheetscan.result import CROSS, Content, Document, document_from_json, number, to_json
from sheetscan.template import load_template
from tests.lab.games import play_sheets

TEMPLATE = load_template("qwinto")
ORDER = PrintOrder(paper="a5", copies=2, players=("Anna",), game_id="LAB234")
BALLPOINT = Pen("ballpoint", (0.1, 0.1, 0.5), 0.4, 0.9, 0.1, 0.0, 0.0, 0.03)
SCENE = Scene(size_px=(1600, 1200), tilt_deg=12)


def filled(contents, order=ORDER, sheet=1, seed=1):
    return fill_sheet(
        TEMPLATE, contents, SyntheticHand(seed), BALLPOINT, order, np.random.default_rng(seed), sheet=sheet
    )


def ink_of(contents, order=ORDER, seed=1):
    """Where the filled page differs from the printed one, as points in sheet millimetres."""
    sheet = filled(contents, order, seed=seed)
    blank = print_sheet(TEMPLATE, order, 1)
    ink = np.argwhere(cv2.absdiff(sheet.printed.page, blank.page).max(axis=2) > 50)[:, ::-1]
    return ((ink + 0.5) / RASTER_PX_PER_MM - blank.origin_mm) / blank.scale


@pytest.mark.parametrize("paper", ["a5", "a4", "letter"])
@pytest.mark.parametrize("content", [number(8), number(17), CROSS, Content("void")])
def test_writing_stays_near_its_field(paper, content):
    order = replace(ORDER, paper=paper)
    places = ("orange-4", "purple-10", "tally-total")
    boxes = [TEMPLATE.field(place).box_mm for place in places]
    for seed in range(2):
        points = ink_of(dict.fromkeys(places, content), order, seed)
        nearest = np.argmin([np.linalg.norm(points - box.centre, axis=1) for box in boxes], axis=0)
        for number_of_box, box in enumerate(boxes):
            off = points[nearest == number_of_box] - box.centre
            assert len(off) > 50
            assert np.linalg.norm(off.mean(axis=0)) < 4
            assert (np.abs(off) < (0.65 * box.width, 0.75 * box.height)).all(axis=1).mean() > 0.9


def test_empty_fields_stay_blank():
    assert len(ink_of({})) == 0


def test_a_name_is_written_where_none_is_printed():
    nameless = ink_of({"misthrow-1": CROSS}, replace(ORDER, players=()))
    box = TEMPLATE.field("name").box_mm.grown(2)
    in_name = (nameless >= (box.x, box.y)).all(axis=1) & (nameless <= (box.right, box.bottom)).all(axis=1)
    assert in_name.sum() > 200
    assert ink_of({"misthrow-1": CROSS})[:, 1].min() > box.bottom


@pytest.mark.parametrize("kind", ["cross", "line", "void"])
def test_misthrow_boxes_take_marks(kind):
    points = ink_of({"misthrow-2": Content(kind)})
    assert np.linalg.norm(points.mean(axis=0) - TEMPLATE.field("misthrow-2").box_mm.centre) < 3


@pytest.mark.parametrize("paper", ["a5", "a4", "letter"])
@pytest.mark.parametrize("sheet", [1, 2])
def test_to_photo_finds_the_printed_markers(paper, sheet):
    contents = play_sheets(2, np.random.default_rng(1))[0]
    order, rng = replace(ORDER, paper=paper), np.random.default_rng(1)
    scene = replace(SCENE, size_px=(2592, 1944))
    photo = make_photo(TEMPLATE, contents, SyntheticHand(1), BALLPOINT, scene, order, rng, sheet=sheet)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11))
    corners, ids, _ = detector.detectMarkers(cv2.cvtColor(photo.pixels, cv2.COLOR_RGB2GRAY))
    seen = {int(i): c.reshape(4, 2) for c, i in zip(corners, np.ravel(ids), strict=True)}
    assert set(seen) == {marker.id for marker in TEMPLATE.markers}
    for marker in TEMPLATE.markers:
        off = seen[marker.id] - photo.to_photo(np.array(marker.box_mm.corners))
        assert np.linalg.norm(off.mean(axis=0)) < 0.5


def test_truth_is_a_result_document():
    contents = play_sheets(3, np.random.default_rng(2))[0]
    truth = true_sheet(TEMPLATE, contents, ORDER)
    document = Document(sheets=(truth,))
    assert document_from_json(to_json(document), "truth.json") == document
    assert truth.player == "Anna"
    assert truth.sheet_id == "LAB234-1"
    assert truth.status == "ok"
    assert truth.findings == ()
    assert truth.score.certainty == 1
    assert contents["tally-total"] == number(truth.score.total)
    assert {name: f.content for name, f in truth.fields.items() if f.kind != "empty"} == contents


def test_truth_of_a_fault_has_its_finding():
    rng = np.random.default_rng(3)
    contents = seed_fault(play_sheets(3, rng)[0], "value-21", rng)
    truth = true_sheet(TEMPLATE, contents, ORDER)
    assert "value" in {finding.code for finding in truth.findings}


def test_truth_of_a_blank_sheet_is_empty():
    truth = true_sheet(TEMPLATE, {}, ORDER)
    assert {reading.kind for reading in truth.fields.values()} == {"empty"}
    assert truth.score.total == 0


def test_an_order_without_game_id_is_refused():
    with pytest.raises(ValueError, match="game id"):
        true_sheet(TEMPLATE, {}, PrintOrder())


def test_the_same_seed_gives_the_same_photo():
    contents = play_sheets(2, np.random.default_rng(1))[0]
    first, again = (
        make_photo(TEMPLATE, contents, SyntheticHand(1), BALLPOINT, SCENE, ORDER, np.random.default_rng(4))
        for _ in range(2)
    )
    assert np.array_equal(first.pixels, again.pixels)
    assert first.truth == again.truth


def test_two_sheets_in_one_photo_have_their_own_truth_and_place():
    sheets = play_sheets(2, np.random.default_rng(5))
    both = [filled(contents, sheet=1 + n, seed=n) for n, contents in enumerate(sheets)]
    places = [Placement((0, 0)), Placement((10, 160), turn_deg=180)]
    photo = photograph_sheets(both, places, SCENE, np.random.default_rng(1))
    assert [truth.sheet_id for truth in photo.truths] == ["LAB234-1", "LAB234-2"]
    middle = np.array([[105.0, 74.0]])
    upper, lower = (to_photo(middle)[0] for to_photo in photo.to_photos)
    assert lower[1] > upper[1] + 300
