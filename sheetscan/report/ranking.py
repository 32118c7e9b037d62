"""The sheets of one batch by points; equal totals share a place."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from sheetscan.language import say
from sheetscan.report.text import rendered
from sheetscan.report.words import shown, signed, source_name
from sheetscan.result import Sheet


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


def games(sheets: Sequence[Sheet]) -> dict[tuple[str, str | None], list[Sheet]]:
    """The sheets by template and game id (the sheet id up to its number; None if it is not known).

    A photo that is there twice counts once.
    """
    seen: set[tuple[str, int, int]] = set()
    nth: Counter[tuple[str, int]] = Counter()
    found: dict[tuple[str, str | None], list[Sheet]] = defaultdict(list)
    for sheet in sheets:
        nth[sheet.source, sheet.page] += 1
        key = (sheet.sha256, sheet.page, nth[sheet.source, sheet.page])
        if key in seen:
            continue
        seen.add(key)
        game = sheet.sheet_id.rpartition("-")[0] if sheet.sheet_id else None
        found[sheet.template, game].append(sheet)
    return dict(found)


def ranking_text(sheets: Sequence[Sheet], language: str, console: Console) -> str:
    """The ranking of every game with two sheets or more; empty if there is none."""
    return "".join(
        rendered(console, _ranking(of_game, game, language))
        for (_, game), of_game in games(sheets).items()
        if len(of_game) > 1
    )


def _ranking(sheets: Sequence[Sheet], game: str | None, language: str) -> Iterator[RenderableType]:
    placed = ranked(sheets)
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
    for sheet_id, count in Counter(sheet.sheet_id for sheet in sheets if sheet.sheet_id).items():
        if count > 1:
            names = ", ".join(source_name(sheet) for sheet in sheets if sheet.sheet_id == sheet_id)
            remark = say(language, "report.ranking-twice", sheet_id=sheet_id, sources=names)
            yield Padding(Text(shown(remark), style="yellow"), (0, 0, 0, 2))


def _remark(sheet: Sheet, language: str) -> Text:
    low, high = sheet.score.range
    told = []
    if low != high:
        told.append(say(language, "report.ranking-open", low=signed(low), high=signed(high)))
    if sheet.needs_a_look:
        told.append(say(language, "report.ranking-check"))
    return Text(", ".join(told), style="dim")
