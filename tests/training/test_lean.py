"""The arranged network answers as the trained one does, and can be trained on. Skips without torch."""

import warnings

import pytest

torch = pytest.importorskip("torch", reason="torch is for training only")
pytest.importorskip("onnx", reason="onnx is for training only")

from training.lean import FAST_FROM, lean  # noqa: E402
from training.model import CellNet  # noqa: E402
from training.restore import restored  # noqa: E402


@pytest.fixture(scope="module")
def trained():
    """A network whose normalisations have something to do."""
    torch.manual_seed(5)
    model = CellNet().eval()
    for layer in model.modules():
        if isinstance(layer, torch.nn.BatchNorm2d):
            layer.running_mean.normal_(0, 0.1)
            layer.running_var.uniform_(0.5, 2)
            layer.weight.data.uniform_(0.5, 1.5)
            layer.bias.data.normal_(0, 0.1)
    return model


@pytest.fixture(scope="module")
def cells():
    return torch.rand(3, 2, 64, 64, generator=torch.Generator().manual_seed(1))


def difference(one, other, cells):
    with torch.no_grad():
        return max(float((a - b).abs().max()) for a, b in zip(one(cells), other(cells), strict=True))


def test_answers_stay_the_same(trained, cells):
    assert difference(trained, lean(trained), cells) < 1e-5


def test_what_is_slow_in_opencv_is_gone(trained):
    layers = [layer for layer in lean(trained).body.modules() if isinstance(layer, torch.nn.Conv2d)]
    assert layers[0].in_channels == 8
    assert all(
        layer.in_channels >= FAST_FROM or layer.in_channels == 16
        for layer in layers[1:]
        if layer.kernel_size == (3, 3)
    )


def test_training_goes_on_from_the_arranged_model(trained, cells, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(lean(trained), (cells,), tmp_path / "model.onnx", opset_version=17, dynamo=False)
    again = restored(tmp_path, cells).eval()
    assert difference(trained, again, cells) < 1e-4
    assert [p.shape for p in again.parameters()] == [p.shape for p in trained.parameters()]
