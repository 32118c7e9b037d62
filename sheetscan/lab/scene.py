"""What a photo is taken with and under, as data: camera, table, light, paper, sensor. And random ones."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from sheetscan.lab.optics import FLAT, Bend, Vector

Table = Literal["white", "wood", "cloth", "dark"]
Palette = Literal["colour", "grey", "bilevel", "dithered"]
Difficulty = Literal["easy", "normal", "hard"]

FULL_WIDTH_PX = 4032
SIZES_PX = ((4032, 3024), (3264, 2448), (2592, 1944), (2048, 1536))


@dataclass(frozen=True, slots=True)
class Shadow:
    """A straight band of shade: its middle in photo widths and heights, the direction of its edges, half its
    width and the softness of its edges in photo diagonals, and the share of light that it takes."""

    at: Vector
    edge_deg: float
    half_width: float
    softness: float
    depth: float


@dataclass(frozen=True, slots=True)
class Glare:
    """A reflection that washes out the print: middle in photo widths and heights, radius in diagonals."""

    at: Vector
    radius: float
    strength: float


@dataclass(frozen=True, slots=True)
class Thumb:
    """A fingertip on the sheet: where its tip is (millimetres), whence it comes, and half its width."""

    tip_mm: Vector
    from_deg: float
    radius_mm: float = 9.0


@dataclass(frozen=True, slots=True)
class Light:
    """The light on the table.

    `gradient` is the ratio of light between the photo's bright and dark side, towards `gradient_deg`; `cast`
    the gains of red, green and blue; `vignette` the share of light lost in the corners; `height_deg` how
    high the lamp stands, which shades curled paper and casts the sheet's own shadow.
    """

    gradient: float = 1.0
    gradient_deg: float = 0.0
    cast: tuple[float, float, float] = (1.0, 1.0, 1.0)
    vignette: float = 0.0
    height_deg: float = 70.0
    shadows: tuple[Shadow, ...] = ()
    glare: Glare | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything about a photo but the sheets in it.

    `fill` is the part of the photo's width or height that the sheets span (above 1: cropped), `offset` moves
    them by photo widths and heights, `focal` is the focal length in longer sides of the photo, `k1` and `k2`
    are Brown's radial distortion. `exposure` is how bright white paper gets (1: about to clip), `gamma` the
    exponent of the tone curve on top. `blur_px` is a Gaussian's sigma, `motion_px` the length of a shake,
    `noise` the sensor noise in grey levels, `sharpen` the camera's own unsharp mask.
    """

    size_px: tuple[int, int] = (4032, 3024)
    tilt_deg: float = 0.0
    azimuth_deg: float = 90.0
    roll_deg: float = 0.0
    fill: float = 0.92
    offset: Vector = (0.0, 0.0)
    focal: float = 0.74
    k1: float = 0.0
    k2: float = 0.0
    bend: Bend = FLAT
    table: Table = "white"
    table_variant: int = 0
    light: Light = Light()
    exposure: float = 0.9
    gamma: float = 1.0
    contrast: float = 0.15
    blur_px: float = 0.7
    motion_px: float = 0.0
    motion_deg: float = 0.0
    noise: float = 1.5
    sharpen: float = 0.4
    jpeg_quality: int = 90
    palette: Palette = "colour"
    thumbs: tuple[Thumb, ...] = ()


def random_scene(rng: np.random.Generator, difficulty: Difficulty = "normal") -> Scene:
    """A scene as people take them: "easy" is careful, "normal" casual, "hard" what one would not wish for."""
    return {"easy": _easy, "normal": _normal, "hard": _hard}[difficulty](rng)


def _easy(rng: np.random.Generator) -> Scene:
    return Scene(
        size_px=SIZES_PX[rng.integers(2)],
        tilt_deg=rng.uniform(0, 12),
        azimuth_deg=rng.uniform(0, 360),
        roll_deg=rng.normal(0, 2),
        fill=rng.uniform(0.84, 0.96),
        focal=rng.uniform(0.68, 0.85),
        k1=rng.uniform(-0.02, 0.02),
        bend=Bend(rng.uniform(-1, 1.5), axis_deg=rng.uniform(0, 180)),
        table=_choice(rng, ("white", "wood", "dark")),
        table_variant=int(rng.integers(4)),
        light=Light(
            gradient=rng.uniform(1, 1.3),
            gradient_deg=rng.uniform(0, 360),
            cast=_cast(rng, 0.03),
            vignette=rng.uniform(0, 0.12),
            height_deg=rng.uniform(60, 80),
        ),
        exposure=rng.uniform(0.85, 0.98),
        contrast=rng.uniform(0, 0.3),
        blur_px=rng.uniform(0.5, 0.9),
        noise=rng.uniform(0.8, 2),
        sharpen=rng.uniform(0.2, 0.6),
        jpeg_quality=int(rng.integers(86, 96)),
    )


