"""The samples in the repository are what their truths, their table and the lab say."""

import hashlib
from pathlib import Path

import pytest
from PIL import Image

from sheetscan.lab.sample_list import GAMES, PHOTOS
from sheetscan.lab.samples import Sample, fill_game, readme
from sheetscan.result import document_from_json

FOLDER = Path(__file__).parents[2] / "samples"
LARGEST_BYTES = 700_000


def saved(photo):
    path = FOLDER / "truth" / f"{photo.name}.json"
    return Sample(photo, document_from_json(path.read_text(encoding="utf-8"), str(path)).sheets)


def test_there_are_enough_samples_of_three_games():
    assert len(PHOTOS) >= 12
    assert len({photo.game_id for photo in PHOTOS}) == len(GAMES) == 3
    assert {photo.name for photo in PHOTOS} == {path.stem for path in FOLDER.glob("*.jpg")}
    assert {photo.name for photo in PHOTOS} == {path.stem for path in (FOLDER / "truth").glob("*.json")}


@pytest.mark.parametrize("photo", PHOTOS, ids=lambda photo: photo.name)
def test_a_truth_belongs_to_its_photo(photo):
    data = (FOLDER / f"{photo.name}.jpg").read_bytes()
    assert len(data) < LARGEST_BYTES
    truths = saved(photo).truths
    assert len(truths) == len(photo.sheets)
    for truth in truths:
        assert truth.source == f"{photo.name}.jpg"
        assert truth.sha256 == hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.game_id)
def test_the_lab_still_fills_the_sheets_so(game):
    sheets = [filled.truth for filled in fill_game(game)]
    assert [truth.player for truth in sheets] == [player.name for player in game.players]
    for photo in (photo for photo in PHOTOS if photo.game_id == game.game_id):
        for place, truth in zip(photo.sheets, saved(photo).truths, strict=True):
            assert truth.fields == sheets[place].fields
            assert truth.sheet_id == sheets[place].sheet_id
            assert truth.findings == sheets[place].findings


def test_the_table_is_up_to_date():
    table = readme([saved(photo) for game in GAMES for photo in PHOTOS if photo.game_id == game.game_id])
    assert (FOLDER / "README.md").read_text(encoding="utf-8") == table


def test_a_phone_held_upright_marks_its_photo_as_lying():
    with Image.open(FOLDER / "jonas-upright-phone.jpg") as image:
        assert image.size[0] > image.size[1]
        assert image.getexif()[0x0112] == 6


def test_every_seeded_fault_is_in_the_truths():
    found = {finding.code for photo in PHOTOS for truth in saved(photo).truths for finding in truth.findings}
    assert {"row-order", "column-repeat", "value", "blocked-field", "tally"} <= found
