"""Exact vectors in doubles."""

from __future__ import annotations

from typing import Any

import numpy as np

from detent.geometry.frame import Exact3


def doubles(vector: Exact3) -> Any:
    """A vector as an array."""
    return np.array([float(c) for c in vector])


def unit(direction: Exact3) -> Any:
    """A direction as an array of length one."""
    v = doubles(direction)
    return v / np.linalg.norm(v)
