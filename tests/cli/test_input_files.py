"""Every kind of file that people send goes through the command line, and none of them brings it down."""

import io
import json
import os
import struct
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from PIL import Image

from benchmarks.memory import peak_memory_mb
from sheetscan.errors import ExitCode
from sheetscan.printing.order import PrintOrder
from sheetscan.printing.pdf import render_pdf
from tests.cli.conftest import TEMPLATE, Run

pytestmark = pytest.mark.usefixtures("reader")


def scanned(run: Run, path: Path) -> list[tuple[str, int, str]]:
    """Source, page and identity of each sheet found; nothing may fail or be said."""
    outcome = run("scan", path, "--json", "--lang", "en")
    document = json.loads(outcome.text)
    assert (outcome.code, outcome.err, document["failures"]) == (ExitCode.OK, "", [])
    return [(sheet["source"], sheet["page"], sheet["sheet_id"]) for sheet in document["sheets"]]


def sixteen_bits(picture: Image.Image) -> Image.Image:
    return Image.fromarray(np.asarray(picture.convert("L")).astype(np.uint16) * 257)


@pytest.mark.parametrize(
    ("name", "form", "convert"),
    [
        ("scan16.png", "PNG", sixteen_bits),
        ("grey.jpg", "JPEG", lambda picture: picture.convert("L")),
        ("print.jpg", "JPEG", lambda picture: picture.convert("CMYK")),
        ("palette.gif", "GIF", lambda picture: picture.convert("P")),
        ("alpha.webp", "WEBP", lambda picture: picture.convert("RGBA")),
        ("IMG_0001.JPG", "PNG", lambda picture: picture),
        ("foto.pdf.heic", "JPEG", lambda picture: picture),
    ],
)
def test_pictures_of_all_kinds_show_the_sheet(
    run: Run,
    tmp_path: Path,
    sheet_picture: Image.Image,
    name: str,
    form: str,
    convert: Callable[[Image.Image], Image.Image],
) -> None:
    path = tmp_path / name
    convert(sheet_picture).save(path, form)
    assert scanned(run, path) == [(str(path), 1, "K7M2QX-1")]


