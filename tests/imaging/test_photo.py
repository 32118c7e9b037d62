"""Decoding: every kind of file that people send, and a clear refusal of everything else."""

import io
import sys
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from PIL import Image

from sheetscan.errors import MissingExtraError, UnreadableInputError
from sheetscan.imaging import photo, source
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


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("suffix", [".jpg", ".png", ".tif"])
def test_exif_orientation_is_applied(tmp_path: Path, orientation: int, suffix: str) -> None:
    corner = np.full((40, 60, 3), 255, np.uint8)
    corner[:20, :10] = (200, 30, 30)
    stored = {
        1: corner,
        2: corner[:, ::-1],
        3: corner[::-1, ::-1],
        4: corner[::-1],
        5: corner.transpose(1, 0, 2),
        6: np.rot90(corner, 1),
        7: np.rot90(corner.transpose(1, 0, 2), 2),
        8: np.rot90(corner, -1),
    }[orientation]
    exif = Image.Exif()
    exif[0x0112] = orientation
    pixels = only(saved(tmp_path / f"turned{suffix}", Image.fromarray(stored), exif=exif))
    assert pixels.shape[:2] == (40, 60)
    assert pixels[:16, :8, 0].mean() < 80
    assert pixels[24:, 16:].min() > 230


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


@pytest.mark.parametrize(("kind", "white"), [(">u2", 65535), ("<u2", 65535), ("<f4", 1), ("<i4", 255)])
def test_deep_pictures_of_any_byte_order_and_scale(tmp_path: Path, kind: str, white: int) -> None:
    """Taller than one band, and dark only in the last of them."""
    values = np.full((600, 20), white, kind)
    values[590:] = 0
    pixels = only(saved(tmp_path / "deep.tif", Image.fromarray(values)))
    assert pixels[:580].min() > 250
    assert pixels[592:].max() < 5


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
        (b"\xff\xd8\xff\xe0 cut off", "can't be decoded"),
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


def test_a_damaged_tiff_is_refused_without_a_word_of_its_decoder(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (200, 200), np.uint8)
    path = saved(tmp_path / "damaged.tif", Image.fromarray(noise), compression="tiff_lzw")
    data = bytearray(path.read_bytes())
    data[400:800] = bytes(400)
    path.write_bytes(data)
    with pytest.raises(UnreadableInputError, match=r"damaged\.tif"):
        only(path)
    assert capfd.readouterr().err == ""


def test_missing_files_and_folders_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(UnreadableInputError, match="no such file"):
        list(load_photos(tmp_path / "none.jpg"))
    with pytest.raises(UnreadableInputError, match="folder"):
        list(load_photos(tmp_path))


def test_a_picture_beyond_the_limit_is_refused_before_it_is_decoded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(photo, "MAX_PIXELS", {"JPEG": 3000, "progressive": 2000})
    monkeypatch.setattr(photo, "MAX_OTHER_PIXELS", 2000)
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
    monkeypatch.setattr(photo, "MAX_OTHER_PIXELS", 3000)
    small, large = Image.new("L", (40, 60), 255), Image.new("L", (90, 60), 255)
    pages = load_photos(saved(tmp_path / "scan.tif", small, save_all=True, append_images=[large]))
    assert next(pages).pixels.shape == (60, 40, 3)
    with pytest.raises(UnreadableInputError, match="90 x 60 pixels"):
        next(pages)


@pytest.mark.parametrize("suffix", [".tif", ".pdf"])
def test_of_endless_pages_the_first_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    monkeypatch.setattr(photo, "MAX_PAGES", 2)
    pages = [Image.new("L", (40, 60), 255)] * 4
    found = load_photos(saved(tmp_path / f"scan{suffix}", pages[0], save_all=True, append_images=pages[1:]))
    assert [next(found).page, next(found).page] == [1, 2]
    with pytest.raises(UnreadableInputError, match="only its first 2 pages"):
        next(found)


def test_costly_formats_have_a_lower_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photo, "MAX_PIXELS", {"JPEG": 2000, "WEBP": 2000})
    with pytest.raises(UnreadableInputError, match="60 x 40 pixels"):
        only(saved(tmp_path / "large.webp", Image.fromarray(RED_LEFT)))
    assert only(saved(tmp_path / "large.png", Image.fromarray(RED_LEFT))).shape == (40, 60, 3)


def test_no_other_program_is_started_for_a_file(tmp_path: Path) -> None:
    """Pillow would have Ghostscript draw it."""
    path = saved(tmp_path / "drawing.eps", Image.fromarray(RED_LEFT))
    with pytest.raises(UnreadableInputError, match="not a picture of a known format"):
        only(path)


def test_an_endless_file_is_read_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "MAX_BYTES", 1_000_000)
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


def heic(image: Image.Image | None = None) -> bytes:
    pillow_heif = pytest.importorskip("pillow_heif")
    buffer = io.BytesIO()
    pillow_heif.from_pillow(image or Image.fromarray(RED_LEFT)).save(buffer, quality=95)
    return buffer.getvalue()


