"""Decoding: every kind of file that people send, and a clear refusal of everything else."""

import io
import sys
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from PIL import Image

from sheetscan.errors import MissingExtraError, UnreadableInputError
from sheetscan.imaging import photo
from sheetscan.imaging.photo import load_photos

RED_LEFT = np.zeros((40, 60, 3), np.uint8)
RED_LEFT[:] = 255
RED_LEFT[:, :20] = (200, 30, 30)
LIGHT = np.full((600, 800), 200, np.uint8)


def saved(path: Path, image: Image.Image, **options: object) -> Path:
    image.save(path, **options)
    return path


def only(path: Path) -> np.ndarray:
    (page,) = load_photos(path)
    return page.pixels


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".tif", ".webp", ".pdf"])
def test_pictures_of_every_format_are_decoded_to_bgr(tmp_path: Path, suffix: str) -> None:
    path = saved(tmp_path / f"photo{suffix}", Image.fromarray(RED_LEFT))
    pixels = only(path)
    assert pixels.dtype == np.uint8
    assert pixels.shape[2] == 3
    height, width = pixels.shape[:2]
    left, right = pixels[height // 2, width // 8], pixels[height // 2, 3 * width // 4]
    assert left[2] > 150
    assert left[0] < 80
    assert right.min() > 240


def test_the_content_counts_not_the_extension(tmp_path: Path) -> None:
    path = tmp_path / "PHOTO.JPG"
    Image.fromarray(RED_LEFT).save(path, format="PNG")
    assert only(path).shape == (40, 60, 3)


@pytest.mark.parametrize(
    ("orientation", "shape"), [(1, (40, 60)), (3, (40, 60)), (6, (60, 40)), (8, (60, 40))]
)
def test_exif_orientation_is_applied(tmp_path: Path, orientation: int, shape: tuple[int, int]) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    pixels = only(saved(tmp_path / "turned.jpg", Image.fromarray(RED_LEFT), exif=exif, quality=95))
    assert pixels.shape[:2] == shape
    edges = {
        1: pixels[:, :10],
        3: pixels[:, -10:],
        6: pixels[:10, :],
        8: pixels[-10:, :],
    }
    assert edges[orientation][..., 0].mean() < 80


@pytest.mark.parametrize("mode", ["1", "L", "P", "LA", "RGBA", "CMYK", "I;16"])
def test_every_mode_becomes_eight_bit_colour(tmp_path: Path, mode: str) -> None:
    grey = np.full((30, 30), 255, np.uint8)
    grey[10:20, 10:20] = 0
    if mode == "I;16":
        image = Image.fromarray(grey.astype(np.uint16) * 257)
    else:
        image = Image.fromarray(grey).convert(mode)
    pixels = only(saved(tmp_path / "picture.tif", image))
    assert pixels[15, 15].max() < 20
    assert pixels[2, 2].min() > 235


def test_transparency_is_paper_not_ink(tmp_path: Path) -> None:
    image = Image.new("RGBA", (20, 20), (0, 0, 0, 0))
    assert only(saved(tmp_path / "clear.png", image)).min() == 255


def test_every_page_of_a_tiff_and_a_pdf_is_read(tmp_path: Path) -> None:
    pages = [Image.fromarray(RED_LEFT), Image.new("L", (30, 50), 255), Image.new("1", (20, 20), 1)]
    tiff = saved(tmp_path / "scan.tiff", pages[0], save_all=True, append_images=pages[1:])
    pdf = saved(tmp_path / "scan.pdf", pages[0], save_all=True, append_images=pages[1:])
    assert [page.page for page in load_photos(tiff)] == [1, 2, 3]
    assert [page.page for page in load_photos(pdf)] == [1, 2, 3]
    assert [page.pixels.shape[:2] for page in load_photos(tiff)] == [(40, 60), (50, 30), (20, 20)]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (bytes(range(256)) * 8, "not a picture"),
        (b"%PDF-1.7\nnothing", "PDF"),
        (b"\xff\xd8\xff\xe0 cut off", "not a picture"),
    ],
)
def test_what_is_not_a_picture_is_refused_with_its_name(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "Müller 東京.jpg"
    path.write_bytes(content)
    with pytest.raises(UnreadableInputError, match=words) as refusal:
        list(load_photos(path))
    assert "東京" in refusal.value.message
    assert refusal.value.hint


def test_a_truncated_jpeg_is_refused(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    noise = np.random.default_rng(1).integers(0, 255, (300, 300, 3), np.uint8)
    Image.fromarray(noise).save(buffer, "JPEG")
    path = tmp_path / "half.jpg"
    path.write_bytes(buffer.getvalue()[: len(buffer.getvalue()) // 2])
    with pytest.raises(UnreadableInputError, match=r"half\.jpg"):
        list(load_photos(path))


def test_missing_files_and_folders_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(UnreadableInputError, match="no such file"):
        list(load_photos(tmp_path / "none.jpg"))
    with pytest.raises(UnreadableInputError, match="folder"):
        list(load_photos(tmp_path))


def test_a_picture_beyond_the_limit_is_refused_before_it_is_decoded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(photo, "MAX_PIXELS", 3000)
    monkeypatch.setattr(photo, "MAX_WHOLE_PIXELS", 2000)
    picture = Image.fromarray(RED_LEFT)
    for name, options in (("bomb.png", {}), ("bomb.tif", {}), ("bomb.jpg", {"progressive": True})):
        with pytest.raises(UnreadableInputError, match="million"):
            only(saved(tmp_path / name, picture, **options))
    assert only(saved(tmp_path / "large.jpg", picture)).shape == (40, 60, 3)


@pytest.mark.parametrize(
    ("suffix", "mode"),
    [
        *((".jpg", mode) for mode in ("L", "RGB", "CMYK")),
        *((".tif", mode) for mode in ("1", "L", "P", "RGB", "RGBA", "CMYK", "I;16")),
    ],
)
def test_an_oversized_picture_is_reduced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, mode: str
) -> None:
    image = Image.fromarray(np.full((600, 800), 200, np.uint16) * 257 if mode == "I;16" else LIGHT)
    path = saved(tmp_path / f"huge{suffix}", image if mode == "I;16" else image.convert(mode))
    monkeypatch.setattr(photo, "COMFORTABLE_PIXELS", 800 * 600 // 5)
    pixels = only(path)
    assert pixels.shape == (150, 200, 3)
    assert abs(pixels.mean() - 200) < 3


def test_every_page_is_held_to_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photo, "MAX_WHOLE_PIXELS", 3000)
    small, large = Image.new("L", (40, 60), 255), Image.new("L", (90, 60), 255)
    pages = load_photos(saved(tmp_path / "scan.tif", small, save_all=True, append_images=[large]))
    assert next(pages).pixels.shape == (60, 40, 3)
    with pytest.raises(UnreadableInputError, match="90 x 60 pixels"):
        next(pages)


def test_an_endless_file_is_read_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photo, "MAX_BYTES", 1_000_000)
    with pytest.raises(UnreadableInputError, match="longer than the 1 MB"):
        list(load_photos("/dev/zero"))


def test_a_closed_standard_input_is_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(UnreadableInputError, match="empty"):
        list(load_photos("-"))


def test_pages_of_a_pdf_are_turned_as_it_says(tmp_path: Path) -> None:
    wide = saved(tmp_path / "wide.pdf", Image.fromarray(RED_LEFT), resolution=72)
    for turn, shape in ((0, (167, 251)), (90, (251, 167)), (180, (167, 251)), (270, (251, 167))):
        with pypdfium2.PdfDocument(wide) as document:
            document[0].set_rotation(turn)
            document.save(tmp_path / "turned.pdf")
        pixels = only(tmp_path / "turned.pdf")
        assert pixels.shape[:2] == shape
        red = {0: pixels[80, 10], 90: pixels[10, 80], 180: pixels[80, -10], 270: pixels[-10, 80]}[turn]
        assert red[0] < 80 < red[2]


def test_a_huge_pdf_page_is_drawn_in_bounds(tmp_path: Path) -> None:
    document = pypdfium2.PdfDocument.new()
    document.new_page(5669, 800)
    document.save(tmp_path / "two metres.pdf")
    assert max(only(tmp_path / "two metres.pdf").shape) == photo.PDF_MAX_SIDE_PX


def heic() -> bytes:
    pillow_heif = pytest.importorskip("pillow_heif")
    buffer = io.BytesIO()
    pillow_heif.from_pillow(Image.fromarray(RED_LEFT)).save(buffer, quality=95)
    return buffer.getvalue()


def test_heic_is_read_with_its_extra(tmp_path: Path) -> None:
    path = tmp_path / "IMG_1.HEIC"
    path.write_bytes(heic())
    pixels = only(path)
    assert pixels.shape == (40, 60, 3)
    assert pixels[20, 5, 0] < 80 < pixels[20, 5, 2]


def test_heic_without_its_extra_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "IMG_1.HEIC"
    path.write_bytes(b"\0\0\0\x18ftypheic" + bytes(40))
    monkeypatch.setitem(sys.modules, "pillow_heif", None)
    with pytest.raises(MissingExtraError, match="extra `heic`") as missing:
        only(path)
    assert "sheetscan[heic]" in missing.value.hint


def test_pages_carry_the_hash_of_the_file(tmp_path: Path) -> None:
    path = saved(tmp_path / "photo.png", Image.fromarray(RED_LEFT))
    (first,) = load_photos(path)
    assert len(first.sha256) == 64
    copy = tmp_path / "copy.png"
    copy.write_bytes(path.read_bytes())
    (second,) = load_photos(copy)
    assert second.sha256 == first.sha256


def test_a_phones_second_frame_is_not_a_page(tmp_path: Path) -> None:
    first, preview = Image.new("RGB", (40, 30), "white"), Image.new("RGB", (20, 15), "black")
    path = saved(tmp_path / "phone.jpg", first, format="MPO", save_all=True, append_images=[preview])
    assert only(path).shape == (30, 40, 3)
