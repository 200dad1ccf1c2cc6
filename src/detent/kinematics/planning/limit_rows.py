"""Limits of joints as stops: one more discriminant each, so that every executor and every proof knows them.

A slide between `low` and `high` has H = half^2 - (travel - middle)^2, which is that of
a circle and a line; a pin has H = |v + u|^2 - (2 cos(half/2))^2 with the two
marks' directions u (rotated by the middle) and v, that of a tangent: cos(angle -
middle) >= cos(half). Both are operations that a plan has already. Their branch
sign is 0: they place nothing. A pin that is limited on one side only, or by a
turn or more, has no such form; its full rotations are counted along the path (`counted`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from detent.foundation.names import listed
from detent.kinematics.equations.rows import Floats, coordinate
from detent.kinematics.operations import ops as op
from detent.kinematics.planning.clusters import Anchor
from detent.kinematics.planning.poses import part_poses
from detent.kinematics.planning.tables import JointStop, Plan
from detent.model.machine.plane_linkage import PlaneJoint, PlaneLinkage, PlanePoint, unit_direction
from detent.numeric.angles import whole_turns

# What rounding may take from H at a limit itself, where a drive path often begins, of its terms; the
# limit moves by as much of an angle, or of the slide's range, divided by the sine of half the range.
GRACE = 4e-15
# A slide that is limited on one side: the other side of its H is this far away [sizes and travels of drives].
FAR = 1e2


def with_stops(plan: Plan, travel: float = 0.0) -> Plan:
    """The plan that also watches the limits of its joints; itself without any.

    `travel` is how far it is driven along slides [m] (`travel_of`).
    """
    stops = stops_of(plan.system)
    if not stops:
        return plan
    table = _Table(plan, travel)
    kept = tuple(replace(stop, row=table.watch(stop)) for stop in stops)
    ops = np.array(table.ops, dtype=np.int64).reshape(-1, op.COLUMNS)
    segments = plan.segments.copy()
    assert segments[-1, 2] == len(plan.ops)
    segments[-1, 2] += len(ops)
    return replace(
        plan,
        ops=np.concatenate([plan.ops, ops]),
        segments=segments,
        vectors=np.concatenate([plan.vectors, np.array(table.rows, dtype=float).reshape(-1, 2)]),
        stops=kept,
    )


def travel_of(plan: Plan, goals: Floats) -> float:
    """How far drives along slides go from the drawing [m]; 0 where none is driven."""
    lengths = [item.is_length for item in plan.inputs]
    return float(np.abs(goals - plan.drawn)[:, lengths].max(initial=0.0))


def stops_of(system: PlaneLinkage) -> tuple[JointStop, ...]:
    """One for each joint that has a limit."""
    return tuple(
        JointStop(index, -1)
        for index, pair in enumerate(system.pairs)
        if math.isfinite(pair.low) or math.isfinite(pair.high)
    )


def counted(pair: PlaneJoint) -> bool:
    """Whether the full rotations of a limited pin must be counted: a direction alone does not say them."""
    return pair.kind == "revolute" and not pair.high - pair.low < 2 * math.pi


def outside(system: PlaneLinkage, poses: Floats) -> str:
    """The first joint that is beyond its limits by more than rounding; empty where none does."""
    for stop in stops_of(system):
        pair = system.pairs[stop.pair]
        if is_beyond(system, pair, coordinate(pair, poses)):
            return pair.name
    return ""


def is_beyond(system: PlaneLinkage, pair: PlaneJoint, at: float) -> bool:
    """Whether a joint's coordinate is beyond its limits by more than rounding."""
    grace = rounding_of(system, pair)
    if not counted(pair) and pair.kind == "revolute":
        at -= whole_turns(at - 0.5 * (pair.low + pair.high))
    return not pair.low - grace <= at <= pair.high + grace


def rounding_of(system: PlaneLinkage, pair: PlaneJoint) -> float:
    """How far a joint's coordinate is from its limit by rounding alone, at most."""
    return system.tolerance.length if pair.kind == "prismatic" else system.tolerance.angle


def cannot_begin(joints: Sequence[str]) -> str:
    """What is said where the first position has joints beyond their limits."""
    verb, whose = ("is", "its") if len(joints) == 1 else ("are", "their")
    return f"the first position cannot be reached: {listed(joints)} {verb} beyond {whose} limits there"


