"""Real handwriting recorded as strokes: one hand for every writer of whom all ten digits are known.

The files are described in the README beside them; writers marked `validation` are never mixed with the rest.
"""

import tomllib
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Literal
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from sheetscan.errors import UnreadableInputError
from sheetscan.lab.hand import MIN_SPACING, MarkKind, Strokes, compose, fill, scribble

Split = Literal["train", "validation"]

EUROPEAN_SOURCES = ("val:", "gmd:", "imp:", "uqb:", "skahl:", "rus:")
"""Prefixes of the writers that write European 1s and 7s."""

DIGIT_FILES = ("unipen_digits", "skahl_strokes", "russian_strokes", "unipen_numbers")
MARK_SIGNS: dict[str, MarkKind] = {"x": "cross", "X": "cross", "/": "slash", "\\": "slash", "-": "line"}
WHOLE_STRING_SHARE = 0.5
"""How often a number is taken as its writer wrote it, where it is known, rather than composed."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One recorded sample."""

    index: int
    """Its place in the file."""
    strokes: Strokes
    """Larger side 1.0, upper left corner at the origin."""
    label: str
    writer: str
    size: float
    """Larger side in the recording device's units."""
    sure: bool


@dataclass(slots=True)
class _Writer:
    written: dict[str, list[Strokes]] = field(default_factory=lambda: defaultdict(list))
    """Digits, "-" and whole numbers in digit heights on the baseline."""
    marks: dict[MarkKind, list[Strokes]] = field(default_factory=lambda: defaultdict(list))
    """Marks in the unit square x 0..1, y -1..0."""


class RecordedHand:
    """A real writer; numbers are composed of the digits that this writer wrote (see Hand)."""

    def __init__(self, name: str, writer: _Writer, others: dict[MarkKind, list[Strokes]]) -> None:
        self.name = name
        self.european = name.startswith(EUROPEAN_SOURCES)
        self._written = dict(writer.written)
        self._marks = {kind: writer.marks.get(kind) or others[kind] for kind in others}

    def write(self, text: str, rng: np.random.Generator) -> Strokes:
        """Write digits and "-" (see Hand)."""
        if not text or any(sign not in "-0123456789" for sign in text):
            raise ValueError(f"only digits and '-' can be written, not {text!r}")
        whole = self._written.get(text)
        if whole and (len(text) == 1 or rng.random() < WHOLE_STRING_SHARE):
            return _pick(whole, rng)
        spacing = max(float(rng.normal(0.18, 0.09)), MIN_SPACING)
        signs = [_pick(self._written[sign], rng) if sign in self._written else _dash(rng) for sign in text]
        return compose(signs, spacing, float(rng.normal(0, 0.05)), rng)

    def mark(self, kind: MarkKind, rng: np.random.Generator) -> Strokes:
        """Draw a mark (see Hand)."""
        if kind == "scribble":
            return scribble(rng)
        if kind == "fill":
            return fill(rng)
        if kind == "tick":
            return [_tick(rng)]
        return _pick(self._marks[kind], rng)

    def cross(self, rng: np.random.Generator) -> Strokes:
        """A cross of this writer, or of another one of the same split (see Hand)."""
        return self.mark("cross", rng)


class RecordedHands:
    """The writers of one split.

    `hands` are those that can write every number; `strings` are whole numbers as written by anybody of the
    split, as (text, strokes), for training.
    Raises UnreadableInputError if a file is missing or not as described.
    """

    def __init__(self, folder: Path, split: Split) -> None:
        writers: dict[str, _Writer] = defaultdict(_Writer)
        for name in DIGIT_FILES:
            _add_digits(load_samples(folder / f"{name}.npz", split), writers)
        for name in ("unipen_marks", "russian_strokes"):
            _add_marks(load_samples(folder / f"{name}.npz", split), writers)
        everyone: dict[MarkKind, list[Strokes]] = defaultdict(list)
        for writer in writers.values():
            for kind, drawn in writer.marks.items():
                everyone[kind] += drawn
        self.hands = [
            RecordedHand(name, writer, everyone)
            for name, writer in sorted(writers.items())
            if all(writer.written.get(digit) for digit in "0123456789")
        ]
        self.strings = [
            (text, strokes)
            for _, writer in sorted(writers.items())
            for text, written in writer.written.items()
            if text != "-"
            for strokes in written
        ]


