"""Sheets as data: loading and checking `templates/*.toml`, and the template's JSON of the contract."""

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import chain, combinations, product
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from sheetscan.errors import (
    TemplateError,
    UnknownTemplateError,
    UnreadableInputError,
    first_fault,
    reason_of,
)
from sheetscan.geometry import Box
from sheetscan.template_file import Anchor, FieldKind, LabelFile, Pattern, RowFile, Shape, TemplateFile

__all__ = [
    "Anchor",
    "Field",
    "FieldKind",
    "Label",
    "Marker",
    "Pattern",
    "Row",
    "Shape",
    "Template",
    "load_template",
    "parse_template",
    "read_template_file",
    "template_names",
]

MARKER_QUIET_ZONE_MODULES = 1
MARKER_MODULES = 8
"""An AprilTag 36h11 is 6 x 6 modules inside a black border of one."""

MARKERS_IN_DICTIONARY = 587
"""Ids of AprilTag 36h11 run from 0 to 586."""
FIELD_OUTLINE_MM = 0.5
"""Width of a field's printed outline, which lies inside the field's box."""
BOX_CORNER_MM = 1.5
"""Radius of the rounded corners of fields of shape "box"."""
LOCK_SIGN = "🔒"
"""Label of the field that closes a row."""


@dataclass(frozen=True, slots=True)
class Field:
    """A place on the sheet that holds something: its name, kind, outline and, in a row, its column.

    `label` is printed in it; `look` is the row whose colour and pattern it has, None for its own.
    """

    id: str
    kind: FieldKind
    box_mm: Box
    shape: Shape
    row: str | None = None
    column: int | None = None
    label: str | None = None
    look: str | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A coloured band that carries fields."""

    id: str
    colour: str
    pattern: Pattern
    band_mm: Box


@dataclass(frozen=True, slots=True)
class Marker:
    """A fiducial: its id in the dictionary and the black square that it prints."""

    id: int
    box_mm: Box


@dataclass(frozen=True, slots=True)
class Label:
    """Printed words or a sign; `text` is a key of the template's texts or, if there is none, itself."""

    text: str
    at_mm: tuple[float, float]
    size_mm: float
    anchor: Anchor
    bold: bool
    width_mm: float | None


@dataclass(frozen=True, slots=True)
class Template:
    """A sheet: everything that printing, finding and reading need to know about it."""

    id: str
    version: int
    game: str
    title: str
    page_mm: tuple[float, float]
    dictionary: str
    markers: tuple[Marker, ...]
    code_mm: Box
    code_text_mm: Box
    rows: tuple[Row, ...]
    fields: tuple[Field, ...]
    labels: tuple[Label, ...]
    texts: dict[str, dict[str, str]]

    def field(self, field_id: str) -> Field:
        """The field of that name; raises KeyError if the sheet has none."""
        for candidate in self.fields:
            if candidate.id == field_id:
                return candidate
        raise KeyError(field_id)

    @property
    def readable_fields(self) -> tuple[Field, ...]:
        """The fields that are read: all but free text."""
        return tuple(field for field in self.fields if field.kind != "text")

    def row(self, row_id: str) -> Row:
        """The row of that name; raises KeyError if the sheet has none."""
        for candidate in self.rows:
            if candidate.id == row_id:
                return candidate
        raise KeyError(row_id)

    @property
    def places(self) -> dict[str, tuple[str, ...]]:
        """The names of each row's fields from left to right."""
        return {row.id: tuple(field.id for field in self.fields if field.row == row.id) for row in self.rows}

    def to_dict(self) -> dict[str, Any]:
        """The template as plain data for JSON (contract, "Template JSON")."""

        def box(value: Box) -> list[float]:
            return [round(side, 3) for side in (value.x, value.y, value.width, value.height)]

        def described(field: Field) -> dict[str, Any]:
            entry: dict[str, Any] = {
                "id": field.id,
                "kind": field.kind,
                "box_mm": box(field.box_mm),
                "shape": field.shape,
            }
            optional = {"row": field.row, "column": field.column, "label": field.label, "look": field.look}
            return entry | {key: value for key, value in optional.items() if value is not None}

        return {
            "id": self.id,
            "version": self.version,
            "game": self.game,
            "title": self.title,
            "page_mm": list(self.page_mm),
            "fields": [described(field) for field in self.fields],
            "rows": [
                {"id": row.id, "colour": row.colour, "pattern": row.pattern, "band_mm": box(row.band_mm)}
                for row in self.rows
            ],
            "markers": {
                "dictionary": self.dictionary,
                "places": [{"id": marker.id, "box_mm": box(marker.box_mm)} for marker in self.markers],
            },
            "code": {"box_mm": box(self.code_mm), "text_mm": box(self.code_text_mm)},
        }


