"""Makes the photos in `samples/` with their true readings: `python -m sheetscan.lab.samples [FOLDER]`.

Everything is seeded: the same version of the code and its libraries makes the same files again.
"""

import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sheetscan.lab.faults import seed_fault
from sheetscan.lab.files import save_photo, write_file
from sheetscan.lab.hand import SyntheticHand
from sheetscan.lab.play import play_game, tallied
from sheetscan.lab.sample_list import GAMES, PHOTOS, SampleGame, SamplePhoto
from sheetscan.lab.studio import FilledSheet, LabPhoto, fill_sheet, photograph_sheets
from sheetscan.printing.order import PrintOrder
from sheetscan.result import Document, Sheet, to_json
from sheetscan.template import load_template


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample as saved: what it is, and the truth of each sheet in it."""

    photo: SamplePhoto
    truths: tuple[Sheet, ...]


def fill_game(game: SampleGame) -> list[FilledSheet]:
    """The game's sheets as their players left them, in printing order."""
    template = load_template("qwinto")
    rng = np.random.default_rng(game.seed)
    playing = [player for player in game.players if player.plays]
    played = iter(play_game(len(playing), rng))
    order = PrintOrder(
        paper=game.paper,
        players=tuple(player.name for player in game.players),
        language=game.language,
        ink=game.ink,
        game_id=game.game_id,
    )
    sheets = []
    for place, player in enumerate(game.players, 1):
        contents = next(played) if player.plays else {}
        for fault in player.faults:
            contents = seed_fault(contents, fault, rng)
        if player.plays:
            contents = tallied(contents, player.tally_error)
        hand = SyntheticHand(player.hand_seed, player.european)
        sheets.append(fill_sheet(template, contents, hand, player.pen, order, rng, sheet=place))
    return sheets


def take_photo(photo: SamplePhoto, sheets: list[FilledSheet]) -> LabPhoto:
    """Photograph the sample's sheets; `sheets` are all of its game."""
    chosen = [sheets[place] for place in photo.sheets]
    rng = np.random.default_rng(zlib.crc32(photo.name.encode()))
    return photograph_sheets(chosen, photo.placements, photo.scene, rng)


def make_samples(folder: Path) -> list[Sample]:
    """Write all photos, `truth/NAME.json` for each, and the README with the table of them."""
    samples = list(_saved(folder))
    write_file(folder / "README.md", readme(samples).encode())
    return samples


def _saved(folder: Path) -> Iterator[Sample]:
    for game in GAMES:
        sheets = fill_game(game)
        for photo in (photo for photo in PHOTOS if photo.game_id == game.game_id):
            path = folder / f"{photo.name}.jpg"
            taken = take_photo(photo, sheets)
            truths = save_photo(taken, path, photo.scene.jpeg_quality, turned=photo.turned)
            document = to_json(Document(sheets=truths))
            write_file(folder / "truth" / f"{photo.name}.json", f"{document}\n".encode())
            yield Sample(photo, truths)


def readme(samples: list[Sample]) -> str:
    """The table of the samples in Markdown."""
    lines = [
        "# Samples",
        "",
        "Photos of three games of Qwinto, made by the photo lab (`python -m sheetscan.lab.samples samples`):",
        "sheets are printed by `sheetscan print`, played by the rules, written on with invented handwriting",
        "and photographed by a simulated phone. No person's writing and no real photo is in them.",
        "What each sheet truly holds is in `truth/`, as a result document that `sheetscan audit` reads too.",
        "",
        "| photo | game | player | score | findings | what is special |",
        "|---|---|---|---|---|---|",
    ]
    lines += [_row(sample) for sample in samples]
    return "\n".join(lines) + "\n"


def _row(sample: Sample) -> str:
    players = ", ".join(truth.player or "" for truth in sample.truths)
    scores = ", ".join(_range(truth.score.range) for truth in sample.truths)
    findings = ", ".join(sorted({finding.code for truth in sample.truths for finding in truth.findings}))
    photo = sample.photo
    file = f"[{photo.name}.jpg]({photo.name}.jpg)"
    return f"| {file} | {photo.game_id} | {players} | {scores} | {findings or 'none'} | {photo.special} |"


def _range(score: tuple[int, int]) -> str:
    low, high = score
    return str(low) if low == high else f"{low} to {high}"


def main() -> None:
    """Make the samples in the folder given, by default `samples`."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "samples")
    for sample in make_samples(folder):
        size = (folder / f"{sample.photo.name}.jpg").stat().st_size
        sys.stderr.write(f"{sample.photo.name}.jpg  {size // 1000} kB\n")


if __name__ == "__main__":
    main()
