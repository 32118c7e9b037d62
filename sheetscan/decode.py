"""The sheet helps the field: what the rules say of doubtful readings, and never of sure ones.

Every combination of what the doubtful fields may hold weighs its probability, fields being independent, times
VIOLATION_ODDS for every violation that it has (notes apart). So a reading becomes likelier in a row that it
fits into, or beside a tally that it explains. The prior is weak on purpose:

- a field given as sure never changes, so that a violation between plainly written numbers stays; one that is
  only just sure is put in doubt where it would accuse (`sheetscan.accusation`);
- a field becomes sure only in the reader's own first reading, and only if no violation leans on it: where
  the rules would have preferred another number, and where a reading accuses somebody, it stays in doubt;
- what the reader leaves open counts against it;
- where the combinations are too many to cover, each scoring field is weighed alone, and a violation counts
  only if no other doubtful field is to blame; a written tally is weighed beside what they come to then.

What the reader said stays in `raw`.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from sheetscan.accusation import VIOLATION_ODDS, accusing_violations, without_rash_accusations
from sheetscan.doubts import joint_readings, ranked
from sheetscan.games.base import Rules
from sheetscan.result import EMPTY, Alternative, Content, FieldReading

AUDITS = 300
MIN_SHARE = 0.002
"""Candidates below this are left out of the combinations; they count as unlisted."""
ENOUGH = 0.9995
"""Share of all combinations, by probability, after which no more are audited."""
MOST_UNCOVERED = 0.05
"""What was not audited may weigh this much of the rest at most, else the rules say nothing."""

Shares = Mapping[Content, float]
Threshold = Callable[[str, Content], float]
"""From which probability on a content of a field, by its name, is sure."""


@dataclass(frozen=True, slots=True)
class _Weights:
    """What combinations weigh in relation to those with the fewest violations.

    `audited` is the sum, `by_content` the part of it by field and content; `others` is the most that the
    combinations which were not audited can weigh.
    """

    audited: float
    others: float
    by_content: Mapping[str, Shares]

    def probabilities(self, field: str, listed: float) -> dict[Content, float]:
        """The least probability of each listed content; `listed` is what the reader gave them together."""
        whole = listed * (self.audited + self.others) + (1 - listed)
        return {content: listed * weight / whole for content, weight in self.by_content[field].items()}


def with_rules(
    rules: Rules, fields: Mapping[str, FieldReading], sure_from: Threshold
) -> dict[str, FieldReading]:
    """The fields, keyed by name, the doubtful ones concluded anew where the rules say something of them.

    `sure_from` is the reader's own threshold. Fields that became sure say "rule hint"; those whose value
    changed stay in doubt.
    """
    options = {
        name: _listed(reading)
        for name, reading in fields.items()
        if reading.doubtful and reading.kind != "unreadable" and rules.possible_contents(name)
    }
    weights = _weigh(rules, fields, options) if _countable(options) else None
    if weights is None or weights.others > MOST_UNCOVERED * weights.audited:
        changed = _each_alone(rules, fields, options)
    else:
        changed = {name: _concluded(fields[name], name, weights, shares) for name, shares in options.items()}
    contents = {name: reading.content for name, reading in {**fields, **changed}.items()}
    sure = {
        name: replace(reading, why="rule hint")
        for name, reading in changed.items()
        if reading.confidence >= sure_from(name, reading.content)
        and reading.content == reading.raw
        and not _accuses(rules, contents, name)
    }
    return without_rash_accusations(rules, {**fields, **changed, **sure})


def _each_alone(
    rules: Rules, fields: Mapping[str, FieldReading], options: Mapping[str, Shares]
) -> dict[str, FieldReading]:
    """Every doubtful field concluded by itself: the scoring ones first, then the tally beside all of them."""
    scoring = {name: reading for name, reading in fields.items() if name in rules.scoring_fields}
    sure = {name: reading for name, reading in scoring.items() if not reading.doubtful}
    changed = {}
    for name in options.keys() & scoring.keys():
        alone = {name: options[name]}
        weights = _lenient(_weigh(rules, {**sure, name: fields[name]}, alone), _weigh(rules, scoring, alone))
        changed[name] = _concluded(fields[name], name, weights, options[name])
    seen = {**fields, **changed}
    for name in options.keys() - scoring.keys():
        weights = _within_range(rules, name, _weigh(rules, seen, {name: options[name]}))
        changed[name] = _concluded(fields[name], name, weights, options[name])
    return changed


def _lenient(without_others: _Weights, with_others: _Weights) -> _Weights:
    """A violation counts only if it is there without the other doubtful fields and with them as they seem.

    Without them, a cross may miss those that allow it; with them, their own errors are held against it.
    """
    by_content = {
        name: {
            content: max(weight, with_others.by_content[name][content]) for content, weight in weights.items()
        }
        for name, weights in without_others.by_content.items()
    }
    audited = max(math.fsum(weights.values()) for weights in by_content.values())
    return _Weights(audited, max(without_others.others, with_others.others), by_content)


def _within_range(rules: Rules, name: str, weights: _Weights) -> _Weights:
    """A number that the game can't put in that field is a violation, too."""
    possible = rules.possible_contents(name)
    ranged = {
        content: weight * (VIOLATION_ODDS if content.kind == "number" and content not in possible else 1)
        for content, weight in weights.by_content[name].items()
    }
    return _Weights(math.fsum(ranged.values()), weights.others, {name: ranged})


