"""Joints as equations: residuals and their Jacobian over all moving parts.

Three unknowns per moving part (x, y, angle), in document order. A revolute joint
closes two points; a slide keeps a point on a line and an angle; errata of the
seed: its printed point (a cos t, b sin t) lacks the mixed terms, and a slide
from two in-line rows loses rank where the markers meet, so it is one in-line
row and one angle here. Angle rows are scaled by the mechanism's size, so that
every residual is a length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from detent.model.machine.plane_linkage import (
    EQUATIONS,
    KEEP_ANGLE,
    MEET_AT_POINT,
    MEET_ON_LINE,
    PlaneJoint,
    PlaneLinkage,
    PlanePoint,
)

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class HeldCoordinate:
    """What is commanded: a joint's angle or travel, a mark's position in the world, a part's angle."""

    pair: int = -1
    mark: PlanePoint | None = None  # where `pair` is -1: the mark is held at `target`
    part: int = -1  # where both are not given: this part's angle

    @property
    def equations(self) -> int:
        return 1 if self.mark is None else 2


@dataclass(frozen=True)
class ClosureRows:
    """The equations of a system with some coordinates held."""

    system: PlaneLinkage
    pairs: tuple[PlaneJoint, ...]
    held: tuple[HeldCoordinate, ...]
    column: tuple[int, ...]  # first unknown of each part; -1 where it is fixed

    @cached_property
    def unknowns(self) -> int:
        return 3 * len(self.moving)

    @cached_property
    def moving(self) -> NDArray[np.intp]:
        """The parts that move, in the order of their unknowns."""
        return np.array([part for part, column in enumerate(self.column) if column >= 0], dtype=int)

    @cached_property
    def equations(self) -> int:
        return sum(EQUATIONS[p.kind] for p in self.pairs) + sum(h.equations for h in self.held)

    @cached_property
    def numbered(self) -> list[tuple[int, PlaneJoint]]:
        """The joints with the first of their rows."""
        firsts = np.cumsum([0, *(EQUATIONS[pair.kind] for pair in self.pairs)]).tolist()
        return list(zip(firsts, self.pairs, strict=False))

    @cached_property
    def not_pins(self) -> list[tuple[int, PlaneJoint]]:
        """The joints that have rows beside those of a pin."""
        return [(first, pair) for first, pair in self.numbered if pair.kind != "revolute"]

    @cached_property
    def pins(self) -> _Pins:
        """The rows that bring two points together: most of them, so they are written at once."""
        pinned = [(first, pair) for first, pair in self.numbered if pair.kind in MEET_AT_POINT]
        return _Pins(
            np.array([first for first, _ in pinned], dtype=int),
            _Marks.of([pair.b for _, pair in pinned], self.column),
            _Marks.of([pair.a for _, pair in pinned], self.column),
        )


@dataclass(frozen=True)
class _Marks:
    """Points of parts, one per joint: part, place in it, first unknown; `moving` are those that have one."""

    part: NDArray[np.intp]
    at: NDArray[np.complex128]
    column: NDArray[np.intp]
    moving: NDArray[np.bool_]

    @classmethod
    def of(cls, marks: Sequence[PlanePoint], column: Sequence[int]) -> _Marks:
        part = np.array([mark.part for mark in marks], dtype=int)
        first = np.array([column[k] for k in part.tolist()], dtype=int)
        return cls(part, np.array([mark.at for mark in marks], dtype=complex), first, first >= 0)


@dataclass(frozen=True)
class _Pins:
    """First rows of joints that bring b's point to a's."""

    row: NDArray[np.intp]
    b: _Marks
    a: _Marks


def rows_of(
    system: PlaneLinkage, held: Sequence[HeldCoordinate] = (), pairs: Sequence[PlaneJoint] | None = None
) -> ClosureRows:
    """The rows of a system's joints (or of some of them), and of what is held."""
    column, free = [], 0
    for fixed in system.fixed:
        column.append(-1 if fixed else free)
        free += 0 if fixed else 3
    return ClosureRows(system, tuple(system.pairs if pairs is None else pairs), tuple(held), tuple(column))


def drawn_poses(system: PlaneLinkage) -> Floats:
    """Poses as drawn, one row (x, y, angle) per part."""
    return np.array([(at.real, at.imag, angle) for at, angle in system.drawn], dtype=float).reshape(-1, 3)


def coordinate(pair: PlaneJoint, poses: Floats) -> float:
    """The joint's coordinate: angle from a's direction to b's [rad], or travel along a's [m]."""
    if pair.kind == "prismatic":
        across, u = _across(pair, poses)
        return float((across * u.conjugate()).real)
    return float(poses[pair.b.part, 2] + pair.b.turn - poses[pair.a.part, 2] - pair.a.turn)


def place(mark: PlanePoint, poses: Floats) -> complex:
    """Where a mark is in the world."""
    x, y, angle = poses[mark.part]
    return complex(x, y) + complex(np.cos(angle), np.sin(angle)) * mark.at


def residual_and_jacobian(
    rows: ClosureRows, poses: Floats, targets: Sequence[complex] = ()
) -> tuple[Floats, Floats]:
    """Residuals [m] and their derivatives by (x, y, angle) of each moving part.

    `targets` gives one number per held coordinate (a complex point for a held mark).
    """
    fill = _filled(rows, poses, targets, rows.unknowns)
    return fill.residual, fill.jacobian


def residual(rows: ClosureRows, poses: Floats, targets: Sequence[complex] = ()) -> Floats:
    """The residuals alone, where the Jacobian would not fit or is not asked for yet."""
    return _filled(rows, poses, targets, 0).residual


