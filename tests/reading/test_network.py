"""The network's reader: what it reads, what it refuses, and that it does not drift."""

import json
import math
import shutil
from hashlib import sha256
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheetscan.errors import ExitCode, TemplateError
from sheetscan.lab.hand import SyntheticHand
from sheetscan.lab.pen import Pen, draw
from sheetscan.reading.calibration import Scaling, calibrated
from sheetscan.reading.model_folder import newest_model
from sheetscan.reading.network import NetworkReader, of_two_looks, reading_of
from sheetscan.result import CROSS, EMPTY, Content, number

RECORDED = Path(__file__).parent / "recorded_outputs.npz"
NETWORKS = ("model", "glance", "marks")
BALLPOINT = Pen("ballpoint", (0.1, 0.15, 0.5), 0.4, 0.9, 0.1, 0.0, 0.0, 0.03)


@pytest.fixture(scope="module")
def reader():
    return NetworkReader()


def cell(drawing=None, shape="circle", size_mm=6.5):
    """A cell with a clean outline in which a synthetic hand wrote `drawing` (text or kind of mark)."""
    print_mask = np.full((64, 64), 255, np.uint8)
    page = np.ones((64, 64, 3), np.float32)
    if shape == "circle":
        cv2.circle(print_mask, (32, 32), 23, 0, cv2.FILLED)
        cv2.circle(page, (32, 32), 24, (0.3,) * 3, 2, cv2.LINE_AA)
    else:
        cv2.rectangle(print_mask, (11, 11), (53, 53), 0, cv2.FILLED)
        cv2.rectangle(page, (10, 10), (54, 54), (0.3,) * 3, 2, cv2.LINE_AA)
    if drawing:
        rng = np.random.default_rng(sum(map(ord, drawing)))
        hand = SyntheticHand(4, european=True)
        strokes = hand.write(drawing, rng) if drawing[-1].isdecimal() else hand.mark(drawing, rng)
        points = np.concatenate(strokes)
        middle = (points.min(axis=0) + points.max(axis=0)) / 2
        draw(page, [(stroke - middle) * size_mm * 4 + 32 for stroke in strokes], 4.0, BALLPOINT, rng)
    ink = np.rint(255 * (1 - page.min(axis=2))).astype(np.uint8)
    return np.stack([ink, print_mask], axis=-1)


def read(reader, kind, *cells):
    return reader.read(np.stack(cells), [kind] * len(cells))


@pytest.mark.parametrize("value", [*range(19), 21, 47, 90])
def test_reads_numbers_as_they_are_written_not_as_the_rules_would_have_them(reader, value):
    reading = read(reader, "number", cell(str(value), size_mm=5.5))[0]
    assert reading.best == number(value)
    assert reading.confidence > 0.5


def test_reads_three_digits_and_negative_totals_in_tally_fields(reader):
    readings = read(reader, "tally", cell("103", "box", 5), cell("-12", "box", 5))
    assert [reading.best for reading in readings] == [number(103), number(-12)]


@pytest.mark.parametrize("text", ["111", "116", "118"])
def test_cramped_repeated_stems_are_read_or_doubted_but_never_surely_misread(reader, text):
    for height_mm in (3.5, 4.5, 5.5):
        reading = read(reader, "tally", cell(text, "box", height_mm))[0]
        assert reading.best == number(int(text)) or reading.confidence < reader.sure_from


@pytest.mark.parametrize("kind", ["number", "blocked", "tally", "mark"])
def test_an_empty_field_is_surely_empty(reader, kind):
    reading = read(reader, kind, cell(shape="circle" if kind == "number" else "box"))[0]
    assert reading.best == Content("empty")
    assert reading.confidence > 0.98


def test_a_negative_number_stands_in_tally_fields_only(reader):
    reading = read(reader, "number", cell("-12", size_mm=4.5))[0]
    assert all(content.value is None or content.value >= 0 for content, _ in reading.candidates)


def test_there_is_always_a_first_candidate():
    reading = reading_of({Content("empty"): 1e-6, Content("cross"): 2e-6})
    assert reading.candidates == ((Content("cross"), 2e-6),)


