"""What came of a game that was settled from photos, held against what settling the truths says."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from benchmarks.disputes import SHEET_DISPUTES, Dispute, Game, Named, accusing, findings_of, naming
from sheetscan.games import rules_for
from sheetscan.result import Content, Sheet
from sheetscan.settle import Settlement, settle

UNREAD = "unread"
"""Code of the finding that an input could not be read."""
CODE_ONLY = ("foreign-game", "same-photo")
"""Disputes that rest on nothing but sheet codes."""
Reading = Literal["right", "doubted", "misread", "refused"]
READINGS: tuple[Reading, ...] = get_args(Reading)
"""How the fields that a dispute rests on were read: all right and sure; all right, some in doubt; some wrong;
or a photo was not read at all."""
Fate = Literal["found", "asked", "missed"]
FATES: tuple[Fate, ...] = get_args(Fate)
"""What became of a dispute: found and named right; or a field that it rests on is put to a person; or not."""


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """What settling a game from photos came to.

    `reading` and `fate` are those of its dispute. `accused` are findings, more than notes, that are not
    there when the truths are settled; `misread` are fields with what stands there and what was read.
    `possible` are the winners that the statement leaves open, by their inputs, `true_winners` those that the
    truths leave open.
    """

    game: int
    template: str
    dispute: Dispute | None
    photos: int
    refused: int
    reading: Reading | None
    fate: Fate | None
    accused: tuple[Named, ...]
    misread: tuple[str, ...]
    certain: bool
    possible: tuple[tuple[int, ...], ...]
    true_winners: tuple[tuple[int, ...], ...]
    question: str | None
    seconds: float

    @property
    def winner_right(self) -> bool:
        """Whether what is said of the winner is true: certain only of the true one, else open to it."""
        return set(self.true_winners) <= set(self.possible) or (not self.certain and self.refused > 0)


def wrong(outcome: GameOutcome) -> bool:
    """Whether a game was settled worse than its readings allow, or somebody accused who did nothing."""
    lost = outcome.reading in ("right", "doubted") and outcome.fate != "found"
    return lost or bool(outcome.accused) or not outcome.winner_right


def compare(
    game: Game,
    truths: Sequence[Sheet],
    sheets: Sequence[Sequence[Sheet]],
    settled: Settlement,
    seconds: float,
) -> GameOutcome:
    """Compare a settled game, of which the input at each place gave those `sheets`, with its truths."""
    true_game = settle([[truth] for truth in truths], "en")
    true_findings = findings_of(true_game, range(len(truths)))
    inputs = [place for place, own in enumerate(sheets) for _ in own]
    found = findings_of(settled, inputs)
    read = [own[0] if own else None for own in sheets]
    wanted = naming(true_findings, game.dispute) if game.dispute else set()
    rests_on = {
        (place, name): truths[place].fields[name].content
        for one in wanted
        for place in one[1]
        for name in _fields_behind(game, one)
    }
    accused = accusing(found) - accusing(true_findings)
    return GameOutcome(
        game=game.seed,
        template=game.template.id,
        dispute=game.dispute,
        photos=len(truths),
        refused=sum(one is None for one in read),
        reading=_reading(wanted, rests_on, read, truths) if game.dispute else None,
        fate=_fate(wanted, rests_on, read, found) if game.dispute else None,
        accused=tuple(sorted((one for one in accused if one[0] != UNREAD), key=str)),
        misread=tuple(_misread(game, truths, read)),
        certain=bool(settled.winner and settled.winner.certain),
        possible=_winners(game, settled, inputs),
        true_winners=_winners(game, true_game, range(len(truths))),
        question=settled.question.text if settled.question else None,
        seconds=seconds,
    )


def _fields_behind(game: Game, finding: Named) -> frozenset[str]:
    """The fields that a finding rests on, on each of its sheets."""
    code, _, fields = finding
    if code in CODE_ONLY:
        return frozenset()
    if code in SHEET_DISPUTES and code != "tally":
        return fields
    return fields | rules_for(game.template).scoring_fields


def _reading(
    wanted: Collection[Named],
    rests_on: Mapping[tuple[int, str], Content],
    read: Sequence[Sheet | None],
    truths: Sequence[Sheet],
) -> Reading:
    places = {place for _, inputs, _ in wanted for place in inputs}
    sheets = {place: sheet for place in places if (sheet := read[place])}
    if len(sheets) < len(places):
        return "refused"
    fields = {(place, name): sheets[place].fields[name] for place, name in rests_on}
    coded = all(sheet.sheet_id == truths[place].sheet_id for place, sheet in sheets.items())
    if not coded or any(one.content != rests_on[key] for key, one in fields.items()):
        return "misread"
    return "doubted" if any(one.doubtful for one in fields.values()) else "right"


def _fate(
    wanted: Collection[Named],
    rests_on: Collection[tuple[int, str]],
    read: Sequence[Sheet | None],
    found: Collection[Named],
) -> Fate:
    if wanted and all(one in found for one in wanted):
        return "found"
    asked = any((sheet := read[place]) and name in sheet.review for place, name in rests_on)
    return "asked" if asked else "missed"


def _misread(game: Game, truths: Sequence[Sheet], read: Sequence[Sheet | None]) -> Iterator[str]:
    for page, truth, sheet in zip(game.pages, truths, read, strict=True):
        if sheet is None:
            yield f"{page.player}: {truth.source} was not read"
            continue
        for name, true in truth.fields.items():
            given = sheet.fields[name]
            if given.content != true.content:
                certainty = "in doubt" if given.doubtful else "sure"
                yield f"{page.player} {name}: {true.content} read as {given.content} ({certainty})"


def _winners(game: Game, settled: Settlement, inputs: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The possible sets of winners, each by the first input that shows its sheet of paper."""
    papers = [(page.order, page.place) for page in game.pages]
    possible = settled.winner.possible if settled.winner else ()
    sets = {tuple(sorted(papers.index(papers[inputs[number - 1]]) for number in one)) for one in possible}
    return tuple(sorted(sets))
