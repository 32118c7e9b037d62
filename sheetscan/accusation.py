"""Nobody is accused over a reading that is only just sure, nor over what a doubtful one leaves open.

A reading given as sure is wrong once in a thousand fields, and players clash more rarely than that. So where
sure readings break a rule, each of them is weighed once more: read right and the rule broken, or misread and
nothing wrong. One that does not stand then is put in doubt, and the finding with it. Of a doubtful field,
what the reader did not even list is weighed in the same way: if it might explain all, it is listed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sheetscan.doubts import UNLISTED_MASS
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
    seen = _Charge(rules, contents, accusing_violations(rules.audit(contents)))
    if not seen.violations:
        return dict(fields)
    certain = contents | {name: EMPTY for name, reading in fields.items() if reading.doubtful}
    proven = accusing_violations(rules.audit(certain))
    plain = _Charge(rules, certain, [found for found in seen.violations if found in proven])
    changed = {}
    for name, reading in fields.items():
        weight = beside_violation(reading.confidence)
        if reading.doubtful and reading.kind != "unreadable":
            changed[name] = _explaining(reading, seen, name)
        elif reading.why is None and weight < ACCUSING_FROM and any(plain.explanations(name)):
            changed[name] = replace(reading, confidence=round(weight, 4), why="low confidence")
    return {**fields, **changed}


@dataclass(frozen=True, slots=True)
class _Charge:
    """Violations of a sheet with these contents."""

    rules: Rules
    contents: Mapping[str, Content]
    violations: Sequence[Violation]

    def explanations(self, field: str) -> Iterator[Content]:
        """What a field may hold so that fewer rules were broken, and one of the violations not."""
        if not self.violations:
            return
        keys = {(found.code, found.fields) for found in self.violations}
        before = len(accusing_violations(self.rules.audit(self.contents)))
        for other in dict.fromkeys((EMPTY, *self.rules.possible_contents(field))):
            left = accusing_violations(self.rules.audit({**self.contents, field: other}))
            if len(left) < before and not keys <= {(found.code, found.fields) for found in left}:
                yield other


def _explaining(reading: FieldReading, charge: _Charge, field: str) -> FieldReading:
    """A doubtful reading that lists the explanations, each with its part of what the reader left open.

    Where much is left open, the judge takes everything into account that the field may hold.
    """
    listed = {reading.content: reading.confidence}
    listed |= {other.content: other.probability for other in reading.alternatives}
    left_open = 1 - sum(listed.values())
    if left_open > UNLISTED_MASS or beside_violation(1 - left_open) >= ACCUSING_FROM:
        return reading
    missing = [content for content in charge.explanations(field) if content not in listed]
    added = tuple(Alternative(one.kind, one.value, round(left_open / len(missing), 4)) for one in missing)
    return replace(reading, alternatives=reading.alternatives + added)
