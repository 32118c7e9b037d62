"""The rules of the games: pure functions, standard library only."""

from collections.abc import Callable, Mapping

from sheetscan.errors import TemplateError
from sheetscan.games.base import Rules, SheetLayout
from sheetscan.games.qwinto import Qwinto
from sheetscan.games.qwixx import Qwixx

_GAMES: dict[str, Callable[[Mapping[str, tuple[str, ...]]], Rules]] = {
    Qwinto.name: lambda _: Qwinto(),
    Qwixx.name: Qwixx,
}


def rules_for(sheet: SheetLayout) -> Rules:
    """The rules of a sheet's game, for its rows; raises TemplateError for a game without rules."""
    if sheet.game not in _GAMES:
        raise TemplateError(
            f"there are no rules for a game named {sheet.game!r}", f"games: {', '.join(_GAMES)}"
        )
    return _GAMES[sheet.game](sheet.places)
