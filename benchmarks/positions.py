"""How well bent paper is followed: how far from their true places the fields of curled and folded sheets are.

`python -m benchmarks.positions` photographs sheets with a sag of up to 15 mm and with a fold, places their
fields by one homography, by the bend that the markers show, and by markers and printed outlines together, and
prints how far the fields' corners and middles are off; likewise of flat sheets with pen strokes along
outlines. `--pictures` shows one sheet of each kind flattened by the first and by the last, with the outlines
drawn where they are expected.
"""

import argparse
import dataclasses
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks import lab
from benchmarks.faults import SIZE_PX
from benchmarks.outcome import position_errors_mm
from benchmarks.pool import outcomes_of
from benchmarks.strokes import along_outlines
from benchmarks.tables import print_table
from sheetscan.errors import NoSheetError
from sheetscan.geometry import CellSpec
from sheetscan.imaging.outline import print_mask
from sheetscan.imaging.rectify import SheetMap, fit_sheet_map, flatten
from sheetscan.imaging.refine import locate_sheet
from sheetscan.imaging.surface import FLAT
from sheetscan.lab.optics import Bend
from sheetscan.pipeline import find_sheets
from sheetscan.template import Field, Template

POSITION_KEY = 90_213
GOAL_MEDIAN_MM, GOAL_P99_MM = 0.25, 0.8
PICTURE_PX_PER_MM = 4.0
PICTURE_QUALITY = 60
EXPECTED = (200, 0, 200)
STRIP_PX = 36

Picture = NDArray[np.uint8]


def _curled(sag_mm: float, axis_deg: float, fold_deg: float = 0.0) -> Callable[[np.random.Generator], Bend]:
    """Bent up or down, about an axis near the given one, perhaps folded too, not always in the middle."""

    def bend(rng: np.random.Generator) -> Bend:
        up, fold_up = rng.choice([-1.0, 1.0], 2)
        return Bend(
            sag_mm * up, axis_deg + rng.uniform(-8, 8), fold_deg * fold_up, fold_at=rng.uniform(0.35, 0.65)
        )

    return bend


KINDS: dict[str, Callable[[np.random.Generator], Bend]] = {
    "flat": _curled(0.0, 90.0),
    "sag 15 mm, long side": _curled(15.0, 90.0),
    "sag 15 mm, short side": _curled(15.0, 0.0),
    "sag 15 mm, diagonal": _curled(15.0, 45.0),
    "fold 10°": _curled(1.0, 90.0, 10.0),
    "fold 20°": _curled(1.0, 90.0, 20.0),
    "sag 15 mm and fold 10°": _curled(15.0, 90.0, 10.0),
}
STRUCK = "flat, strokes along outlines"
KINDS[STRUCK] = KINDS["flat"]
WAYS = ("one homography", "the markers' bend", "markers and outlines")


@dataclass(frozen=True, slots=True)
class Placed:
    """One photo: millimetres that the places of its fields are off, by way; or why it was refused."""

    photo: int
    kind: str
    errors_mm: dict[str, tuple[float, ...]]
    refused: str | None = None


def photograph_bent(kind: str, job: lab.Job) -> lab.LabPhoto:
    """The job's sheet and scene, the paper bent in one of KINDS."""
    bend = KINDS[kind](np.random.default_rng([POSITION_KEY, job.number]))
    adapt = partial(replace, size_px=SIZE_PX, bend=bend)
    return lab.make(job, adapt, spoil=along_outlines) if kind == STRUCK else lab.make(job, adapt)


def maps_of(photo: lab.LabPhoto) -> tuple[Template, dict[str, SheetMap]]:
    """The sheet's template and its maps, one for each of WAYS; raises NoSheetError as the scanner would."""
    (seen,) = find_sheets(photo.photo, photo.truth.template)
    by_markers = fit_sheet_map(seen)
    flat = replace(by_markers, surface=FLAT)
    maps = (flat, by_markers, locate_sheet(photo.photo.pixels, seen))
    return seen.template, dict(zip(WAYS, maps, strict=True))


