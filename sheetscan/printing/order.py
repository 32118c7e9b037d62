"""What is to be printed: paper, ink, language, and how many sheets for whom."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, get_args

from sheetscan.errors import UsageError
from sheetscan.language import LANGUAGES

Paper = Literal["a4", "a5", "letter"]
Ink = Literal["colour", "light", "black"]

PAPERS: tuple[str, ...] = get_args(Paper)
INKS: tuple[str, ...] = get_args(Ink)
MAX_SHEETS = 500
GAME_ID = re.compile(r"[0-9A-Z]{1,12}")


@dataclass(frozen=True, slots=True)
class PrintOrder:
    """One game's sheets.

    `copies` is the number of sheets; with `players` one sheet a player, times `copies`. Without a
    `game_id` every rendering draws a new one. Raises UsageError when it can't be printed as asked.
    """

    paper: Paper = "a4"
    copies: int = 1
    players: tuple[str, ...] = field(default=())
    language: str = "en"
    ink: Ink = "colour"
    game_id: str | None = None

    def __post_init__(self) -> None:
        _check_choice("paper", self.paper, PAPERS)
        _check_choice("ink", self.ink, INKS)
        _check_choice("language", self.language, LANGUAGES)
        object.__setattr__(self, "players", tuple(_tidy_name(name) for name in self.players))
        if self.copies < 1:
            raise UsageError(f"can't print {self.copies} copies", "ask for 1 or more")
        if self.sheet_count > MAX_SHEETS:
            raise UsageError(
                f"{self.sheet_count} sheets are more than one PDF takes ({MAX_SHEETS})",
                "print fewer copies at a time",
            )
        if self.game_id is not None and not GAME_ID.fullmatch(self.game_id):
            raise UsageError(
                f"game id {self.game_id!r} can't be printed", "use 1 to 12 digits and capital letters"
            )

    @property
    def sheet_count(self) -> int:
        """How many sheets the order makes."""
        return self.copies * max(1, len(self.players))

    def sheets(self) -> Iterator[tuple[int, str | None]]:
        """The sheets in printing order: their number in the game, from 1, and their player."""
        names: tuple[str | None, ...] = self.players or (None,)
        for number in range(self.sheet_count):
            yield number + 1, names[number % len(names)]


def _check_choice(what: str, choice: str, choices: tuple[str, ...]) -> None:
    if choice not in choices:
        raise UsageError(f"unknown {what} {choice!r}", f"choose one of {', '.join(choices)}")


def _tidy_name(name: str) -> str:
    """The name without stray blanks, its accents composed, so that one glyph stands for each letter."""
    tidy = " ".join(unicodedata.normalize("NFC", name).split())
    if not tidy:
        raise UsageError("a player's name is empty", "give the names as --players 'Anna,Zoë'")
    return tidy
