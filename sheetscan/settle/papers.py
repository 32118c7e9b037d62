"""Which results are of one sheet of paper, and which of them counts.

A result that comes from the same place of the same photo as another is the same one, perhaps corrected by a
person. Results with one sheet id from different photos are stages of one sheet, as long as the earlier
could have become the later; else they contradict each other in some fields, or, in most of them, somebody
filled a photocopy.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sheetscan.doubts import plausible_contents
from sheetscan.games import rules_for
from sheetscan.result import EMPTY, Content, Severity, Sheet
from sheetscan.template import load_template

PHOTOCOPY_SHARE = 0.5
"""If so much of the earlier sheet's writing is not on the later one, they are two sheets of paper."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A finding on the sheets of these numbers, to be put into words by its code; the first counts."""

    code: str
    severity: Severity
    sheets: tuple[int, ...]
    fields: tuple[str, ...] = ()
    figures: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Paper:
    """One sheet of paper: the number of the result that counts, and of those that contradict it."""

    number: int
    rivals: tuple[int, ...] = ()
    optional: bool = False


def papers_of(inputs: Sequence[Sequence[Sheet]]) -> tuple[list[Paper], list[Remark]]:
    """The sheets of paper behind the results, each input being the sheets of one file, in their order."""
    sheets = dict(enumerate((sheet for document in inputs for sheet in document), 1))
    remarks: list[Remark] = []
    groups: dict[object, list[int]] = defaultdict(list)
    for numbers in _same_places(inputs).values():
        best = _most_corrected(numbers, sheets)
        remarks += _same_photo(best, numbers, sheets)
        groups[sheets[best].sheet_id or best].append(best)
    papers: list[Paper] = []
    for numbers in groups.values():
        found, more = _stages(numbers, sheets)
        papers += found
        remarks += more
    return sorted(papers, key=lambda paper: paper.number), remarks


def _same_places(inputs: Sequence[Sequence[Sheet]]) -> dict[object, list[int]]:
    """The results' numbers by the place in the photo that they come from."""
    places: dict[object, list[int]] = defaultdict(list)
    number = 0
    for document in inputs:
        nth: Counter[object] = Counter()
        for sheet in document:
            number += 1
            place = (sheet.sha256, sheet.page, sheet.sheet_id)
            nth[sheet.source, place] += 1
            places[(*place, nth[sheet.source, place]) if sheet.sha256 else number].append(number)
    return dict(places)


def _corrections(sheet: Sheet) -> dict[str, Content]:
    return {name: reading.content for name, reading in sheet.fields.items() if reading.why == "user"}


def _most_corrected(numbers: Sequence[int], sheets: Mapping[int, Sheet]) -> int:
    return max(numbers, key=lambda number: (len(_corrections(sheets[number])), number))


def _same_photo(best: int, numbers: Sequence[int], sheets: Mapping[int, Sheet]) -> Iterator[Remark]:
    others = [number for number in numbers if number != best]
    if not others:
        return
    mine = _corrections(sheets[best])
    apart = [
        name
        for number in others
        for name, content in _corrections(sheets[number]).items()
        if mine.get(name, content) != content
    ]
    if apart:
        yield Remark("corrections-contradict", "one-of", (best, *others), tuple(dict.fromkeys(apart)))
    else:
        yield Remark("same-photo", "note", (best, *others))


def _stages(numbers: Sequence[int], sheets: Mapping[int, Sheet]) -> tuple[list[Paper], list[Remark]]:
    """The papers with one sheet id: the fullest result first, and each other one compared with it."""
    papers: list[Paper] = []
    remarks: list[Remark] = []
    for number in sorted(numbers, key=lambda number: _fullness(number, sheets[number])):
        for place, paper in enumerate(papers):
            gone = _gone(sheets[number], sheets[paper.number])
            if len(gone) > PHOTOCOPY_SHARE * _entries(sheets[number]):
                continue
            if gone:
                papers[place] = Paper(paper.number, (*paper.rivals, number))
            code, severity = _STAGES[bool(gone)]
            remarks.append(Remark(code, severity, (paper.number, number), gone))
            break
        else:
            papers.append(Paper(number))
    if len(papers) > 1:
        remarks.append(Remark("photocopies", "one-of", tuple(paper.number for paper in papers)))
    return papers, remarks


_STAGES: dict[bool, tuple[str, Severity]] = {
    False: ("same-sheet", "note"),
    True: ("stages-contradict", "one-of"),
}
"""What is said of an earlier stage: it became the later one, or contradicts it."""


def _fullness(number: int, sheet: Sheet) -> tuple[int, int, int]:
    """Sorts the fullest result first, of those the clearest, and of those the last that was given."""
    return -_entries(sheet), len(sheet.review), -number


def _entries(sheet: Sheet) -> int:
    """How many fields of play hold something."""
    return sum(sheet.fields[name].kind not in ("empty", "unreadable") for name in _played(sheet))


def _played(sheet: Sheet) -> list[str]:
    tallies = {place.id for place in load_template(sheet.template).fields if place.kind == "tally"}
    return [name for name in sheet.fields if name not in tallies]


def _gone(earlier: Sheet, later: Sheet) -> tuple[str, ...]:
    """The fields whose content on the earlier result can't have become that on the later one."""
    before, after = _may_hold(earlier), _may_hold(later)
    return tuple(
        name
        for name in _played(earlier)
        if not any(_follows(was, now) for was in before[name] for now in after.get(name, (EMPTY,)))
    )


def _may_hold(sheet: Sheet) -> dict[str, tuple[Content, ...]]:
    doubtful = plausible_contents(rules_for(load_template(sheet.template)), sheet.fields)
    return {name: (*doubtful.get(name, ()), reading.content) for name, reading in sheet.fields.items()}


def _follows(was: Content, now: Content) -> bool:
    """Whether play may turn one content into the other: it stays, is filled, or is taken back later."""
    taken_back = now.kind == "void" or (now.kind == "cross" and was.kind == "number")
    return now == was or was.kind in ("empty", "unreadable") or now.kind == "unreadable" or taken_back
