"""The equations of motion as linear programs: is there an acceleration with given signs?

    M a + h = tau + (contact forces) + (joint forces),    joint rows x a + drift = 0,

where drift is the velocity product of a row.

A program has the signs of one mode, and for each contact a list of friction vectors that it may
combine. It works in units of the acceleration that there would be without contacts, over
velocities y whose inertia is a number, so that the units and the origin of the drawing decide
nothing; and it maximises the margin by which the signs hold.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from detent.contact.contacts import Contacts
from detent.contact.forces.at_velocity import Present
from detent.contact.forces.friction import refuse_blind, slip_rows, unit_normal
from detent.contact.modes.enumerate import Signs
from detent.numeric.arrangement.complex import EQUAL
from detent.numeric.linear_program import INFINITE, Program, maximise

Floats = NDArray[np.float64]

# A mode's signs must hold by this share of the largest acceleration that the
# forces alone would cause; below it the solver's rounding would decide.
CLEAR = 1e-7
# Where no mode's signs hold so clearly, those are named that hold by this, as being on the edge.
BARELY = 1e-11

Range = tuple[float, float]  # of a force: the least, and the largest or INFINITE


def held_by(joints: Floats, rows: Floats) -> NDArray[np.bool_]:
    """Which rows joints hold, but for rounding; `joints` has the velocities that they leave, orthonormal."""
    held: NDArray[np.bool_] = np.linalg.norm(rows @ joints, axis=1) <= EQUAL * np.linalg.norm(rows, axis=1)
    return held


def on_free(rows: Floats, free: Floats, joints: Floats) -> Floats:
    """Rows over another basis of what joints leave, `free`.

    What joints hold is zero, not rounding: a force along it has no bound, and would move the parts.
    """
    return np.where(held_by(joints, rows)[:, None], 0.0, rows @ free)


@dataclass(frozen=True, eq=False)
class Slip:
    """A contact on y: its unit normal, its tangential velocity, and how its planes divide that."""

    normal: Floats  # (k,)
    rows: Floats  # (s, k), s = 0, 1 or 2 orthonormal axes of the tangent plane
    rest: Floats  # (s,) what is left of the tangential acceleration at y = 0
    planes: Floats  # (planes, s)


@dataclass(frozen=True, eq=False)
class Solution:
    """Where a program ends: y, by contact the weights of its friction vectors, and their sum as a vector."""

    y: Floats
    normal: dict[int, float]
    friction: dict[int, Floats]  # per unit of the coefficient
    margin: float  # by which the signs hold, as a share of the accelerations without contacts


# By how much rows of a mode that has a solution are loosened, one after the other, to find its ranges.
_LOOSENED = (0.0, 1e-9, 1e-8, 1e-7, 1e-6)


@dataclass(frozen=True, eq=False)
class Equations:
    """The equations of motion in the velocities that joints leave: a = start + scale x free x y."""

    contacts: Contacts  # floats
    planes: tuple[int, ...]
    now: Present
    mu: list[float]
    rows: Floats  # (signs, d) unit rows
    shift: Floats  # (signs,) velocity products along them
    drift: tuple[Floats, ...]  # by contact, velocity products of its planes
    joints: Floats  # (d, k) the velocities that joints leave, orthonormal
    free: Floats  # (d, k) the same, inertia a number times the unit matrix
    start: Floats  # (d,) what joints ask for by themselves
    load: Floats  # (k,) in units of `scale` and `unit`
    scale: float  # of accelerations
    unit: float  # of inertia, which over y is this number times the unit matrix

    def on_free(self, rows: Floats) -> Floats:
        """Rows on y."""
        return on_free(rows, self.free, self.joints)

    @cached_property
    def along(self) -> Floats:
        """The rows of signs on y."""
        return self.on_free(self.rows)

    @cached_property
    def rest(self) -> Floats:
        """What is left of row x a + drift at y = 0, in units of `scale`."""
        rest: Floats = (self.rows @ self.start + self.shift) / self.scale
        return rest

    def planes_of(self, contact: int) -> slice:
        first = len(self.contacts) + sum(self.planes[:contact])
        return slice(first, first + self.planes[contact])

    @cached_property
    def _slips(self) -> dict[int, Slip]:
        return {}

    def slip(self, contact: int) -> Slip:
        """A contact on y; friction where not all of the tangent plane is seen is refused."""
        if contact not in self._slips:
            refuse_blind(self.contacts, contact, self.mu[contact])
            rows, planes = slip_rows(self.contacts, contact)
            drift: Floats = np.zeros(len(rows))
            if len(rows) and self.drift[contact].any():
                drift = np.asarray(np.linalg.lstsq(planes, self.drift[contact], rcond=None)[0], float)
            self._slips[contact] = Slip(
                self.on_free(unit_normal(self.contacts, contact)[None])[0],
                self.on_free(rows),
                (rows @ self.start + drift) / self.scale,
                planes,
            )
        return self._slips[contact]

    def pushes(self, contact: int, vectors: Floats) -> Floats:
        """A unit of normal force with each of these friction vectors, as forces on y."""
        slip = self.slip(contact)
        return slip.normal + self.mu[contact] * vectors @ slip.rows

    def program(
        self, signs: Signs, vectors: Mapping[int, Floats], sides: Floats, clear: float = CLEAR
    ) -> Solution | None:
        """The best solution with these signs, these friction vectors of the contacts that touch, and `sides`.

        Each of `sides` is a row on y and a number that together are not to be negative. Signs hold by more
        than `clear`; below what is clear rows are held as loosely as the solver takes them.
        """
        matrix, low, high, least, most = self._rows(signs, vectors, sides)
        k, p = len(self.load), len(most) - len(self.load) - 1
        cost = np.r_[np.zeros(k + p), 1.0]
        exacting = clear >= CLEAR
        best = maximise(cost, matrix, low, high, least=least, most=most, exacting=exacting)
        strict = bool((self.now.open & (np.abs(signs) == 1)).any())
        if best is None or (strict and best[-1] <= clear):
            return None
        pushes = list(vectors.values())
        shares = np.split(best[k : k + p], np.cumsum([len(friction) for friction in pushes])[:-1])
        return Solution(
            best[:k],
            {i: float(share.sum()) for i, share in zip(vectors, shares, strict=False)},
            {i: share @ friction for share, (i, friction) in zip(shares, vectors.items(), strict=False)},
            float(best[-1]),
        )

    def normal_range(self, signs: Signs, vectors: Mapping[int, Floats], sides: Floats, contact: int) -> Range:
        """The least and the largest normal force of a contact, with all else that `program` asks for."""
        owner = np.repeat(list(vectors), [len(friction) for friction in vectors.values()])
        cost = np.r_[np.zeros(len(self.load)), (owner == contact).astype(float), 0.0]
        low, high = self._range(signs, vectors, sides, cost)
        force = self.unit * self.scale
        return force * max(0.0, low), force * max(0.0, high)

    def acceleration_range(
        self, signs: Signs, vectors: Mapping[int, Floats], sides: Floats, row: Floats
    ) -> Range:
        """The least and the largest row x acceleration, with all else that `program` asks for."""
        count = sum(map(len, vectors.values()))
        along = self.on_free(row[None])[0]
        low, high = self._range(signs, vectors, sides, np.r_[along, np.zeros(count + 1)])
        start = float(row @ self.start)
        return start + self.scale * low, start + self.scale * high

    def heading_range(
        self, signs: Signs, vectors: Mapping[int, Floats], sides: Floats, contact: int, middle: float
    ) -> Range | None:
        """Between which angles beside `middle` the friction of a contact that begins to slide points.

        Less than a right angle to either side, as `sides` have it; None without a motion. The program is
        scaled so that the sliding is one unit against `middle`: what it is across that are tangents.
        """
        slip = self.slip(contact)
        against = -np.array([math.cos(middle), math.sin(middle)])
        aside = np.array([-against[1], against[0]])
        matrix, low, high, least, most = self._rows(signs, vectors, sides)
        level = low == high
        count = len(least)
        rest = np.zeros(count - len(self.load))
        ahead = np.r_[against @ slip.rows, rest, against @ slip.rest]
        across = np.r_[aside @ slip.rows, rest, aside @ slip.rest]
        rows = np.vstack([np.hstack([matrix, -low[:, None]]), ahead])
        most = np.r_[most[:-1], 0.0, INFINITE]  # the closure of the mode
        for loose in (_LOOSENED[0], _LOOSENED[-1]):
            above = np.r_[np.where(level, loose, INFINITE), 1.0]
            below = np.r_[np.full(len(low), -loose), 1.0]
            ends = [
                sign
                * Program(
                    sign * across, rows, below, above, np.r_[least, 0.0], most, exacting=not loose
                ).bound()
                for sign in (-1.0, 1.0)
            ]
            if ends[0] <= ends[1]:
                return math.atan(ends[0]), math.atan(ends[1])
        return None

    def _range(self, signs: Signs, vectors: Mapping[int, Floats], sides: Floats, cost: Floats) -> Range:
        """The least and the largest cost in the closure of a mode.

        A load at a threshold has solutions only to rounding: where the program has none at the solver's
        tightest, rows are held as loosely as those of the mode itself were, and then loosened step by step.
        """
        matrix, low, high, least, most = self._rows(signs, vectors, sides)
        most[-1] = 0.0  # the closure of the mode: the bounds of its forces
        known = -INFINITE, INFINITE
        for loose in _LOOSENED:
            ends = []
            for sign in (-1.0, 1.0):
                program = Program(
                    sign * cost, matrix, low - loose, high + loose, least, most, exacting=not loose
                )
                ends.append(sign * program.bound())
            if ends[0] <= ends[1]:
                # An end without a bound may be one that the solver could not find: looser rows may tell.
                known = max(known[0], ends[0]), min(known[1], ends[1])
                if np.isfinite(known).all():
                    break
        return known

    def _rows(
        self, signs: Signs, vectors: Mapping[int, Floats], sides: Floats
    ) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        """Rows and bounds of the program, on y, the weights of the friction vectors, and the margin."""
        pushes = [self.pushes(i, friction) for i, friction in vectors.items()]
        generators = np.concatenate([np.zeros((0, len(self.load))), *pushes])
        zero = np.flatnonzero(self.now.open & (signs == 0))
        strict = np.flatnonzero(self.now.open & (np.abs(signs) == 1))
        sign = signs[strict].astype(float)
        k, p, m = len(self.load), len(generators), len(strict)
        rows = [
            np.hstack([np.eye(k), -generators.T, np.zeros((k, 1))]),
            np.hstack([self.along[zero], np.zeros((len(zero), p + 1))]),
            np.hstack([self.along[strict] * sign[:, None], np.zeros((m, p)), -np.ones((m, 1))]),
            np.hstack([sides[:, :-1], np.zeros((len(sides), p + 1))]),
        ]
        low = np.r_[self.load, -self.rest[zero], -self.rest[strict] * sign, -sides[:, -1]]
        high = np.r_[self.load, -self.rest[zero], np.full(m + len(sides), INFINITE)]
        least = np.r_[np.full(k, -INFINITE), np.zeros(p), 0.0]
        most = np.r_[np.full(k + p, INFINITE), 1.0]
        return np.vstack(rows), low, high, least, most

    def motion(self, solution: Solution) -> tuple[Floats, tuple[float, ...]]:
        """Acceleration and normal forces of a solution, in the user's units."""
        force = self.unit * self.scale
        normal = [force * max(0.0, solution.normal.get(i, 0.0)) for i in range(len(self.contacts))]
        return self.start + self.scale * (self.free @ solution.y), tuple(normal)
