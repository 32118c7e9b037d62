"""Qwinto under arbitrary play: an oracle in another style, mutations, brute force, nonsense."""

from itertools import combinations, product
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from sheetscan.games.qwinto import Qwinto
from sheetscan.games.qwinto_rows import judged_row, ruling_on, together, verdict_on
from sheetscan.games.qwinto_score import MISTHROWS, NUMBER_FIELDS, POSSIBLE_CONTENTS
from sheetscan.result import CONTENT_KINDS, CROSS, EMPTY, Content, number
from tests.games.sheets import audit, codes, found

GRID = (
    "..oPo#oPoooo",
    ".ooooo#oPoo.",
    "ooPo#ooooP..",
)
"""The sheet as the rules draw it: orange, yellow, purple over the columns 1 to 12."""
NAMES = ("orange", "yellow", "purple")

seeds = st.integers(0, 2**32 - 1)


def oracle(grid, misthrows):
    """The total of a legal sheet, from a 3 x 12 grid of numbers (0: none)."""
    total = -5 * misthrows
    for numbers in grid:
        count = sum(1 for value in numbers if value)
        total += max(numbers) if count == 9 else count
    for column in range(12):
        marks = "".join(GRID[row][column] for row in range(3))
        values = [grid[row][column] for row in range(3)]
        if "P" in marks and all(values):
            total += values[marks.index("P")]
    return total


def clash_free(grid):
    """Whether a grid breaks no rule of value, row or column."""
    rows = [[value for value in numbers if value is not None] for numbers in grid]
    columns = [
        [grid[row][column] for row in range(3) if grid[row][column] is not None] for column in range(12)
    ]
    return (
        all(row == sorted(set(row)) for row in rows)
        and all(len(column) == len(set(column)) for column in columns)
        and all(1 <= value <= 18 for row in rows for value in row)
    )


def play(seed):
    """A sheet after random legal play: throw after throw, written in a legal place or passed."""
    random = Random(seed)
    grid = [[0] * 12 for _ in GRID]
    misthrows = 0
    for _ in range(random.randrange(1, 200)):
        dice = random.randrange(1, 4)
        throw = sum(random.randrange(1, 7) for _ in range(dice))
        places = [
            (row, column)
            for row in random.sample(range(3), dice)
            for column in range(12)
            if GRID[row][column] in "oP"
            and not grid[row][column]
            and not any(value >= throw for value in grid[row][:column])
            and not any(0 < value <= throw for value in grid[row][column:])
            and throw not in [grid[other][column] for other in range(3)]
        ]
        if places:
            row, column = random.choice(places)
            grid[row][column] = throw
        elif random.random() < 0.2:
            misthrows += 1
        if misthrows == 4 or sum(sum(map(bool, numbers)) == 9 for numbers in grid) == 2:
            break
    return grid, misthrows


def contents_of(grid, misthrows):
    contents = {
        f"{NAMES[row]}-{column + 1}": number(grid[row][column])
        for row in range(3)
        for column in range(12)
        if grid[row][column]
    }
    return contents | {f"misthrow-{place}": CROSS for place in range(1, misthrows + 1)}


def tally_of(judged):
    """The tally that a careful player writes."""
    figures = {f"tally-{line.label}": number(abs(line.points)) for line in judged.lines}
    return figures | {"tally-total": number(judged.total)}


def parts(judged):
    """All that an audit says."""
    return judged.violations, judged.repairs, judged.lines, judged.total, judged.range


@given(seeds)
def test_legal_play_gives_no_finding_and_the_oracles_score(seed):
    grid, misthrows = play(seed)
    contents = contents_of(grid, misthrows)
    judged = audit(contents)
    assert judged.total == oracle(grid, misthrows)
    assert -20 <= judged.total <= 116
    assert (judged.violations, judged.repairs) == ((), ())
    assert audit(contents | tally_of(judged)).violations == ()


@given(seeds, st.one_of(st.integers(max_value=0), st.integers(min_value=19)), st.sampled_from(NUMBER_FIELDS))
def test_a_number_that_no_throw_gives_is_found(seed, value, field):
    judged = audit(contents_of(*play(seed)) | {field: number(value)})
    (violation,) = judged.violations[:1]
    assert (violation.code, violation.fields) == ("value", (field,))
    assert judged.repairs[0].crosses == (field,)


