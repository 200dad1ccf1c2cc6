"""The public verbs: thin functions over the rooms that do the work."""

from __future__ import annotations

import os

from detent.io import native
from detent.judge import explain as _explain
from detent.model.mechanism import Mechanism
from detent.record.explanation import Explanation


def load(path: str | os.PathLike[str]) -> Mechanism:
    """The Mechanism in a file; a ModelError says what is wrong with it, and where."""
    return native.load(path)


def save(mechanism: Mechanism, path: str | os.PathLike[str]) -> None:
    """Save as canonical JSON, or TOML where the name ends so; atomically."""
    native.save(mechanism, path)


def explain(mechanism: Mechanism) -> Explanation:
    """What is this machine? Parts, joints, mobility, in words and numbers."""
    return _explain.explain(mechanism)
