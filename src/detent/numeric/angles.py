"""Angles that go on: whole turns are added or taken away in one place.

Nothing here wraps an angle. A direction says an angle up to whole turns; where it must go on from a known
one, or be compared with limits, the turns nearest to that are added.
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
    """The whole turns nearest to an angle, or to each of some [rad]."""
    return FULL_TURN * np.round(angle / FULL_TURN)


def continued(angle: float, near: float) -> float:
    """An angle with the whole turns that bring it nearest to another: within half a turn of it [rad]."""
    return angle + whole_turns(near - angle)
