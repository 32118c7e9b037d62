"""How much processor time judging and settling take: `python -m benchmarks.settle_speed`.

Times repairs, the judging of one sheet, and the settling of finished results of five players, on sheets that
the lab played, with no doubtful field and with many, and the program `sheetscan settle` from outside. Every
figure is one of processor time, beside its goal, and taken without anything that was judged before.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from functools import partial
from itertools import count, islice
from pathlib import Path
from statistics import median

import numpy as np

from benchmarks.disputes import Game, play_disputed
from benchmarks.goals import Figure, print_figures
from benchmarks.settle import results_of
from sheetscan.games import rules_for
from sheetscan.games.qwinto import Qwinto
from sheetscan.games.qwinto_rows import judged_row, ruling_on, verdict_on
from sheetscan.games.qwinto_score import THROWABLE
from sheetscan.judge import judge
from sheetscan.lab.play import Contents
from sheetscan.reassess import reassess
from sheetscan.result import Alternative, Content, Document, FieldReading, Sheet, number, to_json
from sheetscan.settle import Settlement, settle

CLASHES = 8
GOAL_REPAIRS_MS = 50
PLAYERS = 5
GOAL_SETTLE_S = 0.5
DOUBTS = (0, 2, 12)
CERTAIN, SHARES = 0.74, (0.2, 0.05)
"""Probability of a doubtful field's first reading, and of the others."""
SURE, SHARE = 0.999, 0.0006
"""The same of a field that is given as sure: its reader knows another reading, too."""
REMEMBERED = (judged_row, ruling_on, verdict_on)
"""What remembers sheets that were judged before."""


def clashing(rng: np.random.Generator) -> Contents:
    """A Qwinto sheet on which CLASHES pairs of neighbours, and nothing else, stand the wrong way round."""
    rows = {
        "orange": ((3, 4), (7, 8), (9, 10)),
        "yellow": ((2, 3), (4, 5), (8, 9)),
        "purple": ((1, 2), (8, 9)),
    }
    while True:
        contents: Contents = {}
        for row, pairs in rows.items():
            values = sorted(int(value) for value in rng.choice(THROWABLE, 2 * len(pairs), replace=False))
            for (left, right), low, high in zip(pairs, values[::2], values[1::2], strict=True):
                contents |= {f"{row}-{left}": number(high), f"{row}-{right}": number(low)}
        columns = [(name.partition("-")[2], one) for name, one in contents.items()]
        if len(set(columns)) == len(columns):
            return contents


def in_doubt(sheet: Sheet, doubts: int, rng: np.random.Generator) -> Sheet:
    """The sheet as a reader gives it: so many fields in doubt between three readings, the others sure."""
    written = [name for name, one in sheet.fields.items() if one.kind in ("number", "cross")]
    doubtful = set(rng.permutation(written)[:doubts])
    fields = {name: _read(one.content, name in doubtful, rng) for name, one in sheet.fields.items()}
    return replace(sheet, fields=fields)


def _read(content: Content, doubtful: bool, rng: np.random.Generator) -> FieldReading:
    marks = [Content("empty"), Content("void"), Content("cross")]
    numbers = [number(int(value)) for value in rng.permutation(THROWABLE)]
    others = [other for other in (numbers if content.kind == "number" else marks) if other != content]
    shares = SHARES if doubtful else (SHARE,)
    alternatives = tuple(
        Alternative(other.kind, other.value, share) for other, share in zip(others, shares, strict=False)
    )
    reading = FieldReading(content.kind, content.value, SURE, content, alternatives)
    return replace(reading, confidence=CERTAIN, why="low confidence") if doubtful else reading


def games(seed: int, game: str) -> Iterator[Game]:
    """Games of that name and of PLAYERS players, without a dispute."""
    played = (play_disputed(number, None) for number in count(seed))
    return (one for one in played if one.template.game == game and len(one.pages) == PLAYERS)


def seconds(work: Callable[[], object]) -> float:
    """The processor time that some work takes while nothing is remembered."""
    for remembered in REMEMBERED:
        remembered.cache_clear()
    start = time.process_time()
    work()
    return time.process_time() - start


def repair_figures(seed: int, rounds: int) -> list[Figure]:
    """The audit of a sheet with CLASHES separate clashes, all its repairs included."""
    sheets = [clashing(np.random.default_rng([seed, place])) for place in range(rounds)]
    taken = [1000 * seconds(partial(Qwinto().audit, contents)) for contents in sheets]
    name = f"repairs of a sheet with {CLASHES} clashes"
    return [
        Figure(f"{name}, median", median(taken), "ms", GOAL_REPAIRS_MS),
        Figure(f"{name}, longest", max(taken), "ms", GOAL_REPAIRS_MS),
    ]


def game_figures(seed: int, game: str, doubts: int, rounds: int) -> list[Figure]:
    """Judging a sheet, and settling the finished results of a game."""
    judging, settling = [], []
    for played in islice(games(seed, game), rounds):
        sheets = finished(played, doubts)
        for sheet in sheets:
            judging.append(1000 * seconds(partial(judge, rules_for(played.template), sheet.fields, "en")))
        settling.append(seconds(partial(settled, sheets)))
    name = f"{game}, {doubts} doubtful fields a sheet"
    goal = None if doubts else GOAL_SETTLE_S
    return [
        Figure(f"{name}: judging a sheet", median(judging), "ms"),
        Figure(f"{name}: settling {PLAYERS} players", median(settling), "s", goal),
    ]


def finished(game: Game, doubts: int) -> list[Sheet]:
    """The results of a game, with so many doubtful fields on each sheet."""
    rng = np.random.default_rng([game.seed, doubts])
    return [in_doubt(sheet, doubts, rng) for (sheet,) in results_of(game, doubts=False)]


def settled(sheets: Sequence[Sheet]) -> Settlement:
    """What `sheetscan settle` does with finished results: it judges them anew, and settles."""
    return settle([[reassess(sheet, {}, "en")] for sheet in sheets], "en")


def program_figure(seed: int, rounds: int) -> Figure:
    """`sheetscan settle` from outside, its start included."""
    command = [str(Path(sys.executable).with_name("sheetscan")), "settle", "--exit-zero", "--json"]
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for place, sheet in enumerate(finished(next(games(seed, "qwinto")), 0)):
            paths.append(Path(folder) / f"{place}.json")
            paths[-1].write_text(to_json(Document(sheets=(sheet,))), encoding="utf-8")
        taken = []
        for _ in range(rounds):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([*command, *map(str, paths)], check=True, capture_output=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return Figure(f"sheetscan settle, {PLAYERS} finished results", median(taken), "s", GOAL_SETTLE_S)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; returns 1 when a goal is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.settle_speed", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="sheets and games for each figure")
    parser.add_argument("--seed", type=int, default=0, help="number of the first game")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    figures = repair_figures(options.seed, options.rounds)
    for game in ("qwinto", "qwixx"):
        for doubts in DOUBTS:
            figures += game_figures(options.seed, game, doubts, options.rounds)
    figures.append(program_figure(options.seed, options.rounds))
    if options.json:
        print(json.dumps([asdict(figure) for figure in figures]))
    else:
        print_figures("Processor time of judging and settling", figures)
    return int(any(figure.met is False for figure in figures))


if __name__ == "__main__":
    sys.exit(main())
