"""The faults that photos are tried with: cells of a matrix, each one fault at one strength."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

import cv2
import numpy as np

from benchmarks import lab
from benchmarks.table import Arrangement
from sheetscan.lab import damage
from sheetscan.lab.optics import Bend
from sheetscan.lab.printer import GOOD_PRINTER, Printer
from sheetscan.lab.scene import Glare, Palette, Scene, Shadow, Thumb
from sheetscan.lab.studio import PrintedSheet, write_on
from sheetscan.result import number
from sheetscan.template import Marker, Template

SIZE_PX = (3264, 2448)
SCAN_DPI_SIZE_PX = (1754, 1240)
"""An A4 page, landscape, at 150 dpi."""
THUMB_REACH_MM = 4.0
STICKER_MARGIN_MM = 0.8
DECOY_MM = 16.0
"""How far a foreign marker lies from the one it could be taken for."""
FOLDED_LEG_MM = 28.0
BENT_LEG_MM = 36.0
OVERWRITTEN = 4
FIRST_GO_DARKNESS = 0.6
"""People press harder when they write over a number."""
SPOIL_KEY = 90_212

Adapt = Callable[[Scene], Scene]


@dataclass(frozen=True, slots=True)
class Cell:
    """One fault at one strength: what it changes about the scene, the print, the written sheet, the picture.

    The pen writes with a share of its `darkness`. `stretch` are factors of the picture's width and height, a
    negative one mirrors it. With `table` the photo shows several sheets, and nothing else is changed.
    """

    fault: str
    strength: str
    adapt: Adapt = lambda scene: scene
    printer: Printer = GOOD_PRINTER
    spoil: lab.Spoil = lab.unspoilt
    darkness: float = 1.0
    stretch: tuple[float, float] = (1.0, 1.0)
    table: Arrangement | None = None

    @property
    def name(self) -> str:
        """How the cell is called on the command line and in tables."""
        return f"{self.fault} {self.strength}".strip()


def photograph(cell: Cell, job: lab.Job) -> lab.LabPhoto:
    """One photo with the cell's fault; the same job gives the same sheet and scene apart from the fault."""
    photo = lab.make(
        job,
        lambda scene: cell.adapt(replace(scene, size_px=SIZE_PX)),
        cell.printer,
        cell.spoil,
        cell.darkness,
    )
    return photo if cell.stretch == (1.0, 1.0) else _stretched(photo, cell.stretch)


def _stretched(photo: lab.LabPhoto, stretch: tuple[float, float]) -> lab.LabPhoto:
    pixels = photo.photo.pixels
    size_px = [round(side * abs(by)) for side, by in zip(pixels.shape[1::-1], stretch, strict=True)]
    resized = cv2.resize(pixels, size_px, interpolation=cv2.INTER_AREA)
    way_x, way_y = (int(np.sign(by)) for by in stretch)
    turned = np.ascontiguousarray(resized[::way_y, ::way_x], dtype=np.uint8)
    middle_before, middle_after = (np.array(size) / 2 - 0.5 for size in (pixels.shape[1::-1], size_px))
    return replace(
        photo,
        photo=replace(photo.photo, pixels=turned),
        to_photo=lambda mm: (photo.to_photo(mm) - middle_before) * stretch + middle_after,
    )


def _scene(**changes: object) -> Adapt:
    return lambda scene: replace(scene, **changes)  # type: ignore[arg-type]


def _light(**changes: object) -> Adapt:
    return lambda scene: replace(scene, light=replace(scene.light, **changes))  # type: ignore[arg-type]


def _turned(turn_deg: float) -> Adapt:
    return lambda scene: replace(scene, roll_deg=scene.roll_deg + turn_deg, fill=min(scene.fill, 0.9))


def _cropped(loss_mm: float) -> Adapt:
    """The sheet larger than the photo, so that on either side so many millimetres of 210 are lost."""
    return lambda scene: replace(
        scene, fill=210 / (210 - 2 * loss_mm), tilt_deg=2.0, roll_deg=0.0, bend=Bend()
    )


