"""The ledger of a contraction: clusters, what is still to be looked at, what has been done.

Every rule takes the base's point of view: its marks give known points and
lines, the others' marks give lengths and offsets, which are constants unless a
drive lies between.
"""

from __future__ import annotations

import cmath
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from detent.kinematics.planning.clusters import GROUND, ClusterEdge, ClusterEnd, Clusters
from detent.kinematics.planning.program import ONE, ZERO
from detent.model.machine.plane_linkage import (
    KEEP_ANGLE,
    MEET_AT_POINT,
    MEET_ON_LINE,
    PlaneJoint,
    unit_direction,
)


@dataclass(frozen=True)
class Check:
    """A scalar row that must be zero: a repeated equation, or a cut's closing one."""

    row: int
    scale: float  # what the row is divided by to be a length [m]
    joints: tuple[str, ...]


@dataclass(frozen=True)
class Step:
    """A line of the plan."""

    step: str
    parts: tuple[str, ...]
    unknowns: int


@dataclass
class Ledger:
    """Clusters, what is still to be looked at, and what has been done."""

    clusters: Clusters
    drives: dict[str, tuple[int, float, float]]  # joint: coordinate = slope input + offset
    bits: dict[int, int] = field(default_factory=dict)  # input: bit of the cut angle that it is
    queue: deque[tuple[int, int]] = field(default_factory=deque)
    checks: list[Check] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    dyads: int = 0
    singular: set[frozenset[str]] = field(default_factory=set)
    owners: dict[int, Step] = field(default_factory=dict)  # by the row of a discriminant
    gears: list[PlaneJoint] = field(default_factory=list)  # those that no drive turns
    geared: Mapping[str, str] = field(default_factory=dict)  # joint that is driven: through which gear

    def names(self, *clusters: int) -> tuple[str, ...]:
        parts = self.clusters.system.parts
        return tuple(parts[p] for c in clusters if c != GROUND for p in self.clusters.members[c])

    # What a joint gives, seen from one side.

    def ends(self, base: int, edge: ClusterEdge) -> tuple[ClusterEnd, ClusterEnd, bool]:
        """The base's end, the other's, and whether the base has the first."""
        if self.clusters.of(edge.a) == base:
            return edge.a, edge.b, True
        return edge.b, edge.a, False

    def pin(self, base: int, edge: ClusterEdge) -> tuple[int, int, ClusterEnd]:
        """A pin's point in the base and in the other cluster, and the other's end."""
        near, far, _ = self.ends(base, edge)
        return self.clusters.spot(near), self.clusters.spot(far), far

    def line(self, cluster: int, edge: ClusterEdge) -> int:
        """The line's direction, in one of the two clusters it joins."""
        end, _, first = self.ends(cluster, edge)
        return self.clusters.direction(end, 0.0 if first else -edge.offset)

    def slide(self, base: int, edge: ClusterEdge) -> tuple[int, int, int]:
        """A slide's direction in the base; the other's point on it, and its direction there."""
        _, far, _ = self.ends(base, edge)
        other = self.clusters.of(far)
        return self.line(base, edge), self.clusters.spot(far), self.line(other, edge)

    def attach(self, base: int, other: int, W: int, P: int, Q: int, w: int, p: int, q: int) -> None:
        for near in self.clusters.neighbours[other]:
            if near != base:
                self.queue.append((base, near))
        self.clusters.attach(base, other, W, P, Q, w, p, q)

    def consume(self, a: int, b: int, used: tuple[ClusterEdge, ...]) -> None:
        """Take joints off: a plan has seen to them."""
        edges = self.clusters.edges(a, b)
        for edge in used:
            edges.remove(edge)

    def consume_triangle(
        self, a: int, b: int, c: int, used: tuple[ClusterEdge, ClusterEdge, ClusterEdge]
    ) -> None:
        """Take the three joints of a dyad off."""
        for pair, edge in zip(((a, b), (a, c), (b, c)), used, strict=True):
            self.consume(*pair, (edge,))

    def repeat(self, edge: ClusterEdge) -> None:
        """A joint whose ends are both fixed already: its equations are checks."""
        sketch, clusters = self.clusters.sketch, self.clusters
        size = clusters.system.size
        rows: list[tuple[int, float]] = []
        if edge.kind in MEET_AT_POINT:
            P, Q = clusters.spot(edge.a), clusters.spot(edge.b)
            if P != Q:
                rows += [(sketch.offset(u, P, Q), 1.0) for u in (ONE, sketch.fixed(1j))]
        if edge.kind in MEET_ON_LINE:
            u = clusters.direction(edge.a)
            rows.append((sketch.offset(u, clusters.spot(edge.a), clusters.spot(edge.b)), 1.0))
        if edge.kind in KEEP_ANGLE:
            u = clusters.direction(edge.a, edge.offset)
            rows.append((sketch.offset(u, ZERO, clusters.direction(edge.b)), size))
        for row, scale in rows:
            self.checks.append(Check(row, scale, (edge.name,)))

    def named(self, edge: ClusterEdge) -> tuple[str, ...]:
        parts = self.clusters.system.parts
        return tuple(parts[e.part] for e in (edge.a, edge.b) if e.part >= 0 and not self._was_fixed(e))

    def _was_fixed(self, end: ClusterEnd) -> bool:
        return self.clusters.system.fixed[end.part]

    def short(self, p: int, q: int) -> bool:
        """A link whose two pins are one has no direction."""
        return abs(self.clusters.sketch.value(p) - self.clusters.sketch.value(q)) <= self.length

    def same(self, P: int, Q: int) -> bool:
        """Two pins that are one and the same point of the base, throughout."""
        sketch = self.clusters.sketch
        both = sketch.constant[P] and sketch.constant[Q]
        return P == Q or (both and abs(sketch.value(P) - sketch.value(Q)) <= self.length)

    def parallel(self, U: int, V: int) -> bool:
        cross = cmath.phase(self.clusters.sketch.value(V) / self.clusters.sketch.value(U))
        return abs(unit_direction(cross).imag) <= self.clusters.system.tolerance.angle

    @property
    def length(self) -> float:
        return self.clusters.system.tolerance.length
