"""Settling on games of the lab: `python -m benchmarks.settle`.

Plays 100 games of 2 to 5 players by the rules of Qwinto and Qwixx, half of them with one seeded dispute, on
the level of results (nothing is photographed). Prints whether each dispute is found and named right, whether
a game without one is left in peace, whether the statement on the winner is that of brute force, and how much
processor time settling takes (more of that: `benchmarks.settle_speed`). `--photos` prints, fills, photographs
and scans the sheets of the same games, and compares with what settling their truths says
(`benchmarks.settle_photos`).
"""

import argparse
import dataclasses
import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import median
from typing import get_args

import numpy as np

from benchmarks import lab, settle_photos
from benchmarks.disputes import (
    DISPUTES,
    Dispute,
    Game,
    accusing,
    findings_of,
    naming,
    play_disputed,
)
from benchmarks.tables import percent, print_table
from sheetscan.games import rules_for
from sheetscan.lab.studio import true_sheet
from sheetscan.reading.choice import ReaderName
from sheetscan.reassess import reassess
from sheetscan.result import EMPTY, Alternative, FieldReading, Sheet, number
from sheetscan.settle import Settlement, settle
from sheetscan.template import load_template

DOUBT_FREE = ("same-sheet", "stages-contradict")
"""Disputes between two photos of one sheet, which doubts would settle."""
FOLLOWING = {
    "last-number": {"tally", "game-not-over", "closed-by-nobody", "sheets-do-not-fit"},
    "row-order": {"tally", "sheets-do-not-fit"},
    "column-repeat": {"tally", "sheets-do-not-fit"},
    "value": {"tally", "sheets-do-not-fit"},
    "game-not-over": {"closed-by-nobody", "sheets-do-not-fit"},
    "foreign-game": {"sheets-do-not-fit", "misthrows-end-twice", "penalties-end-twice"},
    "stages-contradict": {"row-order", "column-repeat", "tally", "sheets-do-not-fit"},
}
"""Findings that a dispute may bring about beside its own; any other one is a false accusation."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What settling a game came to."""

    game: int
    dispute: Dispute | None
    found: bool
    accused: tuple[str, ...]
    winner_right: bool
    certain: bool
    seconds: float


def results_of(game: Game, *, doubts: bool) -> list[tuple[Sheet, ...]]:
    """The results that a perfect reader would give, one an input; with `doubts`, of some fields in doubt."""
    sheets: list[tuple[Sheet, ...]] = []
    for place, page in enumerate(game.pages):
        first = game.pages.index(page)
        name = f"{page.order.game_id}-{first}"
        truth = true_sheet(game.template, page.contents, page.order, page.place)
        sheet = _doubtful(truth, np.random.default_rng([game.seed, first])) if doubts else truth
        sha256 = hashlib.sha256(name.encode()).hexdigest()
        sheets.append((dataclasses.replace(sheet, source=f"{name}-{place}.jpg", sha256=sha256),))
    return sheets


def _doubtful(sheet: Sheet, rng: np.random.Generator) -> Sheet:
    """The sheet with up to two fields in doubt, of which the first reading is the truth."""
    fields = dict(sheet.fields)
    played = [name for name in fields if not name.startswith("tally-")]
    names = [name for name in played if fields[name].kind in ("number", "cross")]
    for name in rng.permutation(names)[: int(rng.integers(0, 3))]:
        truth = fields[name].content
        other = number(int(rng.integers(1, 19))) if truth.kind == "number" and rng.random() < 0.6 else EMPTY
        if other != truth:
            alternative = Alternative(other.kind, other.value, 0.25)
            fields[name] = FieldReading(
                truth.kind, truth.value, 0.74, truth, (alternative,), "low confidence"
            )
    return reassess(dataclasses.replace(sheet, fields=fields), {}, "en")


def possible_winners(game: Settlement) -> set[frozenset[int]]:
    """The sets of winners by brute force: all readings, all minimum repairs, all totals, all games.

    Independent of `sheetscan.settle` but for which sheets count; a sheet of another game is there or not.
    """
    foreign = {number for one in game.findings if one.code == "foreign-game" for number in one.sheets}
    rivals = {one.sheets[0]: one.sheets[1:] for one in game.findings if one.code == "stages-contradict"}
    seats = [entry.sheet for entry in game.ranking]
    totals: list[set[int | None]] = []
    for seat in seats:
        own: set[int | None] = set()
        for one in (seat, *rivals.get(seat, ())):
            own |= _totals(game.sheets[one - 1])
        totals.append(own | {None} if seat in foreign else own)
    winners = set()
    for world in product(*totals):
        there = {seat: total for seat, total in zip(seats, world, strict=True) if total is not None}
        if there:
            best = max(there.values())
            winners.add(frozenset(seat for seat, total in there.items() if total == best))
    return winners