def _filled(rows: ClosureRows, poses: Floats, targets: Sequence[complex], columns: int) -> _Fill:
    fill = _Fill(rows, poses, columns)
    fill.pins(rows.pins)
    for first, pair in rows.not_pins:
        fill.pair(first, pair)
    fill.next = rows.equations - sum(held.equations for held in rows.held)
    for held, target in zip(rows.held, targets, strict=True):
        fill.held(held, target)
    return fill


def names_of_rows(rows: ClosureRows) -> list[str]:
    """The joint behind each equation; a drive's row is named by its joint."""
    names = [pair.name for pair in rows.pairs for _ in range(EQUATIONS[pair.kind])]
    for held in rows.held:
        if held.part >= 0:
            name = rows.system.parts[held.part]
        else:
            name = rows.system.pairs[held.pair].name if held.mark is None else "marker"
        names += [f"drive of {name}"] * held.equations
    return names


class _Fill:
    """Writes rows one after another."""

    def __init__(self, rows: ClosureRows, poses: Floats, columns: int) -> None:
        self.rows, self.poses = rows, poses
        self.residual = np.zeros(rows.equations)
        self.jacobian = np.zeros((rows.equations, columns))
        self.column = rows.column if columns else (-1,) * len(rows.column)
        self.next = 0
        self.at = poses[:, 0] + 1j * poses[:, 1]
        self.direction = np.exp(1j * poses[:, 2])

    def pins(self, pins: _Pins) -> None:
        """All joints that close two points, each at its place among the rows."""
        levers = [self.direction[marks.part] * marks.at for marks in (pins.b, pins.a)]
        gap = self.at[pins.b.part] + levers[0] - self.at[pins.a.part] - levers[1]
        self.residual[pins.row], self.residual[pins.row + 1] = gap.real, gap.imag
        if not self.jacobian.size:
            return
        for sign, marks, lever in zip((1.0, -1.0), (pins.b, pins.a), levers, strict=True):
            row, column = pins.row[marks.moving], marks.column[marks.moving]
            self.jacobian[row, column] += sign
            self.jacobian[row + 1, column + 1] += sign
            self.jacobian[row, column + 2] -= sign * lever[marks.moving].imag
            self.jacobian[row + 1, column + 2] += sign * lever[marks.moving].real

    def pair(self, first: int, pair: PlaneJoint) -> None:
        """The rows that a joint has beside those of a pin, which come before them."""
        self.next = first + 2 * (pair.kind in MEET_AT_POINT)
        if pair.kind in MEET_ON_LINE:
            self._along(pair, 1j, 0.0)
        if pair.kind in KEEP_ANGLE:
            angle = self.poses[pair.b.part, 2] + pair.b.turn - self.poses[pair.a.part, 2] - pair.a.turn
            self._angle_row(angle - pair.offset, ((pair.b.part, 1.0), (pair.a.part, -1.0)))
        if pair.kind == "gear":
            self._gear(pair)

    def held(self, held: HeldCoordinate, target: complex) -> None:
        if held.mark is not None:
            self._at(held.mark, target)
            return
        if held.part >= 0:
            self._angle_row(float(self.poses[held.part, 2]) - target.real, ((held.part, 1.0),))
            return
        pair = self.rows.system.pairs[held.pair]
        if pair.kind == "prismatic":
            self._along(pair, 1.0 + 0j, target.real)
        else:
            angle = coordinate(pair, self.poses)
            self._angle_row(angle - target.real, ((pair.b.part, 1.0), (pair.a.part, -1.0)))

    def _gear(self, pair: PlaneJoint) -> None:
        terms = [(pair.b.part, 1.0), (pair.a.part, -pair.ratio)]
        if pair.carrier >= 0:
            terms.append((pair.carrier, pair.ratio - 1.0))
        self._angle_row(sum(w * self.poses[p, 2] for p, w in terms) - pair.offset, terms)

    def _at(self, mark: PlanePoint, target: complex) -> None:
        """A mark held where it is told to be."""
        i, lever = self.next, self._lever(mark)
        gap = self.at[mark.part] + lever - target
        self.residual[i : i + 2] = gap.real, gap.imag
        if (c := self.column[mark.part]) >= 0:
            self.jacobian[i : i + 2, c : c + 3] += ((1.0, 0.0, -lever.imag), (0.0, 1.0, lever.real))
        self.next += 2

    def _along(self, pair: PlaneJoint, factor: complex, target: float) -> None:
        """The gap's component along u (`factor` 1) or across it (`factor` i)."""
        across, u = _across(pair, self.poses)
        axis = u * factor
        i = self.next
        self.residual[i] = (across * axis.conjugate()).real - target
        if (c := self.column[pair.b.part]) >= 0:
            self.jacobian[i, c : c + 2] += axis.real, axis.imag
            self.jacobian[i, c + 2] += (1j * self._lever(pair.b) * axis.conjugate()).real
        if (c := self.column[pair.a.part]) >= 0:
            self.jacobian[i, c : c + 2] -= axis.real, axis.imag
            lever = self._lever(pair.a)
            self.jacobian[i, c + 2] -= (1j * (lever + across) * axis.conjugate()).real
        self.next += 1

    def _angle_row(self, value: float, terms: Sequence[tuple[int, float]]) -> None:
        scale = self.rows.system.size
        self.residual[self.next] = scale * value
        for part, weight in terms:
            if (c := self.column[part]) >= 0:
                self.jacobian[self.next, c + 2] += scale * weight
        self.next += 1

    def _lever(self, mark: PlanePoint) -> complex:
        return complex(self.direction[mark.part] * mark.at)


def _across(pair: PlaneJoint, poses: Floats) -> tuple[complex, complex]:
    """From a's point to b's, and a's direction."""
    angle = poses[pair.a.part, 2] + pair.a.turn
    return place(pair.b, poses) - place(pair.a, poses), complex(np.cos(angle), np.sin(angle))
