"""The command line as a user runs it, with a reader whose answers are known."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from numpy.typing import NDArray
from PIL import Image

from sheetscan.cli.app import main
from sheetscan.geometry import CellSpec
from sheetscan.printing.order import PrintOrder
from sheetscan.printing.pdf import render_pdf
from sheetscan.reading.reader import Reading
from sheetscan.result import EMPTY, Content
from sheetscan.template import FieldKind, load_template
from tests.report.results import GOLDEN_43

TEMPLATE = load_template("qwinto")


@dataclass(frozen=True)
class Outcome:
    """What a run of the command line gave."""

    code: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        return self.out.decode("utf-8")


Run = Callable[..., Outcome]


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Calls the command line in this process; no run may show a traceback unless it was asked for."""

    def call(*arguments: str | Path) -> Outcome:
        code = main([str(argument) for argument in arguments])
        out, err = capfdbinary.readouterr()
        outcome = Outcome(int(code), out, err.decode("utf-8"))
        assert "-vv" in arguments or "Traceback" not in outcome.err
        return outcome

    return call


CELL = CellSpec(size_px=64, size_mm=16)


@dataclass
class KnownReader:
    """Reads every sheet as `contents`; `doubts` are given with that probability and one alternative."""

    contents: Mapping[str, Content] = field(default_factory=dict)
    doubts: Mapping[str, tuple[float, Content]] = field(default_factory=dict)
    loaded: int = 0
    name: str = "known"
    cell: CellSpec = CELL
    sure_from: float = 0.98
    unreadable_below: float = 0.3
    same_hand: None = None
    pale_below: float = 0.0

    def read(self, cells: NDArray[np.uint8], kinds: Sequence[FieldKind]) -> list[Reading]:
        return [self._reading(one.id) for one in TEMPLATE.readable_fields]

    def _reading(self, name: str) -> Reading:
        content = self.contents.get(name, EMPTY)
        if name in self.doubts:
            share, other = self.doubts[name]
            return Reading(((content, share), (other, 0.99 - share)))
        return Reading(((content, 0.9999),))


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> KnownReader:
    """The reader that `scan` loads."""
    known = KnownReader(GOLDEN_43)

    def load(_name: str) -> KnownReader:
        known.loaded += 1
        return known

    monkeypatch.setattr("sheetscan.cli.scan.load_reader", load)
    return known


def picture_of_sheet(player: str | None, sheets: int = 1) -> Image.Image:
    """A picture of a freshly printed sheet, 6 pixels a millimetre."""
    order = PrintOrder(paper="a5", copies=sheets, players=(player,) if player else (), game_id="K7M2QX")
    page = pypdfium2.PdfDocument(render_pdf(TEMPLATE, order))[sheets - 1]
    return page.render(scale=6 * 25.4 / 72).to_pil().convert("RGB")


@pytest.fixture(scope="session")
def sheet_picture() -> Image.Image:
    return picture_of_sheet("Zoë")


@pytest.fixture
def photo(tmp_path: Path, sheet_picture: Image.Image) -> Path:
    """A file that shows a sheet."""
    path = tmp_path / "IMG_1.png"
    sheet_picture.save(path, compress_level=1)
    return path


@pytest.fixture
def blank(tmp_path: Path) -> Path:
    """A file that shows no sheet."""
    path = tmp_path / "blank.png"
    Image.new("RGB", (800, 600), "white").save(path)
    return path


@pytest.fixture
def noise(tmp_path: Path) -> Path:
    """Bytes that are no picture."""
    path = tmp_path / "noise.jpg"
    path.write_bytes(np.random.default_rng(1).bytes(5000))
    return path
