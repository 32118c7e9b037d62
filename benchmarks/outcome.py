"""What came of one lab photo: found or not, each field against the truth, places against the true map."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.lab import LabPhoto
from sheetscan.pipeline import Scan, Scanner, failure_of
from sheetscan.result import Content, FieldReading
from sheetscan.template import Field, FieldKind

Fate = Literal["found", "refused", "missed", "extra"]
FATES: tuple[Fate, ...] = get_args(Fate)
"""`missed`: nothing was said of the sheet; `extra`: more, or other, results than there are sheets."""
Map = Callable[[NDArray[np.float64]], NDArray[np.float64]]
CELL_MARGIN_MM = 2.5


@dataclass(frozen=True, slots=True)
class FieldOutcome:
    """One field: what stands there, what was concluded (`read`), and what the reader said first (`raw`)."""

    photo: int
    field: str
    kind: FieldKind
    truth: Content
    read: Content
    raw: Content
    confidence: float
    sure: bool

    @property
    def right(self) -> bool:
        """Whether the reading given is exactly what stands there."""
        return self.read == self.truth

    def __str__(self) -> str:
        certainty = "sure" if self.sure else "in doubt"
        return (
            f"photo {self.photo} {self.field}: {self.truth} read as {self.read}"
            f" (reader: {self.raw}, {self.confidence:.3f}, {certainty})"
        )


@dataclass(frozen=True, slots=True)
class PhotoOutcome:
    """One photo. `reason` says why a sheet was refused; totals and `questions` are None without a sheet.

    `questions` counts the fields that are put to a person. `errors_mm` are distances between where
    the fields' corners and middles were thought to be and where they are.
    """

    photo: int
    fate: Fate
    reason: str
    fields: tuple[FieldOutcome, ...] = ()
    errors_mm: tuple[float, ...] = ()
    true_total: int | None = None
    read_total: int | None = None
    questions: int | None = None
    template: str = "qwinto"

    @property
    def certain(self) -> bool:
        """Whether a sheet was read, nothing is put to a person, and the total is asserted."""
        return self.questions == 0


def measure(photo: LabPhoto, scanner: Scanner, failures: Path | None = None) -> PhotoOutcome:
    """Scan one photo and compare; pictures of wrong fields go into the folder `failures`."""
    results = list(scanner.scan_photo(photo.photo))
    scans = [result for result in results if isinstance(result, Scan)]
    if not scans:
        reasons = [failure_of(result).message for result in results if not isinstance(result, Scan)]
        fate: Fate = "refused" if reasons else "missed"
        return PhotoOutcome(photo.number, fate, "; ".join(reasons), template=photo.truth.template)
    if len(results) > 1:
        reason = f"{len(results)} results from one sheet"
        return PhotoOutcome(photo.number, "extra", reason, template=photo.truth.template)
    return compare(photo, scans[0], failures)


def compare(photo: LabPhoto, scan: Scan, failures: Path | None = None) -> PhotoOutcome:
    """What came of a sheet that was read; pictures of wrong fields go into the folder `failures`."""
    fields = scan.template.readable_fields
    outcome = PhotoOutcome(
        photo.number,
        "found",
        "",
        tuple(_field_outcome(photo, field, scan.sheet.fields[field.id]) for field in fields),
        tuple(position_errors_mm(photo.to_photo, scan.sheet_map.to_photo, fields)),
        photo.truth.score.total,
        scan.sheet.score.total,
        len(scan.sheet.review),
        scan.template.id,
    )
    if failures is not None:
        _save_wrong_fields(outcome, scan, failures)
    return outcome


def _field_outcome(photo: LabPhoto, field: Field, reading: FieldReading) -> FieldOutcome:
    return FieldOutcome(
        photo.number,
        field.id,
        field.kind,
        photo.truth.fields[field.id].content,
        reading.content,
        reading.raw,
        reading.confidence,
        not reading.doubtful,
    )


def position_errors_mm(true_map: Map, fitted_map: Map, fields: tuple[Field, ...]) -> list[float]:
    """Distances, on the sheet, between the true and the fitted place of every field's corners and middle.

    A distance in pixels becomes millimetres through the true map's slopes at that place.
    """
    places = [point for field in fields for point in (*field.box_mm.corners, field.box_mm.centre)]
    points_mm = np.array(places, dtype=np.float64)
    step_mm = 0.5
    slopes = [
        (true_map(points_mm + step) - true_map(points_mm - step)) / (2 * step_mm)
        for step in (np.array([step_mm, 0]), np.array([0, step_mm]))
    ]
    jacobians = np.stack(slopes, axis=2)
    misses_px = fitted_map(points_mm) - true_map(points_mm)
    misses_mm = np.linalg.solve(jacobians, misses_px[..., None])[..., 0]
    return [float(miss) for miss in np.linalg.norm(misses_mm, axis=1)]


def _save_wrong_fields(outcome: PhotoOutcome, scan: Scan, folder: Path) -> None:
    """Cut the fields that were read wrong from the flattened photo, named by what went wrong."""
    for field in outcome.fields:
        if field.raw == field.truth and field.right:
            continue
        box = scan.template.field(field.field).box_mm.grown(CELL_MARGIN_MM)
        picture = scan.flat[box.pixels(scan.px_per_mm)]
        certainty = "sure" if field.sure else "doubt"
        name = f"{certainty}-{field.truth}-as-{field.raw}-{field.confidence:.3f}-{field.photo}-{field.field}"
        folder.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(folder / f"{name}.png"), picture)