def _totals(sheet: Sheet) -> set[int | None]:
    rules = rules_for(load_template(sheet.template))
    contents = {name: one.content for name, one in sheet.fields.items()}
    doubts = {
        name: [one.content, *(other.content for other in one.alternatives)]
        for name, one in sheet.fields.items()
        if one.doubtful
    }
    totals: set[int | None] = set()
    for joint in product(*doubts.values()):
        audit = rules.audit(contents | dict(zip(doubts, joint, strict=True)))
        fewest = min((len(repair.crosses) for repair in audit.repairs), default=0)
        totals |= {repair.score for repair in audit.repairs if len(repair.crosses) == fewest} or {audit.total}
    return totals


def measure(game: Game) -> Outcome:
    """Settle a game's results and compare with what is true of it."""
    every = range(len(game.pages))
    truth = findings_of(settle(results_of(game, doubts=False), "en"), every)
    results = results_of(game, doubts=game.dispute not in DOUBT_FREE)
    start = time.process_time()
    settled = settle(results, "en")
    seconds = time.process_time() - start
    found = findings_of(settled, every)
    # A finding that rests on a doubtful reading is told as a note, which says so.
    wanted = naming(truth, game.dispute) if game.dispute else set()
    allowed = {game.dispute} | FOLLOWING.get(game.dispute or "", set())
    winners = {frozenset(one) for one in settled.winner.possible} if settled.winner else set()
    return Outcome(
        game=game.seed,
        dispute=game.dispute,
        found=bool(wanted) and wanted <= found.keys(),
        accused=tuple(sorted(code for code, _, _ in accusing(found) if code not in allowed)),
        winner_right=winners == possible_winners(settled),
        certain=bool(settled.winner and settled.winner.certain),
        seconds=seconds,
    )


def report(outcomes: Sequence[Outcome]) -> None:
    """Print all tables."""
    disputes = Counter(outcome.dispute for outcome in outcomes)
    rows = []
    for dispute, count in sorted(disputes.items(), key=lambda entry: entry[0] or ""):
        own = [outcome for outcome in outcomes if outcome.dispute == dispute]
        rows.append(
            (
                dispute or "none",
                count,
                sum(outcome.found for outcome in own) if dispute else "-",
                sum(bool(outcome.accused) for outcome in own),
                sum(outcome.winner_right for outcome in own),
                sum(outcome.certain for outcome in own),
            )
        )
    headers = ("seeded dispute", "games", "found", "falsely accused", "winner right", "winner certain")
    print_table("Games by their dispute", headers, rows)
    seeded = [outcome for outcome in outcomes if outcome.dispute]
    clean = [outcome for outcome in outcomes if not outcome.dispute]
    seconds = [outcome.seconds for outcome in outcomes]
    figures = [
        ("disputes found and named right", *_share(outcome.found for outcome in seeded)),
        ("clean games with an accusation", *_share(bool(outcome.accused) for outcome in clean)),
        ("disputed games with another accusation", *_share(bool(outcome.accused) for outcome in seeded)),
        ("winner statement that of brute force", *_share(outcome.winner_right for outcome in outcomes)),
        ("settling a game, median s", f"{median(seconds):.3f}", ""),
        ("settling a game, longest s", f"{max(seconds):.3f}", ""),
    ]
    print_table("Summary", ("figure", "value", "share"), figures)
    for outcome in outcomes:
        if wrong(outcome):
            print(f"- {outcome}")


def wrong(outcome: Outcome) -> bool:
    """Whether a game was settled wrongly."""
    missed = outcome.dispute is not None and not outcome.found
    return bool(outcome.accused) or missed or not outcome.winner_right


def _share(judged: Iterable[bool]) -> tuple[str, str]:
    told = list(judged)
    return f"{sum(told)} of {len(told)}", percent(sum(told), len(told))


def games(seed: int, count: int) -> list[Game]:
    """The benchmark's games: every other one has a dispute, of each kind in turn."""
    disputes = [DISPUTES[place // 2 % len(DISPUTES)] if place % 2 else None for place in range(count)]
    return [play_disputed(seed + place, dispute) for place, dispute in enumerate(disputes)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; returns 1 when a game is settled wrongly."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.settle", description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--photos", action="store_true", help="photograph and scan the sheets")
    parser.add_argument("--reader", choices=get_args(ReaderName), default="network")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    lab.add_scene_options(parser)
    options = parser.parse_args(arguments)
    played = games(options.seed, options.games)
    if options.photos:
        return settle_photos.run(played, lab.source_of(options), options)
    outcomes = [measure(game) for game in played]
    if options.json:
        print(json.dumps([dataclasses.asdict(outcome) for outcome in outcomes]))
    else:
        report(outcomes)
    return int(any(map(wrong, outcomes)))


if __name__ == "__main__":
    sys.exit(main())
