"""The benchmarks count right, on few photos. Whether the figures are good is not for these tests to say."""

import dataclasses
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks import accuracy, lab, memory, speed
from benchmarks.outcome import FieldOutcome, PhotoOutcome, measure, position_errors_mm
from sheetscan.pipeline import Scanner
from sheetscan.reading.reader import Reading
from sheetscan.reading.tesseract import TesseractReader
from sheetscan.result import CROSS, EMPTY, Content, number
from sheetscan.template import FieldKind, load_template

needs_tesseract = pytest.mark.skipif(shutil.which("tesseract") is None, reason="Tesseract is not installed")
needs_recorded = pytest.mark.skipif(not lab.RECORDED.is_dir(), reason="needs ../shared/data/handwriting")
INVENTED = lab.Source(recorded=None, difficulty="easy")


class Stubborn:
    """A reader that takes every field for an empty one, and is sure of it."""

    name = "stubborn"
    cell = TesseractReader.cell
    sure_from = 0.9
    unreadable_below = 0.1
    same_hand = None
    pale_below = 0.0

    def read(self, cells: NDArray[np.uint8], kinds: list[FieldKind]) -> list[Reading]:
        return [Reading(((EMPTY, 1.0),)) for _ in kinds]


@pytest.fixture(scope="module")
def photo() -> lab.LabPhoto:
    return lab.make(lab.Job(INVENTED, 1))


def field(truth: Content, read: Content, *, sure: bool = True) -> FieldOutcome:
    return FieldOutcome(1, "orange-3", "number", truth, read, read, 0.9, sure)


def outcome(*fields: FieldOutcome, **changes: object) -> PhotoOutcome:
    found = PhotoOutcome(1, "found", "", fields, (0.1, 0.2, 0.3), true_total=10, read_total=10, questions=0)
    return dataclasses.replace(found, **changes)  # type: ignore[arg-type]


def test_summary_counts_what_its_names_say() -> None:
    fields = [
        field(number(5), number(5)),
        field(number(5), number(6)),
        field(number(5), number(6), sure=False),
        field(EMPTY, CROSS),
        field(EMPTY, EMPTY),
    ]
    outcomes = [outcome(*fields), outcome(read_total=11), outcome(read_total=9, questions=3)]
    outcomes += [PhotoOutcome(4, "refused", "blurred"), PhotoOutcome(5, "missed", "")]
    blank = outcome(field(EMPTY, EMPTY), field(EMPTY, EMPTY, sure=False), field(EMPTY, number(1)))
    figures = accuracy.summary(outcomes, [blank])
    expected = {
        "photos": 5,
        "photos found": 3,
        "photos refused": 1,
        "photos missed": 1,
        "fields": 5,
        "read exactly": 2,
        "in doubt": 1,
        "sure and wrong": 2,
        "empty": 2,
        "empty read as ink": 1,
        "position median mm": 0.2,
        "totals right": 1,
        "totals certain": 2,
        "totals certain and wrong": 1,
        "questions, median sheet": 0,
        "questions": 3,
        "blank fields read as ink or in doubt": 2,
    }
    assert {name: figures[name] for name in expected} == expected


def test_report_lists_every_sure_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    accuracy.report([outcome(field(number(17), number(11)), field(number(9), number(9)))], [])
    text = capsys.readouterr().out
    assert "photo 1 orange-3: 17 read as 11" in text
    assert "| 17      |   11 |     1 |" in text


@pytest.mark.parametrize(
    ("moved", "expected_mm"),
    [
        pytest.param(lambda points: points * 10 + 1, 2**0.5 / 10, id="shift by a pixel both ways"),
        pytest.param(lambda points: points * 10, 0.0, id="the same map"),
    ],
)
def test_position_errors_are_millimetres_on_the_sheet(
    moved: Callable[[NDArray[np.float64]], NDArray[np.float64]], expected_mm: float
) -> None:
    fields = load_template("qwinto").readable_fields
    errors_mm = position_errors_mm(lambda points: points * 10, moved, fields)
    assert len(errors_mm) == 5 * len(fields)
    assert errors_mm == pytest.approx([expected_mm] * len(errors_mm))


