"""Decodes photos and scans: any picture format and PDF, upright, eight bits, blue-green-red."""

import hashlib
import io
import sys
import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from sheetscan.errors import MissingExtraError, SheetscanError, UnreadableInputError

STDIN = "-"
MAX_BYTES = 300_000_000
"""Longer than any photo or scan; read no further, the file may be a device that never ends."""
MAX_PIXELS = 250_000_000
"""More than any phone or scanner gives; a picture that claims more is refused before it is decoded."""
MAX_WHOLE_PIXELS = 80_000_000
"""The same for pictures that can be decoded at full size only: A3 at 600 dpi."""
COMFORTABLE_PIXELS = 30_000_000
"""Larger pictures are halved until they are no larger: the rest adds memory, not legibility."""
PDF_PX_PER_INCH = 300
PDF_MAX_SIDE_PX = 6000
HEIC_BRANDS = (b"heic", b"heix", b"hevc", b"mif1", b"msf1", b"heim", b"heis")
REDUCIBLE_MODES = ("L", "RGB", "RGBA", "CMYK")
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
    try:
        if source == STDIN:
            # Standard input may be closed, then it is None.
            data = sys.stdin.buffer.read(MAX_BYTES + 1) if sys.stdin else b""
        else:
            with Path(source).open("rb") as file:
                data = file.read(MAX_BYTES + 1)
    except IsADirectoryError as error:
        raise UnreadableInputError(f"{source}: is a folder", "name the photos in it") from error
    except FileNotFoundError as error:
        raise UnreadableInputError(f"{source}: there is no such file", "check the spelling") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UnreadableInputError(f"{source}: can't be read ({reason})", "check the file") from error
    if len(data) > MAX_BYTES:
        raise UnreadableInputError(
            f"{source}: is longer than the {MAX_BYTES // 1_000_000} MB that are read",
            "scale the picture down, or split the PDF",
        )
    return data


def _image_pages(data: bytes, name: str) -> Iterator[NDArray[np.uint8]]:
    if data[4:8] == b"ftyp" and data[8:12] in HEIC_BRANDS:
        _register_heic(name)
    Image.MAX_IMAGE_PIXELS = None  # Pillow would warn on stderr; `_check_size` refuses in words.
    try:
        with _opened(data) as image:
            # Only TIFF has pages; further frames of other formats are previews, depth maps, animation.
            for index in range(_pages(image)):
                yield _decoded(image, index, name)
    except SheetscanError:
        raise
    except UnidentifiedImageError as error:
        raise UnreadableInputError(f"{name}: not a picture of a known format", _FORMATS_HINT) from error
    except Exception as error:
        # Pillow's decoders raise errors of many kinds for damaged files.
        raise UnreadableInputError(
            f"{name}: not a picture that can be read ({error})", _FORMATS_HINT
        ) from error


def _opened(data: bytes) -> Image.Image:
    with warnings.catch_warnings():
        # What decoders remark about oddities of a file is not for users.
        warnings.simplefilter("ignore")
        return Image.open(io.BytesIO(data))


def _pages(image: Image.Image) -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return getattr(image, "n_frames", 1) if image.format == "TIFF" else 1


def _check_size(image: Image.Image, name: str) -> None:
    width, height = image.size
    reducible = image.format == "JPEG" and "progressive" not in image.info
    limit = MAX_PIXELS if reducible else MAX_WHOLE_PIXELS
    if width * height > limit:
        raise UnreadableInputError(
            f"{name}: {width} x {height} pixels are more than the {limit // 1_000_000} million that are read",
            "scale the picture down",
        )


def _decoded(image: Image.Image, page: int, name: str) -> NDArray[np.uint8]:
    """The pixels of a page, counted from 0; raises UnreadableInputError if it is too large."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        image.seek(page)
        _check_size(image, name)
        if (shrink := _shrink(image)) > 1 and image.format == "JPEG":
            image.draft(None, (image.width // shrink, image.height // shrink))
        return _upright_bgr(image)


def _shrink(image: Image.Image) -> int:
    """By what power of two, up to 8, to reduce a picture to a comfortable size."""
    pixels = image.width * image.height
    return next((shrink for shrink in (1, 2, 4) if pixels <= COMFORTABLE_PIXELS * shrink**2), 8)


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
    plain = _plain(upright)
    if (shrink := _shrink(plain)) > 1:
        plain = plain.reduce(shrink)
    if plain.mode == "RGBA":
        plain = Image.alpha_composite(Image.new("RGBA", plain.size, "white"), plain)
    pixels = np.asarray(plain.convert("RGB"))
    return np.ascontiguousarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR), dtype=np.uint8)


def _plain(image: Image.Image) -> Image.Image:
    """The picture in one of REDUCIBLE_MODES: RGBA if anything in it is transparent."""
    if image.mode in ("LA", "PA", "RGBa", "La") or "transparency" in image.info:
        return image.convert("RGBA")
    if image.mode in REDUCIBLE_MODES:
        return image
    return image.convert("L" if image.mode == "1" else "RGB")


def _eight_bits(image: Image.Image) -> Image.Image:
    """Scale by the highest value the format can mean: 1, 255 or 65535."""
    values = np.asarray(image)
    highest = float(values.max(initial=0))
    full = 1.0 if highest <= 1 else 255.0 if highest <= 255 else 65535.0
    if values.dtype.kind == "u":
        values = values.astype(np.uint16, copy=False)  # In the machine's order of bytes.
    else:
        values = np.clip(values, 0, full).astype(np.float32)
    return Image.fromarray(cv2.convertScaleAbs(values, alpha=255 / full))


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
            except (pypdfium2.PdfiumError, ValueError, ZeroDivisionError, MemoryError) as error:
                raise UnreadableInputError(
                    f"{name}: page {index + 1} can't be drawn ({error})", _FORMATS_HINT
                ) from error
