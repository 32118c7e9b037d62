"""What the sheets of a game show together, as far as it doesn't depend on doubtful readings."""

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from sheetscan.doubts import joint_readings, plausible_contents
from sheetscan.findings import game_finding
from sheetscan.games.base import Rules, SheetViolation
from sheetscan.result import Content, Severity, Sheet
from sheetscan.settle.papers import Paper, Remark
from sheetscan.settle.settlement import GameFinding
from sheetscan.settle.words import Words

JOINT_BUDGET = 200
"""So many joint readings of a game are tried; if its doubts leave more open, a finding is only a note."""

Game = list[dict[str, Content]]


def of_one_game(
    papers: Sequence[Paper], sheets: Mapping[int, Sheet], same_game: bool
) -> tuple[list[Paper], list[Remark]]:
    """The papers that count, and what is to be said of those that don't or perhaps should not.

    Sheets of another template than most can't be compared. A sheet whose code names another game than most
    may have been left over from that, so it counts, but may not belong here; `same_game` says it does.
    """
    template = _most_common([sheets[paper.number].template for paper in papers])
    counted = [paper for paper in papers if sheets[paper.number].template == template]
    remarks = [
        Remark("other-template", "one-of", (paper.number,), (), {"template": sheets[paper.number].template})
        for paper in papers
        if paper not in counted
    ]
    games = {paper: game for paper in counted if (game := game_id(sheets[paper.number]))}
    sizes = Counter(games.values()).most_common()
    if len(sizes) < 2:
        return counted, remarks
    severity: Severity = "note" if same_game else "one-of"
    if sizes[0][1] == sizes[1][1]:
        numbers = tuple(paper.number for paper in games)
        ids = ", ".join(game for game, _ in sizes)
        return counted, [*remarks, Remark("several-games", severity, numbers, (), {"games": ids})]
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
    rules: Rules, papers: Sequence[Paper], sheets: Mapping[int, Sheet], words: Words
) -> Iterator[GameFinding]:
    """The findings of the rules on all sheets, and who ended the game.

    A finding that a doubtful reading, or a sheet that may be of another game, could undo is only a note.
    """
    numbers = [paper.number for paper in papers]
    concluded = [{name: one.content for name, one in sheets[number].fields.items()} for number in numbers]
    core = [place for place, paper in enumerate(papers) if not paper.optional]
    games, all_tried = _possible_games(rules, [sheets[number] for number in numbers], concluded)
    games += [[game[place] for place in core] for game in games] if len(core) < len(papers) else []
    keys = [frozenset(map(_key, rules.across(game))) for game in games]
    names = [words.name(number) for number in numbers]
    for violation in rules.across(concluded):
        proven = all_tried and all(_key(violation) in found for found in keys)
        finding = game_finding(violation, rules.name, words.language, names)
        concerned = tuple(numbers[place] for place in violation.sheets)
        message = finding.message if proven else words.say("if-doubts", message=finding.message)
        severity = finding.severity if proven else "note"
        yield GameFinding(finding.code, severity, concerned, (), message, finding.rule)
    ended = rules.ended_by(concluded)
    unproven = any(one.code == "end-not-proven" for place in ended for one in sheets[numbers[place]].findings)
    if ended and not unproven and all_tried and all(rules.ended_by(game) for game in games):
        yield words.remark(Remark("ended-by", "note", tuple(numbers[place] for place in ended)))


def _key(violation: SheetViolation) -> Hashable:
    return violation.code, violation.severity, tuple(sorted(violation.figures.items()))


def _possible_games(rules: Rules, sheets: Sequence[Sheet], concluded: Game) -> tuple[list[Game], bool]:
    """The games that the doubtful fields leave open, and whether these are all."""
    options = {
        (place, name): choices
        for place, sheet in enumerate(sheets)
        for name, choices in plausible_contents(rules, sheet.fields).items()
        if not name.startswith("tally-")
    }
    readings = [joint for joint, _ in islice(joint_readings(list(options.values())), JOINT_BUDGET + 1)]
    games = [_read_as(concluded, dict(zip(options, joint, strict=True))) for joint in readings[:JOINT_BUDGET]]
    return games, len(readings) <= JOINT_BUDGET


def _read_as(concluded: Game, readings: Mapping[tuple[int, str], Content]) -> Game:
    game = [dict(contents) for contents in concluded]
    for (place, name), content in readings.items():
        game[place][name] = content
    return game
