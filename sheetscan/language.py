"""The words of findings, reports and the terminal in the languages of the sheets."""

import locale
import os
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib import resources

LANGUAGES = ("en", "de", "nl", "fr")


@cache
def _catalogue(language: str) -> dict[str, str]:
    """The texts of one language, keyed `file.key`; one file a game, one for the reports."""
    folder = resources.files("sheetscan").joinpath("locale", language)
    return {
        f"{entry.name.removesuffix('.toml')}.{key}": text
        for entry in folder.iterdir()
        if entry.name.endswith(".toml")
        for key, text in tomllib.loads(entry.read_text(encoding="utf-8")).items()
    }


def say(language: str, key: str, **figures: object) -> str:
    """The text named `key`, with its `{places}` filled from `figures`."""
    return _catalogue(language)[key].format(**figures)


def field_name(language: str, game: str, field_id: str) -> str:
    """A field's name in words: of yellow-5 the text `field-yellow` with 5 as `{place}`; unknown: as it is."""
    stem, _, place = field_id.rpartition("-")
    key = f"{game}.field-{stem if place.isdecimal() else field_id}"
    return say(language, key, place=place) if key in _catalogue(language) else field_id


def listed(language: str, parts: Sequence[str]) -> str:
    """The parts as a list in words: "a", "a and b", "a, b and c"."""
    *others, last = parts
    return say(language, "judge.list", others=", ".join(others), last=last) if others else last


def signed(figure: int) -> str:
    """A whole number with a true minus sign."""
    return str(figure).replace("-", "−")


def locale_language() -> str:
    """The language of the environment's locale if it is one of ours, else English.

    The variables count before what the system makes of them: it may not have that locale installed.
    """
    wanted = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    name = next(filter(None, wanted), None) or locale.getlocale()[0] or ""
    return name[:2] if name[:2] in LANGUAGES else "en"
