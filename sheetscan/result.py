"""What is known about a photographed sheet: frozen data, and the JSON of the contract (`sheetscan/1`)."""

import dataclasses
import json
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal, get_args

from sheetscan.errors import SheetscanError, UnreadableInputError, first_fault

SCHEMA = "sheetscan/1"
SETTLED = ("ranking", "findings", "winner", "question")
"""What `settle --json` tells beside the sheets and failures; they are judged and settled anew."""
MAX_DEPTH = 100
"""No result nests half as deep, and what does could not be written again."""

ContentKind = Literal["empty", "number", "cross", "line", "void", "unreadable"]
Severity = Literal["must-cross", "one-of", "note"]
Why = Literal["low confidence", "rule hint", "user"]

CONTENT_KINDS: tuple[str, ...] = get_args(ContentKind)
_STRICT = {"extra": "forbid"}


@dataclass(frozen=True, slots=True)
class Content:
    """What a field holds. `value` is the number where `kind` is "number", else None."""

    __pydantic_config__ = _STRICT

    kind: ContentKind
    value: int | None = None

    def __hash__(self) -> int:
        # Readings are dictionaries of contents, and the generated hash of both takes three times as long.
        return hash(self.kind if self.value is None else self.value)

    def __str__(self) -> str:
        return str(self.value) if self.kind == "number" else self.kind


EMPTY = Content("empty")
CROSS = Content("cross")
VOID = Content("void")
UNREADABLE = Content("unreadable")


@lru_cache(maxsize=1024)
def number(value: int) -> Content:
    """The content of a field in which `value` is written."""
    return Content("number", value)


@dataclass(frozen=True, slots=True)
class Alternative:
    """One reading of a field with its calibrated probability."""

    __pydantic_config__ = _STRICT

    kind: ContentKind
    value: int | None
    probability: float

    @property
    def content(self) -> Content:
        """The reading without its probability."""
        return Content(self.kind, self.value)


@dataclass(frozen=True, slots=True)
class FieldReading:
    """A field's conclusion (`kind`, `value`) beside what the reader said (`raw`) and what else it may be.

    `why` is None for a reading given as sure; "low confidence" marks a doubt.
    """

    __pydantic_config__ = _STRICT

    kind: ContentKind
    value: int | None
    confidence: float
    raw: Content
    alternatives: tuple[Alternative, ...] = ()
    why: Why | None = None

    @property
    def content(self) -> Content:
        """The concluded reading."""
        return Content(self.kind, self.value)

    @property
    def doubtful(self) -> bool:
        """Whether the reading is offered, not asserted."""
        return self.why == "low confidence"


@dataclass(frozen=True, slots=True)
class Finding:
    """A violation or remark: the fields that it concerns, in words, with the rule that it rests on."""

    __pydantic_config__ = _STRICT

    code: str
    severity: Severity
    fields: tuple[str, ...]
    message: str
    rule: str


@dataclass(frozen=True, slots=True)
class Repair:
    """Fields that become crosses so that no violation is left, and the total then."""

    __pydantic_config__ = _STRICT

    crosses: tuple[str, ...]
    score: int


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One line of the tally."""

    __pydantic_config__ = _STRICT

    label: str
    points: int


@dataclass(frozen=True, slots=True)
class Score:
    """The provisional total, the lowest and highest it may become, and the probability that it is right."""

    __pydantic_config__ = _STRICT

    total: int
    range: tuple[int, int]
    lines: tuple[ScoreLine, ...]
    certainty: float


@dataclass(frozen=True, slots=True)
class Sheet:
    """Everything that is known about one photographed sheet (SHEET in the contract)."""

    __pydantic_config__ = _STRICT

    source: str
    page: int
    sha256: str
    template: str
    sheet_id: str | None
    player: str | None
    status: Literal["ok", "review"]
    fields: dict[str, FieldReading]
    findings: tuple[Finding, ...]
    repairs: tuple[Repair, ...]
    score: Score
    review: tuple[str, ...]
    quality: dict[str, Any] = field(default_factory=dict)
    overlay: str | None = None

    @property
    def needs_a_look(self) -> bool:
        """Whether findings other than notes, or fields to review, are there (exit code 1)."""
        return bool(self.review) or any(finding.severity != "note" for finding in self.findings)


@dataclass(frozen=True, slots=True)
class Failure:
    """An input, or a page of one, that gave no sheet; `code` is the exit code that it stands for."""

    __pydantic_config__ = _STRICT

    source: str
    page: int | None
    code: int
    message: str
    hint: str

    @classmethod
    def of(cls, source: str, page: int | None, error: SheetscanError) -> "Failure":
        """What that error means for an input, or for a page of one."""
        return cls(source, page, int(error.exit_code), error.message, error.hint)


@dataclass(frozen=True, slots=True)
class Document:
    """A batch's outcome."""

    __pydantic_config__ = _STRICT

    schema: str = SCHEMA
    sheets: tuple[Sheet, ...] = ()
    failures: tuple[Failure, ...] = ()


def to_json(part: Document | Sheet | Failure, *, indent: int | None = 2) -> str:
    """The JSON text of a document, or of one sheet or failure of it."""
    return json.dumps(dataclasses.asdict(part), ensure_ascii=False, indent=indent)


def _depth(data: object) -> int:
    """How deep objects and lists are nested."""
    level, depth = [data], 0
    while level:
        depth += 1
        lists = [list(item.values()) if isinstance(item, dict) else item for item in level]
        level = [item for held in lists if isinstance(held, list) for item in held]
    return depth


def _loaded(text: str) -> Any:
    """The data in a JSON text, or the document whose sheets and failures are its lines; raises ValueError."""
    try:
        return json.loads(text)
    except ValueError:
        lines = [line.strip() for line in text.split("\n") if line.strip()]
        if len(lines) < 2 or not all(line.startswith("{") and line.endswith("}") for line in lines):
            raise
    parts = [json.loads(line) for line in lines]
    sheets, failures = (
        [part for part in parts if ("template" in part) is wanted] for wanted in (True, False)
    )
    return {"schema": SCHEMA, "sheets": sheets, "failures": failures}


def document_from_json(text: str, source: str) -> Document:
    """Read a result document, or one SHEET of it, strictly; also lines of `scan -f jsonl`, or a settled game.

    Raises UnreadableInputError with the place of the first fault when `text` is none of these.
    """
    from pydantic import TypeAdapter, ValidationError

    hint = "give a file written by `sheetscan scan --json`, or one of its sheets"
    try:
        data = _loaded(text.removeprefix("\ufeff"))
    except (json.JSONDecodeError, RecursionError) as error:
        raise UnreadableInputError(f"{source}: not JSON ({error})", hint) from error
    except ValueError as error:
        raise UnreadableInputError(f"{source}: holds a number of thousands of digits", hint) from error
    if _depth(data) > MAX_DEPTH:
        raise UnreadableInputError(f"{source}: nested deeper than {MAX_DEPTH} levels", hint)
    whole = isinstance(data, dict) and "schema" in data
    if whole and data["schema"] != SCHEMA:
        raise UnreadableInputError(f"{source}: schema {data['schema']!r} is not {SCHEMA!r}", hint)
    try:
        if whole:
            document = {part: value for part, value in data.items() if part not in SETTLED}
            return TypeAdapter(Document).validate_python(document)
        return Document(sheets=(TypeAdapter(Sheet).validate_python(data),))
    except ValidationError as error:
        raise UnreadableInputError(f"{source}: {first_fault(error)}", hint) from error
