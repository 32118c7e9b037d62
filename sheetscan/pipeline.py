"""From a photo to results, step by step: decode, find, flatten, read, judge."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sheetscan.decode import Threshold, with_rules
from sheetscan.errors import NoSheetError, SheetscanError
from sheetscan.games import rules_for
from sheetscan.games.base import Rules
from sheetscan.geometry import Box
from sheetscan.imaging.cells import cut_cells
from sheetscan.imaging.code import read_sheet_code
from sheetscan.imaging.glare import Hidden, check_glare, hidden_fields
from sheetscan.imaging.markers import SeenSheet, find_markers, group_sheets
from sheetscan.imaging.photo import Photo, load_photos
from sheetscan.imaging.quality import Visibility, check_legible, check_visible, measure_visibility
from sheetscan.imaging.rectify import SheetMap, flatten
from sheetscan.imaging.refine import locate_sheet
from sheetscan.imaging.refusal import nothing_found
from sheetscan.imaging.streaks import Streak, find_streaks, without_streaks
from sheetscan.judge import judge
from sheetscan.reading.darkness import by_darkness
from sheetscan.reading.grain import stroke_lengths_mm, without_noise
from sheetscan.reading.hand import with_same_hand
from sheetscan.reading.reader import Reader, Reading, mean_of, sure_from
from sheetscan.result import EMPTY, UNREADABLE, Alternative, Failure, FieldReading, Sheet, Why
from sheetscan.sheetcode import SheetCode
from sheetscan.template import Field, FieldKind, Template, load_template, template_names

OVERLAY_PX_PER_MM = 8.0
MIN_ALTERNATIVE = 0.001
CRUMBS_MM = 2.4
"""Where the longest stroke in a quarter of the fields is shorter, the strokes are broken: a whole digit is
4 mm high. The lab's black and white scans that lack writing show up to 2.2 mm, nearly all others more."""
HIDDEN_TRUST = 0.5
"""How much a reading is worth that was made of a field which is washed out, covered or printed dark."""
STRAY_MARKERS = 2
"""So few markers of a sheet beside a whole one are noise or a neighbour's corner, not worth a failure."""


@dataclass(frozen=True)
class Scan:
    """A sheet that was read, with what is needed to show it."""

    sheet: Sheet
    template: Template
    pixels: NDArray[np.uint8]
    sheet_map: SheetMap
    px_per_mm: float = OVERLAY_PX_PER_MM

    @cached_property
    def flat(self) -> NDArray[np.uint8]:
        """The flattened photo, blue-green-red, at `px_per_mm`."""
        return flatten(self.pixels, self.sheet_map, self.px_per_mm)


@dataclass(frozen=True)
class Refusal:
    """A sheet that was seen and not read: why, and what there is to show of it."""

    failure: Failure
    pixels: NDArray[np.uint8]
    seen: SeenSheet


Outcome = Scan | Refusal | Failure
"""A sheet that was read, one that was seen and refused, or a file or page in which none was found."""


def failure_of(outcome: Refusal | Failure) -> Failure:
    """What went wrong, be there something to show of it or not."""
    return outcome.failure if isinstance(outcome, Refusal) else outcome


