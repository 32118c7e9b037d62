"""The first reader: a small convolutional network, run by OpenCV, reads all fields of a sheet at once."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from importlib import resources
from pathlib import Path
from typing import Annotated, Literal

import cv2
import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic import Field as Constraint

from sheetscan.errors import TemplateError
from sheetscan.geometry import CellSpec
from sheetscan.reading.cell_network import HINT, CellNetwork
from sheetscan.reading.ctc import MIN_PROBABILITY, number_probabilities
from sheetscan.reading.hand import SameHand
from sheetscan.reading.reader import Reading
from sheetscan.result import CROSS, Content, ContentKind, number
from sheetscan.template import FieldKind

MAX_CANDIDATES = 6
LISTED_TOGETHER = 0.9
"""What the numbers that were spelled come to at least, and what is too little for any `sure_from`."""
MIN_LISTED = 0.02
NUMBER, VOID = Content("number"), Content("void")
"""Any number, before it is known which."""
NARROWED, SHIFT_PX = 0.8, 2
ODD_CLEAR = 0.99
"""Below which probability what a field is not for is looked at again."""

Share = Annotated[float, Constraint(ge=0, le=1)]
Temperature = Annotated[float, Constraint(ge=0.1, le=20)]
Bias = Annotated[float, Constraint(ge=-10, le=10)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Scaling(_Strict):
    """Bias-corrected temperature scaling of shares (Alexandari, Kundaje and Shrikumar 2020).

    The temperature tells how much too sure the network is (above 1). Biases are added to the logarithms of
    kinds of content, which it learnt from cells with more crosses and voids than sheets have.
    """

    temperature: Temperature = 1.0
    biases: dict[ContentKind, Bias] = {}


class Calibration(_Strict):
    """The scaling of the kinds of content in each kind of field, and of the values of numbers."""

    number: Scaling = Scaling()
    tally: Scaling = Scaling()
    mark: Scaling = Scaling()
    blocked: Scaling = Scaling()
    value: Scaling = Scaling()


class Glance(_Strict):
    """What is made of glance.onnx, where the model has one."""

    calibration: Calibration
    plain_from: Share

    def suffices(self, reading: Reading, field: FieldKind) -> bool:
        """Whether a reading at a glance stands as it is; a last 7 may be a flagged 1 and never does."""
        best = reading.best
        return (
            reading.confidence >= self.plain_from
            and belongs(best, field)
            and (best.value is None or best.value % 10 != 7)
        )


class ModelConfig(_Strict):
    """The model folder's config.json: what goes in, what comes out, and what is made of it."""

    name: str
    version: Annotated[int, Constraint(ge=1)]
    cell_px: Annotated[int, Constraint(ge=16, le=256)]
    cell_mm: Annotated[float, Constraint(gt=0, le=100)]
    symbols: Annotated[str, Constraint(pattern="^_-0123456789$")]
    number_kinds: tuple[Literal["empty", "number", "cross", "void"], ...]
    mark_kinds: tuple[Literal["empty", "cross", "line", "void"], ...]
    calibration: Calibration
    glance: Glance | None = None
    sure_from: Share
    unreadable_below: Share
    same_hand: SameHand | None = None


