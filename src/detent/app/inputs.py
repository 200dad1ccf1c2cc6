"""Where a command's FILE comes from: a path, or the name of a shipped example."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from detent.foundation.errors import ModelError
from detent.foundation.names import did_you_mean
from detent.io import formats
from detent.io.disk import files
from detent.io.native import document
from detent.model.document.mechanism import Mechanism


def examples_folder() -> Path:
    """In an installed package beside this one; in a checkout, at its root."""
    package = Path(__file__).resolve().parents[1]
    shipped = package / "examples"
    return shipped if shipped.is_dir() else package.parents[1] / "examples"


def examples() -> dict[str, Path]:
    """Shipped documents by name, sorted."""
    files = sorted(examples_folder().glob("*.toml"))
    return {file.stem: file for file in files}


def find(file: str) -> Path:
    """The path that FILE means: a file that is there, else an example of that name."""
    path = Path(file)
    if path.suffix or len(path.parts) > 1 or os.path.exists(path):
        return path
    known = examples()
    if file in known:
        return known[file]
    remedy = did_you_mean(file, known, otherwise="`detent examples` lists them")
    raise ModelError.at("", f"there is neither a file nor an example {file[:80]!r}", remedy)


def load(file: str) -> Mechanism:
    """The Mechanism that FILE means; `-` reads TOML or JSON from the standard input."""
    if file == "-":
        data = files.within_limits(sys.stdin.buffer.read(files.MAX_BYTES + 1), "<stdin>")
        return document.loads(files.decode(data, "<stdin>"), file="<stdin>")
    return formats.load(find(file))
