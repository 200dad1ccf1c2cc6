"""Clusters: parts already fixed to one another, and where each is in its cluster.

Contraction (Brunkhart 1994, section 3.3) merges clusters until one, the ground,
is left. A part's place is an anchor: a point w of the part lies at W, and its
vector d lies along Q - P; every other point follows by one affine operation.
The ground's frame is the world; another cluster's frame is that of its root part.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from detent.kinematics.equations.rows import Floats
from detent.kinematics.planning.program import ONE, ZERO, PlanBuilder
from detent.model.machine.plane_linkage import PlaneLinkage, unit_direction

GROUND = 0


@dataclass(frozen=True)
class Anchor:
    """w of the part is at W; d of the part lies along Q - P."""

    W: int
    P: int
    Q: int
    w: complex
    d: complex


@dataclass(frozen=True)
class ClusterEnd:
    """One end of an edge: a mark of a part, or (part -1) a vector of the world."""

    part: int
    at: complex
    turn: float
    vector: int = -1


@dataclass(frozen=True)
class ClusterEdge:
    """A joint between two clusters; b is rotated by `offset` from a where the joint holds an angle."""

    name: str
    kind: str
    a: ClusterEnd
    b: ClusterEnd
    offset: float = 0.0


@dataclass
class Clusters:
    """Who is fixed to whom so far."""

    system: PlaneLinkage
    poses: Floats  # closed drawing
    sketch: PlanBuilder
    anchors: dict[int, Anchor] = field(default_factory=dict)
    cluster: dict[int, int] = field(default_factory=dict)  # of a part
    members: dict[int, list[int]] = field(default_factory=dict)
    root: dict[int, int] = field(default_factory=dict)  # part whose frame is the cluster's; -1: the world
    spots: dict[tuple[int, complex], int] = field(default_factory=dict)  # point of a part, in its cluster
    points: dict[int, set[tuple[int, complex]]] = field(default_factory=dict)  # keys of spots, by part
    between: dict[frozenset[int], list[ClusterEdge]] = field(default_factory=dict)
    neighbours: dict[int, set[int]] = field(default_factory=dict)

    def copy(self) -> Clusters:
        return Clusters(
            self.system,
            self.poses,
            self.sketch.copy(),
            self.anchors.copy(),
            self.cluster.copy(),
            {k: v.copy() for k, v in self.members.items()},
            self.root.copy(),
            self.spots.copy(),
            {k: v.copy() for k, v in self.points.items()},
            {k: v.copy() for k, v in self.between.items()},
            {k: v.copy() for k, v in self.neighbours.items()},
        )

    def start(self) -> None:
        """The ground, and one cluster for each moving part."""
        self.members[GROUND], self.root[GROUND], self.neighbours[GROUND] = [], -1, set()
        fixed = self.sketch.fixed
        for part, held in enumerate(self.system.fixed):
            if held:
                at, angle = self.system.drawn[part]
                self.cluster[part] = GROUND
                self.members[GROUND].append(part)
                self.anchors[part] = Anchor(fixed(at), ZERO, fixed(unit_direction(angle)), 0j, 1 + 0j)
            else:
                cluster = part + 1
                self.cluster[part], self.members[cluster] = cluster, [part]
                self.root[cluster], self.neighbours[cluster] = part, set()
                self.anchors[part] = Anchor(ZERO, ZERO, ONE, 0j, 1 + 0j)

    def of(self, end: ClusterEnd) -> int:
        return GROUND if end.part < 0 else self.cluster[end.part]

    def connect(self, edge: ClusterEdge) -> tuple[int, int]:
        a, b = self.of(edge.a), self.of(edge.b)
        self.between.setdefault(frozenset((a, b)), []).append(edge)
        self.neighbours[a].add(b)
        self.neighbours[b].add(a)
        return a, b

    def edges(self, a: int, b: int) -> list[ClusterEdge]:
        return self.between.get(frozenset((a, b)), [])

    def spot(self, end: ClusterEnd) -> int:
        """Row of an end's point, in its cluster's frame."""
        if end.part < 0:
            return end.vector
        key = (end.part, end.at)
        if key not in self.spots:
            anchor = self.anchors[end.part]
            k = self.sketch.fixed((end.at - anchor.w) / anchor.d)
            self._keep(key, self.sketch.affine(anchor.W, anchor.P, anchor.Q, k))
        return self.spots[key]

    def direction(self, end: ClusterEnd, angle: float = 0.0) -> int:
        """Row of an end's direction, rotated further, in its cluster's frame."""
        along = unit_direction(end.turn + angle)
        if end.part < 0:
            return self.sketch.fixed(along)
        anchor = self.anchors[end.part]
        return self.sketch.affine(ZERO, anchor.P, anchor.Q, self.sketch.fixed(along / anchor.d))

    def shown(self, cluster: int, point_W: complex) -> complex:
        """A point of the world as drawn, in a cluster's frame."""
        root = self.root[cluster]
        if root < 0:
            return point_W
        x, y, angle = self.poses[root]
        return (point_W - complex(x, y)) * unit_direction(angle).conjugate()

    def drawn(self, end: ClusterEnd) -> complex:
        """Where an end's point is in the world, in the closed drawing."""
        if end.part < 0:
            return self.sketch.value(end.vector)
        x, y, angle = self.poses[end.part]
        return complex(x, y) + unit_direction(angle) * end.at

    def drawn_direction(self, cluster: int, end: ClusterEnd, further: float = 0.0) -> complex:
        """An end's direction, rotated further, in the closed drawing, in a cluster's frame."""
        angle = 0.0 if end.part < 0 else float(self.poses[end.part, 2])
        root = self.root[cluster]
        base = 0.0 if root < 0 else float(self.poses[root, 2])
        return unit_direction(angle + end.turn + further - base)

    def attach(self, base: int, other: int, W: int, P: int, Q: int, w: int, p: int, q: int) -> None:
        """Fix a cluster in another: its point w at W, its vector q - p along Q - P."""
        rigid = all(self.sketch.constant[r] for r in (w, p, q)) and self._rigid(other)
        value = self.sketch.value
        U = -1 if rigid else self.sketch.quotient(P, Q, self.sketch.scalar(q, p))
        for part in self.members[other]:
            old = self.anchors[part]
            if rigid:
                rotation = (value(old.Q) - value(old.P)) / old.d
                at = value(old.W) - rotation * old.w
                anchor = Anchor(W, P, Q, (value(w) - at) / rotation, (value(q) - value(p)) / rotation)
            else:
                origin = self.sketch.affine(W, w, old.W, U)
                along = self.sketch.affine(ZERO, old.P, old.Q, U)
                anchor = Anchor(origin, ZERO, along, old.w, old.d)
            self.anchors[part] = anchor
            self.cluster[part] = base
        moved = self.members.pop(other)
        for part in moved:  # their points were given in the old frame
            for key in self.points.pop(part, ()):
                del self.spots[key]
        self.members[base] += moved
        self._rewire(base, other)

    def remember(self, end: ClusterEnd, row: int) -> None:
        """A point already there: it needs no operation of its own."""
        if end.part >= 0:
            self._keep((end.part, end.at), row)

    def _keep(self, key: tuple[int, complex], row: int) -> None:
        self.spots[key] = row
        self.points.setdefault(key[0], set()).add(key)

    def _rigid(self, cluster: int) -> bool:
        return all(
            self.sketch.constant[row]
            for part in self.members[cluster]
            for row in (self.anchors[part].W, self.anchors[part].P, self.anchors[part].Q)
        )

    def _rewire(self, base: int, other: int) -> None:
        """Edges of the other cluster become the base's."""
        for near in self.neighbours.pop(other):
            self.neighbours[near].discard(other)
            edges = self.between.pop(frozenset((other, near)))
            self.between.setdefault(frozenset((base, near)), []).extend(edges)
            if near != base:
                self.neighbours[base].add(near)
                self.neighbours[near].add(base)
