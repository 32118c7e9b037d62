"""The first reader: a small convolutional network, run by OpenCV, reads all fields of a sheet at once."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetscan.geometry import CellSpec
from sheetscan.reading.bare import BARE, bare_cells
from sheetscan.reading.calibration import Calibration, calibrated
from sheetscan.reading.cell_network import CellNetwork
from sheetscan.reading.ctc import MIN_PROBABILITY, number_probabilities
from sheetscan.reading.model_folder import ModelConfig, load_config, newest_model
from sheetscan.reading.reader import NUMBER, Reading, belongs, mean_of, mean_shares, reading_of
from sheetscan.reading.softmax import softmax
from sheetscan.result import CROSS, VOID, Content, number
from sheetscan.template import FieldKind

NARROWED, SHIFT_PX = 0.8, 2
ODD_CLEAR = 0.99
"""Below which probability what a field is not for is looked at again."""


class NetworkReader:
    """Reads cells with a model folder (`sheetscan/reading/models/<name>-v<N>`); see Reader.

    The networks are loaded at the first reading, once. Raises TemplateError if the folder is damaged.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or newest_model()
        self.config = load_config(self._folder, ModelConfig)
        self.name = f"{self.config.name}-v{self.config.version}"
        self.cell = CellSpec(self.config.cell_px, self.config.cell_mm)
        self.sure_from = self.config.sure_from
        self.unreadable_below = self.config.unreadable_below
        self.same_hand = self.config.same_hand
        self.pale_below = self.config.pale_below
        self.network = CellNetwork(self._folder / "model.onnx")
        self.glance = CellNetwork(self._folder / "glance.onnx")
        self.marks = CellNetwork(self._folder / "marks.onnx") if self.config.marks else self.network

    def read(self, cells: NDArray[np.uint8], kinds: Sequence[FieldKind]) -> list[Reading]:
        """Read cells (n, size, size, 2) of these fields; raises ValueError for text fields (see Reader).

        Bare fields need no network.
        """
        _check(cells, kinds)
        readings = [BARE] * len(kinds)
        inked = np.flatnonzero(~bare_cells(cells)).tolist() if kinds else []
        for cell, reading in zip(
            inked, self._read_inked(cells[inked], [kinds[cell] for cell in inked]), strict=True
        ):
            readings[cell] = reading
        return readings

    def _read_inked(self, cells: NDArray[np.uint8], kinds: Sequence[FieldKind]) -> list[Reading]:
        """A small network sees at a glance what is plain; only the rest is looked at closely."""
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
            readings[cell] = of_two_looks(readings[cell], reading, kinds[cell])
        return readings

    def at_a_glance(self, cells: NDArray[np.uint8], kinds: Sequence[FieldKind]) -> list[dict[Content, float]]:
        """What each cell may hold, by the small network and not calibrated; see `closely`."""
        _check(cells, kinds)
        return self._look(self.glance, cells, kinds)

    def closely(self, cells: NDArray[np.uint8], kinds: Sequence[FieldKind]) -> list[dict[Content, float]]:
        """What each cell may hold, before calibration; the probabilities of a cell sum to at most 1.

        Fields to be marked have a network of their own.
        """
        _check(cells, kinds)
        seen: list[dict[Content, float]] = [{} for _ in kinds]
        for network, to_be_marked in ((self.network, False), (self.marks, True)):
            chosen = [cell for cell, kind in enumerate(kinds) if (kind == "mark") is to_be_marked]
            looked_at = self._look_repeatedly(network, cells[chosen], [kinds[cell] for cell in chosen])
            for cell, shares in zip(chosen, looked_at, strict=True):
                seen[cell] = shares
        return seen

    def _look_repeatedly(
        self, network: CellNetwork, cells: NDArray[np.uint8], kinds: Sequence[FieldKind]
    ) -> list[dict[Content, float]]:
        """A cell that is not clear at first sight is looked at again, narrower and moved.

        The mean is better than any single look.
        """
        looks = [[shares] for shares in self._look(network, cells, kinds)]
        unclear = list(range(len(looks)))
        for clear_from, changes in FURTHER_LOOKS:
            unclear = [
                cell for cell in unclear if not _is_clear(mean_shares(looks[cell]), kinds[cell], clear_from)
            ]
            if not unclear:
                break
            changed = np.concatenate([change(cells[unclear]) for change in changes])
            again = self._look(network, changed, [kinds[cell] for cell in unclear] * len(changes))
            for place, shares in enumerate(again):
                looks[unclear[place % len(unclear)]].append(shares)
        return [mean_shares(seen) for seen in looks]

    def _look(
        self, network: CellNetwork, cells: NDArray[np.uint8], kinds: Sequence[FieldKind]
    ) -> list[dict[Content, float]]:
        """What each cell may hold at one look."""
        if len(cells) == 0:
            return []
        signs, logits = network.outputs(cells)
        shares = self._kinds(logits, kinds)
        written = [cell for cell, known in enumerate(shares) if known.get(NUMBER, 0.0) >= MIN_PROBABILITY]
        found = number_probabilities(softmax(signs[written], axis=1), self.config.symbols)
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
        numbers, marks = (softmax(head, axis=1).tolist() for head in (logits[:, :split], logits[:, split:]))
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


def _check(cells: NDArray[np.uint8], kinds: Sequence[FieldKind]) -> None:
    """Raises ValueError for what can't be read."""
    if len(cells) != len(kinds):
        raise ValueError(f"{len(cells)} cells but {len(kinds)} kinds of field")
    if "text" in kinds:
        raise ValueError("text fields are not read")


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
    (0.95, (_narrowed,)),
    (0.75, (partial(_moved, shift_px=SHIFT_PX), partial(_moved, shift_px=-SHIFT_PX))),
)
"""Below which probability a cell is looked at again, and how: narrower, or its ink moved against the print.

Narrower, most are read better and digits that touch are not; what is open after that gets two more looks.
"""


def _is_clear(shares: Mapping[Content, float], field: FieldKind, clear_from: float) -> bool:
    best = max(shares, key=lambda content: shares[content])
    return shares[best] >= (clear_from if belongs(best, field) else ODD_CLEAR)


def of_two_looks(at_a_glance: Reading, closely: Reading, field: FieldKind) -> Reading:
    """The close look's reading where a glance does not suffice; of some the mean of both looks.

    In fields for numbers that is what the close look takes for no number: faint writing in noise may look
    like nothing, and digits that touch like a cross. In those to be marked it is lines, which may be crosses.
    """
    kind = closely.best.kind
    if kind == "number" or (field == "mark" and kind != "line"):
        return closely
    return mean_of((at_a_glance, closely))


def readings_of(
    shares: Sequence[Mapping[Content, float]], kinds: Sequence[FieldKind], calibration: Calibration
) -> list[Reading]:
    """What a network says of cells in these kinds of fields, calibrated."""
    return [
        reading_of(calibrated(known, getattr(calibration, kind), calibration.value))
        for known, kind in zip(shares, kinds, strict=True)
    ]