def test_same_job_gives_the_same_photo_and_another_one_does_not(photo: lab.LabPhoto) -> None:
    again, other = lab.make(lab.Job(INVENTED, 1)), lab.make(lab.Job(INVENTED, 2))
    assert np.array_equal(again.photo.pixels, photo.photo.pixels)
    assert again.truth == photo.truth
    assert other.truth.fields != photo.truth.fields


def test_blank_photo_is_of_a_blank_sheet() -> None:
    truth = lab.make(lab.Job(INVENTED, 1, blank=True)).truth
    assert {reading.content for reading in truth.fields.values()} == {EMPTY}


def test_wrong_fields_are_counted_and_kept_as_pictures(photo: lab.LabPhoto, tmp_path: Path) -> None:
    result = measure(photo, Scanner(Stubborn()), tmp_path)
    inked = [name for name, reading in photo.truth.fields.items() if reading.content != EMPTY]
    assert inked
    assert result.fate == "found"
    assert [field.field for field in result.fields if not field.right] == inked
    assert len(list(tmp_path.glob("sure-*.png"))) == len(inked)
    assert max(result.errors_mm) < 0.5


def test_photo_without_a_sheet_is_refused_with_a_reason(photo: lab.LabPhoto) -> None:
    white = dataclasses.replace(photo.photo, pixels=np.full_like(photo.photo.pixels, 255))
    result = measure(dataclasses.replace(photo, photo=white), Scanner(Stubborn()))
    assert result.fate == "refused"
    assert "sheet found" in result.reason


@needs_recorded
def test_real_strokes_are_read_where_they_are() -> None:
    result = measure(lab.make(lab.Job(lab.Source(), 3)), Scanner(Stubborn()))
    assert result.fate == "found"
    assert float(np.median(result.errors_mm)) < 0.15


def test_missing_recordings_end_with_advice(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="--hands synthetic"):
        accuracy.main(["--data", str(tmp_path / "nowhere")])


@needs_tesseract
def test_accuracy_runs_as_a_program(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    options = ["--photos", "1", "--blank", "1", "--hands", "synthetic", "--difficulty", "easy", "--json"]
    options += ["--reader", "tesseract", "--processes", "1", "--failures", str(tmp_path)]
    assert accuracy.main(options) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["summary"]["photos found"] == data["summary"]["blank sheets found"] == 1
    assert len(data["outcomes"][0]["fields"]) == len(load_template("qwinto").readable_fields)


def test_every_step_is_timed(photo: lab.LabPhoto, tmp_path: Path) -> None:
    from PIL import Image

    path = tmp_path / "photo.jpg"
    Image.fromarray(photo.photo.pixels[..., ::-1].copy()).save(path, quality=95)
    durations = speed.steps(path, Stubborn(), repeats=1)
    assert all(duration.clock_ms > 0 for duration in durations.values())
    parts = sum(
        duration.clock_ms for step, duration in durations.items() if step not in ("decode", speed.WHOLE)
    )
    assert 0.5 * durations[speed.WHOLE].clock_ms < parts < durations[speed.WHOLE].clock_ms


def test_memory_is_of_the_program_alone() -> None:
    ballast = np.ones(60_000_000, np.uint8)
    small = memory.peak_memory_mb([sys.executable, "-c", "pass"])
    large = memory.peak_memory_mb([sys.executable, "-c", "x = bytes(1) * 50_000_000"])
    assert small < ballast.nbytes / 1e6
    assert 45 < large - small < 60


def test_upright_crosses_are_made_of_a_stem_and_a_bar_in_pale_pencil() -> None:
    job = lab.Job(lab.Source(None, "easy", "qwixx", upright=True), 3)
    script = lab.script_of(job, np.random.default_rng(3))
    assert script.pen.kind == "pencil"
    assert script.pen.darkness <= 0.6
    for hand in lab.writers(lab.Source(recorded=None, upright=True)):
        widths, heights = np.array(
            [np.ptp(stroke, axis=0) for stroke in hand.cross(np.random.default_rng(1))]
        ).T
        assert widths.min() < widths.max() / 2
        assert heights.min() < heights.max() / 2
