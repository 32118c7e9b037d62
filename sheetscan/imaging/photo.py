"""Decodes photos and scans: any picture format and PDF, upright, eight bits, blue-green-red."""

import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import ExifTags, Image, UnidentifiedImageError

from sheetscan.errors import MissingExtraError, SheetscanError, UnreadableInputError
from sheetscan.imaging.source import opened

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

MAX_PAGES = 500
MAX_PIXELS = {
    "JPEG": 250_000_000,
    "progressive": 40_000_000,
    "HEIF": 51_000_000,
    "AVIF": 30_000_000,
    "WEBP": 17_000_000,
    "JPEG2000": 17_000_000,
}
"""A picture that claims more is refused before it is decoded: that would take more than about 300 MB.

JPEG is reduced while it is decoded, if it isn't progressive; HEIF takes 4.5 bytes a pixel as phones write it,
and the other decoders 6 to 16.
"""
MAX_OTHER_PIXELS = 36_000_000
"""The same for other formats, which take 4 to 5: A4 as scanned with 600 pixels an inch."""
COMFORTABLE_PIXELS = 25_000_000
"""Larger pictures are halved until they are no larger: the rest adds memory, not legibility."""
BAND_ROWS = 256
"""Pictures are converted so many rows at a time (a multiple of 8): what that takes stays small."""
PDF_PX_PER_INCH = 300
PDF_MAX_SIDE_PX = 5000
FORMATS = ("JPEG", "PNG", "TIFF", "WEBP", "GIF", "BMP", "PPM", "JPEG2000", "AVIF")
"""Pillow knows more, among them some that start other programs."""
HEIC_BRANDS = (b"heic", b"heix", b"hevc", b"mif1", b"msf1", b"heim", b"heis")
_KINDS = {"progressive": "progressive JPEG", "HEIF": "HEIC"}
_JPEG = ("JPEG", "MPO")
"""Phones that store a preview, depth or brightness beside a JPEG write MPO, which begins like one."""
REDUCIBLE_MODES = ("L", "RGB", "RGBA", "CMYK")
_DAMAGED_HINT = "the file may be damaged: copy it once more, or take the photo again"
_FORMATS_HINT = "give a photo as JPEG, PNG, TIFF or WebP, or a scan as PDF"

Pixels = NDArray[np.uint8]

_UPRIGHT: dict[int, Callable[[Pixels], Pixels]] = {
    2: lambda pixels: pixels[:, ::-1],
    3: lambda pixels: pixels[::-1, ::-1],
    4: lambda pixels: pixels[::-1],
    5: lambda pixels: pixels.transpose(1, 0, 2),
    6: lambda pixels: pixels[::-1].transpose(1, 0, 2),
    7: lambda pixels: pixels[::-1, ::-1].transpose(1, 0, 2),
    8: lambda pixels: pixels.transpose(1, 0, 2)[::-1],
}
"""What brings a picture upright, by its orientation (Exif 2.3, tag 274), if it isn't."""


