import re
import string
import tomllib
from pathlib import Path

import pytest

import sheetscan
from sheetscan.language import LANGUAGES
from sheetscan.report.words import Words
from tests.report.results import TEMPLATE

PACKAGE = Path(sheetscan.__file__).parent


def catalogue(language: str) -> dict[str, str]:
    return tomllib.loads((PACKAGE / "locale" / language / "report.toml").read_text(encoding="utf-8"))


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_texts_with_the_same_places(language: str) -> None:
    english, other = catalogue("en"), catalogue(language)
    assert english.keys() == other.keys()
    assert {key: places(text) for key, text in other.items()} == {
        key: places(text) for key, text in english.items()
    }


def test_every_text_is_used() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in (PACKAGE / "report").glob("*.py"))
    dynamic = ("legend-", "points-")
    kinds = ("empty", "cross", "line", "void", "unreadable")
    unused = [
        key
        for key in catalogue("en")
        if not key.startswith(dynamic)
        and key not in kinds
        and not re.search(rf'["\'.]{re.escape(key)}["\']', sources)
    ]
    assert unused == []


@pytest.mark.parametrize(
    ("language", "points", "text"),
    [
        ("en", 1, "1 point"),
        ("en", 0, "0 points"),
        ("en", -20, "−20 points"),
        ("de", 1, "1 Punkt"),
        ("nl", 2, "2 punten"),
        ("fr", 0, "0 point"),
        ("fr", 2, "2 points"),
    ],
)
def test_points_agree_in_number(language: str, points: int, text: str) -> None:
    assert Words(TEMPLATE, language).points(points) == text


@pytest.mark.parametrize(
    ("probability", "text"), [(1.0, "100%"), (0.99996, "99.9%"), (0.71, "71%"), (0.29, "29%"), (0, "0%")]
)
def test_shares_are_rounded_down(probability: float, text: str) -> None:
    assert Words(TEMPLATE, "en").percent(probability) == text


def test_lists_read_as_sentences() -> None:
    words = Words(TEMPLATE, "en")
    assert words.joined(["a"], "and") == "a"
    assert words.joined(["a", "b"], "or") == "a or b"
    assert words.joined(["a", "b", "c"], "and") == "a, b and c"
