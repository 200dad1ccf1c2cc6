"""Names of layers as names of parts: ASCII letters, digits, _ and -, begun by a letter."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection

from detent.foundation.names import is_name

# Letters that fall into two, as they are written where they are missing.
_LETTERS = {
    "ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "æ": "ae", "Æ": "Ae",
    "ø": "oe", "Ø": "Oe", "å": "aa", "Å": "Aa", "œ": "oe", "Œ": "Oe", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D",
    "µ": "u", "μ": "u",
}  # fmt: skip


def part_name(layer: str, taken: Collection[str]) -> str:
    """A layer's name as a part's that is not taken yet."""
    spelt = "".join(_LETTERS.get(letter, letter) for letter in unicodedata.normalize("NFC", layer))
    bare = "".join(c for c in unicodedata.normalize("NFKD", spelt) if not unicodedata.combining(c))
    plain = "".join(c if c.isascii() and (c.isalnum() or c in "_-") else "_" for c in bare)[:100]
    name = plain if is_name(plain) else f"layer_{plain}"
    unique, count = name, 2
    while unique in taken:
        unique, count = f"{name}_{count}", count + 1
    return unique


def renamed(names: dict[str, str]) -> str:
    """Words for the layers (by part) whose names had to change; empty where none had."""
    changed = [f"layer {layer!r} is part {part}" for part, layer in names.items() if part != layer]
    return f"Names of parts are ASCII: {', '.join(changed)}." if changed else ""
