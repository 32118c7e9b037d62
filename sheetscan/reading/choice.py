"""The readers by name, each loaded only when it is asked for."""

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from sheetscan.reading.reader import Reader

ReaderName = Literal["auto", "network", "combined", "tesseract"]


def load_reader(name: ReaderName) -> "Reader":
    """The reader of that name, ready to read; raises MissingExtraError where a part is missing.

    `auto` is the combined reader, or the network where the second one can't be used (`why_alone`).
    """
    if name == "auto":
        return load_reader("network" if why_alone() else "combined")
    if name == "tesseract":
        from sheetscan.reading.tesseract import TesseractReader

        return TesseractReader()
    if name == "combined":
        from sheetscan.reading.combined import CombinedReader

        return CombinedReader()
    from sheetscan.reading.network import NetworkReader

    return NetworkReader()


def why_alone() -> str | None:
    """Why `auto` is the network alone, in words; None where both readers are there."""
    from sheetscan.reading.second import why_unusable

    return why_unusable()