@dataclass(frozen=True)
class Scanner:
    """Reads photos with one reader that is loaded once; `template` None means any that is shipped."""

    reader: Reader
    template: str | None = None
    language: str = "en"

    def scan(self, source: Path | str) -> Iterator[Outcome]:
        """Read every sheet on every page of a file ("-": standard input); what goes wrong is told."""
        pages_read = 0
        try:
            for photo in load_photos(source):
                yield from self.scan_photo(photo)
                pages_read = photo.page
        except SheetscanError as error:
            yield Failure.of(str(source), pages_read + 1 if pages_read else None, error)

    def scan_photo(self, photo: Photo) -> Iterator[Outcome]:
        """Read every sheet in one picture."""
        try:
            seen_sheets = find_sheets(photo, self.template)
        except NoSheetError as error:
            yield Failure.of(photo.source, photo.page, error)
            return
        for seen in seen_sheets:
            try:
                yield self._read(photo, seen)
            except NoSheetError as error:
                yield Refusal(Failure.of(photo.source, photo.page, error), photo.pixels, seen)

    def _read(self, photo: Photo, seen: SeenSheet) -> Scan:
        view = _view_of(photo, seen)
        template, rules = view.template, rules_for(view.template)
        readings, pale = self._readings(photo, view)
        fields = with_rules(rules, self._fields(view, readings, rules), threshold_of(self.reader, template))
        verdict = judge(rules, fields, self.language)
        sheet = Sheet(
            source=photo.source,
            page=photo.page,
            sha256=photo.sha256,
            template=template.id,
            sheet_id=view.code.sheet_id if view.code else None,
            player=view.code.player if view.code else None,
            status=verdict.status,
            fields=fields,
            findings=verdict.findings,
            repairs=verdict.repairs,
            score=verdict.score,
            review=verdict.review,
            quality=view.quality | {"pale": pale, "reader": self.reader.name},
        )
        return Scan(sheet, template, photo.pixels, view.sheet_map)

    def _readings(self, photo: Photo, view: "_View") -> tuple[list[Reading], bool]:
        """What the reader says of each field, and whether the writing is pale; raises NoSheetError if it is
        too pale to be seen."""
        fields = view.template.readable_fields
        cells = cut_cells(photo.pixels, view.sheet_map, view.template, self.reader.cell)
        kinds = [field.kind for field in fields]
        readings = self.reader.read(cells, kinds)
        if view.visibility.noisy:
            smooth = self.reader.read(without_noise(cells), kinds)
            readings = [mean_of(pair) for pair in zip(readings, smooth, strict=True)]
        self._read_streaked(view, cells, readings)
        if view.visibility.black_and_white:
            _check_written(fields, readings)
            if not view.visibility.noisy:
                written = [place for place, field in enumerate(fields) if field.kind != "blocked"]
                _check_whole(stroke_lengths_mm(cells[written], self.reader.cell))
            return readings, False
        return readings, self._judge_darkness(view, cells, readings)

    def _fields(self, view: "_View", readings: Sequence[Reading], rules: Rules) -> dict[str, FieldReading]:
        """What is concluded of each field; raises NoSheetError if the photo is too poor for that."""
        fields, scanned = view.template.readable_fields, view.visibility.black_and_white
        not_seen = view.hidden.names
        helped = by_same_hand(readings, fields, rules, self.reader, not_seen)
        if scanned:
            not_seen |= _printed_dark(fields, readings)
        asserted = {
            field.id: concluded(with_hand, self.reader, field.kind, reading)
            for field, reading, with_hand in zip(fields, readings, helped, strict=True)
            if field.id not in not_seen
        }
        check_legible(view.visibility, asserted.values(), view.template.id)
        return {
            field.id: asserted.get(field.id) or not_asserted(reading)
            for field, reading in zip(fields, readings, strict=True)
        }

    def _read_streaked(self, view: "_View", cells: NDArray[np.uint8], readings: list[Reading]) -> None:
        """Where streaks run through fields, what is read with and without them counts alike, in place."""
        fields = view.template.readable_fields
        places = [place for place, field in enumerate(fields) if field.id in view.streaked]
        if not places:
            return
        centres = [fields[place].box_mm.centre for place in places]
        mended = [
            without_streaks(cells[place], centre, self.reader.cell, view.streaks)
            for place, centre in zip(places, centres, strict=True)
        ]
        again = self.reader.read(np.stack(mended), [fields[place].kind for place in places])
        for place, reading in zip(places, again, strict=True):
            readings[place] = mean_of((readings[place], reading))

    def _judge_darkness(self, view: "_View", cells: NDArray[np.uint8], readings: list[Reading]) -> bool:
        """Whether the writing is pale; how dark it is counts in the readings, in place."""
        fields, not_seen = view.template.readable_fields, view.hidden.names
        places = [
            place
            for place, field in enumerate(fields)
            if field.kind != "blocked" and field.id not in not_seen
        ]
        judged, pale = by_darkness(
            self.reader,
            cells[places],
            [fields[place] for place in places],
            [readings[place] for place in places],
        )
        for place, reading in zip(places, judged, strict=True):
            readings[place] = reading
        return pale