def place(task: tuple[str, lab.Job], pictures: Path | None = None) -> Placed:
    """Photograph and place one sheet; its picture goes into the folder `pictures`."""
    kind, job = task
    photo = photograph_bent(kind, job)
    try:
        template, maps = maps_of(photo)
    except NoSheetError as error:
        return Placed(job.number, kind, {}, error.message)
    if pictures is not None:
        pictures.mkdir(parents=True, exist_ok=True)
        picture = before_and_after(photo.photo.pixels, maps, template)
        name = kind.replace(" ", "-").replace(",", "").replace("°", "")
        cv2.imwrite(
            str(pictures / f"{name}-{job.number}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, PICTURE_QUALITY]
        )
    fields = template.readable_fields
    errors = {
        way: tuple(position_errors_mm(photo.to_photo, sheet_map.to_photo, fields))
        for way, sheet_map in maps.items()
    }
    return Placed(job.number, kind, errors)


def before_and_after(pixels: Picture, maps: dict[str, SheetMap], template: Template) -> Picture:
    """The sheet flattened by the first and, below, by the last of WAYS, outlines where they are expected."""
    strips = []
    for way in (WAYS[0], WAYS[-1]):
        flat = flatten(pixels, maps[way], PICTURE_PX_PER_MM)
        for field in template.readable_fields:
            _draw_outline(flat, field)
        title = np.full((STRIP_PX, flat.shape[1], 3), 255, np.uint8)
        cv2.putText(title, f"placed by {way}", (8, 26), (0, 0, 0), cv2.FontFace("sans"), 22, 500)
        strips += [title, flat]
    return np.vstack(strips)


def _draw_outline(flat: Picture, field: Field) -> None:
    """A thin line along the outer edge of a field's expected outline."""
    side_px = round((max(field.box_mm.width, field.box_mm.height) + 1) * PICTURE_PX_PER_MM)
    spec = CellSpec(side_px, side_px / PICTURE_PX_PER_MM)
    edge = cv2.morphologyEx(
        print_mask(field.shape, field.box_mm, spec), cv2.MORPH_GRADIENT, np.ones((2, 2), np.uint8)
    )
    left, top = (round(middle * PICTURE_PX_PER_MM - side_px / 2) for middle in field.box_mm.centre)
    flat[top : top + side_px, left : left + side_px][edge > 0] = EXPECTED


def report(placed: Sequence[Placed]) -> None:
    """Print how far fields are off, by kind of bend and way of placing."""
    print_table(
        f"Millimetres off, median / 99 % (goal {GOAL_MEDIAN_MM} / {GOAL_P99_MM})",
        ("paper", "photos", "refused", *WAYS),
        [_row(kind, [photo for photo in placed if photo.kind == kind]) for kind in KINDS],
    )
    for photo in placed:
        if photo.refused:
            print(f"- {photo.kind}, photo {photo.photo}: {photo.refused}")


def _row(kind: str, photos: Sequence[Placed]) -> tuple[object, ...]:
    refused = sum(photo.refused is not None for photo in photos)
    return kind, len(photos), refused, *(_figures(photos, way) for way in WAYS)


def _figures(photos: Sequence[Placed], way: str) -> str:
    errors = [error for photo in photos for error in photo.errors_mm.get(way, ())]
    if not errors:
        return "-"
    return f"{np.median(errors):.3f} / {np.percentile(errors, 99):.3f}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.positions", description=__doc__)
    parser.add_argument("--photos", type=int, default=20, help="photos of each kind of bend")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--pictures", type=Path, help="folder for pictures of the flattened sheets")
    parser.add_argument("--json", action="store_true")
    lab.add_options(parser)
    parser.set_defaults(difficulty="easy")
    options = parser.parse_args(arguments)
    source = lab.source_of(options)
    numbers = range(options.seed, options.seed + options.photos)
    tasks = [(kind, lab.Job(source, number)) for kind in KINDS for number in numbers]
    placed = outcomes_of(partial(place, pictures=options.pictures), tasks, options.processes)
    if options.json:
        print(json.dumps([dataclasses.asdict(photo) for photo in placed], ensure_ascii=False))
    else:
        report(placed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
