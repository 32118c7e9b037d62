"""`sheetscan review`: only what is in doubt is asked, strictly, and nothing else changes."""

import io
import json
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import pytest
from PIL import Image

from sheetscan.cli.inline import CHUNK, picture_codes
from sheetscan.errors import ExitCode
from sheetscan.result import EMPTY, Document, Sheet, document_from_json, number, to_json
from tests.cli.conftest import KnownReader, Outcome, Run
from tests.report.results import GOLDEN_28, GOLDEN_43, doubtful, result

DOUBTS = {
    "yellow-9": doubtful(number(12), 0.7, (number(13), 0.29)),
    "misthrow-2": doubtful(GOLDEN_43["misthrow-2"], 0.8, (EMPTY, 0.19)),
}
ANNA = result(GOLDEN_43, DOUBTS)
BEN = result(
    GOLDEN_28,
    {"purple-9": doubtful(number(10), 0.6, (EMPTY, 0.39))},
    player="Ben",
    source="b.jpg",
    sheet_id="K7M2QX-2",
    sha256="b" * 64,
)


def saved(folder: Path, *sheets: Sheet) -> Path:
    path = folder / "game.json"
    path.write_text(to_json(Document(sheets=sheets or (ANNA,))), encoding="utf-8")
    return path


@pytest.fixture
def answering(run: Run, monkeypatch: pytest.MonkeyPatch):
    """Runs `review` with these lines on stdin."""

    def call(path: Path, answers: Sequence[str], *arguments: str | Path) -> Outcome:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))
        return run("review", path, "--lang", "en", *arguments)

    return call


def reviewed(path: Path) -> tuple[Sheet, ...]:
    return document_from_json(path.read_text("utf-8"), "x").sheets


class TestAnswers:
    """What is asked, and what an answer does."""

    def test_only_the_fields_in_review_are_asked(self, answering, tmp_path):
        outcome = answering(saved(tmp_path), ["1", "1"])
        asked = [line for line in outcome.err.splitlines() if "what stands there?" in line]
        assert asked == [
            "Anna, yellow 9: what stands there? (2 to ask)",
            "Anna, misthrow box 2: what stands there? (1 to ask)",
        ]
        assert outcome.code == ExitCode.OK

    def test_the_alternatives_are_numbered(self, answering, tmp_path):
        err = answering(saved(tmp_path), ["q"]).err
        assert "  1  12 (70%)\n  2  13 (29%)\n  3  empty\n  4  a cross\n" in err

    def test_a_mark_is_no_number(self, answering, tmp_path):
        err = answering(saved(tmp_path), ["1", "=7", "q"]).err
        assert "  1  a cross (80%)\n  2  empty (19%)\n  or" in err
        assert "misthrow-2=7: holds a mark, not a number" in err

    def test_an_answer_is_pinned_and_noted_with_its_time(self, answering, tmp_path):
        answering(saved(tmp_path), ["2", "q"])
        (sheet,) = reviewed(tmp_path / "game.reviewed.json")
        reading = sheet.fields["yellow-9"]
        assert (reading.content, reading.confidence, reading.why) == (number(13), 1.0, "user")
        assert reading.raw == ANNA.fields["yellow-9"].raw
        (entry,) = sheet.quality["corrections"]
        assert (entry["field"], entry["from"], entry["to"]) == ("yellow-9", "12", "13")
        assert datetime.fromisoformat(entry["at"]).utcoffset() is not None

    def test_no_other_field_changes_and_the_rest_is_judged_anew(self, answering, tmp_path):
        answering(saved(tmp_path), ["2", "q"])
        (sheet,) = reviewed(tmp_path / "game.reviewed.json")
        assert {name for name in sheet.fields if sheet.fields[name] != ANNA.fields[name]} == {"yellow-9"}
        # A second 13 in column 9: one of the two becomes a cross.
        assert (ANNA.score.total, sheet.score.total) == (43, 23)
        assert sheet.review == ("misthrow-2",)

    def test_corrections_are_appended(self, answering, tmp_path):
        answering(saved(tmp_path), ["2", "q"])
        answering(tmp_path / "game.reviewed.json", ["2"])
        (sheet,) = reviewed(tmp_path / "game.reviewed-2.json")
        assert [entry["field"] for entry in sheet.quality["corrections"]] == ["yellow-9", "misthrow-2"]

    def test_the_result_itself_stays(self, answering, tmp_path):
        path = saved(tmp_path)
        before = path.read_bytes()
        answering(path, ["2", "2"])
        assert path.read_bytes() == before

    def test_another_content_is_typed_with_an_equals_sign(self, answering, tmp_path):
        answering(saved(tmp_path), ["=14", "q"])
        assert reviewed(tmp_path / "game.reviewed.json")[0].fields["yellow-9"].content == number(14)

    def test_an_answer_that_breaks_a_rule_is_taken_and_told(self, answering, tmp_path):
        err = answering(saved(tmp_path), ["=19", "b", "1", "q"]).err
        taken = err[err.index("yellow 9: 19. ") :].splitlines()
        assert taken[1] == "  19 in yellow 9 can't be thrown: it must become a cross."
        assert reviewed(tmp_path / "game.reviewed.json")[0].fields["yellow-9"].content == number(12)

    def test_a_tally_is_no_cross_and_what_is_next_to_impossible_is_not_offered(self, answering, tmp_path):
        doubts = {"tally-total": doubtful(number(43), 0.7, (number(49), 0.29), (number(41), 0.0004))}
        err = answering(saved(tmp_path, result(GOLDEN_43, doubts)), ["q"]).err
        assert "  1  43 (70%)\n  2  49 (29%)\n  3  empty\n  or" in err

    def test_a_field_that_no_longer_matters_is_not_asked(self, answering, tmp_path):
        # Whether 17 or 18 ends the row matters only as long as the row may be complete.
        row = {f"yellow-{column}": number(column) for column in (2, 3, 4, 5, 6, 8, 9, 10)}
        doubts = {
            "yellow-2": doubtful(number(2), 0.6, (EMPTY, 0.39)),
            "yellow-11": doubtful(number(17), 0.6, (number(18), 0.39)),
        }
        outcome = answering(saved(tmp_path, result(row, doubts)), ["=empty"])
        assert outcome.err.count("what stands there?") == 1
        assert "Nothing else that matters is in doubt" in outcome.err

    def test_every_sheet_is_asked_about(self, answering, tmp_path):
        answering(saved(tmp_path, ANNA, BEN), ["1", "1", "2"])
        anna, ben = reviewed(tmp_path / "game.reviewed.json")
        assert len(anna.quality["corrections"]) == 2
        assert ben.fields["purple-9"].content == EMPTY


