"""One player's pages of the printed evidence: picture, fields in question, findings, tally, origin."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import cv2
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, KeepTogether, Spacer

from sheetscan.language import say, signed
from sheetscan.picture import Picture, crop
from sheetscan.pipeline import OVERLAY_PX_PER_MM
from sheetscan.report.alternatives import worth_telling
from sheetscan.report.overlay import overlay_jpeg
from sheetscan.report.pdf_parts import HALF, Cell, beside, boxed, finding_part, image, ruled, table
from sheetscan.report.pdf_style import MUTED, OPEN, PANEL, VIOLATION, WIDTH, heading, paragraph
from sheetscan.report.words import Words, source_name, span
from sheetscan.result import CONTENT_KINDS, Repair, Sheet

CARDS_A_LINE = 4
MANY_CARDS = 8
MANY_A_LINE = 6
"""Of more than MANY_CARDS fields in question as many stand on a line."""
ABOVE_CARDS = 0.78
"""Width of the photo above fields in question: narrower, so that most players' evidence fills one page."""
CROP_MARGIN_MM = 1.5
CROP_HEIGHT = 30 * mm
MOST_REPAIRS = 8
WORTH_SAYING = 0.005
"""A less probable alternative is not printed."""


@dataclass(frozen=True, slots=True)
class SheetPages:
    """Sets the pages of one sheet; `picture` is its flattened photo, if there is one.

    `disputed` are the fields that the game's question and findings are about.
    """

    sheet: Sheet
    name: str
    picture: Picture | None
    disputed: Collection[str]
    words: Words

    def parts(self) -> Iterator[Flowable]:
        """All parts, from top to bottom."""
        yield paragraph(self.name, 17, bold=True, after=2)
        yield paragraph(self._subtitle(), 10, colour=MUTED, after=6)
        yield self._photo()
        yield from self._cards()
        yield from self._findings()
        yield from self._repairs()
        yield beside(self._score(), self._origin())

    def _say(self, key: str, **figures: object) -> str:
        return say(self.words.language, f"settle.{key}", **figures)

    def _subtitle(self) -> str:
        low, high = self.sheet.score.range
        parts = [self.words.points(self.sheet.score.total)]
        if low != high:
            parts.append(self.words.say("ranking-open", low=signed(low), high=signed(high)))
        if self.sheet.sheet_id:
            parts.append(self.words.say("sheet", sheet_id=self.sheet.sheet_id))
        return " · ".join(parts)

    def _photo(self) -> Flowable:
        if self.picture is None:
            words = self._say("pdf-no-picture", photo=source_name(self.sheet))
            return boxed(paragraph(words, colour=OPEN), PANEL)
        data = overlay_jpeg(
            self.picture, OVERLAY_PX_PER_MM, self.sheet, self.words.template, self.words.language
        )
        return image(data, WIDTH * (ABOVE_CARDS if self._questioned() else 1))

    def _questioned(self) -> list[str]:
        """The fields to look at: doubtful ones, those of findings, those that are disputed in the game."""
        of_findings = (
            name for finding in self.sheet.findings if finding.severity != "note" for name in finding.fields
        )
        wanted = {*self.disputed, *self.sheet.review, *of_findings}
        return [name for name in self.sheet.fields if name in wanted]

    def _cards(self) -> Iterator[Flowable]:
        fields = self._questioned()
        a_line = CARDS_A_LINE if len(fields) <= MANY_CARDS else MANY_A_LINE
        width = WIDTH / a_line
        cards: list[Cell] = [self._card(name, width) for name in fields]
        for start in range(0, len(cards), a_line):
            line = cards[start : start + a_line]
            row = table(
                [line + [[]] * (a_line - len(line))],
                [width] * a_line,
                [
                    ("VALIGN", (0, 0), (-1, -1), "TOP"),
                    ("LEFTPADDING", (0, 0), (-1, -1), 0),
                    ("RIGHTPADDING", (0, 0), (-1, -1), 6),
                ],
            )
            yield row if start else KeepTogether([heading(self._say("pdf-questioned")), row])

    def _card(self, name: str, width: float) -> list[Flowable]:
        """A field enlarged, with how it was read and what else it may be."""
        reading = self.sheet.fields[name]
        content = self.words.content(reading.content)
        card: list[Flowable] = []
        if self.picture is not None:
            box = self.words.template.field(name).box_mm
            _, data = cv2.imencode(".png", crop(self.picture, box, CROP_MARGIN_MM))
            card += [image(data.tobytes(), width - 8, CROP_HEIGHT), Spacer(0, 2)]
        card.append(paragraph(self.words.field(name), 9.5, bold=True))
        if reading.why == "user":
            card.append(paragraph(self._say("pdf-entered", content=content), 8.5))
            card.append(paragraph(self._say("pdf-raw", content=self.words.content(reading.raw)), 8.5))
            return card
        percent = self.words.percent(reading.confidence)
        unread = reading.kind == "unreadable"
        key = "pdf-unread" if unread else "pdf-reading"
        card.append(paragraph(self._say(key, content=content, percent=percent), 8.5))
        others = [
            self.words.say(
                "alternative",
                content=self.words.content(other.content),
                percent=self.words.percent(other.probability),
            )
            for other in worth_telling(self.sheet, self.words.template, name, WORTH_SAYING)
        ]
        if others:
            told = self._say("pdf-perhaps", alternatives=", ".join(others))
            card.append(paragraph(told, 8.5, colour=OPEN))
        return card

    def _findings(self) -> Iterator[Flowable]:
        findings = self.sheet.findings
        for place, (finding, following) in enumerate(zip_longest(findings, findings[1:])):
            # A rule that several findings in a row rest on is told once, after the last of them.
            repeated = following is not None and following.rule == finding.rule
            rule = "" if repeated else self.words.say("rule", rule=finding.rule)
            first = [heading(self.words.say("findings"))] if place == 0 else []
            yield KeepTogether([*first, finding_part(finding.severity, finding.message, rule)])

    def _repairs(self) -> Iterator[Flowable]:
        repairs = [repair for repair in self.sheet.repairs if repair.crosses]
        if not repairs:
            return
        rows = [
            [
                paragraph(
                    self.words.joined((self._entry(name) for name in repair.crosses), "and"),
                ),
                paragraph(self.words.points(repair.score), align=2, bold=place == 0),
            ]
            for place, repair in enumerate(repairs[:MOST_REPAIRS])
        ]
        table = ruled(rows, (WIDTH * 0.8, WIDTH * 0.2))
        rest = [paragraph(self._more(repairs[MOST_REPAIRS:]), colour=MUTED)] if repairs[MOST_REPAIRS:] else []
        yield KeepTogether(
            [
                heading(self.words.say("repairs")),
                paragraph(self._say("pdf-crosses"), 8.5, colour=MUTED, after=2),
                table,
                *rest,
            ]
        )

    def _more(self, repairs: Sequence[Repair]) -> str:
        """How many repairs are not listed, and what they come to."""
        scores = [repair.score for repair in repairs]
        return self._say("pdf-repairs-more", count=len(repairs), points=span((min(scores), max(scores))))

    def _entry(self, name: str) -> str:
        reading = self.sheet.fields[name]
        content = self.words.content(reading.content) + ("?" if reading.doubtful else "")
        return self.words.say("repair-field", content=content, field=self.words.field(name))

    def _score(self) -> list[Flowable]:
        wrong = {
            name for finding in self.sheet.findings if finding.code == "tally" for name in finding.fields
        }
        lines = [(line.label, self.words.line(line.label), line.points) for line in self.sheet.score.lines]
        lines.append(("total", self.words.say("total"), self.sheet.score.total))
        head = ("", self._say("pdf-computed"), self._say("pdf-written"))
        rows = [
            [paragraph(word, 8.5, colour=MUTED, align=2 * (place > 0)) for place, word in enumerate(head)]
        ]
        for label, named, points in lines:
            last = label == "total"
            colour = VIOLATION if f"tally-{label}" in wrong else MUTED
            rows.append(
                [
                    paragraph(named, bold=last),
                    paragraph(signed(points), bold=last, align=2),
                    paragraph(self._written(label), align=2, colour=colour, bold=colour == VIOLATION),
                ]
            )
        table = ruled(rows, (HALF * 0.5, HALF * 0.25, HALF * 0.25))
        percent = self.words.percent(self.sheet.score.certainty)
        certainty = paragraph(self._say("pdf-certainty", percent=percent), 8.5, colour=MUTED)
        return [heading(self.words.say("score")), table, Spacer(0, 3), certainty]

    def _written(self, label: str) -> str:
        reading = self.sheet.fields.get(f"tally-{label}")
        if reading is None or reading.kind == "empty":
            return "–"
        return self.words.content(reading.content) + ("?" if reading.doubtful else "")

    def _origin(self) -> list[Flowable]:
        sheet, quality = self.sheet, self.sheet.quality
        photo = source_name(sheet)
        if sheet.page > 1:
            photo += f", {self.words.say('page', page=sheet.page)}"
        version = quality.get("template_version", self.words.template.version)
        entries = [
            (self._say("pdf-photo"), photo),
            ("SHA-256", sheet.sha256 or "–"),
            (self._say("pdf-template"), f"{sheet.template}, {self._say('pdf-version', version=version)}"),
            (self._say("pdf-reader"), str(quality.get("reader", "–"))),
        ]
        if "residual_mm" in quality:
            entries.append((self._say("pdf-residual"), f"{quality['residual_mm']} mm"))
        rows = [[paragraph(key, 8, colour=MUTED), paragraph(value, 8)] for key, value in entries]
        rows += [
            [paragraph(self._say("pdf-corrected"), 8, colour=MUTED), paragraph(told, 8)]
            for told in self._corrections()
        ]
        table = ruled(rows, (HALF * 0.3, HALF * 0.7))
        return [heading(self._say("pdf-origin")), table]

    def _corrections(self) -> Iterator[str]:
        """What `sheetscan review` noted down; results from elsewhere may hold anything there."""
        noted = self.sheet.quality.get("corrections")
        for entry in noted if isinstance(noted, list) else []:
            if isinstance(entry, dict) and {"field", "from", "to", "at"} <= entry.keys():
                field = self.words.field(str(entry["field"]))
                before, after = (self._noted(str(entry[key])) for key in ("from", "to"))
                yield self._say("pdf-correction", field=field, before=before, after=after, at=entry["at"])

    def _noted(self, content: str) -> str:
        """A content as `sheetscan review` notes it: a number, or a kind by its English name."""
        named = content in CONTENT_KINDS and content != "number"
        return self.words.say(content) if named else content
