"""Restores a network for training from an exported model, which has no normalisations of its own."""

from functools import partial
from itertools import pairwise
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from training.lean import plain
from training.model import WIDTHS, CellNet, Mix


def restored(folder: Path, cells: Tensor) -> CellNet:
    """The network of a model folder; `cells` (n, 2, 64, 64) are of the kind that it is to be trained on.

    Every normalisation takes over the mean and spread that its input has on these cells, with the scale and
    shift that give them back; blocks that the model has fewer of than today's network do nothing at first. So
    the answers stay the same, and training can go on from there.
    Raises ValueError if the model is of another shape.
    """
    weights = _convolutions(folder / "model.onnx")
    shapes = [tuple(kernel.shape) for kernel, _ in weights]
    model = CellNet(depths=tuple(shapes.count((width // 2, width, 1, 1)) for width in WIDTHS[1:4])).eval()
    layers = [layer for layer in model.modules() if isinstance(layer, nn.Conv2d)]
    if [tuple(layer.weight.shape) for layer in layers] != shapes:
        raise ValueError(f"{folder}: a network of another shape")
    follower = dict(pairwise(model.modules()))
    hooks = []
    for layer, (kernel, bias) in zip(layers, weights, strict=True):
        layer.weight.data = kernel
        after = follower.get(layer)
        if isinstance(after, nn.BatchNorm2d):
            hooks.append(after.register_forward_pre_hook(partial(_take_over, bias=bias)))
        else:
            layer.bias = nn.Parameter(bias)
    with torch.no_grad():
        model(cells)
    for hook in hooks:
        hook.remove()
    return _deepened(model)


def _deepened(model: CellNet) -> CellNet:
    """Today's network with the model's weights; further blocks add nothing to what they get."""
    deeper = CellNet()
    known = list(model.body)
    for layer in deeper.body:
        if isinstance(layer, Mix) and not isinstance(known[0], Mix):
            last = layer.layers[-1]
            assert isinstance(last, nn.BatchNorm2d)
            nn.init.zeros_(last.weight)
        else:
            layer.load_state_dict(known.pop(0).state_dict())
    deeper.signs.load_state_dict(model.signs.state_dict())
    deeper.kinds.load_state_dict(model.kinds.state_dict())
    return deeper


def _take_over(layer: nn.Module, inputs: tuple[Tensor, ...], bias: Tensor) -> None:
    """Make a normalisation add `bias` to what it gets, and nothing else."""
    assert isinstance(layer, nn.BatchNorm2d)
    (found,) = inputs
    mean, variance = found.mean(dim=(0, 2, 3)), found.var(dim=(0, 2, 3), unbiased=False)
    layer.running_mean, layer.running_var = mean, variance
    layer.weight.data, layer.bias.data = (variance + layer.eps).sqrt(), mean + bias


def _convolutions(path: Path) -> list[tuple[Tensor, Tensor]]:
    """Kernels and biases in the order of the graph, as training has them."""
    graph = onnx.load(path).graph
    known = {entry.name: torch.from_numpy(numpy_helper.to_array(entry).copy()) for entry in graph.initializer}
    found = [(known[node.input[1]], known[node.input[2]]) for node in graph.node if node.op_type == "Conv"]
    return plain(found)
