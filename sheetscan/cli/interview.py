"""Asking a person about doubtful fields, one by one, as a state that each answer moves on."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from sheetscan.reassess import reassess
from sheetscan.result import CROSS, EMPTY, Content, Sheet
from sheetscan.template import load_template

Place = tuple[int, str]
"""A sheet's place in the document, from 0, and the name of one of its fields."""
WORTH_ASKING = 0.001
"""A less probable reading is not offered; it can still be typed."""
State = tuple[tuple[Sheet, ...], frozenset[Place]]
"""The sheets as corrected so far, and the fields that were skipped."""


def utc_now() -> datetime:
    """The time of a correction."""
    return datetime.now(UTC)


@dataclass(slots=True)
class Interview:
    """The fields in `review`, asked in turn; only what still matters after an answer is asked."""

    sheets: tuple[Sheet, ...]
    language: str
    now: Callable[[], datetime] = utc_now
    skipped: frozenset[Place] = frozenset()
    past: list[State] = field(default_factory=list)

    @property
    def open(self) -> list[Place]:
        """What is to be asked, in the order of the sheets."""
        return [
            (place, name)
            for place, sheet in enumerate(self.sheets)
            for name in sheet.review
            if (place, name) not in self.skipped
        ]

    @property
    def corrected(self) -> bool:
        """Whether any answer was given that stands."""
        return bool(self.past) and self.sheets != self.past[0][0]

    def choices(self, place: Place) -> list[Content]:
        """The contents to choose from: what the reader offered, and that it is empty or, in play, dead."""
        number, name = place
        sheet = self.sheets[number]
        reading = sheet.fields[name]
        kind = load_template(sheet.template).field(name).kind
        others = [other.content for other in reading.alternatives if other.probability >= WORTH_ASKING]
        offered = [reading.content, *others, EMPTY, *([] if kind == "tally" else [CROSS])]
        unfit = ("unreadable", "number") if kind == "mark" else ("unreadable",)
        return list(dict.fromkeys(content for content in offered if content.kind not in unfit))

    def answer(self, place: Place, content: Content) -> None:
        """Pin what the field holds and judge its sheet anew."""
        number, name = place
        self._remember()
        sheet = corrected(self.sheets[number], name, content, self.now(), self.language)
        self.sheets = (*self.sheets[:number], sheet, *self.sheets[number + 1 :])

    def skip(self, place: Place) -> None:
        """Leave the field in doubt."""
        self._remember()
        self.skipped |= {place}

    def back(self) -> bool:
        """Undo the last answer or skip; False if there is none."""
        if not self.past:
            return False
        self.sheets, self.skipped = self.past.pop()
        return True

    def _remember(self) -> None:
        self.past.append((self.sheets, self.skipped))


def corrected(sheet: Sheet, name: str, content: Content, at: datetime, language: str) -> Sheet:
    """A new result beside the old one with one field pinned, and the correction noted with its time.

    `quality["corrections"]` lists `{"field", "from", "to", "at"}`, the oldest first.
    """
    judged = reassess(sheet, {name: content}, language)
    noted = sheet.quality.get("corrections")
    entry = {
        "field": name,
        "from": str(sheet.fields[name].content),
        "to": str(content),
        "at": at.isoformat(timespec="seconds"),
    }
    corrections = [*(noted if isinstance(noted, list) else []), entry]
    return dataclasses.replace(judged, quality={**judged.quality, "corrections": corrections})
