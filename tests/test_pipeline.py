"""The whole way from a file to results, with a reader that says what the test wants."""

import dataclasses
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest
from numpy.typing import NDArray

from sheetscan.geometry import Box, CellSpec
from sheetscan.imaging import quality
from sheetscan.pipeline import Scan, Scanner, failure_of
from sheetscan.printing.order import PrintOrder
from sheetscan.printing.pdf import render_pdf
from sheetscan.reading.hand import SameHand
from sheetscan.reading.reader import Reader, Reading
from sheetscan.result import CROSS, EMPTY, Content, Failure, Sheet, number
from sheetscan.template import FieldKind, Template, load_template

PX_PER_MM = 10
CELL = CellSpec(64, 16)
NOTHING: tuple[tuple[Content, float], ...] = ((EMPTY, 0.9999),)
tesseract_needed = pytest.mark.skipif(shutil.which("tesseract") is None, reason="Tesseract is not installed")


@dataclasses.dataclass
class ScriptedReader:
    """Says `answers` for the fields named there and "empty" for the rest."""

    answers: Mapping[str, tuple[tuple[Content, float], ...]]
    name: str = "scripted"
    cell: CellSpec = CELL
    sure_from: float = 0.98
    unreadable_below: float = 0.4
    same_hand: SameHand | None = None
    pale_below: float = 0.0

    def read(self, cells: NDArray[np.uint8], kinds: Sequence[FieldKind]) -> list[Reading]:
        fields = load_template("qwinto").readable_fields
        assert cells.shape == (len(fields), 64, 64, 2)
        assert list(kinds) == [field.kind for field in fields]
        return [Reading(self.answers.get(field.id, NOTHING)) for field in fields]


@pytest.fixture(scope="module")
def qwinto() -> Template:
    return load_template("qwinto")


@pytest.fixture(scope="module")
def sheet_picture(qwinto: Template) -> NDArray[np.uint8]:
    """A sheet with a game id and a player."""
    return scanned(qwinto, PrintOrder(paper="a5", game_id="ABCDEF", players=("Zoë",)))


def scanned(template: Template, order: PrintOrder) -> NDArray[np.uint8]:
    """A printed sheet as a scanner sees it, with a table around it."""
    bitmap = pypdfium2.PdfDocument(render_pdf(template, order))[0].render(scale=PX_PER_MM * 25.4 / 72)
    page = np.ascontiguousarray(bitmap.to_numpy()[..., :3])
    return cv2.copyMakeBorder(page, 100, 100, 100, 100, cv2.BORDER_CONSTANT, value=(90, 90, 90))


Save = Callable[..., Path]


@pytest.fixture
def save(tmp_path: Path) -> Save:
    def saved(picture: NDArray[np.uint8], name: str = "photo.png") -> Path:
        path = tmp_path / name
        path.write_bytes(cv2.imencode(path.suffix, picture)[1].tobytes())
        return path

    return saved


def covered(picture: NDArray[np.uint8], *boxes: Box) -> NDArray[np.uint8]:
    scratched = picture.copy()
    for box in boxes:
        x, y, right, bottom = (
            round(side * PX_PER_MM) + 100 for side in (box.x, box.y, box.right, box.bottom)
        )
        scratched[y:bottom, x:right] = 128
    return scratched


def only_sheet(path: Path, reader: ScriptedReader, **options: str) -> Sheet:
    (outcome,) = Scanner(reader, **options).scan(path)
    assert isinstance(outcome, Scan), outcome
    return outcome.sheet


def only_failure(path: Path, reader: Reader | None = None, **options: str) -> Failure:
    (outcome,) = Scanner(reader or ScriptedReader({}), **options).scan(path)
    assert not isinstance(outcome, Scan)
    return failure_of(outcome)


