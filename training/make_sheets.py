"""Makes cells by the whole way of a real sheet: print, write, photograph, find, flatten, cut.

`python -m training.make_sheets 400 --out work/sheets` for sheets written by the training's writers,
`... --by nobody --out work/blanks` for blank ones, the ground that layers are laid on,
`... --by validation --out work/validation` for the writers to validate on.
"""

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Literal, cast, get_args

import cv2
import numpy as np
import pypdfium2
from numpy.typing import NDArray

from benchmarks import lab
from benchmarks.faults import overwritten
from sheetscan.errors import TemplateError
from sheetscan.geometry import CellSpec
from sheetscan.imaging.photo import Photo
from sheetscan.lab.camera import photograph
from sheetscan.lab.hand import Hand
from sheetscan.lab.pen import random_pen
from sheetscan.lab.scene import Difficulty, random_scene
from sheetscan.language import LANGUAGES
from sheetscan.pipeline import Scanner
from sheetscan.printing.order import Ink, PrintOrder
from sheetscan.printing.pdf import render_pdf
from sheetscan.reading.reader import Reading
from sheetscan.result import EMPTY
from sheetscan.template import Field, FieldKind, Template, load_template
from training.content import KINDS, Kind, Scope, Writers, draw_on, random_writing

SPEC = CellSpec(64, 16)
PAGE_PX_PER_MM = 12.0
INKS: tuple[Ink, ...] = ("colour", "light", "black")
DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "normal", "hard")
Cut = Literal["number", "mark", "tally", "blocked"]
FIELD_KINDS: tuple[Cut, ...] = (
    "number",
    "mark",
    "tally",
    "blocked",
)
CHUNK = 40
FIRST_CALIBRATION_PHOTO = 1_000_000
CALIBRATION_PHOTOS = 100_000
"""The benchmarks count their photos from 0, so that these are none of theirs."""

WrittenBy = Literal["train", "validation", "nobody", "validation games"]
WRITTEN_BY: tuple[WrittenBy, ...] = get_args(WrittenBy)

CONTENTS: dict[str, tuple[tuple[Kind, ...], tuple[float, ...]]] = {
    "number": (("number", "empty", "cross", "void"), (0.68, 0.14, 0.09, 0.09)),
    "tally": (("number", "empty", "void"), (0.8, 0.17, 0.03)),
    "blocked": (("empty", "number", "cross", "void"), (0.8, 0.1, 0.05, 0.05)),
    "mark": (("cross", "empty", "line", "void"), (0.45, 0.2, 0.15, 0.2)),
}


@dataclass(frozen=True, slots=True)
class SheetCells:
    """Cells (n, 64, 64, 2) of one sheet with their labels."""

    cells: NDArray[np.uint8]
    kinds: list[int]
    texts: list[str]
    fields: list[int]
    writer: str = ""


@lru_cache(maxsize=32)
def printed_page(name: str, ink: Ink, language: str) -> NDArray[np.float32]:
    """A printed sheet, (h, w, 3) RGB reflectance at PAGE_PX_PER_MM."""
    order = PrintOrder(paper="a5", language=language, ink=ink, game_id="TRAIN2", players=("Anna",))
    document = pypdfium2.PdfDocument(render_pdf(load_template(name), order))
    bitmap = document[0].render(scale=PAGE_PX_PER_MM * 25.4 / 72, rev_byteorder=True)
    return np.asarray(bitmap.to_numpy()[..., :3] / 255, np.float32)


def make_game_sheet(number: int, template: Template, spoil: lab.Spoil) -> SheetCells:
    """A sheet as played, by a validation writer, photographed as for the benchmarks but none of theirs."""
    while True:
        job = lab.Job(lab.Source(template=template.id), FIRST_CALIBRATION_PHOTO + number)
        photo = lab.make(job, spoil=spoil)
        cells = cells_of(photo.photo.pixels, template)
        if cells is not None:
            break
        number += CALIBRATION_PHOTOS
    fields = template.readable_fields
    contents = [photo.truth.fields[field.id] for field in fields]
    kinds = [KINDS.index(cast(Kind, content.kind)) for content in contents]
    texts = ["" if content.value is None else str(content.value) for content in contents]
    return SheetCells(
        cells, kinds, texts, [FIELD_KINDS.index(cast(Cut, field.kind)) for field in fields], photo.writer
    )


def make_sheet(writers: Writers | None, template: Template, rng: np.random.Generator) -> SheetCells:
    """One sheet; without `writers` it stays blank. Photos in which no sheet is found are taken again."""
    language = str(rng.choice(LANGUAGES))
    page = printed_page(template.id, INKS[int(rng.integers(len(INKS)))], language) ** rng.uniform(0.6, 1.2)
    page = page.astype(np.float32)
    hand = writers.hand(rng) if writers else None
    labels = (
        _write(page, template, writers, hand, rng)
        if writers and hand
        else [("empty", "")] * len(template.readable_fields)
    )
    while True:
        difficulty = DIFFICULTIES[int(rng.choice(3, p=[0.25, 0.45, 0.3]))]
        shot = photograph(page, PAGE_PX_PER_MM, random_scene(rng, difficulty), rng)
        cells = cells_of(np.ascontiguousarray(shot.pixels[..., ::-1]), template)
        if cells is None:
            continue
        return SheetCells(
            cells,
            [KINDS.index(kind) for kind, _ in labels],
            [text for _, text in labels],
            [FIELD_KINDS.index(field.kind) for field in template.readable_fields],
            hand.name if hand else "",
        )


