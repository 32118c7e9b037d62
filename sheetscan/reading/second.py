"""The second reader: a general text recogniser's features, read out for handwritten numbers.

The recogniser is PP-OCRv6 small by the PaddleOCR authors (Apache License 2.0), as the package `rapidocr`
ships it; nothing else of that package is used, OpenCV runs the file. It was trained on print and handwriting
of many scripts and takes two narrow digits for one Chinese character. So its own answer counts for little,
but the probabilities that it gives to some hundred characters say in each column what it saw there: a small
network of our own (`models/second-v<N>`, see `training.second`) reads numbers and kinds of content from
their logarithms. It fails differently from the first reader, which was trained on digits alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from zipfile import BadZipFile

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetscan.errors import MissingExtraError, TemplateError
from sheetscan.geometry import CellSpec
from sheetscan.reading.ctc import number_probabilities
from sheetscan.reading.model_folder import newest_model
from sheetscan.reading.reader import NUMBER
from sheetscan.reading.softmax import softmax
from sheetscan.result import CROSS, EMPTY, VOID, Content, number
from sheetscan.template import FieldKind

PACKAGE, MODEL_FILE = "rapidocr", "rapidocr/models/PP-OCRv6_rec_small.onnx"
MODEL_SHA256 = "6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884"
HINT = "pip install 'rapidocr==3.10.*', or use `--reader network`"
SYMBOLS = "_-0123456789"
KINDS = (EMPTY, NUMBER, CROSS, VOID)
CELL = CellSpec(64, 16)

LINE_PX = (48, 96)
"""Height and width of the pictures that the recogniser is given."""
DIGIT_PX = 32
STRETCH = 1.4
"""Wider than they are written, digits that touch are less often taken for one character."""
SIDE_PX = 6
OUTLINE_PX = 1
"""The printed outline may reach this far inside of where it is expected."""
DEEP_PX = 3.0
"""Ink that reaches no further into the field than this is the outline's or a neighbour's."""
MIN_HEIGHT_PX, MIN_AREA_PX = 10, 4
BLACK_PERCENTILE, MIN_BLACK = 99.5, 50.0
STROKE_SHARE, GROUND_SHARE = 0.4, 0.15
AROUND_PX = 2
BATCH = 2
"""Larger ones are no faster, and hold 9 MB a line."""
LOWEST = 1e-30


@dataclass(frozen=True)
class Readout:
    """The small network behind the recogniser; its arrays are named as in `readout.npz`.

    `characters` (k,) are the recogniser's outputs that it looks at, standardised by `mean` and `deviation`;
    `hidden` (h, k, 3) with `hidden_bias` runs over columns, `signs` (12, h) with its bias gives SYMBOLS,
    `kinds` (4, 2 h) with its bias gives KINDS from the columns' mean and maximum.
    """

    characters: NDArray[np.int64]
    mean: NDArray[np.float32]
    deviation: NDArray[np.float32]
    hidden: NDArray[np.float32]
    hidden_bias: NDArray[np.float32]
    signs: NDArray[np.float32]
    signs_bias: NDArray[np.float32]
    kinds: NDArray[np.float32]
    kinds_bias: NDArray[np.float32]

    def __call__(self, features: NDArray[np.float32]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Probabilities (n, 12, columns) of signs and (n, 4) of kinds, from features (n, columns, k)."""
        standard = (features - self.mean) / self.deviation
        padded = np.pad(standard, ((0, 0), (1, 1), (0, 0)))
        windows = [padded[:, shift : shift + features.shape[1]] for shift in range(3)]
        before = self.hidden_bias + sum(
            window @ self.hidden[:, :, shift].T for shift, window in enumerate(windows)
        )
        hidden = before / (1 + np.exp(-before))
        pooled = np.concatenate([hidden.mean(axis=1), hidden.max(axis=1)], axis=1)
        signs = softmax(hidden @ self.signs.T + self.signs_bias, axis=-1)
        return signs.transpose(0, 2, 1), softmax(pooled @ self.kinds.T + self.kinds_bias, axis=-1)


class SecondReader:
    """Reads the fields that hold numbers; loads the recogniser at the first reading, once."""

    cell = CELL

    def __init__(self, folder: Path | None = None) -> None:
        """Raises MissingExtraError where `rapidocr` is not installed, TemplateError without a readout."""
        self.folder = folder or newest_model("second")
        self.name = self.folder.name
        self._recogniser_path = recogniser_path()

    @cached_property
    def _readout(self) -> Readout:
        path = self.folder / "readout.npz"
        try:
            with np.load(path) as file:
                return Readout(**file)
        except (OSError, ValueError, TypeError, BadZipFile) as error:
            raise TemplateError(f"{path}: the readout can't be loaded ({error})", HINT) from error

    @cached_property
    def _recogniser(self) -> "cv2.dnn.Net":
        return load_recogniser(self._recogniser_path)

    def probabilities(
        self, cells: NDArray[np.uint8], kinds: Sequence[FieldKind]
    ) -> list[dict[Content, float]]:
        """What each of the cells (n, 64, 64, 2) may hold, uncalibrated; a cell's sum to at most 1.

        Where there is no stroke it is empty. Raises ValueError for fields that hold no numbers.
        """
        if not set(kinds) <= {"number", "tally", "blocked"}:
            raise ValueError("the second reader reads number, tally and blocked fields")
        found: list[dict[Content, float]] = [{EMPTY: 1.0} for _ in cells]
        lines = {place: line for place, cell in enumerate(cells) if (line := line_of(cell)) is not None}
        if not lines:
            return found
        features = features_of(self._recogniser, list(lines.values()), self._readout.characters)
        signs, written = self._readout(features)
        numbers = number_probabilities(signs, SYMBOLS)
        for place, shares, values in zip(lines, written, numbers, strict=True):
            found[place] = _contents(shares, values, kinds[place])
        return found


