"""The identity printed on every sheet: in a QR code and, for people and damaged codes, as a short text."""

import secrets
from dataclasses import dataclass

PREFIX = "SHEETSCAN"
ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Digits and capitals without those that are mistaken for each other (0 O, 1 I L, U V)."""
GAME_ID_LENGTH = 6


@dataclass(frozen=True, slots=True)
class SheetCode:
    """Which template in which version, which game, which of its sheets, and for whom it was printed."""

    template: str
    version: int
    game_id: str
    sheet: int
    player: str | None = None

    @property
    def sheet_id(self) -> str:
        """The name of this sheet of paper; photocopies share it."""
        return f"{self.game_id}-{self.sheet}"

    def to_payload(self) -> str:
        """The text in the QR code."""
        parts = (PREFIX, self.template, str(self.version), self.game_id, str(self.sheet), self.player or "")
        return "/".join(parts)

    def to_text(self) -> str:
        """The printed short text, e.g. `qwinto/1 K7M2QX-3-R`, ending in a check character."""
        return f"{self.template}/{self.version} {self.sheet_id}-{_check_character(self)}"


def new_game_id() -> str:
    """A random game id; 30^6 of them make a clash between two evenings unlikely."""
    return "".join(secrets.choice(ALPHABET) for _ in range(GAME_ID_LENGTH))


def parse_payload(text: str) -> SheetCode | None:
    """The identity in a QR code's text, or None if the code is not one of ours."""
    parts = text.split("/", 5)
    if len(parts) != 6 or parts[0] != PREFIX:
        return None
    _, template, version, game_id, sheet, player = parts
    if not (version.isdecimal() and sheet.isdecimal() and template and game_id):
        return None
    return SheetCode(template, int(version), game_id, int(sheet), player or None)


def parse_text(text: str) -> SheetCode | None:
    """The identity in a printed short text, or None unless its check character fits."""
    words = text.split()
    if len(words) != 2 or words[0].count("/") != 1 or words[1].count("-") != 2:
        return None
    template, version = words[0].split("/")
    game_id, sheet, check = words[1].split("-")
    if not (version.isdecimal() and sheet.isdecimal() and template and game_id):
        return None
    code = SheetCode(template, int(version), game_id, int(sheet))
    return code if check == _check_character(code) else None


def _check_character(code: SheetCode) -> str:
    """A position-weighted sum over the text before it: finds every single wrong or swapped character."""
    text = f"{code.template}/{code.version} {code.sheet_id}"
    return ALPHABET[sum(place * ord(letter) for place, letter in enumerate(text, 1)) % len(ALPHABET)]
