"""Files that a command writes beside its answer: the ending decides the kind, the write is atomic."""

from __future__ import annotations

import os


def ending(path: str, allowed: tuple[str, ...], flag: str) -> str:
    """The kind of file that a name asks for."""
    from detent.foundation.errors import ModelError

    kind = os.path.splitext(path)[1].lower().lstrip(".")
    if kind not in allowed:
        wanted = " or ".join(f".{each}" for each in allowed)
        raise ModelError.at(flag, f"{path!r} does not end in {wanted}", "choose such a name")
    return kind


def write(path: str, data: bytes) -> None:
    """Write it whole, or not at all."""
    from pathlib import Path

    from detent.io.disk.files import write_atomically

    write_atomically(Path(path), data)