def coordinates(plan: Plan, values: Floats, pair: PlaneJoint, angles: Floats | None = None) -> Floats:
    """A joint's coordinate in each frame.

    `angles` of parts (frames, parts) have their full rotations counted; without them angles go on from
    the closed drawing, each frame within half a rotation of the one before.
    """
    if angles is not None and pair.kind != "prismatic":
        return np.asarray(angles[:, pair.b.part] + pair.b.turn - angles[:, pair.a.part] - pair.a.turn)
    poses = part_poses(plan, values)
    a, b = (poses[plan.system.parts[mark.part]] for mark in (pair.a, pair.b))
    if pair.kind != "prismatic":
        return np.asarray(b[:, 2] + pair.b.turn - a[:, 2] - pair.a.turn)
    ends = [p[:, 0] + 1j * p[:, 1] + np.exp(1j * p[:, 2]) * m.at for p, m in ((a, pair.a), (b, pair.b))]
    return np.asarray(((ends[1] - ends[0]) * np.exp(-1j * (a[:, 2] + pair.a.turn))).real)


def words(plan: Plan, pair: PlaneJoint, at: float) -> str:
    """Which limit a coordinate has come to, as the document counts it."""
    if pair.kind == "revolute" and not counted(pair):  # its limits are less than a rotation apart
        at -= whole_turns(at - 0.5 * (pair.low + pair.high))
    upper = abs(at - pair.high) < abs(at - pair.low)
    bound = pair.high if upper else pair.low
    shown = plan.system.told(bound, 9) if pair.kind == "prismatic" else f"{math.degrees(bound):.9g}°"
    return f"{pair.name} is at its {'upper' if upper else 'lower'} limit, {shown}"


@dataclass
class _Table:
    """Rows added behind a plan's own."""

    plan: Plan
    travel: float

    def __post_init__(self) -> None:
        self.ops: list[tuple[int, ...]] = []
        self.rows: list[tuple[float, float]] = [(0.0, 0.0)]
        self.zero = len(self.plan.vectors)

    def watch(self, stop: JointStop) -> int:
        """The operation whose discriminant is the limit; -1 where full rotations must be counted."""
        pair = self.plan.system.pairs[stop.pair]
        if counted(pair):
            return -1
        low, high = pair.low, pair.high
        if pair.kind == "prismatic":
            reach = FAR * (self.plan.system.size + self.travel)
            low = high - reach if low == -math.inf else low
            high = low + reach if high == math.inf else high
            half, middle = 0.5 * (high - low), 0.5 * (high + low)
            across = self._direction(pair.a, -0.5 * math.pi)
            ends = self._point(pair.b), self._point(pair.a)
            return self._op(
                op.CIRCLE_LINE, *ends, across, self._constant(half * half + self._grace(half), middle)
            )
        half, middle = 0.5 * (high - low), 0.5 * (high + low)
        from_a, from_b = self._direction(pair.a, middle + math.pi), self._direction(pair.b, 0.0)
        chord = math.sqrt(max(4 * math.cos(0.5 * half) ** 2 - GRACE, 0.0))
        return self._op(op.TANGENT, from_a, from_b, self._constant(chord, 0.0), 0)

    def _grace(self, half: float) -> float:
        """Rounding of a travel is that of the coordinates it is the difference of."""
        return GRACE * half * (half + self.plan.system.size)

    def _direction(self, mark: PlanePoint, angle: float) -> int:
        anchor = self._anchor(mark)
        along = unit_direction(mark.turn + angle) / anchor.d
        return self._affine(self.zero, anchor, along)

    def _point(self, mark: PlanePoint) -> int:
        anchor = self._anchor(mark)
        return self._affine(anchor.W, anchor, (mark.at - anchor.w) / anchor.d)

    def _affine(self, at: int, anchor: Anchor, factor: complex) -> int:
        k, out = self._constant(factor.real, factor.imag), self._constant(0.0, 0.0)
        self.ops.append((op.AFFINE, out, at, anchor.P, anchor.Q, k, 0, self.zero, 0))
        return out

    def _op(self, code: int, a: int, b: int, c: int, d: int) -> int:
        out, disc = self._constant(0.0, 0.0), self._constant(1.0, 0.0)
        self.ops.append((code, out, a, b, c, d, 0, disc, 0))
        return len(self.plan.ops) + len(self.ops) - 1

    def _constant(self, x: float, y: float) -> int:
        self.rows.append((x, y))
        return len(self.plan.vectors) + len(self.rows) - 1

    def _anchor(self, mark: PlanePoint) -> Anchor:
        return self.plan.anchors[mark.part]
