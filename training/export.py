"""Makes a model folder of a run: `python -m training.export work/run1 sheetscan/reading/models/cells-v1`.

Calibration and thresholds are placeholders until `training.calibrate` has measured them. With `--glance` the
run is the small network's, with `--marks` that for fields to be marked, and only their files are written.
"""

import argparse
import json
import warnings
from pathlib import Path

import torch

from training.lean import lean
from training.make_sheets import SPEC
from training.model import MARK_KINDS, NUMBER_KINDS, SYMBOLS, CellNet, ColumnNet, GlanceNet


def export(run: Path, model: ColumnNet, path: Path) -> None:
    """Write the run's network as ONNX: input `cells`, outputs `signs` and `kinds`; `model` is of its kind."""
    model.load_state_dict(torch.load(run / "checkpoint.pt")["average"])
    path.parent.mkdir(parents=True, exist_ok=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            lean(model),
            (torch.zeros(2, 2, SPEC.size_px, SPEC.size_px),),
            path,
            input_names=["cells"],
            output_names=["signs", "kinds"],
            dynamic_axes={name: {0: "n"} for name in ("cells", "signs", "kinds")},
            opset_version=17,
            dynamo=False,
        )


def write_config(folder: Path) -> None:
    """Write a config.json that goes with any network."""
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
    parser.add_argument(
        "--glance", action="store_true", help="the small network, into a folder that is there"
    )
    parser.add_argument("--marks", action="store_true", help="the network for fields to be marked, likewise")
    options = parser.parse_args()
    if options.marks or options.glance:
        export(options.run, GlanceNet(), options.folder / f"{'marks' if options.marks else 'glance'}.onnx")
    else:
        export(options.run, CellNet(), options.folder / "model.onnx")
        write_config(options.folder)


if __name__ == "__main__":
    main()