def test_a_photo_becomes_a_result(sheet_picture: NDArray[np.uint8], save: Save) -> None:
    sure = {"orange-3": ((number(5), 0.999),), "misthrow-1": ((CROSS, 0.999),)}
    sheet = only_sheet(save(sheet_picture), ScriptedReader(sure))
    assert (sheet.template, sheet.sheet_id, sheet.player) == ("qwinto", "ABCDEF-1", "Zoë")
    assert (sheet.score.total, sheet.status, sheet.review) == (1 - 5, "ok", ())
    assert sheet.fields["orange-3"].value == 5
    assert sheet.fields["yellow-7"].kind == "empty"
    assert "name" not in sheet.fields
    assert sheet.quality["markers_found"] == 8
    assert sheet.quality["reader"] == "scripted"
    assert len(sheet.sha256) == 64


def test_doubt_is_offered_not_asserted(sheet_picture: NDArray[np.uint8], save: Save) -> None:
    answers = {
        "purple-10": ((number(9), 0.7), (number(4), 0.25)),
        "purple-9": ((number(1), 0.3), (number(7), 0.29), (EMPTY, 0.28)),
    }
    sheet = only_sheet(save(sheet_picture), ScriptedReader(answers))
    doubtful, unreadable = sheet.fields["purple-10"], sheet.fields["purple-9"]
    assert (doubtful.value, doubtful.why) == (9, "low confidence")
    assert [entry.value for entry in doubtful.alternatives] == [4]
    assert (unreadable.kind, unreadable.value, unreadable.raw) == ("unreadable", None, number(1))
    assert [entry.value for entry in unreadable.alternatives] == [1, 7, None]
    assert sheet.status == "review"
    assert "purple-9" in sheet.review


def test_a_cross_in_a_field_for_numbers_must_be_surer_than_one_where_it_belongs(
    sheet_picture: NDArray[np.uint8], save: Save
) -> None:
    cross = ((CROSS, 0.985), (number(16), 0.01))
    sheet = only_sheet(save(sheet_picture), ScriptedReader({"purple-10": cross, "misthrow-1": cross}))
    assert sheet.fields["purple-10"].why == "low confidence"
    assert sheet.fields["misthrow-1"].why is None


def test_the_rules_confirm_a_doubtful_field_and_say_so(sheet_picture: NDArray[np.uint8], save: Save) -> None:
    answers = {
        "orange-3": ((number(4), 0.999),),
        "orange-4": ((number(7), 0.9), (number(1), 0.095)),
        "orange-5": ((number(9), 0.999),),
    }
    sheet = only_sheet(save(sheet_picture), ScriptedReader(answers))
    confirmed = sheet.fields["orange-4"]
    assert (confirmed.content, confirmed.raw, confirmed.why) == (number(7), number(7), "rule hint")
    assert (sheet.status, sheet.review) == ("ok", ())


CLEAR_ONES = {name: ((number(12), 0.9999),) for name in ("orange-9", "yellow-9", "purple-10")}
FLAGGED_ONES = {name: ((number(12), 0.6), (number(72), 0.39)) for name in CLEAR_ONES}
HAND = SameHand(own=2, ones=-1, offset=-4)


def test_a_sheets_own_ones_make_a_digit_sure_and_say_so(sheet_picture: NDArray[np.uint8], save: Save) -> None:
    answers = {**CLEAR_ONES, "orange-3": ((number(7), 0.93), (number(1), 0.06))}
    sheet = only_sheet(save(sheet_picture), ScriptedReader(answers, same_hand=HAND))
    field = sheet.fields["orange-3"]
    assert (field.content, field.why) == (number(7), "rule hint")
    assert field.confidence > 0.98


def test_what_a_sheets_own_ones_change_stays_in_doubt(sheet_picture: NDArray[np.uint8], save: Save) -> None:
    answers = {**FLAGGED_ONES, "orange-3": ((number(7), 0.6), (number(1), 0.39))}
    sheet = only_sheet(save(sheet_picture), ScriptedReader(answers, same_hand=HAND))
    field = sheet.fields["orange-3"]
    assert (field.content, field.raw, field.why) == (number(1), number(7), "low confidence")
    assert field.confidence > 0.85


