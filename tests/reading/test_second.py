"""The second reader and the combination: what is asked, what is made of the answers, what is refused."""

import json
import shutil
import sys
from importlib import metadata
from importlib.util import find_spec

import cv2
import numpy as np
import pytest

from sheetscan.errors import ExitCode, MissingExtraError, TemplateError
from sheetscan.geometry import Box
from sheetscan.imaging.outline import print_mask
from sheetscan.lab.hand import SyntheticHand
from sheetscan.lab.pen import Pen, draw
from sheetscan.reading import second
from sheetscan.reading.choice import load_reader, why_alone
from sheetscan.reading.combined import Combination, CombinedReader, load_combination
from sheetscan.reading.model_folder import newest_model
from sheetscan.reading.network import NetworkReader
from sheetscan.reading.reader import Reading
from sheetscan.reading.second import CELL, LINE_PX, SecondReader, line_of, load_recogniser, recogniser_path
from sheetscan.result import CROSS, EMPTY, Content, number

needs_package = pytest.mark.skipif(find_spec("rapidocr") is None, reason="needs the package rapidocr")
PEN = Pen("gel", (0.1, 0.1, 0.3), 0.5, 1.0, 0.05, 0.0, 0.0, 0.03)
FIELD = Box.around((8, 8), 12.4, 12.4)
COMBINATION = Combination(
    first="cells-v1",
    first_exponent=1,
    second_exponent=1,
    first_floor=1e-3,
    second_floor=1e-3,
    ask_below=0.99,
    sure_from=0.98,
    unreadable_below=0.3,
)


def cell(text: str = "", size_mm: float = 5.0, seed: int = 3, shift_mm: float = 0.0):
    """A cell with a number written in the middle, or `shift_mm` to the right of it."""
    page = np.ones((CELL.size_px, CELL.size_px, 3), np.float32)
    if text:
        strokes = SyntheticHand(seed, european=False).write(text, np.random.default_rng(seed))
        points = np.concatenate(strokes)
        middle = (points.min(axis=0) + points.max(axis=0)) / 2
        size_px = size_mm * CELL.px_per_mm
        centre = CELL.size_px / 2 + np.array([shift_mm * CELL.px_per_mm, 0])
        placed = [((stroke - middle) * size_px + centre).astype(np.float32) for stroke in strokes]
        draw(page, placed, CELL.px_per_mm, PEN, np.random.default_rng(seed))
    ink = np.round(255 * (1 - page.min(axis=2))).astype(np.uint8)
    return np.stack([ink, print_mask("circle", FIELD, CELL)], axis=-1)


def test_strokes_become_a_line_of_text():
    line = line_of(cell("12"))
    assert line.shape == LINE_PX
    assert line.dtype == np.float32
    dark = np.argwhere(line < 0)
    assert np.abs(dark.mean(axis=0) - (np.array(LINE_PX) - 1) / 2).max() < 6
    assert 20 < np.ptp(dark[:, 0]) <= 34
    assert line[0, 0] == 1


def test_the_size_of_writing_does_not_matter():
    small, large = (line_of(cell("4", size_mm)) for size_mm in (3.5, 6.5))
    assert np.corrcoef(small.ravel(), large.ravel())[0, 1] > 0.8


def test_without_strokes_there_is_no_line():
    assert line_of(cell()) is None
    speck = cell()
    speck[32, 32, 0] = 200
    assert line_of(speck) is None
    assert line_of(np.full((64, 64, 2), 255, np.uint8)) is None


def test_what_only_touches_the_outline_is_not_writing():
    shown = cell()
    shown[..., 0] = cv2.circle(np.zeros((64, 64), np.uint8), (32, 32), 23, 200, 1)
    assert line_of(shown) is None


def test_agreement_raises_and_disagreement_keeps_a_doubt():
    first = {number(12): 0.8, number(72): 0.15}
    agreed = COMBINATION.pooled(first, {number(12): 0.9, number(72): 0.05})
    assert agreed.best == number(12)
    assert agreed.confidence > 0.95
    torn = COMBINATION.pooled(first, {number(72): 0.9, number(12): 0.05})
    assert torn.confidence < 0.8
    assert sum(share for _, share in agreed.candidates) <= 1


