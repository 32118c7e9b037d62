"""A settled game in words for the terminal, as JSON, and as a table for spreadsheets."""

import dataclasses
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from sheetscan.language import say, signed
from sheetscan.report import csv
from sheetscan.report.text import SEVERITY_STYLES, rendered
from sheetscan.result import SCHEMA, Failure
from sheetscan.settle import Answer, GameFinding, Ranked, Settlement
from sheetscan.settle.game import game_id
from sheetscan.settle.words import winners_in_words

SPACES = "\xa0\u202f"
"""Spaces that don't break; to Python they are not printable."""
INDENT = (0, 0, 0, 2)


def settlement_json(settlement: Settlement, failures: Sequence[Failure]) -> str:
    """The JSON of a settled game.

    `{"schema": "sheetscan/1", "ranking": [{"place", "places": [best, worst], "sheet", "name", "total",
    "range": [low, high]}], "findings": [{"code", "severity", "sheets": [..], "fields", "message", "rule"}],
    "winner": {"sheets", "certain", "every_repair", "possible": [[..]], "message"} | null, "question":
    {"kind": "reading|order|member|photo", "sheet", "fields", "text", "decides", "answers": [{"text",
    "option", "winners": [[..]]}]} | null, "sheets": [SHEET...], "failures": [...]}`. Sheets go by their
    numbers, from 1, in `sheets`; those that are not in the ranking don't count.
    """
    parts = ("ranking", "findings", "winner", "question", "sheets")
    data = dataclasses.asdict(settlement)
    document = {"schema": SCHEMA} | {part: data[part] for part in parts}
    document["failures"] = [dataclasses.asdict(failure) for failure in failures]
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def settlement_csv(settlement: Settlement) -> str:
    """One row a player: place, name, total, range and the lines of the score."""
    labels = [line.label for line in settlement.counted[0].score.lines] if settlement.ranking else []
    columns = ["place", "best_place", "worst_place", "player", "sheet_id", "source", "total", "low", "high"]
    rows = [
        [
            entry.place,
            *entry.places,
            csv.safe(entry.name),
            csv.safe(sheet.sheet_id),
            csv.safe(sheet.source),
            entry.total,
            *entry.range,
            *(line.points for line in sheet.score.lines),
            "yes" if sheet.needs_a_look else "no",
        ]
        for entry, sheet in zip(settlement.ranking, settlement.counted, strict=True)
    ]
    return csv.BYTE_ORDER_MARK + csv.lines([[*columns, *labels, "to_check"], *rows])


def settlement_text(settlement: Settlement, language: str, console: Console) -> str:
    """The game as `console` shows it: who wins, the ranking, findings, the question."""
    return rendered(console, _Report(settlement, language).parts())


def legible(text: str) -> str:
    """Text with names from outside in it, without what would steer a terminal."""
    return "".join(letter if letter.isprintable() or letter in SPACES else "�" for letter in text)


@dataclass(frozen=True, slots=True)
class _Report:
    settlement: Settlement
    language: str

    def _say(self, key: str, **figures: object) -> str:
        return legible(say(self.language, f"settle.{key}", **figures))

    def parts(self) -> Iterator[RenderableType]:
        yield Text(self._title(), style="bold underline")
        yield from self._ranking()
        yield from self._winner()
        yield from self._question()
        yield from self._findings()

    def _title(self) -> str:
        ids = {game for sheet in self.settlement.counted if (game := game_id(sheet))}
        return self._say("title", game=", ".join(sorted(ids))) if ids else self._say("title-unknown")

    def _heading(self, key: str) -> Iterator[RenderableType]:
        yield Text("")
        yield Text(self._say(key), style="bold underline")

    def _ranking(self) -> Iterator[RenderableType]:
        table = Table.grid(padding=(0, 2))
        table.add_column(justify="right")
        table.add_column()
        table.add_column(justify="right")
        table.add_column()
        for entry in self.settlement.ranking:
            style = "bold" if entry.place == 1 else ""
            name, total = Text(legible(entry.name), style=style), Text(signed(entry.total), style=style)
            table.add_row(Text(f"{entry.place}."), name, total, Text(self._remarks(entry), style="dim"))
        yield Padding(table, INDENT)
        entries = self.settlement.ranking
        if len({entry.place for entry in entries}) < len(entries):
            yield Padding(Text(self._say("shared"), style="dim"), INDENT)

    def _remarks(self, entry: Ranked) -> str:
        told = []
        if entry.range[0] != entry.range[1]:
            told.append(self._say("range", low=signed(entry.range[0]), high=signed(entry.range[1])))
        if entry.places[0] != entry.places[1]:
            told.append(self._say("place-range", best=entry.places[0], worst=entry.places[1]))
        if self.settlement.sheets[entry.sheet - 1].needs_a_look:
            told.append(self._say("check"))
        return ", ".join(told)

    def _winner(self) -> Iterator[RenderableType]:
        if winner := self.settlement.winner:
            yield from self._heading("heading-winner")
            style = "bold" if winner.certain else "bold dark_orange"
            yield Padding(Text(legible(winner.message), style=style), INDENT)

    def _question(self) -> Iterator[RenderableType]:
        question = self.settlement.question
        if question is None:
            return
        yield from self._heading("heading-question" if question.decides else "heading-question-narrows")
        yield Padding(Text(legible(question.text), style="bold"), INDENT)
        groups = answers_by_winners(question.answers)
        options = [_option(answers) for _, answers in groups]
        for (winners, answers), option, following in zip_longest(groups, options, options[1:]):
            texts = ", ".join(answer.text for answer in answers)
            told = self._say("answer", text=texts, winners=self._winners(winners))
            yield Padding(Text(f"• {told}"), INDENT)
            # What is the same for several answers in a row is told once, after the last of them.
            if option and option != following:
                yield Padding(Text(self._say("answer-with", option=option), style="dim"), (0, 0, 0, 4))

    def _winners(self, sets: Sequence[tuple[int, ...]]) -> str:
        names = {entry.sheet: entry.name for entry in self.settlement.ranking}
        return winners_in_words(self.language, names, sets)

    def _findings(self) -> Iterator[RenderableType]:
        if not self.settlement.findings:
            return
        yield from self._heading("heading-findings")
        for finding in self.settlement.findings:
            yield Padding(self._finding(finding), INDENT)

    def _finding(self, finding: GameFinding) -> RenderableType:
        bullet = "^ " if finding.severity == "one-of" else "• "
        table = Table.grid()
        table.add_column(width=2)
        table.add_column()
        table.add_row(Text(bullet, style=SEVERITY_STYLES[finding.severity]), Text(legible(finding.message)))
        rule = say(self.language, "report.rule", rule=finding.rule)
        table.add_row("", Text(rule, style="dim"))
        return table


def _option(answers: Sequence[Answer]) -> str | None:
    """The option that gives one of these answers."""
    option = answers[0].option
    return option if option is None or len(answers) == 1 else f"{option.partition('=')[0]}=VALUE"


def answers_by_winners(
    answers: Sequence[Answer],
) -> list[tuple[tuple[tuple[int, ...], ...], list[Answer]]]:
    """The answers put together that lead to the same winners, in the order of the first of each."""
    groups: dict[tuple[tuple[int, ...], ...], list[Answer]] = {}
    for answer in answers:
        groups.setdefault(answer.winners, []).append(answer)
    return list(groups.items())
