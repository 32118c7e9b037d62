"""How people reckon a Qwinto sheet wrongly (`rules/qwinto.md`, "What rule texts get wrong")."""

from collections.abc import Iterator
from dataclasses import dataclass

from sheetscan.games.mistakes import UNREPAIRED, first_that_fits
from sheetscan.games.qwinto_score import COLUMNS, PENTAGONS, ROWS, Numbers, row_points, score_lines
from sheetscan.games.tally import total_of


@dataclass(frozen=True, slots=True)
class TallyMistakes:
    """The mistakes on one sheet; `numbers` are all that stand there, `kept` those that its score counts."""

    numbers: Numbers
    kept: Numbers
    misthrows: int

    def __call__(self, label: str, written: int) -> str | None:
        """The likely mistake in the line `label`, or in the "total", that comes to the `written` figure."""
        return first_that_fits(written, self._explanations(label))

    def _explanations(self, label: str) -> Iterator[tuple[str, int]]:
        if len(self.kept) < len(self.numbers):
            lines = score_lines(self.numbers, self.misthrows)
            yield from ((UNREPAIRED, line.points) for line in lines if line.label == label)
            if label == "total":
                yield UNREPAIRED, total_of(lines)
        if label in ROWS:
            yield from self._of_row(label)
        elif label.startswith("bonus-"):
            yield from self._of_bonus(int(label.removeprefix("bonus-")))
        elif label == "misthrows":
            yield "misthrows-counted", self.misthrows

    def _of_row(self, row: str) -> Iterator[tuple[str, int]]:
        values = [self.kept[field] for field in ROWS[row] if field in self.kept]
        if not values:
            return
        if row_points(self.kept, ROWS[row]) == values[-1] and len(values) == len(ROWS[row]):
            yield "row-sum-complete", sum(values)
            yield "row-counted", len(values)
        else:
            yield "row-sum", sum(values)
            yield "row-last", values[-1]

    def _of_bonus(self, column: int) -> Iterator[tuple[str, int]]:
        values = {field: self.kept[field] for field in COLUMNS[column] if field in self.kept}
        pentagon = PENTAGONS[column]
        if len(values) < len(COLUMNS[column]):
            if pentagon in values:
                yield "bonus-incomplete", values[pentagon]
            return
        yield "bonus-sum", sum(values.values())
        yield "bonus-doubled", 2 * values[pentagon]
        yield from (("bonus-other-number", value) for field, value in values.items() if field != pentagon)
