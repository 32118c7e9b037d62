"""The reader's protocol: pictures of fields in, readings with probabilities out."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from sheetscan.geometry import CellSpec
from sheetscan.reading.ctc import MIN_PROBABILITY
from sheetscan.result import Content
from sheetscan.template import FieldKind

if TYPE_CHECKING:
    from sheetscan.reading.hand import SameHand


NUMBER = Content("number")
"""Any number, before it is known which."""
MAX_CANDIDATES = 6
ODD_SURE_FROM = 0.99
"""What a field is not for has few examples to calibrate with; dirt, noise and digits that touch look alike:
in photos with such faults most of what was sure and wrong were crosses and scribbles of 0.96 to 0.98."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader says of one field: candidates with their probabilities, the most probable first.

    The probabilities sum to at most 1; what is missing is spread over readings not listed.
    """

    candidates: tuple[tuple[Content, float], ...]

    @property
    def best(self) -> Content:
        """The most probable reading."""
        return self.candidates[0][0]

    @property
    def confidence(self) -> float:
        """The probability of the most probable reading."""
        return self.candidates[0][1]


def reading_of(probabilities: Mapping[Content, float]) -> Reading:
    """The most probable contents in their order; the first one always, be it ever so improbable.

    Where a number is certain but none that the field may hold, nothing else has a share worth listing.
    """
    first, *others = sorted(probabilities.items(), key=lambda entry: -entry[1])[:MAX_CANDIDATES]
    return Reading((first, *(entry for entry in others if entry[1] >= MIN_PROBABILITY)))


def mean_of(readings: Sequence[Reading]) -> Reading:
    """What is left when several readings of one field count alike: sure only where they agree."""
    return reading_of(mean_shares([dict(reading.candidates) for reading in readings]))


def mean_shares(looks: Sequence[Mapping[Content, float]]) -> dict[Content, float]:
    """The mean of several looks' probabilities."""
    if len(looks) == 1:
        return dict(looks[0])
    contents = dict.fromkeys(content for shares in looks for content in shares)
    return {
        content: math.fsum(shares.get(content, 0.0) for shares in looks) / len(looks) for content in contents
    }


def belongs(content: Content, field: FieldKind) -> bool:
    """Whether such a field is there for it; digits that touch may look like a cross or a scribble."""
    return content.kind in (("empty", "cross", "line") if field == "mark" else ("empty", "number"))


def sure_from(reader: "Reader", content: Content, field: FieldKind) -> float:
    """The probability from which on such a field's reading is sure."""
    return reader.sure_from if belongs(content, field) else max(reader.sure_from, ODD_SURE_FROM)


class Reader(Protocol):
    """Reads the fields of a sheet in one batch."""

    name: str
    cell: CellSpec
    sure_from: float
    """Calibrated probability from which a reading is given as sure; see the function `sure_from`."""
    unreadable_below: float
    """Calibrated probability below which nothing is concluded."""
    pale_below: float
    """Ink no darker than this, of 255, may look like bare paper to it; 0 if nothing is known of that."""

    @property
    def same_hand(self) -> "SameHand | None":
        """How a sheet's ones help its readings; None if nothing is known of that."""

    def read(self, cells: NDArray[np.uint8], kinds: Sequence[FieldKind]) -> list[Reading]:
        """Read `cells` of shape (n, cell.size_px, cell.size_px, 2).

        Channel 0 is ink: 0 for paper, 255 for black, illumination already flattened. Channel 1 is the print
        that the template has there: 255 where an outline or anything outside the field is printed.
        """
        ...
