"""The readers by name, each loaded only when it is asked for."""

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from sheetscan.reading.reader import Reader

ReaderName = Literal["auto", "network", "combined", "tesseract"]


def load_reader(name: ReaderName) -> "Reader":
    """The reader of that name, ready to read; raises MissingExtraError where a part is missing.

    `auto` is the combined reader where its extra is installed, else the network.
    """
    if name == "auto":
        from sheetscan.reading.second import is_usable

        return load_reader("combined" if is_usable() else "network")
    if name == "tesseract":
        from sheetscan.reading.tesseract import TesseractReader

        return TesseractReader()
    if name == "combined":
        from sheetscan.reading.combined import CombinedReader

        return CombinedReader()
    from sheetscan.reading.network import NetworkReader

    return NetworkReader()
