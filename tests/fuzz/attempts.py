"""What is done with damaged inputs: the borders of the program, one function each, found by name."""

import io
import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
from PIL import Image

from sheetscan.cli.results import read_result
from sheetscan.errors import UnreadableInputError
from sheetscan.games import rules_for
from sheetscan.geometry import CellSpec
from sheetscan.pipeline import Scan, Scanner, failure_of
from sheetscan.reading.reader import Reading
from sheetscan.reassess import reassess
from sheetscan.report.settlement import settlement_json
from sheetscan.result import EMPTY, Document, number, to_json
from sheetscan.settle import settle
from sheetscan.sheetcode import SheetCode, parse_payload, parse_text
from sheetscan.template import FieldKind, parse_template
from tests.cli.conftest import picture_of_sheet
from tests.fuzz.mutate import bytes_mutated, json_mutated, text_mutated
from tests.report.results import GOLDEN_43, doubtful, result, unreadable

TEMPLATES = Path(__file__).parents[2] / "templates"
CODE = SheetCode("qwinto", 1, "K7M2QX", 3, "Zoë/Müller")


@dataclass
class BlankReader:
    """Says that nothing is written."""

    name: str = "blank"
    cell: CellSpec = field(default_factory=lambda: CellSpec(64, 16))
    sure_from: float = 0.98
    unreadable_below: float = 0.4
    same_hand: None = None
    pale_below: float = 0.0

    def read(self, cells: np.ndarray, kinds: Sequence[FieldKind]) -> list[Reading]:
        return [Reading(((EMPTY, 0.9999),)) for _ in kinds]


@cache
def picture_file(form: str) -> bytes:
    """A picture of a sheet, with what that format may have of its own."""
    buffer = io.BytesIO()
    picture = picture_of_sheet("Zoë").resize((210, 148))
    if form == "TIFF":
        second = picture.convert("1")
        picture.save(buffer, form, compression="tiff_lzw", save_all=True, append_images=[second])
    elif form == "JPEG":
        exif = Image.Exif()
        exif[0x0112] = 6
        picture.save(buffer, form, exif=exif, quality=60)
    else:
        picture.save(buffer, form)
    return buffer.getvalue()


@cache
def folder() -> tempfile.TemporaryDirectory[str]:
    """A place for this process's files, gone with it."""
    return tempfile.TemporaryDirectory()


def scan_picture(rng: np.random.Generator, form: str) -> None:
    path = Path(folder().name, f"IMG.{form.lower()}")
    path.write_bytes(bytes_mutated(picture_file(form), rng))
    outcomes = list(Scanner(BlankReader()).scan(path))
    assert outcomes
    failures = [failure_of(outcome) for outcome in outcomes if not isinstance(outcome, Scan)]
    assert all(failure.code in (3, 4) and failure.message and failure.hint for failure in failures)
    if len(failures) == len(outcomes):
        raise UnreadableInputError(failures[0].message, failures[0].hint)


def check_template(rng: np.random.Generator, name: str) -> None:
    whole = (TEMPLATES / f"{name}.toml").read_text(encoding="utf-8")
    rules_for(parse_template(text_mutated(whole, rng), f"{name}.toml"))


@cache
def result_file() -> str:
    doubts = {"yellow-9": doubtful(number(12), 0.7, (number(13), 0.29)), "purple-8": unreadable(4, 9)}
    return to_json(Document(sheets=(result(GOLDEN_43, doubts),)))


def judge_result(rng: np.random.Generator) -> None:
    """What `audit` and `settle` do with a saved result."""
    whole = result_file()
    text = json_mutated(whole, rng) if rng.random() < 0.8 else text_mutated(whole, rng)
    path = Path(folder().name, "result.json")
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    document = read_result(str(path))
    sheets = [reassess(sheet, {}, "en") for sheet in document.sheets]
    json.loads(to_json(Document(tuple(sheets), document.failures)))
    json.loads(settlement_json(settle([sheets], "en"), document.failures))


def parse_code(rng: np.random.Generator) -> None:
    payload, text = text_mutated(CODE.to_payload(), rng), text_mutated(CODE.to_text(), rng)
    for read in (parse_payload(payload), parse_text(text)):
        if read is not None:
            assert parse_payload(read.to_payload()) == read
            assert read.sheet_id
