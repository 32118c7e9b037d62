"""Small damages to bytes, texts and JSON: what disks, editors, other programs and malice do to files."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np

Rng = np.random.Generator

EXTREMES = (b"\x00", b"\xff", b"\x7f\xff\xff\xff", b"\xff\xff\xff\xff", b"\x80\x00\x00\x00", b"\x00\x00")
WORDS = (
    *("", "0", "-1", "1e999", "nan", "inf", "99999999999999999999", "true", '"', "'''", "[", "{", "}", "]"),
    *(
        "\x00",
        "\ufeff",
        "é",
        "🔒",
        "＋",
        "７",
        "\n",
        "\\",
        "#",
        "=",
        "/",
        "-",
        "../../etc/passwd",
        "x" * 5000,
    ),
)
DEEP: Any = [1]
for _level in range(600):
    DEEP = [DEEP]
VALUES: tuple[Any, ...] = (
    DEEP,
    *(None, True, "", "x" * 3000, "７", "\ud800", [], {}, [[]], {"a": {}}),
    *(0, -1, 1, 19, 10**30, -(10**30), 0.5, 1.5, -0.0, 1e308, float("nan"), float("inf")),
    *("number", "cross", "void", "unreadable", "low confidence", "qwixx", "qwinto"),
)


def bytes_mutated(data: bytes, rng: Rng) -> bytes:
    """One to four places changed."""
    changed = bytearray(data)
    for _ in range(int(rng.integers(1, 5))):
        _BYTE_CHANGES[int(rng.integers(len(_BYTE_CHANGES)))](changed, rng)
    return bytes(changed)


def _flip(data: bytearray, rng: Rng) -> None:
    if data:
        data[int(rng.integers(len(data)))] ^= 1 << int(rng.integers(8))


def _overwrite(data: bytearray, rng: Rng) -> None:
    extreme = EXTREMES[int(rng.integers(len(EXTREMES)))]
    # Headers are where the interesting numbers are.
    at = int(rng.integers(min(len(data), 200 if rng.random() < 0.6 else len(data)) + 1))
    data[at : at + len(extreme)] = extreme


def _cut(data: bytearray, rng: Rng) -> None:
    start = int(rng.integers(len(data) + 1))
    del data[start : start + int(rng.integers(1, 200))]


def _truncate(data: bytearray, rng: Rng) -> None:
    del data[int(rng.integers(len(data) + 1)) :]


def _repeat(data: bytearray, rng: Rng) -> None:
    start = int(rng.integers(len(data) + 1))
    data[start:start] = data[start : start + int(rng.integers(1, 300))]


_BYTE_CHANGES: tuple[Callable[[bytearray, Rng], None], ...] = (
    *(_flip, _flip, _overwrite, _overwrite),
    *(_cut, _truncate, _repeat),
)


def text_mutated(text: str, rng: Rng) -> str:
    """One to four words, numbers or lines changed."""
    changed = text
    for _ in range(int(rng.integers(1, 5))):
        start = int(rng.integers(len(changed) + 1))
        end = start + int(rng.integers(0, 12))
        word = WORDS[int(rng.integers(len(WORDS)))]
        changed = changed[:start] + word + changed[end:]
        if rng.random() < 0.2:
            lines = changed.split("\n")
            lines.insert(int(rng.integers(len(lines))), lines[int(rng.integers(len(lines)))])
            changed = "\n".join(lines)
    return changed


def json_mutated(text: str, rng: Rng) -> str:
    """One to four values replaced, left out or doubled, the JSON still well formed (but for NaN)."""
    data = json.loads(text)
    for _ in range(int(rng.integers(1, 5))):
        holders = list(_holders(data))
        if not holders:
            break
        holder = holders[int(rng.integers(len(holders)))]
        key = (
            list(holder)[int(rng.integers(len(holder)))]
            if isinstance(holder, dict)
            else int(rng.integers(len(holder)))
        )
        if rng.random() < 0.15:
            del holder[key]
        elif rng.random() < 0.15 and isinstance(holder, dict):
            holder[WORDS[int(rng.integers(len(WORDS)))]] = holder[key]
        else:
            holder[key] = VALUES[int(rng.integers(len(VALUES)))]
    return json.dumps(data)


def _holders(data: Any) -> Any:
    """All objects and lists in the data that hold something."""
    if isinstance(data, dict | list) and data:
        yield data
        for value in data.values() if isinstance(data, dict) else data:
            yield from _holders(value)
