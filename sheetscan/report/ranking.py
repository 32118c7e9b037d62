"""The sheets of one batch by points; equal totals share a place."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from sheetscan.language import say, signed
from sheetscan.report.text import rendered
from sheetscan.report.words import shown, source_name
from sheetscan.result import Sheet
from sheetscan.settle.game import game_id


@dataclass(frozen=True, slots=True)
class Placed:
    """A sheet and its place, counted from 1; after two firsts comes a third."""

    place: int
    sheet: Sheet


def ranked(sheets: Sequence[Sheet]) -> list[Placed]:
    """The sheets by falling total; no tie-break exists (Qwinto, "Score")."""
    totals = [sheet.score.total for sheet in sheets]
    placed = [Placed(1 + sum(other > sheet.score.total for other in totals), sheet) for sheet in sheets]
    return sorted(placed, key=lambda entry: entry.place)


@dataclass(frozen=True, slots=True)
class Entry:
    """A sheet that is ranked, and the sources that show it."""

    sheet: Sheet
    sources: tuple[str, ...]


def games(sheets: Sequence[Sheet]) -> dict[tuple[str, str | None], list[Entry]]:
    """The sheets by template and game id (the sheet id up to its number; None if it is not known).

    A sheet counts once, however often it was photographed: the same photo, or the same code and the same
    contents. Photocopies that two people filled differ in their contents, so they count as two.
    """
    found: dict[tuple[str, str | None], dict[Hashable, Entry]] = defaultdict(dict)
    nth: Counter[tuple[str, int]] = Counter()
    for sheet in sheets:
        nth[sheet.source, sheet.page] += 1
        entries = found[sheet.template, game_id(sheet)]
        key = _identity(sheet, nth[sheet.source, sheet.page])
        earlier = entries.get(key, Entry(sheet, ()))
        best = max(earlier.sheet, sheet, key=lambda one: one.score.certainty)
        entries[key] = Entry(best, (*earlier.sources, source_name(sheet)))
    return {game: list(entries.values()) for game, entries in found.items()}


def _identity(sheet: Sheet, place: int) -> Hashable:
    """What two photos of one sheet have in common; `place` tells the sheets of one photo apart."""
    if sheet.sheet_id is None:
        return sheet.sha256, sheet.page, place
    contents = frozenset((name, reading.content) for name, reading in sheet.fields.items())
    return sheet.sheet_id, contents


def ranking_text(sheets: Sequence[Sheet], language: str, console: Console) -> str:
    """The ranking of every game with two sheets or more; empty if there is none."""
    return "".join(
        rendered(console, _ranking(entries, game, language))
        for (_, game), entries in games(sheets).items()
        if len(entries) > 1
    )


def _ranking(entries: Sequence[Entry], game: str | None, language: str) -> Iterator[RenderableType]:
    placed = ranked([entry.sheet for entry in entries])
    heading = say(language, "report.ranking-game", game=game) if game else say(language, "report.ranking")
    yield Text(shown(heading), style="bold underline")
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right")
    table.add_column()
    table.add_column(justify="right")
    table.add_column()
    for entry in placed:
        style = "bold" if entry.place == 1 else ""
        sheet = entry.sheet
        name = shown(sheet.player or source_name(sheet))
        total = Text(signed(sheet.score.total), style=style)
        table.add_row(Text(f"{entry.place}."), Text(name, style=style), total, _remark(sheet, language))
    yield Padding(table, (0, 0, 0, 2))
    if len({entry.place for entry in placed}) < len(placed):
        yield Padding(Text(say(language, "report.ranking-shared"), style="dim"), (0, 0, 0, 2))
    for remark in _repeated(entries, language):
        yield Padding(Text(shown(remark), style="yellow"), (0, 0, 0, 2))


def _repeated(entries: Sequence[Entry], language: str) -> Iterator[str]:
    """What to say of sheets that are there more than once."""
    for entry in entries:
        if len(entry.sources) > 1:
            yield say(language, "report.ranking-same", sources=", ".join(entry.sources))
    by_sheet: dict[str, list[str]] = defaultdict(list)
    for entry in entries:
        if entry.sheet.sheet_id:
            by_sheet[entry.sheet.sheet_id] += entry.sources[:1]
    for sheet_id, sources in by_sheet.items():
        if len(sources) > 1:
            yield say(language, "report.ranking-differ", sheet_id=sheet_id, sources=", ".join(sources))


def _remark(sheet: Sheet, language: str) -> Text:
    low, high = sheet.score.range
    told = []
    if low != high:
        told.append(say(language, "report.ranking-open", low=signed(low), high=signed(high)))
    if sheet.needs_a_look:
        told.append(say(language, "report.ranking-check"))
    return Text(", ".join(told), style="dim")
