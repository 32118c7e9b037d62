"""What the sheets of a game show together, as far as it doesn't depend on doubtful readings."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from sheetscan.doubts import joint_readings, plausible_contents
from sheetscan.findings import game_finding
from sheetscan.games.base import Rules, SheetViolation
from sheetscan.result import EMPTY, Content, Severity, Sheet
from sheetscan.settle.papers import Paper, Remark
from sheetscan.settle.settlement import GameFinding
from sheetscan.settle.words import Words
from sheetscan.template import load_template

JOINT_BUDGET = 200
"""So many joint readings of a game are tried; if its doubts leave more open, a finding is only a note."""

NOT_OVER = "game-not-over"
"""Code of the finding that nobody ended the game."""
END_NOT_PROVEN = "end-not-proven"
"""Code of a sheet's finding that a repair undoes the end of the game."""

Game = list[dict[str, Content]]


def of_one_game(
    papers: Sequence[Paper], sheets: Mapping[int, Sheet], same_game: bool
) -> tuple[list[Paper], list[Remark]]:
    """The papers that count, and what is to be said of those that don't or perhaps should not.

    Sheets of another template than most can't be compared. A sheet whose code names another game than most
    may have been left over from that, so it counts, but may not belong here; `same_game` says it does. Where
    no game has most of them, none is sure to belong here.
    """
    template = _most_common([sheets[paper.number].template for paper in papers])
    counted = [paper for paper in papers if sheets[paper.number].template == template]
    others: dict[str, list[int]] = defaultdict(list)
    for paper in papers:
        if paper not in counted:
            others[sheets[paper.number].template].append(paper.number)
    remarks = [
        Remark("other-template", "one-of", tuple(numbers), (), {"template": load_template(name).title})
        for name, numbers in others.items()
    ]
    games = {paper: game for paper in counted if (game := game_id(sheets[paper.number]))}
    sizes = Counter(games.values()).most_common()
    if len(sizes) < 2:
        return counted, remarks
    severity: Severity = "note" if same_game else "one-of"
    if sizes[0][1] == sizes[1][1]:
        foreign = list(games)
        numbers = tuple(paper.number for paper in foreign)
        ids = ", ".join(game for game, _ in sizes)
        remarks.append(Remark("several-games", severity, numbers, (), {"games": ids}))
    else:
        foreign = [paper for paper, game in games.items() if game != sizes[0][0]]
        remarks += [
            Remark("foreign-game", severity, (paper.number,), (), {"game": games[paper]}) for paper in foreign
        ]
    return [replace(paper, optional=paper in foreign and not same_game) for paper in counted], remarks


def game_id(sheet: Sheet) -> str | None:
    """The id of the game that the sheet was printed for, None if its code can't be read."""
    return sheet.sheet_id.rpartition("-")[0] if sheet.sheet_id else None


def _most_common(names: Sequence[str]) -> str | None:
    return Counter(names).most_common(1)[0][0] if names else None


def game_findings(
    rules: Rules, papers: Sequence[Paper], sheets: Mapping[int, Sheet], words: Words, *, all_read: bool
) -> Iterator[GameFinding]:
    """The findings of the rules on all sheets, and who ended the game.

    A finding that a doubtful reading, or a sheet that may be of another game, could undo is only a note;
    unless `all_read`, so is every one, as what could not be read may undo it.
    """
    numbers = [paper.number for paper in papers]
    core = [place for place, paper in enumerate(papers) if not paper.optional]
    doubts = _Doubts.of(rules, [sheets[number] for number in numbers])
    names = [words.name(number) for number in numbers]
    proven = _proven(rules, doubts, core)
    for violation in rules.across(doubts.concluded):
        finding = game_finding(violation, rules.name, words.language, names)
        concerned = tuple(numbers[place] for place in violation.sheets)
        message, severity = finding.message, finding.severity
        if _key(violation) not in proven:
            message, severity = words.say("if-doubts", message=message), "note"
        if not all_read:
            message, severity = words.say("if-unread", message=message), "note"
        yield GameFinding(finding.code, severity, concerned, (), message, finding.rule)
    ended = rules.ended_by(doubts.emptiest)
    undone = any(_undone(sheets[numbers[place]]) for place in ended)
    if ended == rules.ended_by(doubts.fullest) and not undone and surely_over(rules, papers, sheets):
        yield words.remark(Remark("ended-by", "note", tuple(numbers[place] for place in ended)))


