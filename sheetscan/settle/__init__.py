"""Settles a game: the sheets of its players ranked, compared, and what would change the winner.

Data in, data out; who changes a reading does so before (`sheetscan.judge`), and settles again.
"""

from collections.abc import Sequence

from sheetscan.games import rules_for
from sheetscan.result import Sheet
from sheetscan.settle.game import NOT_OVER, game_findings, of_one_game, surely_over
from sheetscan.settle.outcomes import outcomes_of
from sheetscan.settle.papers import papers_of
from sheetscan.settle.questions import Seat, deciding_question, in_order
from sheetscan.settle.settlement import Answer, GameFinding, Question, Ranked, Settlement, Winner
from sheetscan.settle.winners import places, winner_sets
from sheetscan.settle.words import Words
from sheetscan.template import load_template

UNREAD, GAME_NOT_OVER, END_OPEN = "winner-unread", "winner-not-over", "winner-end-open"
"""What stands against a winner beside the sheets' totals (keys of `settle.toml`): nobody has won yet, or may
not have, if the end of the game hangs on a doubt."""

__all__ = ["Answer", "GameFinding", "Question", "Ranked", "Settlement", "Winner", "settle"]


def settle(
    inputs: Sequence[Sequence[Sheet]],
    language: str,
    *,
    same_game: bool = False,
    unread: Sequence[str] = (),
) -> Settlement:
    """Settle the game whose judged sheets these are, the sheets of each file or photo being one input.

    `same_game` says that sheets whose codes name different games are of one. `unread` names the inputs that
    could not be read: whoever filled those sheets may have won, so with them no winner is certain. Raises
    TemplateError for a game without rules, and UnknownTemplateError.
    """
    sheets = dict(enumerate((sheet for document in inputs for sheet in document), 1))
    found, of_photos = papers_of(inputs)
    papers, of_games = of_one_game(found, sheets, same_game)
    if not papers:
        return Settlement((), (), None, None, ())
    template = load_template(sheets[papers[0].number].template)
    rules = rules_for(template)
    words = Words.of(language, template.game, sheets, [paper.number for paper in papers])
    seats = [
        Seat(
            paper,
            tuple(outcomes_of(rules, sheets[number]) for number in (paper.number, *paper.rivals)),
        )
        for paper in papers
    ]
    findings = (
        *words.unread(unread),
        *map(words.remark, (*of_photos, *of_games)),
        *game_findings(rules, papers, sheets, words, all_read=not unread),
    )
    ranking = _ranking(seats, words)
    caveats = [UNREAD] if unread else []
    if any(one.code == NOT_OVER and one.severity != "note" for one in findings):
        caveats.append(GAME_NOT_OVER)
    elif len(papers) > 1 and not (unread or surely_over(rules, papers, sheets)):
        caveats.append(END_OPEN)
    winner = _winner(seats, ranking, caveats, words)
    clashes = {number: _clashes(sheets[number]) for number in words.names}
    question = deciding_question(seats, clashes, words) if len(winner.possible) > 1 else None
    return Settlement(ranking, findings, winner, question, tuple(sheets.values()))


def _ranking(seats: Sequence[Seat], words: Words) -> tuple[Ranked, ...]:
    """The players by falling provisional total; equal totals share a place, no tie-break exists."""
    scores = {seat.paper.number: words.sheets[seat.paper.number].score for seat in seats}
    chances = [seat.chance for seat in seats]
    ranked = [
        Ranked(
            place=1 + sum(score.total > scores[chance.sheet].total for score in scores.values()),
            places=places(chance, chances),
            sheet=chance.sheet,
            name=words.name(chance.sheet),
            total=scores[chance.sheet].total,
            range=scores[chance.sheet].range,
        )
        for chance in chances
    ]
    return tuple(sorted(ranked, key=lambda entry: (entry.place, entry.sheet)))


def _winner(seats: Sequence[Seat], ranking: Sequence[Ranked], caveats: Sequence[str], words: Words) -> Winner:
    first = tuple(entry.sheet for entry in ranking if entry.place == 1)
    possible = winner_sets([seat.chance for seat in seats])
    one = len(possible) == 1
    every_repair = one and winner_sets([seat.chance_of_all_repairs for seat in seats]) == possible
    (sheets, *_) = in_order(possible) if one else (first,)
    message = _winner_words(seats, in_order(possible), every_repair, words)
    against = [caveat for caveat in caveats if caveat != END_OPEN]
    return Winner(
        sheets=sheets,
        certain=one and not against,
        every_repair=every_repair and not against,
        possible=in_order(possible),
        message=" ".join([message, *map(words.say, caveats if one else against)]),
    )


def _winner_words(
    seats: Sequence[Seat], possible: Sequence[tuple[int, ...]], every_repair: bool, words: Words
) -> str:
    if len(possible) > 1:
        return words.say("winner-open", possible=words.winners(possible))
    (winners,) = possible
    count = "one" if len(winners) == 1 else "many"
    open_seats = any(len(seat.chance.totals) > 1 or seat.paper.optional for seat in seats)
    message = words.say(f"winner-{count}{'-whatever' if open_seats else ''}", names=words.all_of(winners))
    if len(seats) == 1:
        message = words.say("winner-alone", name=words.name(winners[0]))
    return message if every_repair else f"{message} {words.say('winner-larger')}"


def _clashes(sheet: Sheet) -> list[tuple[str, str]]:
    """The pairs of fields of which one must become a cross, whatever the doubtful fields hold."""
    crossed = {name for repair in sheet.repairs for name in repair.crosses}
    return [
        (finding.fields[0], finding.fields[1])
        for finding in sheet.findings
        if finding.severity == "one-of" and len(finding.fields) == 2 and crossed.issuperset(finding.fields)
    ]
