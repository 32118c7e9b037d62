"""One hand writes everywhere about as darkly: what is far paler than the rest, and a hand that is pale."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from sheetscan.errors import NoSheetError
from sheetscan.geometry import Box, CellSpec
from sheetscan.reading.darkness import BURNT_OUT, by_darkness
from sheetscan.reading.reader import Reading
from sheetscan.result import CROSS, EMPTY, Content, number
from sheetscan.template import Field, FieldKind

SEVEN = number(7)
BARE_FIELDS = 12


class SeesFrom:
    """Reads what stands in a field if there is ink as dark as `least`, else nothing."""

    name, cell = "sees-from", CellSpec(64, 16)
    sure_from, unreadable_below, same_hand = 0.98, 0.35, None

    def __init__(self, least: int, pale_below: float = 42.0, stands: Content = SEVEN) -> None:
        self.least, self.pale_below, self.stands = least, pale_below, stands
        self.times = 0

    def read(self, cells: NDArray[np.uint8], kinds: Sequence[FieldKind]) -> list[Reading]:
        self.times += 1
        inside = cells[:, 12:52, 12:52, 0].reshape(len(kinds), -1).max(axis=1)
        return [Reading(((self.stands if dark >= self.least else EMPTY, 0.99),)) for dark in inside]


def cell(darkness: int, *, grain: int = 6, length_px: int = 28, printed: int = 0) -> NDArray[np.uint8]:
    """A field of 44 pixels with a stroke so dark, and print in its middle."""
    ink = np.random.default_rng(2).integers(0, grain + 1, (64, 64)).astype(np.uint8)
    outline = np.full((64, 64), 255, np.uint8)
    outline[10:54, 10:54] = 0
    top = 32 - length_px // 2
    ink[top : top + length_px, 30:33] = np.maximum(ink[top : top + length_px, 30:33], darkness)
    ink[26:38, 26:38] = np.maximum(ink[26:38, 26:38], printed)
    return np.stack([ink, outline], axis=-1)


def judged(
    reader: SeesFrom,
    written: Sequence[NDArray[np.uint8]],
    kind: FieldKind = "number",
    grain: int = 6,
    label: str | None = None,
) -> tuple[list[Reading], bool]:
    """What becomes of fields written in, and of bare ones beside them."""
    cells = np.stack([*written, *[cell(0, grain=grain)] * BARE_FIELDS])
    fields = [Field("one", kind, Box(0, 0, 11, 11), "box", label=label)] * len(cells)
    return by_darkness(reader, cells, fields, reader.read(cells, [kind] * len(cells)))


def doubtful(readings: Sequence[Reading]) -> list[bool]:
    return [reading.confidence < 0.98 for reading in readings]


def test_what_is_written_darkly_stays_as_it_is() -> None:
    reader = SeesFrom(40)
    readings, pale = judged(reader, [cell(180), cell(120), cell(60)])
    assert [reading.best for reading in readings] == [SEVEN] * 3 + [EMPTY] * BARE_FIELDS
    assert not any(doubtful(readings))
    assert (pale, reader.times) == (False, 1)


def test_fields_of_a_pale_hand_are_looked_at_more_closely() -> None:
    """The fourth is too pale to be seen as it is; bare paper stays bare."""
    readings, pale = judged(SeesFrom(30), [cell(35), cell(33), cell(34), cell(20)])
    assert pale
    assert [dict(reading.candidates).get(SEVEN) for reading in readings[:4]] == pytest.approx(
        [0.99] * 3 + [0.495]
    )
    assert doubtful(readings) == [False] * 3 + [True] + [False] * BARE_FIELDS


@pytest.mark.parametrize("seen", [0, 3])
def test_a_sheet_most_of_whose_writing_is_lost_is_refused(seen: int) -> None:
    written = [cell(35)] * seen + [cell(15)] * 5
    with pytest.raises(NoSheetError, match="too pale") as refusal:
        judged(SeesFrom(30), written)
    assert "even light" in refusal.value.hint


@pytest.mark.parametrize(("grain", "lost"), [(3, True), (28, False)])
def test_pale_marks_are_more_than_grain_that_is_brought_up(grain: int, lost: bool) -> None:
    """In coarse paper they may be nothing."""
    pale = [cell(5, grain=grain, length_px=40)] * 12
    reader = SeesFrom(30, stands=CROSS)
    if not lost:
        assert not judged(reader, pale, "mark", grain)[1]
        return
    with pytest.raises(NoSheetError, match="too pale"):
        judged(reader, pale, "mark", grain)


def test_a_blank_sheet_stays_blank() -> None:
    readings, pale = judged(SeesFrom(80), [])
    assert (pale, any(doubtful(readings))) == (False, False)


def test_paper_as_white_as_can_be_may_have_swallowed_anything() -> None:
    """Where it shows its grain, a single field that was overlooked is a doubt and no more."""
    written = [cell(35, grain=0)] * 4 + [cell(15, grain=0)]
    assert BURNT_OUT < 0.9
    assert judged(SeesFrom(30), written)[1]
    with pytest.raises(NoSheetError, match="too pale"):
        judged(SeesFrom(30), written, grain=0)


def test_what_is_far_paler_than_the_rest_is_in_doubt() -> None:
    """It may shine through from the back, or be left of what was erased."""
    readings, _ = judged(SeesFrom(16), [cell(200), cell(190), cell(210), cell(22)])
    assert doubtful(readings)[:4] == [False, False, False, True]
    assert dict(readings[3].candidates)[EMPTY] == pytest.approx(0.5, abs=0.01)


def test_small_marks_over_print_are_not_taken_for_faint() -> None:
    """Beside the print nothing is seen of them, of pale ones something."""
    marks = [cell(200, printed=255)] * 3
    small, faint = cell(200, length_px=10, printed=255), cell(22, printed=255)
    readings, _ = judged(SeesFrom(16, stands=CROSS), [*marks, small, faint], "mark", label="7")
    assert doubtful(readings)[:5] == [False] * 4 + [True]


def test_a_small_mark_in_a_box_without_print_is_as_dark_as_it_is() -> None:
    """Its ends, which reach out of the box's middle, are pale."""
    small = np.maximum(cell(200, length_px=24), cell(16, length_px=40))
    readings, _ = judged(SeesFrom(16, stands=CROSS), [cell(200)] * 3 + [small], "mark")
    assert not any(doubtful(readings)[:4])


def test_a_reader_of_which_nothing_is_known_is_not_judged() -> None:
    reader = SeesFrom(30, pale_below=0)
    assert not judged(reader, [cell(35)] * 4 + [cell(15)] * 8)[1]
    assert reader.times == 1
