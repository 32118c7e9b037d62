"""Recorded handwriting: splits stay apart, digits are scaled, damaged folders are refused."""

from pathlib import Path

import numpy as np
import pytest

from sheetscan.errors import UnreadableInputError
from sheetscan.lab.hand import MARK_KINDS
from sheetscan.lab.recorded import RecordedHands

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "handwriting"
FILES = ("unipen_digits", "skahl_strokes", "russian_strokes", "unipen_numbers", "unipen_marks")

DIGIT = np.array([[500, 0], [0, 4000], [2000, 4000], [1500, 100]], np.int16)
CROSS = np.array([[0, 0], [4000, 4000], [0, 4000], [4000, 0]], np.int16)


def write_files(folder, labels="0123456789", writers=("gmd:a", "app:b")):
    """Stroke files in which each writer has each digit; the second one is for validation."""
    for name in FILES:
        signs = "x/-" if name == "unipen_marks" else labels
        samples = [(writer, sign) for writer in writers for sign in signs]
        shapes = [CROSS if sign == "x" else DIGIT for _, sign in samples]
        if name == "unipen_marks":
            shapes = [
                shape if sign != "-" else shape // [1, 40]
                for shape, (_, sign) in zip(shapes, samples, strict=True)
            ]
        np.savez(
            folder / f"{name}.npz",
            points=np.concatenate(shapes),
            stroke_start=np.arange(len(samples) + 1) * 4,
            sample_start=np.arange(len(samples) + 1),
            size=np.full(len(samples), 100.0),
            label=np.array([sign for _, sign in samples]),
            writer=np.array([writer for writer, _ in samples]),
            validation=np.array([writer == writers[-1] for writer, _ in samples]),
        )


def test_each_split_has_its_own_writers(tmp_path):
    write_files(tmp_path)
    train, validation = (RecordedHands(tmp_path, split).hands for split in ("train", "validation"))
    assert [hand.name for hand in train] == ["gmd:a"]
    assert [hand.name for hand in validation] == ["app:b"]
    assert train[0].european
    assert not validation[0].european


def test_numbers_are_composed_of_the_writers_digits_on_the_baseline(tmp_path):
    write_files(tmp_path)
    hand = RecordedHands(tmp_path, "train").hands[0]
    points = np.concatenate(hand.write("-47", np.random.default_rng(0)))
    assert len(hand.write("47", np.random.default_rng(0))) == 2
    assert points[:, 1].min() == pytest.approx(-1, abs=0.3)
    assert points[:, 1].max() == pytest.approx(0, abs=0.2)


@pytest.mark.parametrize("kind", MARK_KINDS)
def test_marks_lie_around_the_unit_square(tmp_path, kind):
    write_files(tmp_path)
    points = np.concatenate(RecordedHands(tmp_path, "train").hands[0].mark(kind, np.random.default_rng(1)))
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    assert middle == pytest.approx([0.5, -0.5], abs=0.25)


def test_writers_who_lack_a_digit_are_left_out(tmp_path):
    write_files(tmp_path, labels="012345678")
    assert RecordedHands(tmp_path, "train").hands == []


def test_what_cannot_be_written_is_refused(tmp_path):
    write_files(tmp_path)
    with pytest.raises(ValueError, match="can be written"):
        RecordedHands(tmp_path, "train").hands[0].write("x", np.random.default_rng(0))


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(UnreadableInputError, match=r"unipen_digits\.npz"):
        RecordedHands(tmp_path, "train")


def test_a_damaged_file_is_named(tmp_path):
    write_files(tmp_path)
    (tmp_path / "skahl_strokes.npz").write_bytes(b"PK\x03\x04 not a zip")
    with pytest.raises(UnreadableInputError, match=r"skahl_strokes\.npz"):
        RecordedHands(tmp_path, "train")


@pytest.mark.skipif(not FOLDER.is_dir(), reason="the recorded handwriting is not beside the checkout")
def test_the_real_files_have_european_writers_in_both_splits_and_nobody_in_both():
    train, validation = (RecordedHands(FOLDER, split) for split in ("train", "validation"))
    assert {hand.name for hand in train.hands}.isdisjoint(hand.name for hand in validation.hands)
    assert sum(hand.european for hand in train.hands) >= 10
    assert sum(hand.european for hand in validation.hands) >= 4
