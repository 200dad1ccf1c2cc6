"""Blocks at plan time: bodies and equations that neither contraction nor a cut can take.

Each body keeps the unknowns that its locus leaves (Brunkhart 1994, section 4.1):
its angle where it is pinned to what is fixed, its travel where it slides there,
else position and angle. Bodies are numbered along the chain and equations by their
bodies, so that the normal matrix of a chain is banded.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from detent.kinematics.equations.newton import radii
from detent.kinematics.planning.clusters import GROUND, ClusterEdge, ClusterEnd
from detent.kinematics.planning.contract import Contraction
from detent.kinematics.planning.program import ONE, ZERO
from detent.kinematics.planning.worklist import Step
from detent.model.machine.plane_linkage import (
    KEEP_ANGLE,
    MEET_AT_POINT,
    MEET_ON_LINE,
    PlaneJoint,
    unit_direction,
)

FREE, PINNED, SLIDING = 0, 1, 2  # body: kind, first unknown, O, U, a, b, c, d
PIN, LINE, ANGLE, GEAR = 0, 1, 2, 3  # equation: kind, A, point, direction, B, point, direction, first row
UNKNOWNS = {FREE: 3, PINNED: 1, SLIDING: 1}
ROWS = {PIN: 2, LINE: 1, ANGLE: 1, GEAR: 1}
WIDTH = max(UNKNOWNS.values())  # columns kept for each body that a row of the Jacobian touches


@dataclass
class ClosureBlock:
    """Bodies, equations and the start of their unknowns; rows still numbered as in the sketch."""

    clusters: list[int]
    bodies: list[list[int]]
    reach: list[float]  # [m] one radian of each body's angle moves it about this far
    equations: list[list[int]]
    ratios: list[list[float]]
    start: list[float]
    pins: list[tuple[ClusterEnd, ClusterEnd]] = field(default_factory=list)  # that it closes
    shadows: dict[int, int] = field(default_factory=dict)  # body that counts the full rotations of a part

    @property
    def unknowns(self) -> int:
        return sum(UNKNOWNS[b[0]] for b in self.bodies)

    @property
    def rows(self) -> int:
        return sum(ROWS[e[0]] for e in self.equations)

    def bandwidth(self) -> int:
        """Largest distance of two equations that share a body."""
        touching: dict[int, list[int]] = {}
        for e in self.equations:
            for body in (e[1], e[4], *e[8:]):
                if body >= 0:
                    touching.setdefault(body, []).extend((e[7], e[7] + ROWS[e[0]] - 1))
        return max((max(rows) - min(rows) for rows in touching.values()), default=0)

    def write(self, equations: list[tuple[list[int], list[float]]]) -> None:
        """Equations in the order of their rows."""
        at = 0
        for equation, ratio in equations:
            equation[7] = at
            at += ROWS[equation[0]]
            self.equations.append(equation)
            self.ratios.append(ratio)

    def attach(self, work: Contraction) -> None:
        """Once solved, the bodies are fixed."""
        for cluster, body in zip(self.clusters, self.bodies, strict=False):  # then come shadows
            for near in list(work.clusters.neighbours[cluster]):
                work.clusters.edges(cluster, near).clear()
            work.clusters.attach(GROUND, cluster, body[2], ZERO, body[3], ZERO, ZERO, ONE)
        work.clusters.between.pop(frozenset((GROUND,)), None)
        if not work.clusters.sketch.stretching:  # else a pin may be open
            for one, other in self.pins:
                work.clusters.remember(other, work.clusters.spot(one))


def block_of(work: Contraction, component: list[int]) -> ClosureBlock:
    """The block of some clusters that hang together."""
    order = _along(work, component)
    block = ClosureBlock(order, [], [], [], [], [])
    number = {cluster: i for i, cluster in enumerate(order)}
    reaches = radii(work.clusters.system)
    first = 0
    used: set[str] = set()
    for cluster in order:
        body, start, locus = body_of(work, cluster)
        body[1] = first
        first += UNKNOWNS[body[0]]
        block.bodies.append(body)
        block.start += start
        block.reach.append(reaches[work.clusters.root[cluster]])
        used |= locus
    equations: list[tuple[int, int, list[int], list[float]]] = []
    for pair, edges in work.clusters.between.items():
        if number.keys().isdisjoint(pair):
            continue
        for edge in edges:
            if edge.kind == "revolute":
                near, far = (edge.a, edge.b) if work.clusters.of(edge.a) == GROUND else (edge.b, edge.a)
                block.pins.append((near, far))
            if edge.name not in used:
                equations += [_sorted(e, [0.0, 0.0]) for e in _equations(work, edge, number)]
    for gear in work.gears:
        if any(work.clusters.cluster[part] in number for part in gear_parts(gear)):
            equations += [_sorted(*e) for e in gear_equations(work, block, gear, number)]
            work.gears = [other for other in work.gears if other is not gear]
    equations.sort(key=lambda f: f[:2])
    block.write([(equation, ratio) for _, _, equation, ratio in equations])
    _say(work, block)
    return block


def _sorted(equation: list[int], ratio: list[float]) -> tuple[int, int, list[int], list[float]]:
    bodies = [b for b in (equation[1], equation[4]) if b >= 0]
    return min(bodies, default=0), max(bodies, default=0), equation, ratio


def _along(work: Contraction, component: list[int]) -> list[int]:
    """The clusters from one end of the chain to the other: breadth first from a lightly joined one."""
    inside = set(component)
    near = {c: sorted(work.clusters.neighbours[c] & inside) for c in component}
    order: dict[int, int] = {}
    for first in sorted(component, key=lambda c: (len(near[c]), c)):  # the next one where a gear alone ties
        if first in order:
            continue
        order[first] = len(order)
        front = deque([first])
        while front:
            for other in near[front.popleft()]:
                if other not in order:
                    order[other] = len(order)
                    front.append(other)
    return list(order)


def body_of(work: Contraction, cluster: int) -> tuple[list[int], list[float], set[str]]:
    clusters, sketch = work.clusters, work.clusters.sketch
    x, y, angle = (float(v) for v in clusters.poses[clusters.root[cluster]])
    origin, U = sketch.new(complex(x, y)), sketch.new(unit_direction(angle))
    edges = clusters.edges(GROUND, cluster)
    for kind in ("revolute", "prismatic"):
        for edge in edges:
            if edge.kind != kind:
                continue
            near, far = (edge.a, edge.b) if clusters.of(edge.a) == GROUND else (edge.b, edge.a)
            if kind == "revolute":
                return (
                    [PINNED, 0, origin, U, clusters.spot(near), clusters.spot(far), 0, 0],
                    [angle],
                    {edge.name},
                )
            line, direction = work.line(GROUND, edge), work.line(cluster, edge)
            travel = (clusters.drawn(far) - clusters.drawn(near)) * sketch.value(line).conjugate()
            body = [SLIDING, 0, origin, U, clusters.spot(near), line, clusters.spot(far), direction]
            return body, [travel.real], {edge.name}
    return [FREE, 0, origin, U, 0, 0, 0, 0], [x, y, angle], set()


def _equations(work: Contraction, edge: ClusterEdge, number: dict[int, int]) -> list[list[int]]:
    clusters = work.clusters

    def body(end: ClusterEnd) -> int:
        return number.get(clusters.of(end), -1)

    a, b = body(edge.a), body(edge.b)
    rows: list[list[int]] = []
    if edge.kind in MEET_AT_POINT:
        rows.append([PIN, a, clusters.spot(edge.a), 0, b, clusters.spot(edge.b), 0, 0])
    if edge.kind in MEET_ON_LINE:
        line = clusters.direction(edge.a)
        rows.append([LINE, a, clusters.spot(edge.a), line, b, clusters.spot(edge.b), 0, 0])
    if edge.kind in KEEP_ANGLE:
        held = clusters.direction(edge.a, edge.offset)
        rows.append([ANGLE, a, 0, held, b, 0, clusters.direction(edge.b), 0])
    return rows


def gear_parts(gear: PlaneJoint) -> tuple[int, ...]:
    """The wheels, and what they rotate on where it may rotate itself."""
    return (gear.a.part, gear.b.part) if gear.carrier < 0 else (gear.a.part, gear.b.part, gear.carrier)


def gear_equations(
    work: Contraction, block: ClosureBlock, gear: PlaneJoint, number: dict[int, int]
) -> list[tuple[list[int], list[float]]]:
    """The angles of a gear's wheels: each that of a body and a constant, or that of a shadow.

    A wheel that is placed elsewhere has a direction, but its full rotations must be counted: its shadow is a
    body of one unknown whose direction is the wheel's, and which goes on from frame to frame.
    """
    clusters = work.clusters
    total, columns = gear.offset, []
    equations: list[tuple[list[int], list[float]]] = []
    weights = (-gear.ratio, 1.0, gear.ratio - 1.0)
    for part, weight in zip(gear_parts(gear), weights, strict=False):
        cluster, angle = clusters.cluster[part], float(clusters.poses[part, 2])
        if clusters.system.fixed[part]:
            total -= weight * angle
            columns.append(-1)
            continue
        body = number.get(cluster, -1)
        row = clusters.direction(ClusterEnd(part, 0j, 0.0))
        if body >= 0 and block.bodies[body][0] != SLIDING and clusters.sketch.constant[row]:
            total -= weight * (angle - float(clusters.poses[clusters.root[cluster], 2]))
            columns.append(body)
            continue
        if part not in block.shadows:
            block.shadows[part] = _shadow(work, block, angle)
            equations.append(([ANGLE, body, 0, row, block.shadows[part], 0, ONE, 0], [0.0, 0.0]))
        columns.append(block.shadows[part])
    a, b, carrier = [*columns, -1][:3]
    return [*equations, ([GEAR, a, 0, 0, b, 0, 0, 0, carrier], [gear.ratio, total])]


def _shadow(work: Contraction, block: ClosureBlock, angle: float) -> int:
    sketch = work.clusters.sketch
    origin, U = sketch.new(0j), sketch.new(unit_direction(angle))
    block.bodies.append([PINNED, block.unknowns, origin, U, ZERO, ZERO, 0, 0])
    block.reach.append(work.clusters.system.size)
    block.start.append(angle)
    return len(block.bodies) - 1


def _say(work: Contraction, block: ClosureBlock) -> None:
    parts = tuple(dict.fromkeys(name for c in block.clusters for name in work.names(c)))
    free = block.unknowns - block.rows
    least = f", moving least in {free} degrees of freedom" if free > 0 else ""
    words = f"block: Newton on {block.rows} equations in {block.unknowns} unknowns{least}"
    work.steps.append(Step(words, parts, block.unknowns))
