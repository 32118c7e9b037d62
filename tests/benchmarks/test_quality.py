"""The labels of the quality benchmark, and the batch of the speed benchmark, count what they say."""

from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from benchmarks import batch, lab, quality
from benchmarks.outcome import FieldOutcome, PhotoOutcome
from benchmarks.quality import Judged, label_of, refused
from sheetscan.imaging.quality import Visibility
from sheetscan.lab.scene import Scene
from sheetscan.result import EMPTY, Content, number

READ, BLANK = number(7), EMPTY


def photo(*readings: tuple[Content, Content, bool]) -> PhotoOutcome:
    fields = (FieldOutcome(1, "x", "number", truth, read, read, 0.9, sure) for truth, read, sure in readings)
    return PhotoOutcome(1, "found", "", tuple(fields))


RIGHT, DOUBT, WRONG = (READ, READ, True), (READ, BLANK, False), (READ, number(1), True)


@pytest.mark.parametrize(
    ("outcome", "label"),
    [
        (photo(*[RIGHT] * 19, DOUBT), "good"),
        (photo(*[RIGHT] * 19, WRONG), "between"),
        (photo(*[RIGHT] * 18, DOUBT, DOUBT), "between"),
        (photo(*[RIGHT] * 18, WRONG, WRONG), "misread"),
        (photo(*[RIGHT] * 15, *[DOUBT] * 5), "misread"),
        (PhotoOutcome(1, "refused", "folded"), "unseen"),
    ],
)
def test_photos_are_labelled_by_what_came_of_them(outcome: PhotoOutcome, label: str) -> None:
    assert label_of(outcome, photo(*[RIGHT] * 20))[0] == label


def test_a_hand_that_no_photo_shows_well_is_not_the_photos_fault() -> None:
    hard = photo(*[RIGHT] * 12, *[DOUBT] * 6, WRONG, WRONG)
    assert label_of(hard, hard) == ("good", 1, 0)


GOOD = Visibility(edge_mm=0.3, contrast=200, paper=220, noise=2, px_per_mm=9)


def test_the_gate_refuses_hopeless_photos_and_poor_ones_in_doubt() -> None:
    photos = [
        Judged(1, "misread", 0.5, 0, replace(GOOD, edge_mm=2.0)),
        Judged(2, "misread", 0.5, 0, replace(GOOD, edge_mm=0.9), misread_share=0.3),
        Judged(3, "misread", 0.5, 0, replace(GOOD, edge_mm=0.9), misread_share=0.15),
        Judged(4, "misread", 0.5, 0, GOOD, misread_share=0.9),
        Judged(5, "misread", 0.5, 0, replace(GOOD, px_per_mm=1.0)),
        Judged(6, "good", 1.0, 0, replace(GOOD, edge_mm=0.9), misread_share=0.15),
        Judged(7, "unseen", 0.0, 0),
    ]
    assert refused(photos, "misread", 1.0) == (3, 5)
    assert refused(photos, "misread", 0.5) == (4, 5)
    assert refused(photos, "good", 1.0) == (0, 1)
    assert refused(photos, "good", 0.5) == (1, 1)
    assert refused(photos, "between", 1.0) == (0, 0)


def test_a_poor_photo_is_measured_with_the_gate_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the gate would refuse is read all the same, and its measures are taken."""
    monkeypatch.setattr(
        quality, "poor_scene", lambda scene, _: replace(scene, size_px=(900, 675), blur_px=0.6)
    )
    photo = quality.judged(lab.Job(lab.Source(None, "easy"), 3))
    assert photo.label != "unseen"
    assert photo.visibility is not None
    assert 2 < photo.visibility.px_per_mm < 4.5
    assert 0.3 < photo.visibility.edge_mm < 1


def test_scenes_are_seeded_and_differ() -> None:
    scenes = [quality.poor_scene(Scene(), number) for number in range(20)]
    assert scenes == [quality.poor_scene(Scene(), number) for number in range(20)]
    assert len({(scene.fill, scene.noise) for scene in scenes}) == 20
    assert len({scene.exposure for scene in scenes}) > 2


def test_a_batch_is_read_by_one_and_by_two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "photo.png"
    Image.new("RGB", (40, 30)).save(path)
    calls: list[tuple[int, int, int]] = []
    monkeypatch.setattr(
        batch,
        "_seconds",
        lambda scan, photos, jobs, cores: calls.append((len(photos), jobs, len(cores))) or 3 / jobs,
    )
    figures = batch.batch_figures(["scan"], path, tmp_path, 4, [0, 1, 2])
    assert calls == [(4, 1, 1), (4, 2, 2)]
    assert figures[-1].name == "times faster on two cores"
    assert figures[-1].value == 2
    assert len({copy.stat().st_ino for copy in tmp_path.glob("copy-*")}) == 4
    assert batch.batch_figures(["scan"], path, tmp_path, 4, [0]) == []
    assert batch.batch_figures(["scan"], path, tmp_path, 0, [0, 1]) == []