def _built(file: TemplateFile) -> Template:
    alone = [
        Field(entry.id, entry.kind, Box(*entry.box_mm), entry.shape, label=entry.label)
        for entry in file.fields
    ]
    size = file.markers.size_mm
    return Template(
        id=file.id,
        version=file.version,
        game=file.game,
        title=file.title,
        page_mm=file.page_mm,
        dictionary=file.markers.dictionary,
        markers=tuple(
            Marker(file.markers.first_id + place, Box.around(centre, size, size))
            for place, centre in enumerate(file.markers.centres_mm)
        ),
        code_mm=Box(*file.code.box_mm),
        code_text_mm=Box(*file.code.text_mm),
        rows=tuple(Row(row.id, row.colour, row.pattern, Box(*row.band_mm)) for row in file.rows),
        fields=(*(field for row in file.rows for field in _row_fields(row)), *alone),
        labels=tuple(label for entry in file.labels for label in _labels(entry)),
        texts=file.texts.model_dump(),
    )


def _row_fields(row: RowFile) -> Iterator[Field]:
    kinds: dict[str, tuple[FieldKind, Shape]] = {
        "o": ("number", "circle"),
        "P": ("number", "pentagon"),
        "#": ("blocked", "circle"),
        "x": ("mark", "box"),
        "L": ("mark", "box"),
    }
    numbers = iter(row.numbers)
    looks: Sequence[str | None] = row.look_list or [None] * len(row.letters)
    for place, (letter, look) in enumerate(zip(row.letters, looks, strict=True)):
        kind, shape = kinds[letter]
        label = next(numbers) if letter == "x" else LOCK_SIGN if letter == "L" else None
        column = None if row.first_column is None else row.first_column + place
        name = {"x": label, "L": "lock"}.get(letter, column)
        centre = (row.first_centre_mm[0] + place * row.pitch_mm, row.first_centre_mm[1])
        box = Box.around(centre, *row.size_mm)
        yield Field(f"{row.id}-{name}", kind, box, shape, row.id, column, label, look)


def _labels(entry: LabelFile) -> Iterator[Label]:
    words = [entry.text] if entry.pitch_mm is None else entry.text.split()
    for place, word in enumerate(words):
        at_mm = (entry.at_mm[0] + place * (entry.pitch_mm or 0), entry.at_mm[1])
        yield Label(word, at_mm, entry.size_mm, entry.anchor, entry.bold, entry.width_mm)


def _faults(template: Template) -> list[str]:
    """What is wrong with a template whose file is well formed."""
    return _place_faults(template) + _name_faults(template)


