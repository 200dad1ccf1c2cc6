"""Contraction: which clusters can be fixed to one another in closed form, and how.

Propagation fixes a driven or welded pair; a pair with two joints is a two-node
loop, fixed by three of its equations, the rest being a check; a triangle of
clusters with one joint each is a dyad on a base, grounded or floating
(Brunkhart 1994, section 3.3). Only edges that a merge created are looked at
again, so that planning grows linearly. Every rule takes the base's point of
view: its marks give known points and lines, the others' marks give lengths and
offsets, which are constants unless a drive lies between.
"""

from __future__ import annotations

import cmath
from collections import deque
from dataclasses import dataclass, field

from detent.kinematics.clusters import GROUND, Clusters, Edge, End
from detent.kinematics.ops import DISC, DYADS
from detent.kinematics.sketch import ONE, ZERO
from detent.model.system import Pair, turned


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
class Contraction:
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
    gears: list[Pair] = field(default_factory=list)  # those that no drive turns

    def copy(self) -> Contraction:
        return Contraction(
            self.clusters.copy(),
            self.drives,
            self.bits,
            self.queue.copy(),
            self.checks.copy(),
            self.steps.copy(),
            self.dyads,
            self.singular.copy(),
            self.owners.copy(),
            self.gears,
        )

    def run(self, stop_at: int = 0) -> Check | None:
        """Contract until nothing more can be; with `stop_at`, until a check needs that cut angle."""
        while self.queue:
            a, b = self.queue.popleft()
            if a == b or b not in self.clusters.neighbours.get(a, ()):
                continue
            base, other = (b, a) if b == GROUND else (a, b)
            before = len(self.clusters.sketch.rows)
            merged = base if self._pair(base, other) else self._triangles(base, other)
            self._own(before)
            if merged is not None and (found := self._settle(merged, stop_at)) is not None:
                return found
        return None

    def _own(self, before: int) -> None:
        """Remember which line of the plan each new discriminant belongs to."""
        for row in self.clusters.sketch.rows[before:]:
            if row[0] in DYADS and self.steps:
                self.owners[row[DISC]] = self.steps[-1]

    def look_at_all(self) -> None:
        for edge in self.clusters.between:
            if len(edge) == 2:
                a, b = sorted(edge)
                self.queue.append((a, b))

    def names(self, *clusters: int) -> tuple[str, ...]:
        parts = self.clusters.system.parts
        return tuple(parts[p] for c in clusters if c != GROUND for p in self.clusters.members[c])

    def _settle(self, base: int, stop_at: int) -> Check | None:
        """After a merge: joints now inside the base are repeated equations; new edges are looked at."""
        for edge in self.clusters.between.pop(frozenset((base,)), []):
            self._repeat(edge)
        for check in self.checks:
            if stop_at and self.clusters.sketch.needs[check.row] & stop_at:
                self.checks.remove(check)
                return check
        return None

    # Propagation and two-node loops.

    def _pair(self, base: int, other: int) -> bool:
        """Fix a cluster that two or more equations beyond one joint tie to the base."""
        edges = self.clusters.edges(base, other)
        for edge in edges:
            if edge.kind == "fixed" or (edge.kind != "angle" and edge.name in self.drives):
                self._consume(base, other, (edge,))
                self._driven(base, other, edge)
                return True
        if len(edges) < 2:
            return False
        for i, first in enumerate(edges):
            for second in edges[i + 1 :]:
                if self._two(base, other, first, second):
                    return True
        return False

    def _two(self, base: int, other: int, first: Edge, second: Edge) -> bool:
        kinds = {first.kind, second.kind}
        for one, two in ((first, second), (second, first)):
            if one.kind == "revolute" and two.kind in ("revolute", "prismatic", "in_line", "angle"):
                return self._pin_and(base, other, one, two)
            if one.kind == "prismatic" and two.kind in ("prismatic", "in_line"):
                return self._slide_and(base, other, one, two)
        if kinds == {"in_line", "angle"}:
            line, angle = (first, second) if first.kind == "in_line" else (second, first)
            return self._make_slide(base, other, line, angle)
        return False

    def _make_slide(self, base: int, other: int, line: Edge, angle: Edge) -> bool:
        """A point on a line and a held angle are a slide."""
        turn = angle.offset
        if angle.a.part == line.b.part or ((angle.a.part < 0) == (line.b.part < 0) and angle.a.part < 0):
            angle = Edge(angle.name, angle.kind, angle.b, angle.a, -angle.offset)
            turn = angle.offset
        turn += angle.a.turn - line.a.turn - angle.b.turn + line.b.turn
        made = Edge(line.name, "prismatic", line.a, line.b, turn)
        edges = self.clusters.edges(base, other)
        edges.remove(line)
        edges.remove(next(e for e in edges if e.name == angle.name))
        edges.append(made)
        self.queue.append((base, other))
        return False

    def _driven(self, base: int, other: int, edge: Edge) -> None:
        """A joint whose coordinate is known fixes its two clusters to each other."""
        sketch = self.clusters.sketch
        near, far, forward = self._ends(base, edge)
        sign = 1.0 if forward else -1.0
        if edge.kind == "prismatic":
            source, _, _ = self.drives[edge.name]
            U, w, far_dir = self._slide(base, edge)
            travel = sketch.slide(source)
            at = self.clusters.spot(near)
            W = sketch.affine(at, ZERO, travel, U) if forward else sketch.affine(at, travel, ZERO, U)
            self._attach(base, other, W, ZERO, U, w, ZERO, far_dir)
        else:
            if edge.kind == "fixed" and edge.name not in self.drives:
                turn = sketch.fixed(turned(sign * edge.offset))
            else:
                source, slope, offset = self.drives[edge.name]
                turn = sketch.turn(source, sign * slope, sign * offset, guess=self.bits.get(source, 0))
            W = self.clusters.spot(near)
            Q = sketch.times(self.clusters.direction(near), turn)
            self._attach(base, other, W, ZERO, Q, self.clusters.spot(far), ZERO, self.clusters.direction(far))
        self.clusters.remember(far, W)
        driven = edge.name in self.drives
        words = f"{edge.name} is driven: it fixes" if driven else f"{edge.name} is fixed: it joins"
        self.steps.append(Step(words, self._named(base, edge), 0))

    def _pin_and(self, base: int, other: int, pin: Edge, more: Edge) -> bool:
        clusters = self.clusters
        near, far, _ = self._ends(base, pin)
        P, p = clusters.spot(near), clusters.spot(far)
        near2, far2, forward = self._ends(base, more)
        if more.kind == "angle":
            Q = self._held_direction(more, near2, forward)
            self._consume(base, other, (pin, more))
            self._attach(base, other, P, ZERO, Q, p, ZERO, clusters.direction(far2))
            words = f"{pin.name} with {more.name}: the angle is held"
        elif more.kind == "revolute":
            q = clusters.spot(far2)
            if self._short(p, q):
                return False
            self._consume(base, other, (pin, more))
            Q = clusters.spot(near2)
            length = clusters.sketch.square(p, q)
            gap = clusters.sketch.scalar(clusters.sketch.square(P, Q), length)
            reach = 2 * abs(clusters.sketch.value(q) - clusters.sketch.value(p))
            self.checks.append(Check(gap, reach, (pin.name, more.name)))
            end = clusters.sketch.pulled(P, Q, length, 0)
            self._attach(base, other, P, P, end, p, p, q)
            clusters.remember(far2, end)
            words = f"{pin.name} and {more.name}: two pins between the same links"
        elif more.kind == "prismatic":
            U, _, far_dir = self._slide(base, more)
            self._consume(base, other, (pin,))
            self._attach(base, other, P, ZERO, U, p, ZERO, far_dir)
            words = f"{pin.name} and {more.name}: a pin and a slide between the same links"
        else:
            self._consume(base, other, (pin, more))
            words = self._pin_and_line(base, other, more, near2, far2, forward, P, p)
        clusters.remember(far, P)
        self.steps.append(Step(words, self._named(base, pin), 0))
        return True

    def _held_direction(self, angle: Edge, near: End, forward: bool) -> int:
        """Where the other end of an angle points: held at its value, or driven."""
        sign = 1.0 if forward else -1.0
        if angle.name not in self.drives:
            return self.clusters.direction(near, sign * angle.offset)
        source, slope, offset = self.drives[angle.name]
        sketch = self.clusters.sketch
        turn = sketch.turn(source, sign * slope, sign * offset, guess=self.bits.get(source, 0))
        return sketch.times(self.clusters.direction(near), turn)

    def _pin_and_line(
        self, base: int, other: int, line: Edge, near: End, far: End, forward: bool, P: int, p: int
    ) -> str:
        sketch, clusters = self.clusters.sketch, self.clusters
        if forward:  # the line is the base's, the point the other's
            q = clusters.spot(far)
            K = sketch.pack(sketch.square(p, q), ZERO)
            point = clusters.shown(base, clusters.drawn(far))
            S = sketch.circle_line(P, clusters.spot(near), clusters.direction(near), K, point)
            self._attach(base, other, P, P, S, p, p, q)
            return f"{line.name}: a circle meets a line"
        u = clusters.direction(far)
        K = sketch.pack(sketch.offset(u, p, clusters.spot(far)), ZERO)
        U = sketch.tangent(P, clusters.spot(near), K, clusters.drawn_direction(base, far))
        self._attach(base, other, P, ZERO, U, p, ZERO, u)
        return f"{line.name}: a line through a point, tangent to a circle"

    def _slide_and(self, base: int, other: int, slide: Edge, more: Edge) -> bool:
        """A slide, and another line: the place along the first follows from the second."""
        sketch, clusters = self.clusters.sketch, self.clusters
        near, far, _ = self._ends(base, slide)
        U, t, far_dir = self._slide(base, slide)
        L = clusters.spot(near)
        near2, far2, forward = self._ends(base, more)
        if more.kind == "prismatic":
            V, _, _ = self._slide(base, more)
            on_base = True
        else:
            on_base = forward
            V = clusters.direction(near2) if on_base else -1
        turn = sketch.quotient(ZERO, U, far_dir)  # the other's frame in the base's
        if not on_base:
            V = sketch.times(turn, clusters.direction(far2))
        if abs((sketch.value(U).conjugate() * sketch.value(V)).imag) <= clusters.system.tolerance.angle:
            if more.kind != "prismatic":
                return False
            self._consume(base, other, (more,))
            self.steps.append(
                Step(
                    f"{more.name} repeats the slide {slide.name}, parallel to it", self._named(base, more), 0
                )
            )
            return True
        arm = sketch.affine(ZERO, t, clusters.spot(far2), turn)  # from the slide's point to the other mark
        e = sketch.offset(V, arm, ZERO)
        K = sketch.pack(ZERO, e)
        X = sketch.lines(L, U, clusters.spot(near2), V, K)
        self._consume(base, other, (slide, more) if more.kind == "in_line" else (slide,))
        self._attach(base, other, X, ZERO, U, t, ZERO, far_dir)
        clusters.remember(far, X)
        words = f"{slide.name} and {more.name}: two lines meet"
        self.steps.append(Step(words, self._named(base, slide), 0))
        return True

    # Triangles: the dyads.

    def _triangles(self, a: int, b: int) -> int | None:
        """Contract a triangle on this edge, if there is one; its base."""
        joined = self.clusters.neighbours
        for c in sorted(joined[a] & joined[b]):
            three = sorted((a, b, c))
            if GROUND in three:
                three.remove(GROUND)
                three.insert(0, GROUND)
            if self._dyad(*three):
                return three[0]
        return None

    def _dyad(self, a: int, b: int, c: int) -> bool:
        """Fix b and c on base a, where each two share one pin or slide."""
        trio = [self.clusters.edges(*pair) for pair in ((a, b), (a, c), (b, c))]
        if any(len(edges) != 1 or edges[0].kind not in ("revolute", "prismatic") for edges in trio):
            return False
        ab, ac, bc = (edges[0] for edges in trio)
        one, two, three = ("R" if e.kind == "revolute" else "P" for e in (ab, ac, bc))
        kinds = (one, two, three)
        if kinds[0] == "P" and kinds[1] == "R":
            b, c, ab, ac, kinds = c, b, ac, ab, (kinds[1], kinds[0], kinds[2])
        solve = {
            ("R", "R", "R"): self._rrr,
            ("R", "P", "R"): self._rrp,
            ("R", "R", "P"): self._rpr,
            ("R", "P", "P"): self._rpp,
            ("P", "P", "R"): self._prp,
        }.get(kinds)
        names = self.names(b, c)
        if solve is None or not solve(a, b, c, ab, ac, bc):
            if solve is None and frozenset(names) not in self.singular:
                self.singular.add(frozenset(names))
                loop = ", ".join((ab.name, ac.name, bc.name))
                self.steps.append(
                    Step(f"three slides {loop} in a loop are singular: they hold no travel", names, 0)
                )
            return False
        self.dyads += 1
        word = {"RRR": "RRR", "RPR": "RRP", "RRP": "RPR", "RPP": "RPP", "PPR": "PRP"}["".join(kinds)]
        where = "on what is fixed" if a == GROUND else f"on {' '.join(self.names(a)[:1])}, floating"
        self.steps.append(Step(f"dyad {word} {where}: joints {ab.name}, {bc.name}, {ac.name}", names, 0))
        return True

    def _rrr(self, a: int, b: int, c: int, ab: Edge, ac: Edge, bc: Edge) -> bool:
        sketch, clusters = self.clusters.sketch, self.clusters
        (P, b1, bp), (Q, c1, cp) = self._pin(a, ab), self._pin(a, ac)
        b_end, c_end, _ = self._ends(b, bc)
        b2, c2 = clusters.spot(b_end), clusters.spot(c_end)
        if self._short(b1, b2) or self._short(c1, c2) or self._same(P, Q):
            return False
        K = sketch.pack(sketch.square(b1, b2), sketch.square(c1, c2))
        E = sketch.circles(P, Q, K, clusters.shown(a, clusters.drawn(b_end)))
        E2 = sketch.pulled(Q, E, K, 1)
        self._consume(a, b, (ab,))
        self._consume(a, c, (ac,))
        self._consume(b, c, (bc,))
        self._attach(a, b, P, P, E, b1, b1, b2)
        self._attach(a, c, Q, Q, E2, c1, c1, c2)
        for end, row in ((bp, P), (cp, Q), (b_end, E), (c_end, E2)):
            clusters.remember(end, row)
        return True

    def _rrp(self, a: int, b: int, c: int, ab: Edge, ac: Edge, bc: Edge) -> bool:
        """b is pinned and c slides on the base; they share a pin."""
        sketch, clusters = self.clusters.sketch, self.clusters
        P, b1, bp = self._pin(a, ab)
        near, _, _ = self._ends(a, ac)
        U, t, c_dir = self._slide(a, ac)
        L = clusters.spot(near)
        b_end, c_end, _ = self._ends(b, bc)
        b2, s = clusters.spot(b_end), clusters.spot(c_end)
        if self._short(b1, b2):
            return False
        K = sketch.pack(sketch.square(b1, b2), sketch.offset(c_dir, t, s))
        S = sketch.circle_line(P, L, U, K, clusters.shown(a, clusters.drawn(c_end)))
        end = sketch.pulled(P, S, K, 0)
        self._consume(a, b, (ab,))
        self._consume(a, c, (ac,))
        self._consume(b, c, (bc,))
        self._attach(a, b, P, P, end, b1, b1, b2)
        self._attach(a, c, S, ZERO, U, s, ZERO, c_dir)
        for mark, row in ((bp, P), (b_end, end), (c_end, S)):
            clusters.remember(mark, row)
        return True

    def _rpr(self, a: int, b: int, c: int, ab: Edge, ac: Edge, bc: Edge) -> bool:
        """b and c are pinned on the base and slide on each other."""
        sketch, clusters = self.clusters.sketch, self.clusters
        (P, b1, bp), (Q, c1, cp) = self._pin(a, ab), self._pin(a, ac)
        if self._same(P, Q):
            return False
        b_end, c_end, _ = self._ends(b, bc)
        b_dir = self.line(b, bc)
        c_dir = self.line(c, bc)
        e = sketch.scalar(
            sketch.offset(c_dir, clusters.spot(c_end), c1), sketch.offset(b_dir, clusters.spot(b_end), b1)
        )
        turn = 0.0 if b_end == bc.a else -bc.offset
        U = sketch.tangent(P, Q, sketch.pack(e, ZERO), clusters.drawn_direction(a, b_end, turn))
        self._consume(a, b, (ab,))
        self._consume(a, c, (ac,))
        self._consume(b, c, (bc,))
        self._attach(a, b, P, ZERO, U, b1, ZERO, b_dir)
        self._attach(a, c, Q, ZERO, U, c1, ZERO, c_dir)
        for mark, row in ((bp, P), (cp, Q)):
            clusters.remember(mark, row)
        return True

    def _rpp(self, a: int, b: int, c: int, ab: Edge, ac: Edge, bc: Edge) -> bool:
        """b is pinned and c slides on the base; b and c slide on each other."""
        sketch, clusters = self.clusters.sketch, self.clusters
        P, b1, bp = self._pin(a, ab)
        near, far, _ = self._ends(a, ac)
        U, t, c_dir = self._slide(a, ac)
        L = clusters.spot(near)
        b_end, c_end, _ = self._ends(b, bc)
        b_dir, c_line = self.line(b, bc), self.line(c, bc)
        turn = sketch.quotient(ZERO, U, c_dir)
        V = sketch.times(turn, c_line)
        if self._parallel(U, V):
            return False
        # c's second line passes b's pin at the offset that b's line has from it.
        from_pin = sketch.offset(b_dir, b1, clusters.spot(b_end))
        to_line = sketch.offset(c_line, t, clusters.spot(c_end))
        K = sketch.pack(ZERO, sketch.scalar(from_pin, to_line))
        T = sketch.lines(L, U, P, V, K)
        self._consume(a, b, (ab,))
        self._consume(a, c, (ac,))
        self._consume(b, c, (bc,))
        self._attach(a, c, T, ZERO, U, t, ZERO, c_dir)
        self._attach(a, b, P, ZERO, V, b1, ZERO, b_dir)
        for mark, row in ((bp, P), (far, T)):
            clusters.remember(mark, row)
        return True

    def _prp(self, a: int, b: int, c: int, ab: Edge, ac: Edge, bc: Edge) -> bool:
        """b and c slide on the base and share a pin."""
        sketch, clusters = self.clusters.sketch, self.clusters
        (U, t, b_dir), (V, r, c_dir) = self._slide(a, ab), self._slide(a, ac)
        if self._parallel(U, V):
            return False
        L, M = clusters.spot(self._ends(a, ab)[0]), clusters.spot(self._ends(a, ac)[0])
        b_end, c_end, _ = self._ends(b, bc)
        s1, s2 = clusters.spot(b_end), clusters.spot(c_end)
        K = sketch.pack(sketch.offset(b_dir, t, s1), sketch.offset(c_dir, r, s2))
        S = sketch.lines(L, U, M, V, K)
        self._consume(a, b, (ab,))
        self._consume(a, c, (ac,))
        self._consume(b, c, (bc,))
        self._attach(a, b, S, ZERO, U, s1, ZERO, b_dir)
        self._attach(a, c, S, ZERO, V, s2, ZERO, c_dir)
        for mark in (b_end, c_end):
            clusters.remember(mark, S)
        return True

    # What a joint gives, seen from one side.

    def _ends(self, base: int, edge: Edge) -> tuple[End, End, bool]:
        """The base's end, the other's, and whether the base has the first."""
        if self.clusters.of(edge.a) == base:
            return edge.a, edge.b, True
        return edge.b, edge.a, False

    def _pin(self, base: int, edge: Edge) -> tuple[int, int, End]:
        """A pin's point in the base and in the other cluster, and the other's end."""
        near, far, _ = self._ends(base, edge)
        return self.clusters.spot(near), self.clusters.spot(far), far

    def line(self, cluster: int, edge: Edge) -> int:
        """The line's direction, in one of the two clusters it joins."""
        end, _, first = self._ends(cluster, edge)
        return self.clusters.direction(end, 0.0 if first else -edge.offset)

    def _slide(self, base: int, edge: Edge) -> tuple[int, int, int]:
        """A slide's direction in the base; the other's point on it, and its direction there."""
        _, far, _ = self._ends(base, edge)
        other = self.clusters.of(far)
        return self.line(base, edge), self.clusters.spot(far), self.line(other, edge)

    def _attach(self, base: int, other: int, W: int, P: int, Q: int, w: int, p: int, q: int) -> None:
        for near in self.clusters.neighbours[other]:
            if near != base:
                self.queue.append((base, near))
        self.clusters.attach(base, other, W, P, Q, w, p, q)

    def _consume(self, a: int, b: int, used: tuple[Edge, ...]) -> None:
        """Take joints off: a plan has seen to them."""
        edges = self.clusters.edges(a, b)
        for edge in used:
            edges.remove(edge)

    def _repeat(self, edge: Edge) -> None:
        """A joint whose ends are both fixed already: its equations are checks."""
        sketch, clusters = self.clusters.sketch, self.clusters
        size = clusters.system.size
        rows: list[tuple[int, float]] = []
        if edge.kind in ("revolute", "fixed"):
            P, Q = clusters.spot(edge.a), clusters.spot(edge.b)
            if P != Q:
                rows += [(sketch.offset(u, P, Q), 1.0) for u in (ONE, sketch.fixed(1j))]
        if edge.kind in ("prismatic", "in_line"):
            u = clusters.direction(edge.a)
            rows.append((sketch.offset(u, clusters.spot(edge.a), clusters.spot(edge.b)), 1.0))
        if edge.kind in ("prismatic", "angle", "fixed"):
            u = clusters.direction(edge.a, edge.offset)
            rows.append((sketch.offset(u, ZERO, clusters.direction(edge.b)), size))
        for row, scale in rows:
            self.checks.append(Check(row, scale, (edge.name,)))

    def _named(self, base: int, edge: Edge) -> tuple[str, ...]:
        parts = self.clusters.system.parts
        return tuple(parts[e.part] for e in (edge.a, edge.b) if e.part >= 0 and not self._was_fixed(e))

    def _was_fixed(self, end: End) -> bool:
        return self.clusters.system.fixed[end.part]

    def _short(self, p: int, q: int) -> bool:
        """A link whose two pins are one has no direction."""
        return abs(self.clusters.sketch.value(p) - self.clusters.sketch.value(q)) <= self._length

    def _same(self, P: int, Q: int) -> bool:
        """Two pins that are one and the same point of the base, throughout."""
        sketch = self.clusters.sketch
        both = sketch.constant[P] and sketch.constant[Q]
        return P == Q or (both and abs(sketch.value(P) - sketch.value(Q)) <= self._length)

    def _parallel(self, U: int, V: int) -> bool:
        cross = cmath.phase(self.clusters.sketch.value(V) / self.clusters.sketch.value(U))
        return abs(turned(cross).imag) <= self.clusters.system.tolerance.angle

    @property
    def _length(self) -> float:
        return self.clusters.system.tolerance.length
