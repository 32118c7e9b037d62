"""Fields of bent sheets are placed in three ways, and the last one is the best."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks import lab, positions
from benchmarks.positions import KINDS, STRUCK, WAYS, Placed, place

JOB = lab.Job(lab.Source(None, "easy"), 2)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions, "SIZE_PX", (2048, 1536))


def test_outlines_follow_a_curl_that_a_homography_cant(tmp_path: Path) -> None:
    placed = place(("sag 15 mm, long side", JOB), tmp_path)
    plain, _, best = (float(np.median(placed.errors_mm[way])) for way in WAYS)
    assert best < 0.2
    assert plain > 1
    (path,) = tmp_path.glob("*.jpg")
    assert cv2.imread(str(path)).shape[1] == 840


def test_on_flat_paper_all_ways_agree() -> None:
    placed = place(("flat", JOB))
    assert placed.refused is None
    assert max(max(errors) for errors in placed.errors_mm.values()) < 0.3


def test_strokes_along_outlines_mislead_no_field() -> None:
    job = lab.Job(lab.Source(None, "easy", "qwixx"), 5400)
    placed = place((STRUCK, job))
    errors = placed.errors_mm[WAYS[-1]]
    assert np.percentile(errors, 99) < 0.4
    assert placed.errors_mm != place(("flat", job)).errors_mm


def test_bends_are_seeded_and_differ() -> None:
    for bend in KINDS.values():
        seeded = [bend(np.random.default_rng([1, number])) for number in range(6)]
        assert seeded == [bend(np.random.default_rng([1, number])) for number in range(6)]
        assert len(set(seeded)) == 6


def test_report_gives_median_and_99_percent(capsys: pytest.CaptureFixture[str]) -> None:
    errors = tuple(number / 100 for number in range(101))
    photos = [
        Placed(1, "fold 10°", dict.fromkeys(WAYS, errors)),
        Placed(2, "fold 20°", {}, "the sheet is folded"),
    ]
    positions.report(photos)
    told = capsys.readouterr().out
    assert "0.500 / 0.990" in told
    assert "- fold 20°, photo 2: the sheet is folded" in told