def test_ones_that_cant_be_seen_show_nothing_of_the_hand(
    sheet_picture: NDArray[np.uint8], qwinto: Template, save: Save
) -> None:
    answers = {**CLEAR_ONES, "orange-3": ((number(7), 0.93), (number(1), 0.06))}
    thumb = qwinto.field("orange-9").box_mm.grown(3)
    sheet = only_sheet(save(covered(sheet_picture, thumb)), ScriptedReader(answers, same_hand=HAND))
    assert sheet.fields["orange-9"].kind == "unreadable"
    assert sheet.fields["orange-3"].confidence == pytest.approx(0.93, abs=0.03)


@pytest.mark.parametrize("turn", [cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_180, cv2.ROTATE_90_COUNTERCLOCKWISE])
def test_the_identity_is_read_in_any_rotation(
    sheet_picture: NDArray[np.uint8], save: Save, turn: int
) -> None:
    sheet = only_sheet(save(cv2.rotate(sheet_picture, turn)), ScriptedReader({}))
    assert (sheet.sheet_id, sheet.player) == ("ABCDEF-1", "Zoë")


@tesseract_needed
def test_the_printed_text_stands_in_for_a_damaged_code(
    sheet_picture: NDArray[np.uint8], save: Save, qwinto: Template
) -> None:
    sheet = only_sheet(save(covered(sheet_picture, qwinto.code_mm)), ScriptedReader({}))
    assert (sheet.sheet_id, sheet.player) == ("ABCDEF-1", None)


def test_a_sheet_without_readable_identity_is_read_all_the_same(
    sheet_picture: NDArray[np.uint8], save: Save, qwinto: Template
) -> None:
    picture = covered(sheet_picture, qwinto.code_mm, qwinto.code_text_mm.grown(1))
    sheet = only_sheet(save(picture), ScriptedReader({}), template="qwinto")
    assert (sheet.sheet_id, sheet.player) == (None, None)


def test_a_sheet_of_another_version_is_refused_in_words(qwinto: Template, save: Save) -> None:
    newer = dataclasses.replace(qwinto, version=7)
    failure = only_failure(save(scanned(newer, PrintOrder(paper="a5"))))
    assert failure.code == 4
    assert "version 7" in failure.message
    assert failure.hint


def test_a_photo_without_a_sheet_is_a_failure_with_a_hint(save: Save) -> None:
    failure = only_failure(save(np.full((600, 800, 3), 200, np.uint8)))
    assert (failure.code, failure.page) == (4, 1)
    assert "no sheetscan sheet found" in failure.message
    assert failure.hint


def test_another_game_than_asked_for_is_named(sheet_picture: NDArray[np.uint8], save: Save) -> None:
    failure = only_failure(save(sheet_picture), template="qwixx")
    assert failure.code == 4
    assert "shows a qwinto sheet" in failure.message
    assert "-t qwinto" in failure.hint


def test_a_bad_file_is_a_failure_of_its_own_kind(tmp_path: Path) -> None:
    path = tmp_path / "noise.jpg"
    path.write_bytes(b"noise")
    failure = only_failure(path)
    assert (failure.code, failure.page) == (3, None)
    assert str(path) in failure.message


def test_two_sheets_on_one_page_give_two_results(sheet_picture: NDArray[np.uint8], save: Save) -> None:
    both = np.vstack([sheet_picture, cv2.rotate(sheet_picture, cv2.ROTATE_180)])
    outcomes = list(Scanner(ScriptedReader({})).scan(save(both)))
    assert [isinstance(outcome, Scan) for outcome in outcomes] == [True, True]


def test_a_half_hidden_sheet_does_not_stop_the_other(
    sheet_picture: NDArray[np.uint8], save: Save, qwinto: Template
) -> None:
    hidden = covered(sheet_picture, *(marker.box_mm for marker in qwinto.markers[2:5]))
    outcomes = list(Scanner(ScriptedReader({})).scan(save(np.vstack([sheet_picture, hidden]))))
    assert [type(outcome).__name__ for outcome in outcomes] == ["Scan", "Refusal"]


