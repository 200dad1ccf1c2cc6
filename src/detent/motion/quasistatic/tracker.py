"""The seed's simple algorithm in compiled floats: trace one constraint, meet all others.

Donald & Pai 1992, section 8.2: follow the constraint that carries the pawl,
intersect it with every other, take the first valid crossing, decide by signs
what follows. Each sign must exceed a margin far above rounding; where one does
not (a tie, a double root, two events at once) the tracker says DOUBT and the
exact sweep decides instead. It shares no decision with that sweep.

`now` is (t, angle), `pair` (kind, k, j, side, known): the pair that carries the
load, kind -1 at rest, and how many pairs in `zeros` are known to touch where
the arc begins: one left behind at a crossing, or three around a corner.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.contact.coefficients import edge_length, gap_coefficients, place_along, sample_shapes, turn
from detent.numeric.kernel import kernel
from detent.numeric.quartic import HALVINGS

DONE, JAM, STICK, DOUBT, FULL, GOING = 0, 1, 2, 3, 4, 5
CONTACT, CHANGE, RELEASE, SNAP, JAMMED, STUCK, REVERSAL = 0, 1, 2, 3, 4, 5, 6

# Lengths below this share of the machine's size are not told from zero. Rounding
# gathers to about 1e-13 of it along a path; 1e-9 leaves four digits of doubt.
MARGIN = 1e-9
# Two events nearer than this in u, or two directions in angle, are one tie.
TIE = 1e-8
QUARTER = 1.0  # tan(pi/4): an arc is followed a quarter turn at most, then taken up afresh
SCRATCH = HALVINGS + 2


def fixture() -> tuple[Any, ...]:
    """A pawl, an obstacle, the pairs between them, a push."""
    pawl, walls = sample_shapes()
    pairs = np.array([(kind, k, j) for kind in (0, 1) for k in range(4) for j in range(4)])
    return pawl, walls, pairs, np.array([0.0, 20.0]), np.array([0.0, -1.0])


def state() -> tuple[Any, ...]:
    """Where it is, what carries it, what is known to touch."""
    return np.zeros(2), np.array([-1, 0, 0, 0, 0]), np.zeros((8, 3), dtype=np.int64)


def sliding() -> tuple[Any, ...]:
    """The same fixture while a vertex of the pawl slides on an edge."""
    return *fixture(), np.array([20.5, -0.1]), np.array([1, 0, 2, -1, 0]), state()[2]


def around() -> tuple[Any, Any]:
    """Of a ring of four vertices, the one before each and the one after."""
    return np.array([3, 0, 1, 2]), np.array([1, 2, 3, 0])


@kernel(sample=lambda: (np.zeros((8, 3), dtype=np.int64), 2, 0, 0, 0))
def known(zeros: Any, count: int, kind: int, k: int, j: int) -> bool:
    for i in range(count):  # noqa: SIM110, a loop compiles
        if zeros[i, 0] == kind and zeros[i, 1] == k and zeros[i, 2] == j:
            return True
    return False


@kernel(sample=lambda: (1, 0, 0, np.array([0, 0, 0, 0]), 4, around()[0]))
def at_corner(kind: int, a: int, b: int, met: Any, count: int, before: Any) -> Any:
    """Whether a pair is one of the four that meet where vertex met[0] comes to vertex met[1]."""
    if kind == 1:
        return a == met[0] and (b == met[1] or b == before[met[1]])
    return b == met[1] and (a == met[0] or a == (met[0] - 1) % count)


@kernel(
    sample=lambda: (
        *(*fixture(), *state(), math.inf, 30.0, 20.0, np.zeros(4, dtype=np.int64)),
        around()[0],
    )
)
def steady(
    pawl: Any,
    walls: Any,
    pairs: Any,
    hinge: Any,
    velocity: Any,
    now: Any,
    pair: Any,
    zeros: Any,
    own_end: float,
    until: float,
    size: float,
    met: Any,
    before: Any,
) -> int:
    """At a constant angle, at rest or loaded: the first pair that would be entered.

    Leaves it in `pair` with its time in `now`; side 0 means that the pawl's own
    vertex comes first to the corner `met`, `own_end` from now.
    """
    margin = MARGIN * size
    speed = math.hypot(velocity[0], velocity[1])
    turned = np.empty_like(pawl)
    turn(turned, pawl, now[1])
    here = np.array([hinge[0] + now[0] * velocity[0], hinge[1] + now[0] * velocity[1]])
    c = np.empty(12)
    left = until - now[0]
    best, second, doubtful = min(left, own_end), max(left, own_end), False
    found = np.array([-1, 0, 0])
    ending = own_end < left
    for i in range(len(pairs)):
        kind, k, j = pairs[i, 0], pairs[i, 1], pairs[i, 2]
        if kind == pair[0] and k == pair[1] and j == pair[2]:
            continue
        gap_coefficients(c, kind, k, j, turned, walls, here, velocity)
        if known(zeros, pair[4], kind, k, j):
            if pair[4] == 1 and c[3] < -MARGIN * speed:
                return DOUBT
            continue
        length = edge_length(kind, k, j, turned, walls)
        if abs(c[0]) < margin:
            along = place_along(c, 0.0, 0.0)
            if -margin <= along <= length + margin:
                return DOUBT
            continue
        if c[0] < 0 or c[3] >= 0:
            continue
        time = -c[0] / c[3]
        if time > best + margin / speed:
            continue
        along = place_along(c, 0.0, time)
        if along < -margin or along > length + margin:
            continue
        if abs(time - own_end) * speed < margin and at_corner(kind, k, j, met, len(pawl), before):
            continue
        if time < best:
            second, best = best, time
            found[0], found[1], found[2] = kind, k, j
            ending = False
            doubtful = along < margin or along > length - margin
        else:
            second = min(second, time)
    if (second - best) * speed < margin or doubtful:
        return DOUBT
    now[0] += best
    if ending:
        pair[3] = 0
        return GOING
    if found[0] < 0:
        return DONE
    gap_coefficients(c, found[0], found[1], found[2], turned, walls, here, velocity)
    lift = c[1] + best * c[4]
    if abs(lift) < margin:
        return DOUBT
    side = 1 if lift > 0 else -1
    loaded = pair[0] >= 0
    if loaded and side != pair[3]:
        return JAM
    zeros[0] = pair[:3]
    pair[0], pair[1], pair[2], pair[3] = found[0], found[1], found[2], side
    pair[4] = 1 if loaded else 0
    return GOING


@kernel(sample=lambda: (*fixture(), np.array([20.0, -1.0]), np.array([1, 0, 0, -1, 0]), state()[2], 20.0))
def land(
    pawl: Any, walls: Any, pairs: Any, hinge: Any, velocity: Any, now: Any, pair: Any, zeros: Any, size: float
) -> int:
    """Turn towards rest at a constant time to the first pair that would be entered, or to rest."""
    margin = MARGIN * size
    side = pair[3]
    turned = np.empty_like(pawl)
    turn(turned, pawl, now[1])
    here = np.array([hinge[0] + now[0] * velocity[0], hinge[1] + now[0] * velocity[1]])
    c = np.empty(12)
    best, second, doubtful = abs(now[1]), math.inf, False
    found = np.array([-1, 0, 0])
    for i in range(len(pairs)):
        kind, k, j = pairs[i, 0], pairs[i, 1], pairs[i, 2]
        gap_coefficients(c, kind, k, j, turned, walls, here, velocity)
        # The gap is across cos + beside sin + level of the angle turned towards rest.
        across, level, beside = (c[0] - c[2]) / 2, (c[0] + c[2]) / 2, -side * c[1] / 2
        reach = math.sqrt(across * across + beside * beside)
        if reach < abs(level) - margin:
            continue
        own = kind == pair[0] and k == pair[1] and j == pair[2]
        close = own or known(zeros, pair[4], kind, k, j)
        tangent = reach < abs(level) + margin
        falls = math.atan2(beside, across) + math.acos(max(-1.0, min(1.0, -level / reach)))
        falls -= math.tau * math.floor(falls / math.tau)
        if close and (tangent or falls < 1e-6 or falls > math.tau - 1e-6):
            continue
        if falls > best + TIE and not tangent:
            continue
        phi = -side * falls
        along = (c[6] - c[8]) / 2 * math.cos(phi) + c[7] / 2 * math.sin(phi) + (c[6] + c[8]) / 2
        length = edge_length(kind, k, j, turned, walls)
        if along < -margin or along > length + margin:
            continue
        if falls < TIE or falls > math.tau - TIE or tangent:
            return DOUBT
        if falls < best:
            second, best = best, falls
            found[0], found[1], found[2] = kind, k, j
            doubtful = along < margin or along > length - margin
        else:
            second = min(second, falls)
    if second - best < TIE or doubtful:
        return DOUBT
    pair[4] = 0
    if found[0] < 0:
        now[1] = 0.0
        pair[0] = -1
        return GOING
    now[1] -= side * best
    pair[0], pair[1], pair[2] = found[0], found[1], found[2]
    return GOING
