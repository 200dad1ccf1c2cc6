"""What a drive takes where contacts share a load with it in more than one way: the least and the most.

The motion is one; forces are all that balance it: contacts push, those that stick carry any friction within
their cones, those that slide all of it against the way they slide. So the ends are those of a linear program.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from detent.numeric.contact_problem import FORWARD, STICK

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.motion.rigid.following.balance import SlowMachine

    Floats = NDArray[np.float64]

_RANK = 1e-10  # of the largest singular value: equations that repeat each other
_NONE = 1e-13  # of what acts: rounding
_SAME = 1e-9  # of what acts: ends that differ by less are one


def drive_ranges(
    balance: SlowMachine, y: Floats, place: float, touching: Sequence[int], status: Sequence[int]
) -> Floats:
    """Least and most of each driven coordinate: infinite without bound, NaN where nothing balances."""
    from scipy.optimize import linprog

    rows = balance.rows_at(y, place, touching)
    pushes = []
    for k, s in enumerate(status):
        across = rows.friction[k] * rows.tangent[k]
        if s >= FORWARD:
            pushes.append(rows.normal[k] + (-across if s == FORWARD else across))
        elif s == STICK and rows.friction[k] > 0:
            pushes += [rows.normal[k] - across, rows.normal[k] + across]
        else:
            pushes.append(rows.normal[k])
    held, count = len(rows.held), len(balance.plan.coordinates)
    columns = np.concatenate([rows.held, np.reshape(pushes, (-1, len(y)))]).T
    strong = float(np.abs(rows.force).max(initial=0.0)) or 1.0
    left, values, right = np.linalg.svd(columns, full_matrices=False)
    kept = values > _RANK * values.max(initial=0.0)
    equal, asked = right[kept], (left[:, kept].T @ (-rows.force / strong)) / values[kept]
    bounds = [(None, None)] * held + [(0.0, None)] * (columns.shape[1] - held)
    ranges = np.full((count, 2), math.nan)
    for k in range(count):
        for end, sign in ((0, 1.0), (1, -1.0)):
            aim = np.zeros(columns.shape[1])
            aim[held - count + k] = sign
            found = linprog(aim, A_eq=equal, b_eq=asked, bounds=bounds)
            if found.status == 0:
                ranges[k, end] = sign * found.fun * strong
            elif found.status == 3:
                ranges[k, end] = -sign * math.inf
        low, high = ranges[k]
        if high - low <= _SAME * strong:
            ranges[k] = (low + high) / 2
    return np.where(np.abs(ranges) <= _NONE * strong, 0.0, ranges)
