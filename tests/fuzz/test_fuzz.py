"""Two thousand damaged inputs: each gives a result or one of our errors, in time and in bounded memory."""

from functools import partial

import pytest

from tests.fuzz import attempts
from tests.fuzz.watched import endure


@pytest.mark.parametrize("form", ["JPEG", "PNG", "TIFF", "WEBP", "PDF"])
def test_damaged_pictures(form: str) -> None:
    assert endure(partial(attempts.scan_picture, form=form), 100) > 20


@pytest.mark.parametrize("name", ["qwinto", "qwixx"])
def test_damaged_templates(name: str) -> None:
    assert endure(partial(attempts.check_template, name=name), 250) > 100


def test_damaged_results() -> None:
    assert endure(attempts.judge_result, 600) > 200


def test_damaged_codes() -> None:
    assert endure(attempts.parse_code, 400) == 0