class NetworkReader:
    """Reads cells with a model folder (`sheetscan/reading/models/<name>-v<N>`); see Reader.

    The networks are loaded at the first reading, once. Raises TemplateError if the folder is damaged.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or newest_model()
        self.config = _load_config(self._folder)
        self.name = f"{self.config.name}-v{self.config.version}"
        self.cell = CellSpec(self.config.cell_px, self.config.cell_mm)
        self.sure_from = self.config.sure_from
        self.unreadable_below = self.config.unreadable_below
        self.same_hand = self.config.same_hand
        self.network = CellNetwork(self._folder / "model.onnx")
        self.glance = CellNetwork(self._folder / "glance.onnx")

    def read(self, cells: NDArray[np.uint8], kinds: Sequence[FieldKind]) -> list[Reading]:
        """Read cells (n, size, size, 2) of these fields; raises ValueError for text fields (see Reader).

        A small network sees at a glance what is plain, which is most; only the rest is looked at closely.
        """
        glance = self.config.glance
        if glance is None:
            return readings_of(self.closely(cells, kinds), kinds, self.config.calibration)
        readings = readings_of(self.at_a_glance(cells, kinds), kinds, glance.calibration)
        rest = [
            cell
            for cell, (reading, kind) in enumerate(zip(readings, kinds, strict=True))
            if not glance.suffices(reading, kind)
        ]
        rest_kinds = [kinds[cell] for cell in rest]
        looked_at = readings_of(self.closely(cells[rest], rest_kinds), rest_kinds, self.config.calibration)
        for cell, reading in zip(rest, looked_at, strict=True):
            readings[cell] = of_both(readings[cell], reading)
        return readings

    def at_a_glance(self, cells: NDArray[np.uint8], kinds: Sequence[FieldKind]) -> list[dict[Content, float]]:
        """What each cell may hold, by the small network and not calibrated; see `closely`."""
        return self._look(self.glance, cells, kinds)

    def closely(self, cells: NDArray[np.uint8], kinds: Sequence[FieldKind]) -> list[dict[Content, float]]:
        """What each cell may hold, before calibration; the probabilities of a cell sum to at most 1.

        A cell that is not clear at first sight is looked at again, narrower and moved; the mean is better
        than any single look.
        """
        looks = [[shares] for shares in self._look(self.network, cells, kinds)]
        unclear = list(range(len(looks)))
        for clear_from, changes in FURTHER_LOOKS:
            unclear = [cell for cell in unclear if not _is_clear(_mean(looks[cell]), kinds[cell], clear_from)]
            if not unclear:
                break
            changed = np.concatenate([change(cells[unclear]) for change in changes])
            again = self._look(self.network, changed, [kinds[cell] for cell in unclear] * len(changes))
            for place, shares in enumerate(again):
                looks[unclear[place % len(unclear)]].append(shares)
        return [_mean(seen) for seen in looks]

    def _look(
        self, network: CellNetwork, cells: NDArray[np.uint8], kinds: Sequence[FieldKind]
    ) -> list[dict[Content, float]]:
        """What each cell may hold at one look."""
        if len(cells) != len(kinds):
            raise ValueError(f"{len(cells)} cells but {len(kinds)} kinds of field")
        if "text" in kinds:
            raise ValueError("text fields are not read")
        if len(cells) == 0:
            return []
        signs, logits = network.outputs(cells)
        shares = self._kinds(logits, kinds)
        written = [cell for cell, known in enumerate(shares) if known.get(NUMBER, 0.0) >= MIN_PROBABILITY]
        found = number_probabilities(_softmax(signs[written]), self.config.symbols)
        for cell, numbers in zip(written, found, strict=True):
            any_number, signed = shares[cell][NUMBER], kinds[cell] == "tally"
            shares[cell] |= {
                number(value): any_number * share for value, share in numbers.items() if value >= 0 or signed
            }
        for known in shares:
            known.pop(NUMBER, None)
        return shares

    def _kinds(self, logits: NDArray[np.float32], kinds: Sequence[FieldKind]) -> list[dict[Content, float]]:
        """The kind head's answers as contents that fields of those kinds may hold; NUMBER is any number.

        A line strikes a number out, so in number fields the network knows it as void; tally fields know no
        cross: whatever is there instead of a number is void.
        """
        split = len(self.config.number_kinds)
        numbers, marks = _softmax(logits[:, :split]).tolist(), _softmax(logits[:, split:]).tolist()
        number_contents, mark_contents = (
            [Content(kind) for kind in known] for known in (self.config.number_kinds, self.config.mark_kinds)
        )
        shares = [
            dict(zip(mark_contents, marks[cell], strict=True))
            if field == "mark"
            else dict(zip(number_contents, numbers[cell], strict=True))
            for cell, field in enumerate(kinds)
        ]
        for known, field in zip(shares, kinds, strict=True):
            if field == "tally":
                known[VOID] += known.pop(CROSS)
        return shares


@cache
def newest_model(name: str = "cells") -> Path:
    """The shipped model folder of that name with the highest version; raises TemplateError without one."""
    root = Path(str(resources.files("sheetscan"))) / "reading" / "models"
    folders = [path for path in root.glob(f"{name}-v*") if path.name.rpartition("-v")[2].isdecimal()]
    if not folders:
        raise TemplateError(f"{root}: no model `{name}` is installed", HINT)
    return max(folders, key=lambda path: int(path.name.rpartition("-v")[2]))


def _load_config(folder: Path) -> ModelConfig:
    path = folder / "config.json"
    try:
        return ModelConfig.model_validate_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise TemplateError(f"{path}: can't be read ({error.strerror})", HINT) from error
    except UnicodeDecodeError as error:
        raise TemplateError(f"{path}: not text in UTF-8", HINT) from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(step) for step in first["loc"]) or "top level"
        raise TemplateError(f"{path}: {place}: {first['msg']}", HINT) from error


def _narrowed(cells: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Cells (n, h, w, 2), all in them made narrower around the middle; edges are repeated."""
    middle = (cells.shape[2] - 1) / 2
    squeezed = np.array([[NARROWED, 0, middle * (1 - NARROWED)], [0, 1, 0]])
    size = (cells.shape[2], cells.shape[1])
    return np.stack([cv2.warpAffine(cell, squeezed, size, borderMode=cv2.BORDER_REPLICATE) for cell in cells])


def _moved(cells: NDArray[np.uint8], shift_px: int) -> NDArray[np.uint8]:
    """Cells (n, h, w, 2) with their ink moved to the right; the expected print stays, edges are repeated."""
    reach, width = abs(shift_px), cells.shape[2]
    padded = np.pad(cells[..., 0], ((0, 0), (0, 0), (reach, reach)), mode="edge")
    ink = padded[:, :, reach - shift_px : reach - shift_px + width]
    return np.stack([ink, cells[..., 1]], axis=-1)


