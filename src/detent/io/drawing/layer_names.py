"""Names of layers as names of parts: ASCII letters, digits, _ and -, begun by a letter."""

from __future__ import annotations

from collections.abc import Collection

from detent.foundation.names import is_name, spelt_out


def part_name(layer: str, taken: Collection[str]) -> str:
    """A layer's name as a part's that is not taken yet."""
    letters = (c if c.isascii() and (c.isalnum() or c in "_-") else "_" for c in spelt_out(layer))
    plain = "".join(letters)[:100]
    name = plain if is_name(plain) else f"layer_{plain}"
    unique, count = name, 2
    while unique in taken:
        unique, count = f"{name}_{count}", count + 1
    return unique


def renamed(names: dict[str, str]) -> str:
    """Words for the layers (by part) whose names had to change; empty where none had."""
    changed = [f"layer {layer!r} is part {part}" for part, layer in names.items() if part != layer]
    return f"Names of parts are ASCII: {', '.join(changed)}." if changed else ""
