"""A hook as a law of place and velocity: small rotations of what it meets, friction that grows over a speed.

Where each contact slides, its friction is mu tanh(v / smooth) against the speed v at which the hook slides
past the counterpart. The hook itself has no inertia: how fast it moves is how fast the contacts that carry
push it, at the least of the support's energy (friction's share in that is left out). So there is no sticking
and no memory of friction. What the law remembers is which contacts carry. It goes on with them, smoothly,
also a little beyond where they end; who steps looks by `over` whether they have ended, locates that instant,
and asks by `resumed` what follows: other contacts close by or, where nothing is in balance close by, the rest
to which the hook jumps. Two rigid contacts of one face cannot share a load, so contacts give way: by the
document's stiffness, or by one that is large beside that of the support.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from detent.foundation.names import listed
from detent.library.mating.force_law import NOTHING, MatingLoad
from detent.motion.compliant.hooks.balance import BalanceColumns, Increment
from detent.motion.compliant.hooks.following import at_rest, rows_around, settled
from detent.motion.compliant.hooks.modes import fault_of, moved_by, search
from detent.motion.compliant.hooks.problem import SLIDES, HookMode, HookProblem, HookState
from detent.motion.compliant.hooks.support import cross
from detent.motion.compliant.hooks.told import load_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# A contact, where the document gives it no stiffness, is so many times as stiff as the support at its
# stiffest.
STIFFER = 1000.0
# Where contacts give way, both ends of an edge rest on a surface that leans by what they have sunk in.
_LEANS = 1e-2
_NEAR = 1e-6  # of the hook's size: contacts so close touch
_BY_SPEED = 0.02  # in the hook's scales: how far friction moves it at one place, at another velocity
_FOLLOWS = 30.0  # the hook may go so many times as far as what it meets, before it is called a jump
_SINKS = 4.0
_ROUNDED = 1e-9  # of what is stored: so little is no dissipation


@dataclass(frozen=True, eq=False)
class SmoothIncrement(Increment):
    """To a place that is reached at a velocity: friction follows that, not what has slid."""

    velocity: Floats | None = None  # (6,) of what is pushed: of `pivot`, then its rotation
    pivot: Floats | None = None  # (3,)
    smooth: float = 1.0  # [m/s]
    looks: bool = True  # whether a balance is asked for its stability
    most: ClassVar[int] = 6  # of contacts that give way, as where a face comes to lie on a face

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
        gives = self._compliances(mode, len(mode))
        speeds = _speeds(problem, normals, rates, passing, gives)
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

    def _is_stable(
        self,
        q: Floats,
        mode: HookMode,
        at: BalanceColumns,
        forces: Floats,
        stiff: Floats,
        jacobian: Floats | None,
    ) -> bool:
        return not self.looks or super()._is_stable(q, mode, at, forces, stiff, jacobian)

    def stays(self, state: HookState) -> bool:
        """Whether a balance that was not asked for its stability has it."""
        forces = np.array([contact.pressure for contact in state.carried])
        at = self._columns(state.coordinates, state.mode, {})
        stiff = self.problem.support.stiffness
        return super()._is_stable(state.coordinates, state.mode, at, forces, stiff, None)

    def _velocity(self, body: int, point: Floats) -> Floats:
        """Of a body's material at a point."""
        if body not in self.problem.driven:
            return np.zeros(3)
        assert self.velocity is not None
        assert self.pivot is not None
        return np.asarray(self.velocity[:3] + cross(self.velocity[3:], point - self.pivot))


def _speeds(
    problem: HookProblem, normals: list[Floats], rates: list[Floats], passing: list[Floats], gives: Floats
) -> Floats:
    """(n,) of the hook's coordinates, so that contacts close no faster than they give way."""
    if not normals:
        return np.zeros(len(problem.support.free))
    closing = np.array([normal @ past for normal, past in zip(normals, passing, strict=True)])
    rows = np.array([normal @ rate for normal, rate in zip(normals, rates, strict=True)])
    bends = problem.inverse_stiffness @ rows.T
    return np.asarray(bends @ np.linalg.lstsq(rows @ bends + gives, -closing, rcond=None)[0])


@dataclass(frozen=True, eq=False)
class SmoothMemory:
    """Where a hook is, and how it came there."""

    increment: SmoothIncrement
    state: HookState | None  # None where its contacts are in no balance

    @cached_property
    def over(self) -> bool:
        """Whether the contacts that carried do so no longer."""
        if self.state is None or not self.increment.stays(self.state):
            return True
        problem, start = self.increment.problem, self.increment.before
        far = _far(self.increment)
        hook = problem.length * float(
            np.abs((self.state.coordinates - start.coordinates) / problem.scales).sum()
        )
        return fault_of(problem, self.state, 2 * far + hook + _NEAR * problem.length) is not None


