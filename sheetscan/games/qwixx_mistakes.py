"""How people reckon a Qwixx sheet wrongly (`rules/qwixx.md`, "What rule texts get wrong")."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sheetscan.games.mistakes import first_that_fits
from sheetscan.games.qwixx_score import RowCrosses, is_crossed, lock_marked, points_for
from sheetscan.games.tally import Contents


@dataclass(frozen=True, slots=True)
class TallyMistakes:
    """The mistakes on one sheet, of which `rows` are the crosses that count."""

    contents: Contents
    rows: Sequence[RowCrosses]
    penalties: int

    def __call__(self, label: str, written: int) -> str | None:
        """The likely mistake in the line `label` that comes to the `written` figure."""
        return first_that_fits(written, self._explanations(label))

    def _explanations(self, label: str) -> Iterator[tuple[str, int]]:
        if label == "penalties":
            yield "penalties-counted", self.penalties
        for crosses in self.rows:
            if crosses.row.name == label:
                yield from self._of_row(crosses)

    def _of_row(self, crosses: RowCrosses) -> Iterator[tuple[str, int]]:
        others = crosses.others
        if crosses.closed:
            yield "lock-one-point", points_for(others + 1) + 1
            yield "lock-left-out", points_for(others + 1)
        elif crosses.last:
            yield "last-among-five", points_for(others + 2)
            yield "last-among-five", points_for(others + 1)
        elif lock_marked(self.contents, crosses.row.lock):
            yield "lock-of-another", points_for(others + 1)
        crossed = [field for field in crosses.row.numbers if is_crossed(self.contents, field)]
        yield "row-counted", len(crossed) + crosses.closed
        yield "row-sum", sum(int(field.rpartition("-")[2]) for field in crossed)