def _normal(rng: np.random.Generator) -> Scene:
    size_px = SIZES_PX[rng.integers(4)]
    return replace(
        _easy(rng),
        size_px=size_px,
        tilt_deg=rng.uniform(0, 26),
        roll_deg=rng.normal(0, 8) + _quarter_turns(rng, 0.2),
        fill=rng.uniform(0.72, 0.96),
        k1=rng.uniform(-0.05, 0.05),
        k2=rng.uniform(-0.02, 0.02),
        bend=Bend(rng.uniform(-5, 6), axis_deg=rng.normal(90, 25) + 90 * rng.integers(2)),
        table=_choice(rng, ("white", "wood", "cloth", "dark")),
        light=Light(
            gradient=rng.uniform(1, 1.8),
            gradient_deg=rng.uniform(0, 360),
            cast=_cast(rng, 0.07),
            vignette=rng.uniform(0, 0.25),
            height_deg=rng.uniform(45, 80),
            shadows=_shadows(rng, 0.35, softness=(0.03, 0.15), depth=(0.1, 0.4)),
        ),
        exposure=rng.uniform(0.7, 1.0),
        contrast=rng.uniform(0, 0.5),
        blur_px=_blur(rng, size_px, 0.6, 1.6),
        noise=rng.uniform(1, 4),
        sharpen=rng.uniform(0, 0.9),
        jpeg_quality=int(rng.integers(72, 95)),
    )


def _hard(rng: np.random.Generator) -> Scene:
    scene = _normal(rng)
    scale = scene.size_px[0] / FULL_WIDTH_PX
    shaken = rng.random() < 0.3
    return replace(
        scene,
        tilt_deg=rng.uniform(5, 40),
        roll_deg=rng.normal(0, 14) + _quarter_turns(rng, 0.5),
        bend=Bend(
            float(rng.choice([-1, 1])) * rng.uniform(2, 14),
            axis_deg=rng.normal(90, 25) + 90 * rng.integers(2),
            fold_deg=rng.uniform(-12, 12) if rng.random() < 0.25 else 0.0,
            fold_at=rng.uniform(0.35, 0.65),
        ),
        light=replace(
            scene.light,
            gradient=rng.uniform(1, 3),
            cast=_cast(rng, 0.14),
            vignette=rng.uniform(0, 0.45),
            height_deg=rng.uniform(35, 75),
            shadows=_shadows(rng, 0.7, softness=(0.002, 0.05), depth=(0.25, 0.65)),
            glare=_glare(rng) if rng.random() < 0.25 else None,
        ),
        exposure=rng.uniform(0.5, 1.06),
        gamma=float(np.exp(rng.uniform(np.log(0.6), np.log(1.7)))),
        blur_px=_blur(rng, scene.size_px, 0.7, 3.0 if not shaken else 1.2),
        motion_px=rng.uniform(3, 9) * max(scale, 0.5) if shaken else 0.0,
        motion_deg=rng.uniform(0, 180),
        noise=rng.uniform(2, 9),
        jpeg_quality=int(rng.integers(40, 85)),
        palette="grey" if rng.random() < 0.1 else "colour",
    )


def _choice(rng: np.random.Generator, tables: tuple[Table, ...]) -> Table:
    return tables[rng.integers(len(tables))]


def _quarter_turns(rng: np.random.Generator, probability: float) -> float:
    return 90.0 * float(rng.integers(1, 4)) if rng.random() < probability else 0.0


def _cast(rng: np.random.Generator, strength: float) -> tuple[float, float, float]:
    """Gains along the line from bluish daylight to yellowish lamps, with a little green or magenta."""
    warm, green = rng.normal(0.3, 1) * strength, rng.normal(0, 0.3) * strength
    return (float(np.exp(warm)), float(np.exp(green)), float(np.exp(-1.3 * warm)))


def _blur(rng: np.random.Generator, size_px: tuple[int, int], low: float, high: float) -> float:
    """A sigma meant for the full size; smaller photos of the same scene blur over fewer pixels."""
    return rng.uniform(low, high) * max(size_px[0] / FULL_WIDTH_PX, 0.5)


def _shadows(
    rng: np.random.Generator, probability: float, softness: Vector, depth: Vector
) -> tuple[Shadow, ...]:
    if rng.random() >= probability:
        return ()
    return tuple(
        Shadow(
            at=(rng.uniform(-0.1, 1.1), rng.uniform(-0.1, 1.1)),
            edge_deg=rng.uniform(0, 180),
            half_width=rng.uniform(0.08, 0.4),
            softness=rng.uniform(*softness),
            depth=rng.uniform(*depth),
        )
        for _ in range(rng.integers(1, 3))
    )


def _glare(rng: np.random.Generator) -> Glare:
    return Glare(
        at=(rng.uniform(0.1, 0.9), rng.uniform(0.1, 0.9)),
        radius=rng.uniform(0.05, 0.16),
        strength=rng.uniform(0.15, 0.5),
    )