@dataclass(frozen=True, eq=False)
class SmoothHookLaw:
    """Of one hook; SI."""

    name: str
    moving: str
    given: HookProblem
    drawn: Floats  # (4, 4) of the moving part
    smooth: float

    @cached_property
    def problem(self) -> HookProblem:
        """With contacts that give way."""
        stiffest = self.given.energy / self.given.length**2
        surfaces = self.given.surfaces.leaning(_LEANS)
        return replace(self.given, gives=1 / (STIFFER * stiffest), surfaces=surfaces)

    @property
    def assumed(self) -> tuple[str, ...]:
        if not any(
            self.problem.compliance(row) == self.problem.gives for row in range(self.problem.surfaces.count)
        ):
            return ()
        return (
            f"joints.{self.name}: contacts give way by their force over {1 / self.problem.gives:.3g} N/m, "
            f"{STIFFER:g} times the support's largest stiffness, where touching.pairs gives no stiffness "
            "(chosen for Detent, not measured)",
            f"joints.{self.name}: the speed of sliding is that at which contacts without friction push the "
            "hook; no sticking, no inertia of the hook",
        )

    def load(self, place: Floats, velocity: Floats, before: MatingLoad | None = None) -> MatingLoad:
        """On the moving part at a place, by the contacts that carried before; infinite without a balance."""
        shift, origin = place @ self._undrawn, place[:3, 3]
        kept = None if before is None else before.memory
        start = kept.state if isinstance(kept, SmoothMemory) else None
        if start is None:
            start = at_rest(self.problem, np.eye(4))
        increment = SmoothIncrement(
            self.problem, start, shift, velocity=velocity, pivot=origin, smooth=self.smooth, looks=False
        )
        state = increment.solve(start.mode)
        if state is not None:
            most = _FOLLOWS * _far(increment) / self.problem.length + _NEAR + _BY_SPEED
            state = None if moved_by(self.problem, start, state) > most else state
        return self._told(SmoothMemory(increment, state))

    def over(self, load: MatingLoad) -> bool:
        """Whether the contacts with which the law went on no longer carry there."""
        return isinstance(load.memory, SmoothMemory) and load.memory.over

    def resumed(self, load: MatingLoad) -> MatingLoad | None:
        """What follows at the same place once contacts have ended; None where nothing is in balance."""
        memory = load.memory
        assert isinstance(memory, SmoothMemory)
        problem, increment = self.problem, memory.increment
        start = increment.before if memory.state is None else memory.state
        from_here = replace(increment, before=start, looks=True)
        near = _NEAR * problem.length
        frames, _ = problem.frames(start.coordinates, increment.shift)
        rows = rows_around(problem, start, frames, 50 * near)
        # Contacts that take over may sink in as far as those before them.
        sunk = max((-contact.gap for contact in start.carried), default=0.0)
        most = 2 * _FOLLOWS * (_NEAR + _far(from_here) / problem.length) + _SINKS * sunk / problem.length
        after = search(from_here, rows, depth=100 * near, most=most)
        if after is not None:
            return self._told(SmoothMemory(replace(from_here, before=after), after))
        landed = settled(from_here)
        if landed is None or not np.isfinite(landed.coordinates).all():
            return None
        lost = problem.stored(start) - problem.stored(landed)
        found = self._told(SmoothMemory(replace(from_here, before=landed), landed))
        stored = problem.stored(start)
        return found if lost < _ROUNDED * stored else replace(found, dissipated=lost, stored_before=stored)

    def stuck(self, load: MatingLoad) -> str:
        """Why nothing follows."""
        against = listed(list(load.contacts)) or "what it meets"
        return f"the hook on {self.name} finds no balance any more against {against}"

    @property
    def carries(self) -> str:
        return self.problem.system.bodies[self.problem.hook].name

    def state(self, load: MatingLoad) -> HookState:
        """Of the hook; where it was last in balance, if it is in none."""
        assert isinstance(load.memory, SmoothMemory)
        return load.memory.state or load.memory.increment.before

    def poses(self, loads: Sequence[MatingLoad], unit: float) -> Floats:
        from scipy.spatial.transform import Rotation

        frames = np.array([self.state(load).frames[self.problem.hook] for load in loads])
        turned = Rotation.from_matrix(frames[:, :3, :3]).as_quat(scalar_first=True)
        return np.column_stack([unit * frames[:, :3, 3], turned])

    @cached_property
    def _undrawn(self) -> Floats:
        return np.asarray(np.linalg.inv(self.drawn))

    def _told(self, memory: SmoothMemory) -> MatingLoad:
        state = memory.state
        if state is None:
            jams = (math.inf,) * 3
            return MatingLoad(jams, jams, memory.increment.before.names(self.problem), memory)
        if not state.mode:
            return MatingLoad(NOTHING.force, NOTHING.moment, (), memory)
        assert memory.increment.pivot is not None
        fx, fy, fz, mx, my, mz = load_of(self.problem, state, memory.increment.pivot).tolist()
        return MatingLoad((fx, fy, fz), (mx, my, mz), state.names(self.problem), memory)


def _far(increment: SmoothIncrement) -> float:
    """[m] How far what is pushed goes at most, near the hook."""
    assert increment.pivot is not None
    before, after = increment.before.shift, increment.shift
    here = np.append(increment.pivot, 1.0)
    there = before @ np.linalg.solve(after, here)
    turned = float(np.linalg.norm(after[:3, :3] - before[:3, :3]))
    return float(np.linalg.norm(here[:3] - there[:3])) + turned * increment.problem.length
