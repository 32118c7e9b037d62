"""What a printed sheet shows, measured in its raster image."""

import base64
import re
import shutil
import zlib
from itertools import product

import cv2
import numpy as np
import pytest
import zxingcpp
from numpy.typing import NDArray

from sheetscan.geometry import Box
from sheetscan.printing.order import INKS, PAPERS
from sheetscan.printing.paper import page_layout
from sheetscan.sheetcode import SheetCode, parse_text
from sheetscan.template import FIELD_OUTLINE_MM, Field, Template
from tests.printing.conftest import GAME, part, picture, printed

PX_PER_MM = 300 / 25.4


def grey(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY))


def detected_corners_mm(pixels: NDArray[np.uint8], dictionary: str) -> list[tuple[int, NDArray[np.float64]]]:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(
        cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary)), parameters
    )
    corners, ids, _ = detector.detectMarkers(grey(pixels))
    pairs = zip(np.ravel(ids).tolist(), corners, strict=True)
    return [(marker, (square.reshape(4, 2) + 0.5) / PX_PER_MM) for marker, square in pairs]


@pytest.mark.parametrize(("ink", "paper"), list(product(INKS, PAPERS)))
def test_markers_lie_where_the_template_says(qwinto: Template, ink: str, paper: str) -> None:
    layout = page_layout(paper, qwinto.page_mm)  # type: ignore[arg-type]
    found = detected_corners_mm(
        picture(printed(ink=ink, paper=paper, copies=2), PX_PER_MM), qwinto.dictionary
    )
    expected = [
        (marker.id, np.array(marker.box_mm.corners) * layout.scale + origin)
        for origin in layout.origins_mm
        for marker in qwinto.markers
    ]
    assert len(found) == len(expected)
    for marker, corners in expected:
        nearest = min(np.abs(square - corners).max() for other, square in found if other == marker)
        assert nearest < 0.1


def test_letter_shrinks_the_sheet_and_a4_does_not(qwinto: Template) -> None:
    a4, letter = (page_layout(paper, qwinto.page_mm) for paper in ("a4", "letter"))
    assert (a4.scale, a4.origins_mm, a4.cut_y_mm) == (1, ((0, 0.25), (0, 148.75)), 148.5)
    assert letter.scale == pytest.approx(139.7 / 148)
    assert letter.cut_y_mm == 139.7
    left = (215.9 - 210 * 139.7 / 148) / 2
    assert np.array(letter.origins_mm) == pytest.approx(np.array([[left, 0], [left, 139.7]]))


@pytest.mark.parametrize("ink", INKS)
def test_quiet_zones_of_markers_are_white(qwinto: Template, ink: str) -> None:
    pixels = picture(printed(ink=ink, paper="a5", players=("Zoë Müller",)), 20)
    for marker in qwinto.markers:
        zone = part(pixels, marker.box_mm.grown(1.0), 20).copy()
        edge = 18
        zone[edge:-edge, edge:-edge] = 255
        assert zone.min() > 250, f"marker {marker.id}"


def test_markers_have_no_hairlines_between_their_modules(qwinto: Template) -> None:
    """At a scale at which modules end within pixels, the middle of the black border stays black."""
    scale = 7.3
    pixels = grey(picture(printed(paper="a5"), scale))
    for marker in qwinto.markers:
        left_border = Box(marker.box_mm.x + 0.2, marker.box_mm.y + 0.3, 0.6, 7.4)
        assert part(pixels, left_border, scale).max() < 10


@pytest.mark.parametrize("ink", INKS)
def test_markers_keep_clear_of_the_paper_edge(qwinto: Template, ink: str) -> None:
    page = Box(0, 0, *qwinto.page_mm)
    assert all(page.grown(-6.5).contains(marker.box_mm) for marker in qwinto.markers)
    pixels = picture(printed(ink=ink, paper="a5"), 10)
    pixels[60:-60, 60:-60] = 255
    assert pixels.min() == 255


@pytest.mark.parametrize(("ink", "paper"), list(product(INKS, PAPERS)))
def test_code_holds_the_identity(ink: str, paper: str) -> None:
    pixels = picture(printed(ink=ink, paper=paper, players=("Łukasz",)), PX_PER_MM)
    (code,) = zxingcpp.read_barcodes(pixels)
    assert code.text == SheetCode("qwinto", 1, GAME, 1, "Łukasz").to_payload()
    assert code.ec_level == "M"


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="needs the tesseract binary")
@pytest.mark.parametrize(("ink", "game"), [("colour", GAME), ("light", "BG8S5Z"), ("black", "WVN4QD")])
def test_code_text_is_read_by_ocr(qwinto: Template, ink: str, game: str) -> None:
    import pytesseract

    pixels = picture(printed(ink=ink, paper="a5", game_id=game), PX_PER_MM)
    text = pytesseract.image_to_string(
        part(pixels, qwinto.code_text_mm.grown(0.5), PX_PER_MM), config="--psm 7"
    )
    assert parse_text(text) == SheetCode("qwinto", 1, game, 1)


