"""Judged sheets as a scan would give them, built from contents."""

import io
from collections.abc import Mapping

from rich.console import Console

from sheetscan.games import rules_for
from sheetscan.judge import judge
from sheetscan.result import EMPTY, Alternative, Content, FieldReading, Sheet, number
from sheetscan.template import load_template
from tests.games import sheets

TEMPLATE = load_template("qwinto")
GOLDEN_43, GOLDEN_28, GOLDEN_116 = (sheets.sheet(*golden[1:]) for golden in sheets.GOLDEN)


def sure(content: Content) -> FieldReading:
    return FieldReading(content.kind, content.value, 0.9999, content)


def doubtful(content: Content, confidence: float, *others: tuple[Content, float]) -> FieldReading:
    alternatives = tuple(Alternative(other.kind, other.value, share) for other, share in others)
    return FieldReading(content.kind, content.value, confidence, content, alternatives, "low confidence")


def unreadable(best: int, other: int) -> FieldReading:
    alternatives = (Alternative("number", best, 0.4), Alternative("number", other, 0.35))
    return FieldReading("unreadable", None, 0.4, number(best), alternatives, "low confidence")


def result(
    contents: Mapping[str, Content],
    readings: Mapping[str, FieldReading] | None = None,
    *,
    source: str = "IMG_1.jpg",
    player: str | None = "Anna",
    sheet_id: str | None = "K7M2QX-1",
    sha256: str = "a" * 64,
    language: str = "en",
) -> Sheet:
    """The judged sheet with `contents` read surely, but for `readings`."""
    fields = {field.id: sure(contents.get(field.id, EMPTY)) for field in TEMPLATE.readable_fields}
    fields |= readings or {}
    verdict = judge(rules_for(load_template("qwinto")), fields, language)
    return Sheet(
        source,
        1,
        sha256,
        "qwinto",
        sheet_id,
        player,
        "review" if verdict.review else "ok",
        fields,
        verdict.findings,
        verdict.repairs,
        verdict.score,
        verdict.review,
    )


def plain_console(width: int = 100) -> Console:
    return Console(file=io.StringIO(), width=width, color_system=None)
