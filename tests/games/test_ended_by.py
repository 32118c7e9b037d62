"""Who brought the game's end."""

from sheetscan.games.qwinto import Qwinto
from sheetscan.games.qwixx import Qwixx
from sheetscan.result import CROSS, Content
from sheetscan.template import load_template
from tests.games.sheets import GOLDEN, sheet

QWIXX = Qwixx(load_template("qwixx").places)
TWO_ROWS = sheet(*GOLDEN[2][1:])


def closed(*rows: str) -> dict[str, Content]:
    """A Qwixx sheet on which these rows are closed."""
    last = {"red": 12, "yellow": 12, "green": 2, "blue": 2}
    return {f"{row}-{value}": CROSS for row in rows for value in (4, 5, 6, 7, 8, last[row])}


def test_two_complete_rows_or_four_misthrows_end_qwinto() -> None:
    assert Qwinto().ended_by([sheet(), TWO_ROWS, sheet(misthrows=4)]) == (1, 2)
    assert Qwinto().ended_by([sheet(misthrows=3)]) == ()


def test_the_second_closed_row_ends_qwixx_whoever_closed_the_first() -> None:
    assert QWIXX.ended_by([closed("red"), {}, closed("blue")]) == (0, 2)
    assert QWIXX.ended_by([closed("red", "green"), {}]) == (0,)
    assert QWIXX.ended_by([closed("red"), closed("red")]) == ()


def test_four_penalties_end_qwixx() -> None:
    penalties = {f"penalty-{place}": CROSS for place in range(1, 5)}
    assert QWIXX.ended_by([closed("red"), penalties]) == (1,)
