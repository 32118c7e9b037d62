"""Photos of several sheets on one table: side by side, any way up, of any game, overlapping, or copies."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks import lab
from benchmarks.outcome import PhotoOutcome, compare
from sheetscan.geometry import Box
from sheetscan.imaging.photo import Photo
from sheetscan.imaging.rectify import marker_corners
from sheetscan.lab.scene import random_scene
from sheetscan.lab.studio import RASTER_PX_PER_MM, FilledSheet, Placement, photograph_sheets
from sheetscan.pipeline import Outcome, Refusal, Scan, Scanner, failure_of
from sheetscan.template import template_names

TABLE_KEY = 90_211
SIZE_PX = (4032, 3024)
GAP_MM = 6.0
CARELESS_MM = 1.5
CARELESS_DEG = 2.5
FILL = 0.94


@dataclass(frozen=True, slots=True)
class Arrangement:
    """How sheets lie: in lines of `columns`, with `gap_mm` between those of a line (below 0: overlapping).

    Their games are drawn at random, or are all as the job says; `turns_deg` are the ways up that occur;
    `copies` are photocopies of one written sheet.
    """

    lines: int
    columns: int
    gap_mm: float = GAP_MM
    any_game: bool = True
    turns_deg: tuple[float, ...] = (0.0, 180.0)
    copies: bool = False

    @property
    def count(self) -> int:
        """How many sheets lie on the table."""
        return self.lines * self.columns


@dataclass(frozen=True)
class TablePhoto:
    """A photo with what is true of each sheet in it, in reading order."""

    number: int
    photo: Photo
    sheets: tuple[lab.LabPhoto, ...]


def photograph_table(job: lab.Job, arrangement: Arrangement) -> TablePhoto:
    """Print and fill the sheets, lay them out and photograph them; the same job gives the same photo."""
    rng = np.random.default_rng([TABLE_KEY, job.number])
    scripts, filled = _written(job, arrangement)
    scene = replace(random_scene(rng, job.source.difficulty), size_px=SIZE_PX, fill=FILL)
    placements = _placements(filled, arrangement, rng)
    upwards = rng.permutation(arrangement.count)
    shot = photograph_sheets([filled[n] for n in upwards], [placements[n] for n in upwards], scene, rng)
    photo = Photo(f"table-{job.number}", 1, "", np.ascontiguousarray(shot.pixels[..., ::-1]))
    layer_of = np.argsort(upwards)
    sheets = (
        lab.LabPhoto(
            job.number,
            photo,
            shot.truths[layer],
            shot.to_photos[layer],
            script.pen.kind,
            script.hand.name,
            script.hand.european,
        )
        for layer, script in zip(layer_of, scripts, strict=True)
    )
    return TablePhoto(job.number, photo, tuple(sheets))


def _written(job: lab.Job, arrangement: Arrangement) -> tuple[list[lab.Script], list[FilledSheet]]:
    scripts, filled = [], []
    for place in range(1 if arrangement.copies else arrangement.count):
        rng = np.random.default_rng([TABLE_KEY, job.number, place])
        game = str(rng.choice(template_names())) if arrangement.any_game else job.source.template
        own = replace(job, source=replace(job.source, template=game))
        scripts.append(lab.script_of(own, rng, game_id=f"TABLE{place + 2}"))
        filled.append(lab.fill(scripts[-1], rng))
    if arrangement.copies:
        return scripts * arrangement.count, filled * arrangement.count
    return scripts, filled


def _placements(
    filled: Sequence[FilledSheet], arrangement: Arrangement, rng: np.random.Generator
) -> list[Placement]:
    """Line by line; each sheet takes as much room as it needs the way that it lies."""
    turns = rng.choice(arrangement.turns_deg, arrangement.count)
    rooms = [_room_mm(sheet, turn) for sheet, turn in zip(filled, turns, strict=True)]
    placements = []
    y = 0.0
    for line in range(arrangement.lines):
        members = range(line * arrangement.columns, (line + 1) * arrangement.columns)
        height = max(rooms[member][1] for member in members)
        x = 0.0
        for member in members:
            width = rooms[member][0]
            middle = np.array([x + width / 2, y + height / 2]) + rng.normal(0, CARELESS_MM, 2)
            turn = float(turns[member]) + rng.normal(0, CARELESS_DEG)
            placements.append(Placement((float(middle[0]), float(middle[1])), turn))
            x += width + arrangement.gap_mm
        y += height + GAP_MM
    return placements


def _room_mm(sheet: FilledSheet, turn_deg: float) -> tuple[float, float]:
    height, width = (side / RASTER_PX_PER_MM for side in sheet.printed.page.shape[:2])
    return (height, width) if turn_deg % 180 else (width, height)


def measure_table(table: TablePhoto, scanner: Scanner, failures: Path | None = None) -> list[PhotoOutcome]:
    """What came of each sheet of a photo, in reading order; `failures` as for `measure`.

    Sheets count as lost when the results don't come in reading order, or when there is more than one of them.
    """
    results = list(scanner.scan_photo(table.photo))
    sheets = [_sheet_of(result, table.sheets) for result in results]
    own_results: list[list[Outcome]] = [[] for _ in table.sheets]
    for result, sheet in zip(results, sheets, strict=True):
        if sheet is not None:
            own_results[sheet].append(result)
    unseen = "; ".join(failure_of(result).message for result in results if not isinstance(result, Scan))
    outcomes = [
        _outcome(own, sheet, unseen, failures) for own, sheet in zip(own_results, table.sheets, strict=True)
    ]
    told = [sheet for sheet in sheets if sheet is not None]
    if told == sorted(told):
        return outcomes
    return [replace(outcome, fate="extra", reason="results out of reading order") for outcome in outcomes]


def _outcome(
    results: Sequence[Outcome], sheet: lab.LabPhoto, unseen: str, failures: Path | None
) -> PhotoOutcome:
    template = sheet.truth.template
    if len(results) > 1:
        reason = f"{len(results)} results from one sheet"
        return PhotoOutcome(sheet.number, "extra", reason, template=template)
    if not results:
        return PhotoOutcome(sheet.number, "missed", unseen, template=template)
    (result,) = results
    if not isinstance(result, Scan):
        return PhotoOutcome(sheet.number, "refused", failure_of(result).message, template=template)
    if result.sheet.template != template or result.sheet.sheet_id not in (None, sheet.truth.sheet_id):
        return PhotoOutcome(sheet.number, "extra", "read as another sheet", template=template)
    return compare(sheet, result, failures)


def _sheet_of(result: Outcome, sheets: Sequence[lab.LabPhoto]) -> int | None:
    """Which of the sheets a result is of: the one that lies where the result says."""
    if isinstance(result, Scan):
        places_mm = np.array(Box(0, 0, *result.template.page_mm).corners)
        places_px = result.sheet_map.to_photo(places_mm)
    elif isinstance(result, Refusal):
        places_mm, places_px = marker_corners(result.seen)
    else:
        return None
    return int(np.argmin([np.abs(sheet.to_photo(places_mm) - places_px).max() for sheet in sheets]))
