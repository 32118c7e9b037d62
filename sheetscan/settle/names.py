"""How sheets are called: by their players' names, told apart where two share one."""

from collections import Counter
from collections.abc import Sequence

from sheetscan.result import Sheet


def photo_name(sheet: Sheet) -> str:
    """The photo that a sheet was read from."""
    source = "stdin" if sheet.source == "-" else sheet.source
    return source if sheet.page == 1 else f"{source}, {sheet.page}"


def sheet_names(sheets: Sequence[Sheet]) -> list[str]:
    """A name of its own for every sheet: player, else photo; shared ones with the photo or the number."""
    players = Counter(sheet.player for sheet in sheets)
    names = [
        photo_name(sheet)
        if not sheet.player
        else sheet.player
        if players[sheet.player] == 1
        else f"{sheet.player} ({photo_name(sheet)})"
        for sheet in sheets
    ]
    shared = Counter(names)
    return [name if shared[name] == 1 else f"{name} #{number}" for number, name in enumerate(names, 1)]
