"""The simple algorithm as a whole: from a state along one push, to events or a doubt.

`track` is compiled and takes arrays; `simple` reads a fastener's pawl for it.
What the tracker doubts goes to the exact sweep, and is counted by whoever asks.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from detent.contact.coefficients import (
    edge_length,
    gap_coefficients,
    place_along,
    reachable_pairs,
    turn,
    with_edges,
)
from detent.motion.quasistatic.fastener import Pawl
from detent.motion.quasistatic.tracing import (
    CHART,
    CORNER,
    CROSSING,
    FOLD,
    REST,
    TURNED,
    friction_coefficients,
    pass_corner,
    trace,
)
from detent.motion.quasistatic.tracker import (
    CHANGE,
    CONTACT,
    DONE,
    DOUBT,
    FULL,
    GOING,
    JAM,
    JAMMED,
    MARGIN,
    RELEASE,
    REVERSAL,
    SNAP,
    STICK,
    STUCK,
    around,
    fixture,
    land,
    steady,
)
from detent.numeric.kernel import kernel

KINDS = ("contact", "change", "release", "snap", "jam", "stick", "reversal")
CAUSES = {DONE: "done", JAM: "jam", STICK: "stick", DOUBT: "doubt", FULL: "doubt"}
ROOM = 256  # events of one push; a rack of more teeth than this goes to the exact sweep


@kernel(
    sample=lambda: (*_sample_arrays(), *_sample_push(), 0.0, 0.0, np.array([-1, 0, 0, 0]), np.zeros((64, 6)))
)
def track(
    pawl: Any,
    sharp: Any,
    walls: Any,
    before: Any,
    after: Any,
    pointed: Any,
    hinge: Any,
    velocity: Any,
    mu: float,
    until: float,
    size: float,
    begin: float,
    angle: float,
    carrying: Any,
    events: Any,
) -> tuple[int, int]:
    """How it ended and how many events: rows of time, kind, angle, and the pair from then on.

    The row after the last holds where it ended.
    """
    margin = MARGIN * size
    room = np.empty((2 * len(pawl) * len(walls), 3), dtype=np.int64)
    first = np.array([hinge[0] + begin * velocity[0], hinge[1] + begin * velocity[1]])
    last = np.array([hinge[0] + until * velocity[0], hinge[1] + until * velocity[1]])
    pairs = room[: reachable_pairs(room, pawl, walls, sharp, pointed, after, first, last, margin)]
    fixed = (pawl, walls, pairs, hinge, velocity)
    now = np.array([begin, angle])
    pair = np.zeros(5, dtype=np.int64)
    pair[:4] = carrying
    zeros = np.zeros((8, 3), dtype=np.int64)
    met = np.zeros(4, dtype=np.int64)
    turned = np.empty_like(pawl)
    own = np.empty(12)
    count = 0
    status = GOING
    while status == GOING:
        if count >= len(events) - 2:
            return FULL, count
        what = GOING
        was = now[1]
        kind, k, j, side = pair[0], pair[1], pair[2], pair[3]
        event = -1
        if kind < 0:
            what = steady(*fixed, now, pair, zeros, math.inf, until, size, met, before)
            event = CONTACT
        else:
            turn(turned, pawl, now[1])
            here = np.array([hinge[0] + now[0] * velocity[0], hinge[1] + now[0] * velocity[1]])
            gap_coefficients(own, kind, k, j, turned, walls, here, velocity)
            if kind == 1 and own[3] == 0.0:
                what = _slides(turned, walls, here, velocity, own, pair, mu, margin)
                if what == GOING:
                    along, rate = place_along(own, 0.0, 0.0), own[9]
                    rest = edge_length(kind, k, j, turned, walls) - along if rate > 0 else along
                    met[0], met[1], met[2] = k, (after[j] if rate > 0 else j), (1 if rate > 0 else 0)
                    what = steady(
                        *fixed, now, pair, zeros, max(rest, 0.0) / abs(rate), until, size, met, before
                    )
                    event = CHANGE
                    if what == GOING and pair[3] == 0:
                        pair[3] = side
                        what = CORNER
            else:
                what = trace(*fixed, now, pair, zeros, mu, until, size, met, before, after)
        if what == CORNER:
            what = pass_corner(*fixed, now, pair, zeros, size, met, sharp, pointed, before, after)
            event = CHANGE
            if what == REST:
                what = FOLD
        elif what == REST:
            now[1] = 0.0
            zeros[0] = pair[:3]
            pair[0], pair[4] = -1, 1
            event, what = RELEASE, GOING
        if what == CROSSING:
            turn(turned, pawl, now[1])
            here = np.array([hinge[0] + now[0] * velocity[0], hinge[1] + now[0] * velocity[1]])
            gap_coefficients(own, met[0], met[1], met[2], turned, walls, here, velocity)
            if abs(own[1]) < margin:
                what = DOUBT
            elif own[1] * side > 0:
                zeros[0] = pair[:3]
                pair[:3] = met[:3]
                pair[4] = 1
                event, what = CHANGE, GOING
            else:
                what = JAM
        elif what == FOLD:
            was = now[1]
            what = land(*fixed, now, pair, zeros, size)
            event = SNAP
        elif what == CHART:
            pair[4] = 0
            continue
        elif what == TURNED:
            event, what = REVERSAL, GOING
            pair[4] = 0
        if what in (DOUBT, FULL):
            return DOUBT, count
        if what == DONE:
            status = DONE
            break
        if what == STICK:
            if count > 0 and events[count - 1, 1] == REVERSAL and events[count - 1, 0] == now[0]:
                count -= 1
            event, status = STUCK, STICK
        elif what == JAM:
            event, status = JAMMED, JAM
        row = events[count]
        row[0], row[1], row[2] = now[0], event, was if event == SNAP else now[1]
        row[3], row[4], row[5] = pair[0], pair[1], pair[2]
        count += 1
    row = events[count]
    row[0], row[1], row[2] = now[0], -1, now[1]
    row[3], row[4], row[5] = pair[0], pair[1], pair[2]
    return status, count


@kernel(
    sample=lambda: (
        *(*fixture()[:2], np.zeros(2), np.ones(2), np.ones(12)),
        *(np.array([1, 0, 0, -1, 0]), 0.1, 1e-9),
    )
)
def _slides(
    turned: Any,
    walls: Any,
    here: Any,
    velocity: Any,
    own: Any,
    pair: Any,
    mu: float,
    margin: float,
) -> int:
    """Whether a vertex slides along a wall that is parallel to the motion."""
    if mu == 0:
        return GOING
    slide, slip = np.empty(5), np.empty(5)
    friction_coefficients(
        slide, slip, pair[0], pair[1], pair[2], turned, walls, here, velocity, own, pair[3], 1.0, mu, 0
    )
    if abs(slide[0]) < margin or slip[0] < margin:
        return DOUBT
    return GOING if slide[0] > 0 else STICK


@dataclass(frozen=True)
class Shapes:
    """A pawl and its obstacles as arrays, with the names of their features."""

    pawl: Any
    sharp: Any
    walls: Any
    before: Any
    after: Any
    pointed: Any
    size: float
    leaves: Any  # obstacle leaf and vertex of each wall vertex
    own: Any

    @property
    def arrays(self) -> tuple[Any, ...]:
        return self.pawl, self.sharp, self.walls, self.before, self.after, self.pointed

    def name(self, kind: int, k: int, j: int) -> str:
        leaf, vertex = self.leaves[j]
        if kind == 0:
            return f"{leaf.vertex_name(vertex)}:{self.own.edge_name(k)}"
        return f"{leaf.edge_name(vertex)}:{self.own.vertex_name(k)}"


def shapes(pawl: Pawl) -> Shapes | None:
    """The arrays of a pawl of one polygon and one friction; None where it has several."""
    if len(pawl.leaves) != 1 or len({str(mu) for _, mu in pawl.obstacles}) > 1:
        return None
    if not all(all(leaf.facing) for leaf, _ in pawl.obstacles) or len(pawl.leaves[0].rings) > 1:
        return None
    own = pawl.leaves[0]
    points: list[Any] = []
    before: list[int] = []
    after: list[int] = []
    pointed: list[bool] = []
    names: list[Any] = []
    for leaf, _ in pawl.obstacles:
        first = len(points)
        points += [(float(x), float(y)) for x, y in leaf.points]
        before += [first + k for k in leaf.before]
        after += [first + k for k in leaf.after]
        pointed += leaf.convex
        names += [(leaf, k) for k in range(leaf.count)]
    shape = np.array([(float(x), float(y)) for x, y in own.points])
    walls = np.array(points)
    spread = float(np.abs(shape).max() + np.ptp(walls, axis=0).max())
    round_ = np.roll(np.arange(own.count), -1)
    return Shapes(
        with_edges(shape, round_),
        np.array(own.convex),
        with_edges(walls, np.array(after)),
        np.array(before),
        np.array(after),
        np.array(pointed),
        spread,
        names,
        own,
    )


@dataclass(frozen=True)
class Tracked:
    """What the simple algorithm says of one push, or that it doubts."""

    cause: str
    events: tuple[tuple[float, str, float], ...]  # time, kind, angle
    contacts: tuple[str, ...]  # the pair that carries the load after each event
    end: tuple[float, float]

    @property
    def doubts(self) -> bool:
        return self.cause == "doubt"


def simple(
    made: Shapes, hinge: Any, velocity: Any, mu: float, until: float, *, begin: float = 0.0, work: float = 0.0
) -> Tracked:
    """From rest at `begin` along one push; `work` chooses compiled or plain."""
    events = np.zeros((ROOM, 6))
    status, count = track.at(work)(
        *made.arrays, hinge, velocity, mu, until, made.size, begin, 0.0, np.array([-1, 0, 0, 0]), events
    )
    rows = events[:count]
    return Tracked(
        CAUSES[status],
        tuple((float(row[0]), KINDS[int(row[1])], float(row[2])) for row in rows),
        tuple(made.name(*map(int, row[3:6])) if row[3] >= 0 else "" for row in rows),
        (float(events[count, 0]), float(events[count, 2])),
    )


def _sample_arrays() -> tuple[Any, ...]:
    pawl, walls = fixture()[:2]
    solid = np.ones(4, dtype=np.bool_)
    return pawl, solid, walls, *around(), solid


def _sample_push() -> tuple[Any, ...]:
    """Hinge, velocity, friction, end, size."""
    return np.array([0.0, 20.0]), np.array([0.0, -1.0]), 0.1, 60.0, 20.0
