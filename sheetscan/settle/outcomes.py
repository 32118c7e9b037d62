"""What one sheet may come to: every doubtful reading with every repair, and what an answer leaves of them."""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from sheetscan.doubts import audit_work, joint_readings, plausible_contents
from sheetscan.games.base import Rules
from sheetscan.result import CROSS, Content, Sheet

AUDIT_BUDGET = 600
"""So many joint readings of a sheet are audited; of one with more only the bounds of its total are told.

So they are of a sheet with more repairs than the rules list, as it uses the budget up.
"""
NEGLIGIBLE = 0.001
"""The least probable joint readings, so much together, are left out, as with a field given as sure."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One joint reading of the doubtful fields with one of its minimum repairs, and the total then."""

    readings: Mapping[str, Content]
    crosses: tuple[str, ...]
    total: int


@dataclass(frozen=True)
class Outcomes:
    """What a sheet may come to.

    `options` are the plausible contents of its doubtful scoring fields, `larger` the totals under repairs
    that are inclusion-minimal, but not minimum. Without `listed` ones only `bounds` are known.
    """

    rules: Rules
    contents: Mapping[str, Content]
    options: Mapping[str, tuple[Content, ...]]
    listed: tuple[Outcome, ...]
    larger: frozenset[int]
    bounds: tuple[int, int]

    @cached_property
    def totals(self) -> frozenset[int]:
        """All totals that the sheet may have."""
        if not self.listed:
            return _within(self.bounds)
        return frozenset(outcome.total for outcome in self.listed)

    @cached_property
    def totals_of_all_repairs(self) -> frozenset[int]:
        """The same, with those of the larger repairs."""
        return self.totals | self.larger

    def given(self, field: str, content: Content) -> frozenset[int]:
        """The totals that are left once that doubtful field is known to hold `content`."""
        if not self.listed:
            return self._bounded(field, content)
        return frozenset(one.total for one in self.listed if one.readings[field] == content)

    def crossed(self, field: str) -> frozenset[int]:
        """The totals that are left once that field is the one to become a cross."""
        if not self.listed:
            return self._bounded(field, CROSS)
        return frozenset(one.total for one in self.listed if field in one.crosses)

    def _bounded(self, field: str, content: Content) -> frozenset[int]:
        return _within(_bounds(self.rules, self.contents, {**self.options, field: (content,)}))


def outcomes_of(rules: Rules, sheet: Sheet) -> Outcomes:
    """What a sheet may come to; "can't be read" is no reading, so it is left out."""
    contents = {name: reading.content for name, reading in sheet.fields.items()}
    plausible = {
        name: {content: share for content, share in choices.items() if content.kind != "unreadable"}
        for name, choices in plausible_contents(rules, sheet.fields).items()
        if name in rules.scoring_fields
    }
    options = {name: tuple(choices) for name, choices in plausible.items()}
    listed: list[Outcome] = []
    larger: set[int] = set()
    joints = list(islice(_probable(list(plausible.values())), AUDIT_BUDGET + 1))
    budget = AUDIT_BUDGET if len(joints) <= AUDIT_BUDGET else 0
    for joint in joints:
        readings = dict(zip(options, joint, strict=True))
        audit = rules.audit({**contents, **readings})
        budget -= audit_work(audit)
        if budget < 0:
            return Outcomes(rules, contents, options, (), frozenset(), _bounds(rules, contents, options))
        fewest = len(audit.repairs[0].crosses) if audit.repairs else 0
        minimum = [repair for repair in audit.repairs if len(repair.crosses) == fewest]
        listed += [Outcome(readings, repair.crosses, repair.score) for repair in minimum]
        larger |= {repair.score for repair in audit.repairs[len(minimum) :]}
        if not minimum:
            listed.append(Outcome(readings, (), audit.total))
    met = {name: dict.fromkeys(one.readings[name] for one in listed) for name in options}
    options = {name: tuple(contents) for name, contents in met.items()}
    return Outcomes(
        rules, contents, options, tuple(listed), frozenset(larger), _bounds(rules, contents, options)
    )


def _probable(options: Sequence[Mapping[Content, float]]) -> Iterator[tuple[Content, ...]]:
    """The joint readings, the most probable first, but for the last that are NEGLIGIBLE together.

    Where nothing is known of how probable they are, all of them.
    """
    whole = math.prod(math.fsum(choices.values()) for choices in options)
    covered = 0.0
    for joint, share in joint_readings(options):
        yield joint
        covered += share
        if covered > (1 - NEGLIGIBLE) * whole:
            return


def _bounds(
    rules: Rules, contents: Mapping[str, Content], options: Mapping[str, Collection[Content]]
) -> tuple[int, int]:
    sure = {name: (content,) for name, content in contents.items()}
    return rules.total_bounds({**sure, **options})


def _within(bounds: tuple[int, int]) -> frozenset[int]:
    return frozenset(range(bounds[0], bounds[1] + 1))
