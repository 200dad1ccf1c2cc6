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
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from detent.foundation.names import listed
from detent.library.mating.force_law import NOTHING, MatingLoad
from detent.motion.compliant.hooks.balance import BalanceStep
from detent.motion.compliant.hooks.following import at_rest, rows_around, settled
from detent.motion.compliant.hooks.modes import fault_of, moved_by, search
from detent.motion.compliant.hooks.problem import (
    SLIDES,
    CarriedContact,
    HeldContact,
    HookMode,
    HookProblem,
    HookState,
)
from detent.motion.compliant.hooks.smooth_balance import (
    COLUMN,
    FOUND,
    GAP,
    NORMAL,
    POINT,
    SHAPE,
    balance_hook,
    balance_rates,
    room_of,
    see_contacts,
)
from detent.motion.compliant.hooks.stability import is_stable
from detent.motion.compliant.hooks.surfaces import SpaceSurfaces, many_to_come
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
_WORK = 1e8  # of a run, in elementary steps: thousands of balances


@dataclass(frozen=True, eq=False)
class SmoothTables:
    """A hook and its contacts as numbers for the compiled balance; those of a set of contacts are kept."""

    problem: HookProblem
    smooth: float  # [m/s]

    def hook(self, creep: float) -> tuple[Any, ...]:
        problem = self.problem
        creeps = 0.0 if math.isinf(creep) else 1 / creep
        return (*self._hook, np.array([problem.energy, problem.length, self.smooth, creeps]))

    @cached_property
    def _hook(self) -> tuple[Any, ...]:
        problem, support = self.problem, self.problem.support
        driven = np.zeros(len(problem.system.bodies), np.int64)
        driven[list(problem.driven)] = 1
        return (
            np.array(problem.system.drawn.matrices, float),
            driven,
            np.array([problem.hook, problem.base], np.int64),
            np.array(support.free, np.int64),
            np.array(support.stiffness, float),
            np.array(problem.inverse_stiffness),
            np.stack([support.axes, support.drawn]).astype(float),
            np.array(support.end, float),
            np.array(problem.scales, float),
        )

    @cached_property
    def _modes(self) -> dict[HookMode, tuple[Any, ...]]:
        return {}

    def mode(self, mode: HookMode) -> tuple[Any, ...]:
        """Features, shapes, friction and compliances of some contacts."""
        if mode not in self._modes:
            problem, surfaces = self.problem, self.problem.surfaces
            assert isinstance(surfaces, SpaceSurfaces)  # what has inertia stands in space
            rows = [contact.row for contact in mode]
            met = [surfaces.numbers(row) for row in rows]
            gives = [
                [
                    problem.compliance(row) if row == other or surfaces.one_corner(row, other) else 0.0
                    for other in rows
                ]
                for row in rows
            ]
            self._modes[mode] = (
                np.array([features for features, _ in met], np.int64).reshape(-1, 4),
                np.array([shape for _, shape in met], float).reshape(-1, SHAPE),
                np.array([problem.friction(row) for row in rows], float),
                np.array(gives, float).reshape(len(rows), len(rows)),
            )
        return self._modes[mode]


@dataclass(frozen=True, eq=False)
class SmoothIncrement(BalanceStep):
    """To a place that is reached at a velocity: friction follows that, not what has slid."""

    tables: SmoothTables
    velocity: Floats  # (6,) of what is pushed: of `pivot`, then its rotation
    pivot: Floats  # (3,)
    looks: bool = True  # whether a balance is asked for its stability
    most: ClassVar[int] = 6  # of contacts that give way, as where a face comes to lie on a face

    @property
    def statuses(self) -> tuple[int, ...]:
        return (SLIDES,)

    def solve(self, mode: HookMode, guess: Floats | None = None) -> HookState | None:
        """The balance with these contacts near the state before; None where there is none."""
        before = self.before.coordinates
        q, forces = (before if guess is None else guess).copy(), np.zeros(len(mode))
        room = room_of(len(self.problem.system.bodies), len(q), len(mode))
        hook, numbers = self.tables.hook(self.creep), self.tables.mode(mode)
        if balance_hook.at(_WORK)(hook, numbers, before, q, forces, self._motion, room) != FOUND:
            return None
        frames, seen = room[0], room[1]
        carried = tuple(
            self._carried(contact, float(force), row)
            for contact, force, row in zip(mode, forces, seen, strict=True)
        )
        ways = {contact.row: np.zeros(3) for contact in mode}
        state = HookState(self.shift, q, frames, mode, carried, True, ways)
        return replace(state, stable=self.stays(state)) if self.looks else state

    def _carried(self, contact: HeldContact, pressure: float, seen: Floats) -> CarriedContact:
        point, normal, column = seen[POINT:NORMAL], seen[NORMAL:COLUMN], seen[COLUMN:]
        force, gap, mu = pressure * column, float(seen[GAP]), self.problem.friction(contact.row)
        along = column - normal
        rubs = math.sqrt(float(along @ along))
        share = rubs / mu if mu > 0 else 0.0
        return CarriedContact(
            contact.row, contact.status, pressure, force, point, normal, np.zeros(3), gap, share
        )

    def stays(self, state: HookState) -> bool:
        """Whether a balance that was not asked for its stability has it."""
        n, u, bodies = len(state.coordinates), len(state.mode), len(self.problem.system.bodies)
        forces = np.array([contact.pressure for contact in state.carried], float)
        hook, numbers = self.tables.hook(self.creep), self.tables.mode(state.mode)
        room, moved, jacobian = room_of(bodies, n, u), room_of(bodies, n, u), np.zeros((n + u, n + u))
        see_contacts.at(_WORK)(hook, numbers, state.coordinates, self._motion, room)
        balance_rates.at(_WORK)(hook, numbers, state.coordinates, forces, self._motion, room, moved, jacobian)
        creeps = 0.0 if math.isinf(self.creep) else 1 / self.creep
        return is_stable(self.problem, state.mode, self.problem.support.stiffness * (1 + creeps), jacobian)

    @cached_property
    def _motion(self) -> tuple[Floats, Floats, Floats]:
        """As kernels take it."""
        return (
            np.ascontiguousarray(self.shift, float),
            np.ascontiguousarray(self.velocity, float),
            np.ascontiguousarray(self.pivot, float),
        )


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

    @cached_property
    def tables(self) -> SmoothTables:
        many_to_come(self.problem.system.dimension)
        return SmoothTables(self.problem, self.smooth)

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
            self.problem, start, shift, tables=self.tables, velocity=velocity, pivot=origin, looks=False
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