Change = Callable[[NDArray[np.uint8]], NDArray[np.uint8]]
FURTHER_LOOKS: tuple[tuple[float, tuple[Change, ...]], ...] = (
    (0.95, (_narrowed, partial(_moved, shift_px=SHIFT_PX))),
    (0.6, (partial(_moved, shift_px=-SHIFT_PX),)),
)
"""Below which probability a cell is looked at again, and how: narrower, or its ink moved against the print.

Narrower, most are read better and digits that touch are not; what is open after that gets one more look.
"""


def belongs(content: Content, field: FieldKind) -> bool:
    """Whether such a field is there for it; digits that touch may look like a cross or a scribble."""
    return content.kind in (("empty", "cross", "line") if field == "mark" else ("empty", "number"))


def _is_clear(shares: Mapping[Content, float], field: FieldKind, clear_from: float) -> bool:
    best = max(shares, key=lambda content: shares[content])
    return shares[best] >= (clear_from if belongs(best, field) else ODD_CLEAR)


def _mean(looks: Sequence[Mapping[Content, float]]) -> dict[Content, float]:
    if len(looks) == 1:
        return dict(looks[0])
    contents = dict.fromkeys(content for shares in looks for content in shares)
    return {
        content: math.fsum(shares.get(content, 0.0) for shares in looks) / len(looks) for content in contents
    }


def _softmax(logits: NDArray[np.float32]) -> NDArray[np.float64]:
    """Probabilities along axis 1."""
    powers = np.exp(logits.astype(np.float64) - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def calibrated(
    probabilities: Mapping[Content, float], kinds: Scaling, values: Scaling
) -> dict[Content, float]:
    """Probabilities scaled: first those of the kinds, then those of the values among the numbers."""
    of_kinds = _scaled(shares_of_kinds(probabilities), kinds)
    of_numbers = _scaled(shares_of_numbers(probabilities), values)
    written = of_kinds.pop(NUMBER)
    del of_numbers[NUMBER]
    listed = math.fsum(of_numbers.values())
    # Where one head sees a number that the other can't spell, the best guess is offered, never asserted.
    stretch = max(1.0, LISTED_TOGETHER / listed) if listed > MIN_LISTED else 1.0
    return of_kinds | {content: share * stretch * written for content, share in of_numbers.items()}


def shares_of_kinds(probabilities: Mapping[Content, float]) -> dict[Content, float]:
    """What is no number, and NUMBER, to which belongs what belongs to no listed content."""
    others = {content: share for content, share in probabilities.items() if content.kind != "number"}
    return {**others, NUMBER: max(0.0, 1 - math.fsum(others.values()))}


def shares_of_numbers(probabilities: Mapping[Content, float]) -> dict[Content, float]:
    """The numbers, and NUMBER, which is those that are not listed."""
    numbers = {content: share for content, share in probabilities.items() if content.kind == "number"}
    return {**numbers, NUMBER: max(0.0, 1 - math.fsum(probabilities.values()))}


def _scaled(shares: Mapping[Content, float], scaling: Scaling) -> dict[Content, float]:
    """Shares to the power 1 / temperature, weighted by the biases, summing to 1 (or 0 if all are)."""
    powers = {
        content: share ** (1 / scaling.temperature) * math.exp(scaling.biases.get(content.kind, 0.0))
        for content, share in shares.items()
    }
    whole = math.fsum(powers.values())
    return {content: power / whole if whole else 0.0 for content, power in powers.items()}


def of_both(at_a_glance: Reading, closely: Reading) -> Reading:
    """The close look's reading where a glance does not suffice; the mean where that sees no number.

    To either network alone faint or tiny writing in noise may look like nothing, and digits that touch like
    a cross. Empty fields are nearly always plain.
    """
    if closely.best.kind == "number":
        return closely
    return reading_of(_mean([dict(reading.candidates) for reading in (at_a_glance, closely)]))


def readings_of(
    shares: Sequence[Mapping[Content, float]], kinds: Sequence[FieldKind], calibration: Calibration
) -> list[Reading]:
    """What a network says of cells in these kinds of fields, calibrated."""
    return [
        reading_of(calibrated(known, getattr(calibration, kind), calibration.value))
        for known, kind in zip(shares, kinds, strict=True)
    ]


def reading_of(probabilities: Mapping[Content, float]) -> Reading:
    """The most probable contents in their order; the first one always, be it ever so improbable.

    Where a number is certain but none that the field may hold, nothing else has a share worth listing.
    """
    first, *others = sorted(probabilities.items(), key=lambda entry: -entry[1])[:MAX_CANDIDATES]
    return Reading((first, *(entry for entry in others if entry[1] >= MIN_PROBABILITY)))
