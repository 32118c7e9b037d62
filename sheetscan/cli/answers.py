"""Answers of people to what a game leaves open: `--set` and `--decide`, each for one sheet."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sheetscan.cli.changes import changes_of, split
from sheetscan.errors import UsageError
from sheetscan.reassess import reassess
from sheetscan.result import CROSS, Content, Sheet
from sheetscan.settle import Settlement, settle


@dataclass(frozen=True, slots=True)
class _Given:
    """An option as given, and the parts of it."""

    text: str
    sheet: str
    field: str
    value: str


def answered(
    documents: Sequence[Sequence[Sheet]],
    changes: Iterable[str],
    decisions: Iterable[str],
    language: str,
    same_game: bool,
    unread: Sequence[str] = (),
) -> Settlement:
    """The game settled, the answers being pinned before; raises UsageError for one that can't be meant."""
    settlement = settle(documents, language, same_game=same_game, unread=unread)
    sets = [_given("--set", text) for text in changes]
    decided = [_given("--decide", text) for text in decisions]
    if not (sets or decided):
        return settlement
    sheets = list(settlement.sheets)
    for place, own in _by_sheet(sets, settlement).items():
        pairs = [(one.field, one.value) for one in own]
        sheets[place] = reassess(sheets[place], changes_of(sheets[place], pairs), language)
    for place, own in _by_sheet(decided, settlement).items():
        sheets[place] = reassess(sheets[place], _crosses(own, sheets[place]), language)
    rest = iter(sheets)
    changed = [[next(rest) for _ in document] for document in documents]
    return settle(changed, language, same_game=same_game, unread=unread)


def _given(option: str, text: str) -> _Given:
    address, _, value = text.rpartition("=")
    sheet, _, field = address.rpartition(":")
    split(f"{field}={value}" if address else text)
    return _Given(f"{option} {text}", sheet, field, value)


def _by_sheet(given: Iterable[_Given], settlement: Settlement) -> dict[int, list[_Given]]:
    """The answers by the place of their sheet."""
    found: dict[int, list[_Given]] = {}
    for one in given:
        found.setdefault(_place(one, settlement), []).append(one)
    return found


def _place(given: _Given, settlement: Settlement) -> int:
    """The place of the sheet meant: by number, sheet id or player; raises UsageError if not just one fits."""
    sheets = settlement.sheets
    wanted = given.sheet.strip()
    counted = [entry.sheet - 1 for entry in settlement.ranking]
    if not wanted:
        fitting = counted
    elif wanted.isdecimal() and 1 <= int(wanted) <= len(sheets):
        fitting = [int(wanted) - 1]
    else:
        fitting = [
            place
            for place in counted
            if wanted.casefold() in (name.casefold() for name in _called(sheets[place]))
        ]
    if len(fitting) == 1:
        return fitting[0]
    known = [f"{place + 1} {sheets[place].player or sheets[place].source}" for place in sorted(counted)]
    reason = "which sheet is meant?" if fitting or not wanted else f"there is no sheet {wanted!r}"
    raise UsageError(
        f"{given.text}: {reason}", f"write SHEET:FIELD=VALUE; sheets: {', '.join(known) or 'none'}"
    )


def _called(sheet: Sheet) -> list[str]:
    return [name for name in (sheet.player, sheet.sheet_id) if name]


def _crosses(given: Sequence[_Given], sheet: Sheet) -> dict[str, Content]:
    """The fields that become crosses; raises UsageError for one about which there is nothing to decide."""
    open_fields = list(dict.fromkeys(name for repair in sheet.repairs for name in repair.crosses))
    for one in given:
        if one.value != "cross":
            raise UsageError(f"{one.text}: can only be decided to be a cross", "write --decide FIELD=cross")
        if one.field not in open_fields:
            fields = ", ".join(open_fields) or "none"
            raise UsageError(
                f"{one.text}: that field clashes with nothing", f"fields of this sheet that do: {fields}"
            )
    crosses = list(dict.fromkeys(one.field for one in given))
    if not any(set(crosses) <= set(repair.crosses) for repair in sheet.repairs):
        raise UsageError(
            f"--decide {' and '.join(crosses)}: more than needed to put the sheet right",
            "decide one after the other: what is left to decide is told after each",
        )
    return dict.fromkeys(crosses, CROSS)
