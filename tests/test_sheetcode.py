"""The sheet's identity survives printing and is never taken from a misread text."""

import string

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sheetscan.sheetcode import (
    ALPHABET,
    CHECK_PRIME,
    GAME_ID_LENGTH,
    SheetCode,
    new_game_id,
    parse_payload,
    parse_text,
)

templates = st.from_regex(r"[a-z][a-z0-9-]{0,31}", fullmatch=True)
game_ids = st.text(ALPHABET, min_size=GAME_ID_LENGTH, max_size=GAME_ID_LENGTH)
figures = st.integers(1, 999)
players = st.none() | st.text(min_size=1, max_size=40)
codes = st.builds(SheetCode, templates, figures, game_ids, figures)
codes_with_players = st.builds(SheetCode, templates, figures, game_ids, figures, players)
anything = st.characters() | st.sampled_from(string.printable)


@given(codes_with_players)
def test_payload_gives_the_identity_back(code: SheetCode) -> None:
    assert parse_payload(code.to_payload()) == code


@given(codes)
def test_text_gives_the_identity_back(code: SheetCode) -> None:
    assert parse_text(code.to_text()) == code


@given(codes_with_players)
def test_text_leaves_the_player_out(code: SheetCode) -> None:
    read = parse_text(code.to_text())
    assert read is not None
    assert read.player is None
    assert read.sheet_id == code.sheet_id == f"{code.game_id}-{code.sheet}"


@given(codes, st.data())
def test_every_wrong_character_is_caught(code: SheetCode, data: st.DataObject) -> None:
    text = code.to_text()
    place = data.draw(st.integers(0, len(text) - 1))
    letter = data.draw(anything)
    assume(letter != text[place])
    assume(not (text[place] == " " and letter.isspace()))
    assert parse_text(text[:place] + letter + text[place + 1 :]) is None


@given(codes, st.data())
def test_every_swap_of_neighbours_is_caught(code: SheetCode, data: st.DataObject) -> None:
    text = code.to_text()
    place = data.draw(st.integers(0, len(text) - 2))
    assume(text[place] != text[place + 1])
    assert parse_text(text[:place] + text[place + 1] + text[place] + text[place + 2 :]) is None


def test_every_single_misreading_of_a_usual_text_is_caught() -> None:
    text = SheetCode("qwinto", 1, "K7M2QX", 12).to_text()
    for place, right in enumerate(text):
        for wrong in set(map(chr, range(33, 127))) - {right}:
            assert parse_text(text[:place] + wrong + text[place + 1 :]) is None


def test_check_values_fit_two_characters() -> None:
    assert len(set(ALPHABET)) == len(ALPHABET)
    assert len(ALPHABET) ** 2 >= CHECK_PRIME > 128
    assert all(CHECK_PRIME % divisor for divisor in range(2, CHECK_PRIME))


def test_text_looks_as_documented() -> None:
    assert SheetCode("qwinto", 1, "K7M2QX", 3).to_text() == "qwinto/1 K7M2QX-3-N6"


def test_blanks_around_and_between_do_not_matter() -> None:
    assert parse_text("  qwinto/1   K7M2QX-3-N6\n") == SheetCode("qwinto", 1, "K7M2QX", 3)


@pytest.mark.parametrize(
    "payload",
    [
        "",
        "https://example.org/a/b/c",
        "SHEETSCAN/qwinto/1/K7M2QX/3",
        "OTHER/qwinto/1/K7M2QX/3/Anna",
        "SHEETSCAN//1/K7M2QX/3/",
        "SHEETSCAN/qwinto/1//3/",
        "SHEETSCAN/qwinto/one/K7M2QX/3/",
        "SHEETSCAN/qwinto/1/K7M2QX/three/",
        "SHEETSCAN/qwinto/１/K7M2QX/3/",
        "SHEETSCAN/qwinto/" + "9" * 5000 + "/K7M2QX/3/",
    ],
)
def test_other_codes_are_not_ours(payload: str) -> None:
    assert parse_payload(payload) is None


@given(st.text())
def test_no_text_raises(text: str) -> None:
    parse_payload(text)
    parse_payload(f"SHEETSCAN/{text}")
    assert parse_text(text) is None


def test_slashes_in_a_name_belong_to_the_name() -> None:
    code = parse_payload("SHEETSCAN/qwinto/1/K7M2QX/3/Anna/Zoë")
    assert code is not None
    assert code.player == "Anna/Zoë"


def test_new_game_ids_are_of_the_alphabet_and_differ() -> None:
    ids = [new_game_id() for _ in range(50)]
    assert all(len(game_id) == GAME_ID_LENGTH and set(game_id) <= set(ALPHABET) for game_id in ids)
    assert len(set(ids)) == len(ids)
