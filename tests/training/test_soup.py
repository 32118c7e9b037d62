"""The mean of two networks' weights."""

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="the package onnx is for training only")


def network(weights: list[float], name: str = "kernel"):
    values = onnx.numpy_helper.from_array(np.array(weights, np.float32), name)
    places = onnx.numpy_helper.from_array(np.array([3], np.int64), "shape")
    return onnx.helper.make_model(onnx.helper.make_graph([], "g", [], [], [values, places]))


def test_weights_are_averaged_and_shapes_stay() -> None:
    from training.soup import mean_of

    mixed = mean_of(network([0, 2, 4]), network([4, 2, 0]), 0.75)
    kernel, shape = map(onnx.numpy_helper.to_array, mixed.graph.initializer)
    assert kernel.tolist() == [1, 2, 3]
    assert shape.tolist() == [3]


@pytest.mark.parametrize("other", [network([1, 2]), network([1, 2, 3], "another")])
def test_unlike_networks_have_no_mean(other) -> None:
    from training.soup import mean_of

    with pytest.raises(ValueError, match="kernel"):
        mean_of(network([0, 2, 4]), other, 0.5)
