"""Nobody is accused over a reading that is only just sure, nor over what a doubtful one leaves open.

A reading given as sure is wrong once in a thousand fields, and players clash more rarely than that. So where
sure readings break a rule, each of them is weighed once more: read right and the rule broken, or misread and
nothing wrong. One that does not stand then is put in doubt, and the finding with it; what would explain the
violation, listed by the reader or not, gains what the reading loses. Of a doubtful field, what the reader did
not even list is weighed in the same way: if it might explain all, it is listed.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from sheetscan.doubts import UNLISTED_MASS, candidates_of, ranked
from sheetscan.games.base import Audit, Rules, Violation
from sheetscan.result import EMPTY, Alternative, Content, FieldReading

VIOLATION_ODDS = 0.05
"""A violation is one in twenty as likely as a misreading that looks like one."""
ACCUSING_FROM = 0.95
"""Probability, a broken rule considered, from which a reading accuses."""


def accusing_violations(audit: Audit) -> list[Violation]:
    """The broken rules among an audit's findings: all but the notes."""
    return [violation for violation in audit.violations if violation.severity != "note"]


def beside_violation(confidence: float) -> float:
    """The probability of a reading of that confidence when a rule is broken that another might not break."""
    standing = confidence * VIOLATION_ODDS
    return standing / (standing + 1 - confidence)


def without_rash_accusations(rules: Rules, fields: Mapping[str, FieldReading]) -> dict[str, FieldReading]:
    """The fields, keyed by name; sure ones too weak to accuse, on which a violation leans, are in doubt.

    Doubtful ones list all that would explain a violation, if what they leave open weighs enough. What a user
    said stays sure, and so does what merely stands beside a doubtful field.
    """
    contents = {name: reading.content for name, reading in fields.items()}
    found = accusing_violations(rules.audit(contents))
    if not found:
        return dict(fields)
    certain = contents | {name: EMPTY for name, reading in fields.items() if reading.doubtful}
    without_doubts = accusing_violations(rules.audit(certain))
    seen = _Charge(rules, contents, _keys(found), len(found))
    proven = _keys([violation for violation in found if violation in without_doubts])
    plain = _Charge(rules, certain, proven, len(without_doubts))
    changed = {}
    for name, reading in fields.items():
        if reading.doubtful and reading.kind != "unreadable":
            changed[name] = _explaining(reading, seen, name)
        elif reading.why in (None, "rule hint") and _weak(reading) and any(plain.explanations(name)):
            changed[name] = _doubted(reading, plain, name)
    return {**fields, **changed}


def _weak(reading: FieldReading) -> bool:
    """Whether a sure reading does not stand where a rule is broken."""
    return beside_violation(reading.confidence) < ACCUSING_FROM


@dataclass(frozen=True, slots=True)
class _Charge:
    """Violations of a sheet with these contents, on which `broken` rules are broken in all."""

    rules: Rules
    contents: Mapping[str, Content]
    violations: frozenset[Hashable]
    broken: int

    def explains(self, field: str, content: Content) -> bool:
        """Whether fewer rules were broken, and one of the violations not, if a field held that."""
        left = accusing_violations(self.rules.audit({**self.contents, field: content}))
        return len(left) < self.broken and not self.violations <= _keys(left)

    def explanations(self, field: str) -> Iterator[Content]:
        """What a field may hold that explains a violation."""
        if self.violations:
            possible = dict.fromkeys((EMPTY, *self.rules.possible_contents(field)))
            yield from (content for content in possible if self.explains(field, content))


def _keys(violations: Iterable[Violation]) -> frozenset[Hashable]:
    """The violations by what makes two of them the same charge, whatever figures they name."""
    return frozenset([(violation.code, violation.fields) for violation in violations])


def _doubted(reading: FieldReading, charge: _Charge, field: str) -> FieldReading:
    """A sure reading put in doubt, with all explanations: they gain what breaks the rule anyhow loses."""
    gain = 1 / (1 - reading.confidence * (1 - VIOLATION_ODDS))
    weighed = [
        replace(other, probability=other.probability * gain * odds)
        for other in reading.alternatives
        for odds in [1 if charge.explains(field, other.content) else VIOLATION_ODDS]
    ]
    confidence = round(beside_violation(reading.confidence), 4)
    doubted = replace(reading, confidence=confidence, alternatives=ranked(weighed), why="low confidence")
    return _listing(doubted, charge, field)


def _explaining(reading: FieldReading, charge: _Charge, field: str) -> FieldReading:
    """A doubtful reading that lists the explanations, if what the reader left open weighs enough.

    Where much is left open, the judge takes everything into account that the field may hold.
    """
    left_open = _left_open(reading)
    if left_open > UNLISTED_MASS or beside_violation(1 - left_open) >= ACCUSING_FROM:
        return reading
    return _listing(reading, charge, field)


def _listing(reading: FieldReading, charge: _Charge, field: str) -> FieldReading:
    """The reading with the explanations that it lacks, each with its part of what is left open."""
    known = candidates_of(reading)
    missing = [content for content in charge.explanations(field) if content not in known]
    added = [Alternative(one.kind, one.value, _left_open(reading) / len(missing)) for one in missing]
    return replace(reading, alternatives=ranked([*reading.alternatives, *added]))


def _left_open(reading: FieldReading) -> float:
    """The probability that a field holds nothing that its reading lists."""
    return max(0.0, 1 - sum(candidates_of(reading).values()))