@pytest.mark.parametrize(
    ("drawing", "content"),
    [("cross", "cross"), ("tick", "cross"), ("slash", "cross"), ("line", "line"), ("fill", "void")],
)
def test_tells_the_marks_of_mark_fields_apart(reader, drawing, content):
    assert read(reader, "mark", cell(drawing, "box", 7.5))[0].best == Content(content)


@pytest.mark.parametrize(("drawing", "content"), [("cross", "cross"), ("scribble", "void"), ("fill", "void")])
def test_crosses_and_scribbles_in_number_fields(reader, drawing, content):
    assert read(reader, "number", cell(drawing, size_mm=7.5))[0].best == Content(content)


@pytest.mark.parametrize("kind", ["number", "blocked", "tally", "mark"])
def test_every_kind_of_field_gets_only_contents_that_it_can_hold(reader, kind):
    known = {
        "number": {"empty", "number", "cross", "void"},
        "blocked": {"empty", "number", "cross", "void"},
        "tally": {"empty", "number", "void"},
        "mark": {"empty", "cross", "line", "void"},
    }[kind]
    noise = np.random.default_rng(0).integers(0, 256, (8, 64, 64, 2), np.uint8)
    for reading in reader.read(noise, [kind] * 8):
        assert {content.kind for content, _ in reading.candidates} <= known
        shares = [share for _, share in reading.candidates]
        assert shares == sorted(shares, reverse=True)
        assert 0 < sum(shares) <= 1 + 1e-9


def test_no_cells_no_readings(reader):
    assert reader.read(np.zeros((0, 64, 64, 2), np.uint8), []) == []


def test_text_fields_and_unequal_lengths_are_refused(reader):
    with pytest.raises(ValueError, match="text fields"):
        read(reader, "text", cell())
    with pytest.raises(ValueError, match="1 cells but 2 kinds"):
        reader.read(cell()[None], ["number", "number"])


def test_a_batch_reads_what_single_cells_read(reader):
    cells = [cell(str(value)) for value in (7, 12, 18)]
    together = read(reader, "number", *cells)
    for whole, alone in zip(together, cells, strict=True):
        single = read(reader, "number", alone)[0]
        assert whole.best == single.best
        assert whole.confidence == pytest.approx(single.confidence, abs=1e-4)


shares = st.lists(st.floats(0.001, 1), min_size=1, max_size=5).map(
    lambda parts: [p / (sum(parts) + 0.01) for p in parts]
)


@given(shares, st.floats(0.5, 4))
def test_calibration_keeps_the_numbers_order_and_stays_within_one(parts, temperature):
    probabilities = {number(value): part for value, part in enumerate(parts)}
    after = calibrated(probabilities, Scaling(temperature=1.3), Scaling(temperature=temperature))
    assert sum(after.values()) <= 1 + 1e-9
    order = sorted(probabilities, key=lambda content: probabilities[content])
    assert [after[content] for content in order] == sorted(after.values())


def test_without_a_calibration_nothing_changes():
    assert calibrated({number(1): 0.7, number(7): 0.2}, Scaling(), Scaling()) == pytest.approx(
        {number(1): 0.7, number(7): 0.2}
    )


def test_the_model_is_small():
    assert sum(network.stat().st_size for network in newest_model().glob("*.onnx")) < 2_500_000
    assert (newest_model() / "MODEL_CARD.md").is_file()


@pytest.fixture
def damaged(tmp_path):
    folder = tmp_path / "cells-v1"
    shutil.copytree(newest_model(), folder)
    return folder


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(TemplateError, match=r"config\.json") as failure:
        NetworkReader(tmp_path / "nothing-v1")
    assert failure.value.exit_code == ExitCode.TEMPLATE
    assert failure.value.hint


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[]", b'{"name": "x"}'])
def test_a_damaged_config_is_named(damaged, content):
    (damaged / "config.json").write_bytes(content)
    with pytest.raises(TemplateError, match=r"config\.json"):
        NetworkReader(damaged)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("sure_from", 1.5),
        ("symbols", "0123"),
        ("calibration", {"number": {"temperature": 0}}),
        ("calibration", {"number": {"biases": {"scribble": 1}}}),
        ("surprise", 1),
        ("version", "x"),
    ],
)
def test_a_wrong_entry_of_the_config_is_named(damaged, key, value):
    path = damaged / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {key: value}))
    with pytest.raises(TemplateError, match=key):
        NetworkReader(damaged)


