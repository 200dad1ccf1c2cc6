"""Can friction alone hold what a leg has pushed tight, as it holds a taper in its bore?

Where a leg ends in a closed jam, or the root is itself blocked, the contacts there may press against each
other as hard as they were pushed. Statics leaves that force open: the way out counts what the springs press
and no more. It holds back a pull of any size if forces inside the friction cones that balance among
themselves resist the pull. The drive guides the root: it takes what is across the pull, and every moment.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from detent.foundation.names import listed
from detent.geometry.exact.polygon import ExactLeaf
from detent.model.machine.touching import TouchingPairs
from detent.motion.quasistatic.exact.legs import LegRun
from detent.motion.quasistatic.fastener_run import FastenerRun
from detent.motion.quasistatic.machine.fasteners import Fastener

# Of the machine's size, and of a force: so much rounding may leave of what is zero.
ROUNDING = 1e-9

Vector = Any  # two doubles


@dataclass(frozen=True)
class Wedge:
    """A part that friction can hold where a leg ends, and what it is wedged against."""

    part: str
    against: tuple[str, ...]


@dataclass(frozen=True)
class _Touch:
    """A contact as it presses on the moving part; the normal has length one."""

    point: Vector
    normal: Vector
    friction: float
    other: str

    @property
    def edges(self) -> tuple[Vector, Vector]:
        """The two edges of its friction cone."""
        along = self.friction * np.array([-self.normal[1], self.normal[0]])
        return self.normal + along, self.normal - along


def wedges(evidence: FastenerRun, leg: LegRun) -> tuple[Wedge, ...]:
    """Parts that friction can hold where a leg ends, against a pull straight back."""
    machine = evidence.fastener
    velocity = np.array([float(each) for each in leg.line.velocity])
    pull = -velocity / np.hypot(*velocity)
    found = []
    if leg.cause == "blocked":
        touches = [touch for touch in _of_root(evidence, leg) if touch.normal @ pull > ROUNDING]
        if any(edge @ pull < -ROUNDING for touch in touches for edge in touch.edges):
            found.append((machine.root, touches))
    for k, pawl in enumerate(machine.pawls):
        if leg.cause == "jam" and leg.pawl_runs[k].cause == "jam":
            touches = list(_of_pawl(machine, leg, k))
            hinge = np.array(leg.slices[k].hinge_at(float(leg.end)))
            if _holds(touches, hinge, pull, machine.size):
                found.append((pawl.part, touches))
    return tuple(
        Wedge(part, tuple(dict.fromkeys(touch.other for touch in touches))) for part, touches in found
    )


def wedge_words(wedge: Wedge) -> str:
    """What is not counted of it."""
    return (
        f"{wedge.part} is wedged there by {listed(list(wedge.against))}, where friction can hold it against "
        "a pull of any size, as hard as it was pushed in: the way out counts what springs press and no more, "
        "and its forces bound nothing"
    )


def _holds(touches: list[_Touch], hinge: Vector, pull: Vector, size: float) -> bool:
    """Whether edges of friction cones, one or two, have no moment about the hinge and resist the pull."""
    edges = [(edge, _moment(touch.point - hinge, edge)) for touch in touches for edge in touch.edges]
    if any(abs(moment) <= ROUNDING * size and edge @ pull < -ROUNDING for edge, moment in edges):
        return True
    return any(
        (abs(b) * f + abs(a) * g) @ pull < -ROUNDING * size
        for (f, a), (g, b) in combinations(edges, 2)
        if a * b < 0
    )


def _moment(arm: Vector, force: Vector) -> float:
    return float(arm[0] * force[1] - arm[1] * force[0])


def _of_pawl(machine: Fastener, leg: LegRun, k: int) -> Iterator[_Touch]:
    """The contacts that a pawl jams at."""
    slice_, pawl_run = leg.slices[k], leg.pawl_runs[k]
    end = pawl_run.end
    assert end is not None
    names = set(pawl_run.events[-1].touching)
    angle, hinge = end.angle(), np.array(slice_.hinge_at(float(leg.end)))
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    for pair in slice_.table(end.half).pairs:
        if pair.name not in names:
            continue
        kind, own, other = pair.which
        posed, still = hinge + _points(pair.pawl) @ turn.T, _points(pair.obstacle)
        if kind == "A":
            point, normal = still[other], -_outward(posed, pair.pawl, own)
            part = pair.obstacle.vertex_origin(other)[0].part
        else:
            point, normal = posed[own], _outward(still, pair.obstacle, other)
            part = pair.obstacle.edge_origin(other)[0].part
        yield _Touch(point, normal, float(pair.friction), part)


def _of_root(evidence: FastenerRun, leg: LegRun) -> Iterator[_Touch]:
    """The contacts of the root where a leg ends: corners inside of edges, either way."""
    machine, pairs = evidence.fastener, TouchingPairs(evidence.mechanism)
    t, near = float(leg.end), ROUNDING * evidence.fastener.size
    shift = np.array(
        [float(s) + t * float(v) for s, v in zip(leg.line.shift, leg.line.velocity, strict=True)]
    )
    for leaf in machine.root_leaves:
        for obstacle in machine.root_obstacles:
            moved, still = _points(leaf) + shift, _points(obstacle)
            for corner, edge in _corners_on_edges(moved, still, obstacle, near):
                part = obstacle.edge_origin(edge)[0].part
                friction = float(pairs.friction(machine.root, part) or 0)
                yield _Touch(moved[corner], _outward(still, obstacle, edge), friction, part)
            for corner, edge in _corners_on_edges(still, moved, leaf, near):
                part = obstacle.vertex_origin(corner)[0].part
                friction = float(pairs.friction(machine.root, part) or 0)
                yield _Touch(still[corner], -_outward(moved, leaf, edge), friction, part)


def _corners_on_edges(corners: Any, points: Any, leaf: ExactLeaf, near: float) -> Iterator[tuple[int, int]]:
    """Corners that lie inside of an edge of a leaf, with the edge; not at its ends, whose side is open."""
    for edge in range(leaf.count):
        begin, way = points[edge], points[leaf.after[edge]] - points[edge]
        length = np.hypot(*way)
        along = (corners - begin) @ way / length
        across = (corners - begin) @ _outward(points, leaf, edge)
        for corner in np.flatnonzero((along > near) & (along < length - near) & (np.abs(across) <= near)):
            yield int(corner), edge


def _points(leaf: ExactLeaf) -> Any:
    return np.array([[float(x), float(y)] for x, y in leaf.points])


def _outward(points: Any, leaf: ExactLeaf, edge: int) -> Vector:
    """Out of the material, which lies to the left of an edge."""
    way = points[leaf.after[edge]] - points[edge]
    return np.array([way[1], -way[0]]) / np.hypot(*way)
