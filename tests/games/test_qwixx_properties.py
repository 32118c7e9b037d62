"""Qwixx under arbitrary play: an oracle in another style, mutations, nonsense."""

from itertools import product
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from sheetscan.games.qwixx_score import PENALTIES
from sheetscan.result import CONTENT_KINDS, CROSS, EMPTY, Content, number
from tests.games.qwixx_sheets import ORDERS, VARIANTS, audit, rules_of, told

TABLE = dict(zip(range(13), [0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78], strict=True))
ROWS = ("red", "yellow", "green", "blue")
seeds = st.integers(0, 2**32 - 1)
variants = st.sampled_from(VARIANTS)


def play(seed):
    """A sheet after random legal play: four strings of eleven numbers and a lock, `x` where crossed."""
    random = Random(seed)
    rows = ["." * 12] * 4
    penalties = 0
    for _ in range(random.randrange(60)):
        row, place = random.randrange(4), random.randrange(11)
        line = rows[row]
        if "x" in line[place:] or random.random() < 0.3:
            penalties += random.random() < 0.1
        elif place < 10:
            rows[row] = line[:place] + "x" + line[place + 1 :]
        elif line.count("x") >= 5:
            rows[row] = line[:10] + "xx"
        if penalties == 4 or sum(line[11] == "x" for line in rows) == 2:
            break
    return rows, penalties


def oracle(rows, penalties):
    return sum(TABLE[line.count("x")] for line in rows) - 5 * penalties


def contents_of(variant, rows, penalties):
    contents = {}
    for row, line in zip(ROWS, rows, strict=True):
        for word, mark in zip((*ORDERS[variant][row].split(), "lock"), line, strict=True):
            if mark == "x":
                contents[f"{row}-{word}"] = CROSS
    return contents | dict.fromkeys(PENALTIES[:penalties], CROSS)


def tally_of(judged):
    figures = {f"tally-{line.label}": number(abs(line.points)) for line in judged.lines}
    return figures | {"tally-total": number(judged.total)}


@given(variants, seeds)
def test_legal_play_gives_no_finding_and_the_oracles_score(variant, seed):
    rows, penalties = play(seed)
    contents = contents_of(variant, rows, penalties)
    judged = audit(contents, variant)
    assert judged.total == oracle(rows, penalties)
    assert -20 <= judged.total <= 266
    assert (judged.violations, judged.repairs, judged.range) == ((), (), (judged.total, judged.total))
    assert audit(contents | tally_of(judged), variant).violations == ()


@given(variants, seeds, st.integers(0, 3), st.integers(0, 4), st.booleans())
def test_a_last_number_crossed_too_early_is_found(variant, seed, row, others, lock):
    rows, penalties = play(seed)
    places = Random(seed).sample(range(10), others)
    early = "".join("x" if place in places else "." for place in range(10))
    rows[row] = early + "x" + "x" * lock + "." * (not lock)
    judged = audit(contents_of(variant, rows, penalties), variant)
    assert [code for code, *_ in told(judged)] == ["last-number"]
    rows[row] = early + ".."
    assert judged.total == oracle(rows, penalties)


@given(variants, seeds, st.integers(0, 3))
def test_a_lock_that_is_missing_or_alone_changes_no_total(variant, seed, row):
    rows, penalties = play(seed)
    total, mark = oracle(rows, penalties), rows[row][11]
    rows[row] = rows[row][:11] + ("." if mark == "x" else "x")
    judged = audit(contents_of(variant, rows, penalties), variant)
    code = "lock-missing" if mark == "x" else "lone-lock"
    assert told(judged) == [(code, "note", (f"{ROWS[row]}-lock",))]
    assert judged.total == total


@given(variants, seeds, st.sampled_from(["red", "blue", "penalties", "total"]), st.integers(1, 99))
def test_a_wrong_figure_is_found(variant, seed, line, slip):
    contents = contents_of(variant, *play(seed))
    tally = tally_of(audit(contents, variant))
    field = f"tally-{line}"
    wrong = contents | tally | {field: number(tally[field].value + slip)}
    judged = audit(wrong, variant)
    unsigned = line == "penalties" and tally[field].value + slip == 0
    assert told(judged) == ([] if unsigned else [("tally", "one-of", (field,))])


nonsense = st.builds(
    Content, st.sampled_from(CONTENT_KINDS), st.one_of(st.none(), st.integers(), st.just(10**40))
)
names = st.one_of(
    st.sampled_from(
        [f"{row}-{value}" for row, value in product(ROWS, (*range(14), "lock"))]
        + [f"penalty-{place}" for place in range(7)]
        + ["tally-red", "tally-total", "tally-penalties", "name"]
    ),
    st.text(max_size=8),
)
sheets = st.dictionaries(names, nonsense, max_size=30)


@given(variants, sheets)
def test_the_audit_never_raises(variant, contents):
    judged = audit(contents, variant)
    assert judged.range == (judged.total, judged.total)


@given(variants, st.lists(sheets, max_size=4))
def test_whole_games_never_raise(variant, contents):
    for found in rules_of(variant).across(contents):
        assert found.sheets
        assert set(found.sheets) <= set(range(len(contents)))


@given(variants, seeds, st.data())
def test_bounds_hold_whatever_doubtful_fields_are(variant, seed, data):
    contents = contents_of(variant, *play(seed))
    rules = rules_of(variant)
    fields = data.draw(st.lists(st.sampled_from(sorted(rules.scoring_fields)), max_size=5, unique=True))
    options = {name: (content,) for name, content in contents.items()} | dict.fromkeys(fields, (EMPTY, CROSS))
    low, high = rules.total_bounds(options)
    totals = {
        audit(contents | dict(zip(fields, reading, strict=True)), variant).total
        for reading in product((EMPTY, CROSS), repeat=len(fields))
    }
    assert low <= min(totals)
    assert max(totals) <= high or max(totals) > 266
