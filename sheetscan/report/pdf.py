"""The evidence of a settled game as a PDF to print: who wins, what is open, and what everything rests on."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO

from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, KeepTogether, PageBreak, PageTemplate, Spacer

from sheetscan.language import say, signed
from sheetscan.picture import Picture
from sheetscan.printing import fallback, fonts
from sheetscan.report.pdf_parts import boxed, finding_part, ruled
from sheetscan.report.pdf_sheet import SheetPages
from sheetscan.report.pdf_style import CERTAIN, INK, MUTED, OPEN, PANEL, WIDTH, heading, paragraph, printable
from sheetscan.report.plot import points_plot
from sheetscan.report.settlement import answers_by_winners
from sheetscan.report.words import Words, source_name, span
from sheetscan.settle import Settlement
from sheetscan.settle.game import game_id
from sheetscan.settle.words import winners_in_words
from sheetscan.template import load_template

MARGIN = 18 * mm
FOOT = 10 * mm


def report_pdf(settlement: Settlement, pictures: Sequence[Picture | None], language: str) -> bytes:
    """The report on A4; the same game gives the same bytes.

    `pictures` are the flattened photos of the settlement's sheets in their order, OVERLAY_PX_PER_MM pixels a
    millimetre, blue-green-red; None where there is none.
    """
    fonts.register()
    report = _Report(settlement, pictures, language)
    file = BytesIO()
    document = BaseDocTemplate(
        file,
        pagesize=A4,
        title=report.title,
        creator="sheetscan",
        lang=language,
        invariant=True,
        initialFontName=fonts.REGULAR,
        leftMargin=MARGIN,
        rightMargin=MARGIN,
        topMargin=MARGIN,
        bottomMargin=MARGIN,
    )
    frame = Frame(MARGIN, MARGIN, A4[0] - 2 * MARGIN, A4[1] - 2 * MARGIN, 0, 0, 0, 0)
    document.addPageTemplates([PageTemplate("page", [frame], onPage=report.foot)])
    document.build(list(report.parts()))
    return file.getvalue()


def unprintable(settlement: Settlement) -> str:
    """The letters of names and photos that the report can't show; a question mark stands for each."""
    named = "".join(f"{sheet.player or ''}{source_name(sheet)}" for sheet in settlement.sheets)
    return fallback.missing_characters(named, fonts.REGULAR)


@dataclass(frozen=True, slots=True)
class _Report:
    settlement: Settlement
    pictures: Sequence[Picture | None]
    language: str

    @property
    def title(self) -> str:
        ids = sorted({game for sheet in self.settlement.counted if (game := game_id(sheet))})
        return self._say("pdf-title", game=", ".join(ids)) if ids else self._say("pdf-title-unknown")

    def _say(self, key: str, **figures: object) -> str:
        return say(self.language, f"settle.{key}", **figures)

    def foot(self, canvas: Canvas, document: BaseDocTemplate) -> None:
        """The line at the bottom of every page."""
        canvas.setFont(fonts.REGULAR, 8)
        canvas.setFillColor(MUTED)
        canvas.drawString(MARGIN, FOOT, printable(f"sheetscan · {self.title}"))
        canvas.drawRightString(A4[0] - MARGIN, FOOT, self._say("pdf-page", page=document.page))

    def parts(self) -> Iterator[Flowable]:
        """The whole report: the game first, then every player, then photos in dispute that don't count."""
        yield paragraph(self.title, 22, bold=True, after=8)
        yield from self._winner()
        yield from self._ranking()
        yield from self._plot()
        yield from self._question()
        yield from self._findings()
        for entry in self.settlement.ranking:
            yield from self._pages(entry.sheet, f"{entry.place}. {entry.name}")
        counted = {entry.sheet for entry in self.settlement.ranking}
        for number in sorted(self._disputed.keys() - counted):
            photo = source_name(self.settlement.sheets[number - 1])
            yield from self._pages(number, self._say("pdf-not-counted", photo=photo))

    @property
    def _disputed(self) -> defaultdict[int, set[str]]:
        """The numbers of the sheets, with their fields, that the game's findings and question are about."""
        disputed = defaultdict[int, set[str]](set)
        for finding in self.settlement.findings:
            for number in finding.sheets if finding.severity != "note" else ():
                disputed[number].update(finding.fields)
        if question := self.settlement.question:
            disputed[question.sheet].update(question.fields)
        return disputed

    def _pages(self, number: int, name: str) -> Iterator[Flowable]:
        sheet = self.settlement.sheets[number - 1]
        words = Words(load_template(sheet.template), self.language)
        yield PageBreak()
        fields = self._disputed[number]
        yield from SheetPages(sheet, name, self.pictures[number - 1], fields, words).parts()

    def _winner(self) -> Iterator[Flowable]:
        if winner := self.settlement.winner:
            colour = CERTAIN if winner.certain else OPEN
            yield boxed(paragraph(winner.message, 14, bold=True, colour=colour), PANEL)

    def _ranking(self) -> Iterator[Flowable]:
        head = (
            "",
            self._say("player"),
            self._say("total"),
            self._say("pdf-range"),
            self._say("pdf-places"),
            "",
        )
        rows = [
            [
                paragraph(word, 8.5, colour=MUTED, align=2 * (place in (2, 3, 4)))
                for place, word in enumerate(head)
            ]
        ]
        for entry, sheet in zip(self.settlement.ranking, self.settlement.counted, strict=True):
            first = entry.place == 1
            rows.append(
                [
                    paragraph(f"{entry.place}.", 11, bold=first),
                    paragraph(entry.name, 11, bold=first),
                    paragraph(signed(entry.total), 11, bold=first, align=2),
                    paragraph(span(entry.range), align=2),
                    paragraph(span(entry.places), align=2),
                    paragraph(self._say("check") if sheet.needs_a_look else "", colour=OPEN, align=2),
                ]
            )
        shares = (0.06, 0.37, 0.1, 0.15, 0.12, 0.2)
        yield ruled(rows, [WIDTH * share for share in shares])
        if len({entry.place for entry in self.settlement.ranking}) < len(self.settlement.ranking):
            yield paragraph(self._say("shared"), 8.5, colour=MUTED)

    def _plot(self) -> Iterator[Flowable]:
        named = [
            (printable(entry.name), sheet)
            for entry, sheet in zip(self.settlement.ranking, self.settlement.counted, strict=True)
        ]
        if named:
            words = Words(load_template(named[0][1].template), self.language)
            yield KeepTogether([heading(self._say("pdf-points")), points_plot(named, words)])

    def _question(self) -> Iterator[Flowable]:
        question = self.settlement.question
        if question is None:
            return
        names = {entry.sheet: entry.name for entry in self.settlement.ranking}
        lines: list[Flowable] = [paragraph(question.text, 11, bold=True, after=3)]
        for winners, answers in answers_by_winners(question.answers):
            told = self._say(
                "answer",
                text=", ".join(answer.text for answer in answers),
                winners=winners_in_words(self.language, names, winners),
            )
            lines.append(paragraph(f"•  {told}", colour=INK))
        key = "heading-question" if question.decides else "heading-question-narrows"
        yield KeepTogether([heading(self._say(key)), boxed(lines, PANEL)])

    def _findings(self) -> Iterator[Flowable]:
        for place, finding in enumerate(self.settlement.findings):
            rule = say(self.language, "report.rule", rule=finding.rule)
            first = [heading(self._say("heading-findings"))] if place == 0 else []
            yield KeepTogether([*first, finding_part(finding.severity, finding.message, rule)])
        yield Spacer(0, 1)
