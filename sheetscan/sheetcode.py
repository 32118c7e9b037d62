"""The identity printed on every sheet: in a QR code and, for people and damaged codes, as a short text."""

import re
import secrets
from dataclasses import dataclass

PREFIX = "SHEETSCAN"
ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Digits and capitals without those that are mistaken for each other (0 O, 1 I L, U V)."""
GAME_ID_LENGTH = 6
CHECK_PRIME = 887
"""The largest prime that two characters of the alphabet can hold."""
FIGURE = re.compile(r"[0-9]{1,6}")


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
        """The printed short text, e.g. `qwinto/1 K7M2QX-3-N6`, ending in two check characters."""
        text = f"{self.template}/{self.version} {self.sheet_id}"
        return f"{text}-{_check(text)}"


def new_game_id() -> str:
    """A random game id; 30^6 of them make a clash between two evenings unlikely."""
    return "".join(secrets.choice(ALPHABET) for _ in range(GAME_ID_LENGTH))


def parse_payload(text: str) -> SheetCode | None:
    """The identity in a QR code's text, or None if the code is not one of ours."""
    parts = text.split("/", 5)
    if len(parts) != 6 or parts[0] != PREFIX:
        return None
    _, template, version, game_id, sheet, player = parts
    return _sheet_code(template, version, game_id, sheet, player or None)


def parse_text(text: str) -> SheetCode | None:
    """The identity in a printed short text, or None unless its check characters fit."""
    stem, _, check = " ".join(text.split()).rpartition("-")
    words = stem.split()
    if len(words) != 2 or words[0].count("/") != 1 or words[1].count("-") != 1:
        return None
    if not stem.isascii() or check != _check(stem):
        return None
    return _sheet_code(*words[0].split("/"), *words[1].split("-"))


def _sheet_code(
    template: str, version: str, game_id: str, sheet: str, player: str | None = None
) -> SheetCode | None:
    """The identity of these parts, or None when a part is empty or a figure isn't one."""
    if not (template and game_id and FIGURE.fullmatch(version) and FIGURE.fullmatch(sheet)):
        return None
    return SheetCode(template, int(version), game_id, int(sheet), player)


def _check(text: str) -> str:
    """Two characters from a position-weighted sum modulo a prime, over ASCII text shorter than the prime.

    The prime is above every place and every difference of two characters, so every single wrong character
    and every swap of neighbours changes the sum. One character has fewer values than the text has letters.
    """
    total = sum(place * ord(letter) for place, letter in enumerate(text, 1)) % CHECK_PRIME
    return ALPHABET[total // len(ALPHABET)] + ALPHABET[total % len(ALPHABET)]
