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

Fields that don't score (a written tally) are varied one at a time within every combination of the others.
Where there are more combinations than the budgets allow, the range has the bounds that the rules give without
trying them, every doubtful field is reviewed, and a finding stands only if it does without any of these.
"""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sheetscan.doubts import joint_readings, plausible_contents
from sheetscan.findings import Words
from sheetscan.games.base import Audit, Rules, Violation
from sheetscan.result import EMPTY, Content, FieldReading, Finding, Repair, Score

SCORING_BUDGET = 2500
VARIATION_BUDGET = 1000
SURE_BUDGET = 500
REPAIRS_PER_AUDIT = 4
"""How many repairs take as long as the rest of an audit; both count against the budgets."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the rules say of a sheet as it was read (see `sheetscan.result.Sheet` for the parts)."""

    findings: tuple[Finding, ...]
    repairs: tuple[Repair, ...]
    score: Score
    review: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Joint:
    """One combination of contents of the doubtful fields, in their order, and its audit.

    `probability` is that of the scoring fields' contents, whatever the others hold.
    """

    contents: tuple[Content, ...]
    probability: float
    audit: Audit


@dataclass(frozen=True, slots=True)
class _Doubts:
    """The doubtful fields, the scoring ones first, and the joint readings that were audited.

    `scoring` are the combinations of the scoring fields, the others as concluded; `variations` are those with
    one of the others changed. Each is complete or what its budget allowed, the most probable first.
    """

    fields: tuple[str, ...]
    concluded: tuple[Content, ...]
    scoring: tuple[_Joint, ...]
    variations: tuple[_Joint, ...]
    scoring_complete: bool
    complete: bool

    @property
    def joints(self) -> tuple[_Joint, ...]:
        return self.scoring + self.variations


class _Auditor:
    """Audits variations of the concluded readings within a budget of work."""

    def __init__(self, rules: Rules, contents: Mapping[str, Content]) -> None:
        self.rules = rules
        self.contents = contents
        self.budget = 0
        self.concluded = rules.audit(contents)

    def audit(self, changes: Mapping[str, Content]) -> Audit:
        contents = {**self.contents, **changes}
        audit = self.concluded if contents == self.contents else self.rules.audit(contents)
        self.budget -= 1 + len(audit.repairs) // REPAIRS_PER_AUDIT
        return audit

    def audit_all(
        self, fields: Sequence[str], readings: Iterable[tuple[tuple[Content, ...], float]], budget: int
    ) -> tuple[tuple[_Joint, ...], bool]:
        """Audit joint readings of `fields` until the budget is spent; the flag says whether all were."""
        self.budget = budget
        joints: list[_Joint] = []
        for contents, probability in readings:
            if self.budget <= 0:
                return tuple(joints), False
            audit = self.audit(dict(zip(fields, contents, strict=True)))
            joints.append(_Joint(contents, probability, audit))
        return tuple(joints), True

    def changes_total(self, field: str, content: Content) -> bool:
        """Whether that content would change the total; taken to be so when the budget is spent."""
        return self.budget <= 0 or self.audit({field: content}).total != self.concluded.total


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
    scoring = {name: choices for name, choices in options.items() if name in auditor.rules.scoring_fields}
    others = {name: choices for name, choices in options.items() if name not in scoring}
    fields = (*scoring, *others)
    concluded = tuple(auditor.contents[name] for name in fields)
    rest = concluded[len(scoring) :]
    readings = ((contents + rest, share) for contents, share in joint_readings(list(scoring.values())))
    joints, scoring_complete = auditor.audit_all(fields, readings, SCORING_BUDGET)
    varied = (
        (_with(joint.contents, place, content), joint.probability)
        for joint in joints
        for place, choices in enumerate(others.values(), len(scoring))
        for content in choices
        if content != concluded[place]
    )
    variations, varied_all = auditor.audit_all(fields, varied, VARIATION_BUDGET)
    return _Doubts(fields, concluded, joints, variations, scoring_complete, scoring_complete and varied_all)


def _with(contents: tuple[Content, ...], place: int, content: Content) -> tuple[Content, ...]:
    return (*contents[:place], content, *contents[place + 1 :])


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
    auditor.budget = SURE_BUDGET
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


def _outcome(audit: Audit) -> Hashable:
    """What two readings must share for the difference between them not to matter."""
    findings = frozenset(_key(found) for found in audit.violations if found.severity != "note")
    return audit.total, findings, audit.repairs


def _fields_that_matter(doubts: _Doubts) -> frozenset[str]:
    """The doubtful fields that alone can change the outcome in some joint reading."""
    if not doubts.complete:
        return frozenset(doubts.fields)
    outcomes = [(joint.contents, _outcome(joint.audit)) for joint in doubts.joints]
    return frozenset(name for place, name in enumerate(doubts.fields) if _matters(place, outcomes))


def _matters(place: int, outcomes: Iterable[tuple[tuple[Content, ...], Hashable]]) -> bool:
    """Whether two joint readings that differ only at `place` have different outcomes."""
    met: dict[tuple[Content, ...], Hashable] = {}
    for contents, outcome in outcomes:
        rest = contents[:place] + contents[place + 1 :]
        if met.setdefault(rest, outcome) != outcome:
            return True
    return False


def _findings(auditor: _Auditor, doubts: _Doubts, language: str) -> tuple[Finding, ...]:
    """The concluded readings' violations in words, each with the doubts that it depends on."""
    words = Words(auditor.rules.name, language, auditor.contents, doubts.fields)
    without_doubts = auditor.audit(dict.fromkeys(doubts.fields, EMPTY)).violations
    keys = [frozenset(map(_key, joint.audit.violations)) for joint in doubts.joints]
    findings = []
    for violation in auditor.concluded.violations:
        proven = doubts.complete or violation in without_doubts
        proven = proven and all(_key(violation) in found for found in keys)
        elsewhere = [joint.contents for joint in doubts.joints if violation not in joint.audit.violations]
        suspects = _nearest_changes(doubts, elsewhere)
        if not (proven or suspects):
            suspects = doubts.fields
        findings.append(words.finding(violation, proven=proven, suspects=suspects))
    return tuple(findings)


def _nearest_changes(doubts: _Doubts, readings: Iterable[tuple[Content, ...]]) -> tuple[str, ...]:
    """The fields in which those of `readings` that differ least from the concluded one differ from it."""
    changes = [
        tuple(
            name
            for name, was, now in zip(doubts.fields, doubts.concluded, contents, strict=True)
            if was != now
        )
        for contents in readings
    ]
    fewest = min(map(len, changes), default=0)
    nearest = {name for change in changes if len(change) == fewest for name in change}
    return tuple(name for name in doubts.fields if name in nearest)