def test_the_flattened_photo_shows_the_sheet_alone(sheet_picture: NDArray[np.uint8], save: Save) -> None:
    (outcome,) = Scanner(ScriptedReader({})).scan(save(sheet_picture))
    assert isinstance(outcome, Scan)
    assert outcome.flat.shape == (148 * 8, 210 * 8, 3)
    assert outcome.flat[:20].mean() > 240


@pytest.mark.parametrize(("brightness", "reason"), [(255, "washed_out"), (200, "covered")])
def test_a_field_that_cant_be_seen_is_unreadable_not_empty(
    sheet_picture: NDArray[np.uint8], save: Save, qwinto: Template, brightness: int, reason: str
) -> None:
    glary = (sheet_picture * 0.85).astype(np.uint8)
    box = qwinto.field("yellow-5").box_mm.grown(0.5)
    x, y, right, bottom = (round(side * PX_PER_MM) + 100 for side in (box.x, box.y, box.right, box.bottom))
    glary[y:bottom, x:right] = brightness
    sheet = only_sheet(save(glary), ScriptedReader({"yellow-4": ((number(7), 0.999),)}))
    field = sheet.fields["yellow-5"]
    assert (field.kind, field.raw, field.why) == ("unreadable", EMPTY, "low confidence")
    assert sheet.quality[reason] == ["yellow-5"]
    assert "yellow-5" in sheet.review
    assert sheet.fields["yellow-4"].value == 7


def test_where_a_streak_runs_readings_with_and_without_it_must_agree(
    sheet_picture: NDArray[np.uint8], save: Save, qwinto: Template
) -> None:
    """Dust on a scanner's glass makes an 8 look like an 18."""

    class StreakedReader(ScriptedReader):
        def read(self, cells: NDArray[np.uint8], kinds: Sequence[FieldKind]) -> list[Reading]:
            if len(cells) == len(qwinto.readable_fields):
                return super().read(cells, kinds)
            return [
                Reading(((number(8), 0.9999),)) if kind == "number" else Reading(NOTHING) for kind in kinds
            ]

    streaky = sheet_picture.copy()
    x = round(qwinto.field("yellow-5").box_mm.centre[0] * PX_PER_MM) + 100
    streaky[:, x : x + 4] = 100
    answers = {"yellow-5": ((number(18), 0.9999),), "orange-5": ((number(8), 0.9999),)}
    sheet = only_sheet(save(streaky), StreakedReader(answers))
    assert {"yellow-5", "orange-5"} <= set(sheet.quality["streaked"])  # type: ignore[call-overload]
    doubtful, sure = sheet.fields["yellow-5"], sheet.fields["orange-5"]
    assert doubtful.doubtful
    assert {doubtful.value, *(entry.value for entry in doubtful.alternatives)} >= {8, 18}
    assert (sure.value, sure.doubtful) == (8, False)


def test_a_sheet_too_blurred_to_be_read_is_refused(
    sheet_picture: NDArray[np.uint8], save: Save, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quality, "HOPELESS", dataclasses.replace(quality.HOPELESS, edge_mm=0.5))
    assert only_sheet(save(sheet_picture), ScriptedReader({})).quality["edge_mm"] < 0.25
    failure = only_failure(save(cv2.blur(sheet_picture, (6, 1))))
    assert failure.code == 4
    assert "too blurred" in failure.message


