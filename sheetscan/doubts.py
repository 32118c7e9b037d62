"""What doubtful fields may hold: the plausible contents of each, all combinations, and the work to audit one.

A field is in doubt when its reading is offered, not asserted, or when it can't be read. Its plausible
contents are the reader's candidates; where there is only one or they leave more than `UNLISTED_MASS` of the
probability open, everything that the field may hold by the rules.
"""

import heapq
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import getitem

from sheetscan.games.base import Audit, Rules
from sheetscan.result import Alternative, Content, FieldReading

UNLISTED_MASS = 0.05
LEAST_LISTED = 1e-6
REPAIRS_PER_AUDIT = 4
"""How many repairs take as long as the rest of an audit."""


def plausible_contents(rules: Rules, fields: Mapping[str, FieldReading]) -> dict[str, dict[Content, float]]:
    """Each doubtful field's plausible contents with their probabilities, its conclusion among them."""
    return {
        name: _options(reading, rules.possible_contents(name))
        for name, reading in fields.items()
        if (reading.doubtful or reading.kind == "unreadable") and rules.possible_contents(name)
    }


def _options(reading: FieldReading, possible: Sequence[Content]) -> dict[Content, float]:
    """A doubtful field's plausible contents, the most probable first."""
    options = candidates_of(reading)
    unlisted = 1 - sum(options.values())
    others = [content for content in possible if content not in options]
    if others and (unlisted > UNLISTED_MASS or len(options) == 1):
        options |= dict.fromkeys(others, max(0.0, unlisted) / len(others))
    return dict(sorted(options.items(), key=lambda option: -option[1]))


def ranked(alternatives: Iterable[Alternative]) -> tuple[Alternative, ...]:
    """Alternatives as a field lists them: the most probable first, to four digits, but none without any.

    What is listed is weighed by the judge, however improbable, so it is not told as impossible.
    """
    told = [replace(one, probability=max(round(one.probability, 4), LEAST_LISTED)) for one in alternatives]
    return tuple(sorted(told, key=lambda one: -one.probability))


def candidates_of(reading: FieldReading) -> dict[Content, float]:
    """What the reader offers for a field; "unreadable" is kept as a conclusion, but has no share."""
    candidates = {reading.content: 0.0 if reading.kind == "unreadable" else reading.confidence}
    for alternative in reading.alternatives:
        if alternative.kind != "unreadable":
            candidates.setdefault(alternative.content, alternative.probability)
    return candidates


def audit_work(audit: Audit) -> int:
    """What the audit of a combination costs of a budget of audits: one, and more for many repairs."""
    return 1 + len(audit.repairs) // REPAIRS_PER_AUDIT


def joint_readings(
    options: Sequence[Mapping[Content, float]],
) -> Iterator[tuple[tuple[Content, ...], float]]:
    """All combinations of one content a field with their probabilities, the most probable first.

    Each field's options come sorted.
    """
    contents = [tuple(choices) for choices in options]
    for places, share in joint_places([tuple(choices.values()) for choices in options]):
        yield tuple(map(getitem, contents, places)), share


def joint_places(shares: Sequence[Sequence[float]]) -> Iterator[tuple[tuple[int, ...], float]]:
    """The same combinations as places among each field's options, of which only the sorted `shares` count.

    A combination has one predecessor: the last of its places that is not the first option steps back. So
    every one is met exactly once.
    """
    first = (0,) * len(shares)
    heap = [(-math.prod(options[0] for options in shares), first, 0)]
    while heap:
        share, places, last = heapq.heappop(heap)
        yield places, -share
        chosen = list(map(getitem, shares, places))
        for field in range(last, len(shares)):
            place = places[field] + 1
            if place < len(shares[field]):
                chosen[field] = shares[field][place]
                successor = (*places[:field], place, *places[field + 1 :])
                heapq.heappush(heap, (-math.prod(chosen), successor, field))
                chosen[field] = shares[field][place - 1]
