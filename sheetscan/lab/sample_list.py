"""What the samples are: three games, who played with which pen, and how the sheets were photographed."""

from dataclasses import dataclass

from sheetscan.lab.faults import Fault
from sheetscan.lab.optics import Bend
from sheetscan.lab.pen import Pen
from sheetscan.lab.scene import Glare, Light, Scene, Shadow, Thumb
from sheetscan.lab.studio import Placement
from sheetscan.printing.order import Ink, Paper


@dataclass(frozen=True, slots=True)
class SamplePlayer:
    """Somebody who plays (or whose sheet stays blank), his writing, and what he got wrong."""

    name: str
    hand_seed: int
    pen: Pen
    european: bool = True
    faults: tuple[Fault, ...] = ()
    tally_error: int = 0
    plays: bool = True


@dataclass(frozen=True, slots=True)
class SampleGame:
    """A game: how its sheets were printed and who played."""

    game_id: str
    seed: int
    language: str
    ink: Ink
    paper: Paper
    players: tuple[SamplePlayer, ...]


@dataclass(frozen=True, slots=True)
class SamplePhoto:
    """A photo of one or more sheets of a game (`sheets` counts from 0); `turned` stores it on its side."""

    name: str
    game_id: str
    sheets: tuple[int, ...]
    special: str
    scene: Scene
    placements: tuple[Placement, ...] = (Placement(),)
    turned: bool = False


BLUE_BALLPOINT = Pen("ballpoint", (0.08, 0.14, 0.5), 0.42, 0.92, 0.12, 0.0, 0.05, 0.03)
BLACK_GEL = Pen("gel", (0.06, 0.06, 0.07), 0.5, 0.97, 0.06, 0.0, 0.0, 0.03)
THIN_BLACK = Pen("ballpoint", (0.08, 0.08, 0.1), 0.3, 0.85, 0.2, 0.4, 0.1, 0.03)
SOFT_PENCIL = Pen("pencil", (0.22, 0.22, 0.24), 0.55, 0.85, 0.2, 0.0, 0.35, 0.05)
PALE_PENCIL = Pen("pencil", (0.45, 0.45, 0.46), 0.45, 0.6, 0.2, 0.0, 0.3, 0.05)
RED_FELT = Pen("felt", (0.72, 0.1, 0.12), 0.9, 0.95, 0.08, 0.0, 0.03, 0.07)
GREEN_BALLPOINT = Pen("ballpoint", (0.05, 0.4, 0.2), 0.45, 0.9, 0.12, 0.0, 0.05, 0.03)
TURQUOISE_FELT = Pen("felt", (0.05, 0.45, 0.55), 0.8, 0.95, 0.08, 0.0, 0.03, 0.07)

GAMES = (
    SampleGame(
        "ABEND2",
        seed=21,
        language="en",
        ink="colour",
        paper="a4",
        players=(
            SamplePlayer("Anna", 3, BLUE_BALLPOINT),
            SamplePlayer("Ben", 12, SOFT_PENCIL, faults=("column-repeat",)),
            SamplePlayer("Zoë", 5, BLACK_GEL, european=False),
        ),
    ),
    SampleGame(
        "REGEN4",
        seed=22,
        language="de",
        ink="light",
        paper="a5",
        players=(
            SamplePlayer("Jonas", 8, THIN_BLACK),
            SamplePlayer("Mia", 14, GREEN_BALLPOINT, faults=("cross", "void")),
            SamplePlayer("Noah", 10, BLUE_BALLPOINT, tally_error=10),
            SamplePlayer("Lea", 11, PALE_PENCIL, faults=("row-order",)),
        ),
    ),
    SampleGame(
        "FERME7",
        seed=24,
        language="fr",
        ink="black",
        paper="a4",
        players=(
            SamplePlayer("Chloé", 16, RED_FELT, faults=("value-21",)),
            SamplePlayer("Émile", 17, TURQUOISE_FELT, faults=("blocked-field",)),
            SamplePlayer("Inès", 18, BLACK_GEL, plays=False),
        ),
    ),
)

_SIZE = (2592, 1944)
_CLEAN = Scene(size_px=_SIZE, tilt_deg=6, azimuth_deg=100, noise=1.0, blur_px=0.6, jpeg_quality=82)

