"""Angles that go on: whole rotations are added or subtracted in one place.

Nothing here wraps an angle. A direction says an angle up to whole rotations; where it must go on from a known
one, or be compared with limits, the whole rotations nearest to that are added.
"""

from __future__ import annotations

import math
from typing import Any, overload

import numpy as np

FULL_TURN = 2 * math.pi


@overload
def whole_turns(angle: float) -> float: ...
@overload
def whole_turns(angle: Any) -> Any: ...
def whole_turns(angle: Any) -> Any:
    """The whole rotations nearest to an angle, or to each of some [rad]."""
    return FULL_TURN * np.round(angle / FULL_TURN)


def continued(angle: float, near: float) -> float:
    """An angle with the whole rotations that bring it nearest to another: within pi of it [rad]."""
    return angle + whole_turns(near - angle)
