"""A plan in float-filter mode: the simple algorithm on every leg, as the same run.

Each pawl is tracked from where the leg before left it: at rest, on one contact,
or stuck, from where only the line back is open. What the tracker doubts raises
`Undecided`; whoever asks then decides the run exactly, and counts it.

Places of such a run are doubles, written as rationals: near the event, not it.
So it has no certificates, and what a sign there would say is kept in `SlidingStretch`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from detent.geometry.exact.polygon import ExactLeaf
from detent.geometry.gap import Gap, exchanged, inverted, plane_pose, vertex_edge
from detent.motion.quasistatic.doubt import Undecided
from detent.motion.quasistatic.exact.continuation import ContactArc
from detent.motion.quasistatic.exact.pawl import PawlEvent, PawlRun, SlidingStretch
from detent.motion.quasistatic.floats.coefficients import with_edges
from detent.motion.quasistatic.floats.simple import CAUSES, KINDS, track
from detent.motion.quasistatic.floats.tracker import (
    CHANGE,
    DOUBT,
    EVENTS,
    FULL,
    MARGIN,
    SNAP,
    Push,
    TrackerState,
    room,
    state,
)
from detent.motion.quasistatic.machine.fasteners import Fastener, Pawl
from detent.motion.quasistatic.slice.curves import FeaturePair, pair
from detent.motion.quasistatic.slice.table import Slice, SlicePoint
from detent.numeric.polynomial.algebraic import Real, real

# Elementary steps that the tracker spends on one pair over a push, roughly.
STEPS = 200
MORE = 8  # times as much room for events where a run had not enough

Key = tuple[int, int, int]  # kind, pawl's row, obstacle's row


@dataclass
class Tracked(PawlRun):
    """A run by the tracker, with the state it left, from which a leg may follow."""

    exact: bool = False
    held: Held | None = None


@dataclass(frozen=True)
class Held:
    """Where a pawl is: its angle, what carries it, what else touches, how it got there."""

    angle: float = 0.0
    carrying: tuple[int, int, int, int] = (-1, 0, 0, 0)  # kind, rows, side
    touching: tuple[Key, ...] = ()
    turning: int = 0  # the sign of r . v to go on with, where it is zero here
    heading: int = 0  # out of a fold, where the curve has none

    def state(self, begin: float) -> TrackerState:
        tracker_state = state()
        tracker_state.now[:] = begin, self.angle
        tracker_state.pair[:4] = self.carrying
        tracker_state.pair[4] = len(self.touching)
        for i, key in enumerate(self.touching):
            tracker_state.zeros[i] = key
        tracker_state.met[3], tracker_state.met[4] = self.turning, self.heading
        return tracker_state


@dataclass(frozen=True)
class Shapes:
    """A pawl and its obstacles as rows, with the leaf and vertex of each."""

    pawl: tuple[tuple[ExactLeaf, int], ...]
    walls: tuple[tuple[ExactLeaf, Any, int], ...]
    links: Any
    wall_links: Any


def shapes(pawl: Pawl) -> Shapes:
    pawl_vertices = tuple((leaf, k) for leaf in pawl.leaves for k in range(leaf.count))
    walls = tuple((leaf, mu, j) for leaf, mu in pawl.obstacles for j in range(leaf.count))
    return Shapes(pawl_vertices, walls, _links(pawl.leaves), _links([leaf for leaf, _ in pawl.obstacles]))


def _links(leaves: Sequence[ExactLeaf]) -> Any:
    rows: list[tuple[int, int, bool]] = []
    for leaf in leaves:
        first = len(rows)
        rows += [
            (first + before, first + after, sticks_out)
            for before, after, sticks_out in zip(leaf.before, leaf.after, leaf.convex, strict=True)
        ]
    return np.array(rows, dtype=np.int64).reshape(-1, 3)


@dataclass
class Filter:
    """Follows pawls in floats, in place of the exact `legs.exactly`."""

    fastener: Fastener
    _shapes: dict[int, Shapes] = field(default_factory=dict)

    def __call__(self, index: int, slice_: Slice, before: PawlRun, start: Real, until: Real) -> PawlRun:
        pawl = self.fastener.pawls[index]
        if index not in self._shapes:
            self._shapes[index] = shapes(pawl)
        held = _held(pawl, before)
        if not self._shapes[index].walls:
            return Tracked(end=SlicePoint(until, 0, real(0)), held=held)
        return _FloatRun(self._shapes[index], slice_, held, float(start), until).go()


def _held(pawl: Pawl, before: PawlRun) -> Held:
    if pawl.limits:
        raise Undecided(f"{pawl.joint} has limits")
    if not all(all(leaf.facing) for leaf, _ in pawl.obstacles):
        raise Undecided(f"{pawl.joint} meets one boundary of several frictions")
    if isinstance(before, Tracked) and before.held is not None:
        return before.held
    assert before.end is not None
    if before.end.side:
        raise Undecided(f"{pawl.joint} starts away from rest")
    return Held()


class _FloatRun:
    """One pawl tracked along one push."""

    def __init__(self, shapes: Shapes, slice_: Slice, held: Held, begin: float, until: Real) -> None:
        self.shapes, self.slice, self.held, self.begin, self.until = shapes, slice_, held, begin, until
        self.velocity = np.array([float(c) for c in slice_.velocity])
        # About the hinge at t = 0, so that nothing is lost where the machine is far from the origin.
        x, y = slice_.hinge
        points = np.array(
            [(float(leaf.points[j][0] - x), float(leaf.points[j][1] - y)) for leaf, _, j in shapes.walls]
        )
        pawl_points = np.array(
            [(float(leaf.points[k][0]), float(leaf.points[k][1])) for leaf, k in shapes.pawl]
        )
        friction = np.array([float(mu) for _, mu, _ in shapes.walls])
        self.pawl, self.walls = (
            with_edges(pawl_points, shapes.links),
            with_edges(points, shapes.wall_links, friction),
        )
        self.size = float(max(np.abs(pawl_points).max(), np.abs(points).max()))
        self.pawl_run = Tracked()

    def go(self) -> Tracked:
        n, m = len(self.pawl), len(self.walls)
        push = Push(
            *(self.pawl, self.shapes.links, self.walls, self.shapes.wall_links),
            *(np.zeros(2), self.velocity, float(self.until), self.size),
        )
        events_room, status = EVENTS, FULL
        while status == FULL:
            ended, scratch = self.held.state(self.begin), room(n, m, events_room)
            status, count = track.at(STEPS * n * m)(push, ended, scratch)
            events_room *= MORE
        if status == DOUBT:
            raise Undecided("a tie")
        events = scratch.events
        self._record(events[: count + 1], ended.zeros[: ended.pair[4]], CAUSES[status], int(ended.pair[3]))
        self.pawl_run.held = _left(status, events[:count], self.held, ended)
        return self.pawl_run

    def _record(self, rows: Any, zeros: Any, cause: str, last_side: int) -> None:
        at, key = (self.begin, self.held.angle), self.held.carrying[:3]
        for row in rows:
            t, kind, angle, landed = float(row[0]), int(row[1]), float(row[2]), float(row[6])
            if kind < 0 and cause == "done":
                t = float(self.until)
            after: Key = (int(row[3]), int(row[4]), int(row[5]))
            if key[0] >= 0 and (kind >= 0 or t > at[0]):
                side = last_side if at[1] == angle == 0.0 else (1 if at[1] + angle > 0 else -1)
                self._slide(key, side, at, (t, angle))
            if kind >= 0:
                self._happen(kind, self._place(t, angle), key, after, landed, zeros)
            at, key = (t, landed), after
        ended = self._place(*at)
        self.pawl_run.cause = cause  # type: ignore[assignment]
        self.pawl_run.end = SlicePoint(self.until, ended.half, ended.u) if cause == "done" else ended

    def _happen(
        self, kind: int, place: SlicePoint, before: Key, after: Key, landed: float, zeros: Any
    ) -> None:
        name = KINDS[kind]
        was, is_ = self._names(before), self._names(after)
        if kind == CHANGE and was == is_:
            return
        event = PawlEvent(name, place, before=was)  # type: ignore[arg-type]
        if name in ("contact", "change", "reversal"):
            event = PawlEvent(name, place, before=was, after=is_)  # type: ignore[arg-type]
        elif kind == SNAP:
            landed_at = self._place(float(place.t), landed)
            event = PawlEvent("snap", place, before=was, after=is_, landed=landed_at)
        elif name == "jam":
            touching = sorted((self._pair(key, 0) for key in (after, *_keys(zeros))), key=lambda p: p.order)
            names = tuple(dict.fromkeys(p.name for p in touching))
            event = PawlEvent("jam", place, before=was, touching=names, reason="closed")
        self.pawl_run.events.append(event)

    def _names(self, key: Key) -> tuple[str, ...]:
        return (self._pair(key, 0).name,) if key[0] >= 0 else ()

    def _slide(self, key: Key, side: int, begin: tuple[float, float], end: tuple[float, float]) -> None:
        """A stretch of sliding, divided where it passes from chart to chart."""
        if begin[1] == end[1]:
            self._stretch(key, side, _half((begin[1] + end[1]) / 2), begin, end, level=begin[0] < end[0])
            return
        heading = 1 if end[1] > begin[1] else -1
        from_, goes_on = begin, False
        while True:
            half = _half(from_[1] + heading * MARGIN)
            border = half * math.pi + heading * math.pi / 2
            if (end[1] - border) * heading <= MARGIN:
                self._stretch(key, side, half, from_, end, goes_on=goes_on)
                return
            to = (self._time(key, half, heading), border)
            self._stretch(key, side, half, from_, to, goes_on=goes_on)
            from_, goes_on = to, True

    def _time(self, key: Key, half: int, u: float) -> float:
        """When the pair touches at an angle."""
        p, q = _doubles(self._pair(key, half))
        return -(p[0] + u * (p[1] + u * p[2])) / (q[0] + u * (q[1] + u * q[2]))

    def _stretch(
        self,
        key: Key,
        side: int,
        half: int,
        begin: tuple[float, float],
        end: tuple[float, float],
        *,
        level: bool = False,
        goes_on: bool = False,
    ) -> None:
        feature_pair = self._pair(key, half)
        first, last = (self._place(t, angle, half) for t, angle in (begin, end))
        heading = 0 if begin[1] == end[1] else 1 if end[1] > begin[1] else -1
        arc = ContactArc(None if level else feature_pair.curve, first, heading, side, (feature_pair,))
        middle = (begin[1] + end[1]) / 2
        t = begin[0] if heading == 0 else self._time(key, half, math.tan((middle - half * math.pi) / 2))
        _, (x, y) = self._contact(key, t, middle)
        towards = 1 if x * self.velocity[0] + y * self.velocity[1] > 0 else -1
        if begin == end and self.pawl_run.events == [] and self.held.turning:
            towards = self.held.turning
        free = [
            place.side == 0 or self._slack(key, side, towards, t, angle) > MARGIN * self.size
            for place, (t, angle) in ((first, begin), (last, end))
        ]
        self.pawl_run.stretches.append(
            SlidingStretch(
                arc, first, last, goes_on=goes_on, towards=towards, unbounded=(not free[0], not free[1])
            )
        )

    def _contact(self, key: Key, t: float, angle: float) -> tuple[Gap, tuple[float, float]]:
        """The pair in the world, from the obstacle to the pawl, and the vector to it from the hinge."""
        kind, k, j = key
        x, y = float(t * self.velocity[0]), float(t * self.velocity[1])
        pose_WP = plane_pose(x, y, angle)
        if kind == 1:
            gap = vertex_edge(pose_WP, _edge_at(self.walls, j), self.pawl[k, :2])
        else:
            pose_PW = inverted(pose_WP)
            gap = exchanged(pose_PW, vertex_edge(pose_PW, _edge_at(self.pawl, k), self.walls[j, :2]))
        return gap, (gap.x - x, gap.y - y)

    def _slack(self, key: Key, side: int, towards: int, t: float, angle: float) -> float:
        """How far the contact is from its threshold; none is left at a fold or where it sticks."""
        gap, (x, y) = self._contact(key, t, angle)
        friction = float(self.walls[key[2], 5])
        return float(side * gap.arm_B + friction * towards * (x * gap.nx + y * gap.ny))

    def _place(self, t: float, angle: float, half: int | None = None) -> SlicePoint:
        half = _half(angle) if half is None else half
        u = max(-1.0, min(1.0, math.tan((angle - half * math.pi) / 2)))
        return SlicePoint(real(Fraction(t)), half, real(Fraction(u)))

    def _pair(self, key: Key, half: int) -> FeaturePair:
        kind, k, j = key
        (leaf, vertex), (wall, mu, row) = self.shapes.pawl[k], self.shapes.walls[j]
        which: Any = ("B" if kind == 1 else "A", vertex, row)
        return pair(which, leaf, wall, self.slice.hinge, self.slice.velocity, mu, bool(half % 2))


def _left(status: int, rows: Any, was: Held, ended: TrackerState) -> Held:
    """What a run leaves to the leg after it; after a stick or a jam that leg goes straight back."""
    now, carrying, zeros, met = ended
    angle, side = float(now[1]), int(carrying[3])
    key = (int(carrying[0]), int(carrying[1]), int(carrying[2]))
    touching = tuple(_keys(zeros[: carrying[4]]))
    if CAUSES[status] == "jam":
        return Held(angle, (*key, side), touching, heading=int(met[4]))
    if CAUSES[status] == "done" or key[0] < 0:
        return Held(angle, (*key, side if key[0] >= 0 else 0))
    if angle == 0.0:
        # Stuck as it touched, at rest: it leaves where it came from.
        return Held(0.0, (-1, 0, 0, 0), (key,))
    if len(rows) > 1 and int(rows[-2][1]) == CHANGE and rows[-2][0] == rows[-1][0]:
        # Stuck on what it had just come to: back it goes on what it came along.
        came = was.carrying[:3] if len(rows) < 3 else tuple(int(c) for c in rows[-3][3:6])
        others = tuple(other for other in (key, *touching) if other != came)
        return Held(angle, (came[0], came[1], came[2], side), others)
    return Held(angle, (*key, side), turning=int(met[3]))


def _edge_at(rows: Any, k: int) -> Any:
    """The edge that starts at a row's vertex, by its ends."""
    x, y, dx, dy, length = rows[k, :5]
    return np.array([x, y, x + length * dx, y + length * dy])


def _keys(rows: Any) -> list[Key]:
    return [(int(row[0]), int(row[1]), int(row[2])) for row in rows]


def _half(angle: float) -> int:
    return math.floor(angle / math.pi + 0.5)


def _doubles(feature_pair: FeaturePair) -> tuple[list[float], list[float]]:
    p, q = feature_pair.gap.constant, feature_pair.gap.slope
    scale = max(abs(int(c)) for c in (*p.coeffs(), *q.coeffs()))
    return [int(p[i]) / scale for i in range(3)], [int(q[i]) / scale for i in range(3)]
