"""The seed's simple algorithm in compiled floats: trace one constraint, meet all others.

Donald & Pai 1992, section 8.2: follow the constraint that carries the pawl,
intersect it with every other, take the first valid crossing, decide by signs
what follows. Each sign must exceed a margin far above rounding; where one does
not (a tie, a double root, two events at once) the tracker says DOUBT and the
exact sweep decides instead. It shares no decision with that sweep.

Kernels take a push, the pairs that can touch during it, the state, which they
change, and room to work in.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from detent.motion.quasistatic.floats.coefficients import (
    edge_length,
    gap_terms,
    place_along,
    place_terms,
    rotate,
    sample_links,
    sample_shapes,
)
from detent.numeric.kernels import kernel
from detent.numeric.polynomial.quartic import HALVINGS

DONE, JAM, STICK, DOUBT, FULL, GOING = 0, 1, 2, 3, 4, 5
CONTACT, CHANGE, RELEASE, SNAP, JAMMED, STUCK, REVERSAL = 0, 1, 2, 3, 4, 5, 6

# Lengths below this share of the machine's size are not distinguished from zero. Rounding
# gathers to about 1e-13 of it along a path; 1e-9 leaves four digits of doubt.
MARGIN = 1e-9
# Two events nearer than this in u, or two directions in angle, are one tie.
TIE = 1e-8
# A pair known to touch where a snap begins is met again only after so much rotation [rad].
AFRESH = 1e-6
QUARTER = 1.0  # tan(pi/4): an arc is followed 90 degrees at most, then begun afresh
SCRATCH = HALVINGS + 2
EVENTS = 256  # of one push, at first
COLUMNS = 7  # of an event


class Push(NamedTuple):
    """A pawl and obstacles as rows and links (see `coefficients.py`), and how the hinge moves."""

    pawl: Any
    links: Any
    walls: Any
    wall_links: Any
    hinge: Any  # at t = 0
    velocity: Any
    until: float
    size: float  # of the machine, by which margins are measured


class TrackerState(NamedTuple):
    """Where the pawl is and what it touches."""

    now: Any  # t, angle
    pair: Any  # that carries the load: kind (-1 at rest), k, j; its side; how many of `zeros` are known
    zeros: Any  # pairs known to touch where the arc begins: one left behind, or three around a corner
    met: Any  # pair or corner, end of the edge; then the slip just reversed and the heading out of a fold


class TrackerWorkspace(NamedTuple):
    """Scratch, and room for events."""

    pairs: Any
    rings: Any
    turned: Any  # the pawl as it lies
    quartics: Any  # of an arc
    stack: Any  # to halve them
    spans: Any
    events: Any


Sample = tuple[Push, Any, TrackerState, TrackerWorkspace]


def state() -> TrackerState:
    """At rest, at t = 0."""
    return TrackerState(
        np.zeros(2),
        np.array([-1, 0, 0, 0, 0]),
        np.zeros((8, 3), dtype=np.int64),
        np.zeros(5, dtype=np.int64),
    )


def room(n: int, m: int, events: int = EVENTS) -> TrackerWorkspace:
    """For pawls of n vertices and obstacles of m."""
    pairs, rings = np.zeros((2 * n * m, 3), dtype=np.int64), np.zeros((m, 4))
    halving = np.zeros((SCRATCH, 5)), np.zeros((SCRATCH, 2))
    return TrackerWorkspace(
        pairs, rings, np.zeros((n, 6)), np.zeros((3, 5)), *halving, np.zeros((events, COLUMNS))
    )


def sample_push() -> Push:
    pawl, walls = sample_shapes()
    links = sample_links()
    return Push(pawl, links, walls, links, np.array([0.0, 20.0]), np.array([0.0, -1.0]), 60.0, 20.0)


def sample(t: float = 0.0, angle: float = 0.0, *, carrying: tuple[int, ...] = (-1, 0, 0, 0)) -> Sample:
    """A push, all of its pairs, a state (see `TrackerState.pair` for what carries it), and room."""
    push, scratch, begun = sample_push(), room(4, 4, 64), state()
    pairs = np.array([(kind, k, j) for kind in (0, 1) for k in range(4) for j in range(4)])
    begun.now[:] = t, angle
    begun.pair[:4] = carrying
    rotate(scratch.turned, push.pawl, angle)
    return push, pairs, begun, scratch


@kernel(sample=lambda: (np.zeros((8, 3), dtype=np.int64), 2, 0, 0, 0))
def known(zeros: Any, count: int, kind: int, k: int, j: int) -> bool:
    for i in range(count):  # noqa: SIM110, a loop compiles
        if zeros[i, 0] == kind and zeros[i, 1] == k and zeros[i, 2] == j:
            return True
    return False


@kernel(sample=lambda: (1, 0, 0, np.zeros(5, dtype=np.int64), sample_links(), sample_links()))
def at_corner(kind: int, a: int, b: int, met: Any, links: Any, wall_links: Any) -> Any:
    """Whether a pair is one of the four that meet where vertex met[0] comes to vertex met[1]."""
    if kind == 1:
        return a == met[0] and (b == met[1] or b == wall_links[met[1], 0])
    return b == met[1] and (a == met[0] or a == links[met[0], 0])


@kernel(sample=lambda: (*sample(), math.inf))
def steady(push: Push, pairs: Any, state: TrackerState, room: TrackerWorkspace, own_end: float) -> int:
    """At a constant angle, at rest or loaded: the first pair that would be entered.

    Leaves it in `pair` with its time in `now`; side 0 means that the pawl's own
    vertex comes first to the corner `met`, `own_end` from now.
    """
    walls, turned = push.walls, room.turned
    now, pair, zeros, met = state
    margin = MARGIN * push.size
    vx, vy = push.velocity[0], push.velocity[1]
    speed = math.sqrt(vx * vx + vy * vy)
    rotate(turned, push.pawl, now[1])
    hx, hy = push.hinge[0] + now[0] * vx, push.hinge[1] + now[0] * vy
    left = push.until - now[0]
    best, second, doubtful = min(left, own_end), max(left, own_end), False
    met_kind, met_k, met_j = -1, 0, 0
    ending = own_end < left
    for i in range(len(pairs)):
        kind, k, j = pairs[i, 0], pairs[i, 1], pairs[i, 2]
        c0, _, _, s0, _, _ = gap_terms(kind, k, j, turned, walls, hx, hy, vx, vy)
        if c0 >= margin and (s0 >= 0 or c0 + s0 * best > margin):
            continue
        if kind == pair[0] and k == pair[1] and j == pair[2]:
            continue
        if known(zeros, pair[4], kind, k, j):
            if pair[4] == 1 and s0 < -MARGIN * speed:
                return DOUBT
            continue
        length = edge_length(kind, k, j, turned, walls)
        if abs(c0) < margin:
            along = place_along(kind, k, j, turned, walls, hx, hy, vx, vy, 0.0, 0.0)
            if -margin <= along <= length + margin:
                return DOUBT
            continue
        if c0 < 0 or s0 >= 0:
            continue
        time = -c0 / s0
        if time > best + margin / speed:
            continue
        along = place_along(kind, k, j, turned, walls, hx, hy, vx, vy, 0.0, time)
        if along < -margin or along > length + margin:
            continue
        if abs(time - own_end) * speed < margin and at_corner(kind, k, j, met, push.links, push.wall_links):
            continue
        if time < best:
            second, best = best, time
            met_kind, met_k, met_j = kind, k, j
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
    if met_kind < 0:
        pair[4] = 0
        return DONE
    hx, hy = push.hinge[0] + now[0] * vx, push.hinge[1] + now[0] * vy
    _, lift, _, _, _, _ = gap_terms(met_kind, met_k, met_j, turned, walls, hx, hy, vx, vy)
    if abs(lift) < margin:
        return DOUBT
    side = 1 if lift > 0 else -1
    loaded = pair[0] >= 0
    if loaded and side != pair[3]:
        zeros[0, 0], zeros[0, 1], zeros[0, 2], pair[4] = met_kind, met_k, met_j, 1
        return JAM
    zeros[0, 0], zeros[0, 1], zeros[0, 2] = pair[0], pair[1], pair[2]
    pair[0], pair[1], pair[2], pair[3] = met_kind, met_k, met_j, side
    pair[4] = 1 if loaded else 0
    return GOING


@kernel(sample=lambda: sample(20.0, -1.0, carrying=(1, 0, 0, -1)))
def land(push: Push, pairs: Any, state: TrackerState, room: TrackerWorkspace) -> int:
    """Rotate towards rest at a constant time to the first pair that would be entered, or to rest."""
    walls, turned = push.walls, room.turned
    now, pair, zeros, _ = state
    margin = MARGIN * push.size
    side = pair[3]
    rotate(turned, push.pawl, now[1])
    vx, vy = push.velocity[0], push.velocity[1]
    hx, hy = push.hinge[0] + now[0] * vx, push.hinge[1] + now[0] * vy
    best, second, doubtful = abs(now[1]), math.inf, False
    met_kind, met_k, met_j = -1, 0, 0
    for i in range(len(pairs)):
        kind, k, j = pairs[i, 0], pairs[i, 1], pairs[i, 2]
        c0, c1, c2, _, _, _ = gap_terms(kind, k, j, turned, walls, hx, hy, vx, vy)
        # The gap is across cos + beside sin + level of the angle rotated towards rest.
        across, level, beside = (c0 - c2) / 2, (c0 + c2) / 2, -side * c1 / 2
        reach = math.sqrt(across * across + beside * beside)
        if reach < abs(level) - margin:
            continue
        close = (kind == pair[0] and k == pair[1] and j == pair[2]) or known(zeros, pair[4], kind, k, j)
        tangent = reach < abs(level) + margin
        falls = math.atan2(beside, across) + math.acos(max(-1.0, min(1.0, -level / reach)))
        falls -= math.tau * math.floor(falls / math.tau)
        if close and (tangent or falls < AFRESH or falls > math.tau - AFRESH):
            continue
        if falls > best + TIE and not tangent:
            continue
        a0, a1, a2, _, _, _ = place_terms(kind, k, j, turned, walls, hx, hy, vx, vy)
        phi = -side * falls
        along = (a0 - a2) / 2 * math.cos(phi) + a1 / 2 * math.sin(phi) + (a0 + a2) / 2
        length = edge_length(kind, k, j, turned, walls)
        if along < -margin or along > length + margin:
            continue
        if falls < TIE or falls > math.tau - TIE or tangent:
            return DOUBT
        if falls < best:
            second, best = best, falls
            met_kind, met_k, met_j = kind, k, j
            doubtful = along < margin or along > length - margin
        else:
            second = min(second, falls)
    if second - best < TIE or doubtful:
        return DOUBT
    pair[4] = 0
    if met_kind < 0:
        now[1] = 0.0
        pair[0] = -1
        return GOING
    now[1] -= side * best
    pair[0], pair[1], pair[2] = met_kind, met_k, met_j
    return GOING