def surely_over(rules: Rules, papers: Sequence[Paper], sheets: Mapping[int, Sheet]) -> bool:
    """Whether the sheets that surely belong here show that the game is over.

    They do so only whatever stands in their doubtful fields, and whichever minimum repair is made.
    """
    core = [sheets[paper.number] for paper in papers if not paper.optional]
    return not all(_undone(core[place]) for place in rules.ended_by(_Doubts.of(rules, core).emptiest))


def _undone(sheet: Sheet) -> bool:
    """Whether a repair of the sheet takes back that it ended the game."""
    return any(finding.code == END_NOT_PROVEN for finding in sheet.findings)


@dataclass(frozen=True, slots=True)
class _Doubts:
    """The sheets as concluded, and what their doubtful fields, by sheet and name, may hold."""

    concluded: Game
    options: Mapping[tuple[int, str], tuple[Content, ...]]
    games: list[Game]
    complete: bool

    @classmethod
    def of(cls, rules: Rules, sheets: Sequence[Sheet]) -> "_Doubts":
        """With all the games that the doubts leave open, or as many as the budget allows."""
        concluded = [{name: one.content for name, one in sheet.fields.items()} for sheet in sheets]
        plausible = {
            (place, name): choices
            for place, sheet in enumerate(sheets)
            for name, choices in plausible_contents(rules, sheet.fields).items()
            if not name.startswith("tally-")
        }
        tried = islice(joint_readings(list(plausible.values())), JOINT_BUDGET + 1)
        readings = [dict(zip(plausible, joint, strict=True)) for joint, _ in tried]
        games = [_read_as(concluded, reading) for reading in readings[:JOINT_BUDGET]]
        options = {field: tuple(choices) for field, choices in plausible.items()}
        return cls(concluded, options, games, len(readings) <= JOINT_BUDGET)

    @property
    def emptiest(self) -> Game:
        """Nothing stands in the doubtful fields."""
        return _read_as(self.concluded, dict.fromkeys(self.options, EMPTY))

    @property
    def fullest(self) -> Game:
        """Something that counts stands in all of them that may hold it."""
        kinds = ("number", "cross")
        fullest = {
            field: next((one for kind in kinds for one in choices if one.kind == kind), EMPTY)
            for field, choices in self.options.items()
        }
        return _read_as(self.concluded, fullest)


def _proven(rules: Rules, doubts: _Doubts, core: Sequence[int]) -> frozenset[tuple[Hashable, ...]]:
    """The keys of the findings that stand in all games that are possible.

    If not all were tried, only that a game is not over is proven: if it isn't however full the sheets are.
    """
    without_others = [[game[place] for place in core] for game in doubts.games]
    games = doubts.games + (without_others if len(core) < len(doubts.concluded) else [])
    always = frozenset(map(_key, rules.across(doubts.concluded)))
    for game in games:
        if not always:
            break
        always = always.intersection(map(_key, rules.across(game)))
    if doubts.complete:
        return always
    open_end = not rules.ended_by(doubts.fullest)
    return frozenset(key for key in always if open_end and key[0] == NOT_OVER)


def _key(violation: SheetViolation) -> tuple[Hashable, ...]:
    return violation.code, violation.severity, tuple(sorted(violation.figures.items()))


def _read_as(concluded: Game, readings: Mapping[tuple[int, str], Content]) -> Game:
    game = [dict(contents) for contents in concluded]
    for (place, name), content in readings.items():
        game[place][name] = content
    return game
