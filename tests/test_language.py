"""The catalogues: complete in every language, with the same places to fill."""

import string
import tomllib
from pathlib import Path

import pytest

import sheetscan
from sheetscan.games import rules_for
from sheetscan.language import LANGUAGES, field_name, listed, locale_language, say
from sheetscan.template import load_template, template_names

LOCALE = Path(sheetscan.__file__).parent / "locale"
FILES = sorted(path.name for path in (LOCALE / "en").glob("*.toml"))


def texts(language, file):
    return tomllib.loads((LOCALE / language / file).read_text(encoding="utf-8"))


def places(text):
    return {place for _, place, _, _ in string.Formatter().parse(text) if place is not None}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("file", FILES)
def test_every_text_is_there_with_the_same_places(language, file):
    english, translated = texts("en", file), texts(language, file)
    assert translated.keys() == english.keys()
    assert {key: places(text) for key, text in translated.items()} == {
        key: places(text) for key, text in english.items()
    }


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "count"), [("qwinto", 15), ("qwixx", 11)])
def test_every_finding_has_its_rule_in_words(language, game, count):
    findings = [
        key.removesuffix(f"-{severity}")
        for key in texts(language, f"{game}.toml")
        for severity in ("must-cross", "one-of", "note")
        if key.endswith(f"-{severity}")
    ]
    assert len(findings) == count
    for code in findings:
        assert say(language, f"{game}.{code}-rule").endswith(".")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", template_names())
def test_every_field_and_score_line_has_a_name(language, name):
    template = load_template(name)
    fields = template.fields
    names = {field_name(language, template.game, field.id) for field in fields}
    assert len(names) == len(fields)
    assert not names & ({field.id for field in fields} - {"name"})
    for line in rules_for(template).audit({}).lines:
        assert say(language, f"{template.game}.line-{line.label}")


def test_a_field_in_words():
    assert field_name("de", "qwinto", "yellow-5") == "Gelb 5"
    assert field_name("fr", "qwinto", "tally-bonus-10") == "décompte, bonus de la colonne 10"
    assert field_name("en", "qwinto", "tally-total") == "tally, total"
    assert field_name("en", "qwinto", "{odd}-5") == "{odd}-5"


def test_lists():
    assert listed("en", ["a"]) == "a"
    assert listed("nl", ["a", "b"]) == "a en b"
    assert listed("de", ["a", "b", "c"]) == "a, b und c"


@pytest.mark.parametrize(("name", "language"), [("fr_FR", "fr"), ("pt_BR", "en"), (None, "en")])
def test_the_language_of_the_locale(monkeypatch, name, language):
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr("locale.getlocale", lambda: (name, "UTF-8"))
    assert locale_language() == language


@pytest.mark.parametrize(
    ("variables", "language"),
    [
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "nl_BE"}, "nl"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "nl_BE", "LC_ALL": "C"}, "en"),
        ({"LANG": "fr_CH", "LC_ALL": ""}, "fr"),
    ],
)
def test_the_variables_tell_the_language_even_of_locales_that_are_not_installed(
    monkeypatch, variables, language
):
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    for variable, value in variables.items():
        monkeypatch.setenv(variable, value)
    assert locale_language() == language
