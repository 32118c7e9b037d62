"""A network of cells, run by OpenCV."""

from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetscan.errors import TemplateError

HINT = "reinstall sheetscan"


class CellNetwork:
    """An ONNX file with the input `cells` and the outputs `signs` and `kinds`, loaded when first used."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @cached_property
    def _network(self) -> "cv2.dnn.Net":
        try:
            data = np.frombuffer(self._path.read_bytes(), np.uint8)
            return cv2.dnn.readNetFromONNX(data)
        except (OSError, cv2.error, ValueError) as error:
            raise TemplateError(
                f"{self._path}: the network can't be loaded ({_first_line(error)})", HINT
            ) from error

    def outputs(self, cells: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logits of cells (n, size, size, 2): signs (n, symbols, columns), kinds (n, number and mark kinds).

        Raises TemplateError if the file is damaged.
        """
        planes = np.ascontiguousarray(cells.transpose(0, 3, 1, 2)) * np.float32(1 / 255)
        self._network.setInput(planes)
        signs, kinds = self._network.forward(["signs", "kinds"])
        return np.asarray(signs, np.float32), np.asarray(kinds, np.float32)


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
