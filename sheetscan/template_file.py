"""What a template file may hold: the schema of `templates/*.toml`."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, model_validator
from pydantic import Field as Constraint

FieldKind = Literal["number", "mark", "tally", "text", "blocked"]
Shape = Literal["circle", "pentagon", "box"]
Pattern = Literal["plain", "dots", "stripes", "grid"]
Anchor = Literal["left", "middle", "right"]

Millimetres = Annotated[float, Constraint(ge=0, le=2000, allow_inf_nan=False)]
Size = Annotated[float, Constraint(gt=0, le=2000, allow_inf_nan=False)]
Point = tuple[Millimetres, Millimetres]
BoxFigures = tuple[Millimetres, Millimetres, Size, Size]
Name = Annotated[str, Constraint(pattern=r"^[a-z][a-z0-9-]{0,31}$")]
Colour = Annotated[str, Constraint(pattern=r"^#[0-9A-Fa-f]{6}$")]
NumberList = Annotated[str, Constraint(pattern=r"^[0-9]{1,2}( [0-9]{1,2})*$")]
NameList = Annotated[str, Constraint(pattern=r"^[a-z][a-z0-9-]{0,31}( [a-z][a-z0-9-]{0,31})*$")]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class MarkersFile(_Strict):
    """Fiducials: ids count up from `first_id` in the order of their middles."""

    dictionary: Literal["DICT_APRILTAG_36h11"]
    first_id: Annotated[int, Constraint(ge=0)]
    size_mm: Size
    centres_mm: Annotated[list[Point], Constraint(min_length=4, max_length=16)]


class CodeFile(_Strict):
    """Where the sheet's code is printed, as a QR code and as text."""

    box_mm: BoxFigures
    text_mm: BoxFigures


class RowFile(_Strict):
    """A band with its fields, one a letter of `cells`.

    To write in, named by row and column: `o` a round field, `P` a pentagon (bonus) field, `#` a blocked one.
    To mark, named by row and label: `x` a box with the next of the `labels` in it, `L` one with a lock.
    `looks` names for each field the row whose colour and pattern it has; by default that is its own.
    """

    id: Name
    colour: Colour
    pattern: Pattern
    band_mm: BoxFigures
    first_centre_mm: Point
    pitch_mm: Size
    size_mm: tuple[Size, Size]
    first_column: Annotated[int, Constraint(ge=1, le=99)] | None = None
    cells: Annotated[str, Constraint(pattern=r"^[oP#xL]( [oP#xL])*$")]
    labels: NumberList | None = None
    looks: NameList | None = None

    @property
    def letters(self) -> list[str]:
        """The fields' letters."""
        return self.cells.split()

    @property
    def numbers(self) -> list[str]:
        """What is printed in the fields to mark."""
        return self.labels.split() if self.labels else []

    @property
    def look_list(self) -> list[str] | None:
        """The rows that lend the fields their looks."""
        return self.looks.split() if self.looks else None

    @model_validator(mode="after")
    def _check_cells(self) -> Self:
        to_mark = self.letters.count("x")
        if to_mark != len(self.numbers):
            raise ValueError(f"{to_mark} cells are x, but labels are {len(self.numbers)}")
        if set(self.letters) & set("oP#") and self.first_column is None:
            raise ValueError("cells that are o, P or # need first_column")
        if self.look_list and len(self.look_list) != len(self.letters):
            raise ValueError(f"there are {len(self.letters)} cells, but {len(self.look_list)} looks")
        return self


class FieldFile(_Strict):
    """A field outside the rows."""

    id: Name
    kind: FieldKind
    shape: Shape
    box_mm: BoxFigures
    label: str | None = None


class LabelFile(_Strict):
    """Printed words; with `pitch_mm` each word of the text is set so much further right than the last."""

    text: Annotated[str, Constraint(min_length=1)]
    at_mm: Point
    size_mm: Size
    anchor: Anchor = "left"
    bold: bool = False
    width_mm: Size | None = None
    pitch_mm: Size | None = None


class TextsFile(_Strict):
    """The words of a sheet in all languages."""

    en: dict[str, str]
    de: dict[str, str]
    nl: dict[str, str]
    fr: dict[str, str]


class TemplateFile(_Strict):
    """A whole file."""

    id: Name
    version: Annotated[int, Constraint(ge=1, le=999)]
    game: Name
    title: str
    page_mm: tuple[Size, Size]
    markers: MarkersFile
    code: CodeFile
    rows: list[RowFile] = []
    fields: list[FieldFile] = []
    labels: list[LabelFile] = []
    texts: TextsFile
