"""Nobody is accused over a reading that is only just sure.

A reading given as sure is wrong once in a thousand fields, and players clash more rarely than that. So where
sure readings break a rule, each of them is weighed once more: read right and the rule broken, or misread and
nothing wrong. One that does not stand then is put in doubt, and the finding with it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sheetscan.games.base import Audit, Rules, Violation
from sheetscan.result import EMPTY, Content, FieldReading

VIOLATION_ODDS = 0.05
"""A violation is one in twenty as likely as a misreading that looks like one."""
ACCUSING_FROM = 0.9
"""Probability, a broken rule considered, from which a reading accuses."""


def accusing_violations(audit: Audit) -> list[Violation]:
    """The broken rules among an audit's findings: all but the notes."""
    return [violation for violation in audit.violations if violation.severity != "note"]


def without_rash_accusations(rules: Rules, fields: Mapping[str, FieldReading]) -> dict[str, FieldReading]:
    """The fields, keyed by name; sure ones too weak to accuse, on which a violation leans, are in doubt.

    What a user said stays sure, and so does what merely stands beside a doubtful field.
    """
    contents = {name: reading.content for name, reading in fields.items()}
    certain = contents | {name: EMPTY for name, reading in fields.items() if reading.doubtful}
    without_doubts = accusing_violations(rules.audit(certain))
    accused = [found for found in accusing_violations(rules.audit(contents)) if found in without_doubts]
    if not accused:
        return dict(fields)
    weighed = {
        name: replace(reading, confidence=round(weight, 4), why="low confidence")
        for name, reading in fields.items()
        if not reading.doubtful and reading.why != "user"
        if (weight := beside_violation(reading.confidence)) < ACCUSING_FROM
        if _leans_on(rules, certain, accused, name)
    }
    return {**fields, **weighed}


def beside_violation(confidence: float) -> float:
    """The probability of a reading of that confidence when a rule is broken that another might not break."""
    standing = confidence * VIOLATION_ODDS
    return standing / (standing + 1 - confidence)


def _leans_on(
    rules: Rules, contents: Mapping[str, Content], accused: Sequence[Violation], field: str
) -> bool:
    """Whether fewer rules were broken, and one of `accused` not, if the field held something else."""
    keys = {(found.code, found.fields) for found in accused}
    before = len(accusing_violations(rules.audit(contents)))
    for other in (EMPTY, *rules.possible_contents(field)):
        left = accusing_violations(rules.audit({**contents, field: other}))
        if len(left) < before and not keys <= {(found.code, found.fields) for found in left}:
            return True
    return False