class CellTaker:
    """A reader that keeps the cells that the pipeline cut, and reads nothing into them."""

    name = "cell taker"
    cell = SPEC
    sure_from = 0.0
    unreadable_below = 0.0
    same_hand = None
    pale_below = 0.0

    def __init__(self) -> None:
        self.cells: NDArray[np.uint8] | None = None

    def read(self, cells: NDArray[np.uint8], kinds: Sequence[FieldKind]) -> list[Reading]:
        """Keep the cells (see Reader)."""
        self.cells = cells
        return [Reading(((EMPTY, 1.0),)) for _ in kinds]


def cells_of(pixels: NDArray[np.uint8], template: Template) -> NDArray[np.uint8] | None:
    """The cells that the pipeline cuts out of a photo of one sheet, BGR; None if it finds none to read."""
    taker = CellTaker()
    with suppress(TemplateError):  # a game whose rules are not written yet: its cells are cut all the same
        for _ in Scanner(taker, template.id).scan_photo(Photo("training", 1, "", pixels)):
            pass
    return taker.cells


def _write(
    page: NDArray[np.float32], template: Template, writers: Writers, hand: Hand, rng: np.random.Generator
) -> list[tuple[Kind, str]]:
    """Fill all fields in one hand, mostly with one pen; returns the labels."""
    pen = random_pen(rng)
    labels: list[tuple[Kind, str]] = []
    for field in template.readable_fields:
        kind = _random_kind(field, rng)
        if kind == "empty":
            labels.append(("empty", ""))
            continue
        scope: Scope = "mark" if field.kind == "mark" else "number"
        writing = random_writing(writers, hand, scope, kind, rng)
        used = pen if rng.random() < 0.9 else random_pen(rng)
        draw_on(page, writing, field.box_mm.centre, px_per_mm=PAGE_PX_PER_MM, pen=used, rng=rng)
        labels.append((kind, writing.text))
    return labels


def _random_kind(field: Field, rng: np.random.Generator) -> Kind:
    kinds, shares = CONTENTS[field.kind]
    return kinds[int(rng.choice(len(kinds), p=shares))]


def make_chunk(
    folder: Path, out: Path, chunk: int, written_by: WrittenBy, names: Sequence[str], *, spoilt: bool
) -> Path:
    """Write one file of cells: `cells`, `kind`, `text`, `field`, `writer`.

    On every fourth sheet of `spoilt` games four numbers stand over others, as in `benchmarks.robustness`.
    """
    cv2.setNumThreads(1)
    rng = np.random.default_rng([chunk, 77, WRITTEN_BY.index(written_by)])
    templates = [load_template(names[place % len(names)]) for place in range(CHUNK)]
    if written_by == "validation games":
        sheets = [
            make_game_sheet(
                chunk * CHUNK + place, template, overwritten if spoilt and place % 4 == 3 else lab.unspoilt
            )
            for place, template in enumerate(templates)
        ]
    else:
        writers = None if written_by == "nobody" else Writers(folder, written_by)
        sheets = [make_sheet(writers, template, rng) for template in templates]
    path = out / f"cells-{chunk:03d}.npz"
    np.savez(
        path,
        cells=np.concatenate([sheet.cells for sheet in sheets]),
        kind=np.concatenate([sheet.kinds for sheet in sheets]),
        text=np.array([text for sheet in sheets for text in sheet.texts], "U4"),
        field=np.concatenate([sheet.fields for sheet in sheets]),
        writer=np.array([sheet.writer for sheet in sheets for _ in sheet.kinds]),
    )
    return path


def main() -> None:
    """Make the sheets asked for on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--data", type=Path, default=Path("../shared/data/handwriting"))
    parser.add_argument("--out", type=Path, default=Path("work/sheets"))
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--first-chunk", type=int, default=0)
    parser.add_argument("--by", choices=WRITTEN_BY, default="train")
    parser.add_argument(
        "--overwritten", action="store_true", help="every fourth game has numbers over others"
    )
    parser.add_argument("--templates", nargs="+", default=["qwinto"])
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(options.processes) as pool:
        numbers = range(options.first_chunk, options.first_chunk + -(-options.count // CHUNK))
        task = partial(
            make_chunk,
            options.data,
            options.out,
            written_by=options.by,
            names=options.templates,
            spoilt=options.overwritten,
        )
        for path in pool.map(task, numbers):
            print(path, flush=True)


if __name__ == "__main__":
    main()
