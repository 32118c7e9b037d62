"""Pictures inside the terminal, where its program says that it can show them."""

import base64
from collections.abc import Iterator, Mapping

ITERM = {"iTerm.app", "WezTerm"}
KITTY = {"ghostty"}
CHUNK = 4096
"""The most that one command of kitty's graphics protocol may carry."""


def picture_codes(png: bytes, environment: Mapping[str, str]) -> bytes | None:
    """The control sequences that show a PNG, None for a terminal that is not known to understand any.

    The inline images protocol of iTerm2, and kitty's terminal graphics protocol.
    """
    program = environment.get("TERM_PROGRAM", "")
    if "KITTY_WINDOW_ID" in environment or program in KITTY:
        return b"".join(_kitty(base64.b64encode(png))) + b"\n"
    if program in ITERM or environment.get("LC_TERMINAL") == "iTerm2":
        return b"\x1b]1337;File=inline=1;size=%d:%s\x07\n" % (len(png), base64.b64encode(png))
    return None


def _kitty(data: bytes) -> Iterator[bytes]:
    for start in range(0, len(data), CHUNK):
        keys = b"a=T,f=100," if start == 0 else b""
        more = start + CHUNK < len(data)
        yield b"\x1b_G%sm=%d;%s\x1b\\" % (keys, more, data[start : start + CHUNK])
