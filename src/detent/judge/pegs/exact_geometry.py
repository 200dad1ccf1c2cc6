"""A rigid planar peg on its springs in equilibrium, by its exact geometry: what small angles leave out.

Nothing is assumed of where it touches. Corners of peg and hole may touch edges of the other; each contact is
open, slides up or down its edge or sticks (Coulomb), and the statuses are searched until forces, gaps and
slips agree. z_c is led, in steps; slips are those of a step. The frame and the peg are those of `theory`,
angles of any size.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import TYPE_CHECKING, Literal

import numpy as np

from detent.judge.pegs.theory import Peg

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_MOST_STEPS = 30  # of Newton's iteration
_SETTLED = 1e-12  # of lengths and forces
_AGREES = 1e-9  # of a length or force that may be negative by rounding
Status = Literal["down", "up", "stick"]  # how the peg goes along the edge
_Statuses = tuple[tuple[int, Status], ...]
_Met = tuple[float, float, float, float, float, float, float, float]


@dataclass(frozen=True)
class Corner:
    """A corner of one body that may touch an edge of the other.

    `corner` belongs to the peg where `of_peg`, `at` and `into` (the edge's begin and unit direction, down the
    hole or up the peg), `normal` and `length` to the other. Peg coordinates are across its axis and from its
    tip upwards; `normal` points away from the edge's material.
    """

    name: str
    of_peg: bool
    corner: tuple[float, float]
    at: tuple[float, float]
    into: tuple[float, float]
    normal: tuple[float, float]
    length: float


@dataclass(frozen=True)
class Equilibrium:
    """An equilibrium: where the peg is, and the contacts that hold it."""

    advance: float  # of the compliance centre since the unloaded tip's middle was at the rims
    depth: float  # of the tip's middle below the rims
    along: float  # F_z against the push
    across: float  # F_x of the support towards +x
    lean: float
    contacts: tuple[tuple[str, Status, float], ...]  # name, status, normal force

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _, _ in self.contacts)


@dataclass(frozen=True)
class PegOutline:
    """The exact outlines of peg and hole beside what `Peg` says of them; chamfers of no width are none."""

    peg: Peg
    hole_chamfer: float = 0.0  # width along the face
    peg_chamfer: float = 0.0  # width across the tip; the tip of `Peg` is then its shoulder
    bore: float = math.inf
    side: float = math.inf


def corners_of(shape: PegOutline) -> list[Corner]:
    """All that may touch, on both sides."""
    peg, angle = shape.peg, shape.peg.angle or 0.0
    r, hole = peg.radius, peg.hole
    sine, cosine = math.sin(angle), math.cos(angle)
    corners = []
    for side, s in (("right", 1.0), ("left", -1.0)):
        bore = ((s * hole, 0.0), (0.0, 1.0), (-s, 0.0), shape.bore)
        corners.append(Corner(f"{side} corner", True, (s * r, 0.0), *bore))
        face = ((s * r, 0.0), (0.0, 1.0), (s, 0.0), shape.side)
        corners.append(Corner(f"{side} rim", False, (s * hole, 0.0), *face))
        if shape.hole_chamfer > 0:
            wide = shape.hole_chamfer
            mouth = (s * (hole + wide), -wide * sine / cosine)
            slope = (mouth, (-s * cosine, sine), (-s * sine, -cosine), wide / cosine)
            corners.append(Corner(f"{side} chamfer", True, (s * r, 0.0), *slope))
        if shape.peg_chamfer > 0:
            wide = shape.peg_chamfer
            end = (s * (r - wide), -wide * sine / cosine)
            slope = (end, (s * cosine, sine), (s * sine, -cosine), wide / cosine)
            corners.append(Corner(f"{side} chamfer", False, (s * hole, 0.0), *slope))
    return corners


@dataclass(frozen=True)
class OtherContacts:
    """Other contacts from here on, located to rounding; nothing after it where none hold the peg."""

    advance: float
    depth: float  # of the tip's middle
    lean: float
    along: float  # F_z there, of the contacts before
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True)
class ExactPassage:
    """Equilibria at the advances asked for, as far as there are any, and the changes between them."""

    rows: tuple[Equilibrium, ...]
    changes: tuple[OtherContacts, ...]
    locks: bool


def exact_passage(shape: PegOutline, advances: Sequence[float]) -> ExactPassage:
    """The peg led down through the advances, from where nothing touches."""
    solver = _Solver(shape)
    rows: list[Equilibrium] = []
    changes: list[OtherContacts] = []
    for advance in advances:
        before = solver.kept
        held = solver.step(advance)
        if rows and (held is None or held.names != rows[-1].names):
            last, after = solver.kept, held
            solver.kept = before
            changes.append(solver.change(rows[-1], advance, held))
            solver.kept = last
            held = after
        if held is None:
            return ExactPassage(tuple(rows), tuple(changes), True)
        rows.append(held)
    return ExactPassage(tuple(rows), tuple(changes), False)


class _Solver:
    """Equilibria in steps: what is kept is where the peg was, and with which contacts."""

    def __init__(self, shape: PegOutline) -> None:
        peg = shape.peg
        self.peg, self.corners = peg, corners_of(shape)
        self.x0 = peg.error - peg.centre * math.sin(peg.lean)
        self.start = peg.centre * math.cos(peg.lean)
        self.length = peg.radius
        self.force = peg.lateral * max(abs(peg.error), peg.play, peg.radius * 1e-6)
        self.position = (self.x0, peg.lean)
        self.advance: float | None = None
        self.last: _Statuses = ()

    def step(self, advance: float) -> Equilibrium | None:
        """The equilibrium at an advance of the centre."""
        before = self._slips(
            self.position, self.advance if self.advance is not None else advance - self.length
        )
        for statuses in self._tries():
            solved = self._solve(advance, statuses, before)
            if solved is not None and self._agrees(advance, statuses, solved, before):
                self.position, self.advance, self.last = (solved[0], solved[1]), advance, statuses
                return self._told(advance, statuses, solved)
        return None

    @property
    def kept(self) -> tuple[tuple[float, float], float | None, _Statuses]:
        """Where the peg was, and with which contacts."""
        return self.position, self.advance, self.last

    @kept.setter
    def kept(self, kept: tuple[tuple[float, float], float | None, _Statuses]) -> None:
        self.position, self.advance, self.last = kept

    def change(self, before: Equilibrium, advance: float, after: Equilibrium | None) -> OtherContacts:
        """Where the contacts of `before` are left on the way to an advance, by halving."""
        low, high, held = before.advance, advance, before
        while high - low > 1e-9 * self.length:
            middle = (low + high) / 2
            slips = self._slips(self.position, low)
            solved = self._solve(middle, self.last, slips)
            if solved is not None and self._agrees(middle, self.last, solved, slips):
                low, held = middle, self._told(middle, self.last, solved)
                self.position = (solved[0], solved[1])
            else:
                high = middle
        names = () if after is None else after.names
        return OtherContacts(low, held.depth, held.lean, held.along, before.names, names)

    def _tries(self) -> Iterator[_Statuses]:
        """Sets of contacts with their statuses, the last one first, then the likelier ones."""
        yield self.last
        every = range(len(self.corners))
        sets = [each for count in range(3) for each in combinations(every, count)]
        for each in sets:
            yield tuple((k, "down") for k in each)
        statuses: tuple[Status, ...] = ("down", "stick", "up")
        for each in sets:
            for given in product(statuses, repeat=len(each)):
                if any(status != "down" for status in given):
                    yield tuple(zip(each, given, strict=True))

    def _met(self, corner: Corner, position: tuple[float, float], advance: float) -> _Met:
        """Gap, slip of the peg down the edge, arm from the centre, and on the peg the normal and what drags
        it up.
        """
        x, lean = position
        sine, cosine = math.sin(lean), math.cos(lean)
        centre_z = advance - self.start
        tip_x, tip_z = x + self.peg.centre * sine, centre_z + self.peg.centre * cosine
        (a, b), (at_a, at_b), (n_a, n_b), (i_a, i_b) = corner.corner, corner.at, corner.normal, corner.into
        if corner.of_peg:
            point_x, point_z = tip_x + a * cosine - b * sine, tip_z - a * sine - b * cosine
            from_x, from_z = point_x - at_a, point_z - at_b
            arm = point_x - x, point_z - centre_z
            return n_a * from_x + n_b * from_z, i_a * from_x + i_b * from_z, *arm, n_a, n_b, -i_a, -i_b
        from_x, from_z = a - tip_x, b - tip_z
        inside_a, inside_b = cosine * from_x - sine * from_z - at_a, -sine * from_x - cosine * from_z - at_b
        # The rim climbs along the edge as the peg goes down, and drags the peg up with it.
        out = -(n_a * cosine - n_b * sine), n_a * sine + n_b * cosine
        drag = i_a * cosine - i_b * sine, -i_a * sine - i_b * cosine
        gap, slip = n_a * inside_a + n_b * inside_b, i_a * inside_a + i_b * inside_b
        return gap, slip, a - x, b - centre_z, *out, *drag

    def _slips(self, position: tuple[float, float], advance: float) -> list[float]:
        return [self._met(corner, position, advance)[1] for corner in self.corners]

    def _forces(self, statuses: _Statuses, unknown: Sequence[float]) -> list[tuple[float, float]]:
        """Normal force and friction, counted against sliding down, of each contact."""
        forces, at = [], 2
        for _, status in statuses:
            normal = unknown[at]
            at += 1
            if status == "stick":
                forces.append((normal, unknown[at]))
                at += 1
            else:
                forces.append((normal, (1 if status == "down" else -1) * self.peg.friction * normal))
        return forces

    def _rest(
        self, advance: float, statuses: _Statuses, unknown: Sequence[float], before: list[float]
    ) -> tuple[list[float], list[list[float]], float]:
        """What is left of the equations, each over its scale; its columns of forces; the sum of forces
        along z.
        """
        peg, position = self.peg, (unknown[0], unknown[1])
        rest = [-peg.lateral * (unknown[0] - self.x0), -peg.tilt * (unknown[1] - peg.lean)]
        along, columns, at = 0.0, [], 2
        for k, status in statuses:
            gap, slip, arm_x, arm_z, out_x, out_z, drag_x, drag_z = self._met(
                self.corners[k], position, advance
            )
            rest.append(gap / self.length)
            ways = [(out_x, out_z)]
            if status == "stick":
                rest.append((slip - before[k]) / self.length)
                ways.append((drag_x, drag_z))
            else:
                share = peg.friction if status == "down" else -peg.friction
                ways = [(out_x + share * drag_x, out_z + share * drag_z)]
            for way_x, way_z in ways:
                # Leaning moves a point of the peg by (z, -x) of its arm.
                column = [way_x / self.force, (way_x * arm_z - way_z * arm_x) / (self.force * self.length)]
                rest[0] += unknown[at] * way_x
                rest[1] += unknown[at] * (way_x * arm_z - way_z * arm_x)
                along -= unknown[at] * way_z
                columns.append(column)
                at += 1
        rest[0], rest[1] = rest[0] / self.force, rest[1] / (self.force * self.length)
        return rest, columns, along

    def _solve(self, advance: float, statuses: _Statuses, before: list[float]) -> list[float] | None:
        """Newton's iteration from where the peg was; where it is by differences, forces as they enter."""
        count = 2 + sum(2 if status == "stick" else 1 for _, status in statuses)
        unknown = [*self.position, *([0.0] * (count - 2))]
        for _ in range(_MOST_STEPS):
            rest, columns, _ = self._rest(advance, statuses, unknown, before)
            if max(map(abs, rest)) < _SETTLED:
                return unknown
            steep = np.zeros((count, count))
            for j, step in ((0, 1e-6 * self.length), (1, 1e-6)):
                ahead, back = [*unknown], [*unknown]
                ahead[j] += step
                back[j] -= step
                high, low = (self._rest(advance, statuses, at, before)[0] for at in (ahead, back))
                steep[:, j] = [(up - down) / (2 * step) for up, down in zip(high, low, strict=True)]
            for j, column in enumerate(columns):
                steep[:2, 2 + j] = column
            try:
                change = np.linalg.solve(steep, rest).tolist()
            except np.linalg.LinAlgError:
                return None
            if not abs(change[1]) < 1:  # also where it is not a number
                return None
            unknown = [value - step for value, step in zip(unknown, change, strict=True)]
        return None

    def _agrees(
        self, advance: float, statuses: _Statuses, unknown: Sequence[float], before: list[float]
    ) -> bool:
        """Whether contacts push, slip as their friction has it, lie on their edges, and nothing else
        overlaps.
        """
        position = (unknown[0], unknown[1])
        near, weak = _AGREES * self.length, _AGREES * self.force
        touching = dict(statuses)
        for (_, status), (normal, friction) in zip(statuses, self._forces(statuses, unknown), strict=True):
            if normal < -weak or (status == "stick" and abs(friction) > self.peg.friction * normal + weak):
                return False
        for k, corner in enumerate(self.corners):
            gap, slip, *_ = self._met(corner, position, advance)
            on_edge = -near <= slip <= corner.length + near
            if k in touching:
                gone = slip - before[k]
                if (
                    not on_edge
                    or (touching[k] == "down" and gone < -near)
                    or (touching[k] == "up" and gone > near)
                ):
                    return False
            elif (
                on_edge and -self.length < gap < -near
            ):  # one as deep as the peg is wide is of its other side
                return False
        return True

    def _told(self, advance: float, statuses: _Statuses, unknown: Sequence[float]) -> Equilibrium:
        position = (unknown[0], unknown[1])
        _, _, along = self._rest(advance, statuses, unknown, [0.0] * len(self.corners))
        depth = advance - self.start + self.peg.centre * math.cos(position[1])
        contacts = tuple(
            (self.corners[k].name, status, normal)
            for (k, status), (normal, _) in zip(statuses, self._forces(statuses, unknown), strict=True)
        )
        pull = self.peg.lateral * (self.x0 - position[0])
        return Equilibrium(advance, depth, along, pull, position[1], contacts)
