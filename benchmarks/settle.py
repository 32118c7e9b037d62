"""Settling on games of the lab: `python -m benchmarks.settle`.

Plays 100 games of 2 to 5 players by the rules of Qwinto, on the level of results (nothing is photographed),
half of them with one seeded dispute. Prints whether each dispute is found and named right, whether a game
without one is left in peace, whether the statement on the winner is that of brute force, and how much
processor time repairs and settling take.
"""

import argparse
import dataclasses
import hashlib
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import median
from typing import Literal, get_args

import numpy as np

from benchmarks.tables import percent, print_table
from sheetscan.games.qwinto import Qwinto
from sheetscan.lab.faults import Fault, seed_fault
from sheetscan.lab.play import Contents, play_game, tallied
from sheetscan.lab.qwixx_play import play_qwixx, tallied_qwixx
from sheetscan.lab.studio import true_sheet
from sheetscan.pipeline import reassess
from sheetscan.printing.order import PrintOrder
from sheetscan.result import CROSS, EMPTY, Alternative, FieldReading, Finding, Sheet, number
from sheetscan.settle import GameFinding, Settlement, settle
from sheetscan.template import load_template

Dispute = Literal[
    "row-order",
    "column-repeat",
    "value",
    "last-number",
    "tally",
    "game-not-over",
    "foreign-game",
    "same-photo",
    "same-sheet",
    "stages-contradict",
]
DISPUTES: tuple[Dispute, ...] = get_args(Dispute)
"""Each is named by the finding that it has to give."""
SHEET_DISPUTES = ("row-order", "column-repeat", "value", "last-number", "tally")
ACCUSING = {"must-cross", "one-of"}
FOLLOWING = {
    "last-number": {"tally", "game-not-over", "closed-by-nobody", "sheets-do-not-fit"},
    "row-order": {"tally", "sheets-do-not-fit"},
    "column-repeat": {"tally", "sheets-do-not-fit"},
    "value": {"tally", "sheets-do-not-fit"},
    "game-not-over": {"closed-by-nobody", "sheets-do-not-fit"},
    "foreign-game": {"sheets-do-not-fit", "misthrows-end-twice"},
    "stages-contradict": {"row-order", "column-repeat", "tally", "sheets-do-not-fit"},
}
"""Findings that a dispute may bring about beside its own; any other one is a false accusation."""
NAMES = ("Anna", "Ben", "Chloé", "Deniz", "Émile")
CLASHES = 8


