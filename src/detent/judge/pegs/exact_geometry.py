"""A rigid planar peg on its springs in equilibrium, by its exact geometry: what small angles leave out.

Nothing is assumed of where it touches. Corners of peg and hole may touch edges of the other; each contact is open, slides up
or down its edge or sticks (Coulomb), and the statuses are searched until forces, gaps and slips agree. z_c is
led, in steps; slips are those of a step. The frame and the peg are those of `theory`, angles of any size.
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


@dataclass(frozen=True)
class Corner:
    """A corner of one body that may touch an edge of the other.

    `corner` belongs to the peg where `of_peg`, `at` and `into` (the edge's begin and unit direction, down the hole or up the
    peg), `normal` and `length` to the other. Peg coordinates are across its axis and from its tip upwards;
    `normal` points away from the edge's material.
    """

    name: str
    of_peg: bool
    corner: tuple[float, float]
    at: tuple[float, float]
    into: tuple[float, float]
    normal: tuple[float, float]
    length: float


@dataclass(frozen=True)
class Held:
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
class Change:
    """Other contacts from here on, located to rounding; nothing after it where none hold the peg."""

    advance: float
    depth: float
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True)
class ExactPassage:
    """Equilibria at the advances asked for, as far as there are any, and the changes between them."""

    rows: tuple[Held, ...]
    changes: tuple[Change, ...]
    locks: bool


def exact_passage(shape: PegOutline, advances: Sequence[float]) -> ExactPassage:
    """The peg led down through the advances, from where nothing touches."""
    solver = _Solver(shape)
    rows: list[Held] = []
    changes: list[Change] = []
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
        self.last: tuple[tuple[int, Status], ...] = ()

    def step(self, advance: float) -> Held | None:
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
    def kept(self) -> tuple[tuple[float, float], float | None, tuple[tuple[int, Status], ...]]:
        """Where the peg was, and with which contacts."""
        return self.position, self.advance, self.last

    @kept.setter
    def kept(self, kept: tuple[tuple[float, float], float | None, tuple[tuple[int, Status], ...]]) -> None:
        self.position, self.advance, self.last = kept

    def change(self, before: Held, advance: float, after: Held | None) -> Change:
        """Where the contacts of `before` are left on the way to an advance, by halving."""
        low, high, held = before.advance, advance, before
        while high - low > 1e-9 * self.length:
            kept, middle = self.kept, (low + high) / 2
            now = self.step(middle)
            if now is not None and now.names == before.names:
                low, held = middle, now
            else:
                high, self.kept = middle, kept
        return Change(low, held.depth, before.names, () if after is None else after.names)

    def _tries(self) -> Iterator[tuple[tuple[int, Status], ...]]:
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

    def _pose(self, position: tuple[float, float], advance: float) -> tuple[Floats, Floats, Floats]:
        """The tip's middle, and the peg's directions across and up, in the hole's frame."""
        x, lean = position
        down = np.array([math.sin(lean), math.cos(lean)])
        tip = np.array([x, advance - self.start]) + self.peg.centre * down
        return tip, np.array([math.cos(lean), -math.sin(lean)]), -down

    def _met(
        self, corner: Corner, position: tuple[float, float], advance: float
    ) -> tuple[float, float, Floats, Floats, Floats]:
        """Gap, slip of the peg down the edge, arm from the centre, normal and friction (of a peg that slides down) on the peg."""
        tip, across, up = self._pose(position, advance)
        centre = tip + self.peg.centre * up
        if corner.of_peg:
            point = tip + corner.corner[0] * across + corner.corner[1] * up
            from_edge = point - corner.at
            normal, into = np.array(corner.normal), np.array(corner.into)
            return normal @ from_edge, into @ from_edge, point - centre, normal, -into
        point = np.array(corner.corner)
        inside = np.array([across @ (point - tip), up @ (point - tip)])
        from_edge = inside - corner.at
        normal = corner.normal[0] * across + corner.normal[1] * up
        into = corner.into[0] * across + corner.into[1] * up
        # The rim climbs along the edge as the peg goes down, and drags the peg up with it.
        return np.dot(corner.normal, from_edge), np.dot(corner.into, from_edge), point - centre, -normal, into

    def _slips(self, position: tuple[float, float], advance: float) -> list[float]:
        return [self._met(corner, position, advance)[1] for corner in self.corners]

    def _forces(self, statuses: tuple[tuple[int, Status], ...], unknown: Floats) -> list[tuple[float, float]]:
        """Normal force and friction, counted against sliding down, of each contact."""
        forces, at = [], 2
        for _, status in statuses:
            normal = float(unknown[at])
            at += 1
            if status == "stick":
                forces.append((normal, float(unknown[at])))
                at += 1
            else:
                forces.append((normal, (1 if status == "down" else -1) * self.peg.friction * normal))
        return forces

    def _rest(
        self, advance: float, statuses: tuple[tuple[int, Status], ...], unknown: Floats, before: list[float]
    ) -> tuple[Floats, float]:
        """What is left of the equations, each over its scale; and the sum of forces along z."""
        peg, position = self.peg, (float(unknown[0]), float(unknown[1]))
        across = -peg.lateral * (position[0] - self.x0)
        turning = -peg.tilt * (position[1] - peg.lean)
        along = 0.0
        rest: list[float] = [0.0, 0.0]
        for (k, status), (normal, friction) in zip(statuses, self._forces(statuses, unknown), strict=True):
            gap, slip, arm, out, drag = self._met(self.corners[k], position, advance)
            push = normal * out + friction * drag
            across += push[0]
            along -= push[1]
            # Leaning moves a point of the peg by (-(z of its arm) ...): d/dth of (sin, cos) turned clockwise.
            turning += push[0] * arm[1] - push[1] * arm[0]
            rest.append(gap / self.length)
            if status == "stick":
                rest.append((slip - before[k]) / self.length)
        rest[0], rest[1] = across / self.force, turning / (self.force * self.length)
        return np.array(rest), along

    def _solve(
        self, advance: float, statuses: tuple[tuple[int, Status], ...], before: list[float]
    ) -> Floats | None:
        """Newton's iteration from where the peg was, by differences."""
        count = 2 + sum(2 if status == "stick" else 1 for _, status in statuses)
        unknown = np.zeros(count)
        unknown[:2] = self.position
        scale = np.array([self.length * 1e-6, 1e-6, *([self.force * 1e-3] * (count - 2))])
        for _ in range(_MOST_STEPS):
            rest, _ = self._rest(advance, statuses, unknown, before)
            if not np.isfinite(rest).all():
                return None
            if np.abs(rest).max(initial=0.0) < _SETTLED:
                return unknown
            steep = np.empty((count, count))
            for j in range(count):
                step = np.zeros(count)
                step[j] = scale[j]
                ahead, back = (
                    self._rest(advance, statuses, unknown + way * step, before)[0] for way in (1, -1)
                )
                steep[:, j] = (ahead - back) / (2 * scale[j])
            try:
                change = np.linalg.solve(steep, -rest)
            except np.linalg.LinAlgError:
                return None
            if abs(change[1]) > 1 or not np.isfinite(change).all():
                return None
            unknown = unknown + change
        rest, _ = self._rest(advance, statuses, unknown, before)
        return unknown if np.abs(rest).max(initial=0.0) < 1e3 * _SETTLED else None

    def _agrees(
        self, advance: float, statuses: tuple[tuple[int, Status], ...], unknown: Floats, before: list[float]
    ) -> bool:
        """Whether contacts push, slip as their friction has it, lie on their edges, and nothing else overlaps."""
        position = (float(unknown[0]), float(unknown[1]))
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

    def _told(self, advance: float, statuses: tuple[tuple[int, Status], ...], unknown: Floats) -> Held:
        position = (float(unknown[0]), float(unknown[1]))
        _, along = self._rest(advance, statuses, unknown, [0.0] * len(self.corners))
        tip, _, _ = self._pose(position, advance)
        contacts = tuple(
            (self.corners[k].name, status, normal)
            for (k, status), (normal, _) in zip(statuses, self._forces(statuses, unknown), strict=True)
        )
        pull = self.peg.lateral * (self.x0 - position[0])
        return Held(advance, float(tip[1]), along, pull, position[1], contacts)