@pytest.mark.parametrize("keep", [0, 100, 200_000])
def test_a_damaged_network_is_named(damaged, keep):
    path = damaged / "model.onnx"
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(TemplateError, match=r"model\.onnx"):
        NetworkReader(damaged).closely(cell()[None], ["number"])


def test_a_missing_network_is_named(damaged):
    (damaged / "model.onnx").unlink()
    with pytest.raises(TemplateError, match=r"model\.onnx"):
        NetworkReader(damaged).closely(cell()[None], ["number"])


@pytest.fixture(scope="module")
def recorded():
    """What onnxruntime answered when the networks were made, on cells of all kinds."""
    known = np.load(RECORDED)
    for name in NETWORKS:
        network = sha256((newest_model() / f"{name}.onnx").read_bytes()).hexdigest()
        again = f"recorded with another {name}.onnx: run `python -m training.record`"
        assert str(known[f"{name} hash"]) == network, again
    return known


def network_named(reader, name):
    return {"model": reader.network, "glance": reader.glance, "marks": reader.marks}[name]


@pytest.mark.parametrize("name", NETWORKS)
def test_outputs_are_those_recorded_when_the_network_was_made(reader, recorded, name):
    signs, kinds = network_named(reader, name).outputs(recorded["cells"])
    np.testing.assert_allclose(signs, recorded[f"{name} signs"], atol=1e-4, rtol=1e-4)
    np.testing.assert_allclose(kinds, recorded[f"{name} kinds"], atol=1e-4, rtol=1e-4)


def test_the_recording_knows_every_kind_of_content(reader, recorded):
    kinds = ["number"] * len(recorded["cells"]), ["mark"] * len(recorded["cells"])
    best = {reading.best for asked in kinds for reading in reader.read(recorded["cells"], asked)}
    assert {content.kind for content in best} == {"empty", "number", "cross", "line", "void"}


@pytest.mark.parametrize("name", NETWORKS)
def test_opencv_and_onnxruntime_agree(reader, recorded, name):
    onnxruntime = pytest.importorskip("onnxruntime", reason="onnxruntime, the reference, is not installed")
    cells = recorded["cells"]
    session = onnxruntime.InferenceSession(str(newest_model() / f"{name}.onnx"))
    planes = np.ascontiguousarray(cells.transpose(0, 3, 1, 2), np.float32) / 255
    reference = session.run(["signs", "kinds"], {"cells": planes})
    for ours, theirs in zip(network_named(reader, name).outputs(cells), reference, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-4, rtol=1e-4)


def test_doubt_about_values_leaves_the_kind_alone():
    shares = {Content("empty"): 0.1, number(1): 0.8, number(7): 0.1}
    after = calibrated(shares, Scaling(), Scaling(temperature=3.0))
    assert after[Content("empty")] == pytest.approx(0.1)
    assert after[number(1)] + after[number(7)] == pytest.approx(0.9)
    assert after[number(1)] < 0.8


def test_a_kind_that_training_showed_too_often_loses_and_the_others_keep_their_ratio():
    shares = {Content("empty"): 0.1, Content("void"): 0.6, number(1): 0.2, number(7): 0.1}
    after = calibrated(shares, Scaling(biases={"void": -1.5}), Scaling())
    assert after[Content("void")] < 0.6
    assert after[Content("void")] / after[Content("empty")] == pytest.approx(6 * math.exp(-1.5))
    assert after[number(1)] / after[Content("empty")] == pytest.approx(2)
    assert sum(after.values()) == pytest.approx(1)


