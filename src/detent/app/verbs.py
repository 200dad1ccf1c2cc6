"""The public verbs: thin functions over the rooms that do the work."""

from __future__ import annotations

import os

from detent.io import native
from detent.model.mechanism import Mechanism


def load(path: str | os.PathLike[str]) -> Mechanism:
    """The Mechanism in a file; a ModelError says what is wrong with it, and where."""
    return native.load(path)


def save(mechanism: Mechanism, path: str | os.PathLike[str]) -> None:
    """Save as canonical JSON, or TOML where the name ends so; atomically."""
    native.save(mechanism, path)
