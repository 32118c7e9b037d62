"""Settling games from photos: `python -m benchmarks.settle --photos`.

Every sheet of a game is printed, filled by a writer that the training never saw, photographed and scanned,
and the game settled from what was read; all of it is compared with what settling the truths says. Two photos
of one sheet are written by one hand with one pen, each anew.
"""

import argparse
import dataclasses
import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from statistics import median
from time import process_time
from typing import Literal, get_args

import numpy as np

from benchmarks import lab
from benchmarks.disputes import SHEET_DISPUTES, Dispute, Game, Named, accusing, findings_of, naming
from benchmarks.pool import outcomes_of
from benchmarks.tables import percent, print_table
from sheetscan.games import rules_for
from sheetscan.imaging.photo import Photo
from sheetscan.lab.pen import random_pen
from sheetscan.lab.scene import random_scene
from sheetscan.lab.studio import make_photo
from sheetscan.pipeline import Scan, Scanner
from sheetscan.reading.choice import ReaderName, load_reader
from sheetscan.result import Content, Sheet
from sheetscan.settle import Settlement, settle

SETTLE_KEY = 4
"""Keeps the random numbers apart from those of the benchmarks of single photos."""

UNREAD = "unread"
"""Code of the finding that an input could not be read."""
CODE_ONLY = ("foreign-game", "same-photo")
"""Disputes that rest on nothing but sheet codes."""
WHOLES = {
    "photos refused": "photos",
    "disputes read right": "disputes",
    "disputes read right and found": "disputes read right",
    "clean games accused": "clean games",
    "winner statements right": "games",
    "winners certain": "games",
    "winners certain and wrong": "winners certain",
}
"""What a figure is a share of."""

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


@cache
def _scanner(reader: ReaderName) -> Scanner:
    return Scanner(load_reader(reader))


def photograph(game: Game, source: lab.Source) -> list[tuple[Photo, Sheet]]:
    """A photo of every page and its truth; the same game gives the same photos."""
    hands = lab.writers(source.recorded)
    taken: list[tuple[Photo, Sheet]] = []
    for place, page in enumerate(game.pages):
        first = game.pages.index(page)
        if first < place:
            photo, truth = taken[first]
            copy = f"copy-of-{photo.source}"
            taken.append((replace(photo, source=copy), replace(truth, source=copy)))
            continue
        writer = np.random.default_rng([lab.BENCHMARK_KEY, SETTLE_KEY, game.seed, *page.player.encode()])
        hand, pen = hands[int(writer.integers(len(hands)))], random_pen(writer)
        rng = np.random.default_rng([lab.BENCHMARK_KEY, SETTLE_KEY, game.seed, place])
        scene = random_scene(rng, source.difficulty)
        made = make_photo(game.template, page.contents, hand, pen, scene, page.order, rng, sheet=page.place)
        pixels = np.ascontiguousarray(made.pixels[..., ::-1])
        photo = Photo(f"{place}.jpg", 1, hashlib.sha256(pixels.tobytes()).hexdigest(), pixels)
        taken.append((photo, replace(made.truth, source=photo.source, sha256=photo.sha256)))
    return taken


def measure(game: Game, source: lab.Source, reader: ReaderName) -> GameOutcome:
    """Photograph, scan and settle one game, and compare with what is true of it."""
    taken = photograph(game, source)
    scanned = [list(_scanner(reader).scan_photo(photo)) for photo, _ in taken]
    sheets = [[one.sheet for one in outcomes if isinstance(one, Scan)] for outcomes in scanned]
    unread = [photo.source for (photo, _), own in zip(taken, sheets, strict=True) if not own]
    start = process_time()
    settled = settle(sheets, "en", unread=unread)
    seconds = process_time() - start
    return compare(game, [truth for _, truth in taken], sheets, settled, seconds)


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


def run(games: Sequence[Game], source: lab.Source, options: argparse.Namespace) -> int:
    """Measure all games and print what came of them; returns 1 when one is settled wrongly."""
    work = partial(measure, source=source, reader=options.reader)
    outcomes = outcomes_of(work, games, options.processes)
    if options.json:
        everything = [dataclasses.asdict(outcome) for outcome in outcomes]
        text = json.dumps(
            {"summary": summary(outcomes), "games": everything}, ensure_ascii=False, default=sorted
        )
        print(text)
    else:
        report(outcomes)
    return int(any(map(wrong, outcomes)))


def wrong(outcome: GameOutcome) -> bool:
    """Whether a game was settled worse than its readings allow, or somebody accused who did nothing."""
    lost = outcome.reading in ("right", "doubted") and outcome.fate != "found"
    return lost or bool(outcome.accused) or not outcome.winner_right


def summary(outcomes: Sequence[GameOutcome]) -> dict[str, float]:
    """The figures that the project has set itself goals for, as plain data."""
    disputed = [one for one in outcomes if one.dispute]
    clean = [one for one in outcomes if not one.dispute]
    read_right = [one for one in disputed if one.reading in ("right", "doubted")]
    others = [one for one in disputed if one not in read_right]
    certain = [one for one in outcomes if one.certain]
    return {
        "games": len(outcomes),
        "photos": sum(one.photos for one in outcomes),
        "photos refused": sum(one.refused for one in outcomes),
        "disputes": len(disputed),
        "disputes read right": len(read_right),
        "disputes read right and found": sum(one.fate == "found" for one in read_right),
        **{f"other disputes {fate}": sum(one.fate == fate for one in others) for fate in FATES},
        "clean games": len(clean),
        "clean games accused": sum(bool(one.accused) for one in clean),
        "disputed games falsely accused": sum(bool(one.accused) for one in disputed),
        "winner statements right": sum(one.winner_right for one in outcomes),
        "winners certain": len(certain),
        "winners certain and wrong": sum(not one.winner_right for one in certain),
        "settling median s": round(median(one.seconds for one in outcomes), 3),
        "settling longest s": round(max(one.seconds for one in outcomes), 3),
    }


def report(outcomes: Sequence[GameOutcome]) -> None:
    """Print all tables, and what went wrong in which game."""
    kinds = sorted({one.dispute for one in outcomes if one.dispute})
    own = {kind: [one for one in outcomes if one.dispute == kind] for kind in (*kinds, None)}
    print_table(
        f"Disputes by how the fields were read that they rest on; how many were {' / '.join(FATES)}",
        ("seeded dispute", "games", *READINGS),
        [(kind, len(own[kind]), *(_fates(own[kind], reading) for reading in READINGS)) for kind in kinds],
    )
    print_table(
        "Games by their dispute",
        ("seeded dispute", "games", "falsely accused", "winner right", "winner certain"),
        [
            (
                kind or "none",
                len(games),
                sum(bool(one.accused) for one in games),
                sum(one.winner_right for one in games),
                sum(one.certain for one in games),
            )
            for kind, games in own.items()
        ],
    )
    figures = summary(outcomes)
    print_table(
        "Summary",
        ("figure", "value", "share"),
        [
            (name, value, percent(value, figures[WHOLES[name]]) if name in WHOLES else "")
            for name, value in figures.items()
        ],
    )
    told = [one for one in outcomes if wrong(one) or one.fate == "missed"]
    print(f"\nSettled wrongly, or a dispute missed: {len(told)}\n")
    for one in told:
        print(f"- {one}")


def _fates(outcomes: Sequence[GameOutcome], reading: Reading) -> str:
    counts = Counter(one.fate for one in outcomes if one.reading == reading)
    return " / ".join(str(counts[fate]) for fate in FATES) if counts else "-"