@dataclass(frozen=True)
class Photo:
    """A decoded picture: `pixels` of shape (height, width, 3), uint8, blue-green-red; pages count from 1."""

    source: str
    page: int
    sha256: str
    pixels: Pixels

    @cached_property
    def grey(self) -> Pixels:
        """The picture in grey, (height, width), made once for all of its sheets."""
        return np.asarray(cv2.cvtColor(self.pixels, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def load_photos(source: Path | str) -> Iterator[Photo]:
    """Decode every page of a file, or of standard input for "-".

    Raises UnreadableInputError (missing, damaged, foreign or oversized) or MissingExtraError (HEIC).
    """
    name = str(source)
    with opened(source) as (file, sha256):
        start = file.read(1024)
        pages = _pdf_pages(file, name) if start.lstrip()[:5] == b"%PDF-" else _image_pages(file, start, name)
        for page, pixels in enumerate(pages, 1):
            if page > MAX_PAGES:
                raise UnreadableInputError(f"{name}: only its first {MAX_PAGES} pages are read", "split it")
            yield Photo(name, page, sha256, pixels)


def _image_pages(file: IO[bytes], start: bytes, name: str) -> Iterator[Pixels]:
    heif = start[4:8] == b"ftyp" and start[8:12] in HEIC_BRANDS
    if heif:
        _check_heif(name)
    Image.MAX_IMAGE_PIXELS = None  # Pillow would warn on stderr; `_check_size` refuses in words.
    page, more = 0, True
    while more:
        try:
            pixels, more = (_heif(file, name), False) if heif else _image_page(file, page, name)
        except SheetscanError:
            raise
        except UnidentifiedImageError as error:
            raise UnreadableInputError(f"{name}: not a picture of a known format", _FORMATS_HINT) from error
        except Exception as error:
            # Pillow's decoders raise errors of many kinds for damaged files.
            raise UnreadableInputError(
                f"{name}: the picture can't be decoded ({error})", _DAMAGED_HINT
            ) from error
        yield pixels
        page += 1


def _image_page(file: IO[bytes], page: int, name: str) -> tuple[Pixels, bool]:
    """The pixels of a page, counted from 0, and whether another one follows.

    The file is opened anew for each, so that no decoder's memory stays while its picture is being read.
    """
    file.seek(0)
    with warnings.catch_warnings():
        # What decoders remark about oddities of a file is not for users.
        warnings.simplefilter("ignore")
        with Image.open(file, formats=FORMATS) as image:
            image.seek(page)
            _check_size(image.size, _kind(image), name)
            return _decoded(image), _has_page(image, page + 1)


def _has_page(image: Image.Image, page: int) -> bool:
    """Only TIFF has pages; further frames of other formats are previews, depth maps, animation."""
    if image.format != "TIFF":
        return False
    try:
        image.seek(page)
    except EOFError:
        return False
    return True


def _kind(image: Image.Image) -> str:
    """What MAX_PIXELS knows the format by."""
    if image.format in _JPEG:
        return "progressive" if "progressive" in image.info else "JPEG"
    return image.format or ""


def _check_size(size: tuple[int, int], kind: str, name: str) -> None:
    width, height = size
    limit = MAX_PIXELS.get(kind, MAX_OTHER_PIXELS)
    if width * height <= limit:
        return
    by_jpeg = limit < width * height <= MAX_PIXELS["JPEG"]
    raise UnreadableInputError(
        f"{name}: {width} x {height} pixels are more than the {limit // 1_000_000} million that are read"
        f" of {_KINDS.get(kind, kind)}",
        "save it as JPEG that isn't progressive, or scale it down" if by_jpeg else "scale the picture down",
    )


def _shrink(size: tuple[int, int]) -> int:
    """By what power of two, up to 8, to reduce a picture to a comfortable size."""
    pixels = size[0] * size[1]
    return next((shrink for shrink in (1, 2, 4) if pixels <= COMFORTABLE_PIXELS * shrink**2), 8)


def _check_heif(name: str) -> None:
    try:
        import pillow_heif  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(
            f"{name}: HEIC photos need the extra `heic`", "pip install 'sheetscan[heic]', or save it as JPEG"
        ) from error


def _heif(file: IO[bytes], name: str) -> Pixels:
    """The main picture of a HEIF file, which its decoder turns upright.

    Without Pillow, which would hold it twice more: 48 megapixels then took 600 MB.
    """
    import pillow_heif

    file.seek(0)
    picture = pillow_heif.open_heif(file)
    width, height = size = picture.size
    _check_size(size, "HEIF", name)
    rows = np.frombuffer(picture.data, np.uint8).reshape(height, -1)
    channels = len(picture.mode)
    shape = (width, channels) if channels > 1 else (width,)
    bands = (
        (top, Image.fromarray(rows[top : top + BAND_ROWS, : width * channels].reshape(-1, *shape)))
        for top in range(0, height, BAND_ROWS)
    )
    return _bgr(size, bands)


def _decoded(image: Image.Image) -> Pixels:
    """The picture of a comfortable size, turned as EXIF says."""
    if (shrink := _shrink(image.size)) > 1 and image.format in _JPEG:
        image.draft(None, (image.width // shrink, image.height // shrink))
    with _libtiff_silenced():
        image.load()
    orientation = 1
    with suppress(ValueError, KeyError, TypeError, SyntaxError):
        orientation = image.getexif().get(ExifTags.Base.Orientation, 1)
    pixels = _bgr(image.size, _bands(image))
    return np.ascontiguousarray(_UPRIGHT[orientation](pixels)) if orientation in _UPRIGHT else pixels


@contextmanager
def _libtiff_silenced() -> Iterator[None]:
    """Keep from stderr what libtiff writes there by itself about damaged files: they are refused in words."""
    try:
        kept = os.dup(2)
    except OSError:  # Stderr is closed.
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _bgr(size: tuple[int, int], bands: Iterable[tuple[int, Image.Image]]) -> Pixels:
    """Bands of any mode as one picture: blue-green-red, transparency on white, of a comfortable size."""
    width, height = size
    shrink = _shrink(size)
    pixels = np.empty((-(-height // shrink), -(-width // shrink), 3), np.uint8)
    for top, band in bands:
        plain = _plain(band).reduce(shrink)
        if plain.mode == "RGBA":
            plain = Image.alpha_composite(Image.new("RGBA", plain.size, "white"), plain)
        rows = plain.convert("RGB").tobytes("raw", "BGR")
        first = top // shrink
        pixels[first : first + plain.height] = np.frombuffer(rows, np.uint8).reshape(plain.height, -1, 3)
    return pixels


def _bands(image: Image.Image) -> Iterator[tuple[int, Image.Image]]:
    """The picture cut into bands of eight bits, each with its first row."""
    full = _full_scale(image)
    for top, band in _raw_bands(image):
        yield top, _eight_bits(band, full) if full else band


def _raw_bands(image: Image.Image) -> Iterator[tuple[int, Image.Image]]:
    for top in range(0, image.height, BAND_ROWS):
        yield top, image.crop((0, top, image.width, min(top + BAND_ROWS, image.height)))


def _plain(image: Image.Image) -> Image.Image:
    """The picture in one of REDUCIBLE_MODES: RGBA if anything in it is transparent."""
    if image.mode in ("LA", "PA", "RGBa", "La") or "transparency" in image.info:
        return image.convert("RGBA")
    if image.mode in REDUCIBLE_MODES:
        return image
    return image.convert("L" if image.mode == "1" else "RGB")


def _full_scale(image: Image.Image) -> float:
    """The highest value that the format of a deep picture can mean: 1, 255 or 65535; 0 for eight bits."""
    if image.mode not in ("I", "F") and not image.mode.startswith("I;16"):
        return 0.0
    highest = max(float(np.asarray(band).max(initial=0)) for _, band in _raw_bands(image))
    return 1.0 if highest <= 1 else 255.0 if highest <= 255 else 65535.0


def _eight_bits(image: Image.Image, full: float) -> Image.Image:
    values = np.asarray(image)
    if values.dtype.kind == "u":
        values = values.astype(np.uint16, copy=False)  # In the machine's order of bytes.
    else:
        values = np.clip(values, 0, full).astype(np.float32)
    return Image.fromarray(cv2.convertScaleAbs(values, alpha=255 / full))


def _pdf_pages(file: IO[bytes], name: str) -> Iterator[Pixels]:
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(file)
    except pypdfium2.PdfiumError as error:
        raise UnreadableInputError(
            f"{name}: a damaged or locked PDF ({error})", "copy it once more, or save it without a password"
        ) from error
    with document:
        for index in range(len(document)):
            try:
                pixels = _drawn(document, index)
            except (pypdfium2.PdfiumError, ValueError, ZeroDivisionError, MemoryError) as error:
                raise UnreadableInputError(
                    f"{name}: page {index + 1} can't be drawn ({error})", _DAMAGED_HINT
                ) from error
            yield pixels


def _drawn(document: "PdfDocument", index: int) -> Pixels:
    page = document[index]
    longest_inch = max(page.get_size()) / 72
    px_per_inch = min(PDF_PX_PER_INCH, PDF_MAX_SIDE_PX / longest_inch)
    return np.ascontiguousarray(page.render(scale=px_per_inch / 72).to_numpy()[:, :, :3], dtype=np.uint8)