def test_a_cross_or_nothing_in_a_number_field_is_no_surer_for_being_seen_by_both():
    first, cross = Reading(((CROSS, 0.9), (number(16), 0.08))), {CROSS: 0.95}
    assert COMBINATION.of_two_readers(first, cross, "number") == first
    assert COMBINATION.of_two_readers(first, {number(16): 0.99}, "number").best == number(16)
    nothing = Reading(((EMPTY, 0.9), (number(1), 0.08)))
    assert COMBINATION.of_two_readers(nothing, {EMPTY: 0.95}, "number") == nothing
    twelve = Reading(((number(12), 0.9), (number(72), 0.08)))
    assert COMBINATION.of_two_readers(twelve, {number(12): 0.95}, "number").confidence > 0.9


def test_a_content_that_one_reader_does_not_know_of_keeps_its_floor():
    reading = COMBINATION.pooled({number(5): 0.9}, {CROSS: 0.9})
    shares = dict(reading.candidates)
    assert shares[number(5)] == pytest.approx(shares[CROSS])


class Scripted:
    """Stands in for both readers."""

    def __init__(self, readings=(), answers=()):
        self.readings, self.answers, self.asked = list(readings), list(answers), None
        self.name, self.cell, self.pale_below = "cells-v1", CELL, 0.0

    def read(self, cells, kinds):
        return list(self.readings)

    def probabilities(self, cells, kinds):
        self.asked = (len(cells), list(kinds))
        return self.answers


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "config.json").write_text(COMBINATION.model_dump_json())
    return tmp_path


def combined(folder, readings, answers):
    helper = Scripted(answers=answers)
    helper.folder, helper.name = folder, "second-v1"
    return CombinedReader(Scripted(readings), helper), helper


def test_only_what_the_first_is_not_sure_of_is_asked(folder):
    sure, unsure = Reading(((number(3), 0.995),)), Reading(((number(1), 0.6), (number(7), 0.39)))
    mark = Reading(((CROSS, 0.6), (EMPTY, 0.4)))
    reader, helper = combined(folder, [sure, unsure, mark], [{number(1): 0.95, number(7): 0.02}])
    readings = reader.read(np.zeros((3, 64, 64, 2), np.uint8), ["number", "tally", "mark"])
    assert helper.asked == (1, ["tally"])
    assert readings[0] is sure
    assert readings[2] is mark
    assert readings[1].best == number(1)
    assert readings[1].confidence > 0.95
    assert reader.name == "cells-v1 + second-v1"
    assert (reader.sure_from, reader.unreadable_below) == (0.98, 0.3)


def test_a_combination_made_for_another_network_is_refused(folder):
    other = COMBINATION.model_copy(update={"first": "cells-v9"})
    (folder / "config.json").write_text(other.model_dump_json())
    with pytest.raises(TemplateError, match="made to go with cells-v9, not cells-v1"):
        combined(folder, [], [])


@pytest.mark.parametrize("content", [b"", b"no JSON", b"\xff\xfe", b"[]", b"{}"])
def test_a_damaged_combination_is_refused(tmp_path, content):
    (tmp_path / "config.json").write_bytes(content)
    with pytest.raises(TemplateError, match=r"config\.json: ") as failure:
        load_combination(tmp_path)
    assert "--reader network" in failure.value.hint


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("sure_from", 2),
        ("first_floor", 0),
        ("same_hand.own", {"own": 0, "ones": -1, "offset": 0}),
        ("more", 1),
    ],
)
def test_a_wrong_entry_of_the_combination_is_named(tmp_path, key, value):
    entries = COMBINATION.model_dump() | {key.partition(".")[0]: value}
    (tmp_path / "config.json").write_text(json.dumps(entries))
    with pytest.raises(TemplateError, match=rf"config\.json: {key}: "):
        load_combination(tmp_path)


def test_a_missing_combination_is_refused(tmp_path):
    with pytest.raises(TemplateError, match="can't be read"):
        load_combination(tmp_path / "nowhere")


def test_the_shipped_combination_goes_with_the_shipped_network():
    assert load_combination(newest_model("second")).first == NetworkReader().name


