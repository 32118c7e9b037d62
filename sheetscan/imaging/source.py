"""Opens photos, wherever they come from, as files that can be read again from their start."""

import hashlib
import io
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

from sheetscan.errors import UnreadableInputError, reason_of

STDIN = "-"
MAX_BYTES = 300_000_000
"""Longer than any photo or scan; read no further, the file may be a device that never ends."""
_CHUNK_BYTES = 1 << 20


@contextmanager
def opened(source: Path | str) -> Iterator[tuple[IO[bytes], str]]:
    """The file, or a copy of what comes through a pipe or standard input ("-"), and its SHA-256 in hex.

    Nothing of it stays in memory. Raises UnreadableInputError (missing, empty, too long, not to be read).
    """
    with ExitStack() as resources:
        try:
            if source == STDIN:
                # Standard input may be closed, then it is None.
                stream, regular = sys.stdin.buffer if sys.stdin else io.BytesIO(), False
            else:
                stream = resources.enter_context(Path(source).open("rb"))
                regular = stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
            file = stream if regular else resources.enter_context(tempfile.TemporaryFile())
            if not regular:
                _copy(stream, file)
            length = file.seek(0, os.SEEK_END)
            file.seek(0)
            sha256 = _sha256(file) if length <= MAX_BYTES else ""
            file.seek(0)
        except IsADirectoryError as error:
            raise UnreadableInputError(f"{source}: is a folder", "name the photos in it") from error
        except FileNotFoundError as error:
            raise UnreadableInputError(f"{source}: there is no such file", "check the spelling") from error
        except (OSError, ValueError) as error:
            raise UnreadableInputError(
                f"{source}: can't be read ({reason_of(error)})", "check the file"
            ) from error
        if not length:
            raise UnreadableInputError(f"{source}: the file is empty", "photograph or copy the sheet again")
        if length > MAX_BYTES:
            raise UnreadableInputError(
                f"{source}: is longer than the {MAX_BYTES // 1_000_000} MB that are read",
                "scale the picture down, or split the PDF",
            )
        yield file, sha256


def _copy(stream: IO[bytes], target: IO[bytes]) -> None:
    """Take over what the stream holds, up to a little more than MAX_BYTES."""
    while target.tell() <= MAX_BYTES and (chunk := stream.read(_CHUNK_BYTES)):
        target.write(chunk)


def _sha256(file: IO[bytes]) -> str:
    return hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]
