"""Games of the lab with one seeded dispute each, or none, as sheets to be printed and filled.

Who plays what, and what goes wrong, follows from the seed; whether the sheets' results are taken from the
truth, or read from photos, is for others to say.
"""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from benchmarks.lab import INKS, PAPERS
from sheetscan.games import rules_for
from sheetscan.lab.any_game import play, tally
from sheetscan.lab.faults import Fault, seed_fault
from sheetscan.lab.play import Contents
from sheetscan.lab.qwixx_faults import QwixxFault, seed_qwixx_fault
from sheetscan.language import LANGUAGES
from sheetscan.printing.order import PrintOrder
from sheetscan.result import CROSS, Severity
from sheetscan.settle import Settlement
from sheetscan.template import Template, load_template, template_names

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
QWINTO_FAULTS: Mapping[str, Fault] = {
    "row-order": "row-order",
    "column-repeat": "column-repeat",
    "value": "value-19",
    "tally": "tally",
}
QWIXX_FAULTS: Mapping[str, QwixxFault] = {"last-number": "last-number", "tally": "tally"}
QWIXX_SHARE = 0.4
"""Of the games that may be of either kind."""
NAMES = ("Anna", "Ben", "Chloé", "Deniz", "Émile")
STRANGER = "Zoë"
OTHER_GAME = "OTHERS"

Named = tuple[str, tuple[int, ...], frozenset[str]]
"""A finding: its code, the inputs that it concerns, and the fields."""


@dataclass(frozen=True)
class Page:
    """A filled sheet: number `place` of what was printed by `order`, for `player`."""

    contents: Contents
    order: PrintOrder
    place: int
    player: str


@dataclass(frozen=True)
class Game:
    """What is given to be settled; a page that is there twice is the same photo given twice."""

    seed: int
    template: Template
    pages: tuple[Page, ...]
    dispute: Dispute | None = None


def play_disputed(seed: int, dispute: Dispute | None) -> Game:
    """A game of 2 to 5 players with that dispute, the same for the same seed."""
    rng = np.random.default_rng(seed)
    template = _template(dispute, rng)
    played = play(template, int(rng.integers(2, 6)), rng)
    if dispute == "game-not-over":
        played = [_unfinished(template, contents) for contents in played]
    victim = int(rng.integers(len(played)))
    if dispute != "tally":
        victim = _seed(template, played, dispute, victim, rng)
    filled = [tally(template, contents) for contents in played]
    if dispute == "tally":
        victim = _seed(template, filled, dispute, victim, rng)
    order = PrintOrder(
        players=NAMES[: len(filled)],
        game_id=f"G{seed:05d}",
        language=str(rng.choice(LANGUAGES)),
        paper=PAPERS[int(rng.integers(len(PAPERS)))],
        ink=INKS[int(rng.integers(len(INKS)))],
    )
    pages = [
        Page(contents, order, place, name)
        for place, (contents, name) in enumerate(zip(filled, NAMES, strict=False), 1)
    ]
    return Game(seed, template, tuple(_with_more(template, pages, dispute, victim)), dispute)


def _template(dispute: Dispute | None, rng: np.random.Generator) -> Template:
    """A sheet on which the dispute is possible."""
    every_qwixx = [name for name in template_names() if load_template(name).game == "qwixx"]
    either = dispute not in SHEET_DISPUTES or (dispute in QWINTO_FAULTS and dispute in QWIXX_FAULTS)
    qwixx = rng.random() < QWIXX_SHARE if either else dispute in QWIXX_FAULTS
    return load_template(str(rng.choice(every_qwixx)) if qwixx else "qwinto")


def _seed(
    template: Template,
    sheets: list[Contents],
    dispute: Dispute | None,
    victim: int,
    rng: np.random.Generator,
) -> int:
    """Put a sheet's dispute on the victim's, or the next on which it is possible; tells on whose."""
    if dispute not in SHEET_DISPUTES:
        return victim
    places: list[int] = [*range(victim, len(sheets)), *range(victim)]
    for place in places:
        with suppress(ValueError):
            sheets[place] = (
                seed_fault(sheets[place], QWINTO_FAULTS[dispute], rng)
                if template.game == "qwinto"
                else seed_qwixx_fault(template, sheets[place], QWIXX_FAULTS[dispute], rng)
            )
            return place
    raise ValueError(f"no sheet of this game can take the dispute {dispute!r}")


def _unfinished(template: Template, contents: Contents) -> Contents:
    """A sheet as it may have been some time before the end: with half of what is on it, from the left."""
    marked = [name for name in contents if contents[name].kind in ("number", "cross")]
    rows: dict[str, list[str]] = {}
    for name in sorted(marked, key=lambda name: template.field(name).box_mm.x):
        rows.setdefault(name.partition("-")[0], []).append(name)
    kept = {name for names in rows.values() for name in names[: len(names) // 2]}
    return {name: contents[name] for name in contents if name in kept and not name.endswith("lock")}


def _with_more(template: Template, pages: list[Page], dispute: Dispute | None, victim: int) -> list[Page]:
    """The pages, with those that the dispute adds or changes."""
    page = pages[victim]
    match dispute:
        case "same-photo":
            return [*pages, page]
        case "same-sheet" | "stages-contradict":
            early = _earlier(template, page.contents, contradicting=dispute == "stages-contradict")
            return [*pages, Page(early, page.order, page.place, page.player)]
        case "foreign-game" if len(pages) > 2:
            return [*pages[:victim], _of_other_game(page, page.player), *pages[victim + 1 :]]
        case "foreign-game":
            return [*pages, _of_other_game(page, STRANGER)]
        case _:
            return pages


def _of_other_game(page: Page, player: str) -> Page:
    """The same on a sheet that was printed for another game."""
    order = PrintOrder(
        page.order.paper, 1, (player,), page.order.language, page.order.ink, game_id=OTHER_GAME
    )
    return Page(page.contents, order, 1, player)


def _earlier(template: Template, contents: Contents, *, contradicting: bool) -> Contents:
    """The sheet before its tally, some entries short; perhaps with a cross that is not there later."""
    scoring = rules_for(template).scoring_fields
    played = [place.id for place in template.readable_fields if place.id in scoring]
    entries = [name for name in played if name in contents and contents[name].kind in ("number", "cross")]
    missing = entries[:2] if contradicting else entries[::3]
    early = {name: one for name, one in contents.items() if name in played and name not in missing}
    if contradicting:
        early[next(name for name in played if name not in contents)] = CROSS
    return early


def findings_of(settled: Settlement, inputs: Sequence[int]) -> dict[Named, Severity]:
    """All findings on sheets that count and on the game; `inputs` are those of all its sheets, in order."""
    of_sheets = {
        (found.code, (inputs[entry.sheet - 1],), frozenset(found.fields)): found.severity
        for entry, sheet in zip(settled.ranking, settled.counted, strict=True)
        for found in sheet.findings
    }
    of_game = {
        (
            found.code,
            tuple(sorted(inputs[number - 1] for number in found.sheets)),
            frozenset(found.fields),
        ): found.severity
        for found in settled.findings
    }
    return of_sheets | of_game


def naming(found: Collection[Named], dispute: Dispute) -> set[Named]:
    """The findings that name this dispute."""
    return {one for one in found if one[0] == dispute}


def accusing(found: Mapping[Named, Severity]) -> set[Named]:
    """The findings that are more than a note."""
    return {one for one, severity in found.items() if severity != "note"}