PHOTOS = (
    SamplePhoto(
        "anna",
        "ABEND2",
        (0,),
        "clean: bright, sharp, on a wooden table",
        Scene(
            size_px=(3264, 2448),
            tilt_deg=7,
            azimuth_deg=80,
            roll_deg=-1.5,
            table="wood",
            table_variant=1,
            light=Light(gradient=1.2, gradient_deg=200, vignette=0.08),
            noise=1.0,
            blur_px=0.8,
            jpeg_quality=80,
        ),
    ),
    SamplePhoto(
        "anna-curled",
        "ABEND2",
        (0,),
        "the same sheet curled by 9 mm, yellow lamp, half in soft shadow",
        Scene(
            size_px=_SIZE,
            tilt_deg=18,
            azimuth_deg=60,
            roll_deg=5,
            bend=Bend(-9, axis_deg=85),
            table="dark",
            table_variant=1,
            light=Light(
                gradient=1.6,
                gradient_deg=20,
                cast=(1.12, 1.0, 0.78),
                vignette=0.2,
                height_deg=50,
                shadows=(Shadow((0.85, 0.5), 70, 0.25, 0.15, 0.4),),
            ),
            noise=2.5,
            jpeg_quality=80,
        ),
    ),
    SamplePhoto(
        "ben",
        "ABEND2",
        (1,),
        "soft pencil; a number twice in a column; slightly curled, wooden table",
        Scene(
            size_px=_SIZE,
            tilt_deg=12,
            azimuth_deg=120,
            roll_deg=3,
            bend=Bend(4, axis_deg=95),
            table="wood",
            table_variant=3,
            light=Light(gradient=1.4, gradient_deg=-60, vignette=0.1),
            noise=1.5,
            jpeg_quality=80,
        ),
    ),
    SamplePhoto(
        "zoe-upside-down",
        "ABEND2",
        (2,),
        "upside down, on a chequered cloth",
        Scene(
            size_px=_SIZE,
            tilt_deg=10,
            roll_deg=176,
            table="cloth",
            table_variant=1,
            light=Light(gradient=1.3, gradient_deg=90, cast=(1.05, 1.0, 0.93)),
            noise=1.2,
            jpeg_quality=76,
        ),
    ),
    SamplePhoto(
        "jonas-upright-phone",
        "REGEN4",
        (0,),
        "light ink, thin pen; phone held upright: stored on its side with EXIF orientation 6",
        Scene(
            size_px=(1944, 2592),
            tilt_deg=14,
            azimuth_deg=75,
            table="white",
            light=Light(gradient=1.3, gradient_deg=150, vignette=0.15),
            noise=1.5,
            jpeg_quality=85,
        ),
        turned=True,
    ),
    SamplePhoto(
        "jonas-and-mia",
        "REGEN4",
        (0, 1),
        "two sheets in one photo, one of them turned; Mia has a crossed-out and a scribbled-out number",
        Scene(
            size_px=(2448, 3264),
            tilt_deg=9,
            azimuth_deg=95,
            fill=0.94,
            table="wood",
            table_variant=0,
            light=Light(gradient=1.3, gradient_deg=60, vignette=0.12),
            noise=1.2,
            jpeg_quality=76,
        ),
        placements=(Placement((0, 0), -3), Placement((9, 163), 178, Bend(2))),
    ),
    SamplePhoto(
        "mia-small",
        "REGEN4",
        (1,),
        "3 megapixels, bluish light, JPEG quality 55",
        Scene(
            size_px=(2048, 1536),
            tilt_deg=16,
            azimuth_deg=140,
            roll_deg=-6,
            light=Light(gradient=1.5, gradient_deg=180, cast=(0.88, 1.0, 1.16), vignette=0.2),
            table="white",
            table_variant=2,
            noise=3,
            jpeg_quality=55,
        ),
    ),
    SamplePhoto(
        "noah-hard-shadow",
        "REGEN4",
        (2,),
        "total wrong by 10; hard shadow across the fields, light 1:2.5",
        Scene(
            size_px=_SIZE,
            tilt_deg=20,
            azimuth_deg=110,
            roll_deg=-4,
            table="wood",
            table_variant=2,
            light=Light(
                gradient=2.5,
                gradient_deg=-20,
                height_deg=40,
                shadows=(Shadow((0.42, 0.45), 62, 0.13, 0.004, 0.5),),
            ),
            noise=2,
            jpeg_quality=80,
        ),
    ),
    SamplePhoto(
        "noah-thumb",
        "REGEN4",
        (2,),
        "a thumb covers the lower right marker",
        Scene(
            size_px=_SIZE,
            tilt_deg=15,
            azimuth_deg=90,
            roll_deg=2,
            table="dark",
            table_variant=0,
            light=Light(gradient=1.4, gradient_deg=-120, vignette=0.15),
            thumbs=(Thumb((194, 133), from_deg=40),),
            noise=1.5,
            jpeg_quality=82,
        ),
    ),
    SamplePhoto(
        "lea-pale",
        "REGEN4",
        (3,),
        "pale pencil; a number not above its left neighbour",
        Scene(
            size_px=_SIZE,
            tilt_deg=9,
            azimuth_deg=70,
            roll_deg=1,
            table="white",
            table_variant=1,
            light=Light(gradient=1.2, gradient_deg=45),
            exposure=0.95,
            noise=1.2,
            jpeg_quality=86,
        ),
    ),
    SamplePhoto(
        "chloe-sideways",
        "FERME7",
        (0,),
        "black print, red felt pen; a 21; photographed sideways",
        Scene(
            size_px=_SIZE,
            tilt_deg=12,
            azimuth_deg=30,
            roll_deg=93,
            table="cloth",
            table_variant=0,
            light=Light(gradient=1.5, gradient_deg=10, vignette=0.1),
            noise=1.2,
            jpeg_quality=76,
        ),
    ),
    SamplePhoto(
        "emile-shaken",
        "FERME7",
        (1,),
        "something in a blocked field; steep view, reflection, slightly shaken",
        Scene(
            size_px=_SIZE,
            tilt_deg=32,
            azimuth_deg=85,
            roll_deg=-8,
            k1=-0.04,
            table="dark",
            table_variant=2,
            light=Light(gradient=1.8, gradient_deg=-70, vignette=0.3, glare=Glare((0.62, 0.3), 0.1, 0.35)),
            motion_px=3,
            motion_deg=30,
            noise=3,
            jpeg_quality=78,
        ),
    ),
    SamplePhoto(
        "emile-grey-copy",
        "FERME7",
        (1,),
        "the same sheet as a grey photocopy, slightly turned on the glass",
        Scene(
            size_px=(2480, 1754),
            roll_deg=1.2,
            fill=0.985,
            focal=4.0,
            table="white",
            table_variant=3,
            palette="grey",
            contrast=0.8,
            exposure=1.0,
            blur_px=0.9,
            noise=1.0,
            jpeg_quality=80,
        ),
    ),
    SamplePhoto("ines-blank", "FERME7", (2,), "an empty sheet: nothing to read", _CLEAN),
)