@dataclass(frozen=True)
class _View:
    """Where a sheet lies in a photo, how well and what of it is seen, and what its printed code says."""

    template: Template
    sheet_map: SheetMap
    visibility: Visibility
    hidden: Hidden
    streaks: tuple[Streak, ...]
    code: SheetCode | None

    @cached_property
    def streaked(self) -> list[str]:
        """The names of fields through which streaks run."""
        return [
            field.id
            for field in self.template.readable_fields
            if any(streak.crosses(field.box_mm) for streak in self.streaks)
        ]

    @property
    def quality(self) -> dict[str, object]:
        """The figures that a result tells."""
        page = Box(0, 0, *self.template.page_mm)
        return {
            "px_per_mm": round(self.sheet_map.px_per_mm(page), 2),
            "residual_mm": round(self.sheet_map.residual_mm, 3),
            "edge_mm": round(self.visibility.edge_mm, 2),
            "contrast": round(self.visibility.contrast),
            "washed_out": list(self.hidden.washed_out),
            "covered": list(self.hidden.covered),
            "streaked": self.streaked,
            "markers_found": self.sheet_map.markers_found,
            "template_version": self.template.version,
        }


def _view_of(photo: Photo, seen: SeenSheet) -> _View:
    """Raises NoSheetError where there is nothing to be read."""
    template = seen.template
    sheet_map = locate_sheet(photo.pixels, seen, photo.grey)
    visibility = measure_visibility(photo.pixels, sheet_map, seen)
    check_visible(visibility, template.id)
    hidden = hidden_fields(photo.pixels, sheet_map, template, black_and_white=visibility.black_and_white)
    check_glare(hidden.washed_out, template)
    streaks = find_streaks(photo.grey, sheet_map, template)
    code = read_sheet_code(photo.pixels, sheet_map, template)
    _check_code(code, template)
    return _View(template, sheet_map, visibility, hidden, streaks, code)


def find_sheets(photo: Photo, wanted: str | None) -> list[SeenSheet]:
    """The sheets in a picture, of the template `wanted` or (None) any shipped; raises NoSheetError."""
    templates = [load_template(name) for name in sorted({*template_names(), *filter(None, [wanted])})]
    found = [
        marker
        for dictionary in {template.dictionary for template in templates}
        for marker in find_markers(photo.grey, dictionary, _kinds(templates, dictionary))
    ]
    groups = group_sheets(found, templates)
    sheets = [seen for seen in groups if len(seen.corners) > STRAY_MARKERS] or groups
    if not sheets:
        dictionary = templates[0].dictionary
        raise nothing_found(photo.grey, dictionary, _kinds(templates, dictionary), wanted or "sheetscan")
    asked_for = [seen for seen in sheets if wanted in (None, seen.template.id)]
    if not asked_for:
        raise NoSheetError(
            f"no {wanted} sheet found: the photo shows a {sheets[0].template.id} sheet",
            f"read it with `-t {sheets[0].template.id}` or `-t auto`",
        )
    return asked_for


def by_same_hand(
    readings: Sequence[Reading],
    fields: Sequence[Field],
    rules: Rules,
    reader: Reader,
    not_seen: Collection[str] = (),
) -> list[Reading]:
    """The readings of one sheet, helped by how its hand writes ones, where the reader knows how to.

    What stands in the fields `not_seen` shows nothing of the hand.
    """
    if reader.same_hand is None:
        return list(readings)
    begin_with_one = [field.id not in not_seen and _begins_with_one(field, rules) for field in fields]
    return with_same_hand(readings, begin_with_one, reader.same_hand)