def _place_faults(template: Template) -> list[str]:
    """Places off the page, and overlaps of what must stay apart."""
    page = Box(0, 0, *template.page_mm)
    quiet_mm = template.markers[0].box_mm.width / MARKER_MODULES * MARKER_QUIET_ZONE_MODULES
    markers = [(f"marker {marker.id}", marker.box_mm.grown(quiet_mm)) for marker in template.markers]
    codes = [("code", template.code_mm), ("code text", template.code_text_mm)]
    apart = [(field.id, field.box_mm) for field in template.fields] + markers + codes
    bands = [(f"the band of {row.id}", row.band_mm) for row in template.rows]
    labels = [(f"label {label.text!r}", Box(*label.at_mm, 0, 0)) for label in template.labels]
    pairs = chain(combinations(apart, 2), product(bands, markers + codes))
    return [f"{name} lies off the page" for name, box in apart + bands + labels if not page.contains(box)] + [
        f"{name} overlaps {other_name}"
        for (name, box), (other_name, other_box) in pairs
        if box.overlaps(other_box)
    ]


def _name_faults(template: Template) -> list[str]:
    """Names given twice, markers and looks that don't exist, texts missing in a language."""
    faults = [f"two fields are named {name}" for name in _repeated(field.id for field in template.fields)]
    faults += [f"two rows are named {name}" for name in _repeated(row.id for row in template.rows)]
    if template.markers[-1].id >= MARKERS_IN_DICTIONARY:
        faults.append(f"marker {template.markers[-1].id} is not one of the {MARKERS_IN_DICTIONARY} markers")
    looks = {field.look for field in template.fields if field.look} - {row.id for row in template.rows}
    faults += [f"no row is named {look}, whose look fields have" for look in sorted(looks)]
    english = set(template.texts["en"])
    missing = {language: sorted(english - set(texts)) for language, texts in template.texts.items()}
    return faults + [
        f"texts.{language} lacks {', '.join(keys)}" for language, keys in missing.items() if keys
    ]


def _repeated(names: Iterable[str]) -> list[str]:
    return sorted(name for name, times in Counter(names).items() if times > 1)


def parse_template(text: str, source: str) -> Template:
    """Build a template from the text of a TOML file.

    Raises TemplateError with the file, the key and the reason when it is invalid.
    """
    hint = "correct it and try `sheetscan templates check FILE`; templates/qwinto.toml is a working example"
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise TemplateError(f"{source}: not a TOML file ({error})", hint) from error
    except ValueError as error:
        raise TemplateError(f"{source}: holds a number of thousands of digits", hint) from error
    try:
        template = _built(TemplateFile.model_validate(data))
    except ValidationError as error:
        raise TemplateError(f"{source}: {first_fault(error)}", hint) from error
    if faults := _faults(template):
        raise TemplateError(f"{source}: {'; '.join(faults)}", hint)
    return template


def read_template_file(path: Path) -> Template:
    """Read and check a template file; raises UnreadableInputError, or TemplateError when it is invalid."""
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        raise UnreadableInputError(f"{path}: can't be read ({reason_of(error)})", _TOML_HINT) from error
    return parse_template(template_text(data, str(path)), str(path))


def template_text(data: bytes, source: str) -> str:
    """The text of a template file; raises UnreadableInputError for what is no text."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableInputError(f"{source}: not text in UTF-8", _TOML_HINT) from error


_TOML_HINT = "give a template, which is a TOML file in UTF-8"


def _shipped() -> dict[str, Any]:
    """The shipped template files by name: inside the package in a wheel, beside it in a checkout."""
    in_wheel = resources.files("sheetscan").joinpath("templates")
    folder: Any = in_wheel if in_wheel.is_dir() else Path(__file__).parent.parent / "templates"
    files = {
        entry.name.removesuffix(".toml"): entry for entry in folder.iterdir() if entry.name.endswith(".toml")
    }
    return dict(sorted(files.items()))


def template_names() -> tuple[str, ...]:
    """The names of the shipped templates, sorted."""
    return tuple(_shipped())


@cache
def load_template(name: str) -> Template:
    """The shipped template of that name; raises UnknownTemplateError or TemplateError."""
    shipped = _shipped()
    if name not in shipped:
        raise UnknownTemplateError(f"there is no template named {name!r}", f"templates: {', '.join(shipped)}")
    return parse_template(shipped[name].read_text(encoding="utf-8"), f"templates/{name}.toml")
