"""Which fields must go so that no violation is left: all inclusion-minimal sets of crosses.

Numbers that can't stand at all are in every repair. The others clash in pairs, and a set of crosses that
hits every pair without a cross too many is what a maximal set of clash-free numbers leaves over. So the
repairs are listed by the algorithm of Bron and Kerbosch (1973) with Tomita's pivot, on bit sets; n clashing
numbers have at most 3^(n/3) repairs (Moon and Moser 1965), 19683 for a sheet of 27.
"""

from collections.abc import Collection, Iterator, Sequence


def minimal_repairs(
    order: Sequence[str], impossible: Collection[str], clashes: Collection[tuple[str, str]]
) -> list[tuple[str, ...]]:
    """Every inclusion-minimal set of fields whose crosses leave no violation, the smallest first.

    `impossible` fields go in any case; of each pair in `clashes` at least one goes. Fields are named in the
    sheet's `order`, which also settles the order among repairs of one size.
    """
    clashing = [0] * len(order)
    involved = 0
    for first, second in clashes:
        left, right = order.index(first), order.index(second)
        clashing[left] |= 1 << right
        clashing[right] |= 1 << left
        involved |= 1 << left | 1 << right
    always = sum(1 << order.index(field) for field in impossible)
    crossed = [always]
    for group in _groups(clashing, involved & ~always):
        ways = [group & ~kept for kept in _clash_free(clashing, 0, group, 0)]
        crossed = [cross | way for cross in crossed for way in ways]
    places = sorted(map(_bits, crossed), key=lambda repair: (len(repair), repair))
    return [tuple([order[number] for number in repair]) for repair in places]


def _groups(clashing: Sequence[int], members: int) -> Iterator[int]:
    """The members in groups that clash with no member outside: each is repaired by itself."""
    while members:
        group, reached = 0, members & -members
        while group != reached:
            group = reached
            for number in _bits(group):
                reached |= clashing[number] & members
        yield group
        members &= ~group


def _clash_free(clashing: Sequence[int], kept: int, candidates: int, done: int) -> Iterator[int]:
    """All maximal clash-free sets that hold `kept`, more of `candidates`, and nothing of `done`."""
    if not candidates:
        if not done:
            yield kept
        return
    pivot = min(_bits(candidates | done), key=lambda number: (candidates & clashing[number]).bit_count())
    for number in _bits(candidates & (clashing[pivot] | 1 << pivot)):
        field = 1 << number
        apart = ~(clashing[number] | field)
        yield from _clash_free(clashing, kept | field, candidates & apart, done & apart)
        candidates &= ~field
        done |= field


def _bits(members: int) -> list[int]:
    """The numbers in a bit set, ascending."""
    numbers = []
    while members:
        lowest = members & -members
        numbers.append(lowest.bit_length() - 1)
        members ^= lowest
    return numbers
