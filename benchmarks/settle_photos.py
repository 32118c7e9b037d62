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
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from statistics import median
from time import process_time

import numpy as np

from benchmarks import lab
from benchmarks.disputes import Game
from benchmarks.pool import outcomes_of
from benchmarks.settle_outcome import FATES, READINGS, GameOutcome, Reading, compare, wrong
from benchmarks.tables import percent, print_table
from sheetscan.imaging.photo import Photo
from sheetscan.lab.pen import random_pen
from sheetscan.lab.scene import random_scene
from sheetscan.lab.studio import make_photo
from sheetscan.pipeline import Scan
from sheetscan.reading.choice import ReaderName
from sheetscan.result import Sheet
from sheetscan.settle import settle

SETTLE_KEY = 4
"""Keeps the random numbers apart from those of the benchmarks of single photos."""
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


def photograph(game: Game, source: lab.Source) -> list[tuple[Photo, Sheet]]:
    """A photo of every page and its truth; the same game gives the same photos."""
    hands = lab.writers(source)
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
    scanned = [list(lab.scanner(reader).scan_photo(photo)) for photo, _ in taken]
    sheets = [[one.sheet for one in outcomes if isinstance(one, Scan)] for outcomes in scanned]
    unread = [photo.source for (photo, _), own in zip(taken, sheets, strict=True) if not own]
    start = process_time()
    settled = settle(sheets, "en", unread=unread)
    seconds = process_time() - start
    return compare(game, [truth for _, truth in taken], sheets, settled, seconds)


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
