"""What is written of refused sheets, and photos read by several processes."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import cv2
import pytest
from PIL import Image, ImageDraw

from sheetscan.cli import work
from sheetscan.errors import ExitCode
from sheetscan.result import Failure
from tests.cli.conftest import TEMPLATE, Run

PX_PER_MM = 6
DECIMALS = re.compile(rb"(?<=[0-9]\.)[0-9]+")


def hide(picture: Image.Image, *places: int) -> Image.Image:
    hidden = picture.copy()
    for place in places:
        box = TEMPLATE.markers[place].box_mm.grown(1)
        corners = [side * PX_PER_MM for side in (box.x, box.y, box.right, box.bottom)]
        ImageDraw.Draw(hidden).rectangle(corners, fill=(120, 110, 100))
    return hidden


@pytest.fixture
def hidden(tmp_path: Path, sheet_picture: Image.Image) -> Path:
    """A photo of a sheet with most of its markers covered."""
    path = tmp_path / "hidden.png"
    hide(sheet_picture, 1, 2, 3, 4, 5).save(path, compress_level=1)
    return path


@pytest.mark.usefixtures("reader")
class TestRefusedSheets:
    """`--overlay DIR` shows those too."""

    def test_what_was_found_is_drawn(self, run: Run, hidden: Path, photo: Path) -> None:
        out = hidden.parent / "seen"
        outcome = run("scan", hidden, photo, "--json", "--overlay", out)
        assert outcome.code == ExitCode.NO_SHEET
        assert sorted(path.name for path in out.iterdir()) == ["IMG_1.overlay.jpg", "hidden.refused.jpg"]
        assert f"drawn in {out / 'hidden.refused.jpg'}" in outcome.err
        assert cv2.imread(str(out / "hidden.refused.jpg")) is not None
        document = json.loads(outcome.text)
        assert [failure["source"] for failure in document["failures"]] == [str(hidden)]
        assert set(document["failures"][0]) == {"source", "page", "code", "message", "hint"}

    def test_no_picture_is_drawn_of_a_photo_without_a_sheet(self, run: Run, blank: Path) -> None:
        out = blank.parent / "seen"
        assert run("scan", blank, "--overlay", out).code == ExitCode.NO_SHEET
        assert list(out.iterdir()) == []

    def test_an_older_picture_is_not_overwritten_unasked(self, run: Run, hidden: Path) -> None:
        out = hidden.parent / "seen"
        run("scan", hidden, "--overlay", out)
        assert run("scan", hidden, "--overlay", out).code == ExitCode.OUTPUT
        assert run("scan", hidden, "--overlay", out, "--force").code == ExitCode.NO_SHEET

    def test_a_picture_that_cant_be_written_is_told_beside_the_refusal(
        self, run: Run, hidden: Path, sheet_picture: Image.Image
    ) -> None:
        both = Image.new("RGB", (sheet_picture.width, 2 * sheet_picture.height))
        for place in (0, 1):
            both.paste(hide(sheet_picture, 1, 2, 3, 4, 5), (0, place * sheet_picture.height))
        path = hidden.parent / "both.png"
        both.save(path, compress_level=1)
        out = hidden.parent / "seen"
        (out / "both-2.refused.jpg").mkdir(parents=True)
        outcome = run("scan", path, "--json", "--overlay", out)
        codes = [failure["code"] for failure in json.loads(outcome.text)["failures"]]
        assert codes == [ExitCode.NO_SHEET, ExitCode.NO_SHEET, ExitCode.OUTPUT]


@pytest.fixture
def batch(photo: Path, noise: Path, hidden: Path, blank: Path) -> list[Path]:
    second = photo.with_name("IMG_2.png")
    second.write_bytes(photo.read_bytes())
    return [hidden, photo, noise, second, blank]


def test_several_processes_give_what_one_gives_in_the_same_order(run: Run, batch: list[Path]) -> None:
    alone = run("scan", *batch, "-f", "jsonl", "--overlay", batch[0].parent / "seen")
    together = run("scan", *batch, "-f", "jsonl", "--overlay", batch[0].parent / "seen", "-j", 2, "--force")
    # The last digit of a probability depends on the number of threads.
    assert DECIMALS.sub(b"", together.out) == DECIMALS.sub(b"", alone.out)
    assert (together.code, together.err) == (alone.code, alone.err)
    assert together.out.count(b"\n") == len(batch)


@pytest.mark.usefixtures("reader")
def test_no_process_is_started_for_one_photo(run: Run, photo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "ProcessPoolExecutor", None)
    assert run("scan", photo, "--jobs", 8).code == ExitCode.OK
    assert run("scan", photo, photo, "--jobs", 8).code == ExitCode.OK


def test_jobs_must_be_at_least_one(run: Run, photo: Path) -> None:
    assert run("scan", photo, "--jobs", 0).code == ExitCode.USAGE


class DeadlyScanner:
    """Its process dies over one photo, and can't read the others."""

    language = "en"

    def scan(self, source: Path) -> list[Failure]:
        if source.name == "deadly.jpg":
            os._exit(1)
        return [Failure(str(source), None, ExitCode.NO_SHEET, "no sheet", "none")]


def test_a_photo_over_which_its_process_dies_costs_no_other() -> None:
    names = ["a.jpg", "b.jpg", "c.jpg", "deadly.jpg", "d.jpg", "e.jpg"]
    crew = work.Crew(DeadlyScanner, 2, pictures=False)  # type: ignore[arg-type]
    results = [part.result for parts in crew.in_order([Path(name) for name in names]) for part in parts]
    assert [result.source for result in results] == names
    codes = {result.source: result.code for result in results if isinstance(result, Failure)}
    assert codes.pop("deadly.jpg") == ExitCode.BUG
    assert set(codes.values()) == {ExitCode.NO_SHEET}


@pytest.mark.skipif(os.name == "nt", reason="sends a signal")
def test_an_interruption_ends_all_processes_without_a_traceback(photo: Path) -> None:
    names = [f"copy{number}.png" for number in range(40)]
    for name in names:
        photo.with_name(name).write_bytes(photo.read_bytes())
    program = [sys.executable, "-m", "sheetscan.cli.app", "scan", "-f", "jsonl", "--jobs", "2", *names]
    process = subprocess.Popen(
        program,
        cwd=photo.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        # A test run that was started in the background has it ignored, and its children would too.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - no threads yet
    )
    assert process.stdout
    assert process.stdout.readline()
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == ExitCode.INTERRUPTED
    assert b"Traceback" not in err
    assert ended(process.pid, within_s=20)


def ended(group: int, within_s: float) -> bool:
    """Whether all processes of the group are gone, or go within that time."""
    last = time.monotonic() + within_s
    while time.monotonic() < last:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False