def _scanned(palette: Palette, size_px: tuple[int, int]) -> Adapt:
    """A flatbed scan: flat, straight, evenly lit, so many pixels."""

    def adapt(scene: Scene) -> Scene:
        still = replace(Scene(), size_px=size_px, roll_deg=scene.roll_deg % 360 // 90 * 90, fill=0.99)
        return replace(still, palette=palette, noise=scene.noise, table="white", focal=4.0)

    return adapt


def chosen_markers(template: Template, count: int, photo: int) -> tuple[Marker, ...]:
    """So many of the sheet's markers; over the photos every choice has its turn."""
    choices = list(combinations(template.markers, count))
    return choices[photo * 11 % len(choices)]


def _thumbs(count: int) -> lab.Spoil:
    def spoil(printed: PrintedSheet, script: lab.Script, photo: int) -> PrintedSheet:
        for marker in chosen_markers(script.template, count, photo):
            printed = damage.thumbed(printed, _thumb(marker.box_mm.centre, script.template.page_mm))
        return printed

    return spoil


def _thumb(at_mm: tuple[float, float], page_mm: tuple[float, float]) -> Thumb:
    """A thumb that comes from the nearest edge and covers the marker there."""
    (x, y), (width, height) = at_mm, page_mm
    ways = {180.0: x, 0.0: width - x, -90.0: y, 90.0: height - y}
    from_deg = min(ways, key=lambda way: ways[way])
    way = np.deg2rad(from_deg)
    return Thumb((x - THUMB_REACH_MM * float(np.cos(way)), y - THUMB_REACH_MM * float(np.sin(way))), from_deg)


def _without_markers(count: int) -> lab.Spoil:
    def spoil(printed: PrintedSheet, script: lab.Script, photo: int) -> PrintedSheet:
        for marker in chosen_markers(script.template, count, photo):
            printed = damage.covered(printed, marker.box_mm.grown(STICKER_MARGIN_MM))
        return printed

    return spoil


def _decoy(*, instead: bool) -> lab.Spoil:
    """A marker like one of the sheet's beside it or, that one being covered, in its stead."""

    def spoil(printed: PrintedSheet, script: lab.Script, photo: int) -> PrintedSheet:
        (marker,) = chosen_markers(script.template, 1, photo)
        width, height = script.template.page_mm
        x, y = marker.box_mm.centre
        if abs(y - height / 2) < 1:
            y += DECOY_MM
        else:
            x += DECOY_MM if x < width / 2 + 1 else -DECOY_MM
        if instead:
            printed = damage.covered(printed, marker.box_mm.grown(STICKER_MARGIN_MM))
        return damage.with_decoy(printed, script.template, marker.id, (x, y))

    return spoil


def _folded_over(printed: PrintedSheet, _script: lab.Script, photo: int) -> PrintedSheet:
    return damage.dog_eared(printed, damage.CORNERS[photo % 4], FOLDED_LEG_MM)


def _bent(angle_deg: float) -> lab.Spoil:
    return lambda printed, _script, photo: damage.bent_corner(
        printed, damage.CORNERS[photo % 4], BENT_LEG_MM, angle_deg
    )


def _streaked(width_mm: float) -> lab.Spoil:
    """Along the sheet in every other photo, across it in the others."""
    return lambda printed, _script, photo: damage.streaked(
        printed, np.random.default_rng([SPOIL_KEY, 1, photo]), upright=photo % 2 == 0, width_mm=width_mm
    )


def _shown_through(share: float) -> lab.Spoil:
    return lambda printed, _script, _photo: damage.shown_through(printed, share)


def _code_covered(printed: PrintedSheet, script: lab.Script, _photo: int) -> PrintedSheet:
    return damage.covered(printed, script.template.code_mm)


def overwritten(printed: PrintedSheet, script: lab.Script, photo: int) -> PrintedSheet:
    """The digits of some numbers stand over others, as many, that were written lightly at first.

    Over a number of another length nobody writes: what sticks out would be read along.
    """
    rng = np.random.default_rng([SPOIL_KEY, photo])
    held = {name: content.value for name, content in script.contents.items() if content.value is not None}
    chosen = rng.choice(sorted(held), min(OVERWRITTEN, len(held)), replace=False)
    slips = {str(name): number(_slip(held[name], rng)) for name in chosen}
    light = replace(script.pen, darkness=script.pen.darkness * FIRST_GO_DARKNESS)
    return write_on(printed, script.template, slips, script.hand, light, rng)


def _slip(value: int, rng: np.random.Generator) -> int:
    """A number of as many digits, of two from 10 to 18."""
    least = int(10 ** (len(str(abs(value))) - 1))
    slip = least + int(rng.integers(9))
    return slip if value >= 0 else -slip


def _camera_cells() -> Iterator[Cell]:
    yield Cell("none", "")
    for sigma in (1, 2, 3, 4):
        yield Cell("blur", f"{sigma} px", _scene(blur_px=float(sigma), motion_px=0.0))
    for length in (3, 6, 9):
        yield Cell("motion", f"{length} px", _scene(blur_px=0.7, motion_px=float(length), motion_deg=30.0))
    for gamma in (0.5, 2.0):
        yield Cell("gamma", f"{gamma:g}", _scene(gamma=gamma))
    for turn in (90, 180, 37):
        yield Cell("turned", f"{turn}°", _turned(float(turn)))
    yield Cell("mirrored", "", stretch=(-1.0, 1.0))
    yield Cell("squeezed", "to 94 %", stretch=(0.94, 1.0))
    yield Cell("table", "chequered cloth", _scene(table="cloth", fill=0.7))


def _marker_cells() -> Iterator[Cell]:
    for loss in (4, 8, 16):
        yield Cell("cropped", f"{loss} mm", _cropped(float(loss)))
    for count in (1, 2):
        yield Cell("thumbs", f"{count}", spoil=_thumbs(count))
    for count in (1, 2):
        yield Cell("markers missing", f"{count}", spoil=_without_markers(count))
    yield Cell("decoy", "beside a marker", spoil=_decoy(instead=False))
    yield Cell("decoy", "instead of one", spoil=_decoy(instead=True))
    yield Cell("corner", "folded over", spoil=_folded_over)
    for angle in (20, 40):
        yield Cell("corner", f"bent {angle}°", spoil=_bent(float(angle)))
    yield Cell("code", "covered", spoil=_code_covered)


def _light_cells() -> Iterator[Cell]:
    for ratio in (2.0, 3.0):
        yield Cell("gradient", f"1:{ratio:g}", _light(gradient=ratio, gradient_deg=0.0))
    for depth in (0.3, 0.6):
        band = Shadow((0.5, 0.5), edge_deg=70, half_width=0.12, softness=0.003, depth=depth)
        yield Cell("hard shadow", f"{100 * depth:.0f} %", _light(shadows=(band,)))
    for strength in (0.4, 0.7, 1.0):
        yield Cell("glare", f"{strength:g}", _light(glare=Glare((0.5, 0.45), 0.08, strength)))
    casts = {"yellow": (1.15, 1.0, 0.6), "blue": (0.75, 0.95, 1.25)}
    for name, cast in casts.items():
        yield Cell("cast", name, _light(cast=cast))
    for exposure in (1.25, 1.5):
        yield Cell("overexposed", f"{exposure:g}", _scene(exposure=exposure))
    for exposure, noise in ((0.4, 6.0), (0.2, 10.0), (0.1, 14.0)):
        yield Cell("dark room", f"{exposure:g}, noise {noise:g}", _scene(exposure=exposure, noise=noise))


def _paper_cells() -> Iterator[Cell]:
    for toner in (0.6, 0.4):
        yield Cell("toner", f"{100 * toner:.0f} %", printer=Printer(toner, toner))
    yield Cell("toner", "half faded", printer=Printer(1.0, 0.4))
    for sag in (5, 10, 15):
        yield Cell("curl", f"{sag} mm", _scene(bend=Bend(float(sag), axis_deg=80.0)))
    yield Cell("fold", "10°", _scene(bend=Bend(1.0, axis_deg=90.0, fold_deg=10.0)))
    palettes: Mapping[str, Palette] = {"grey": "grey", "1 bit": "bilevel", "dithered": "dithered"}
    for name, palette in palettes.items():
        yield Cell("scan", f"{name} 150 dpi", _scanned(palette, SCAN_DPI_SIZE_PX))
    for scale in (0.5, 0.71, 0.94, 0.97, 1.03):
        yield Cell("printed at", f"{100 * scale:.0f} %", printer=Printer(scale=scale))
    for shift in (4.0, 10.0):
        yield Cell("printed off", f"by {shift:g} mm", printer=Printer(shift_mm=(shift, 0.0)))
    for share in (0.06, 0.12):
        yield Cell("show-through", f"{100 * share:.0f} %", spoil=_shown_through(share))
    for width in (0.15, 0.4):
        yield Cell("streaks", f"{width:g} mm", spoil=_streaked(width))
    for share in (0.3, 0.2, 0.12, 0.07):
        yield Cell("pale writing", f"{100 * share:.0f} %", darkness=share)
    yield Cell("overwritten", f"{OVERWRITTEN} fields", spoil=overwritten)


def _table_cells() -> Iterator[Cell]:
    any_way = (0.0, 90.0, 180.0, 270.0)
    yield Cell("sheets", "2", table=Arrangement(2, 1))
    yield Cell("sheets", "6", table=Arrangement(2, 3))
    yield Cell("sheets", "6, any way up", table=Arrangement(2, 3, turns_deg=any_way))
    for overlap in (4, 25):
        yield Cell("sheets", f"2, overlapping {overlap} mm", table=Arrangement(1, 2, gap_mm=-float(overlap)))
    yield Cell("sheets", "2 photocopies", table=Arrangement(1, 2, any_game=False, copies=True))


CELLS = (*_camera_cells(), *_marker_cells(), *_light_cells(), *_paper_cells(), *_table_cells())
