"""How sheets are called: by their players' names, told apart where two share one."""

from collections import Counter
from collections.abc import Sequence

from sheetscan.result import Failure, Sheet


def source_of(origin: Sheet | Failure) -> str:
    """The photo that a sheet was read from, or that could not be read."""
    source = "stdin" if origin.source == "-" else origin.source
    return source if origin.page in (None, 1) else f"{source}, {origin.page}"


def sheet_names(sheets: Sequence[Sheet]) -> list[str]:
    """A name of its own for every sheet: player, else photo; shared ones with the photo or the number."""
    players = Counter(sheet.player for sheet in sheets)
    names = [
        source_of(sheet)
        if not sheet.player
        else sheet.player
        if players[sheet.player] == 1
        else f"{sheet.player} ({source_of(sheet)})"
        for sheet in sheets
    ]
    shared = Counter(names)
    return [name if shared[name] == 1 else f"{name} #{number}" for number, name in enumerate(names, 1)]
