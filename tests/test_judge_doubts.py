"""All combinations of what doubtful fields may hold, the most probable first."""

import math
from itertools import islice, product

from hypothesis import given
from hypothesis import strategies as st

from sheetscan.doubts import joint_places, joint_readings
from sheetscan.result import number

shares = st.lists(st.sampled_from([0.9, 0.5, 0.3, 0.3, 0.1, 0.0]), min_size=1, max_size=4)
many_shares = st.lists(shares.map(lambda some: sorted(some, reverse=True)), max_size=5)


def all_places(options):
    """Every combination with its probability, by brute force; equal ones in the order of the options."""
    places = product(*(range(len(some)) for some in options))
    weighed = [(chosen, math.prod(map(list.__getitem__, options, chosen))) for chosen in places]
    return sorted(weighed, key=lambda entry: (-entry[1], entry[0]))


@given(many_shares)
def test_every_combination_comes_once_the_most_probable_first(options):
    assert list(joint_places(options)) == all_places(options)


@given(many_shares)
def test_contents_are_those_at_the_places(options):
    named = [{number(place): share for place, share in enumerate(some)} for some in options]
    contents = [tuple(content.value for content in joint) for joint, _ in joint_readings(named)]
    assert contents == [places for places, _ in all_places(options)]


def test_the_first_of_very_many_come_at_once():
    options = [[0.9, *([0.001] * 99)]] * 40
    first, *others = islice(joint_places(options), 41)
    assert first == ((0,) * 40, math.prod([0.9] * 40))
    assert all(sum(map(bool, places)) == 1 for places, _ in others)
