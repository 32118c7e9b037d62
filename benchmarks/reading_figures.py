"""What is known of one reader from its answers: what it read right, of whose writing, and how surely."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from benchmarks.goals import Figure
from sheetscan.reading.reader import Reading
from sheetscan.result import CROSS, EMPTY, Content, FieldReading
from sheetscan.template import Field

CONFUSED_DIGITS = (("1", "7"), ("4", "9"), ("5", "6"), ("0", "6"), ("3", "8"))
COMMON_CONFUSIONS = 12
BINS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)
"""Confidence from which to which readings are counted together; the last bin includes 1."""
EQUAL_BINS = 15
PARTS = ("raw", "with the hand", "with rules")
GOAL_MS = {"network": 30, "combined": 200}
"""Which readers are held to the goals, and the time that they may take for a sheet."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One field: what stands there, what the reader said, and what was concluded: of that `alone`, with what
    the sheet shows of its hand, and `helped` by the rules as well.
    """

    field: Field
    truth: Content
    reading: Reading
    alone: FieldReading
    by_hand: FieldReading
    helped: FieldReading
    pen: str
    european: bool

    @property
    def right(self) -> bool:
        """Whether the reader's first reading is exactly what stands there."""
        return self.reading.best == self.truth


@dataclass(frozen=True, slots=True)
class Comparison:
    """One reader's answers to every field of all sheets, and the processor's seconds that each sheet took."""

    name: str
    answers: tuple[Answer, ...]
    seconds: tuple[float, ...]


def group_of(content: Content) -> str:
    """What stands in a field, by its number of digits where it is a number."""
    if content.value is None:
        return content.kind
    digits = len(str(abs(content.value)))
    return f"{digits} digit{'s' if digits > 1 else ''}"


def field_group(answer: Answer) -> str:
    """As `group_of`, fields to be marked apart."""
    group = group_of(answer.truth)
    return f"mark: {group}" if answer.field.kind == "mark" else group


def outcome(answers: Sequence[Answer], part: Literal["alone", "by_hand", "helped"]) -> dict[str, int]:
    """Counts over what was concluded: exact, in doubt, sure and wrong, and sure only with help."""
    readings: list[tuple[Content, FieldReading]] = [
        (answer.truth, getattr(answer, part)) for answer in answers
    ]
    return {
        "fields": len(readings),
        "exact": sum(reading.content == truth for truth, reading in readings),
        "in doubt": sum(reading.doubtful for _, reading in readings),
        "sure and wrong": sum(
            not reading.doubtful and reading.content != truth for truth, reading in readings
        ),
        "rule hints": sum(reading.why == "rule hint" for _, reading in readings),
    }


def by_group(answers: Sequence[Answer], group: Callable[[Answer], str]) -> dict[str, dict[str, int]]:
    """Fields and how many were read exactly, by group."""
    groups: dict[str, dict[str, int]] = {}
    for answer in answers:
        counts = groups.setdefault(group(answer), {"fields": 0, "exact": 0})
        counts["fields"] += 1
        counts["exact"] += answer.right
    return groups


def digit_confusions(answers: Sequence[Answer]) -> dict[str, int]:
    """How often one digit was taken for another in numbers that were read with the right length."""
    pairs: Counter[tuple[str, str]] = Counter()
    for answer in answers:
        written, read = answer.truth.value, answer.reading.best.value
        if written is not None and read is not None and len(str(written)) == len(str(read)):
            pairs.update((a, b) for a, b in zip(str(written), str(read), strict=True) if a != b)
    return {f"{a} as {b}": pairs[a, b] for pair in CONFUSED_DIGITS for a, b in (pair, pair[::-1])}


def reliability(answers: Sequence[Answer]) -> list[tuple[float, float, int, float, float]]:
    """For each of BINS that is not empty: from, to, readings, mean confidence, share that is right."""
    confidence = np.array([answer.reading.confidence for answer in answers])
    right = np.array([answer.right for answer in answers])
    places = np.clip(np.searchsorted(BINS, confidence, side="right") - 1, 0, len(BINS) - 2)
    return [
        (
            BINS[place],
            BINS[place + 1],
            int((places == place).sum()),
            float(confidence[places == place].mean()),
            float(right[places == place].mean()),
        )
        for place in range(len(BINS) - 1)
        if (places == place).any()
    ]