@pytest.fixture
def missing_package(monkeypatch):
    def missing(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", missing)


@pytest.fixture
def other_model(monkeypatch, tmp_path):
    path = tmp_path / "model.onnx"
    path.write_bytes(b"something else")
    monkeypatch.setattr(second, "recogniser_path", lambda: path)
    return path


def test_a_missing_package_is_named(missing_package):
    with pytest.raises(MissingExtraError, match="rapidocr") as caught:
        load_reader("combined")
    assert caught.value.exit_code == ExitCode.MISSING_EXTRA
    assert "pip install" in caught.value.hint


def test_without_the_package_the_network_reads_alone(missing_package):
    assert load_reader("auto").name == NetworkReader().name
    assert "rapidocr, which is not installed" in why_alone()


def test_a_package_with_another_model_is_not_used(other_model):
    assert load_reader("auto").name == NetworkReader().name
    assert why_alone().startswith(str(other_model))


def test_a_package_without_the_model_is_refused(monkeypatch):
    monkeypatch.setattr(second, "MODEL_FILE", "rapidocr/models/another.onnx")
    with pytest.raises(MissingExtraError):
        recogniser_path()


def test_another_model_is_refused(other_model):
    with pytest.raises(TemplateError, match="not the model"):
        load_recogniser(other_model)


@pytest.mark.parametrize("content", [None, b""])
def test_a_model_that_cant_be_loaded_is_refused(tmp_path, content):
    path = tmp_path / "model.onnx"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(TemplateError, match="can't be loaded"):
        load_recogniser(path)


@pytest.fixture(scope="module")
def reader():
    return SecondReader()


@needs_package
class TestInstalled:
    """What needs the recogniser itself."""

    def test_numbers_are_read(self, reader):
        texts = ["3", "8", "5", "12", "14", "26"]
        found = reader.probabilities(np.stack([cell(text) for text in texts]), ["tally"] * len(texts))
        best = [max(shares, key=lambda content: shares[content]) for shares in found]
        assert sum(content == number(int(text)) for content, text in zip(best, texts, strict=True)) >= 5
        assert all(sum(shares.values()) <= 1 + 1e-6 for shares in found)

    def test_an_empty_field_needs_no_recogniser(self, reader):
        assert reader.probabilities(cell()[None], ["number"]) == [{EMPTY: 1.0}]

    def test_only_tallies_are_negative_and_only_they_know_no_cross(self, reader):
        pictures = np.stack([cell("-12", 4.0)] * 2)
        field, tally = reader.probabilities(pictures, ["number", "tally"])
        assert CROSS in field
        assert CROSS not in tally
        assert Content("void") in tally
        assert all(content.value is None or content.value >= 0 for content in field)
        assert any(content.value is not None and content.value < 0 for content in tally)

    def test_fields_to_be_marked_are_not_read(self, reader):
        with pytest.raises(ValueError, match="number, tally and blocked"):
            reader.probabilities(cell()[None], ["mark"])

    def test_opencv_runs_the_recogniser_as_the_reference_does(self):
        onnxruntime = pytest.importorskip("onnxruntime")
        line = np.repeat(line_of(cell("17"))[None, None], 3, axis=1)
        net = load_recogniser(recogniser_path())
        net.setInput(line)
        session = onnxruntime.InferenceSession(str(recogniser_path()), providers=["CPUExecutionProvider"])
        assert np.abs(net.forward() - session.run(None, {"x": line})[0]).max() < 1e-4

    def test_the_whole_reads(self):
        reader = load_reader("auto")
        assert why_alone() is None
        assert reader.name == load_reader("combined").name
        readings = reader.read(np.stack([cell("12"), cell()]), ["number", "number"])
        assert readings[0].best == number(12)
        assert readings[1].best == EMPTY
        assert "rapidocr" not in sys.modules

    def test_a_damaged_readout_is_refused(self, tmp_path):
        shutil.copytree(newest_model("second"), tmp_path / "second-v1")
        (tmp_path / "second-v1" / "readout.npz").write_bytes(b"no arrays")
        with pytest.raises(TemplateError, match="can't be loaded"):
            SecondReader(tmp_path / "second-v1").probabilities(cell("5")[None], ["number"])
