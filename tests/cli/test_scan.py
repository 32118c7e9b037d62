import csv
import io
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest
from PIL import Image

from sheetscan.cli.output import FileNames
from sheetscan.cli.progress import Bar
from sheetscan.errors import ExitCode, MissingExtraError
from sheetscan.pipeline import Scanner
from sheetscan.result import Content, document_from_json, number
from tests.cli.conftest import TEMPLATE, KnownReader, Run, picture_of_sheet

pytestmark = pytest.mark.usefixtures("reader")


def copies(photo: Path, *names: str) -> list[Path]:
    paths = [photo.parent / name for name in names]
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(photo.read_bytes())
    return paths


def test_a_good_sheet_is_shown_and_gives_0(run: Run, photo: Path) -> None:
    outcome = run("scan", photo, "--lang", "en")
    assert outcome.code == ExitCode.OK
    assert outcome.text.startswith("Zoë  43 points  Qwinto · sheet K7M2QX-1 ·")
    assert outcome.err == ""
    assert b"\x1b" not in outcome.out


def test_verbose_tells_how_well_the_sheet_was_seen(run: Run, photo: Path) -> None:
    outcome = run("scan", photo, "-v")
    assert f"{photo}: qwinto K7M2QX-1 (px_per_mm " in outcome.err
    assert "markers_found 8" in outcome.err


def test_findings_give_1_and_exit_zero_turns_it_off(run: Run, photo: Path, reader: KnownReader) -> None:
    reader.contents = {"yellow-2": number(19)}
    assert run("scan", photo).code == ExitCode.NEEDS_A_LOOK
    assert run("scan", photo, "--exit-zero").code == ExitCode.OK


def test_doubts_that_matter_give_1(run: Run, photo: Path, reader: KnownReader) -> None:
    reader.doubts = {"yellow-9": (0.7, number(13))}
    outcome = run("scan", photo, "--lang", "en")
    assert outcome.code == ExitCode.NEEDS_A_LOOK
    assert re.search(r"yellow 9: read as 12 \(9\d(\.\d)?%\); perhaps 13", outcome.text)


def test_notes_alone_give_0(run: Run, photo: Path, reader: KnownReader) -> None:
    reader.contents = {"misthrow-2": Content("cross")}
    outcome = run("scan", photo, "--json")
    assert [finding["severity"] for finding in json.loads(outcome.text)["sheets"][0]["findings"]] == ["note"]
    assert outcome.code == ExitCode.OK


def test_json_is_the_contracts_document(run: Run, photo: Path) -> None:
    outcome = run("scan", photo, "--json")
    document = json.loads(outcome.text)
    assert list(document) == ["schema", "sheets", "failures"]
    (sheet,) = document["sheets"]
    assert (sheet["source"], sheet["page"], sheet["player"]) == (str(photo), 1, "Zoë")
    assert (sheet["score"]["total"], sheet["status"], sheet["overlay"]) == (43, "ok", None)
    assert set(sheet["fields"]) == {field.id for field in TEMPLATE.readable_fields}
    assert run("scan", photo, "-f", "json").text == outcome.text


def test_the_language_is_that_of_the_findings(run: Run, photo: Path, reader: KnownReader) -> None:
    reader.contents = {"yellow-2": number(19)}
    messages = {
        language: json.loads(run("scan", photo, "--json", "--lang", language).text)["sheets"][0]["findings"][
            0
        ]
        for language in ("en", "de", "nl", "fr")
    }
    assert len({finding["message"] for finding in messages.values()}) == 4


