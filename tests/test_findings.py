"""Findings on whole games in words; those on one sheet are proven with the judge."""

import pytest

from sheetscan.findings import game_finding
from sheetscan.games.base import SheetViolation
from sheetscan.language import LANGUAGES


def test_a_finding_on_a_game_names_the_players():
    violation = SheetViolation("closed-by-nobody", "one-of", (0, 2), {"field": "red-lock"})
    found = game_finding(violation, "qwixx", "en", ["Anna", "Bo", "{Cem}"])
    assert found.message == (
        "The lock of the red row is marked as closed by somebody else (Anna and {Cem}),"
        " but no sheet of the game closed that row."
    )
    assert (found.code, found.severity, found.fields) == ("closed-by-nobody", "one-of", ())
    assert found.rule.startswith("A row is closed by a player with")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("game", "code"),
    [
        ("qwinto", "game-not-over"),
        ("qwinto", "misthrows-end-twice"),
        ("qwinto", "sheets-do-not-fit"),
        ("qwixx", "game-not-over"),
        ("qwixx", "four-rows-closed"),
        ("qwixx", "penalties-end-twice"),
        ("qwixx", "sheets-do-not-fit"),
    ],
)
def test_every_finding_on_a_game_has_words(language, game, code):
    found = game_finding(SheetViolation(code, "one-of", (0, 1)), game, language, ["Anna", "Bo"])
    assert found.message.endswith(".")
    assert "{" not in found.message + found.rule
    assert ("Anna" in found.message) is (code != "game-not-over")