class TestSteering:
    """Back, skip, quit; the end of the answers."""

    def test_back_takes_the_last_answer_away(self, answering, tmp_path):
        outcome = answering(saved(tmp_path), ["2", "b", "1", "1"])
        (sheet,) = reviewed(tmp_path / "game.reviewed.json")
        assert sheet.fields["yellow-9"].content == number(12)
        assert len(sheet.quality["corrections"]) == 2
        assert outcome.err.count("yellow 9: what stands there?") == 2

    def test_back_goes_to_a_skipped_field_and_to_the_sheet_before(self, answering, tmp_path):
        answering(saved(tmp_path, ANNA, BEN), ["s", "1", "b", "b", "2", "q"])
        anna, _ = reviewed(tmp_path / "game.reviewed.json")
        assert [entry["field"] for entry in anna.quality["corrections"]] == ["yellow-9"]

    def test_at_the_start_there_is_nothing_to_go_back_to(self, answering, tmp_path):
        assert "nothing to go back to" in answering(saved(tmp_path), ["b", "q"]).err

    def test_a_skipped_field_stays_in_doubt(self, answering, tmp_path):
        outcome = answering(saved(tmp_path), ["s", "2"])
        (sheet,) = reviewed(tmp_path / "game.reviewed.json")
        assert sheet.review == ("yellow-9",)
        assert outcome.code == ExitCode.NEEDS_A_LOOK

    def test_quitting_and_the_end_of_stdin_keep_what_was_answered(self, answering, tmp_path):
        for answers in (["2", "q"], ["2"]):
            path = saved(tmp_path)
            outcome = answering(path, answers, "-o", tmp_path / "out.json", "--force")
            assert len(reviewed(tmp_path / "out.json")[0].quality["corrections"]) == 1
        assert "No more answers" in outcome.err

    def test_without_an_answer_nothing_is_written(self, answering, tmp_path):
        assert "Nothing was answered, so nothing is written." in answering(saved(tmp_path), ["s", "q"]).err
        assert not (tmp_path / "game.reviewed.json").exists()

    def test_the_end_of_stdin_without_an_answer_keeps_nothing(self, answering, tmp_path):
        err = answering(saved(tmp_path), []).err
        assert err.endswith("Nothing was answered, so nothing is written.\n")
        assert "is kept" not in err

    def test_without_a_doubt_nothing_is_asked(self, answering, tmp_path):
        outcome = answering(saved(tmp_path, result(GOLDEN_43)), [])
        assert "No field is in doubt." in outcome.err
        assert outcome.code == ExitCode.OK


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("19", "There is no choice 19: type =19 if the number 19 stands there, or a choice from 1 to 4."),
        ("x", "There is no choice x: type one number, 1 to 4"),
        ("11", "type =11 if the number 11 stands there"),
        ("0", "There is no choice 0"),
        ("−1", "There is no choice −1"),
        ("-1", "There is no choice -1"),
        ("７", "There is no choice ７"),
        ("1 2", "There is no choice 1 2"),
        ("", "An empty line is no answer"),
        ("=", "yellow-9='': no such value"),
        ("=７", "yellow-9='７': no such value"),
        ("=1 2", "no such value"),
        ("\x1b[2J", "There is no choice �[2J"),
    ],
)
def test_an_unclear_answer_is_told_and_asked_again(answering, tmp_path, answer, told):
    outcome = answering(saved(tmp_path), [answer, "2", "q"])
    assert told in outcome.err
    assert reviewed(tmp_path / "game.reviewed.json")[0].fields["yellow-9"].content == number(13)


