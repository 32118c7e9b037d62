"""Makes a model folder of a run: `python -m training.export work/run1 sheetscan/reading/models/cells-v1`.

Calibration and thresholds are placeholders until `training.calibrate` has measured them.
"""

import argparse
import json
import warnings
from pathlib import Path

import torch

from training.lean import lean
from training.make_sheets import SPEC
from training.model import MARK_KINDS, NUMBER_KINDS, SYMBOLS, CellNet
from training.record import RECORDED, record


def export(run: Path, folder: Path) -> None:
    """Write model.onnx (inputs `cells`, outputs `signs` and `kinds`) and config.json."""
    model = CellNet()
    model.load_state_dict(torch.load(run / "checkpoint.pt")["average"])
    model = lean(model)
    folder.mkdir(parents=True, exist_ok=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            model,
            (torch.zeros(2, 2, SPEC.size_px, SPEC.size_px),),
            folder / "model.onnx",
            input_names=["cells"],
            output_names=["signs", "kinds"],
            dynamic_axes={name: {0: "n"} for name in ("cells", "signs", "kinds")},
            opset_version=17,
            dynamo=False,
        )
    name, _, version = folder.name.rpartition("-v")
    config = {
        "name": name,
        "version": int(version),
        "cell_px": SPEC.size_px,
        "cell_mm": SPEC.size_mm,
        "symbols": SYMBOLS,
        "number_kinds": NUMBER_KINDS,
        "mark_kinds": MARK_KINDS,
        "calibration": {},
        "sure_from": 0.99,
        "unreadable_below": 0.3,
    }
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


def main() -> None:
    """Export the run named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--record", type=Path, default=RECORDED)
    options = parser.parse_args()
    export(options.run, options.folder)
    record(options.folder, options.record)


if __name__ == "__main__":
    main()
