"""The sheet as a person would draw it: its rows, staggered and coloured, and its boxes."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise

from rich.text import Text

from sheetscan.report.signs import SIGNS, Notice, Notices, glyph
from sheetscan.report.words import Words
from sheetscan.result import EMPTY, Content, Sheet
from sheetscan.template import LOCK_SIGN, Field, Row, Template

OUTLINE = 1
CONTENT = 3
"""Characters for a field's content and the sign beside it."""
PRINTED_CONTENT = 4
"""The same where a number is printed in the field and a mark is made on it."""

OUTLINES = {"circle": ("(", ")"), "pentagon": ("<", ">"), "box": ("[", "]")}
PAPER = "black on #fffdf5"
BLOCKED = "grey70 on grey30"
UNMARKED = "grey54 on #fffdf5"
PRINTED = {LOCK_SIGN: "L"}
"""What stands for printed signs that are two characters wide on some terminals and one on others."""
NOTICE_STYLES: dict[Notice, str] = {
    "doubt": "bold black on #ffd75f",
    "must": "bold white on #d70000",
    "one-of": "bold #af0000 on #ffd7d7",
    "hint": "bold #005f87 on #d7f0ff",
    "user": "bold #005f5f on #d7fff0",
}


@dataclass(frozen=True, slots=True)
class Grid:
    """Draws one sheet's fields."""

    words: Words
    sheet: Sheet

    @property
    def _width(self) -> int:
        """Characters that every field takes."""
        printed = any(field.label for field in self.words.template.fields if field.row is not None)
        return (PRINTED_CONTENT if printed else CONTENT) + 2 * OUTLINE

    def lines(self) -> Iterator[Text]:
        """The lines of the drawing: column numbers, rows, groups of boxes."""
        template = self.words.template
        places = _places(template)
        labels = {row.id: self.words.row(row.id) for row in template.rows}
        indent = max((len(label) for label in labels.values()), default=0) + 2
        if heading := _column_numbers(template, places, self._width):
            yield Text(" " * indent + heading, style="dim")
        for row in template.rows:
            yield Text(f"{labels[row.id]:>{indent - 1}} ", style="bold") + self._row(row, places)
        boxes = [field for field in template.fields if field.kind == "mark" and field.row is None]
        for _, members in groupby(boxes, key=lambda field: field.id.rpartition("-")[0]):
            group = list(members)
            yield Text("")
            cells = Text(" ").join(self._cell(field, PAPER) for field in group)
            yield Text(" " * indent + f"{self.words.group(group[0])}  ") + cells

    def _row(self, row: Row, places: dict[str, int]) -> Text:
        line = Text()
        for field in (field for field in self.words.template.fields if field.row == row.id):
            band = _band(self.words.template.row(field.look or row.id))
            gap = places[field.id] * self._width - line.cell_len
            line.append(" " * gap, style=band if line.plain.strip() else "")
            line.append_text(self._cell(field, band))
        return line

    def _cell(self, field: Field, band: str) -> Text:
        content = self._content(field.id)
        notice = Notices(self.sheet).of(field.id)
        if field.kind == "blocked" and content == EMPTY and notice is None:
            return Text("▒" * self._width, style=band)
        inside = f"{self._inside(field, content)}{SIGNS[notice] if notice else ' '}"
        left, right = OUTLINES[field.shape] if field.kind != "blocked" else ("▒", "▒")
        cell = Text.assemble((left, band), (inside, self._style(notice, field, content)), (right, band))
        cell.truncate(self._width)
        return cell

    def _inside(self, field: Field, content: Content) -> str:
        """What is printed in the field and written on it, without its sign."""
        printed = PRINTED.get(field.label or "", field.label or "")
        written = glyph(content)
        width = self._width - 2 * OUTLINE - 1
        return f"{printed}{written or ' '}".rjust(width) if printed else f"{written:>2}".ljust(width)

    def _style(self, notice: Notice | None, field: Field, content: Content) -> str:
        if notice is not None:
            return NOTICE_STYLES[notice]
        if field.label and content == EMPTY:
            return UNMARKED
        return BLOCKED if field.kind == "blocked" else PAPER

    def _content(self, field_id: str) -> Content:
        reading = self.sheet.fields.get(field_id)
        return EMPTY if reading is None else reading.content


def _places(template: Template) -> dict[str, int]:
    """How many fields' widths each field of a row lies right of the leftmost one, as on the sheet."""
    lefts = {field.id: field.box_mm.centre[0] for field in template.fields if field.row is not None}
    if not lefts:
        return {}
    steps = [
        lefts[right.id] - lefts[left.id]
        for row in template.rows
        for left, right in _neighbours(template, row)
    ]
    pitch_mm = min(steps, default=1.0)
    first = min(lefts.values())
    return {name: round((left - first) / pitch_mm) for name, left in lefts.items()}


def _neighbours(template: Template, row: Row) -> Iterator[tuple[Field, Field]]:
    fields = [field for field in template.fields if field.row == row.id]
    yield from pairwise(fields)


def _column_numbers(template: Template, places: dict[str, int], width: int) -> str:
    """The numbers above the fields, if all rows number their columns alike."""
    columns: dict[int, set[int | None]] = {}
    for field in template.fields:
        if field.id in places:
            columns.setdefault(places[field.id], set()).add(field.column)
    if any(len(numbers) > 1 or None in numbers for numbers in columns.values()):
        return ""
    shown = {place: str(*numbers) for place, numbers in columns.items()}
    return "".join(f"{shown.get(place, ''):^{width}}" for place in range(max(shown, default=-1) + 1))


def _band(row: Row) -> str:
    return f"{_legible_on(row.colour)} on {row.colour}"


def _legible_on(colour: str) -> str:
    """Black or white, whichever contrasts with `colour` (luma of ITU-R BT.601)."""
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return "black" if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "white"
