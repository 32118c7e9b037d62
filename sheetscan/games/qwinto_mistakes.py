"""How people reckon a Qwinto sheet wrongly (`rules/qwinto.md`, "What rule texts get wrong")."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sheetscan.games.mistakes import UNREPAIRED, first_that_fits
from sheetscan.games.qwinto_score import COLUMNS, PENTAGONS, PICK_COLUMN, PICK_ROW, ROWS, Values

MISTAKES_REMEMBERED = 4096


@dataclass(frozen=True, slots=True)
class TallyMistakes:
    """The mistakes on one sheet; its score counts the numbers among `values` but for the `crosses`.

    `unrepaired` is its tally by label, and the "total", before anything is crossed out, empty where nothing
    has to be.
    """

    unrepaired: Mapping[str, int]
    values: Values
    crosses: Collection[str]
    misthrows: int

    def __call__(self, label: str, written: int) -> str | None:
        """The likely mistake in the line `label`, or in the "total", that comes to the `written` figure."""
        if self.unrepaired.get(label) == written:
            return UNREPAIRED
        if label in ROWS:
            return _mistake_in_row(self._kept(ROWS[label], PICK_ROW[label]), written)
        if label.startswith("bonus-"):
            column = int(label.removeprefix("bonus-"))
            return _mistake_in_bonus(column, self._kept(COLUMNS[column], PICK_COLUMN[column]), written)
        return "misthrows-counted" if label == "misthrows" and written == self.misthrows else None

    def _kept(self, fields: Sequence[str], pick: Callable[[Values], Values]) -> Values:
        written = zip(fields, pick(self.values), strict=True)
        return tuple([None if field in self.crosses else value for field, value in written])


@lru_cache(MISTAKES_REMEMBERED)
def _mistake_in_row(values: Values, written: int) -> str | None:
    numbers = [value for value in values if value is not None]
    if len(numbers) == len(values):
        return first_that_fits(written, (("row-sum-complete", sum(numbers)), ("row-counted", len(numbers))))
    if numbers:
        return first_that_fits(written, (("row-sum", sum(numbers)), ("row-last", numbers[-1])))
    return None


@lru_cache(MISTAKES_REMEMBERED)
def _mistake_in_bonus(column: int, values: Values, written: int) -> str | None:
    return first_that_fits(written, _of_bonus(column, values))


def _of_bonus(column: int, values: Values) -> Iterator[tuple[str, int]]:
    numbers = {
        field: value for field, value in zip(COLUMNS[column], values, strict=True) if value is not None
    }
    pentagon = PENTAGONS[column]
    if len(numbers) < len(values):
        if pentagon in numbers:
            yield "bonus-incomplete", numbers[pentagon]
        return
    yield "bonus-sum", sum(numbers.values())
    yield "bonus-doubled", 2 * numbers[pentagon]
    yield from (("bonus-other-number", value) for field, value in numbers.items() if field != pentagon)