def black_and_white(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """As a scan without grey shows it: what has any colour is black."""
    return np.where(picture.min(axis=2, keepdims=True) < 140, 0, 255).repeat(3, axis=2).astype(np.uint8)


@pytest.fixture
def shares(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What share of each sheet would be misread, as the gate is told, which lets all pass."""
    told: list[float] = []
    monkeypatch.setattr(
        "sheetscan.pipeline.check_legible",
        lambda _visibility, readings, _name: told.append(quality.misread_share(readings)),
    )
    return told


def test_ink_on_the_dark_fields_of_a_black_and_white_scan_is_not_asserted(
    sheet_picture: NDArray[np.uint8], save: Save
) -> None:
    reader = ScriptedReader({"orange-6": ((Content("void"), 0.9999),), "orange-3": ((number(5), 0.9999),)})
    sheet = only_sheet(save(black_and_white(sheet_picture)), reader)
    assert [name for name, field in sheet.fields.items() if field.kind == "unreadable"] == ["orange-6"]
    assert only_sheet(save(sheet_picture), reader).fields["orange-6"].kind == "void"


def test_fields_that_cant_be_seen_are_not_held_against_the_photo(
    sheet_picture: NDArray[np.uint8], save: Save, shares: list[float]
) -> None:
    answers = {"orange-6": ((Content("void"), 0.9),), "orange-3": ((number(5), 0.9),)}
    only_sheet(save(black_and_white(sheet_picture)), ScriptedReader(answers))
    only_sheet(save(sheet_picture), ScriptedReader(answers))
    assert shares[0] < shares[1]


def test_a_dispute_makes_no_photo_poor(
    sheet_picture: NDArray[np.uint8], save: Save, shares: list[float]
) -> None:
    """What the rules think of a reading says nothing of the photo."""
    for values in ((5, 7, 9), (9, 7, 5)):
        names = ("orange-3", "orange-4", "orange-5")
        answers = {name: ((number(value), 0.988),) for name, value in zip(names, values, strict=True)}
        only_sheet(save(sheet_picture), ScriptedReader(answers))
    assert shares[0] == shares[1]


def test_a_black_and_white_scan_without_writing_is_not_called_empty(
    sheet_picture: NDArray[np.uint8], save: Save
) -> None:
    """Pale pencil leaves no trace in it; a photo or a grey scan of a blank sheet is read as that."""
    failure = only_failure(save(black_and_white(sheet_picture)))
    assert "shows no writing" in failure.message
    assert "grey" in failure.hint
    assert only_sheet(save(sheet_picture), ScriptedReader({})).review == ()


def test_a_black_and_white_scan_with_crumbs_of_strokes_is_refused(
    sheet_picture: NDArray[np.uint8], save: Save, qwinto: Template
) -> None:
    """Of other fields, which look empty, no crumb is left."""

    def with_strokes(length_mm: float) -> NDArray[np.uint8]:
        scan = black_and_white(sheet_picture)
        for name in ("yellow-3", "yellow-4", "yellow-5"):
            x, y = (round(at * PX_PER_MM) + 100 for at in qwinto.field(name).box_mm.centre)
            scan[y : y + round(length_mm * PX_PER_MM), x : x + 5] = 0
        return scan

    reader = ScriptedReader({"yellow-3": ((number(1), 0.9999),)})
    failure = only_failure(save(with_strokes(1.0)), reader)
    assert "crumbs" in failure.message
    assert "grey" in failure.hint
    assert only_sheet(save(with_strokes(4.0)), reader).fields["yellow-3"].value == 1


def test_in_a_noisy_photo_readings_with_and_without_the_noise_must_agree(
    sheet_picture: NDArray[np.uint8], save: Save
) -> None:
    class SeesCrossesAtFirst(ScriptedReader):
        def read(self, cells: NDArray[np.uint8], kinds: Sequence[FieldKind]) -> list[Reading]:
            readings = super().read(cells, kinds)
            self.answers = {}
            return readings

    def exposed(noise: float) -> NDArray[np.uint8]:
        grain = np.random.default_rng(1).normal(0, noise, sheet_picture.shape)
        return np.clip(0.9 * sheet_picture + grain, 0, 255).astype(np.uint8)

    noisy = only_sheet(save(exposed(40.0)), SeesCrossesAtFirst({"misthrow-1": ((CROSS, 0.9999),)})).fields[
        "misthrow-1"
    ]
    assert noisy.doubtful
    assert (
        only_sheet(save(exposed(2.0)), SeesCrossesAtFirst({"misthrow-1": ((CROSS, 0.9999),)}))
        .fields["misthrow-1"]
        .content
        == CROSS
    )
