"""A game for `sheetscan demo`: three players, one of whom made a slip that the audit finds."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from sheetscan.lab.faults import seed_fault
from sheetscan.lab.files import save_photo, write_file
from sheetscan.lab.hand import SyntheticHand
from sheetscan.lab.pen import COLOURS, Pen
from sheetscan.lab.play import play_game, tallied
from sheetscan.lab.scene import random_scene
from sheetscan.lab.studio import make_photo
from sheetscan.printing.order import PrintOrder
from sheetscan.printing.pdf import render_pdf
from sheetscan.result import Sheet
from sheetscan.sheetcode import ALPHABET, GAME_ID_LENGTH
from sheetscan.template import load_template

PLAYERS = ("Anna", "Ben", "Zoë")
_SLIPS = 1
"""Which of the players makes a slip: the second."""
_JPEG_QUALITY = 85
_SIZE_PX = (2592, 1944)


@dataclass(frozen=True, slots=True)
class DemoGame:
    """The files of a demo game; `truths` are in the order of `photos`."""

    pdf: Path
    photos: tuple[Path, ...]
    truths: tuple[Sheet, ...]


def make_demo(folder: Path, seed: int = 1, language: str = "en") -> DemoGame:
    """Print, fill and photograph the sheets of a game into `folder`, the same for the same seed.

    Raises OutputError when a file can't be written.
    """
    template = load_template("qwinto")
    rng = np.random.default_rng(seed)
    game_id = "".join(ALPHABET[place] for place in rng.integers(len(ALPHABET), size=GAME_ID_LENGTH))
    order = PrintOrder(paper="a4", players=PLAYERS, language=language, game_id=game_id)
    pdf = folder / "sheets.pdf"
    write_file(pdf, render_pdf(template, order))
    sheets = play_game(len(PLAYERS), rng)
    sheets[_SLIPS] = seed_fault(sheets[_SLIPS], "row-order", rng)
    photos: list[Path] = []
    truths: list[Sheet] = []
    for place, (contents, pen) in enumerate(zip(sheets, _pens(rng), strict=True)):
        hand = SyntheticHand(int(rng.integers(2**31)))
        scene = replace(random_scene(rng, "easy"), size_px=_SIZE_PX)
        photo = make_photo(template, tallied(contents), hand, pen, scene, order, rng, sheet=place + 1)
        photos.append(folder / f"photo-{place + 1}.jpg")
        truths += save_photo(photo, photos[-1], _JPEG_QUALITY)
    return DemoGame(pdf, tuple(photos), tuple(truths))


def _pens(rng: np.random.Generator) -> list[Pen]:
    """A ballpoint for everybody, each in another colour."""
    colours = [COLOURS[name][0] for name in ("blue", "black", "green")]
    return [
        Pen("ballpoint", colour, rng.uniform(0.35, 0.5), 0.92, 0.12, 0.0, 0.05, 0.03) for colour in colours
    ]
