"""How people reckon a Qwinto sheet wrongly (`rules/qwinto.md`, "What rule texts get wrong")."""

from collections.abc import Iterator
from dataclasses import dataclass

from sheetscan.games.mistakes import UNREPAIRED, first_that_fits
from sheetscan.games.qwinto_score import COLUMNS, PENTAGONS, PICK_COLUMN, PICK_ROW, Values
from sheetscan.games.tally import total_of
from sheetscan.result import ScoreLine


@dataclass(frozen=True, slots=True)
class TallyMistakes:
    """The mistakes on one sheet, of whose numbers its score counts those that are `kept`.

    `unrepaired` is its tally before anything is crossed out, empty where nothing has to be.
    """

    unrepaired: tuple[ScoreLine, ...]
    kept: Values
    misthrows: int

    def __call__(self, label: str, written: int) -> str | None:
        """The likely mistake in the line `label`, or in the "total", that comes to the `written` figure."""
        return first_that_fits(written, self._explanations(label))

    def _explanations(self, label: str) -> Iterator[tuple[str, int]]:
        yield from ((UNREPAIRED, line.points) for line in self.unrepaired if line.label == label)
        if self.unrepaired and label == "total":
            yield UNREPAIRED, total_of(self.unrepaired)
        if label in PICK_ROW:
            yield from _of_row(PICK_ROW[label](self.kept))
        elif label.startswith("bonus-"):
            yield from self._of_bonus(int(label.removeprefix("bonus-")))
        elif label == "misthrows":
            yield "misthrows-counted", self.misthrows

    def _of_bonus(self, column: int) -> Iterator[tuple[str, int]]:
        written = zip(COLUMNS[column], PICK_COLUMN[column](self.kept), strict=True)
        values = {field: value for field, value in written if value is not None}
        pentagon = PENTAGONS[column]
        if len(values) < len(COLUMNS[column]):
            if pentagon in values:
                yield "bonus-incomplete", values[pentagon]
            return
        yield "bonus-sum", sum(values.values())
        yield "bonus-doubled", 2 * values[pentagon]
        yield from (("bonus-other-number", value) for field, value in values.items() if field != pentagon)


def _of_row(values: Values) -> Iterator[tuple[str, int]]:
    written = [value for value in values if value is not None]
    if len(written) == len(values):
        yield "row-sum-complete", sum(written)
        yield "row-counted", len(written)
    elif written:
        yield "row-sum", sum(written)
        yield "row-last", written[-1]
