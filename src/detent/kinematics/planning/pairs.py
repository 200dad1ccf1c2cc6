"""Propagation and two-node loops: a cluster tied to the base by a drive, or by two joints.

A driven or welded pair is fixed at once; two joints between the same clusters
fix them by three of their equations, the rest being a check.
"""

from __future__ import annotations

import itertools

from detent.kinematics.planning.clusters import ClusterEdge, ClusterEnd
from detent.kinematics.planning.program import ZERO
from detent.kinematics.planning.worklist import Check, Ledger, Step
from detent.model.machine.plane_linkage import unit_direction


def contract_pair(ledger: Ledger, base: int, other: int) -> bool:
    """Fix a cluster that two or more equations beyond one joint tie to the base."""
    edges = ledger.clusters.edges(base, other)
    for edge in edges:
        if edge.kind == "fixed" or (edge.kind != "angle" and edge.name in ledger.drives):
            ledger.consume(base, other, (edge,))
            _driven(ledger, base, other, edge)
            return True
    if len(edges) < 2:
        return False
    for first, second in itertools.combinations(tuple(edges), 2):
        if _two(ledger, base, other, first, second):
            return True
        if first not in edges:  # a line and an angle have become a slide, which is looked at anew
            return False
    return False


def _two(ledger: Ledger, base: int, other: int, first: ClusterEdge, second: ClusterEdge) -> bool:
    kinds = {first.kind, second.kind}
    for one, two in ((first, second), (second, first)):
        if one.kind == "revolute" and two.kind in ("revolute", "prismatic", "in_line", "angle"):
            return _pin_and(ledger, base, other, one, two)
        if one.kind == "prismatic" and two.kind in ("prismatic", "in_line"):
            return _slide_and(ledger, base, other, one, two)
    if kinds == {"in_line", "angle"}:
        line, angle = (first, second) if first.kind == "in_line" else (second, first)
        return _make_slide(ledger, base, other, line, angle)
    return False


def _make_slide(ledger: Ledger, base: int, other: int, line: ClusterEdge, angle: ClusterEdge) -> bool:
    """A point on a line and a held angle are a slide, where the ends on each side move as one."""
    clusters = ledger.clusters
    rotation, ends = angle.offset, (angle.a, angle.b)
    if clusters.of(angle.a) != clusters.of(line.a):
        rotation, ends = -rotation, (angle.b, angle.a)
    if angle.name in ledger.drives or not (
        _rigid(ledger, ends[0], line.a) and _rigid(ledger, ends[1], line.b)
    ):
        return False
    rotation += (
        _angle(ledger, ends[0]) - _angle(ledger, line.a) - _angle(ledger, ends[1]) + _angle(ledger, line.b)
    )
    edge = ClusterEdge(line.name, "prismatic", line.a, line.b, rotation)
    edges = ledger.clusters.edges(base, other)
    edges.remove(line)
    edges.remove(angle)
    edges.append(edge)
    ledger.queue.append((base, other))
    return False


def _rigid(ledger: Ledger, one: ClusterEnd, other: ClusterEnd) -> bool:
    """Whether two ends in one cluster keep their angle to each other."""
    clusters = ledger.clusters
    anchors = [clusters.anchors[end.part] for end in (one, other) if end.part >= 0]
    return one.part == other.part or all(clusters.sketch.constant[r] for a in anchors for r in (a.P, a.Q))


def _angle(ledger: Ledger, end: ClusterEnd) -> float:
    """The direction of an end in the drawing [rad]."""
    return end.turn + (float(ledger.clusters.poses[end.part, 2]) if end.part >= 0 else 0.0)


def _driven(ledger: Ledger, base: int, other: int, edge: ClusterEdge) -> None:
    """A joint whose coordinate is known fixes its two clusters to each other."""
    sketch = ledger.clusters.sketch
    near, far, forward = ledger.ends(base, edge)
    sign = 1.0 if forward else -1.0
    if edge.kind == "prismatic":
        source, _, _ = ledger.drives[edge.name]
        U, w, far_dir = ledger.slide(base, edge)
        travel = sketch.slide(source)
        at = ledger.clusters.spot(near)
        W = sketch.affine(at, ZERO, travel, U) if forward else sketch.affine(at, travel, ZERO, U)
        ledger.attach(base, other, W, ZERO, U, w, ZERO, far_dir)
    else:
        if edge.kind == "fixed" and edge.name not in ledger.drives:
            rotation = sketch.fixed(unit_direction(sign * edge.offset))
        else:
            source, slope, offset = ledger.drives[edge.name]
            rotation = sketch.turn(source, sign * slope, sign * offset, guess=ledger.bits.get(source, 0))
        W = ledger.clusters.spot(near)
        Q = sketch.times(ledger.clusters.direction(near), rotation)
        ledger.attach(
            base, other, W, ZERO, Q, ledger.clusters.spot(far), ZERO, ledger.clusters.direction(far)
        )
    ledger.clusters.remember(far, W)
    driven = edge.name in ledger.drives
    through = f" through {ledger.geared[edge.name]}" if edge.name in ledger.geared else ""
    words = f"{edge.name} is driven{through}: it fixes" if driven else f"{edge.name} is fixed: it joins"
    ledger.steps.append(Step(words, ledger.named(edge), 0))


