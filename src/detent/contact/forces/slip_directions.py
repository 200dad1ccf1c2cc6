"""In which directions contacts begin to slide: Newton's method with forces that only push.

Each contact that begins to slide accelerates straight against its friction. Near given angles of
friction this is linear in the accelerations, the normal forces and the changes of angle times
normal force; a program finds those that miss it least, and its angles are the next to start from.
What comes out is a guess; the program of the mode itself confirms it or not.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from detent.contact.forces.motion_program import Equations, Solution
from detent.contact.modes.enumerate import Signs
from detent.numeric.linear_program import INFINITE, maximise

Floats = NDArray[np.float64]
Angles = dict[int, float]

_ROUNDS = 28
# The farthest that an angle is changed in a round [rad]. After the first rounds it shrinks from one to the
# next: where open forces turn the sliding, solutions form a family, and programs would leap about in it.
_FAR, _FREE, _SHRINKS = 0.5, 4, 0.5
# Angles that change by less have converged [rad].
_CLOSE = 1e-7
# Of all forces, the normal force that counts as none, so that a contact slides as it likes; and the least by
# which a change of angle is reckoned, so that programs keep their digits.
_NONE, _LEAST = 1e-6, 1e-6
# What the margin of the signs counts beside missing the directions.
_BESIDE = 1e-3


def headings(
    equations: Equations, signs: Signs, others: Mapping[int, Floats], angles: Angles, solution: Solution
) -> Angles | None:
    """Angles of friction of the contacts that begin to slide, from `angles` on; None where none are found.

    `others` are the friction vectors of the contacts that touch besides, `solution` one to start from.
    """
    y, normal = solution.y, np.array([solution.normal[i] for i in angles])
    theta = np.array(list(angles.values()))
    size = float(np.linalg.norm(equations.load)) + float(normal.sum())
    for turn in range(_ROUNDS):
        far = _FAR * _SHRINKS ** max(0, turn - _FREE)
        slips = [equations.slip(i) for i in angles]
        speed = [s.rows @ y + s.rest for s in slips]
        here = dict(zip(angles, theta, strict=True))
        step = _step(equations, signs, others, here, np.array(speed), normal, far)
        if step is None:
            return None
        y, normal, moments = step
        ahead = np.array([math.atan2(-v[1], -v[0]) for v in (s.rows @ y + s.rest for s in slips)])
        change = np.where(normal > _NONE * size, np.arctan2(moments, normal), _wrapped(ahead - theta))
        theta = theta + change
        if np.abs(change).max() < _CLOSE:
            return dict(zip(angles, theta.tolist(), strict=True))
    return None


def _step(
    equations: Equations,
    signs: Signs,
    others: Mapping[int, Floats],
    angles: Angles,
    speed: Floats,
    normal: Floats,
    far: float,
) -> tuple[Floats, Floats, Floats] | None:
    """y, and by contact that slides the normal force and the change of angle, up to `far`, times that."""
    e, n = equations, len(angles)
    theta = np.array(list(angles.values()))
    against = np.stack([np.cos(theta), np.sin(theta)], axis=1)
    aside = np.stack([-against[:, 1], against[:, 0]], axis=1)
    along = np.array([e.pushes(i, u[None])[0] for i, u in zip(angles, against, strict=True)])
    across_push = np.array([e.mu[i] * u @ e.slip(i).rows for i, u in zip(angles, aside, strict=True)])
    free = np.concatenate(
        [np.zeros((0, len(e.load))), *(e.pushes(i, vectors) for i, vectors in others.items())]
    )
    zero = np.flatnonzero(e.now.open & (signs == 0))
    strict = np.flatnonzero(e.now.open & (np.abs(signs) == 1))
    sign = signs[strict].astype(float)[:, None]
    k, p, m, one = len(e.load), len(free), len(strict), np.eye(n)
    # Columns: y, forces of the others, normal forces, changes of angle times these, misses, the margin.
    widths = (k, p, n, n, n, 1)

    def rows(count: int, *parts: Floats | None) -> Floats:
        pairs = zip(parts, widths, strict=True)
        return np.hstack([np.zeros((count, w)) if part is None else part for part, w in pairs])

    # cross(u, s) of friction u and sliding s, which the changes of angle make zero.
    across = np.array([u @ e.slip(i).rows for i, u in zip(angles, aside, strict=True)])
    level = np.array([u @ e.slip(i).rest for i, u in zip(angles, aside, strict=True)])
    least = _LEAST * (float(np.linalg.norm(e.load)) + float(normal.sum()))
    share = -(against * speed).sum(axis=1) / np.maximum(normal, least)
    tied = share[:, None] * one
    matrix = [
        rows(k, np.eye(k), -free.T, -along.T, -across_push.T, None, None),
        rows(len(zero), e.along[zero], None, None, None, None, None),
        rows(m, e.along[strict] * sign, None, None, None, None, -np.ones((m, 1))),
        rows(n, across, None, None, tied, one, None),
        rows(n, across, None, None, tied, -one, None),
        rows(n, None, None, far * one, one, None, None),
        rows(n, None, None, far * one, -one, None, None),
    ]
    endless = np.full(n, INFINITE)
    low = np.r_[e.load, -e.rest[zero], -e.rest[strict] * sign[:, 0], -level, -endless, np.zeros(2 * n)]
    high = np.r_[e.load, -e.rest[zero], np.full(m, INFINITE), endless, -level, endless, endless]
    lowest = np.r_[np.full(k, -INFINITE), np.zeros(p + n), -endless, np.zeros(n + 1)]
    most = np.r_[np.full(k + p + 3 * n, INFINITE), 1.0]
    cost = np.r_[np.zeros(k + p + 2 * n), -np.ones(n), _BESIDE]
    best = maximise(cost, np.vstack(matrix), low, high, least=lowest, most=most, exacting=True)
    if best is None:
        return None
    return best[:k], best[k + p : k + p + n], best[k + p + n : k + p + 2 * n]


def _wrapped(angle: Floats) -> Floats:
    wrapped: Floats = (angle + math.pi) % (2 * math.pi) - math.pi
    return wrapped
