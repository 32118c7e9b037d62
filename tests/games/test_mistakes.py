"""The tally's likely mistakes: each wrong figure is put down to what gives exactly that figure."""

import pytest

from sheetscan.games.base import Violation
from sheetscan.games.qwinto import Qwinto
from sheetscan.games.qwixx import Qwixx
from sheetscan.language import LANGUAGES, say
from sheetscan.result import CROSS, Content, number
from sheetscan.template import load_template
from tests.games.sheets import GOLDEN, sheet

PUBLISHERS = sheet(*GOLDEN[0][1:])
"""43 = 4 + 16 + 6 + (5 + 10 + 12) − 10; yellow is complete and ends in 16."""
QWINTO = Qwinto()
QWIXX = Qwixx(load_template("qwixx").places)


def tally(contents: dict[str, Content], rules: Qwinto | Qwixx) -> list[Violation]:
    return [found for found in rules.audit(contents).violations if found.code == "tally"]


def mistake(contents: dict[str, Content], rules: Qwinto | Qwixx = QWINTO, **written: int) -> str | None:
    figures = {f"tally-{name.replace('_', '-')}": number(value) for name, value in written.items()}
    (found,) = tally(contents | figures, rules)
    return found.mistake


@pytest.mark.parametrize(
    ("written", "named"),
    [
        ({"yellow": 2 + 3 + 7 + 8 + 10 + 11 + 12 + 15 + 16}, "row-sum-complete"),
        ({"yellow": 9}, "row-counted"),
        ({"yellow": 17}, None),
        ({"orange": 5 + 10 + 13 + 17}, "row-sum"),
        ({"orange": 17}, "row-last"),
        ({"orange": 5}, None),
        ({"bonus_4": 10}, "bonus-doubled"),
        ({"bonus_4": 5 + 7 + 6}, "bonus-sum"),
        ({"bonus_4": 7}, "bonus-other-number"),
        ({"misthrows": 2}, "misthrows-counted"),
        ({"misthrows": 15}, None),
        ({"total": 53}, "total-not-subtracted"),
        ({"total": 63}, "total-added"),
        ({"total": 44}, "total-arithmetic"),
    ],
)
def test_qwinto(written: dict[str, int], named: str | None) -> None:
    assert mistake(PUBLISHERS, **written) == named


def test_a_bonus_without_a_full_column() -> None:
    assert mistake(sheet(purple="_ _ 9"), bonus_3=9) == "bonus-incomplete"
    assert mistake(sheet(orange="9"), bonus_3=9) is None


def test_an_empty_row_explains_nothing() -> None:
    assert mistake(sheet(), orange=3) is None


def test_a_total_that_follows_from_a_wrong_line() -> None:
    figures = {"tally-yellow": number(9), "tally-total": number(36)}
    line, total = tally(PUBLISHERS | figures, Qwinto())
    assert (line.mistake, total.mistake) == ("row-counted", "total-follows")


def test_figures_from_before_something_was_crossed_out() -> None:
    contents = sheet("1 2 _ # 4 3")
    assert mistake(contents, orange=4) == "unrepaired"
    assert mistake(contents, total=4) == "unrepaired"
    assert mistake(contents, total=9) == "total-arithmetic"
    assert mistake(contents, orange=9) is None


def crossed(*fields: str) -> dict[str, Content]:
    return dict.fromkeys(fields, CROSS)


FIVE = ("red-2", "red-3", "red-4", "red-5", "red-6")


@pytest.mark.parametrize(
    ("fields", "written", "named"),
    [
        ((*FIVE, "red-12", "red-lock"), {"red": 22}, "lock-one-point"),
        ((*FIVE, "red-12", "red-lock"), {"red": 21}, "lock-left-out"),
        ((*FIVE, "red-12", "red-lock"), {"red": 7}, "row-counted"),
        ((*FIVE[:4], "red-12", "red-lock"), {"red": 21}, "last-among-five"),
        ((*FIVE[:4], "red-12"), {"red": 15}, "last-among-five"),
        ((*FIVE, "red-lock"), {"red": 21}, "lock-of-another"),
        (FIVE, {"red": 5}, "row-counted"),
        (FIVE, {"red": 20}, "row-sum"),
        (FIVE, {"red": 16}, None),
        (("penalty-1", "penalty-2"), {"penalties": 2}, "penalties-counted"),
        ((*FIVE, "penalty-1"), {"total": 15}, "total-not-subtracted"),
        ((*FIVE, "penalty-1"), {"total": 11}, "total-arithmetic"),
    ],
)
def test_qwixx(fields: tuple[str, ...], written: dict[str, int], named: str | None) -> None:
    assert mistake(crossed(*fields), QWIXX, **written) == named


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "count"), [("qwinto", 14), ("qwixx", 11)])
def test_every_mistake_is_said(language: str, game: str, count: int) -> None:
    from sheetscan.language import _catalogue

    names = [key for key in _catalogue(language) if key.startswith(f"{game}.mistake-")]
    assert len(names) == count
    assert all(say(language, name).endswith(".") for name in names)
