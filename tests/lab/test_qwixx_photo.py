"""Qwixx sheets from print to result: photographed, found, told apart and judged."""

from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from sheetscan.geometry import CellSpec
from sheetscan.lab.any_game import play, tally
from sheetscan.lab.hand import SyntheticHand
from sheetscan.lab.pen import Pen
from sheetscan.lab.scene import random_scene
from sheetscan.lab.studio import RASTER_PX_PER_MM, fill_sheet, make_photo, print_sheet
from sheetscan.pipeline import Scan, Scanner
from sheetscan.printing.order import PrintOrder
from sheetscan.reading.reader import Reading
from sheetscan.result import CROSS, VOID, Content
from sheetscan.template import Template, load_template

VARIANTS = ("qwixx", "qwixx-mixx-a", "qwixx-mixx-b")
BALLPOINT = Pen("ballpoint", (0.1, 0.1, 0.5), 0.4, 0.9, 0.1, 0.0, 0.0, 0.03)
LINE = Content("line")


@dataclass
class KnowingReader:
    """Says what is truly written on a sheet."""

    template: Template
    truth: dict[str, Content]
    name: str = "knowing"
    cell: CellSpec = field(default_factory=lambda: CellSpec(64, 16))
    sure_from: float = 0.98
    unreadable_below: float = 0.4
    same_hand: None = None
    pale_below: float = 0.0

    def read(self, cells, kinds):
        fields = self.template.readable_fields
        assert list(kinds) == [field.kind for field in fields]
        self.cells = dict(zip((field.id for field in fields), cells, strict=True))
        return [Reading(((self.truth[field.id], 0.9999),)) for field in fields]


@pytest.mark.parametrize("ink", ["colour", "light", "black"])
@pytest.mark.parametrize("name", VARIANTS)
def test_a_photographed_sheet_is_found_with_its_code_and_judged(name: str, ink: str, tmp_path: Path) -> None:
    template = load_template(name)
    rng = np.random.default_rng(VARIANTS.index(name))
    contents = tally(template, play(template, 3, rng)[0])
    scene = replace(random_scene(rng, "easy"), size_px=(2592, 1944))
    order = PrintOrder(players=("Zoë", "Bo"), ink=ink, game_id="LAB234")
    photo = make_photo(template, contents, SyntheticHand(2), BALLPOINT, scene, order, rng, sheet=2)
    path = tmp_path / "photo.png"
    path.write_bytes(cv2.imencode(".png", photo.pixels[:, :, ::-1])[1].tobytes())
    reader = KnowingReader(template, {name: one.content for name, one in photo.truth.fields.items()})
    (scan,) = Scanner(reader).scan(path)
    assert isinstance(scan, Scan)
    sheet = scan.sheet
    assert (sheet.template, sheet.sheet_id, sheet.player) == (name, "LAB234-2", "Bo")
    assert {key: one.content for key, one in sheet.fields.items()} == reader.truth
    assert (sheet.findings, sheet.score.lines) == (photo.truth.findings, photo.truth.score.lines)
    assert sheet.score.total == photo.truth.score.total == contents["tally-total"].value
    middles = np.array([field.box_mm.centre for field in template.readable_fields])
    off = np.linalg.norm(scan.sheet_map.to_photo(middles) - photo.to_photo(middles), axis=1)
    assert off.max() / sheet.quality["px_per_mm"] < 0.5


def inner_ink(cell: np.ndarray) -> float:
    """Nearly the darkest ink well inside a field's outline."""
    inside = cv2.erode(np.uint8(cell[..., 1] == 0), np.ones((5, 5)))
    return float(np.percentile(cell[..., 0][inside > 0], 98))


def test_marks_show_in_the_cells_over_the_numbers(tmp_path: Path) -> None:
    """The print in a field is paler in its cell than a mark over it."""
    template = load_template("qwixx")
    contents = {name: CROSS for fields in template.places.values() for name in fields[::2]}
    rng = np.random.default_rng(1)
    scene = replace(random_scene(rng, "easy"), size_px=(2592, 1944))
    order = PrintOrder(paper="a5", game_id="LAB234")
    photo = make_photo(template, contents, SyntheticHand(2), BALLPOINT, scene, order, rng)
    path = tmp_path / "photo.png"
    path.write_bytes(cv2.imencode(".png", photo.pixels[:, :, ::-1])[1].tobytes())
    reader = KnowingReader(template, {name: one.content for name, one in photo.truth.fields.items()})
    (scan,) = Scanner(reader).scan(path)
    assert isinstance(scan, Scan)
    darkest = {name: inner_ink(cell) for name, cell in reader.cells.items()}
    in_rows = [name for fields in template.places.values() for name in fields]
    marked = min(darkest[name] for name in in_rows if name in contents)
    blank = max(darkest[name] for name in in_rows if name not in contents)
    assert blank < 110
    assert marked > 130


class TestLines:
    """A line through the rest of a row is one stroke, a line through a skipped number a short one."""

    def ink(self, contents: dict[str, Content]) -> np.ndarray:
        template, order = load_template("qwixx"), PrintOrder(paper="a5", game_id="LAB234")
        rng = np.random.default_rng(3)
        written = fill_sheet(template, contents, SyntheticHand(4), BALLPOINT, order, rng).printed.page
        difference = cv2.absdiff(written, print_sheet(template, order, 1).page).max(axis=2)
        difference[: round(16 * RASTER_PX_PER_MM)] = 0
        return (np.argwhere(difference > 50)[:, ::-1] + 0.5) / RASTER_PX_PER_MM

    def test_neighbours_are_struck_through_by_one_stroke(self) -> None:
        template = load_template("qwixx")
        rest = template.places["green"][6:]
        points = self.ink(dict.fromkeys(rest, LINE))
        across = np.sort(points[:, 0])
        assert np.diff(across).max() < 0.5
        first, last = template.field(rest[0]).box_mm, template.field(rest[-1]).box_mm
        assert first.x - 2 < across[0] < first.centre[0]
        assert last.centre[0] < across[-1] < last.right + 2
        assert np.ptp(points[:, 1]) < 6

    def test_lines_apart_stay_apart(self) -> None:
        template = load_template("qwixx")
        places = template.places["green"]
        points = self.ink({places[2]: LINE, places[4]: LINE, places[6]: VOID})
        gap = template.field(places[3]).box_mm.grown(-2)
        assert not ((points[:, 0] > gap.x) & (points[:, 0] < gap.right)).any()
