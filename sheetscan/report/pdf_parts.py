"""The pieces that the printed evidence is set from."""

from collections.abc import Sequence
from io import BytesIO
from typing import Any, TypeAlias

from reportlab.lib.colors import Color
from reportlab.platypus import Flowable, Image, Table

from sheetscan.printing import fonts
from sheetscan.report.pdf_style import GAP, MUTED, RULE, SEVERITIES, WIDTH, paragraph

HALF = WIDTH * 0.47
"""Width of a column."""

Cell: TypeAlias = "Flowable | list[Flowable]"


def table(
    cells: Sequence[Sequence[Cell]],
    widths: Sequence[float],
    style: Sequence[tuple[Any, ...]],
    **space: float,
) -> Table:
    """A table at the left edge, in our own typeface: even without a word of its own it names one."""
    commands = [("FONTNAME", (0, 0), (-1, -1), fonts.REGULAR), *style]
    return Table([list(row) for row in cells], colWidths=list(widths), style=commands, hAlign="LEFT", **space)


def image(data: bytes, width: float, most_height: float | None = None) -> Image:
    """A JPEG or PNG as wide as `width`, unless that makes it too high."""
    picture = Image(BytesIO(data), hAlign="LEFT")
    scale = width / picture.imageWidth
    if most_height is not None:
        scale = min(scale, most_height / picture.imageHeight)
    picture.drawWidth, picture.drawHeight = picture.imageWidth * scale, picture.imageHeight * scale
    return picture


def finding_part(severity: str, message: str, rule: str) -> Flowable:
    """A finding with a bar of its colour at the side, and the rule in words, if it is to be told here."""
    body = [paragraph(message, after=1)]
    if rule:
        body.append(paragraph(rule, 8.5, colour=MUTED))
    return table(
        [[body]],
        [WIDTH],
        style=[
            ("LINEBEFORE", (0, 0), (0, -1), 2.5, SEVERITIES[severity]),
            ("LEFTPADDING", (0, 0), (-1, -1), 8),
            ("TOPPADDING", (0, 0), (-1, -1), 1),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
        ],
        spaceAfter=4,
    )


def beside(left: list[Flowable], right: list[Flowable]) -> Flowable:
    """Two columns."""
    return table(
        [[left, right]],
        [WIDTH - HALF, HALF],
        style=[
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("LEFTPADDING", (0, 0), (-1, -1), 0),
            ("RIGHTPADDING", (0, 0), (-1, -1), 0),
        ],
        spaceBefore=4,
    )


def boxed(part: Flowable | list[Flowable], colour: Color) -> Flowable:
    """Something on a coloured panel."""
    return table(
        [[part]],
        [WIDTH],
        style=[
            ("BACKGROUND", (0, 0), (-1, -1), colour),
            ("LEFTPADDING", (0, 0), (-1, -1), 9),
            ("RIGHTPADDING", (0, 0), (-1, -1), 9),
            ("TOPPADDING", (0, 0), (-1, -1), 7),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 8),
        ],
        spaceBefore=2,
        spaceAfter=GAP,
    )


def ruled(rows: Sequence[Sequence[Flowable]], widths: Sequence[float]) -> Table:
    """A table with hairlines between its rows."""
    return table(
        rows,
        widths,
        style=[
            ("LINEBELOW", (0, 0), (-1, -2), 0.4, RULE),
            ("LEFTPADDING", (0, 0), (-1, -1), 0),
            ("RIGHTPADDING", (-1, 0), (-1, -1), 0),
            ("TOPPADDING", (0, 0), (-1, -1), 1.5),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 2.5),
            ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
        ],
    )
