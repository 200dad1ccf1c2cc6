"""What forces tend to at a dead point, read off their values on the way there.

Where one link comes in line and nothing depends on speeds, the balance itself tells what it tends to
(`kinematics/equations/forces.py`). Where several come in line at once, or parts have inertia, it does not.
Then the forces are computed at places before the dead point, a distance e of the branch away, e halved from
one to the next: what is finite is a polynomial of e and tends to its value at 0, with which the nearest place
must agree; what is not grows by more from each place to the next. At a limit the branch goes as the root of
the drive's way, so that e is that root; at a change point it is the way.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from detent.kinematics.equations.rows import Floats

# [rad, sizes; at a limit their root]: the farthest place, and the nearest that may be it. Nearer ones
# lose digits: second derivatives beside a change point are off by 1e-16 / e³, forces by 1e-16 / e⁴.
FARTHEST, TOO_NEAR = 0.16, 0.08
# Five make the polynomial, which is wrong by the product of their distances over 5!; the nearest is its test.
PLACES = 6
AGREES = 1e-5  # of a force, between the polynomial and the nearest place
ROUNDS = 1e-6  # of the largest force anywhere near: what rounding makes of one that is none
NONE = 1e-12  # of the largest force: of such a one nothing is known
GROWS = 1.5  # times as much as between the places before: without bound; what is finite changes by half


def places_before(dead: float, kind: str, path: Floats, breaks: Floats) -> tuple[Floats, Floats] | None:
    """Places of a drive path, from far to near a dead point at one of them, and the distance e of each.

    `path` is how far along the drive path its positions are, in rad and sizes; `breaks` are places at which
    the motion may change its direction or speed, or pass another dead point. The side before it is
    taken where there is one. None where neither leaves enough room.
    """
    power = 2.0 if kind == "limit" else 1.0
    index = np.arange(len(path))
    here = float(np.interp(dead, index, path))
    borders = np.interp(np.concatenate([breaks, [0.0, index[-1]]]), index, path)
    for side in (-1.0, 1.0):
        rooms = side * (borders - here)
        room = float(np.min(rooms[rooms > 0.0], initial=np.inf))
        farthest = min(FARTHEST, room ** (1.0 / power)) if np.isfinite(room) else 0.0
        if farthest >= TOO_NEAR:
            away = np.asarray(farthest * 0.5 ** np.arange(PLACES), dtype=float)
            return np.asarray(np.interp(here + side * away**power, path, index)), away
    return None


def tends_to(away: Floats, values: Floats) -> tuple[Floats, NDArray[np.bool_], NDArray[np.bool_]]:
    """Of values (places, rows) on the way: what each row tends to, which are told, which are unbounded."""
    limit = _at(0.0, away[:-1], values[:-1])
    largest = float(np.abs(values).max(initial=0.0))
    room = AGREES * np.abs(values).max(axis=0) + ROUNDS * largest
    told = np.abs(_at(away[-1], away[:-1], values[:-1]) - values[-1]) <= room
    steps = np.abs(np.diff(values[-3:], axis=0))
    unbounded = ~told & (steps[1] > GROWS * steps[0])
    none = np.abs(values[:-1]).max(axis=0) <= NONE * largest
    return np.where(none, 0.0, limit), told, unbounded


def _at(place: float, away: Floats, values: Floats) -> Floats:
    """The polynomial through values at some distances, at another."""
    others = [np.delete(away, k) for k in range(len(away))]
    weights = [np.prod((place - o) / (x - o)) for x, o in zip(away, others, strict=True)]
    return np.asarray(np.array(weights) @ values)
