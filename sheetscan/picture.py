"""The picture of a sheet that was read earlier, taken from its photo once more."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sheetscan.errors import NoSheetError, SheetscanError, UnreadableInputError
from sheetscan.geometry import Box
from sheetscan.imaging.code import read_sheet_code
from sheetscan.imaging.photo import Photo, load_photos
from sheetscan.imaging.rectify import flatten
from sheetscan.imaging.refine import locate_sheet
from sheetscan.pipeline import OVERLAY_PX_PER_MM, find_sheets
from sheetscan.result import Sheet
from sheetscan.template import load_template

Picture = NDArray[np.uint8]

_KEEP = "keep the photo where it was when it was scanned, or scan it again"


def picture_of(sheet: Sheet, folders: Sequence[Path]) -> Picture:
    """The flattened photo of a sheet, blue-green-red, OVERLAY_PX_PER_MM pixels a millimetre.

    The photo is looked for where the result says, as seen from each of `folders`, and must be the same file
    as then. Raises UnreadableInputError or NoSheetError when the picture can't be had.
    """
    photo = _photo_of(sheet, folders)
    template = load_template(sheet.template)
    found = []
    for seen in find_sheets(photo, template.id):
        try:
            sheet_map = locate_sheet(photo.pixels, seen, photo.grey)
        except NoSheetError:
            continue
        code = read_sheet_code(photo.pixels, sheet_map, template)
        if (code.sheet_id if code else None) == sheet.sheet_id:
            found.append(sheet_map)
    if len(found) != 1:
        raise NoSheetError(
            f"{sheet.source}: shows {len(found) or 'no'} sheets with the code {sheet.sheet_id}", _KEEP
        )
    return flatten(photo.pixels, found[0], OVERLAY_PX_PER_MM)


def _photo_of(sheet: Sheet, folders: Sequence[Path]) -> Photo:
    changed = False
    for folder in folders:
        try:
            for photo in load_photos(folder / sheet.source):
                changed = changed or photo.sha256 != sheet.sha256
                if photo.page == sheet.page and photo.sha256 == sheet.sha256:
                    return photo
        except SheetscanError:
            continue
    reason = "has changed since it was scanned" if changed else "is not there any more"
    raise UnreadableInputError(f"{sheet.source}: the photo {reason}", _KEEP)


def crop(picture: Picture, box_mm: Box, margin_mm: float) -> Picture:
    """The part of a flattened photo that shows a box with a margin around it, as far as the sheet goes."""
    return picture[box_mm.grown(margin_mm).pixels(OVERLAY_PX_PER_MM)]