def asked(reader, cells, monkeypatch, field="number"):
    """How many cells each of the networks is shown."""
    shown = dict.fromkeys(NETWORKS, 0)
    for name in shown:
        network = network_named(reader, name)
        outputs = network.outputs

        def counted(cells, name=name, outputs=outputs):
            shown[name] += len(cells)
            return outputs(cells)

        monkeypatch.setattr(network, "outputs", counted)
    read(reader, field, *cells)
    return shown


def test_what_is_plain_at_a_glance_is_not_looked_at_again(reader, monkeypatch):
    assert asked(reader, [cell("3"), cell(), cell("15")], monkeypatch) == {
        "glance": 2,
        "model": 0,
        "marks": 0,
    }


def test_what_is_not_plain_is_looked_at_closely(reader, monkeypatch):
    both = np.maximum(cell("17"), cell("8"))
    shown = asked(reader, [cell("3"), both], monkeypatch)
    assert shown["glance"] == 2
    assert shown["model"] >= 1


def test_a_cross_is_plain_in_a_field_to_be_marked_only(reader, monkeypatch):
    crossed = cell("cross", "box", 10)
    assert asked(reader, [crossed], monkeypatch, "mark") == {"glance": 1, "model": 0, "marks": 0}
    assert asked(reader, [crossed], monkeypatch, "number")["model"] >= 1


def test_fields_to_be_marked_have_a_network_of_their_own(reader, monkeypatch):
    lined = cell("line", "box", 10)
    shown = asked(reader, [lined], monkeypatch, "mark")
    assert (shown["model"], shown["marks"] > 0) == (0, True)


def test_a_model_folder_without_one_reads_marks_with_the_network_of_the_others(damaged):
    (damaged / "marks.onnx").unlink()
    path = damaged / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"marks": False}))
    plain = NetworkReader(damaged)
    assert plain.marks is plain.network
    assert plain.closely(cell("line", "box", 10)[None], ["mark"])


def test_a_last_seven_is_never_plain(reader, monkeypatch):
    """It may be a one with a flag, which a glance can't tell."""
    assert asked(reader, [cell("7"), cell("17")], monkeypatch)["model"] >= 2


@pytest.mark.parametrize(
    ("content", "stands"), [(CROSS, True), (EMPTY, True), (Content("line"), False), (Content("void"), False)]
)
def test_a_line_may_be_a_cross_with_a_pale_stroke_which_a_glance_cant_tell(reader, content, stands):
    assert reader.config.glance.suffices(reading_of({content: 0.9999}), "mark") == stands


def test_a_model_folder_without_a_glance_looks_at_all_closely(damaged, monkeypatch):
    (damaged / "glance.onnx").unlink()
    path = damaged / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"glance": None}))
    assert asked(NetworkReader(damaged), [cell(), cell("7")], monkeypatch)["glance"] == 0


def test_a_damaged_glance_is_named(damaged):
    (damaged / "glance.onnx").write_bytes(b"")
    with pytest.raises(TemplateError, match=r"glance\.onnx"):
        NetworkReader(damaged).read(cell("5")[None], ["number"])


@pytest.mark.parametrize(
    ("kind", "field"),
    [("empty", "number"), ("cross", "number"), ("void", "number"), ("empty", "tally"), ("line", "mark")],
)
def test_what_may_be_something_else_is_as_sure_as_both_networks_are(kind, field):
    glance, close = reading_of({Content(kind): 0.6, number(1): 0.3}), reading_of({Content(kind): 0.98})
    both = of_two_looks(glance, close, field)
    assert both.best == Content(kind)
    assert both.confidence == pytest.approx(0.79)
    assert both.candidates[1] == (number(1), pytest.approx(0.15))


@pytest.mark.parametrize(
    ("content", "field"), [(number(7), "number"), (EMPTY, "mark"), (CROSS, "mark"), (Content("void"), "mark")]
)
def test_other_things_the_close_look_tells_alone(content, field):
    close = reading_of({content: 0.9})
    assert of_two_looks(reading_of({Content("empty"): 0.6}), close, field) == close
