"""Decodes photos and scans: any picture format and PDF, upright, eight bits, blue-green-red."""

import hashlib
import io
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, ImageSequence

from sheetscan.errors import MissingExtraError, UnreadableInputError

STDIN = "-"
MAX_PIXELS = 250_000_000
"""More than any phone or scanner gives; a picture that claims more is refused before it is decoded."""
COMFORTABLE_PIXELS = 30_000_000
"""Larger JPEGs are decoded at half or quarter size: the rest adds memory, not legibility."""
PDF_PX_PER_INCH = 300
PDF_MAX_SIDE_PX = 6000
HEIC_BRANDS = (b"heic", b"heix", b"hevc", b"mif1", b"msf1", b"heim", b"heis")
_FORMATS_HINT = "give a photo as JPEG, PNG, TIFF or WebP, or a scan as PDF"


@dataclass(frozen=True, slots=True)
class Photo:
    """A decoded picture: `pixels` of shape (height, width, 3), uint8, blue-green-red; pages count from 1."""

    source: str
    page: int
    sha256: str
    pixels: NDArray[np.uint8]


def load_photos(source: Path | str) -> Iterator[Photo]:
    """Decode every page of a file, or of standard input for "-".

    Raises UnreadableInputError (missing, damaged, foreign or oversized) or MissingExtraError (HEIC).
    """
    data = _read_bytes(source)
    name = str(source)
    if not data:
        raise UnreadableInputError(f"{name}: the file is empty", "photograph or copy the sheet again")
    sha256 = hashlib.sha256(data).hexdigest()
    pages = _pdf_pages(data, name) if data[:1024].lstrip()[:5] == b"%PDF-" else _image_pages(data, name)
    for page, pixels in enumerate(pages, 1):
        yield Photo(name, page, sha256, pixels)


def _read_bytes(source: Path | str) -> bytes:
    if source == STDIN:
        return sys.stdin.buffer.read()
    try:
        return Path(source).read_bytes()
    except IsADirectoryError as error:
        raise UnreadableInputError(f"{source}: is a folder", "name the photos in it") from error
    except FileNotFoundError as error:
        raise UnreadableInputError(f"{source}: there is no such file", "check the spelling") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UnreadableInputError(f"{source}: can't be read ({reason})", "check the file") from error


def _image_pages(data: bytes, name: str) -> Iterator[NDArray[np.uint8]]:
    if data[4:8] == b"ftyp" and data[8:12] in HEIC_BRANDS:
        _register_heic(name)
    Image.MAX_IMAGE_PIXELS = MAX_PIXELS
    try:
        with Image.open(io.BytesIO(data)) as image:
            width, height = image.size
            if width * height > MAX_PIXELS:
                raise UnreadableInputError(
                    f"{name}: {width} x {height} pixels are more than the {MAX_PIXELS // 1_000_000} million"
                    " that are read",
                    "scale the picture down",
                )
            if image.format == "JPEG" and width * height > COMFORTABLE_PIXELS:
                image.draft(None, _comfortable_size(width, height))
            # Only TIFF has pages; further frames of other formats are previews, depth maps, animation.
            frames = ImageSequence.Iterator(image) if image.format == "TIFF" else [image]
            for frame in frames:
                yield _upright_bgr(frame)
    except Image.DecompressionBombError as error:
        raise UnreadableInputError(f"{name}: the picture is too large ({error})", "scale it down") from error
    except (OSError, SyntaxError, ValueError, EOFError, MemoryError) as error:
        raise UnreadableInputError(
            f"{name}: not a picture that can be read ({error})", _FORMATS_HINT
        ) from error


def _comfortable_size(width: int, height: int) -> tuple[int, int]:
    shrink = (COMFORTABLE_PIXELS / (width * height)) ** 0.5
    return round(width * shrink), round(height * shrink)


def _register_heic(name: str) -> None:
    try:
        import pillow_heif
    except ImportError as error:
        raise MissingExtraError(
            f"{name}: HEIC photos need the extra `heic`", "pip install 'sheetscan[heic]', or save it as JPEG"
        ) from error
    pillow_heif.register_heif_opener()


def _upright_bgr(frame: Image.Image) -> NDArray[np.uint8]:
    """Turned as EXIF says, transparency on white, any mode brought to eight-bit blue-green-red."""
    upright = frame
    with suppress(ValueError, KeyError, TypeError, SyntaxError):
        upright = ImageOps.exif_transpose(frame)
    if upright.mode in ("I", "F") or upright.mode.startswith("I;16"):
        upright = _eight_bits(upright)
    if upright.mode in ("LA", "PA", "RGBA", "RGBa", "La") or "transparency" in upright.info:
        rgba = upright.convert("RGBA")
        upright = Image.alpha_composite(Image.new("RGBA", rgba.size, "white"), rgba)
    pixels = np.asarray(upright.convert("RGB"))
    return np.ascontiguousarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR), dtype=np.uint8)


def _eight_bits(image: Image.Image) -> Image.Image:
    """Scale by the highest value the format can mean: 1, 255 or 65535."""
    values = np.asarray(image, dtype=np.float32)
    highest = float(values.max(initial=0.0))
    full = 1.0 if highest <= 1 else 255.0 if highest <= 255 else 65535.0
    return Image.fromarray(np.clip(values * (255 / full), 0, 255).astype(np.uint8))


def _pdf_pages(data: bytes, name: str) -> Iterator[NDArray[np.uint8]]:
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        raise UnreadableInputError(f"{name}: a damaged or locked PDF ({error})", _FORMATS_HINT) from error
    with document:
        for index in range(len(document)):
            try:
                page = document[index]
                longest_inch = max(page.get_size()) / 72
                px_per_inch = min(PDF_PX_PER_INCH, PDF_MAX_SIDE_PX / longest_inch)
                bitmap = page.render(scale=px_per_inch / 72)
                yield np.ascontiguousarray(bitmap.to_numpy()[:, :, :3], dtype=np.uint8)
            except (pypdfium2.PdfiumError, ValueError, ZeroDivisionError) as error:
                raise UnreadableInputError(
                    f"{name}: page {index + 1} can't be drawn ({error})", _FORMATS_HINT
                ) from error
