"""The demo's game: complete files, one dispute, the same again for the same seed."""

import hashlib

import pytest

from sheetscan.errors import OutputError
from sheetscan.lab.demo import PLAYERS, make_demo


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    return make_demo(tmp_path_factory.mktemp("demo") / "new", seed=3, language="nl")


def test_all_files_are_there(game):
    assert game.pdf.read_bytes().startswith(b"%PDF-")
    assert len(game.photos) == len(game.truths) == len(PLAYERS)
    for path, truth, player in zip(game.photos, game.truths, PLAYERS, strict=True):
        assert truth.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
        assert truth.source == path.name
        assert truth.player == player
    assert len({truth.sheet_id for truth in game.truths}) == len(PLAYERS)


def test_one_sheet_is_disputed(game):
    disputed = [truth.player for truth in game.truths if truth.needs_a_look]
    assert disputed == ["Ben"]
    assert "row-order" in {finding.code for truth in game.truths for finding in truth.findings}


def test_the_same_seed_makes_the_same_game(game, tmp_path):
    again = make_demo(tmp_path, seed=3, language="nl")
    assert again.truths == game.truths
    assert again.pdf.read_bytes() == game.pdf.read_bytes()


def test_a_folder_that_cannot_be_made_is_an_output_error(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(OutputError, match="can't be written"):
        make_demo(tmp_path / "file" / "demo")
