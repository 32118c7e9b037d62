"""Sheets as `shared/rules/qwinto.md` writes them: one line a row, `_` empty, `#` blocked, `X` a cross."""

from sheetscan.games.base import Audit, Violation
from sheetscan.games.qwinto import Qwinto
from sheetscan.result import CROSS, Content, number

FIRST_COLUMN = {"orange": 3, "yellow": 2, "purple": 1}
NOTHING = "_ _ _ _ _ _ _ _ _ _"

GOLDEN = [
    (43, "_ 5 _ # _ 10 13 _ 17 _", "2 3 7 8 10 # 11 12 15 16", "2 4 _ 6 # 7 _ 9 11 _", 2),
    (28, "2 3 6 # 9 11 12 13 15 16", "1 3 4 5 _ # 12 13 _ _", "1 3 _ 6 # 7 _ _ 10 _", 3),
    (116, "10 11 12 # 13 14 15 16 17 18", "10 11 12 13 14 # 15 16 17 18", "12 13 14 15 # _ _ 16 17 18", 0),
]


def sheet(
    orange: str = NOTHING, yellow: str = NOTHING, purple: str = NOTHING, misthrows: int = 0, **tally: int
) -> dict[str, Content]:
    """The contents of a sheet; `tally` names its fields with underscores, as in `tally_bonus_3=5`."""
    contents = {
        f"{row}-{FIRST_COLUMN[row] + place}": CROSS if word == "X" else number(int(word))
        for row, words in (("orange", orange), ("yellow", yellow), ("purple", purple))
        for place, word in enumerate(words.split())
        if word not in "_#"
    }
    contents |= {f"misthrow-{place}": CROSS for place in range(1, misthrows + 1)}
    return contents | {name.replace("_", "-"): number(value) for name, value in tally.items()}


def audit(contents: dict[str, Content]) -> Audit:
    return Qwinto().audit(contents)


def found(audit: Audit, code: str) -> list[Violation]:
    return [violation for violation in audit.violations if violation.code == code]


def codes(audit: Audit) -> list[str]:
    return [violation.code for violation in audit.violations]
