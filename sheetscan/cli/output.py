"""Files that the commands write: whole or not at all, and never over another without `--force`."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from sheetscan.errors import OutputError, reason_of

_FORBIDDEN = '<>:"/\\|?*'


def make_folder(folder: Path) -> None:
    """Make the folder with its parents; raises OutputError when nothing can be written there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise OutputError(f"{folder}: is a file, not a folder", "give another name") from error
    except OSError as error:
        raise OutputError(f"{folder}: is no folder to write to ({reason_of(error)})", _OTHER_PLACE) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise OutputError(f"{folder}: nothing may be written there", _OTHER_PLACE)


def check_free(path: Path, force: bool) -> None:
    """Raise OutputError if `path` exists, unless overwriting it was asked for, or if no file can be there."""
    try:
        folder, exists = path.is_dir(), os.path.lexists(path) and not _is_device(path)
    except OSError as error:
        raise OutputError(
            f"{path}: is no name for a file ({reason_of(error)})", "give another name"
        ) from error
    if folder:
        raise OutputError(f"{path}: is a folder", "give the name of a file")
    if not path.parent.is_dir():
        raise OutputError(f"{path}: there is no folder {path.parent}", "make it, or give another place")
    if exists and not force:
        raise OutputError(f"{path}: exists already", "give another name, or --force to overwrite it")


def write_file(path: Path, data: bytes, force: bool) -> None:
    """Write `data` to `path` as a whole; raises OutputError and leaves no half file behind."""
    check_free(path, force)
    try:
        if _is_device(path):
            path.write_bytes(data)
            return
        handle, draft_name = tempfile.mkstemp(prefix=".sheetscan-", dir=path.parent)
    except OSError as error:
        raise OutputError(f"{path}: can't be written ({reason_of(error)})", _OTHER_PLACE) from error
    draft = Path(draft_name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        draft.chmod(0o666 & ~_umask())
        draft.replace(path)
    except OSError as error:
        raise OutputError(f"{path}: can't be written ({reason_of(error)})", _OTHER_PLACE) from error
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def _is_device(path: Path) -> bool:
    """Whether it is something like /dev/null or a pipe, which is written into and never replaced."""
    return path.exists() and not path.is_file() and not path.is_dir()


_OTHER_PLACE = "give another place, or free some space"


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


class FileNames:
    """File names that differ from each other on every file system, case or no case."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def take(self, wanted: str) -> str:
        """A name like `wanted` that was not given out before: `IMG_1`, then `IMG_1-2`, `IMG_1-3` …"""
        clean = "".join("_" if letter in _FORBIDDEN or ord(letter) < 32 else letter for letter in wanted)
        clean = clean.strip(" .") or "photo"
        name, count = clean, 1
        while name.casefold() in self._taken:
            count += 1
            name = f"{clean}-{count}"
        self._taken.add(name.casefold())
        return name
