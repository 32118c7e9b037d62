"""One sheet in words and signs for the terminal: the drawing, what was found, the score, what to check."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from sheetscan.language import signed
from sheetscan.report.alternatives import worth_telling
from sheetscan.report.grid import NOTICE_STYLES, Grid
from sheetscan.report.signs import GLYPHS, SIGNS, WORTH_SAYING, Notices
from sheetscan.report.words import Words, shown, source_name
from sheetscan.result import Finding, Repair, Sheet
from sheetscan.template import Template

SHOWN_REPAIRS = 5
SHOWN_ALTERNATIVES = 3
HIDDEN_BY = {"washed_out": "check-glare", "covered": "check-covered"}
"""How it is said of a field that can't be read, by the fault that the result's quality names."""

SEVERITY_STYLES = {"must-cross": "bold red", "one-of": "bold dark_orange", "note": "bold blue"}


def sheet_text(sheet: Sheet, template: Template, language: str, console: Console) -> str:
    """The report on one sheet as `console` shows it (colours, width), with a final empty line."""
    return rendered(console, _Report(sheet, Words(template, language)).parts())


def rendered(console: Console, parts: Iterator[RenderableType]) -> str:
    """What `console` would print, as text with its control sequences."""
    with console.capture() as capture:
        console.print(Group(*parts), highlight=False)
        console.print()
    return "".join(line.rstrip(" ") + "\n" for line in capture.get().splitlines())


@dataclass(frozen=True, slots=True)
class _Report:
    sheet: Sheet
    words: Words

    def parts(self) -> Iterator[RenderableType]:
        yield self._title()
        yield Text("")
        for line in Grid(self.words, self.sheet).lines():
            line.no_wrap, line.overflow = True, "crop"
            yield line
        yield from self._legend()
        yield from self._findings()
        yield from self._repairs()
        yield from self._score()
        yield from self._check()

    def _title(self) -> Text:
        sheet = self.sheet
        source = shown(source_name(sheet))
        details = [self.words.template.title]
        if sheet.sheet_id:
            details.append(self.words.say("sheet", sheet_id=shown(sheet.sheet_id)))
        if sheet.page > 1:
            details.append(self.words.say("page", page=sheet.page))
        if sheet.player:
            details.append(source)
        name = shown(sheet.player) if sheet.player else source
        title = Text(f"{name}  {self.words.points(sheet.score.total)}  ", style="bold")
        return title.append(" · ".join(details), style="not bold dim")

    def _legend(self) -> Iterator[RenderableType]:
        template, notices = self.words.template, Notices(self.sheet)
        told = {notices.of(field.id) for field in template.readable_fields if field.kind != "tally"}
        parts = [
            Text.assemble((SIGNS[notice], NOTICE_STYLES[notice]), f" {self.words.say(f'legend-{notice}')}")
            for notice in SIGNS
            if notice in told
        ]
        kinds = {reading.kind for reading in self.sheet.fields.values()}
        parts += [
            Text(f"{GLYPHS[kind]} {self.words.say(f'legend-{kind}')}")
            for kind in ("line", "void")
            if kind in kinds
        ]
        if parts:
            yield Text("")
            yield Padding(Columns(parts, padding=(0, 3)), (0, 0, 0, 2))

    def _heading(self, key: str) -> Iterator[RenderableType]:
        yield Text("")
        yield Text(self.words.say(key), style="bold underline")

    def _findings(self) -> Iterator[RenderableType]:
        if not self.sheet.findings:
            return
        yield from self._heading("findings")
        findings = self.sheet.findings
        for finding, following in zip_longest(findings, findings[1:]):
            # A rule that several findings in a row rest on is told once, after the last of them.
            repeated = following is not None and following.rule == finding.rule
            yield Padding(self._finding(finding, with_rule=not repeated), (0, 0, 0, 2))

    def _finding(self, finding: Finding, with_rule: bool) -> RenderableType:
        bullet = {"must-cross": "! ", "one-of": "^ ", "note": "• "}[finding.severity]
        table = Table.grid()
        table.add_column(width=2)
        table.add_column()
        table.add_row(Text(bullet, style=SEVERITY_STYLES[finding.severity]), Text(finding.message))
        if with_rule:
            table.add_row("", Text(self.words.say("rule", rule=finding.rule), style="dim"))
        return table

    def _repairs(self) -> Iterator[RenderableType]:
        repairs = self.sheet.repairs
        if not repairs or not any(repair.crosses for repair in repairs):
            return
        yield from self._heading("repairs")
        for place, repair in enumerate(repairs[:SHOWN_REPAIRS]):
            start = f"{self.words.say('or')} " if place else ""
            yield Padding(Text(start + self._repair(repair)), (0, 0, 0, 2))
        if len(repairs) > SHOWN_REPAIRS:
            more = self.words.say("repairs-more", count=len(repairs) - SHOWN_REPAIRS)
            yield Padding(Text(more, style="dim"), (0, 0, 0, 2))

    def _repair(self, repair: Repair) -> str:
        fields = self.words.joined(
            (
                self.words.say("repair-field", content=self._content(name), field=self.words.field(name))
                for name in repair.crosses
            ),
            "and",
        )
        return self.words.say("repair", fields=fields, points=self.words.points(repair.score))

    def _content(self, name: str) -> str:
        """What is crossed out; with a question mark where that is not sure."""
        reading = self.sheet.fields[name]
        return self.words.content(reading.content) + (SIGNS["doubt"] if reading.doubtful else "")

    def _score(self) -> Iterator[RenderableType]:
        score = self.sheet.score
        yield from self._heading("score")
        table = Table.grid(padding=(0, 2))
        table.add_column()
        table.add_column(justify="right")
        table.add_column()
        for line in score.lines:
            table.add_row(self.words.line(line.label), signed(line.points), self._written(line.label))
        table.add_row(
            Text(self.words.say("total"), style="bold"),
            Text(signed(score.total), style="bold"),
            self._written("total"),
        )
        yield Padding(table, (0, 0, 0, 2))
        yield Padding(Text(self._certainty()), (0, 0, 0, 2))

    def _written(self, label: str) -> Text:
        """What somebody wrote in the tally field of that line, if anything."""
        name = f"tally-{label}"
        reading = self.sheet.fields.get(name)
        if reading is None or reading.content.kind == "empty":
            return Text("")
        notice = Notices(self.sheet).of(name)
        sign = SIGNS[notice] if notice else ""
        content = self.words.content(reading.content) + sign
        style = NOTICE_STYLES[notice] if notice else "dim"
        return Text(self.words.say("written", content=content), style=style)

    def _certainty(self) -> str:
        score = self.sheet.score
        low, high = score.range
        percent = self.words.percent(score.certainty)
        if low == high:
            return self.words.say("certain", percent=percent)
        if self.sheet.review:
            figures = {"low": signed(low), "high": signed(high), "total": signed(score.total)}
            return self.words.say("uncertain", percent=percent, **figures)
        return self.words.say("provisional", low=signed(low), high=signed(high))

    def _check(self) -> Iterator[RenderableType]:
        if not self.sheet.review:
            return
        yield from self._heading("check")
        for name in self.sheet.review:
            yield Padding(Text(self._question(name)), (0, 0, 0, 2))
        if self.sheet.quality.get("pale"):
            yield Padding(Text(self.words.say("pale"), style="dim"), (0, 0, 0, 2))

    def _question(self, name: str) -> str:
        reading = self.sheet.fields[name]
        field = self.words.field(name)
        told = [
            self.words.say(
                "alternative",
                content=self.words.content(alternative.content),
                percent=self.words.percent(alternative.probability),
            )
            for alternative in worth_telling(
                self.sheet, self.words.template, name, WORTH_SAYING, SHOWN_ALTERNATIVES
            )
        ]
        if reading.kind == "unreadable":
            hidden = [phrase for fault, phrase in HIDDEN_BY.items() if self._suffers(name, fault)]
            question = self.words.say((*hidden, "check-blank")[0], field=field)
        else:
            question = self.words.say(
                "check-field",
                field=field,
                content=self.words.content(reading.content),
                percent=self.words.percent(reading.confidence),
            )
        if told:
            question += self.words.say("maybe", alternatives=self.words.joined(told, "or"))
        return question + (self.words.say("streaked") if self._suffers(name, "streaked") else "")

    def _suffers(self, name: str, fault: str) -> bool:
        """Whether the photo's quality names a field among those with a fault."""
        fields = self.sheet.quality.get(fault)
        return isinstance(fields, list) and name in fields
