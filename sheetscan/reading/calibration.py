"""Calibration of what a network says: temperatures and biases, of the kinds of content and of values."""

import math
from collections.abc import Mapping
from typing import Annotated

from pydantic import Field as Constraint

from sheetscan.reading.reader import NUMBER
from sheetscan.reading.schema import Strict
from sheetscan.result import Content, ContentKind

LISTED_TOGETHER = 0.9
"""What the numbers that were spelled come to at least, and what is too little for any `sure_from`."""
MIN_LISTED = 0.02

Temperature = Annotated[float, Constraint(ge=0.1, le=20)]
Bias = Annotated[float, Constraint(ge=-10, le=10)]


class Scaling(Strict):
    """Bias-corrected temperature scaling of shares (Alexandari, Kundaje and Shrikumar 2020).

    The temperature tells how much too sure the network is (above 1). Biases are added to the logarithms of
    kinds of content, which it learnt from cells with more crosses and voids than sheets have.
    """

    temperature: Temperature = 1.0
    biases: Mapping[ContentKind, Bias] = {}


class Calibration(Strict):
    """The scaling of the kinds of content in each kind of field, and of the values of numbers."""

    number: Scaling = Scaling()
    tally: Scaling = Scaling()
    mark: Scaling = Scaling()
    blocked: Scaling = Scaling()
    value: Scaling = Scaling()


def calibrated(
    probabilities: Mapping[Content, float], kinds: Scaling, values: Scaling
) -> dict[Content, float]:
    """Probabilities scaled: first those of the kinds, then those of the values among the numbers."""
    of_kinds = _scaled(shares_of_kinds(probabilities), kinds)
    of_numbers = _scaled(shares_of_numbers(probabilities), values)
    written = of_kinds.pop(NUMBER)
    del of_numbers[NUMBER]
    listed = math.fsum(of_numbers.values())
    # Where one head sees a number that the other can't spell, the best guess is offered, never asserted.
    stretch = max(1.0, LISTED_TOGETHER / listed) if listed > MIN_LISTED else 1.0
    return of_kinds | {content: share * stretch * written for content, share in of_numbers.items()}


def shares_of_kinds(probabilities: Mapping[Content, float]) -> dict[Content, float]:
    """What is no number, and NUMBER, to which belongs what belongs to no listed content."""
    others = {content: share for content, share in probabilities.items() if content.kind != "number"}
    return {**others, NUMBER: max(0.0, 1 - math.fsum(others.values()))}


def shares_of_numbers(probabilities: Mapping[Content, float]) -> dict[Content, float]:
    """The numbers, and NUMBER, which is those that are not listed."""
    numbers = {content: share for content, share in probabilities.items() if content.kind == "number"}
    return {**numbers, NUMBER: max(0.0, 1 - math.fsum(probabilities.values()))}


def _scaled(shares: Mapping[Content, float], scaling: Scaling) -> dict[Content, float]:
    """Shares to the power 1 / temperature, weighted by the biases, summing to 1 (or 0 if all are)."""
    exponent = 1 / scaling.temperature
    weights = [math.exp(scaling.biases.get(content.kind, 0.0)) for content in shares]
    powers = [weight * share**exponent for weight, share in zip(weights, shares.values(), strict=True)]
    whole = math.fsum(powers)
    return {content: power / whole if whole else 0.0 for content, power in zip(shares, powers, strict=True)}
