"""The mean of two networks' weights: `python -m training.soup work/run5 work/run4 work/mean --share 0.75`.

Networks that went on from the same weights can be averaged, and the mean reads better than either (Wortsman
et al. 2022, "Model soups"): what one forgot the other still knows. Both are model folders of `export`.
"""

import argparse
import shutil
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper


def mean_of(first: onnx.ModelProto, second: onnx.ModelProto, share: float) -> onnx.ModelProto:
    """The first network with `share` of its own weights, the rest the second's; ValueError if unlike."""
    others = {weights.name: numpy_helper.to_array(weights) for weights in second.graph.initializer}
    mixed = onnx.ModelProto()
    mixed.CopyFrom(first)
    for weights in mixed.graph.initializer:
        own, other = numpy_helper.to_array(weights), others.get(weights.name)
        if other is None or own.shape != other.shape:
            raise ValueError(f"{weights.name}: the other network has no such weights")
        if own.dtype == np.float32:
            mean = share * own + (1 - share) * other
            weights.CopyFrom(numpy_helper.from_array(mean.astype(np.float32), weights.name))
    return mixed


def main() -> None:
    """Write the mean of the model folders named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", type=Path)
    parser.add_argument("second", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--share", type=float, default=0.5, help="of the first folder's weights")
    options = parser.parse_args()
    first, second = (onnx.load(folder / "model.onnx") for folder in (options.first, options.second))
    out: Path = options.out
    out.mkdir(parents=True, exist_ok=True)
    onnx.save(mean_of(first, second, options.share), out / "model.onnx")
    shutil.copy(options.first / "config.json", out / "config.json")


if __name__ == "__main__":
    main()
