"""Folds of the way along which contacts stay closed: drives cannot go on with them.

With R the rows of what is held and of closed contacts, a fold is where numbers u, not all 0, give R' u = 0:
what contacts hold goes infinitely fast beside the drives, and no finite forces balance what pulls it. It is a
simple root of R = 0, R' u = 0, |u| = 1 in coordinates, the place of the drives and u (Seydel 2010, 5.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from detent.numeric.contact_problem import FORWARD, STICK

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.motion.rigid.following.balance import SlowMachine

    Floats = NDArray[np.float64]

_NEWTON = 40
_CLOSED = 1e-11  # rows that are met, and u's
_APART = 1e-6  # step of differences
_LEVER = 1e-7  # of the largest: a singular value or a share that is none
_TAKEN = 0.25  # of a radian, or of the size: the longest of Newton's steps


class Fold(NamedTuple):
    """Where it is, and what drives take there: infinite where it has no bound."""

    y: Floats
    place: float
    held: Floats


def fold_near(
    balance: SlowMachine, y: Floats, place: float, touching: Sequence[int], status: Sequence[int]
) -> Fold | None:
    """The fold that Newton's steps lead to, from a place that is near it; None where there is none."""
    m, at, where = len(y), y.copy(), place
    rows = balance.rows_at(at, where, touching)
    left, _, _ = np.linalg.svd(np.concatenate([rows.held, rows.normal]))
    r = len(rows.held) + len(touching)
    if r > m:
        return None
    u = left[:, -1]
    units = np.array([balance.unit(k) for k in balance.plan.coordinates])
    by_place = np.zeros(r)
    by_place[len(rows.held) - len(units) : len(rows.held)] = -balance.plan.rates(place) / units
    for _ in range(_NEWTON):
        rows = balance.rows_at(at, where, touching)
        met = np.concatenate([rows.held, rows.normal])
        off = np.concatenate([rows.open_by, rows.gap, met.T @ u, [(u @ u - 1.0) / 2]])
        if np.abs(off).max() <= _CLOSED:
            return _fold(balance, at, where, touching, status, u)
        bent = np.zeros((m, m))
        for k in range(m):
            step = np.zeros(m)
            step[k] = _APART
            ahead, back = (balance.rows_at(at + sign * step, where, touching) for sign in (1, -1))
            bent[:, k] = (
                np.concatenate([ahead.held - back.held, ahead.normal - back.normal]).T @ u / (2 * _APART)
            )
        matrix = np.zeros((r + m + 1, m + 1 + r))
        matrix[:r, :m], matrix[:r, m] = met, by_place
        matrix[r : r + m, :m], matrix[r : r + m, m + 1 :] = bent, met.T
        matrix[r + m, m + 1 :] = u
        change = np.linalg.lstsq(matrix, -off, rcond=1e-10)[0]
        size = float(np.abs(change[:m]).max())
        if not np.isfinite(size):
            return None
        change = change * min(1.0, _TAKEN / size) if size > 0 else change
        at, where, u = at + change[:m], where + float(change[m]), u + change[m + 1 :]
    return None


def _fold(
    balance: SlowMachine,
    y: Floats,
    place: float,
    touching: Sequence[int],
    status: Sequence[int],
    u: Floats,
) -> Fold | None:
    """With the forces of what is held: friction may leave a lever where the contacts' normals have none."""
    rows = balance.rows_at(y, place, touching)
    first = len(rows.held) - len(balance.plan.coordinates)
    share = np.abs(u[first : len(rows.held)] * balance.plan.rates(place))
    if share.max(initial=0.0) <= _LEVER:
        return None  # the drives do not take part in it: a dead point of something else
    if any(u[len(rows.held) + k] == 0.0 for k, s in enumerate(status) if s == STICK and rows.friction[k] > 0):
        return None
    push = rows.normal.copy()
    for k, s in enumerate(status):
        if s >= FORWARD:
            push[k] += (-1 if s == FORWARD else 1) * rows.friction[k] * rows.tangent[k]
    pushing = np.concatenate([rows.held, push])
    left, values, right = np.linalg.svd(pushing, full_matrices=False)
    forces = np.linalg.lstsq(pushing.T, -rows.force, rcond=_LEVER)[0]
    for k in np.flatnonzero(values <= _LEVER * values.max()).tolist():
        pull = float(right[k] @ rows.force)
        if abs(pull) > _LEVER * float(np.abs(rows.force).max(initial=0.0)):
            none = np.abs(left[:, k]) > _LEVER
            # Contacts push: the side to which what they take grows.
            pushes = left[len(rows.held) :, k].sum()
            forces = np.where(none, np.copysign(np.inf, left[:, k] * (pushes or 1.0)), forces)
    return Fold(y, place, forces[: len(rows.held)])
