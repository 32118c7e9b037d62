"""Corrections as they are typed: FIELD=VALUE, checked strictly."""

import difflib
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sheetscan.errors import UsageError

if TYPE_CHECKING:
    from sheetscan.result import Content, Sheet
    from sheetscan.template import Template

NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,2})", re.ASCII)
MARKS = ("cross", "empty", "line", "void")
ALLOWED = "a whole number of up to three digits, cross, empty, line or void"


def split(change: str) -> tuple[str, str]:
    """A correction's field and value; raises UsageError."""
    field, equals, value = change.partition("=")
    if not equals or not field:
        raise UsageError(f"--set {change!r} is not FIELD=VALUE", f"VALUE is {ALLOWED}")
    return field, value


def changes_of(sheet: "Sheet", pairs: Sequence[tuple[str, str]]) -> dict[str, "Content"]:
    """The corrections of one sheet; raises UsageError for a field or value that it can't have."""
    from sheetscan.template import load_template

    template = load_template(sheet.template)
    changes: dict[str, Content] = {}
    for field, value in pairs:
        _check_field(field, template)
        content = _content_of(field, value, template)
        if changes.setdefault(field, content) != content:
            raise UsageError(f"--set {field} is given twice with different values", "give it once")
    return changes


def _check_field(field: str, template: "Template") -> None:
    known = [one.id for one in template.readable_fields]
    if field in known:
        return
    near = difflib.get_close_matches(field, known, n=3)
    hint = (
        f"do you mean {' or '.join(near)}?" if near else f"fields: `sheetscan templates show {template.id}`"
    )
    raise UsageError(f"the {template.id} sheet has no field {field!r} that can be set", hint)


def _content_of(field: str, value: str, template: "Template") -> "Content":
    from sheetscan.result import Content, number

    if value in MARKS:
        return Content(value)  # type: ignore[arg-type]
    if not NUMBER.fullmatch(value) or value == "-0":
        raise UsageError(f"{field}={value!r}: no such value", f"it may be {ALLOWED}")
    if template.field(field).kind == "mark":
        raise UsageError(f"{field}={value}: holds a mark, not a number", f"it may be {', '.join(MARKS)}")
    return number(int(value))
