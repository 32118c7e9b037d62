"""Letters that the typeface lacks are drawn if they are Chinese, Japanese or Korean, else told."""

import numpy as np
import pytest

from sheetscan.printing import fallback, fonts

FONT = fonts.REGULAR


def test_a_text_falls_into_what_the_typeface_has_and_what_it_lacks():
    assert list(fallback.runs("Zoë 東京!", FONT)) == [("Zoë ", True), ("東京", False), ("!", True)]
    assert list(fallback.runs("", FONT)) == []


@pytest.mark.parametrize("name", ["東京", "美咲", "たろう", "カタカナ", "김민준", "ﾀﾛｳ", "Ａｎｎａ"])
def test_east_asian_names_can_be_set(name):
    assert fonts.missing_characters(name, FONT)
    assert fallback.missing_characters(name, FONT) == ""


@pytest.mark.parametrize("name", ["สมชาย", "محمد", "😀", "\u202e", "\udcff", "\U0002ebf0"])
def test_other_letters_stay_missing(name):
    assert fallback.missing_characters(f"a{name}東", FONT) == "".join(dict.fromkeys(name))


@pytest.mark.parametrize("font", [fonts.REGULAR, fonts.BOLD])
def test_the_picture_is_as_wide_as_the_text_and_has_its_colour(font):
    drawn = np.asarray(fallback.picture("東京", font, (200, 10, 30)))
    height, width = drawn.shape[:2]
    assert height == fallback.EM_PX * (1 + fallback.DEPTH)
    assert width == pytest.approx(fallback.width_of("東京", font, fallback.EM_PX))
    assert width == pytest.approx(2 * fallback.EM_PX, rel=0.1)
    assert {tuple(pixel) for pixel in drawn[..., :3].reshape(-1, 3)} == {(200, 10, 30)}
    ink = np.flatnonzero(drawn[..., 3].any(axis=1))
    assert 0 < ink[0] < 0.3 * height
    assert 0.8 * height < ink[-1] < height - 1


def test_a_mixed_text_is_as_wide_as_its_parts():
    whole = fallback.width_of("Zoë 東京", FONT, 10)
    assert whole == pytest.approx(fonts.width_of("Zoë ", FONT, 10) + fallback.width_of("東京", FONT, 10))