@given(seeds, st.data())
def test_a_number_not_above_one_to_its_left_is_found(seed, data):
    grid, misthrows = play(seed)
    row = data.draw(st.integers(0, 2))
    places = [column for column in range(12) if GRID[row][column] in "oP"]
    left, right = sorted(data.draw(st.lists(st.sampled_from(places), min_size=2, max_size=2, unique=True)))
    grid[row][left] = grid[row][left] or data.draw(st.integers(1, 18))
    grid[row][right] = data.draw(st.integers(1, grid[row][left]))
    judged = audit(contents_of(grid, misthrows))
    pair = {f"{NAMES[row]}-{left + 1}", f"{NAMES[row]}-{right + 1}"}
    assert any(pair & set(violation.fields) for violation in found(judged, "row-order"))
    assert all(pair & set(repair.crosses) for repair in judged.repairs)


@given(seeds, st.data())
def test_a_number_twice_in_a_column_is_found(seed, data):
    grid, misthrows = play(seed)
    column = data.draw(st.integers(1, 10))
    rows = [row for row in range(3) if GRID[row][column] in "oP"]
    upper, lower = data.draw(st.permutations(rows))[:2]
    grid[upper][column] = grid[lower][column] = grid[lower][column] or data.draw(st.integers(1, 18))
    judged = audit(contents_of(grid, misthrows))
    pair = {f"{NAMES[row]}-{column + 1}" for row in (upper, lower)}
    assert any(pair & set(violation.fields) for violation in found(judged, "column-repeat"))
    assert all(pair & set(repair.crosses) for repair in judged.repairs)


@given(seeds, st.sampled_from(["orange-6", "yellow-7", "purple-5"]), st.integers(-99, 999))
def test_something_in_a_blocked_field_is_found_and_changes_nothing_else(seed, field, value):
    contents = contents_of(*play(seed))
    judged = audit(contents | {field: number(value)})
    assert [(v.code, v.fields) for v in judged.violations] == [("blocked-field", (field,))]
    assert judged.total == audit(contents).total


@given(seeds, st.sets(st.integers(1, 4)))
def test_misthrows_not_marked_from_the_left_are_found(seed, marked):
    grid, _ = play(seed)
    judged = audit(contents_of(grid, 0) | {f"misthrow-{place}": CROSS for place in marked})
    gap = marked != set(range(1, len(marked) + 1))
    assert bool(found(judged, "misthrows-order")) == gap
    assert judged.total == oracle(grid, len(marked))


@given(seeds, st.data())
def test_a_wrong_figure_in_the_tally_is_found(seed, data):
    contents = contents_of(*play(seed))
    tally = tally_of(audit(contents))
    field = data.draw(st.sampled_from(sorted(tally)))
    right = abs(tally[field].value) if field == "tally-misthrows" else tally[field].value
    wrong = data.draw(st.integers(0, 150).filter(lambda value: value != right))
    (violation,) = audit(contents | tally | {field: number(wrong)}).violations
    assert (violation.code, violation.fields) == ("tally", (field,))
    assert (violation.figures["written"], violation.figures["computed"]) == (wrong, right)


small_sheets = st.dictionaries(st.sampled_from(NUMBER_FIELDS), st.integers(0, 6), max_size=9)


def grid_without(numbers, crosses):
    grid = [[None] * 12 for _ in GRID]
    for field, value in numbers.items():
        name, column = field.split("-")
        grid[NAMES.index(name)][int(column) - 1] = None if field in crosses else value
    return grid


@given(small_sheets)
@settings(max_examples=200)
def test_repairs_are_all_the_inclusion_minimal_ones(numbers):
    """The audit lists every inclusion-minimal repair, the smallest first, each with its score."""
    minimal = []
    for size in range(len(numbers) + 1):
        for crosses in combinations(numbers, size):
            smaller = any(set(repair) <= set(crosses) for repair in minimal)
            if not smaller and clash_free(grid_without(numbers, crosses)):
                minimal.append(crosses)
    judged = audit({field: number(value) for field, value in numbers.items()})
    expected = (
        {}
        if minimal == [()]
        else {
            frozenset(crosses): oracle(
                [[value or 0 for value in row] for row in grid_without(numbers, crosses)], misthrows=0
            )
            for crosses in minimal
        }
    )
    assert {frozenset(repair.crosses): repair.score for repair in judged.repairs} == expected
    assert len(judged.repairs) == len(expected)
    sizes = [len(repair.crosses) for repair in judged.repairs]
    assert sizes == sorted(sizes)
    assert_severities(judged)


def assert_severities(judged):
    """A field in every minimum repair must become a cross; a field in only some is one of these."""
    minimum = [set(r.crosses) for r in judged.repairs if len(r.crosses) == len(judged.repairs[0].crosses)]
    in_all = set.intersection(*minimum) if minimum else set()
    in_some = set.union(*minimum) - in_all if minimum else set()
    accused = {severity: set() for severity in ("must-cross", "one-of")}
    for violation in judged.violations:
        accused[violation.severity] |= set(violation.fields)
    assert accused == {"must-cross": in_all, "one-of": in_some}
    if minimum:
        scores = [r.score for r in judged.repairs[: len(minimum)]]
        assert (judged.total, judged.range) == (min(scores), (min(scores), max(scores)))


