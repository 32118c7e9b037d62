"""From readings to a verdict: audits what was read and carries every doubt through to the score.

All combinations of plausible contents of the doubtful fields (joint readings, see `sheetscan.doubts`) are
audited, the most probable first, and compared with the audit of the concluded readings:

- the score's range spans all of them; its certainty is the probability of those with the same total, fields
  being independent, times the probability that no sure field is misread in a way that changes the total
  (first order: one sure field at a time; probability of which the reader says nothing counts as wrong);
- a field is to be reviewed if two joint readings that differ in it alone differ in total, findings (notes
  apart) or repairs;
- a finding that is missing in one of them is only a note. Its words, and those of a finding whose figures
  differ among them, begin with the readings that they depend on.

Fields that don't score (a written tally) are varied one at a time within every combination of the others;
no finding is sought where none can matter.
Where there are more combinations than the budgets allow, the range has the bounds that the rules give without
trying them, every doubtful field is reviewed, and a finding stands only if it does without any of these.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import groupby
from operator import getitem, ne
from typing import Literal

from sheetscan.doubts import audit_work, joint_places, plausible_contents
from sheetscan.findings import Words
from sheetscan.games.base import Audit, Rules, Violation
from sheetscan.result import EMPTY, Content, FieldReading, Finding, Repair, Score

SCORING_BUDGET = 2500
VARIATION_BUDGET = 1000
SURE_BUDGET = 500


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the rules say of a sheet as it was read (see `sheetscan.result.Sheet` for the parts)."""

    findings: tuple[Finding, ...]
    repairs: tuple[Repair, ...]
    score: Score
    review: tuple[str, ...]

    @property
    def status(self) -> Literal["ok", "review"]:
        """Whether a field has to be looked at."""
        return "review" if self.review else "ok"


@dataclass(frozen=True, eq=False)
class _Joint:
    """One combination of options, as places among those of each doubtful field, and its audit.

    `probability` is that of the scoring fields' contents, whatever the others hold. `other`, if any, audits
    the sheet with one of those varied, too, which differs from `audit` in its findings alone.
    """

    places: tuple[int, ...]
    probability: float
    audit: Audit
    other: Callable[[], Audit] | None = None

    @cached_property
    def found(self) -> dict[Hashable, Violation]:
        """The violations by what makes two of them the same finding."""
        audit = self.other() if self.other else self.audit
        return {_key(violation): violation for violation in audit.violations}

    @cached_property
    def accusations(self) -> frozenset[Hashable]:
        """The findings, notes apart."""
        return frozenset([key for key, violation in self.found.items() if violation.severity != "note"])


@dataclass(frozen=True, slots=True)
class _Doubts:
    """The doubtful fields, the scoring ones first, and the joint readings that were audited.

    `concluded` are the places of what was concluded. `scoring` are the combinations of the scoring fields,
    the others as concluded; `variations` are those with one of the others changed. Each is complete or what
    its budget allowed, the most probable first.
    """

    fields: tuple[str, ...]
    concluded: tuple[int, ...]
    scoring: tuple[_Joint, ...]
    variations: tuple[_Joint, ...]
    scoring_complete: bool
    complete: bool

    @property
    def joints(self) -> tuple[_Joint, ...]:
        return self.scoring + self.variations

    def changes(self, joint: _Joint) -> int:
        """In how many fields a joint reading differs from the concluded one."""
        return sum(map(ne, self.concluded, joint.places))


class _Auditor:
    """Audits variations of the concluded readings, a field at a time, within a budget of work."""

    def __init__(self, rules: Rules, contents: Mapping[str, Content]) -> None:
        self.rules = rules
        self.contents = contents
        self.budget = SURE_BUDGET
        self.concluded = rules.audit(contents)

    def changes_total(self, field: str, content: Content) -> bool:
        """Whether that content would change the total; taken to be so when the budget is spent."""
        if self.budget <= 0:
            return True
        audit = self.concluded
        if content != self.contents[field]:
            audit = self.rules.audit({**self.contents, field: content})
        self.budget -= audit_work(audit)
        return audit.total != self.concluded.total


def judge(rules: Rules, fields: Mapping[str, FieldReading], language: str) -> Verdict:
    """Audit the concluded readings of a sheet's fields and say what depends on the doubtful ones.

    `fields` are keyed by field name; names that the game doesn't know are passed over. The findings' words
    are in `language`, one of `sheetscan.language.LANGUAGES`.
    """
    auditor = _Auditor(rules, {name: reading.content for name, reading in fields.items()})
    options = plausible_contents(rules, fields)
    doubts = _audit_doubts(auditor, options)
    sure = {name: reading for name, reading in fields.items() if name not in options}
    concluded = auditor.concluded
    score = Score(
        total=concluded.total,
        range=_range(auditor, doubts, options),
        lines=concluded.lines,
        certainty=round(_certainty_of_doubtful(auditor, doubts) * _certainty_of_sure(auditor, sure), 6),
    )
    matter = _fields_that_matter(doubts)
    return Verdict(
        findings=_findings(auditor, doubts, language),
        repairs=concluded.repairs,
        score=score,
        review=tuple(name for name in fields if name in matter),
    )


