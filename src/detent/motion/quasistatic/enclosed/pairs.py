"""Vertex-edge pairs of a pawl over a box of times, angles and pushes, in doubles with bounds.

The same pairs as `slice/curves.py` has exactly: type A has the vertex on the obstacle and the edge on the
pawl, type B the reverse. Here each gap is a function of the time, the angle and of parameters of the push,
and what is computed is its value in the middle of a box with bounds on its derivatives all over the box: the
mean value theorem then says where it has no zero. Bounds carry a slack far above what rounding takes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import shapely

from detent.geometry.exact.polygon import ExactLeaf

Floats = Any  # arrays of doubles

# Of the machine's size: rounding leaves about 1e-14 of it in a gap, and the exact methods resolve more.
SLACK = 1e-12


@dataclass(frozen=True)
class StraightPushes:
    """Straight pushes p + t v, with parameters from -1 to 1 that shift the place and tilt the velocity."""

    place: Floats  # of the root's shift at t = 0
    velocity: Floats
    spread: Floats  # of the place, a row for each parameter
    tilt: Floats  # of the velocity, a row for each

    def at(self, t: float) -> Floats:
        """The root's shift at a time, of the push in the middle."""
        return self.place + t * self.velocity

    def apart(self, t: float) -> Floats:
        """The shift that each parameter makes at a time."""
        return self.spread + t * self.tilt

    def spread_at(self, t: float) -> float:
        """How far the root may be at a time from where the push in the middle takes it."""
        return float(np.hypot(*self.apart(t).T).sum())

    @cached_property
    def tilts(self) -> Floats:
        return np.hypot(*self.tilt.T)

    @cached_property
    def speed(self) -> float:
        return float(np.hypot(*self.velocity))


class PairTable:
    """The pairs of one rigid body that turns about a hinge, and what it may touch.

    Points and directions are complex numbers; pairs of type A come first. The outward normal of an edge is -i
    times its direction.
    """

    def __init__(self, body: Sequence[ExactLeaf], obstacles: Sequence[tuple[ExactLeaf, Any]]) -> None:
        self.body, self.obstacles = tuple(body), tuple(obstacles)
        rows: list[_Row] = []
        for leaf in body:
            for other, friction in obstacles:
                rows += _rows(leaf, other, float(friction), len(rows))
        rows.sort(key=lambda row: not row.on_obstacle)
        self.names = tuple(row.name for row in rows)
        self.on_obstacle = np.array([row.on_obstacle for row in rows], dtype=bool)
        self.first_b = int(self.on_obstacle.sum())
        self.vertex, self.base, self.way = (
            np.array([getattr(row, key) for row in rows], dtype=complex) for key in ("vertex", "base", "way")
        )
        self.length, self.friction = (
            np.array([getattr(row, key) for row in rows], dtype=float) for key in ("length", "friction")
        )
        self.named = np.array([row.named for row in rows], dtype=int)  # a number of the vertex
        # Whether every edge of a boundary is in the table.
        leaves = (*body, *(other for other, _ in obstacles))
        self.whole = all(leaf.closed and all(leaf.facing) for leaf in leaves)
        self.reach = np.abs(self.vertex)
        self.corners_of = tuple(row.corners for row in rows)

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def corners(self) -> Floats:
        """The body's vertices."""
        return np.concatenate([leaf.doubles for leaf in self.body]) if self.body else np.zeros((0, 2))

    @cached_property
    def regions(self) -> Any:
        """The closed obstacles, as one region."""
        return shapely.union_all([other.region for other, _ in self.obstacles if other.closed])

    @cached_property
    def own_region(self) -> Any:
        return shapely.union_all([leaf.region for leaf in self.body if leaf.closed])

    @cached_property
    def obstacle_corners(self) -> Floats:
        parts = [other.doubles for other, _ in self.obstacles]
        return np.concatenate(parts) if parts else np.zeros((0, 2))

    def meets_at(self, k: int, end: int) -> set[int]:
        """The pairs that touch where the vertex of one comes to an end of its edge."""
        vertex, end_of = self.corners_of[k][0][0], self.corners_of[k][1][end]
        own, other = (end_of, vertex) if self.on_obstacle[k] else (vertex, end_of)
        return {
            j
            for j, (vertices, ends) in enumerate(self.corners_of)
            if (
                own in ends and other in vertices
                if self.on_obstacle[j]
                else own in vertices and other in ends
            )
        }

    @cached_property
    def twins(self) -> dict[int, set[int]]:
        """Pairs that are one: an obstacle's vertex on the two sides of a segment."""
        keys: dict[Any, list[int]] = {}
        for k in range(self.first_b):
            ends = self.base[k], self.base[k] + self.length[k] * self.way[k]
            rounded = sorted((round(end.real, 9), round(end.imag, 9)) for end in ends)
            keys.setdefault((complex(self.vertex[k]), *rounded), []).append(k)
        return {k: set(group) - {k} for group in keys.values() for k in group}


@dataclass(frozen=True)
class _Row:
    """One vertex and one edge."""

    name: str
    on_obstacle: bool  # the vertex, type A
    vertex: complex
    base: complex
    way: complex
    length: float
    friction: float
    named: int
    corners: tuple[tuple[complex, ...], tuple[complex, ...]]  # the vertex, the two ends of the edge