def test_a_choice_that_may_be_a_number_is_asked_again(answering, tmp_path):
    # "Is it a 7 or a 1?": whoever types 1 may mean either.
    one_or_seven = result(GOLDEN_43, {"yellow-9": doubtful(number(7), 0.6, (number(1), 0.39))})
    outcome = answering(saved(tmp_path, one_or_seven), ["1", "=1", "q"])
    assert "1 may be the choice or the number: type =7 for choice 1, or =1 for the number 1." in outcome.err
    assert reviewed(tmp_path / "game.reviewed.json")[0].fields["yellow-9"].content == number(1)


class TestFiles:
    """Results in, results out, pictures."""

    def test_the_fields_picture_is_saved_and_its_path_shown(
        self, run, answering, reader: KnownReader, photo: Path, tmp_path
    ):
        reader.doubts = {"yellow-9": (0.7, number(13))}
        path = tmp_path / "scan.json"
        path.write_bytes(run("scan", "--json", photo).out)
        outcome = answering(path, ["q"], "--pictures", tmp_path / "seen")
        picture = tmp_path / "seen" / "1-yellow-9.png"
        assert f"  picture: {picture}\n" in outcome.err
        assert Image.open(picture).size[0] > 300

    def test_pictures_without_a_folder_named_for_them_are_not_left_behind(
        self, run, answering, reader: KnownReader, photo: Path, tmp_path, monkeypatch
    ):
        reader.doubts = {"yellow-9": (0.7, number(13))}
        path = tmp_path / "scan.json"
        path.write_bytes(run("scan", "--json", photo).out)
        passing = tmp_path / "passing"
        passing.mkdir()
        monkeypatch.setattr("tempfile.tempdir", str(passing))
        assert f"  picture: {passing}" in answering(path, ["q"]).err
        assert not list(passing.iterdir())

    def test_a_changed_photo_is_not_shown(self, run, answering, reader, photo, tmp_path):
        reader.doubts = {"yellow-9": (0.7, number(13))}
        path = tmp_path / "scan.json"
        path.write_bytes(run("scan", "--json", photo).out)
        Image.open(photo).rotate(180).save(photo)
        assert "the photo has changed since it was scanned" in answering(path, ["q"]).err

    def test_a_missing_photo_is_told(self, answering, tmp_path):
        assert "IMG_1.jpg: the photo is not there any more" in answering(saved(tmp_path), ["q"]).err

    def test_stdout_is_a_target(self, answering, tmp_path):
        outcome = answering(saved(tmp_path), ["2"], "-o", "-")
        assert json.loads(outcome.text)["sheets"][0]["quality"]["corrections"]

    def test_another_file_is_not_overwritten(self, answering, tmp_path):
        target = tmp_path / "out.json"
        target.write_text("mine")
        assert answering(saved(tmp_path), ["2"], "-o", target).code == ExitCode.OUTPUT
        assert target.read_text() == "mine"

    @pytest.mark.parametrize("name", ["game.json", "./game.json", "link.json"])
    @pytest.mark.parametrize("force", [[], ["--force"]], ids=["", "force"])
    def test_the_result_itself_is_not_overwritten(self, answering, tmp_path, name, force):
        path = saved(tmp_path)
        (tmp_path / "link.json").symlink_to(path)
        before = path.read_bytes()
        outcome = answering(path, ["2"], "-o", f"{tmp_path}/{name}", *force)
        assert outcome.code == ExitCode.USAGE
        assert "is the result itself" in outcome.err
        assert path.read_bytes() == before

    def test_the_result_can_not_come_from_stdin(self, answering, tmp_path):
        assert answering("-", []).code == ExitCode.USAGE

    def test_a_result_without_sheets_is_refused(self, answering, tmp_path):
        path = tmp_path / "none.json"
        path.write_text(to_json(Document()))
        assert answering(path, []).code == ExitCode.NO_SHEET


class TestInline:
    """Pictures inside the terminal."""

    def test_a_plain_terminal_gets_none(self):
        assert picture_codes(b"png", {"TERM": "xterm-256color"}) is None

    @pytest.mark.parametrize("environment", [{"TERM_PROGRAM": "iTerm.app"}, {"LC_TERMINAL": "iTerm2"}])
    def test_iterm(self, environment):
        assert picture_codes(b"png", environment) == b"\x1b]1337;File=inline=1;size=3:cG5n\x07\n"

    def test_kitty_takes_it_in_pieces(self):
        codes = picture_codes(b"x" * CHUNK, {"KITTY_WINDOW_ID": "1"})
        assert codes is not None
        assert codes.startswith(b"\x1b_Ga=T,f=100,m=1;")
        assert codes.count(b"\x1b_G") == 2
        assert b"\x1b_Gm=0;" in codes