def _audit_doubts(auditor: _Auditor, options: Mapping[str, Mapping[Content, float]]) -> _Doubts:
    """Audit the joint readings of the doubtful fields as far as the budgets go."""
    scoring = [name for name in options if name in auditor.rules.scoring_fields]
    fields = (*scoring, *(name for name in options if name not in scoring))
    choices = tuple(tuple(options[name]) for name in fields)
    concluded = tuple(choices[place].index(auditor.contents[name]) for place, name in enumerate(fields))

    def audit(places: tuple[int, ...]) -> Audit:
        contents = map(getitem, choices, places)
        return auditor.rules.audit({**auditor.contents, **dict(zip(fields, contents, strict=True))})

    ranked = joint_places([tuple(options[name].values()) for name in scoring])
    rest = concluded[len(scoring) :]
    readings = (_Joint(places + rest, share, audit(places + rest)) for places, share in ranked)
    joints, scoring_complete = _within(SCORING_BUDGET, readings)
    varied = (
        _varied(joint, field, place, audit)
        for joint in joints
        for field in range(len(scoring), len(fields))
        for place in range(len(choices[field]))
        if place != concluded[field]
    )
    variations, varied_all = _within(VARIATION_BUDGET, varied)
    complete = scoring_complete and varied_all
    return _Doubts(fields, concluded, joints, variations, scoring_complete, complete)


def _varied(joint: _Joint, field: int, place: int, audit: Callable[[tuple[int, ...]], Audit]) -> _Joint:
    """The joint reading with another option in a field that doesn't score, so that only findings change."""
    places = (*joint.places[:field], place, *joint.places[field + 1 :])
    return _Joint(places, joint.probability, joint.audit, partial(audit, places))


def _within(budget: int, joints: Iterable[_Joint]) -> tuple[tuple[_Joint, ...], bool]:
    """The joint readings that a budget of work allows; the flag says whether all were."""
    allowed: list[_Joint] = []
    for joint in joints:
        if budget <= 0:
            return tuple(allowed), False
        budget -= audit_work(joint.audit)
        allowed.append(joint)
    return tuple(allowed), True


def _range(auditor: _Auditor, doubts: _Doubts, options: Mapping[str, Collection[Content]]) -> tuple[int, int]:
    """The lowest and the highest total over the joint readings and their minimum repairs."""
    ranges = [auditor.concluded.range, *(joint.audit.range for joint in doubts.scoring)]
    if not doubts.scoring_complete:
        sure = {name: (content,) for name, content in auditor.contents.items()}
        ranges.append(auditor.rules.total_bounds({**sure, **options}))
    return min(low for low, _ in ranges), max(high for _, high in ranges)


def _certainty_of_doubtful(auditor: _Auditor, doubts: _Doubts) -> float:
    """The probability that the doubtful fields hold what gives the concluded total."""
    same = (joint.probability for joint in doubts.scoring if joint.audit.total == auditor.concluded.total)
    return min(1.0, sum(same))


def _certainty_of_sure(auditor: _Auditor, fields: Mapping[str, FieldReading]) -> float:
    """The probability that no field given as sure holds something else that changes the total."""
    certainty = 1.0
    for name, reading in fields.items():
        if name in auditor.rules.scoring_fields and reading.why != "user":
            certainty *= max(0.0, 1 - _probability_of_change(auditor, name, reading))
    return certainty


def _probability_of_change(auditor: _Auditor, name: str, reading: FieldReading) -> float:
    """The probability that a sure field holds something that changes the total."""
    others = [other for other in reading.alternatives if other.content != reading.content]
    changing = sum(other.probability for other in others if auditor.changes_total(name, other.content))
    unlisted = 1 - reading.confidence - sum(other.probability for other in others)
    possible = auditor.rules.possible_contents(name)
    if unlisted > 0 and any(auditor.changes_total(name, content) for content in possible):
        changing += unlisted
    return changing


def _key(violation: Violation) -> Hashable:
    return violation.code, violation.severity, violation.fields


def _fields_that_matter(doubts: _Doubts) -> frozenset[str]:
    """The doubtful fields that alone can change the outcome in some joint reading."""
    if not doubts.complete:
        return frozenset(doubts.fields)
    joints = doubts.joints
    return frozenset(name for field, name in enumerate(doubts.fields) if _matters(field, joints))


def _matters(field: int, joints: Iterable[_Joint]) -> bool:
    """Whether two joint readings that differ only in that field differ in total, repairs or findings.

    Findings come last: they take the longest.
    """
    met: dict[tuple[int, ...], _Joint] = {}
    alike = []
    for joint in joints:
        first = met.setdefault(joint.places[:field] + joint.places[field + 1 :], joint)
        if first.audit.total != joint.audit.total or first.audit.repairs != joint.audit.repairs:
            return True
        alike.append((first, joint))
    return any(first.accusations != joint.accusations for first, joint in alike)


def _findings(auditor: _Auditor, doubts: _Doubts, language: str) -> tuple[Finding, ...]:
    """The concluded readings' violations in words, each with the doubts that it depends on."""
    concluded = auditor.concluded.violations
    if not concluded:
        return ()
    words = Words(auditor.rules.name, language, auditor.contents, doubts.fields)
    without_doubts = auditor.rules.audit(
        {**auditor.contents, **dict.fromkeys(doubts.fields, EMPTY)}
    ).violations
    nearest_first = sorted(doubts.joints, key=doubts.changes)
    findings = []
    for violation in concluded:
        key = _key(violation)
        proven = doubts.complete or violation in without_doubts
        proven = proven and all(key in joint.found for joint in nearest_first)
        suspects = _suspects(doubts, nearest_first, violation)
        if not (proven or suspects):
            suspects = doubts.fields
        findings.append(words.finding(violation, proven=proven, suspects=suspects))
    return tuple(findings)


def _suspects(doubts: _Doubts, nearest_first: Iterable[_Joint], violation: Violation) -> tuple[str, ...]:
    """The fields that would have to hold something else, as few as possible, for a violation to change."""
    for _, joints in groupby(nearest_first, key=doubts.changes):
        without = [joint.places for joint in joints if joint.found.get(_key(violation)) != violation]
        if without:
            return tuple(
                name
                for field, name in enumerate(doubts.fields)
                if any(places[field] != doubts.concluded[field] for places in without)
            )
    return ()