def test_heic_is_read_with_its_extra(tmp_path: Path) -> None:
    path = tmp_path / "IMG_1.HEIC"
    path.write_bytes(heic())
    pixels = only(path)
    assert pixels.shape == (40, 60, 3)
    assert pixels[20, 5, 0] < 80 < pixels[20, 5, 2]


@pytest.mark.parametrize("chroma", [420, 444])
def test_heic_of_ten_bits_is_read(tmp_path: Path, chroma: int) -> None:
    """As phones take them in HDR."""
    pillow_heif = pytest.importorskip("pillow_heif")
    deep = RED_LEFT.astype(np.uint16) * 257
    buffer = io.BytesIO()
    size = deep.shape[1::-1]
    photo_of_phone = pillow_heif.from_bytes(mode="RGB;16", size=size, data=deep.tobytes())
    photo_of_phone.save(buffer, quality=95, chroma=chroma)
    assert pillow_heif.open_heif(buffer, convert_hdr_to_8bit=False).info["bit_depth"] == 10
    path = tmp_path / "IMG_HDR.HEIC"
    path.write_bytes(buffer.getvalue())
    pixels = only(path)
    assert pixels.shape == (40, 60, 3)
    assert pixels[20, 5, 0] < 80 < pixels[20, 5, 2]


@pytest.mark.parametrize("mode", ["L", "RGB", "RGBA"])
def test_a_large_heic_is_reduced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str) -> None:
    """Of an odd width, taller than one band, and dark only at the lower right."""
    grey = np.full((600, 801), 255, np.uint8)
    grey[500:, 700:] = 20
    path = tmp_path / "IMG_48.HEIC"
    path.write_bytes(heic(Image.fromarray(grey).convert(mode)))
    monkeypatch.setattr(photo, "COMFORTABLE_PIXELS", 800 * 600 // 3)
    pixels = only(path)
    assert pixels.shape == (300, 401, 3)
    assert pixels[:240].min() > 230
    assert pixels[260:, 360:].max() < 40


def test_transparent_heic_is_paper(tmp_path: Path) -> None:
    path = tmp_path / "clear.heic"
    path.write_bytes(heic(Image.new("RGBA", (64, 64), (0, 0, 0, 0))))
    assert only(path).min() > 250


def test_a_damaged_heic_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "half.heic"
    whole = heic()
    path.write_bytes(whole[: len(whole) * 2 // 3])
    with pytest.raises(UnreadableInputError, match=r"half\.heic: the picture can't be decoded"):
        only(path)


@pytest.mark.parametrize("size", [(8064, 6048), (8160, 6120)])
def test_the_largest_photos_of_phones_are_within_the_limits(size: tuple[int, int]) -> None:
    """48 and 50 megapixels; as HEIC they take 310 MB (`python -m benchmarks.speed`)."""
    for kind in ("JPEG", "HEIF"):
        assert size[0] * size[1] <= photo.MAX_PIXELS[kind]


def test_a_heic_beyond_the_limit_is_refused_with_a_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "IMG_200.HEIC"
    path.write_bytes(heic())
    monkeypatch.setattr(photo, "MAX_PIXELS", {"JPEG": 3000, "HEIF": 2000})
    with pytest.raises(UnreadableInputError, match=r"60 x 40 pixels .* of HEIC") as refusal:
        only(path)
    assert "JPEG" in refusal.value.hint
    monkeypatch.setattr(photo, "MAX_PIXELS", {"JPEG": 1000, "HEIF": 1000})
    with pytest.raises(UnreadableInputError) as refusal:
        only(path)
    assert "JPEG" not in refusal.value.hint


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


@pytest.mark.parametrize("progressive", [False, True])
def test_a_jpeg_with_a_second_frame_has_the_limits_of_a_jpeg(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, progressive: bool
) -> None:
    """And is reduced while it is decoded: phones of 50 megapixels write such files."""
    options = {"save_all": True, "append_images": [Image.new("RGB", (20, 15))], "progressive": progressive}
    path = saved(tmp_path / "phone.jpg", Image.fromarray(LIGHT).convert("RGB"), format="MPO", **options)
    monkeypatch.setattr(photo, "MAX_OTHER_PIXELS", 1000)
    monkeypatch.setattr(photo, "MAX_PIXELS", {"JPEG": 800 * 600, "progressive": 1000})
    monkeypatch.setattr(photo, "COMFORTABLE_PIXELS", 800 * 600 // 4)
    if progressive:
        with pytest.raises(UnreadableInputError, match="of progressive JPEG"):
            only(path)
        return
    sizes: list[tuple[int, int]] = []
    monkeypatch.setattr(photo, "_bands", lambda image: sizes.append(image.size) or iter(()))
    assert only(path).shape == (300, 400, 3)
    assert sizes == [(400, 300)]


def test_a_phones_second_frame_is_not_a_page(tmp_path: Path) -> None:
    first, preview = Image.new("RGB", (40, 30), "white"), Image.new("RGB", (20, 15), "black")
    path = saved(tmp_path / "phone.jpg", first, format="MPO", save_all=True, append_images=[preview])
    assert only(path).shape == (30, 40, 3)
