"""A hook as a law of place and velocity: small rotations of what it meets, friction that grows over a speed.

Where each contact slides, its friction is mu tanh(v / smooth) against the speed v at which the hook slides
past the counterpart. The hook itself has no inertia: how fast it moves is how fast the contacts that carry
push it, at the least of the support's energy (friction's share in that is left out). So there is no sticking
and no memory of friction: what a contact remembers is which surfaces meet, where a hook has several
rests. A hook that lets go is in its next rest at once.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from detent.library.mating.force_law import NOTHING, MatingLoad
from detent.motion.compliant.hooks.balance import BalanceColumns, Increment
from detent.motion.compliant.hooks.following import at_rest, follow_leg
from detent.motion.compliant.hooks.modes import fault_of, moved_by
from detent.motion.compliant.hooks.problem import SLIDES, HookMode, HookProblem, HookState
from detent.motion.compliant.hooks.told import load_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_NEAR = 1e-6  # of the hook's size: contacts so close touch
_STILL = 1e-12  # of the hook's size: no way at all
_BY_SPEED = 0.02  # in the hook's scales: how far friction moves it at one place, at another velocity
_FOLLOWS = 30.0  # the hook may go so many times as far as what it meets, before it is called a jump


@dataclass(frozen=True, eq=False)
class SmoothIncrement(Increment):
    """To a place that is reached at a velocity: friction follows that, not what has slid."""

    velocity: Floats | None = None  # (6,) of what is pushed: of `pivot`, then its rotation
    pivot: Floats | None = None  # (3,)
    smooth: float = 1.0  # [m/s]

    @property
    def statuses(self) -> tuple[int, ...]:
        return (SLIDES,)

    def _columns(self, q: Floats, mode: HookMode, kept: Mapping[int, Floats]) -> BalanceColumns:
        problem = self.problem
        frames, place = problem.frames(q, self.shift)
        met, normals, rates, passing = [], [], [], []
        for contact in mode:
            one = problem.surfaces.one(contact.row, frames)
            toward, other = (1.0, one.a) if one.b == problem.hook else (-1.0, one.b)
            met.append(one)
            normals.append(toward * one.normal)
            rates.append(place.rates(one.point))
            passing.append(self._velocity(problem.base, one.point) - self._velocity(other, one.point))
        speeds = _speeds(problem, normals, rates, passing)
        loads, gaps, forces, seen = [], [], [], []
        for contact, one, normal, rate, past in zip(mode, met, normals, rates, passing, strict=True):
            sliding = past + rate @ speeds
            sliding = sliding - normal * float(normal @ sliding)
            speed = math.sqrt(float(sliding @ sliding))
            column = normal
            if speed > 0:
                share = math.tanh(speed / self.smooth) / speed
                column = normal - problem.friction(contact.row) * share * sliding
            loads.append(place.loads(column, one.point))
            gaps.append(one.gap)
            forces.append([column])
            seen.append((one.point, normal, np.zeros(3), one.gap))
        matrix = np.array(loads).reshape(-1, len(q)).T
        ways = {contact.row: np.zeros(3) for contact in mode}
        return BalanceColumns(matrix, np.array(gaps, float), forces, seen, ways, [])

    def _velocity(self, body: int, point: Floats) -> Floats:
        """Of a body's material at a point."""
        if body not in self.problem.driven:
            return np.zeros(3)
        assert self.velocity is not None
        assert self.pivot is not None
        return np.asarray(self.velocity[:3] + np.cross(self.velocity[3:], point - self.pivot))


def _speeds(
    problem: HookProblem, normals: list[Floats], rates: list[Floats], passing: list[Floats]
) -> Floats:
    """(n,) of the hook's coordinates, so that contacts neither open nor overlap."""
    if not normals:
        return np.zeros(len(problem.support.free))
    closing = np.array([normal @ past for normal, past in zip(normals, passing, strict=True)])
    rows = np.array([normal @ rate for normal, rate in zip(normals, rates, strict=True)])
    gives = np.linalg.solve(problem.support.stiffness, rows.T)
    return np.asarray(gives @ np.linalg.lstsq(rows @ gives, -closing, rcond=None)[0])


@dataclass(frozen=True, eq=False)
class SmoothHookLaw:
    """Of one hook; SI."""

    name: str
    moving: str
    problem: HookProblem
    drawn: Floats  # (4, 4) of the moving part
    smooth: float

    def load(self, place: Floats, velocity: Floats, before: MatingLoad | None = None) -> MatingLoad:
        """On the moving part at a place, going on from the contacts before along the straight way there."""
        shift, origin = place @ np.linalg.inv(self.drawn), place[:3, 3]
        start = before.memory if before is not None else None
        if not isinstance(start, HookState):
            start = at_rest(self.problem, np.eye(4))

        def onwards(state: HookState, shift: Floats) -> SmoothIncrement:
            return SmoothIncrement(
                self.problem, state, shift, velocity=velocity, pivot=origin, smooth=self.smooth
            )

        along = shift - start.shift
        length = float(np.linalg.norm(along))
        state = self._alike(onwards(start, shift), length)
        if state is None:
            jams = (math.inf,) * 3
            if length <= _STILL * self.problem.length:
                return MatingLoad(jams, jams, start.names(self.problem), start)
            leg = follow_leg(
                self.problem, start, start.shift, along / length, length, steps=1, onwards=onwards
            )
            if leg.cause != "done":
                return MatingLoad(jams, jams, start.names(self.problem), start)
            state = leg.rows[-1].state
        if not state.mode:
            return MatingLoad(NOTHING.force, NOTHING.moment, (), state)
        fx, fy, fz, mx, my, mz = load_of(self.problem, state, origin).tolist()
        return MatingLoad((fx, fy, fz), (mx, my, mz), state.names(self.problem), state)

    def _alike(self, increment: SmoothIncrement, far: float) -> HookState | None:
        """The same contacts there; None where they do not carry."""
        problem, start = self.problem, increment.before
        near = _NEAR * problem.length
        after = increment.solve(start.mode)
        if after is None or not after.stable:
            return None
        if moved_by(problem, start, after) > (_FOLLOWS * far + near) / problem.length + _BY_SPEED:
            return None
        return after if fault_of(problem, after, 2 * far + near) is None else None
