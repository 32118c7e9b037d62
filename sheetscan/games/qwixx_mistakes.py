"""How people reckon a Qwixx sheet wrongly (`rules/qwixx.md`, "What rule texts get wrong")."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sheetscan.games.mistakes import first_that_fits
from sheetscan.games.qwixx_score import RowCrosses, lock_marked, points_for
from sheetscan.games.tally import Contents

MISTAKES_REMEMBERED = 4096


@dataclass(frozen=True, slots=True)
class TallyMistakes:
    """The mistakes on one sheet, of which `rows` are the crosses that count."""

    contents: Contents
    rows: Sequence[RowCrosses]
    penalties: int

    def __call__(self, label: str, written: int) -> str | None:
        """The likely mistake in the line `label` that comes to the `written` figure."""
        if label == "penalties":
            return "penalties-counted" if written == self.penalties else None
        for crosses in self.rows:
            if crosses.row.name == label:
                return _mistake_in_row(crosses, lock_marked(self.contents, crosses.row.lock), written)
        return None


@lru_cache(MISTAKES_REMEMBERED)
def _mistake_in_row(crosses: RowCrosses, locked: bool, written: int) -> str | None:
    return first_that_fits(written, _of_row(crosses, locked))


def _of_row(crosses: RowCrosses, locked: bool) -> Iterator[tuple[str, int]]:
    others = crosses.others
    if crosses.closed:
        yield "lock-one-point", points_for(others + 1) + 1
        yield "lock-left-out", points_for(others + 1)
    elif crosses.last:
        yield "last-among-five", points_for(others + 2)
        yield "last-among-five", points_for(others + 1)
    elif locked:
        yield "lock-of-another", points_for(others + 1)
    yield "row-counted", len(crosses.crossed) + crosses.closed
    yield "row-sum", sum(int(field.rpartition("-")[2]) for field in crosses.crossed)