@given(
    seeds,
    st.dictionaries(st.sampled_from(NUMBER_FIELDS), st.integers(0, 19), max_size=6),
    st.dictionaries(st.sampled_from(sorted(POSSIBLE_CONTENTS)), st.integers(0, 116).map(number), max_size=3),
)
def test_every_repair_leaves_a_sheet_without_clash_and_its_score(seed, changes, others):
    """A set of fields that become crosses so that no violation is left, each with its score."""
    contents = contents_of(*play(seed)) | {field: number(value) for field, value in changes.items()} | others
    judged = audit(contents)
    for repair in judged.repairs:
        mended = audit(contents | dict.fromkeys(repair.crosses, CROSS))
        assert mended.repairs == ()
        assert mended.total == repair.score
        if repair == judged.repairs[0]:
            assert mended.lines == judged.lines


@given(st.lists(st.tuples(seeds, small_sheets), min_size=2, max_size=4))
def test_what_was_judged_before_changes_nothing(sheets):
    """What nearly equal sheets have in common is remembered; each is judged as if it were the first."""
    everything = [
        contents_of(*play(seed)) | {field: number(value) for field, value in changes.items()}
        for seed, changes in sheets
    ]
    later = [parts(audit(contents)) for contents in everything]
    for contents, told in zip(everything, later, strict=True):
        for remembered in (judged_row, together, ruling_on, verdict_on):
            remembered.cache_clear()
        assert parts(audit(contents)) == told


options = st.lists(
    st.one_of(st.just(EMPTY), st.just(CROSS), st.integers(0, 19).map(number)),
    min_size=1,
    max_size=3,
    unique=True,
)


@given(seeds, st.dictionaries(st.sampled_from((*NUMBER_FIELDS, *MISTHROWS)), options, max_size=4))
def test_no_sheet_goes_beyond_the_bounds(seed, doubts):
    sure = {field: [content] for field, content in contents_of(*play(seed)).items()}
    choices = sure | doubts
    lowest, highest = Qwinto().total_bounds(choices)
    for joint in product(*choices.values()):
        judged = audit(dict(zip(choices, joint, strict=True)))
        assert lowest <= judged.range[0] <= judged.range[1] <= highest


@given(seeds)
def test_the_bounds_of_a_legal_sheet_are_its_total(seed):
    grid, misthrows = play(seed)
    contents = contents_of(grid, misthrows)
    total = oracle(grid, misthrows)
    assert Qwinto().total_bounds({field: [content] for field, content in contents.items()}) == (total, total)


wild_fields = st.one_of(st.sampled_from(sorted(POSSIBLE_CONTENTS)), st.text(), st.just("misthrow-9"))
wild_contents = st.builds(
    Content, st.one_of(st.sampled_from(CONTENT_KINDS), st.text()), st.one_of(st.none(), st.integers())
)


@given(st.dictionaries(wild_fields, wild_contents))
def test_the_audit_never_raises(contents):
    judged = audit(contents)
    assert judged.total == sum(line.points for line in judged.lines)
    assert judged.range[0] == judged.total <= judged.range[1]


@given(st.dictionaries(st.sampled_from(NUMBER_FIELDS), st.integers(1, 18), min_size=20), st.booleans())
@settings(max_examples=20, deadline=None)
def test_a_sheet_full_of_clashes_is_judged_all_the_same(numbers, falling):
    if falling:
        numbers = {field: 27 - place for place, field in enumerate(NUMBER_FIELDS)}
    judged = audit({field: number(value) for field, value in numbers.items()})
    assert judged.repairs
    assert judged.range[0] == judged.total <= judged.range[1]


@given(seeds, st.sampled_from(NUMBER_FIELDS))
def test_an_empty_field_and_one_left_out_are_the_same(seed, field):
    contents = contents_of(*play(seed))
    left_out = {name: content for name, content in contents.items() if name != field}
    assert parts(audit(contents | {field: EMPTY})) == parts(audit(left_out))


def test_possible_contents_are_judged_without_a_word():
    """What a field may hold breaks no rule by itself, but for a blocked one and a tally of an empty sheet."""
    for field, possible in POSSIBLE_CONTENTS.items():
        for content in possible:
            allowed = {"blocked-field", "tally", "misthrows-order"}
            assert set(codes(Qwinto().audit({field: content}))) <= allowed
