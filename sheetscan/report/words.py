"""How fields, contents and figures are called in the language of the reader."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from sheetscan.language import field_name, say, signed
from sheetscan.result import Content, Sheet
from sheetscan.template import Field, Template


@dataclass(frozen=True, slots=True)
class Words:
    """The words for one template in one language."""

    template: Template
    language: str

    def say(self, key: str, **figures: object) -> str:
        """A text of `report.toml`."""
        return say(self.language, f"report.{key}", **figures)

    def row(self, row_id: str) -> str:
        """The name of a row, as printed."""
        return self.template.texts[self.language].get(f"row-{row_id}", row_id)

    def field(self, field_id: str) -> str:
        """The name of a field, as the game's rules call it."""
        return field_name(self.language, self.template.game, field_id)

    def line(self, label: str) -> str:
        """The name of a line of the score, as the game's rules call it."""
        return say(self.language, f"{self.template.game}.line-{label}")

    def group(self, first: Field) -> str:
        """The words printed nearest to the first of a group of boxes, such as the misthrows."""
        texts = self.template.texts[self.language]
        x, y = first.box_mm.x, first.box_mm.y
        named = [label for label in self.template.labels if label.text in texts]
        nearest = min(named, key=lambda label: math.dist(label.at_mm, (x, y)), default=None)
        return texts[nearest.text] if nearest else first.id.rpartition("-")[0]

    def content(self, content: Content) -> str:
        """What a field holds."""
        return signed(content.value) if content.value is not None else self.say(content.kind)

    def points(self, points: int) -> str:
        """A number of points; French counts 0 as singular."""
        singular = abs(points) < 2 if self.language == "fr" else abs(points) == 1
        return self.say("points-one" if singular else "points-many", points=signed(points))

    def percent(self, probability: float) -> str:
        """A probability; rounded down, so that only certainty is shown as 100 %."""
        figure = f"{math.floor(probability * 1000 + 1e-9) / 10:g}"
        return self.say("percent", figure=figure.replace(".", self.say("decimal")))

    def joined(self, parts: Iterable[str], conjunction: str) -> str:
        """`a, b and c`; `conjunction` is a key of `report.toml`."""
        *first, last = parts
        return f"{', '.join(first)} {self.say(conjunction)} {last}" if first else last


def source_name(sheet: Sheet) -> str:
    """The photo, as it was given."""
    return "stdin" if sheet.source == "-" else sheet.source


def shown(text: str) -> str:
    """Text from outside (names of files and players) without what would steer a terminal."""
    return "".join(letter if letter.isprintable() else "�" for letter in text)


def span(figures: tuple[int, int]) -> str:
    """The lowest and the highest of whole numbers, or both in one."""
    low, high = figures
    return signed(low) if low == high else f"{signed(low)}–{signed(high)}"
