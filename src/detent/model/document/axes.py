"""Axes as written: a name, or a vector."""

from __future__ import annotations

from detent.geometry import frame as frames
from detent.geometry.frame import AXES, Exact3
from detent.model.document.base import Axis


def axis_vector(axis: Axis | None, otherwise: str = "z") -> Exact3:
    """An axis as a vector: named, or given."""
    if axis is None:
        return AXES[otherwise]
    return AXES[axis] if isinstance(axis, str) else frames.exact3(axis)
