"""What would change the winner: the questions that are open, and which of them decides or narrows most."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sheetscan.result import Content
from sheetscan.settle.outcomes import Outcomes
from sheetscan.settle.papers import Paper
from sheetscan.settle.settlement import Answer, Question, QuestionKind
from sheetscan.settle.winners import Chance, winner_sets
from sheetscan.settle.words import Words

MARKS = {"empty", "cross", "line", "void"}
"""Kinds of content whose name is a VALUE of `--set`."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A sheet of paper in the game, with what each of its results may come to, the one that counts first."""

    paper: Paper
    outcomes: tuple[Outcomes, ...]

    @property
    def chance(self) -> Chance:
        """The totals that it may have."""
        totals = frozenset[int]().union(*(outcomes.totals for outcomes in self.outcomes))
        return Chance(self.paper.number, totals, self.paper.optional)

    @property
    def chance_of_all_repairs(self) -> Chance:
        """The totals that it may have if more is crossed out than needed."""
        totals = frozenset[int]().union(*(outcomes.totals_of_all_repairs for outcomes in self.outcomes))
        return replace(self.chance, totals=totals)


@dataclass(frozen=True, slots=True)
class _Choice:
    """An answer before its words: what becomes of the sheet's chance (None: it is not of the game)."""

    chance: Chance | None
    text: str
    option: str | None


@dataclass(frozen=True, slots=True)
class _Open:
    """An open question before it is weighed."""

    kind: QuestionKind
    sheet: int
    fields: tuple[str, ...]
    text: str
    choices: tuple[_Choice, ...]


def in_order(sets: Iterable[frozenset[int]]) -> tuple[tuple[int, ...], ...]:
    """Sets of winners as plain data: the smallest first."""
    return tuple(sorted((tuple(sorted(winners)) for winners in sets), key=lambda each: (len(each), each)))


def deciding_question(
    seats: Sequence[Seat], clashes: Mapping[int, Sequence[tuple[str, str]]], words: Words
) -> Question | None:
    """The question whose answers leave the fewest sets of winners, at worst and then on the whole.

    `clashes` are, by sheet, the pairs of fields of which one must become a cross.
    """
    chances = [seat.chance for seat in seats]
    weighed = [
        _weighed(question, chances)
        for seat in seats
        for question in _open_questions(seat, clashes.get(seat.paper.number, ()), words)
    ]
    return min(weighed, key=_weight, default=None)


def _weight(question: Question) -> tuple[int, float, int]:
    left = [len(answer.winners) for answer in question.answers]
    return max(left), sum(left) / len(left), len(left)


def _weighed(question: _Open, chances: Sequence[Chance]) -> Question:
    others = [chance for chance in chances if chance.sheet != question.sheet]
    answers = tuple(
        Answer(
            choice.text,
            choice.option,
            in_order(winner_sets([*others, choice.chance] if choice.chance else others)),
        )
        for choice in question.choices
    )
    decides = all(len(answer.winners) == 1 for answer in answers)
    return Question(question.kind, question.sheet, question.fields, question.text, decides, answers)


def _open_questions(seat: Seat, clashes: Iterable[tuple[str, str]], words: Words) -> Iterator[_Open]:
    if seat.paper.optional:
        yield _membership(seat, words)
    if len(seat.outcomes) > 1:
        yield _which_photo(seat, words)
        return
    (outcomes,) = seat.outcomes
    for field, options in outcomes.options.items():
        if len(options) > 1:
            yield _reading(seat, field, options, words)
    yield from (_order(seat, pair, words) for pair in clashes)


def _membership(seat: Seat, words: Words) -> _Open:
    sheet = seat.paper.number
    yes = _Choice(replace(seat.chance, optional=False), words.say("member-yes"), "--same-game")
    no = _Choice(None, words.say("member-no", photo=words.photo(sheet)), None)
    return _Open("member", sheet, (), words.say("ask-member", name=words.name(sheet)), (yes, no))


def _which_photo(seat: Seat, words: Words) -> _Open:
    sheet = seat.paper.number
    numbers = (sheet, *seat.paper.rivals)
    photos = {number: words.photo(number) for number in numbers}
    choices = tuple(
        _Choice(
            replace(seat.chance, totals=outcomes.totals),
            words.say("photo-only", photo=photos[number]),
            None,
        )
        for number, outcomes in zip(numbers, seat.outcomes, strict=True)
    )
    text = words.say("ask-photo", name=words.name(sheet), photos=words.either(list(photos.values())))
    return _Open("photo", sheet, (), text, choices)


def _reading(seat: Seat, field: str, options: Sequence[Content], words: Words) -> _Open:
    sheet = seat.paper.number
    choices = tuple(
        _Choice(
            replace(seat.chance, totals=seat.outcomes[0].given(field, content)),
            words.content(content),
            f"--set {sheet}:{field}={_value(content)}",
        )
        for content in options
    )
    text = words.say(
        "ask-reading",
        name=words.name(sheet),
        field=words.field(field),
        choices=words.either([choice.text for choice in choices]),
    )
    return _Open("reading", sheet, (field,), text, choices)


def _order(seat: Seat, pair: tuple[str, str], words: Words) -> _Open:
    sheet = seat.paper.number
    first, second = (words.entry(sheet, field) for field in pair)
    choices = tuple(
        _Choice(
            replace(seat.chance, totals=seat.outcomes[0].crossed(field)),
            words.say("order-first", first=other_words, second=own_words),
            f"--decide {sheet}:{field}=cross",
        )
        for field, own_words, other_words in ((pair[1], second, first), (pair[0], first, second))
    )
    text = words.say("ask-order", name=words.name(sheet), first=first, second=second)
    return _Open("order", sheet, pair, text, choices)


def _value(content: Content) -> str:
    return content.kind if content.kind in MARKS else str(content.value)