def test_pages_of_mixed_modes_and_sizes_are_all_read(
    run: Run, tmp_path: Path, sheet_picture: Image.Image
) -> None:
    path = tmp_path / "fax.tiff"
    pages = [
        sheet_picture,
        sheet_picture.convert("1"),
        sheet_picture.convert("CMYK").rotate(180),
        sheet_picture.resize((sheet_picture.width * 4 // 5, sheet_picture.height * 4 // 5)).convert("L"),
    ]
    pages[0].save(path, save_all=True, append_images=pages[1:])
    assert scanned(run, path) == [(str(path), page, "K7M2QX-1") for page in (1, 2, 3, 4)]


def test_pages_of_a_pdf_lie_as_they_like(run: Run, tmp_path: Path, sheet_picture: Image.Image) -> None:
    """/Rotate 90, 180 and 270, and every second page upside down in itself."""
    path = tmp_path / "scan.pdf"
    pages = [sheet_picture.rotate(180 * (number % 2)) for number in range(4)]
    pages[0].save(tmp_path / "flat.pdf", save_all=True, append_images=pages[1:], resolution=6 * 25.4)
    with pypdfium2.PdfDocument(tmp_path / "flat.pdf") as document:
        for number in range(4):
            document[number].set_rotation(90 * number)
        document.save(path)
    assert scanned(run, path) == [(str(path), page, "K7M2QX-1") for page in (1, 2, 3, 4)]


def test_shuffled_pages_of_two_people_keep_their_names(run: Run, tmp_path: Path) -> None:
    order = PrintOrder(paper="a5", players=("Anna", "Zoë"), copies=2, game_id="K7M2QX")
    printed = pypdfium2.PdfDocument(render_pdf(TEMPLATE, order))
    path = tmp_path / "both.pdf"
    with pypdfium2.PdfDocument.new() as shuffled:
        shuffled.import_pages(printed, [3, 0, 2, 1])
        shuffled.save(path)
    document = json.loads(run("scan", path, "--json").text)
    assert [(sheet["page"], sheet["sheet_id"], sheet["player"]) for sheet in document["sheets"]] == [
        (1, "K7M2QX-4", "Zoë"),
        (2, "K7M2QX-1", "Anna"),
        (3, "K7M2QX-3", "Anna"),
        (4, "K7M2QX-2", "Zoë"),
    ]


def test_heic_without_its_extra_costs_that_photo_only(
    run: Run, photo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heic = photo.with_name("IMG_2.HEIC")
    heic.write_bytes(b"\0\0\0\x18ftypheic" + bytes(40))
    monkeypatch.setitem(sys.modules, "pillow_heif", None)
    outcome = run("scan", heic, photo, "--json")
    assert outcome.code == ExitCode.MISSING_EXTRA
    assert len(json.loads(outcome.text)["sheets"]) == 1
    assert "pip install 'sheetscan[heic]'" in outcome.err


def test_a_picture_comes_through_standard_input(
    run: Run, photo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(photo.read_bytes())))
    assert scanned(run, Path("-")) == [("-", 1, "K7M2QX-1")]


def png_that_claims(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = zlib.compress(bytes(100_000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


@pytest.mark.parametrize("size", [(12000, 16000), (17000, 17000), (200_000, 200_000)])
def test_bombs_are_refused_with_the_limit(run: Run, tmp_path: Path, size: tuple[int, int]) -> None:
    path = tmp_path / "bomb.png"
    path.write_bytes(png_that_claims(*size))
    outcome = run("scan", path)
    assert outcome.code == ExitCode.UNREADABLE_INPUT
    assert outcome.err.startswith(f"Error: {path}: {size[0]} x {size[1]} pixels are more than the 36 million")
    assert "Warning" not in outcome.err
    assert len(outcome.err.splitlines()) == 2


def truncated(picture: Image.Image, form: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, form, **options)
    return buffer.getvalue()[: len(buffer.getvalue()) * 2 // 3]


@pytest.mark.parametrize(
    ("form", "options"),
    [
        ("JPEG", {}),
        ("PNG", {}),
        ("TIFF", {"compression": "tiff_lzw"}),
        ("WEBP", {}),
        ("GIF", {}),
        ("PDF", {}),
    ],
)
def test_half_a_file_is_refused_in_two_lines(
    run: Run, tmp_path: Path, form: str, options: dict[str, object]
) -> None:
    noise = np.random.default_rng(3).integers(0, 255, (400, 300, 3), np.uint8)
    path = tmp_path / f"half.{form.lower()}"
    path.write_bytes(truncated(Image.fromarray(noise), form, **options))
    outcome = run("scan", path)
    assert outcome.code in (ExitCode.UNREADABLE_INPUT, ExitCode.NO_SHEET)
    assert outcome.err.startswith(f"Error: {path}")
    assert len(outcome.err.splitlines()) == 2


@pytest.mark.skipif(os.name == "nt", reason="measures as POSIX does")
def test_the_largest_photo_is_read_in_bounded_memory(tmp_path: Path, sheet_picture: Image.Image) -> None:
    """A JPEG of 192 megapixels would take 576 MB as pixels alone."""
    path = tmp_path / "huge.jpg"
    table = Image.new("RGB", (12000, 16000), "white")
    table.paste(sheet_picture.resize((11000, 7752)), (500, 3000))
    table.save(path, quality=60)
    del table
    program = [sys.executable, "-m", "sheetscan.cli.app", "scan", "--exit-zero", "-f", "csv"]
    peak_mb = peak_memory_mb([*program, "-o", str(tmp_path / "out"), str(path)])
    assert "K7M2QX-1" in (tmp_path / "out" / "huge.csv").read_text()
    assert peak_mb < 400