def calibration_error(answers: Sequence[Answer]) -> float:
    """The expected calibration error of these readings."""
    confidence = np.array([answer.reading.confidence for answer in answers])
    return expected_calibration_error(confidence, np.array([answer.right for answer in answers]))


def expected_calibration_error(confidence: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """Of n readings over 15 bins of equal width (Naeini, Cooper and Hauskrecht 2015); 1 is the worst."""
    places = np.minimum((confidence * EQUAL_BINS).astype(int), EQUAL_BINS - 1)
    gaps = [
        abs(confidence[places == place].sum() - right[places == place].sum()) for place in range(EQUAL_BINS)
    ]
    return float(sum(gaps) / len(confidence))


def figures(comparison: Comparison) -> dict[str, object]:
    """All that is known of one reader as plain data."""
    answers = comparison.answers
    numbers = [answer for answer in answers if answer.truth.kind == "number"]
    milliseconds = [1000 * seconds for seconds in comparison.seconds]
    return {
        "reader": comparison.name,
        "groups": by_group(answers, field_group),
        "kinds of field": by_group(answers, lambda answer: answer.field.kind),
        "pens": by_group(numbers, lambda answer: answer.pen),
        "writers": by_group(numbers, _writers),
        "raw": outcome(answers, "alone"),
        "with the hand": outcome(answers, "by_hand"),
        "with rules": outcome(answers, "helped"),
        "digits": digit_confusions(answers),
        "confusions": Counter(
            f"{answer.truth} as {answer.reading.best}" for answer in answers if not answer.right
        ).most_common(COMMON_CONFUSIONS),
        "reliability": reliability(answers),
        "calibration error": round(calibration_error(answers), 4),
        "ms a sheet": round(float(np.mean(milliseconds)), 1),
        "ms of the slowest sheet": round(max(milliseconds), 1),
    }


def _writers(answer: Answer) -> str:
    """Whose number it is, and whether it is one that a row of Qwinto may hold."""
    writer = "European" if answer.european else "other"
    return f"{writer}, 1 to 18" if _in_rows(answer) else f"{writer}, others"


def _in_rows(answer: Answer) -> bool:
    return answer.truth.value is not None and 1 <= answer.truth.value <= 18


def against_goals(name: str, comparison: Comparison) -> Iterator[Figure]:
    """The figures that the readers in GOAL_MS are held to; where there is nothing to measure, none."""
    answers = comparison.answers
    helped = outcome(answers, "helped")
    yield from _share("fields read exactly, raw", answers, 98.5)
    yield Figure("with the sheet's help", _percent(helped["exact"], len(answers)), "%", 99.3, at_least=True)
    european = [answer for answer in answers if answer.european and _in_rows(answer)]
    yield from _share("1 to 18 of European writers, raw", european, 99)
    yield from _share("the same with the sheet's help", european, 99, lambda answer: answer.helped.content)
    yield from _share("crosses", [answer for answer in answers if answer.truth == CROSS], 99.5)
    yield from _share("tally fields", [answer for answer in answers if answer.field.kind == "tally"], 97)
    empty = [answer for answer in answers if answer.truth == EMPTY]
    ink = sum(answer.helped.content != EMPTY for answer in empty)
    yield Figure("empty fields read as ink", _percent(ink, len(empty)), "%", 0.02)
    yield Figure("sure and wrong", _percent(helped["sure and wrong"], len(answers)), "%", 0.1)
    yield Figure("in doubt", _percent(helped["in doubt"], len(answers)), "%", 5)
    yield Figure("expected calibration error", 100 * calibration_error(answers), "%", 1)
    yield Figure("time a sheet", 1000 * float(np.mean(comparison.seconds)), "ms", GOAL_MS[name])


def _share(
    name: str,
    answers: Sequence[Answer],
    goal_percent: float,
    read: Callable[[Answer], Content] = lambda answer: answer.reading.best,
) -> Iterator[Figure]:
    """How many of these fields are `read` right, by the reader's first reading if nothing else is said."""
    if answers:
        right = sum(read(answer) == answer.truth for answer in answers)
        yield Figure(
            f"{name} ({len(answers)})", _percent(right, len(answers)), "%", goal_percent, at_least=True
        )


def _percent(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 0.0
