"""From a network's logits to probabilities."""

import numpy as np
from numpy.typing import NDArray


def softmax(logits: NDArray[np.float32], axis: int) -> NDArray[np.float64]:
    """Probabilities of the same shape, which sum to 1 along the axis."""
    powers = np.exp(logits.astype(np.float64) - logits.max(axis=axis, keepdims=True))
    return np.asarray(powers / powers.sum(axis=axis, keepdims=True))