def test_the_language_is_the_locales_unless_given(
    run: Run, photo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sheetscan.cli.options.locale_language", lambda: "fr")
    assert "43 points  Qwinto · feuille K7M2QX-1" in run("scan", photo).text


def test_csv_goes_to_stdout_in_utf8_with_its_mark(run: Run, photo: Path) -> None:
    outcome = run("scan", photo, "-f", "csv")
    assert outcome.out.startswith(b"\xef\xbb\xbfsource,")
    rows = list(csv.DictReader(io.StringIO(outcome.out.decode("utf-8-sig"), newline="")))
    assert len(rows) == len(TEMPLATE.readable_fields)
    assert {row["player"] for row in rows} == {"Zoë"}


def test_jsonl_writes_each_part_as_soon_as_it_is_known(
    run: Run, photo: Path, noise: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known: list[int] = []
    real_scan = Scanner.scan

    def scan(self: Scanner, source: Path | str) -> Iterator[object]:
        known.append(len(written))
        yield from real_scan(self, source)

    written: list[str] = []
    real_emit = sys.modules["sheetscan.cli.terminal"].emit_data
    monkeypatch.setattr(Scanner, "scan", scan)
    monkeypatch.setattr(
        "sheetscan.cli.terminal.emit_data", lambda text: (written.append(text), real_emit(text))
    )
    outcome = run("scan", photo, noise, *copies(photo, "c.png"), "-f", "jsonl")
    assert known == [0, 1, 2]
    kinds = ["message" if "message" in json.loads(line) else "sheet" for line in outcome.text.splitlines()]
    assert kinds == ["sheet", "message", "sheet"]


@pytest.fixture
def bad_batch(photo: Path, noise: Path, blank: Path) -> list[Path]:
    empty, cut = photo.parent / "empty.jpg", photo.parent / "cut.png"
    empty.touch()
    cut.write_bytes(photo.read_bytes()[:3000])
    return [noise, photo, empty, photo.parent / "missing.jpg", photo.parent, cut, blank]


def test_a_batch_goes_on_after_failures_and_reports_them_at_the_end(run: Run, bad_batch: list[Path]) -> None:
    (last,) = copies(bad_batch[1], "last.png")
    outcome = run("scan", *bad_batch, last, "--lang", "en")
    assert outcome.code == ExitCode.NO_SHEET
    assert outcome.text.count("43 points") == 2
    errors = [line for line in outcome.err.splitlines() if line.startswith("Error: ")]
    failed = [path for path in bad_batch if path.name != "IMG_1.png"]
    assert [path for path, line in zip(failed, errors, strict=True) if f"Error: {path}" in line] == failed
    assert outcome.err.count("  → ") == len(failed)
    assert "6 of 8 photos had failures, 2 sheets read" in outcome.err


def test_failures_are_in_the_document(run: Run, bad_batch: list[Path]) -> None:
    outcome = run("scan", *bad_batch, "--json")
    document = document_from_json(outcome.text, "x")
    assert [failure.code for failure in document.failures] == [3, 3, 3, 3, 3, 4]
    assert all(failure.message and failure.hint for failure in document.failures)
    assert len(document.sheets) == 1


def test_names_that_no_file_can_have_are_3(run: Run, photo: Path) -> None:
    assert run("scan", "x" * 300).code == ExitCode.UNREADABLE_INPUT


@pytest.mark.skipif(sys.platform != "linux", reason="names are bytes on Linux")
def test_names_that_are_no_text_are_taken(run: Run, photo: Path) -> None:
    odd = os.fsdecode(os.fsencode(photo.parent) + b"/K\xf6ln.png")
    photo.rename(odd)
    outcome = run("scan", odd, "--json")
    assert outcome.code == ExitCode.OK
    assert json.loads(outcome.out)["sheets"][0]["source"] == odd
    assert run("scan", odd, "-f", "text").text.startswith("Zoë")
    assert run("scan", odd, "-o", photo.parent / "out").code == ExitCode.OK


@pytest.mark.parametrize("kind", ["noise", "blank"])
def test_one_bad_file_alone_gives_its_code(run: Run, request: pytest.FixtureRequest, kind: str) -> None:
    path = request.getfixturevalue(kind)
    outcome = run("scan", path)
    assert outcome.code == {"noise": ExitCode.UNREADABLE_INPUT, "blank": ExitCode.NO_SHEET}[kind]
    assert outcome.out == b""
    assert str(path) in outcome.err


def test_unreadable_input_outranks_findings(run: Run, photo: Path, noise: Path, reader: KnownReader) -> None:
    reader.contents = {"yellow-2": number(19)}
    assert run("scan", photo, noise).code == ExitCode.UNREADABLE_INPUT
    assert run("scan", photo, noise, "--exit-zero").code == ExitCode.UNREADABLE_INPUT


def test_a_bug_in_one_photo_does_not_cost_the_others(
    run: Run, photo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (second,) = copies(photo, "second.png")
    real_scan = Scanner.scan

    def scan(self: Scanner, source: Path | str) -> Iterator[object]:
        if source == photo:
            raise ZeroDivisionError("oops")
        return real_scan(self, source)

    monkeypatch.setattr(Scanner, "scan", scan)
    outcome = run("scan", photo, second, "--json")
    document = document_from_json(outcome.text, "x")
    assert outcome.code == ExitCode.BUG
    assert [sheet.source for sheet in document.sheets] == [str(second)]
    assert "ZeroDivisionError" in document.failures[0].message


def test_an_unknown_template_is_4_before_anything_is_read(run: Run, photo: Path) -> None:
    outcome = run("scan", photo, "-t", "qwintx")
    assert outcome.code == ExitCode.NO_SHEET
    assert "'qwintx'" in outcome.err
    assert run("scan", photo, "-t", "qwinto").code == ExitCode.OK
    assert run("scan", photo, "-t", "auto").code == ExitCode.OK


def test_a_missing_reader_is_7(run: Run, photo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def load(_name: str) -> None:
        raise MissingExtraError("the program tesseract is not installed", "install it")

    monkeypatch.setattr("sheetscan.cli.scan.load_reader", load)
    outcome = run("scan", photo, "--reader", "tesseract")
    assert outcome.code == ExitCode.MISSING_EXTRA
    assert "tesseract" in outcome.err


def test_the_same_file_in_other_spellings_is_scanned_once(run: Run, photo: Path) -> None:
    link, hard = photo.parent / "link.png", photo.parent / "hard.png"
    link.symlink_to(photo)
    os.link(photo, hard)
    spelled = photo.parent / "." / ".." / photo.parent.name / photo.name
    outcome = run("scan", photo, spelled, link, hard, photo, "--json")
    assert len(json.loads(outcome.text)["sheets"]) == 1
    assert outcome.err.count(f"the same file as {photo}, so it is taken once") == 4
    assert run("scan", photo, link, "--json", "-q").err == ""


def test_stdin_given_twice_is_called_so(run: Run, photo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(photo.read_bytes())))
    assert run("scan", "-", "-").err.startswith("stdin: given twice, so it is taken once\n")


def test_a_missing_file_given_twice_is_one_failure(run: Run, photo: Path) -> None:
    missing = photo.parent / "missing.jpg"
    outcome = run("scan", missing, missing, "--json")
    assert len(json.loads(outcome.text)["failures"]) == 1


def test_stdin_is_a_photo_too(run: Run, photo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with photo.open("rb") as stream:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(stream))
        outcome = run("scan", "-", "-", "--json")
    (sheet,) = json.loads(outcome.text)["sheets"]
    assert (outcome.code, sheet["source"]) == (ExitCode.OK, "-")


def test_the_reader_is_loaded_once(run: Run, photo: Path, reader: KnownReader) -> None:
    assert run("scan", photo, *copies(photo, "b.png", "c.png")).code == ExitCode.OK
    assert reader.loaded == 1


def test_several_sheets_are_ranked(run: Run, tmp_path: Path) -> None:
    paths = [tmp_path / "1.png", tmp_path / "2.png"]
    for number_of_sheet, path in enumerate(paths, 1):
        picture_of_sheet(None, number_of_sheet).save(path, compress_level=1)
    outcome = run("scan", *paths, "--lang", "en")
    assert f"Ranking of game K7M2QX\n  1.  {paths[0]}  43" in outcome.text
    assert f"  1.  {paths[1]}  43" in outcome.text


class TestFolder:
    """`-o DIR`."""

    @pytest.mark.parametrize(
        ("form", "suffix", "start"),
        [
            ("text", "txt", b"Zo"),
            ("json", "json", b"{\n"),
            ("jsonl", "jsonl", b'{"'),
            ("csv", "csv", b"\xef"),
        ],
    )
    def test_a_file_a_photo_in_the_chosen_form(
        self, run: Run, photo: Path, form: str, suffix: str, start: bytes
    ) -> None:
        folder = photo.parent / "new" / "out"
        outcome = run("scan", photo, "-f", form, "-o", folder)
        assert outcome.code == ExitCode.OK
        assert outcome.out == b""
        assert (folder / f"IMG_1.{suffix}").read_bytes().startswith(start)
        assert outcome.err == f"{photo}: 1 sheet in {folder / f'IMG_1.{suffix}'}\n"

    def test_equal_names_do_not_collide(self, run: Run, photo: Path) -> None:
        others = copies(photo, "b/IMG_1.png", "c/img_1.PNG", "IMG_1-2.png")
        out = photo.parent / "out"
        assert run("scan", photo, *others, "--json", "-o", out).code == ExitCode.OK
        found = {path.name: json.loads(path.read_text("utf-8")) for path in out.iterdir()}
        assert len({name.casefold() for name in found}) == 4
        assert {one["sheets"][0]["source"] for one in found.values()} == {str(p) for p in (photo, *others)}

    def test_results_are_kept_unless_forced(self, run: Run, photo: Path, reader: KnownReader) -> None:
        out = photo.parent / "out"
        run("scan", photo, "--json", "-o", out)
        before = (out / "IMG_1.json").read_bytes()
        reader.contents = {}
        outcome = run("scan", photo, "--json", "-o", out)
        assert outcome.code == ExitCode.OUTPUT
        assert "exists already" in outcome.err
        assert (out / "IMG_1.json").read_bytes() == before
        assert run("scan", photo, "--json", "-o", out, "--force").code == ExitCode.OK
        assert (out / "IMG_1.json").read_bytes() != before

    def test_a_file_in_place_of_the_folder_is_5(self, run: Run, photo: Path) -> None:
        assert run("scan", photo, "-o", photo).code == ExitCode.OUTPUT
        assert run("scan", photo, "--overlay", photo).code == ExitCode.OUTPUT

    def test_a_folder_that_takes_nothing_is_5(
        self, run: Run, photo: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("os.access", lambda path, mode: False)
        outcome = run("scan", photo, "-o", photo.parent / "out")
        assert outcome.code == ExitCode.OUTPUT
        assert "nothing may be written there" in outcome.err

    def test_a_photo_without_a_sheet_leaves_no_file(self, run: Run, photo: Path, noise: Path) -> None:
        out = photo.parent / "out"
        assert run("scan", noise, photo, "-o", out).code == ExitCode.UNREADABLE_INPUT
        assert [path.name for path in out.iterdir()] == ["IMG_1.txt"]

    def test_a_full_disk_is_no_success(self, run: Run, photo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(self: Path, target: Path) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(Path, "replace", fail)
        outcome = run("scan", photo, "--json", "-o", photo.parent / "out", "--overlay", photo.parent / "seen")
        assert outcome.code == ExitCode.OUTPUT
        assert outcome.err.count("No space left on device") == 2
        assert "1 sheet in" not in outcome.err

    def test_a_dash_means_stdout(self, run: Run, photo: Path) -> None:
        assert json.loads(run("scan", photo, "--json", "-o", "-").text)["sheets"]

    def test_letters_of_any_script_survive(self, run: Run, photo: Path) -> None:
        (path,) = copies(photo, "Spielabend Köln 東京/Zoë.png")
        out = photo.parent / "Erg 東京"
        assert run("scan", path, "--json", "-o", out, "--overlay", out).code == ExitCode.OK
        sheet = json.loads((out / "Zoë.json").read_text("utf-8"))["sheets"][0]
        assert sheet["source"] == str(path)
        assert Path(sheet["overlay"]) == out / "Zoë.overlay.jpg"


class TestOverlay:
    """`--overlay DIR`."""

    def test_the_picture_is_written_and_named_in_the_result(self, run: Run, photo: Path) -> None:
        out = photo.parent / "seen"
        (sheet,) = json.loads(run("scan", photo, "--json", "--overlay", out).text)["sheets"]
        assert sheet["overlay"] == str(out / "IMG_1.overlay.jpg")
        picture = cv2.imread(sheet["overlay"])
        assert picture is not None
        assert picture.shape[1] == 210 * 8

    def test_a_photo_is_never_overwritten_by_its_overlay(self, run: Run, photo: Path) -> None:
        (jpeg,) = copies(photo, "b.jpg")
        before = jpeg.read_bytes()
        assert run("scan", jpeg, "--overlay", photo.parent, "--force").code == ExitCode.OK
        assert jpeg.read_bytes() == before
        assert (photo.parent / "b.overlay.jpg").exists()

    def test_pictures_are_kept_unless_forced(self, run: Run, photo: Path) -> None:
        out = photo.parent / "seen"
        run("scan", photo, "--overlay", out)
        assert run("scan", photo, "--overlay", out).code == ExitCode.OUTPUT
        assert run("scan", photo, "--overlay", out, "--force").code == ExitCode.OK

    def test_each_sheet_of_a_photo_has_its_own(self, run: Run, photo: Path) -> None:
        both = photo.parent / "both.png"
        with Image.open(photo) as image:
            page = Image.new("RGB", (image.width, 2 * image.height), "white")
            page.paste(image, (0, 0))
            page.paste(image, (0, image.height))
            page.save(both, compress_level=1)
        out = photo.parent / "seen"
        sheets = json.loads(run("scan", both, "--json", "--overlay", out).text)["sheets"]
        assert [Path(sheet["overlay"]).name for sheet in sheets] == [
            "both.overlay.jpg",
            "both-2.overlay.jpg",
        ]

    def test_a_second_picture_in_the_way_costs_the_picture_not_the_result(
        self, run: Run, photo: Path
    ) -> None:
        out = photo.parent / "seen"
        (out / "both-2.overlay.jpg").mkdir(parents=True)
        both = photo.parent / "both.png"
        with Image.open(photo) as image:
            page = Image.new("RGB", (image.width, 2 * image.height), "white")
            page.paste(image, (0, 0))
            page.paste(image, (0, image.height))
            page.save(both, compress_level=1)
        outcome = run("scan", both, "--json", "--overlay", out)
        document = json.loads(outcome.text)
        assert outcome.code == ExitCode.OUTPUT
        assert [sheet["overlay"] is None for sheet in document["sheets"]] == [False, True]
        assert [failure["code"] for failure in document["failures"]] == [5]


@pytest.mark.parametrize(
    ("wanted", "given"),
    [
        (["a", "A", "a"], ["a", "A-2", "a-3"]),
        (["a-2", "a", "a"], ["a-2", "a", "a-3"]),
        (["a/b:c", "x\x00y", "..", "  "], ["a_b_c", "x_y", "photo", "photo-2"]),
    ],
)
def test_file_names_are_safe_and_differ(wanted: list[str], given: list[str]) -> None:
    names = FileNames()
    assert [names.take(name) for name in wanted] == given


@pytest.mark.parametrize(
    ("terminal", "total", "shown"), [(True, 3, True), (True, 1, False), (False, 3, False)]
)
def test_progress_is_shown_for_several_photos_on_a_terminal_only(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, total: int, shown: bool
) -> None:
    stream = io.StringIO()
    stream.isatty = lambda: terminal  # type: ignore[method-assign]
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    with Bar(total).shown() as bar:
        bar.start("IMG_1.jpg")
        with bar.aside():
            pass
        bar.advance()
    assert ("IMG_1.jpg" in stream.getvalue()) is shown


@pytest.mark.parametrize(("variable", "coloured"), [(None, True), ("1", False)])
def test_colours_go_to_terminals_that_want_them(
    run: Run, photo: Path, monkeypatch: pytest.MonkeyPatch, variable: str | None, coloured: bool
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.delenv("NO_COLOR", raising=False)
    if variable:
        monkeypatch.setenv("NO_COLOR", variable)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    outcome = run("scan", photo)
    assert (b"48;2;" in outcome.out) is coloured
