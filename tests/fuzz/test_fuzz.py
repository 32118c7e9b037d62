"""Two thousand damaged inputs: each gives a result or one of our errors, in time and in bounded memory."""

import io
import json
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

import numpy as np
import pytest
from PIL import Image

from sheetscan.errors import SheetscanError
from sheetscan.geometry import CellSpec
from sheetscan.pipeline import Scan, Scanner, failure_of, reassess
from sheetscan.reading.reader import Reading
from sheetscan.result import EMPTY, Document, document_from_json, number, to_json
from sheetscan.sheetcode import SheetCode, parse_payload, parse_text
from sheetscan.template import parse_template
from tests.cli.conftest import picture_of_sheet
from tests.fuzz.mutate import bytes_mutated, json_mutated, text_mutated
from tests.report.results import GOLDEN_43, doubtful, result, unreadable

SEED = int(os.environ.get("SHEETSCAN_FUZZ_SEED", "0"))
"""Another seed gives other damages; CI keeps one, so that it fails for changes only."""
HANG_S = 20
MEMORY_MB = 1000
TEMPLATES = Path(__file__).parents[2] / "templates"


@dataclass
class BlankReader:
    """Says that nothing is written."""

    name: str = "blank"
    cell: CellSpec = field(default_factory=lambda: CellSpec(64, 16))
    sure_from: float = 0.98
    unreadable_below: float = 0.4

    def read(self, cells: np.ndarray, kinds: list[str]) -> list[Reading]:
        return [Reading(((EMPTY, 0.9999),)) for _ in kinds]


@contextmanager
def in_time(what: str) -> Iterator[None]:
    """Fails when the input called `what` takes longer than HANG_S."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise TimeoutError(f"{what} took longer than {HANG_S} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(HANG_S)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.fixture(autouse=True)
def bounded_memory() -> Iterator[None]:
    """Fails when the test held more than MEMORY_MB at any time (where Linux tells)."""
    reset, status = Path("/proc/self/clear_refs"), Path("/proc/self/status")
    if not os.access(reset, os.W_OK):
        yield
        return
    reset.write_text("5")
    yield
    peak_kb = next(line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    assert int(peak_kb) / 1000 < MEMORY_MB


def endure(count: int, what: str, attempt: Callable[[np.random.Generator], object]) -> int:
    """Make `count` attempts, each with random numbers of its own; gives how many met one of our errors."""
    refused = 0
    for place in range(count):
        with in_time(f"{what} {place} of seed {SEED}"):
            try:
                attempt(np.random.default_rng([SEED, place]))
            except SheetscanError as error:
                refused += bool(error.message and error.hint)
            except Exception as error:
                raise AssertionError(f"{what} {place} of seed {SEED}: {error!r}") from error
    return refused


def picture_file(form: str) -> bytes:
    buffer = io.BytesIO()
    picture = picture_of_sheet("Zoë").resize((210, 148))
    if form == "TIFF":
        picture.save(
            buffer, form, compression="tiff_lzw", save_all=True, append_images=[picture.convert("1")]
        )
    elif form == "JPEG":
        exif = Image.Exif()
        exif[0x0112] = 6
        picture.save(buffer, form, exif=exif, quality=60)
    else:
        picture.save(buffer, form)
    return buffer.getvalue()


@pytest.mark.parametrize("form", ["JPEG", "PNG", "TIFF", "WEBP", "PDF"])
def test_damaged_pictures(form: str, tmp_path: Path) -> None:
    whole, path = picture_file(form), tmp_path / f"IMG.{form.lower()}"
    scanner = Scanner(BlankReader())

    def attempt(rng: np.random.Generator) -> None:
        path.write_bytes(bytes_mutated(whole, rng))
        outcomes = list(scanner.scan(path))
        assert outcomes
        failures = [failure_of(outcome) for outcome in outcomes if not isinstance(outcome, Scan)]
        assert all(failure.code in (3, 4) and failure.hint for failure in failures)

    endure(100, form, attempt)


@pytest.mark.parametrize("name", ["qwinto", "qwixx"])
def test_damaged_templates(name: str) -> None:
    whole = (TEMPLATES / f"{name}.toml").read_text(encoding="utf-8")
    refused = endure(250, name, lambda rng: parse_template(text_mutated(whole, rng), f"{name}.toml"))
    assert refused > 100


def test_damaged_results() -> None:
    doubts = {"yellow-9": doubtful(number(12), 0.7, (number(13), 0.29)), "purple-8": unreadable(4, 9)}
    whole = to_json(Document(sheets=(result(GOLDEN_43, doubts),)))

    def attempt(rng: np.random.Generator) -> None:
        text = json_mutated(whole, rng) if rng.random() < 0.8 else text_mutated(whole, rng)
        for sheet in document_from_json(text, "result.json").sheets:
            json.loads(to_json(reassess(sheet, {}, "en")))

    assert endure(600, "result", attempt) > 200


def test_damaged_codes() -> None:
    code = SheetCode("qwinto", 1, "K7M2QX", 3, "Zoë/Müller")

    def attempt(rng: np.random.Generator) -> None:
        payload, text = text_mutated(code.to_payload(), rng), text_mutated(code.to_text(), rng)
        for read in (parse_payload(payload), parse_text(text)):
            if read is not None:
                assert parse_payload(read.to_payload()) == read
                assert read.sheet_id

    assert endure(400, "code", attempt) == 0
