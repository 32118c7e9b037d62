"""Faults of papers and scans as Augraphy makes them, whose authors know nothing of this project's own lab.

`python -m benchmarks.robustness --faults augraphy` tries them, at the strengths that Augraphy draws. They are
not among the faults tried without a name, since its packages are many: `pip install --no-deps augraphy`, then
`pip install numba scikit-image scikit-learn matplotlib requests` (with its dependencies it would install
another OpenCV over the one that is there).
"""

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from benchmarks import lab
from benchmarks.faults import Cell
from sheetscan.lab.studio import PrintedSheet

FAULT = "augraphy"
EFFECTS = (
    "BadPhotoCopy",
    "BindingsAndFasteners",
    "BleedThrough",
    "Brightness",
    "BrightnessTexturize",
    "ColorPaper",
    "ColorShift",
    "DelaunayTessellation",
    "DirtyDrum",
    "DirtyRollers",
    "DirtyScreen",
    "Dithering",
    "Faxify",
    "Folding",
    "Gamma",
    "InkBleed",
    "InkMottling",
    "InkShifter",
    "Jpeg",
    "LCDScreenPattern",
    "Letterpress",
    "LightingGradient",
    "LinesDegradation",
    "LowInkPeriodicLines",
    "LowInkRandomLines",
    "LowLightNoise",
    "Moire",
    "NoiseTexturize",
    "NoisyLines",
    "ReflectedLight",
    "ShadowCast",
    "Stains",
    "SubtleNoise",
    "VoronoiTessellation",
)
"""Those that leave a page its size, its print and its writing where they are."""
EFFECT_KEY = 7000


def augraphy_cells() -> Iterator[Cell]:
    """One cell for each effect."""
    for effect in EFFECTS:
        yield Cell(FAULT, effect, spoil=partial(_spoilt, effect))


def _spoilt(effect: str, printed: PrintedSheet, _script: lab.Script, photo: int) -> PrintedSheet:
    """The written sheet with one effect; the same photo gives the same one."""
    import augraphy

    random.seed(EFFECT_KEY + photo)
    np.random.seed(EFFECT_KEY + photo)  # Augraphy draws from the global generators.
    seen = getattr(augraphy, effect)(p=1)(np.ascontiguousarray(printed.page[..., ::-1]))
    page = np.asarray(seen)
    if page.ndim == 2:
        page = np.repeat(page[..., None], 3, axis=2)
    return replace(printed, page=np.ascontiguousarray(page[..., 2::-1]).astype(np.uint8))
