"""Velocities in which the rows of contacts are of one size, whatever the unit of length and the origin.

A row [n, p x n] of a small box in metres hardly sees a rotation, and the rows of a box far from the
origin are nearly parallel: in such rows rounding and geometry come too close to tell apart. Seen
from the middle of a body's contacts, with rotations in units of their reach, the same rows are well apart.
The modes are those of the rows as given, and so is every velocity that is handed out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from detent.geometry.vector import cross

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from detent.contact.site import Site

Floats = NDArray[np.float64]

# Rows within this factor of each other, and of the distance to the origin, cost no digit worth a change.
_ENOUGH = 10.0
# Contacts nearer to each other, in the unit they are given in, are rather one contact twice than a small
# body: they stay as they are, and fall into the gap that integers decide.
_SMALLEST = 1e-6


def velocity_scale(sites: Sequence[Site], degrees: int) -> Floats | None:
    """The velocities as given, over such others, as a matrix; None where those given will do."""
    scale = np.eye(degrees)
    changed = False
    for part, middle, reach in _bodies(sites, degrees):
        far = float(np.linalg.norm(middle))
        if reach < _SMALLEST or (1 / _ENOUGH <= reach <= _ENOUGH and far <= _ENOUGH * reach):
            continue
        scale[part, part] = _seen_from(middle, reach)
        changed = True
    return scale if changed else None


def reach_scale(sites: Sequence[Site], degrees: int) -> Floats:
    """The velocities as given over those of each body's middle of contacts, rotations times their reach.

    Over these a force and a moment weigh alike, in any unit of length and about any origin; without points
    the velocities as given.
    """
    scale = np.eye(degrees)
    for part, middle, reach in _bodies(sites, degrees):
        scale[part, part] = _seen_from(middle, reach)
    return scale


def unit_inertia(sites: Sequence[Site], degrees: int) -> Floats:
    """A unit of mass per body in the middle of its contacts, its radius of gyration their reach.

    The same body wherever the origin lies and whatever the unit of length; without points a unit matrix.
    """
    seen = np.linalg.inv(reach_scale(sites, degrees))
    inertia: Floats = seen.T @ seen
    return inertia


def _bodies(sites: Sequence[Site], degrees: int) -> Iterator[tuple[slice, Floats, float]]:
    """By body its entries of the velocity, the middle of its contacts, their reach; none without points."""
    placed = [site for site in sites if site.point]
    if not placed:
        return
    points = np.array([site.point for site in placed])
    between = np.array([site.between for site in placed])
    freedoms = 3 * (points.shape[1] - 1)  # degrees of freedom of a body: 3 in the plane, 6 in space
    whole = _middle_and_reach(points)
    for body in range(degrees // freedoms):
        among = (between == body).any(axis=1)
        middle, reach = _middle_and_reach(points[among]) if among.any() else whole
        yield slice(body * freedoms, (body + 1) * freedoms), middle, reach or whole[1] or 1.0


def _middle_and_reach(points: Floats) -> tuple[Floats, float]:
    middle: Floats = points.mean(axis=0)
    return middle, float(np.linalg.norm(points - middle, axis=1).max())


def _seen_from(middle: Floats, reach: float) -> Floats:
    """Velocity at the origin and rotation, over the velocity at the middle and rotation x reach."""
    if len(middle) == 2:
        x, y = middle
        return np.array([[1, 0, y / reach], [0, 1, -x / reach], [0, 0, 1 / reach]])
    crossed = np.array([cross(middle.tolist(), axis) for axis in np.eye(3).tolist()]).T
    return np.block([[np.eye(3), crossed / reach], [np.zeros((3, 3)), np.eye(3) / reach]])
