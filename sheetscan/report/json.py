"""Results as JSON: one document, or one line a sheet or failure."""

from sheetscan.result import Document, Failure, Sheet, to_json


def document(result: Document) -> str:
    """The document of the contract, with a final newline."""
    return to_json(result) + "\n"


def line(part: Sheet | Failure) -> str:
    """One sheet or failure on a line of its own."""
    return to_json(part, indent=None) + "\n"