@cache
def undecidable() -> dict[str, dict[str, frozenset[int]]]:
    """The samples left out because they don't show what their label says: file to split to indices.

    Found by `training.clean` and looked at; the list is data in this package.
    """
    text = resources.files("sheetscan.lab").joinpath("undecidable.toml").read_text(encoding="utf-8")
    return {
        file: {split: frozenset(indices) for split, indices in splits.items()}
        for file, splits in tomllib.loads(text).items()
    }


def load_samples(path: Path, split: Split) -> list[Sample]:
    """The samples of one file and split, without those that are undecidable."""
    left_out = undecidable().get(path.stem, {}).get(split, frozenset())
    try:
        data = dict(np.load(path, allow_pickle=False))
        points = data["points"].astype(np.float32) / 4000
        stroke_start, sample_start = data["stroke_start"], data["sample_start"]
        quality = data.get("quality", np.full(len(data["label"]), "OK"))
        chosen = np.flatnonzero(data["validation"] == (split == "validation"))
        samples = [
            Sample(
                index=int(index),
                strokes=[
                    _without_steps(points[stroke_start[stroke] : stroke_start[stroke + 1]])
                    for stroke in range(sample_start[index], sample_start[index + 1])
                ],
                label=str(data["label"][index]),
                writer=str(data["writer"][index]),
                size=float(data["size"][index]),
                sure=str(quality[index]) == "OK",
            )
            for index in chosen
            if int(index) not in left_out
        ]
    except (OSError, KeyError, IndexError, ValueError, BadZipFile) as error:
        hint = "give the folder of stroke files described in its README"
        raise UnreadableInputError(f"{path}: not a stroke file ({error})", hint) from error
    return samples


def _without_steps(stroke: NDArray[np.float32]) -> NDArray[np.float32]:
    """The stroke without the steps of a coarse tablet: resampled evenly and averaged over 0.03."""
    lengths = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(stroke, axis=0).T))])
    count = int(lengths[-1] / 0.015)
    if count < 8:
        return stroke
    places = np.linspace(0, lengths[-1], count)
    even = [np.interp(places, lengths, stroke[:, axis]) for axis in (0, 1)]
    kernel = np.array([1, 2, 3, 2, 1]) / 9
    smooth = [np.convolve(np.pad(line, 2, mode="edge"), kernel, mode="valid") for line in even]
    return np.stack(smooth, axis=1).astype(np.float32)


def _add_digits(samples: list[Sample], writers: dict[str, _Writer]) -> None:
    """Scale each writer's digits so that his typical digit is 1.0 high; bigger ones stay bigger."""
    usual: dict[str, list[float]] = defaultdict(list)
    kept = [sample for sample in samples if plausible_number(sample)]
    for sample in kept:
        usual[sample.writer].append(_height(sample) * sample.size)
    for sample in kept:
        relative = _height(sample) * sample.size / float(np.median(usual[sample.writer]))
        height = float(np.clip(relative, 0.8, 1.25))
        writers[sample.writer].written[sample.label].append(_on_baseline(sample, height))


def _add_marks(samples: list[Sample], writers: dict[str, _Writer]) -> None:
    for sample in samples:
        kind = MARK_SIGNS.get(sample.label)
        if kind is None or not _plausible_mark(sample, kind):
            continue
        if sample.label == "-":
            writers[sample.writer].written["-"].append(_dash_of(sample))
        writers[sample.writer].marks[kind].append(_in_square(sample, kind))


def _extent(sample: Sample) -> NDArray[np.float32]:
    points = np.concatenate(sample.strokes)
    return np.asarray(points.max(axis=0) - points.min(axis=0), np.float32)


def _height(sample: Sample) -> float:
    return float(_extent(sample)[1])