def _rows(leaf: ExactLeaf, other: ExactLeaf, friction: float, count: int) -> list[_Row]:
    rows: list[_Row] = []
    for vertices, edges, on_obstacle in ((other, leaf, True), (leaf, other, False)):
        for k in range(vertices.count):
            if not vertices.convex[k]:
                continue
            named = count + len(rows)
            for e in range(edges.count):
                if not edges.facing[e]:
                    continue
                a, b = (complex(*edges.doubles[j]) for j in (e, edges.after[e]))
                obstacle = other.vertex_name(k) if on_obstacle else other.edge_name(e)
                own = leaf.edge_name(e) if on_obstacle else leaf.vertex_name(k)
                way = (b - a) / abs(b - a)
                vertex = complex(*vertices.doubles[k])
                name = f"{obstacle}:{own}"
                corners = ((vertex,), (a, b))
                rows.append(_Row(name, on_obstacle, vertex, a, way, abs(b - a), friction, named, corners))
    return rows


@dataclass(frozen=True)
class Looked:
    """The pairs in a box: values in its middle, derivatives there with bounds of their change in it.

    `way` is the direction of the edge as the shift of the root counts along it, so that -i times it is the
    normal as it pushes the body; `turning` the gap's derivative by the angle, the lever r x n; `along` how
    far the vertex is along its edge, and `moving` its derivative by the angle.
    """

    table: PairTable
    pushes: StraightPushes
    t: float
    late: float
    wide: float
    gap: Floats
    along: Floats
    way: Floats
    turning: Floats
    moving: Floats
    arm: Floats  # from the hinge to the vertex
    turned: Floats  # by how much the directions turn in the box, at most
    loose: Floats  # by how much the levers change in the box, at most

    @cached_property
    def velocity(self) -> float:
        """By how much the velocity differs in the box, at most."""
        return float(self.pushes.tilts.sum())

    @cached_property
    def _in_time(self) -> tuple[Floats, Floats]:
        off = self.turned * (self.pushes.speed + self.velocity) + self.velocity
        return self.way.conj() * complex(*self.pushes.velocity), off

    @cached_property
    def gap_in_time(self) -> tuple[Floats, Floats]:
        """In the middle, and how far off it may be."""
        rate, off = self._in_time
        return -rate.imag, off

    @cached_property
    def along_in_time(self) -> tuple[Floats, Floats]:
        """In the middle, and how far off it may be."""
        rate, off = self._in_time
        return rate.real, off

    @cached_property
    def _by_parameter(self) -> tuple[Floats, Floats]:
        shifts = self.pushes.apart(self.t)
        size = np.hypot(*shifts.T) + self.late * self.pushes.tilts
        off = self.turned[:, None] * size + self.late * self.pushes.tilts
        return self.way.conj()[:, None] * (shifts[:, 0] + 1j * shifts[:, 1]), off

    @cached_property
    def gap_by_parameter(self) -> tuple[Floats, Floats]:
        """A column for each parameter: in the middle, and how far off it may be."""
        rate, off = self._by_parameter
        return -rate.imag, off

    @cached_property
    def along_by_parameter(self) -> tuple[Floats, Floats]:
        """A column for each parameter: in the middle, and how far off it may be."""
        rate, off = self._by_parameter
        return rate.real, off

    @cached_property
    def free_change(self) -> tuple[Floats, Floats]:
        """How much gap and place along the edge change in the box, at most, all things by themselves."""
        changes = []
        for in_time, by_parameter, turning in (
            (self.gap_in_time, self.gap_by_parameter, self.turning),
            (self.along_in_time, self.along_by_parameter, self.moving),
        ):
            change = (np.abs(in_time[0]) + in_time[1]) * self.late
            change = change + (np.abs(by_parameter[0]) + by_parameter[1]).sum(axis=1)
            changes.append(change + (np.abs(turning) + self.loose) * self.wide)
        return changes[0], changes[1]


def look(
    table: PairTable, hinge: Floats, pushes: StraightPushes, box: tuple[float, float, float, float]
) -> Looked:
    """The pairs in a box of times and angles, (middle, half width) of each, and all parameters."""
    t, late, angle, wide = box
    shift = complex(*(hinge + pushes.at(t)))
    turn = complex(math.cos(angle), math.sin(angle))
    swept = pushes.speed * late + pushes.spread_at(t) + late * float(pushes.tilts.sum())
    b = table.first_b
    # In the frame of the edge, the body's for type A: from its base, and from the hinge.
    arm, seen, own, way = (np.empty(len(table), dtype=complex) for _ in range(4))
    arm[:b] = table.vertex[:b] - shift
    arm[b:] = table.vertex[b:] * turn
    own[:b] = arm[:b] * turn.conjugate()
    own[b:] = arm[b:]
    seen[:b] = own[:b] - table.base[:b]
    seen[b:] = arm[b:] + shift - table.base[b:]
    way[:b] = table.way[:b] * -turn
    way[b:] = table.way[b:]
    along = table.way.conj()
    seen *= along
    own *= along
    own[:b] *= -1.0
    far = np.abs(arm)
    turned = np.zeros(len(table))
    turned[:b] = wide
    loose = far * wide
    loose[:b] += swept * (1 + wide)
    return Looked(
        table, pushes, t, late, wide, -seen.imag, seen.real, way, -own.real, -own.imag, arm, turned, loose
    )


def look_at(
    table: PairTable, hinge: Floats, pushes: StraightPushes, i: int, t: float, angle: float
) -> tuple[float, float, float]:
    """One pair's gap at a time and an angle, with its derivatives by them, of the push in the middle."""
    shift = complex(hinge[0], hinge[1]) + complex(*pushes.place) + t * complex(*pushes.velocity)
    turn = complex(math.cos(angle), math.sin(angle))
    vertex, base, along = complex(table.vertex[i]), complex(table.base[i]), complex(table.way[i]).conjugate()
    velocity = complex(*pushes.velocity)
    if i < table.first_b:
        own = (vertex - shift) * turn.conjugate() * along
        return -(own - base * along).imag, (velocity * turn.conjugate() * along).imag, own.real
    arm = vertex * turn * along
    return -(arm + (shift - base) * along).imag, -(velocity * along).imag, -arm.real
