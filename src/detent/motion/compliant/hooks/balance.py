"""The hook in balance on its support, for contacts that are known to carry and to slide or stick.

    K q + (K / creep) (q - q0) = sum of lambda (N - mu d) by the rates of their points
    gap + lambda / k = 0

N is the normal towards the hook, d the unit direction in which the hook slides past the counterpart since
the state before, k the stiffness of a contact (none unless the document gives one: gap = 0). A contact that
sticks has its friction as unknowns, and what it has slid is zero. The second term, for a finite `creep`, lets
the hook go only a little towards its equilibrium: how a jump is followed. After Meitinger & Pfeiffer (37),
with exact rotations, and with the directions that are rigid taken out; their zero rows would be singular.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from detent.motion.compliant.hooks.problem import (
    SLIDES,
    SLIDES_BACK,
    STICKS,
    CarriedContact,
    HookMode,
    HookProblem,
    HookState,
)
from detent.motion.compliant.hooks.stability import is_stable
from detent.motion.compliant.hooks.support import cross

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_ITERATIONS = 14
# Of the scales of energy and length: a residual so small is rounding of what it is made of.
_SOLVED = 1e-12
# What it may be where friction follows a direction, of which rounding leaves fewer digits the less has slid.
_NEARLY = 1e-8
# Of the length: a difference for derivatives, which leaves half of the digits.
_STEP = 1e-7
# Of the largest singular value: what is less says nothing, of differences.
_RANK = 1e-6
# Of the length: what has slid less has no direction of its own, and keeps the one it had.
_STILL = 1e-5


@dataclass(frozen=True, eq=False)
class BalanceColumns:
    """What contacts do at some coordinates, for forces of one."""

    loads: Floats  # (n, u) on the coordinates, by each unknown force
    gaps: Floats  # (u,) what must vanish: gaps, then what sticks has slid
    forces: list[list[Floats]]  # of each contact: on the hook, by each of its unknowns
    seen: list[tuple[Floats, Floats, Floats, float]]  # point, normal towards the hook, slid, gap
    ways: dict[int, Floats]  # by row: directions in which contacts slide
    # Of those that follow what has slid: column, normal, how much has slid, rates of the point, friction,
    # row.
    turning: list[tuple[int, Floats, float, Floats, float, int]]


@dataclass(frozen=True, eq=False)
class BalanceStep(ABC):
    """From one state to where the push has gone on, or the hook has crept on; how friction acts is open."""

    problem: HookProblem
    before: HookState
    shift: Floats
    creep: float = field(default=math.inf, kw_only=True)
    most: ClassVar[int]  # contacts that carry at once

    @property
    @abstractmethod
    def statuses(self) -> tuple[int, ...]:
        """How a contact that comes can be held."""

    @abstractmethod
    def solve(self, mode: HookMode, guess: Floats | None = None) -> HookState | None:
        """The balance with these contacts near the state before; None where there is none."""


@dataclass(frozen=True, eq=False)
class Increment(BalanceStep):
    """With friction by what has slid."""

    most: ClassVar[int] = 3

    @property
    def statuses(self) -> tuple[int, ...]:
        return (SLIDES, SLIDES_BACK, STICKS) if self.problem.plane else (SLIDES, STICKS)

    def solve(self, mode: HookMode, guess: Floats | None = None) -> HookState | None:
        """The balance with these contacts near the state before; None where there is none, or not one.

        In space the direction of friction is that of what has slid. A hook that creeps keeps the one it had:
        where it comes to rest it slides less and less, at last by nothing that has a direction.
        """
        kept = {} if math.isinf(self.creep) else self.before.slides
        return self._solve(mode, kept, guess)

    def _solve(self, mode: HookMode, kept: Mapping[int, Floats], guess: Floats | None) -> HookState | None:
        problem, scales = self.problem, self.problem.scales
        q = self.before.coordinates.copy() if guess is None else guess.copy()
        creep = 0.0 if math.isinf(self.creep) else 1 / self.creep
        stiff = problem.support.stiffness * (1 + creep)
        pull = problem.support.stiffness @ self.before.coordinates * creep
        units = _units(mode, problem)
        at = self._columns(q, mode, kept)
        forces = _least(at.loads, stiff @ q - pull)
        compliance = self._compliances(mode, len(forces))
        jacobian: Floats | None = None
        last, n = math.inf, len(q)
        for _ in range(_ITERATIONS):
            residual = np.concatenate(
                [
                    (stiff @ q - pull - at.loads @ forces) * scales / problem.energy,
                    (at.gaps + compliance @ forces) / problem.length,
                ]
            )
            size = float(np.abs(residual).max(initial=0.0))
            if not math.isfinite(size):
                return None
            if size < _SOLVED or (size < _NEARLY and size > last / 2):
                return self._state(q, mode, at, forces, stiff, jacobian)
            if jacobian is None or size > last / 20:
                jacobian = self._jacobian(q, mode, at, forces, stiff, compliance, units)
            last = size
            try:
                step = _newton(jacobian, residual, problem, mode)
            except np.linalg.LinAlgError:
                return None
            if not float(np.abs(step[:n]).max(initial=0.0)) < 1.0:
                return None
            q = q - step[:n] * scales
            forces = forces - step[n:] * units
            at = self._columns(q, mode, kept)
        return self._state(q, mode, at, forces, stiff, jacobian) if last < _NEARLY else None

    def _jacobian(
        self,
        q: Floats,
        mode: HookMode,
        at: BalanceColumns,
        forces: Floats,
        stiff: Floats,
        compliance: Floats,
        units: Floats,
    ) -> Floats:
        problem, scales = self.problem, self.problem.scales
        n, u = len(q), len(forces)
        jacobian = np.zeros((n + u, n + u))
        carried = at.loads @ forces
        for k in range(n):
            moved = q.copy()
            moved[k] += _STEP * scales[k]
            there = self._columns(moved, mode, at.ways)
            jacobian[:n, k] = stiff[:, k] * scales[k] - (there.loads @ forces - carried) / _STEP
            jacobian[n:, k] = (there.gaps - at.gaps) / _STEP / problem.length
        jacobian[:n, :n] += self._turning(at, forces) * scales
        jacobian[:n] *= scales[:, None] / problem.energy
        jacobian[:n, n:] = -at.loads * units * scales[:, None] / problem.energy
        jacobian[n:, n:] = compliance * units / problem.length
        return jacobian

    def _turning(self, at: BalanceColumns, forces: Floats) -> Floats:
        """(n, n) what friction changes by as what has slid changes its direction; the differences hold it."""
        n = len(self.problem.support.free)
        turning = np.zeros((n, n))
        for column, along, size, rates, mu, row in at.turning:
            way = at.ways[row]
            across = rates - np.outer(along, along @ rates)
            turned = (across - np.outer(way, way @ across)) / size
            turning += mu * forces[column] * rates.T @ turned
        return turning

    def _compliances(self, mode: HookMode, count: int) -> Floats:
        """(u, u): what a contact gives way by its force; a corner between two surfaces is one contact."""
        compliance = np.zeros((count, count))
        places, k = [], 0
        for contact in mode:
            places.append(k)
            k += 1 if contact.status != STICKS else (2 if self.problem.plane else 3)
        for i, contact in zip(places, mode, strict=True):
            for j, other in zip(places, mode, strict=True):
                if i == j or self.problem.surfaces.one_corner(contact.row, other.row):
                    compliance[i, j] = self.problem.compliance(contact.row)
        return compliance

    def _columns(self, q: Floats, mode: HookMode, kept: Mapping[int, Floats]) -> BalanceColumns:
        """Contacts at some coordinates; those of `kept` slide in a direction that is known."""
        problem, before = self.problem, self.before
        frames, place = problem.frames(q, self.shift)
        loads: list[Floats] = []
        gaps: list[float] = []
        forces: list[list[Floats]] = []
        seen, turning = [], []
        ways: dict[int, Floats] = {}
        for contact in mode:
            row = contact.row
            met = problem.surfaces.one(row, frames)
            toward, other = (1.0, met.a) if met.b == problem.hook else (-1.0, met.b)
            normal = toward * met.normal
            slid = _slid(before.frames, frames, problem.hook, other, met.point)
            slid -= normal * float(normal @ slid)
            gaps.append(met.gap)
            if contact.status == STICKS:
                tangents = _tangents(normal, problem.plane)
                columns = [normal, *tangents]
                gaps += [float(way @ slid) for way in tangents]
            else:
                mu = problem.friction(row)
                if problem.plane:
                    ways[row] = contact.status * np.array([-normal[1], normal[0], 0.0])
                elif row in kept:
                    ways[row], _ = _along(kept[row], normal)
                else:
                    still = _STILL * problem.length * before.slides.get(row, np.zeros(3))
                    ways[row], size = _along(slid + still, normal)
                    if size > 0:
                        turning.append((len(loads), normal, size, place.rates(met.point), mu, row))
                columns = [normal - mu * ways[row]]
            loads += [place.loads(column, met.point) for column in columns]
            forces.append(columns)
            seen.append((met.point, normal, slid, met.gap))
        matrix = np.array(loads).reshape(-1, len(q)).T
        return BalanceColumns(matrix, np.array(gaps, float), forces, seen, ways, turning)

    def _state(
        self,
        q: Floats,
        mode: HookMode,
        at: BalanceColumns,
        forces: Floats,
        stiff: Floats,
        jacobian: Floats | None,
    ) -> HookState:
        problem = self.problem
        frames, _ = problem.frames(q, self.shift)
        carried, slides, k = [], {}, 0
        for contact, columns, (point, normal, slid, gap) in zip(mode, at.forces, at.seen, strict=True):
            own = forces[k : k + len(columns)]
            k += len(columns)
            force = np.sum([f * column for f, column in zip(own, columns, strict=True)], axis=0)
            pressure = float(force @ normal)
            along = force - pressure * normal
            mu = problem.friction(contact.row)
            rubs = math.sqrt(float(along @ along))
            cone = mu * pressure
            share = rubs / cone if cone > 0 else (0.0 if rubs == 0 else math.inf)
            if contact.status != STICKS:
                slides[contact.row] = at.ways[contact.row]
            carried.append(
                CarriedContact(contact.row, contact.status, pressure, force, point, normal, slid, gap, share)
            )
        stable = self._is_stable(q, mode, at, forces, stiff, jacobian)
        return HookState(self.shift, q, frames, mode, tuple(carried), stable, slides)

    def _is_stable(
        self,
        q: Floats,
        mode: HookMode,
        at: BalanceColumns,
        forces: Floats,
        stiff: Floats,
        jacobian: Floats | None,
    ) -> bool:
        if jacobian is None:
            compliance = self._compliances(mode, len(forces))
            jacobian = self._jacobian(q, mode, at, forces, stiff, compliance, _units(mode, self.problem))
        return is_stable(self.problem, mode, stiff, jacobian)


def _newton(jacobian: Floats, residual: Floats, problem: HookProblem, mode: HookMode) -> Floats:
    """In space a hook may be held rigidly along a tangent of what sticks: its friction there is none."""
    if not problem.plane and any(contact.status == STICKS for contact in mode):
        return np.asarray(np.linalg.lstsq(jacobian, residual, rcond=_RANK)[0])
    return np.asarray(np.linalg.solve(jacobian, residual))


def _units(mode: HookMode, problem: HookProblem) -> Floats:
    """(u,) one unit of each unknown force."""
    count = sum(1 if c.status != STICKS else (2 if problem.plane else 3) for c in mode)
    return np.full(count, problem.energy / problem.length)


def _least(loads: Floats, wanted: Floats) -> Floats:
    if not loads.shape[1]:
        return np.zeros(0)
    return np.asarray(np.linalg.lstsq(loads, wanted, rcond=None)[0])


def _slid(before: Floats, after: Floats, hook: int, other: int, point: Floats) -> Floats:
    """How far the hook's material at a point went past the other's, between two states."""
    places = []
    for body in (hook, other):
        here, there = after[body], before[body]
        local = here[:3, :3].T @ (point - here[:3, 3])
        places.append(there[:3, :3] @ local + there[:3, 3])
    return np.asarray(places[1] - places[0])


def _along(way: Floats, normal: Floats) -> tuple[Floats, float]:
    """The unit of a vector along a surface, and its length."""
    flat = way - normal * float(normal @ way)
    size = math.sqrt(float(flat @ flat))
    return (flat / size if size > 0 else flat), size


def _tangents(normal: Floats, plane: bool) -> list[Floats]:
    if plane:
        return [np.array([-normal[1], normal[0], 0.0])]
    axis = np.eye(3)[int(np.argmin(np.abs(normal)))]
    first = cross(normal, axis)
    first /= math.sqrt(float(first @ first))
    return [first, cross(normal, first)]
