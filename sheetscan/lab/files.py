"""Lab photos as files, with truths that name them."""

import hashlib
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image

from sheetscan.errors import OutputError
from sheetscan.lab.studio import LabPhoto
from sheetscan.result import Sheet

_ORIENTATION = 0x0112
_TURNED_LEFT = 6
"""EXIF: to be turned a quarter to the right for viewing (EXIF 2.32, tag 274)."""


def save_photo(photo: LabPhoto, path: Path, quality: int, *, turned: bool = False) -> tuple[Sheet, ...]:
    """Save a photo as JPEG; gives its truths with the file's name and hash.

    `turned` stores it lying on its side with the EXIF orientation that rights it, as phones held upright do.
    Raises OutputError when the file can't be written.
    """
    pixels = np.rot90(photo.pixels) if turned else photo.pixels
    exif = Image.Exif()
    if turned:
        exif[_ORIENTATION] = _TURNED_LEFT
    file = BytesIO()
    Image.fromarray(np.ascontiguousarray(pixels)).save(
        file, "JPEG", quality=quality, optimize=True, exif=exif
    )
    write_file(path, file.getvalue())
    sha256 = hashlib.sha256(file.getvalue()).hexdigest()
    return tuple(replace(truth, source=path.name, sha256=sha256) for truth in photo.truths)


def write_file(path: Path, data: bytes) -> None:
    """Write a file, its folder included; raises OutputError when that fails."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise OutputError(f"{path}: can't be written ({error.strerror})", "choose another folder") from error