def _listed(reading: FieldReading) -> dict[Content, float]:
    """A doubtful field's candidates worth a combination, the most probable first."""
    shares = {reading.content: reading.confidence}
    for other in reading.alternatives:
        if other.probability >= MIN_SHARE:
            shares.setdefault(other.content, other.probability)
    return dict(sorted(shares.items(), key=lambda entry: -entry[1]))


def _countable(options: Mapping[str, Shares]) -> bool:
    """Whether AUDITS combinations, each as probable as the first, would cover enough."""
    first = math.prod(max(shares.values()) / math.fsum(shares.values()) for shares in options.values())
    return AUDITS * first >= 1 - MOST_UNCOVERED


def _weigh(rules: Rules, fields: Mapping[str, FieldReading], options: Mapping[str, Shares]) -> _Weights:
    contents = {name: reading.content for name, reading in fields.items()}
    found = [
        (
            joint,
            share,
            len(accusing_violations(rules.audit({**contents, **dict(zip(options, joint, strict=True))}))),
        )
        for joint, share in _most_probable(options)
    ]
    fewest = min(violations for _, _, violations in found)
    by_content = {name: dict.fromkeys(shares, 0.0) for name, shares in options.items()}
    audited = 0.0
    for joint, share, violations in found:
        weight = share * VIOLATION_ODDS ** (violations - fewest)
        audited += weight
        for name, content in zip(options, joint, strict=True):
            by_content[name][content] += weight
    others = max(0.0, 1 - math.fsum(share for _, share, _ in found))
    return _Weights(audited, others, by_content)


def _most_probable(options: Mapping[str, Shares]) -> Iterator[tuple[tuple[Content, ...], float]]:
    """Combinations of listed contents with their probabilities, until AUDITS or ENOUGH is reached."""
    listed = [
        {content: share / math.fsum(shares.values()) for content, share in shares.items()}
        for shares in options.values()
    ]
    seen = 0.0
    for number, (joint, share) in enumerate(joint_readings(listed)):
        if number == AUDITS or seen >= ENOUGH:
            return
        seen += share
        yield joint, share


def _accuses(rules: Rules, contents: Mapping[str, Content], field: str) -> bool:
    """Whether some violation would not be there, or not as it is, without what the field holds."""
    without = accusing_violations(rules.audit({**contents, field: EMPTY}))
    return any(violation not in without for violation in accusing_violations(rules.audit(contents)))


def _concluded(reading: FieldReading, name: str, weights: _Weights, shares: Shares) -> FieldReading:
    """The reading with its probabilities after the rules, in doubt; what was not weighed stays listed."""
    after = weights.probabilities(name, min(1.0, math.fsum(shares.values())))
    (best, confidence), *others = sorted(after.items(), key=lambda entry: -entry[1])
    weighed = [Alternative(content.kind, content.value, share) for content, share in others]
    rest = [other for other in reading.alternatives if other.content not in after]
    return replace(
        reading,
        kind=best.kind,
        value=best.value,
        confidence=round(confidence, 4),
        alternatives=ranked(weighed + rest),
    )