def plausible_number(sample: Sample) -> bool:
    """Whether a sample can be the number that its label says; '?' samples are held to narrower bounds."""
    if not set(sample.label) <= set("0123456789") or len(sample.label) > 3:
        return False
    width, height = (float(side) for side in _extent(sample))
    signs = len(sample.label)
    widest, narrowest = (1.6, 0.22) if sample.sure else (1.2, 0.27)
    if set(sample.label) == {"1"}:
        widest, narrowest = widest * 0.7, 0.0
    enough = sum(len(stroke) for stroke in sample.strokes) >= 4 * signs and height > 0.2
    pieces = len(sample.strokes) <= (4 if sample.sure else 3) * signs
    return enough and pieces and narrowest * signs**0.5 <= width / height <= widest * signs


def _plausible_mark(sample: Sample, kind: MarkKind) -> bool:
    width, height = (float(side) for side in _extent(sample))
    ratio = width / max(height, 1e-6)
    if kind == "cross":
        return 0.4 < ratio < 2.5 and len(sample.strokes) <= 2 and _crosses_itself(sample.strokes)
    if kind == "slash":
        return ratio < 2.5 and len(sample.strokes) == 1
    return ratio > 3 and len(sample.strokes) == 1


def _crosses_itself(strokes: Strokes) -> bool:
    """Whether two pieces of the strokes cross: an x written as two bows, or cut in half, is no cross."""
    starts = np.concatenate([stroke[:-1] for stroke in strokes])
    ways = np.concatenate([np.diff(stroke, axis=0) for stroke in strokes])
    between = starts[None] - starts[:, None]
    across = _turn(ways[:, None], ways[None])
    with np.errstate(divide="ignore", invalid="ignore"):
        first = _turn(between, ways[None]) / across
        second = _turn(between, ways[:, None]) / across
    inside = (first > 0.01) & (first < 0.99) & (second > 0.01) & (second < 0.99)
    return bool((inside & (np.abs(across) > 1e-9)).any())


def _turn(first: NDArray[np.float32], second: NDArray[np.float32]) -> NDArray[np.float32]:
    """The cross product of plane vectors in the last axis."""
    return np.asarray(first[..., 0] * second[..., 1] - first[..., 1] * second[..., 0], np.float32)


def _on_baseline(sample: Sample, height: float) -> Strokes:
    points = np.concatenate(sample.strokes)
    corner = np.array([points[:, 0].min(), points[:, 1].max()], np.float32)
    scale = np.float32(height / max(_height(sample), 1e-6))
    return [(stroke - corner) * scale for stroke in sample.strokes]


def _dash_of(sample: Sample) -> Strokes:
    """A recorded dash as a minus sign: half a digit wide, at half its height."""
    points = np.concatenate(sample.strokes)
    corner = np.array([points[:, 0].min(), points[:, 1].mean()], np.float32)
    scale = np.float32(0.5 / max(float(_extent(sample)[0]), 1e-6))
    return [(stroke - corner) * scale - np.array([0, 0.5], np.float32) for stroke in sample.strokes]


def _in_square(sample: Sample, kind: MarkKind) -> Strokes:
    """A mark centred in the unit square, its larger side 1.0; a line is stretched to the square's width."""
    points = np.concatenate(sample.strokes)
    middle = (points.max(axis=0) + points.min(axis=0)) / 2
    reach = _extent(sample)[0] if kind == "line" else _extent(sample).max()
    scale = np.float32(1 / max(float(reach), 1e-6))
    return [(stroke - middle) * scale + np.array([0.5, -0.5], np.float32) for stroke in sample.strokes]


def _dash(rng: np.random.Generator) -> Strokes:
    """A minus for writers of whom no dash was recorded."""
    height = rng.normal(-0.48, 0.05)
    return [np.array([[0, height], [rng.uniform(0.35, 0.6), height + rng.normal(0, 0.03)]], np.float32)]


def _tick(rng: np.random.Generator) -> NDArray[np.float32]:
    """No ticks were recorded, so they are drawn."""
    corners = np.array([[0.05, -0.5], [0.32, -0.04], [0.97, -0.97]]) + rng.normal(0, 0.05, (3, 2))
    steps = np.linspace(0, 2, 25)
    return np.stack([np.interp(steps, np.arange(3), corners[:, axis]) for axis in (0, 1)], axis=1).astype(
        np.float32
    )


def _pick(drawn: list[Strokes], rng: np.random.Generator) -> Strokes:
    return drawn[int(rng.integers(len(drawn)))]