@dataclass(frozen=True, slots=True)
class Game:
    """A game's inputs, and the dispute in it: which finding it has to give, on the sheet of which player."""

    inputs: tuple[tuple[Sheet, ...], ...]
    dispute: Dispute | None = None
    player: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What settling a game came to."""

    dispute: Dispute | None
    found: bool
    accused: tuple[str, ...]
    winner_right: bool
    certain: bool
    seconds: float


def make_game(seed: int, dispute: Dispute | None) -> Game:
    """A game, the same for the same seed; some of its fields are in doubt."""
    rng = np.random.default_rng(seed)
    qwixx = dispute == "last-number" or (dispute not in SHEET_DISPUTES and rng.random() < 0.3)
    template = load_template("qwixx" if qwixx else "qwinto")
    count = int(rng.integers(2, 6))
    played = play_qwixx(template, count, rng) if qwixx else play_game(count, rng)
    victim = int(rng.integers(count))
    if dispute in ("row-order", "column-repeat", "value"):
        fault: Fault = "value-19" if dispute == "value" else dispute
        played[victim] = seed_fault(played[victim], fault, rng)
    if dispute == "last-number":
        played[victim] = _too_early(played[victim])
    if dispute == "game-not-over":
        played = [_unfinished(contents) for contents in played]
    filled = [tallied_qwixx(template, one) if qwixx else tallied(one) for one in played]
    if dispute == "tally":
        filled[victim] = seed_fault(filled[victim], "tally", rng)
    order = PrintOrder(players=NAMES[:count], game_id=f"G{seed:05d}", language="en")
    sheets = [true_sheet(template, contents, order, place) for place, contents in enumerate(filled, 1)]
    sheets = [_photographed(sheet, f"{seed}-{place}") for place, sheet in enumerate(sheets)]
    if dispute not in ("same-sheet", "stages-contradict"):
        sheets = [_doubtful(sheet, rng) for sheet in sheets]
    inputs: list[tuple[Sheet, ...]] = [(sheet,) for sheet in sheets]
    inputs += _more_inputs(dispute, sheets[victim])
    if dispute == "foreign-game" and count > 2:
        inputs[victim] = (dataclasses.replace(sheets[victim], sheet_id="OTHERS-1"),)
    elif dispute == "foreign-game":
        stranger = dataclasses.replace(sheets[victim], sheet_id="OTHERS-1", sha256="f" * 64, player="Zoë")
        return Game((*inputs, (stranger,)), dispute, "Zoë")
    return Game(tuple(inputs), dispute, NAMES[victim])


def _too_early(contents: Contents) -> Contents:
    """A Qwixx sheet on which a last number is crossed with four others."""
    row = {name: one for name, one in contents.items() if not name.startswith("red-")}
    return row | {f"red-{value}": CROSS for value in (2, 3, 4, 6, 12)} | {"red-lock": CROSS}


def _unfinished(contents: Contents) -> Contents:
    """A sheet as it may have been some time before the end: with half of what is on it, from the left."""
    marked = [name for name in contents if contents[name].kind in ("number", "cross")]
    rows: dict[str, list[str]] = {}
    for name in sorted(marked, key=_place):
        rows.setdefault(name.partition("-")[0], []).append(name)
    kept = {name for names in rows.values() for name in names[: len(names) // 2]}
    return {name: contents[name] for name in contents if name in kept and not name.endswith("lock")}


def _place(name: str) -> int:
    place = name.rpartition("-")[2]
    if not place.isdecimal():
        return 99
    return -int(place) if name.startswith(("green", "blue")) else int(place)


def _photographed(sheet: Sheet, name: str) -> Sheet:
    return dataclasses.replace(sheet, source=f"{name}.jpg", sha256=hashlib.sha256(name.encode()).hexdigest())


def _doubtful(sheet: Sheet, rng: np.random.Generator) -> Sheet:
    """The sheet with up to two fields in doubt, of which the first reading is the truth."""
    fields = dict(sheet.fields)
    names = [name for name in _played(sheet) if fields[name].kind in ("number", "cross")]
    for name in rng.permutation(names)[: int(rng.integers(0, 3))]:
        truth = fields[name].content
        other = number(int(rng.integers(1, 19))) if truth.kind == "number" and rng.random() < 0.6 else EMPTY
        if other != truth:
            alternative = Alternative(other.kind, other.value, 0.25)
            fields[name] = FieldReading(
                truth.kind, truth.value, 0.74, truth, (alternative,), "low confidence"
            )
    return reassess(dataclasses.replace(sheet, fields=fields), {}, "en")


def _more_inputs(dispute: Dispute | None, sheet: Sheet) -> list[tuple[Sheet, ...]]:
    """The further photos that some disputes are about."""
    entries = [name for name in _played(sheet) if sheet.fields[name].kind in ("number", "cross")]
    match dispute:
        case "same-photo":
            return [(dataclasses.replace(sheet, source="copy.jpg"),)]
        case "same-sheet":
            before = dict.fromkeys(entries[::3], EMPTY)
        case "stages-contradict":
            blank = next(name for name in _played(sheet) if sheet.fields[name].kind == "empty")
            before = dict.fromkeys(entries[:2], EMPTY) | {blank: CROSS}
        case _:
            return []
    early = reassess(sheet, before, "en")
    fields = {name: dataclasses.replace(one, why=None) for name, one in early.fields.items()}
    return [(_photographed(dataclasses.replace(early, fields=fields), f"early-{sheet.source}"),)]


def _played(sheet: Sheet) -> list[str]:
    return [name for name in sheet.fields if "tally" not in name]


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
    from sheetscan.games import rules_for

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
    """Settle a game and compare with what is true of it."""
    start = time.process_time()
    settled = settle(game.inputs, "en")
    seconds = time.process_time() - start
    named = {entry.sheet: entry.name for entry in settled.ranking}
    on_sheets = [
        (found, named[entry.sheet])
        for entry, sheet in zip(settled.ranking, settled.counted, strict=True)
        for found in sheet.findings
    ]
    if game.dispute in SHEET_DISPUTES:
        # A finding that rests on a doubtful reading is told as a note, which says so.
        wanted = game.player or ""
        found = any(one.code == game.dispute and wanted in player for one, player in on_sheets)
    else:
        found = game.dispute in {None, *(one.code for one in settled.findings)}
    everything: list[Finding | GameFinding] = [*settled.findings, *(one for one, _ in on_sheets)]
    accusations = [one.code for one in everything if one.severity in ACCUSING]
    allowed = {game.dispute} | FOLLOWING.get(game.dispute or "", set())
    winners = {frozenset(one) for one in settled.winner.possible} if settled.winner else set()
    return Outcome(
        dispute=game.dispute,
        found=found,
        accused=tuple(code for code in accusations if code not in allowed),
        winner_right=winners == possible_winners(settled),
        certain=bool(settled.winner and settled.winner.certain),
        seconds=seconds,
    )


def repairs_milliseconds(rounds: int = 20) -> float:
    """How long the audit of a sheet with eight separate clashes takes, all its repairs included."""
    pairs = [(f"orange-{left}", f"orange-{right}") for left, right in ((3, 4), (7, 8), (9, 10))]
    pairs += [(f"yellow-{left}", f"yellow-{right}") for left, right in ((2, 3), (4, 5), (8, 9))]
    pairs += [("purple-1", "purple-2"), ("purple-8", "purple-9")]
    contents: Contents = {}
    for rank, (left, right) in enumerate(pairs):
        high = 2 + 2 * (rank % 3) + (rank // 3) * 5
        contents |= {left: number(high + 1), right: number(high)}
    clashes = sum(found.severity == "one-of" for found in Qwinto().audit(contents).violations)
    if clashes != CLASHES:
        raise ValueError(f"the sheet has {clashes} clashes, not {CLASHES}")
    times = []
    for _ in range(rounds):
        start = time.process_time()
        Qwinto().audit(contents)
        times.append(time.process_time() - start)
    return 1000 * median(times)


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
        (f"repairs of a sheet with {CLASHES} clashes, ms", f"{repairs_milliseconds():.1f}", ""),
    ]
    print_table("Summary", ("figure", "value", "share"), figures)
    for place, outcome in enumerate(outcomes):
        if outcome.accused or not (outcome.found and outcome.winner_right):
            print(f"- game {place}: {outcome}")


def _share(judged: Iterable[bool]) -> tuple[str, str]:
    told = list(judged)
    return f"{sum(told)} of {len(told)}", percent(sum(told), len(told))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; returns 1 when a game is settled wrongly."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.settle", description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1000)
    options = parser.parse_args(arguments)
    outcomes = [
        measure(make_game(options.seed + place, DISPUTES[place // 2 % len(DISPUTES)] if place % 2 else None))
        for place in range(options.games)
    ]
    report(outcomes)
    return int(any(outcome.accused or not (outcome.found and outcome.winner_right) for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
