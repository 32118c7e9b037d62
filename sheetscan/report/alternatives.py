"""What else a doubtful field may hold: the likely readings, and one over which it is asked about."""

from itertools import islice

from sheetscan.accusation import accusing_violations
from sheetscan.games import rules_for
from sheetscan.games.base import Audit
from sheetscan.result import Alternative, Sheet
from sheetscan.template import Template


def worth_telling(
    sheet: Sheet, template: Template, field: str, least: float, most: int | None = None
) -> list[Alternative]:
    """The alternatives of at least the probability `least`, the `most` probable first.

    Where none of these would change total, repairs or findings (notes apart), the likeliest that would is
    added, however improbable: it is why the field is in `review`.
    """
    reading = sheet.fields[field]
    others = [one for one in reading.alternatives if one.content != reading.content]
    told = [one for one in others if one.probability >= least][:most]
    rules = rules_for(template)
    contents = {name: one.content for name, one in sheet.fields.items()}
    concluded = rules.audit(contents)

    def matters(one: Alternative) -> bool:
        return _differ(concluded, rules.audit({**contents, field: one.content}))

    if any(map(matters, told)):
        return told
    rest = (one for one in others if one not in told)
    return [*told, *islice(filter(matters, rest), 1)]


def _differ(one: Audit, other: Audit) -> bool:
    accusations, others = (
        {(violation.code, violation.severity, violation.fields) for violation in accusing_violations(audit)}
        for audit in (one, other)
    )
    return (one.total, one.repairs, accusations) != (other.total, other.repairs, others)