def test_black_ink_has_no_colour() -> None:
    pixels = picture(printed(ink="black", players=("Anna",), copies=2), 8).astype(int)
    assert np.ptp(pixels, axis=2).max() == 0


def drawing_words(pdf: bytes) -> set[bytes]:
    """The operators and operands of all streams, those of fonts included."""
    words: set[bytes] = set()
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL):
        packed = base64.a85decode(stream.strip()[:-2]) if stream.strip().endswith(b"~>") else stream
        words |= set(zlib.decompressobj().decompress(packed).split())
    return words


def test_black_ink_is_printed_with_black_toner_alone() -> None:
    """Greys as red, green and blue would be mixed from three inks."""
    assert b"rg" not in drawing_words(printed(ink="black", players=("Anna",)))
    assert b"rg" in drawing_words(printed(ink="colour", players=("Anna",)))


def diagonality(pixels: NDArray[np.uint8]) -> float:
    """0 where edges run along the axes, 2/pi where in all directions, 1 where on the diagonals."""
    along_y, along_x = np.gradient(cv2.GaussianBlur(pixels, (0, 0), 1.0).astype(float))
    return float(2 * np.abs(along_x * along_y).mean() / (along_x**2 + along_y**2).mean())


def test_black_ink_tells_the_rows_apart_by_pattern(qwinto: Template) -> None:
    pixels = grey(picture(printed(ink="black", paper="a5"), 20))
    seen = {}
    for row, (left, right) in {"orange": (10, 11), "yellow": (10, 11), "purple": (6, 7)}.items():
        between = (qwinto.field(f"{row}-{left}").box_mm.right + qwinto.field(f"{row}-{right}").box_mm.x) / 2
        seen[row] = diagonality(
            part(pixels, Box(between - 1.6, qwinto.row(row).band_mm.y + 0.6, 3.2, 2.6), 20)
        )
    assert seen["purple"] < 0.3
    assert seen["orange"] == pytest.approx(2 / np.pi, abs=0.12)
    assert seen["yellow"] > 0.9


@pytest.mark.parametrize("ink", INKS)
def test_inside_of_fields_is_white_and_blocked_fields_are_filled(qwinto: Template, ink: str) -> None:
    pixels = picture(printed(ink=ink, paper="a5"), 12)
    for field in qwinto.readable_fields:
        middle = part(pixels, Box.around(field.box_mm.centre, 6, 6), 12)
        if field.kind == "blocked":
            assert grey(middle).max() < 215, field.id
        else:
            assert middle.min() == 255, field.id


def ring(field: Field, inset_mm: float) -> NDArray[np.float64]:
    """Points along a round field's edge, moved inwards."""
    angles = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    radius = field.box_mm.width / 2 - inset_mm
    return np.array(field.box_mm.centre) + radius * np.column_stack([np.cos(angles), np.sin(angles)])


def at(pixels: NDArray[np.uint8], points_mm: NDArray[np.float64], px_per_mm: float) -> NDArray[np.uint8]:
    columns, rows = np.floor(points_mm * px_per_mm).astype(int).T
    return pixels[rows, columns]


@pytest.mark.parametrize("ink", ["colour", "black"])
def test_a_photocopy_keeps_the_outlines_and_white_insides(qwinto: Template, ink: str) -> None:
    """A hard copy: grey, blurred by the optics, cut at half."""
    pixels = grey(picture(printed(ink=ink, paper="a5"), 12))
    copied = np.where(cv2.GaussianBlur(pixels, (0, 0), 1.2) < 128, 0, 255).astype(np.uint8)
    for field in qwinto.fields:
        if field.kind == "number" and field.shape == "circle":
            assert at(copied, ring(field, FIELD_OUTLINE_MM / 2), 12).max() == 0, field.id
            assert at(copied, ring(field, FIELD_OUTLINE_MM * 2), 12).min() == 255, field.id


def test_light_ink_drops_out_under_thresholding(qwinto: Template) -> None:
    pixels = grey(picture(printed(ink="light", paper="a5"), 10))
    everything = [field.box_mm for field in qwinto.readable_fields] + [row.band_mm for row in qwinto.rows]
    without_names = [Box(box.x + 5.6, box.y, box.width - 5.6, box.height) for box in everything]
    assert min(part(pixels, box, 10).min() for box in without_names) > 170


def test_outlines_reach_the_edge_of_the_box(qwinto: Template) -> None:
    """Fields are printed as large as the template says: the outline lies just inside the box."""
    pixels = grey(picture(printed(ink="black", paper="a5"), 20))
    for field in qwinto.fields:
        if field.kind in {"mark", "tally"}:
            x, y, right, bottom = (
                round(edge * 20)
                for edge in (field.box_mm.x, field.box_mm.y, field.box_mm.right, field.box_mm.bottom)
            )
            across = pixels[(y + bottom) // 2]
            dark = np.flatnonzero(across[x - 20 : right + 20] < 128) + x - 20
            assert (dark[0], dark[-1]) == pytest.approx((x, right - 1), abs=1), field.id
