"""How darkly a sheet is written on: one hand writes everywhere about as darkly, which one field can't tell.

Pencil that is hardly seen looks like what an eraser leaves, which is to be overlooked. So a sheet written
palely is looked at more closely, and on another one what is far paler than the rest is in doubt: it may shine
through from the back.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetscan.errors import NoSheetError
from sheetscan.reading.bare import BARE, INK, inside_outline, spots_of
from sheetscan.reading.reader import Reader, Reading, belongs, mean_of
from sheetscan.result import EMPTY
from sheetscan.template import Field

DARK = 140
"""As dark as ordinary writing (of 255): pale writing is brought up to that before it is read again."""
MAX_GAIN = 8.0
FEW = 3
"""Fewer fields than these may be noise that looks like writing, and tell nothing of a hand."""
CLEAR = 0.8
"""In noise that is brought up, numbers are read too, but hardly any with such a confidence."""
MAYBE_EMPTY = 0.05
"""From this probability on, what is found may well be grain."""
MANY, PER_GRAIN = 8, 1.5
"""The darker the grain of half of the fields, the more of them look written when it is brought up: on blank
sheets at most so many, or so many for each of its levels (360 of 360 photos; network alone 358), on most pale
ones more."""
BURNT_OUT = 0.85
"""Where such a share of a sheet's bare paper shows no grain at all, it is as white as can be, and nobody
knows what that has swallowed."""
FAINT = 0.15
"""What is written is at least such a share as dark as half of the sheet's writing."""
PRINT_SHARE = (0.62, 0.76)
"""Height and width of the middle of a field in which something is printed."""


def by_darkness(
    reader: Reader, cells: NDArray[np.uint8], fields: Sequence[Field], readings: Sequence[Reading]
) -> tuple[list[Reading], bool]:
    """The readings of a sheet's cells (n, size, size, 2) in view of how dark they are; whether that is pale.

    On a sheet written palely, what is read as it is and brought up counts alike; on others, what is faint is
    as likely nothing. Raises NoSheetError where so much of the writing is lost that a field that looks empty
    may be anything.
    """
    if reader.pale_below == 0 or not fields:
        return list(readings), False
    kinds = [field.kind for field in fields]
    printed = [field.label is not None for field in fields]
    darkness = darkest(cells, printed)
    seen = np.array([reading.best != EMPTY for reading in readings])
    few = seen.sum() < FEW
    usual = 0.0 if few else float(np.median(darkness[seen]))
    if usual > reader.pale_below:
        return _without_faint(readings, printed, darkness, usual), False
    again = reader.read(_brought_up(cells, min(DARK / max(usual, 1), MAX_GAIN)), kinds)
    found = [
        reading
        for reading, before, kind in zip(again, readings, kinds, strict=True)
        if before.best == EMPTY and reading.best != EMPTY and belongs(reading.best, kind)
    ]
    if _is_lost(found, cells, darkness, seen):
        raise NoSheetError(
            "the writing is too pale in the photo: some of it can't be told from bare paper",
            "photograph it again in even light, without a filter that whitens paper;"
            " if that doesn't help, trace the writing with a darker pen",
        )
    if few:
        return list(readings), False
    return [mean_of(pair) for pair in zip(readings, again, strict=True)], True


def _is_lost(
    found: Sequence[Reading],
    cells: NDArray[np.uint8],
    darkness: NDArray[np.float64],
    seen: NDArray[np.bool_],
) -> bool:
    """Whether most of the writing looks like bare paper, by what is found there when it is brought up."""
    if not found:
        return False
    written = int(seen.sum())
    if written >= FEW:
        return len(found) >= written or _burnt_out(cells)
    clear = sum(reading.best.kind == "number" and reading.confidence >= CLEAR for reading in found)
    grain = float(np.median(darkness[~seen]))
    written_on = sum(dict(reading.candidates).get(EMPTY, 0.0) < MAYBE_EMPTY for reading in found)
    return clear > FEW or written_on > max(MANY, PER_GRAIN * grain)


def _without_faint(
    readings: Sequence[Reading], printed: Sequence[bool], darkness: NDArray[np.float64], usual: float
) -> list[Reading]:
    """Small marks, of which nothing is seen beside the print, are left as they are."""
    faint = darkness < FAINT * usual
    return [
        mean_of((reading, BARE))
        if reading.best != EMPTY and place_faint and (not has_print or dark > INK)
        else reading
        for reading, has_print, dark, place_faint in zip(readings, printed, darkness, faint, strict=True)
    ]


def darkest(cells: NDArray[np.uint8], printed: Sequence[bool]) -> NDArray[np.float64]:
    """The darkest spot in each cell, (n,), 0..255; not in the middle where something is `printed` there."""
    seen = inside_outline(cells)
    for place in np.flatnonzero(printed):
        _leave_out_the_middle(seen[place])
    return np.asarray(np.where(seen, spots_of(cells), 0).reshape(len(cells), -1).max(axis=1), np.float64)


def _leave_out_the_middle(seen: NDArray[np.bool_]) -> None:
    rows, columns = (np.flatnonzero(seen.any(axis=axis)) for axis in (1, 0))
    if not len(rows):
        return
    slices = []
    for span, share in zip((rows, columns), PRINT_SHARE, strict=True):
        margin = round((span[-1] - span[0]) * (1 - share) / 2)
        slices.append(slice(span[0] + margin, span[-1] - margin + 1))
    seen[tuple(slices)] = False


def _brought_up(cells: NDArray[np.uint8], gain: float) -> NDArray[np.uint8]:
    brought_up = cells.copy()
    brought_up[..., 0] = cv2.convertScaleAbs(np.ascontiguousarray(cells[..., 0]), alpha=gain)
    return brought_up


def _burnt_out(cells: NDArray[np.uint8]) -> bool:
    inside = inside_outline(cells)
    bare = inside & (cells[..., 0] == 0)
    shares = bare.sum(axis=(1, 2)) / np.maximum(inside.sum(axis=(1, 2)), 1)
    return bool(np.median(shares) >= BURNT_OUT)
