"""The rules of the games: pure functions, standard library only."""

from sheetscan.errors import TemplateError
from sheetscan.games.base import Rules
from sheetscan.games.qwinto import Qwinto

_GAMES: dict[str, Rules] = {Qwinto.name: Qwinto()}


def rules_for(game: str) -> Rules:
    """The rules of a template's game; raises TemplateError for a game without rules."""
    if game not in _GAMES:
        raise TemplateError(f"there are no rules for a game named {game!r}", f"games: {', '.join(_GAMES)}")
    return _GAMES[game]