def _begins_with_one(field: Field, rules: Rules) -> bool:
    """Whether it holds numbers of which those of two digits begin with a one."""
    values = [content.value for content in rules.possible_contents(field.id) if content.value is not None]
    return field.kind == "number" and 10 <= max(values, default=0) <= 19


def threshold_of(reader: Reader, template: Template) -> Threshold:
    """From which probability on a content of a field is sure, by the reader."""
    kinds = {field.id: field.kind for field in template.readable_fields}
    return lambda field, content: sure_from(reader, content, kinds[field])


def concluded(reading: Reading, reader: Reader, field: FieldKind, raw: Reading | None = None) -> FieldReading:
    """What is asserted of a reading by its reader's thresholds: sure, doubtful, or nothing at all.

    `raw` is what the reader itself said, where the reading was helped: another one than that stays in doubt.
    """
    raw = raw or reading
    best, confidence = reading.best, reading.confidence
    others = reading.candidates[1:]
    if confidence < reader.unreadable_below:
        best, others = UNREADABLE, reading.candidates
    alternatives = tuple(
        Alternative(content.kind, content.value, round(probability, 4))
        for content, probability in others
        if probability >= MIN_ALTERNATIVE
    )
    why: Why | None = None if raw.confidence >= sure_from(reader, raw.best, field) else "rule hint"
    if confidence < sure_from(reader, reading.best, field) or best != raw.best:
        why = "low confidence"
    return FieldReading(best.kind, best.value, round(confidence, 4), raw.best, alternatives, why)


def _check_written(fields: Sequence[Field], readings: Sequence[Reading]) -> None:
    """Raises NoSheetError when a black and white scan shows no writing: pale strokes leave no trace in it."""
    pairs = zip(fields, readings, strict=True)
    if all(reading.best == EMPTY for field, reading in pairs if field.kind != "blocked"):
        raise NoSheetError(
            "the black and white scan shows no writing: such scans lose pale pencil",
            "scan it in grey or colour",
        )


def _check_whole(lengths_mm: NDArray[np.float64]) -> None:
    """Raises NoSheetError when the strokes in a black and white scan are in crumbs: others are lost."""
    strokes = lengths_mm[lengths_mm > 0]
    if strokes.size and np.percentile(strokes, 25) < CRUMBS_MM:
        raise NoSheetError(
            "the black and white scan shows no more than crumbs of the writing: such scans lose pale pencil",
            "scan it in grey or colour",
        )


def _printed_dark(fields: Sequence[Field], readings: Sequence[Reading]) -> set[str]:
    """The fields with a printed fill on which ink was read: in a black and white scan its dots look so."""
    pairs = zip(fields, readings, strict=True)
    return {field.id for field, reading in pairs if field.kind == "blocked" and reading.best != EMPTY}


def not_asserted(reading: Reading) -> FieldReading:
    """What is asserted of a field that can't be seen: nothing, though what shows of it may be right."""
    alternatives = tuple(
        Alternative(content.kind, content.value, round(probability * HIDDEN_TRUST, 4))
        for content, probability in reading.candidates
        if probability >= MIN_ALTERNATIVE
    )
    return FieldReading("unreadable", None, 0.0, reading.best, alternatives, "low confidence")


def _kinds(templates: list[Template], dictionary: str) -> list[set[int]]:
    """The ids of the markers on each template's sheet."""
    return [
        {marker.id for marker in template.markers}
        for template in templates
        if template.dictionary == dictionary
    ]


def _check_code(code: SheetCode | None, template: Template) -> None:
    """Raises NoSheetError when the sheet says that it was printed from another template or version."""
    if code is None or (code.template, code.version) == (template.id, template.version):
        return
    raise NoSheetError(
        f"the sheet was printed as {code.template} version {code.version},"
        f" this is {template.id} version {template.version}",
        "read it with the version of sheetscan that printed it",
    )