def _contents(
    kinds: NDArray[np.float64], numbers: Mapping[int, float], field: FieldKind
) -> dict[Content, float]:
    """Contents as the first reader gives them: only tallies are below 0, and they know no cross."""
    shares = {kind: float(share) for kind, share in zip(KINDS, kinds, strict=True)}
    written = shares.pop(NUMBER)
    if field == "tally":
        shares[VOID] += shares.pop(CROSS)
    allowed = {value: share for value, share in numbers.items() if value >= 0 or field == "tally"}
    return shares | {number(value): written * share for value, share in allowed.items()}


def line_of(cell: NDArray[np.uint8]) -> NDArray[np.float32] | None:
    """The strokes inside a field as a line of text, LINE_PX, -1 black to 1 white; None without a stroke.

    Strokes are what is connected, reaches deep enough into the field and is dark enough.
    """
    reach = np.ones((2 * OUTLINE_PX + 1,) * 2, np.uint8)
    inside = np.asarray(1 - cv2.dilate((cell[..., 1] > 127).astype(np.uint8), reach), np.uint8)
    if not inside.any():
        return None
    ink = cell[..., 0].astype(np.float32) * inside
    black = max(float(np.percentile(ink[inside > 0], BLACK_PERCENTILE)), MIN_BLACK)
    strokes = _strokes(ink > STROKE_SHARE * black, inside)
    if not strokes.any():
        return None
    around = cv2.dilate(strokes, np.ones((2 * AROUND_PX + 1,) * 2, np.uint8))
    shade = np.clip((ink / black - GROUND_SHARE) / (1 - GROUND_SHARE), 0, 1) * around
    return 1 - 2 * _fitted(shade.astype(np.float32), cv2.boundingRect(strokes))


def _strokes(dark: NDArray[np.bool_], inside: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The connected parts that are large enough and reach deep enough into the field: 1, the rest 0."""
    count, found, stats, _ = cv2.connectedComponentsWithStats(dark.astype(np.uint8), connectivity=8)
    labels = np.asarray(found, np.intp)
    deep = labels[cv2.distanceTransform(inside, cv2.DIST_L2, 3) >= DEEP_PX]
    chosen = (np.bincount(deep, minlength=count) > 0) & (stats[:, cv2.CC_STAT_AREA] >= MIN_AREA_PX)
    chosen[0] = False
    return np.asarray(chosen[labels], np.uint8)


def _fitted(shade: NDArray[np.float32], box: Sequence[int]) -> NDArray[np.float32]:
    """The box of a picture enlarged and stretched into the middle of a line of text."""
    x, y, width, height = box
    line_height, line_width = LINE_PX
    scale = min(DIGIT_PX / max(height, MIN_HEIGHT_PX), (line_width - 2 * SIDE_PX) / (width * STRETCH))
    across, down = scale * STRETCH, scale
    centre_x, centre_y = x + (width - 1) / 2, y + (height - 1) / 2
    shift_x, shift_y = (line_width - 1) / 2 - across * centre_x, (line_height - 1) / 2 - down * centre_y
    onto = np.array([[across, 0, shift_x], [0, down, shift_y]], np.float32)
    fitted = cv2.warpAffine(shade, onto, (line_width, line_height), flags=cv2.INTER_CUBIC)
    return np.asarray(np.clip(fitted, 0, 1), np.float32)


def features_of(
    recogniser: "cv2.dnn.Net", lines: Sequence[NDArray[np.float32]], characters: NDArray[np.int64]
) -> NDArray[np.float32]:
    """Logarithms of the characters' probabilities less their mean: (n, columns, characters)."""
    found = []
    for start in range(0, len(lines), BATCH):
        grey = np.stack(lines[start : start + BATCH])[:, None]
        recogniser.setInput(np.ascontiguousarray(np.repeat(grey, 3, axis=1)))
        shares = np.asarray(recogniser.forward(), np.float32)[..., characters]
        logarithms = np.log(np.maximum(shares, LOWEST))
        found.append(logarithms - logarithms.mean(axis=-1, keepdims=True))
    return np.concatenate(found)


def recogniser_path() -> Path:
    """Where the installed `rapidocr` keeps the recogniser; raises MissingExtraError where there is none."""
    try:
        path = Path(str(metadata.distribution(PACKAGE).locate_file(MODEL_FILE)))
    except metadata.PackageNotFoundError as error:
        raise MissingExtraError(
            f"the second reader needs the package {PACKAGE}, which is not installed", HINT
        ) from error
    if not path.is_file():
        raise MissingExtraError(f"{path}: the installed {PACKAGE} has no such model", HINT)
    return path


def why_unusable() -> str | None:
    """Why there is no second reader here, or None if there is one: the package, with the model we know."""
    try:
        _known(recogniser_path())
    except (MissingExtraError, TemplateError) as error:
        return error.message
    return None


def load_recogniser(path: Path) -> "cv2.dnn.Net":
    """The recogniser, run by OpenCV; raises TemplateError if the file is not the one that we know."""
    return cv2.dnn.readNetFromONNX(_known(path))


def _known(path: Path) -> NDArray[np.uint8]:
    """The bytes of the model that we know, read where they are used; raises TemplateError for any other."""
    try:
        model = np.memmap(path, np.uint8, mode="r")
    except (OSError, ValueError) as error:
        raise TemplateError(f"{path}: the model can't be loaded ({error})", HINT) from error
    if sha256(model.data).hexdigest() != MODEL_SHA256:
        raise TemplateError(f"{path}: not the model that the second reader was made for", HINT)
    return model