def _pin_and(ledger: Ledger, base: int, other: int, pin: ClusterEdge, more: ClusterEdge) -> bool:
    clusters = ledger.clusters
    near, far, _ = ledger.ends(base, pin)
    P, p = clusters.spot(near), clusters.spot(far)
    near2, far2, forward = ledger.ends(base, more)
    if more.kind == "angle":
        Q = _held_direction(ledger, more, near2, forward)
        ledger.consume(base, other, (pin, more))
        ledger.attach(base, other, P, ZERO, Q, p, ZERO, clusters.direction(far2))
        words = f"{pin.name} with {more.name}: the angle is held"
    elif more.kind == "revolute":
        q = clusters.spot(far2)
        if ledger.short(p, q):
            return False
        ledger.consume(base, other, (pin, more))
        Q = clusters.spot(near2)
        length = clusters.sketch.square(p, q)
        gap = clusters.sketch.scalar(clusters.sketch.square(P, Q), length)
        reach = 2 * abs(clusters.sketch.value(q) - clusters.sketch.value(p))
        ledger.checks.append(Check(gap, reach, (pin.name, more.name)))
        end = clusters.sketch.pulled(P, Q, length, 0)
        ledger.attach(base, other, P, P, end, p, p, q)
        clusters.remember(far2, end)
        words = f"{pin.name} and {more.name}: two pins between the same links"
    elif more.kind == "prismatic":
        U, _, far_dir = ledger.slide(base, more)
        ledger.consume(base, other, (pin,))
        ledger.attach(base, other, P, ZERO, U, p, ZERO, far_dir)
        words = f"{pin.name} and {more.name}: a pin and a slide between the same links"
    else:
        ends = (p, clusters.spot(far2)) if forward else (P, clusters.spot(near2))
        if ledger.short(*ends):
            return False  # the line's point is the pin itself: it gives no angle
        ledger.consume(base, other, (pin, more))
        words = _pin_and_line(ledger, base, other, more, near2, far2, forward, P, p)
    clusters.remember(far, P)
    ledger.steps.append(Step(words, ledger.named(pin), 0))
    return True


def _held_direction(ledger: Ledger, angle: ClusterEdge, near: ClusterEnd, forward: bool) -> int:
    """Where the other end of an angle points: held at its value, or driven."""
    sign = 1.0 if forward else -1.0
    if angle.name not in ledger.drives:
        return ledger.clusters.direction(near, sign * angle.offset)
    source, slope, offset = ledger.drives[angle.name]
    sketch = ledger.clusters.sketch
    rotation = sketch.turn(source, sign * slope, sign * offset, guess=ledger.bits.get(source, 0))
    return sketch.times(ledger.clusters.direction(near), rotation)


def _pin_and_line(
    ledger: Ledger,
    base: int,
    other: int,
    line: ClusterEdge,
    near: ClusterEnd,
    far: ClusterEnd,
    forward: bool,
    P: int,
    p: int,
) -> str:
    sketch, clusters = ledger.clusters.sketch, ledger.clusters
    if forward:  # the line is the base's, the point the other's
        q = clusters.spot(far)
        K = sketch.pack(sketch.square(p, q), ZERO)
        point = clusters.shown(base, clusters.drawn(far))
        S = sketch.circle_line(P, clusters.spot(near), clusters.direction(near), K, point)
        ledger.attach(base, other, P, P, S, p, p, q)
        return f"{line.name}: a circle meets a line"
    u = clusters.direction(far)
    K = sketch.pack(sketch.offset(u, p, clusters.spot(far)), ZERO)
    U = sketch.tangent(P, clusters.spot(near), K, clusters.drawn_direction(base, far))
    ledger.attach(base, other, P, ZERO, U, p, ZERO, u)
    return f"{line.name}: a line through a point, tangent to a circle"


def _slide_and(ledger: Ledger, base: int, other: int, slide: ClusterEdge, more: ClusterEdge) -> bool:
    """A slide, and another line: the place along the first follows from the second."""
    sketch, clusters = ledger.clusters.sketch, ledger.clusters
    near, far, _ = ledger.ends(base, slide)
    U, t, far_dir = ledger.slide(base, slide)
    L = clusters.spot(near)
    near2, far2, forward = ledger.ends(base, more)
    if more.kind == "prismatic":
        V, _, _ = ledger.slide(base, more)
        on_base = True
    else:
        on_base = forward
        V = clusters.direction(near2) if on_base else -1
    rotation = sketch.quotient(ZERO, U, far_dir)  # the other's frame in the base's
    if not on_base:
        V = sketch.times(rotation, clusters.direction(far2))
    if abs((sketch.value(U).conjugate() * sketch.value(V)).imag) <= clusters.system.tolerance.angle:
        if more.kind != "prismatic":
            return False
        ledger.consume(base, other, (more,))
        ledger.steps.append(
            Step(f"{more.name} repeats the slide {slide.name}, parallel to it", ledger.named(more), 0)
        )
        return True
    arm = sketch.affine(ZERO, t, clusters.spot(far2), rotation)  # from the slide's point to the other mark
    e = sketch.offset(V, arm, ZERO)
    K = sketch.pack(ZERO, e)
    X = sketch.lines(L, U, clusters.spot(near2), V, K)
    ledger.consume(base, other, (slide, more) if more.kind == "in_line" else (slide,))
    ledger.attach(base, other, X, ZERO, U, t, ZERO, far_dir)
    clusters.remember(far, X)
    words = f"{slide.name} and {more.name}: two lines meet"
    ledger.steps.append(Step(words, ledger.named(slide), 0))
    return True
