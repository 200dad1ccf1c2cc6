"""Files that a command writes beside its answer: the ending decides the kind, the write is atomic.

`-` is the standard output, and the first of the kinds that a flag allows.
"""

from __future__ import annotations

import argparse
import os
import sys

STDOUT = "-"
_READ = ("file", "files", "along")  # arguments of which `-` is read, not written


def flag_to_stdout(args: argparse.Namespace) -> str | None:
    """The flag that writes to the standard output; only one thing can go there."""
    from detent.foundation.errors import ModelError

    flags = [name for name, value in vars(args).items() if value == STDOUT and name not in _READ]
    if args.json and flags:
        flags.append("json")
    if len(flags) > 1:
        first, second = ("OUT" if name == "out" else f"--{name}" for name in flags[:2])
        raise ModelError.at(
            first, f"writes to the standard output, and so does {second}", "give one of them a file"
        )
    return flags[0] if flags else None


def ending(path: str, allowed: tuple[str, ...], flag: str) -> str:
    """The kind of file that a name asks for."""
    from detent.foundation.errors import ModelError

    if path == STDOUT:
        return allowed[0]
    kind = os.path.splitext(path)[1].lower().lstrip(".")
    if kind not in allowed:
        wanted = " or ".join(f".{each}" for each in allowed)
        raise ModelError.at(flag, f"{path!r} does not end in {wanted}", "choose such a name")
    return kind


def write(path: str, data: bytes) -> None:
    """Write it whole, or not at all; `-` is the standard output."""
    if path == STDOUT:
        _to_stdout(data)
        return
    from pathlib import Path

    from detent.io.disk.files import write_atomically

    write_atomically(Path(path), data)


def _to_stdout(data: bytes) -> None:
    from detent.foundation.errors import ModelError

    if sys.stdout.isatty() and b"\0" in data:
        raise ModelError.at(STDOUT, "a terminal cannot show a picture's bytes", "name a file, or use a pipe")
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
