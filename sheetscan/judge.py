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
from operator import getitem, ne

from sheetscan.doubts import joint_places, plausible_contents
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
    """One combination of options, as places among those of each doubtful field, and its audit.

    `probability` is that of the scoring fields' contents, whatever the others hold.
    """

    places: tuple[int, ...]
    probability: float
    audit: Audit


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
        self.budget -= _work(audit)
        return audit.total != self.concluded.total


def _work(audit: Audit) -> int:
    """What an audit costs of a budget."""
    return 1 + len(audit.repairs) // REPAIRS_PER_AUDIT


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
    choices = {name: tuple(contents) for name, contents in {**scoring, **others}.items()}
    concluded = tuple(contents.index(auditor.contents[name]) for name, contents in choices.items())
    rest = concluded[len(scoring) :]
    ranked = joint_places([tuple(shares.values()) for shares in scoring.values()])
    readings = ((places + rest, share) for places, share in ranked)
    joints, scoring_complete = _audit_all(auditor, choices, readings, SCORING_BUDGET)
    varied = (
        ((*joint.places[:field], place, *joint.places[field + 1 :]), joint.probability)
        for joint in joints
        for field, contents in enumerate(others.values(), len(scoring))
        for place in range(len(contents))
        if place != concluded[field]
    )
    variations, varied_all = _audit_all(auditor, choices, varied, VARIATION_BUDGET)
    return _Doubts(
        fields=tuple(choices),
        concluded=concluded,
        scoring=joints,
        variations=variations,
        scoring_complete=scoring_complete,
        complete=scoring_complete and varied_all,
    )


def _audit_all(
    auditor: _Auditor,
    choices: Mapping[str, Sequence[Content]],
    readings: Iterable[tuple[tuple[int, ...], float]],
    budget: int,
) -> tuple[tuple[_Joint, ...], bool]:
    """Audit joint readings until the budget is spent; the flag says whether all were."""
    options = tuple(choices.values())
    joints: list[_Joint] = []
    for places, probability in readings:
        if budget <= 0:
            return tuple(joints), False
        changes = dict(zip(choices, map(getitem, options, places), strict=True))
        audit = auditor.rules.audit({**auditor.contents, **changes})
        budget -= _work(audit)
        joints.append(_Joint(places, probability, audit))
    return tuple(joints), True


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


def _outcome(audit: Audit) -> Hashable:
    """What two readings must share for the difference between them not to matter."""
    findings = frozenset(_key(found) for found in audit.violations if found.severity != "note")
    return audit.total, findings, audit.repairs


def _fields_that_matter(doubts: _Doubts) -> frozenset[str]:
    """The doubtful fields that alone can change the outcome in some joint reading."""
    if not doubts.complete:
        return frozenset(doubts.fields)
    numbers: dict[Hashable, int] = {}
    joints = [
        (joint.places, numbers.setdefault(_outcome(joint.audit), len(numbers))) for joint in doubts.joints
    ]
    return frozenset(name for field, name in enumerate(doubts.fields) if _matters(field, joints))


def _matters(field: int, joints: Iterable[tuple[tuple[int, ...], int]]) -> bool:
    """Whether two joint readings that differ only in that field have different outcomes."""
    met: dict[tuple[int, ...], int] = {}
    for places, outcome in joints:
        others = places[:field] + places[field + 1 :]
        if met.setdefault(others, outcome) != outcome:
            return True
    return False


def _findings(auditor: _Auditor, doubts: _Doubts, language: str) -> tuple[Finding, ...]:
    """The concluded readings' violations in words, each with the doubts that it depends on."""
    words = Words(auditor.rules.name, language, auditor.contents, doubts.fields)
    without_doubts = auditor.rules.audit(
        {**auditor.contents, **dict.fromkeys(doubts.fields, EMPTY)}
    ).violations
    keys = [frozenset(map(_key, joint.audit.violations)) for joint in doubts.joints]
    findings = []
    for violation in auditor.concluded.violations:
        proven = doubts.complete or violation in without_doubts
        proven = proven and all(_key(violation) in found for found in keys)
        elsewhere = [joint.places for joint in doubts.joints if violation not in joint.audit.violations]
        suspects = _nearest_changes(doubts, elsewhere)
        if not (proven or suspects):
            suspects = doubts.fields
        findings.append(words.finding(violation, proven=proven, suspects=suspects))
    return tuple(findings)


def _nearest_changes(doubts: _Doubts, readings: Iterable[tuple[int, ...]]) -> tuple[str, ...]:
    """The fields in which those of `readings` that differ least from the concluded one differ from it."""
    changes = [tuple(map(ne, doubts.concluded, places)) for places in readings]
    fewest = min(map(sum, changes), default=0)
    nearest = [change for change in changes if sum(change) == fewest]
    return tuple(name for field, name in enumerate(doubts.fields) if any(change[field] for change in nearest))
