"""Two independent readers that must agree: the network, and a second reader for what is not plain to it.

A content's probability is p1^a · p2^b over all contents that one of the two knows of, what both leave open
taking part; exponents and floors (what a reader may mean that says nothing of a content) were fitted on
validation writers (`training.combine`). So agreement on a number raises, and disagreement keeps or casts a
doubt; that both see nothing, or what the field is not for, raises nothing.

The second reader is asked below `ask_below`, which is above `sure_from`, so also of some readings of which
the network alone is sure. Those above, and all fields to be marked, are passed on as they are.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field as Constraint

from sheetscan.errors import TemplateError
from sheetscan.reading.hand import SameHand
from sheetscan.reading.model_folder import load_config
from sheetscan.reading.network import NetworkReader
from sheetscan.reading.reader import Reading, belongs, reading_of
from sheetscan.reading.schema import Share, Strict
from sheetscan.reading.second import SecondReader
from sheetscan.result import EMPTY, Content
from sheetscan.template import FieldKind

HINT = "reinstall sheetscan, or use `--reader network`"
Exponent = Annotated[float, Constraint(gt=0, le=10)]
Floor = Annotated[float, Constraint(gt=0, le=0.5)]


class Combination(Strict):
    """The second model folder's config.json: how both readers' probabilities become one."""

    first: str
    """Name and version of the network that it was fitted with."""
    first_exponent: Exponent
    second_exponent: Exponent
    first_floor: Floor
    second_floor: Floor
    ask_below: Share
    """The second reader is asked where the network's confidence is below."""
    sure_from: Share
    unreadable_below: Share
    same_hand: SameHand | None = None

    def of_two_readers(self, first: Reading, second: Mapping[Content, float], field: FieldKind) -> Reading:
        """One reading of a field; nothing, or what it is not for, is no surer because both readers see it.

        Both take digits that touch for a cross or a scribble, and overlook faint writing in noise.
        """
        both = self.pooled(dict(first.candidates), second)
        doubted = both.best == EMPTY or not belongs(both.best, field)
        if doubted and both.best == first.best and both.confidence > first.confidence:
            return first
        return both

    def pooled(self, first: Mapping[Content, float], second: Mapping[Content, float]) -> Reading:
        """The logarithmic opinion pool of what both say of a field."""
        powers = {
            content: self._power(first.get(content, 0.0), second.get(content, 0.0))
            for content in {**first, **second}
        }
        rest = self._power(_unlisted(first), _unlisted(second))
        whole = sum(powers.values()) + rest
        return reading_of({content: power / whole for content, power in powers.items()})

    def _power(self, first: float, second: float) -> float:
        of_first = max(first, self.first_floor) ** self.first_exponent
        return float(of_first * max(second, self.second_floor) ** self.second_exponent)


class CombinedReader:
    """The network with a second reader beside it; see Reader.

    Raises MissingExtraError where the package `rapidocr` is not installed, TemplateError if a model folder is
    damaged or the combination was fitted with another network.
    """

    def __init__(self, first: NetworkReader | None = None, second: SecondReader | None = None) -> None:
        self._first = first or NetworkReader()
        self._second = second or SecondReader()
        self._combination = load_combination(self._second.folder)
        if self._combination.first != self._first.name:
            raise TemplateError(
                f"{self._second.folder}: made to go with {self._combination.first}, not {self._first.name}",
                HINT,
            )
        self.name = f"{self._first.name} + {self._second.name}"
        self.cell = self._first.cell
        self.sure_from = self._combination.sure_from
        self.unreadable_below = self._combination.unreadable_below
        self.same_hand = self._combination.same_hand
        self.pale_below = self._first.pale_below

    def read(self, cells: NDArray[np.uint8], kinds: Sequence[FieldKind]) -> list[Reading]:
        """Read cells (n, size, size, 2) of these fields; raises ValueError for text fields (see Reader)."""
        readings = self._first.read(cells, kinds)
        asked = [
            place
            for place, reading in enumerate(readings)
            if kinds[place] != "mark" and reading.confidence < self._combination.ask_below
        ]
        answers = self._second.probabilities(cells[asked], [kinds[place] for place in asked])
        for place, answer in zip(asked, answers, strict=True):
            readings[place] = self._combination.of_two_readers(readings[place], answer, kinds[place])
        return readings


def load_combination(folder: Path) -> Combination:
    """Read and check a second model folder's config.json; raises TemplateError."""
    return load_config(folder, Combination, HINT)


def _unlisted(shares: Mapping[Content, float]) -> float:
    return max(0.0, 1 - sum(shares.values()))
