"""The words of findings, reports and the terminal in the languages of the sheets."""

import locale
import tomllib
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


def locale_language() -> str:
    """The language of the environment's locale if it is one of ours, else English."""
    name = locale.getlocale()[0] or ""
    return name[:2] if name[:2] in LANGUAGES else "en"
