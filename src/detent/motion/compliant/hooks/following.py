"""A hook along one straight leg of what is pushed, through contacts that come and go, and through jumps.

The mode is kept as long as it is consistent; where it ends is located by bisection. There another mode goes
on close by, or none does: then the hook lets go. At a push that stands still it creeps to where it is in
balance again, its friction opposing the way it goes; what the support loses of its energy is dissipated. How
fast it would really go is not asked: the damping of the creep is its own stiffness, without inertia.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from detent.foundation.progress import reached
from detent.motion.compliant.hooks.balance import BalanceStep, Increment
from detent.motion.compliant.hooks.finer import HookRow, finer
from detent.motion.compliant.hooks.free_way import FreeWays, free_ways
from detent.motion.compliant.hooks.modes import beside, fault_of, moved_by, search
from detent.motion.compliant.hooks.problem import STICKS, HookProblem, HookState

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# Rows along a leg, at least; where something can touch a step is no more than this share of the hook's reach.
STEPS, SHARE = 200, 1 / 20
# Of the length: where a mode ends is located so closely; what goes on beyond begins as far away.
_LOCATED = 1e-6
# The hook may go so many times as far as what is pushed, before it is called a jump.
_FOLLOWS = 30.0
# How far a hook creeps at once in a jump, in its scales, and how little is standing still.
_CREEPS, _STANDS = 0.02, 1e-7
_FIRST_CREEP, _LEAST_CREEP, _LAST_CREEP = 3e-2, 1e-8, 1e4
_GROWS = 6
_MOST_CREEPS = 300
_ROUNDED = 1e-9  # of what is stored: more of it by so little is rounding
# Changes without the push going on, by which something is wrong.
_MOST_AT_ONCE = 12

Change = Literal["contact", "release", "change", "stick", "slide", "reversal", "snap"]


@dataclass(frozen=True, eq=False)
class HookChange:
    """Where the mode changes; of a snap what it dissipates."""

    way: float
    kind: Change
    before: HookState
    after: HookState
    dissipated: float = 0.0  # [J]
    brought: float = 0.0  # [J] by the overlap of a contact that comes with it
    ambiguous: bool = False  # another state would also be consistent


@dataclass(frozen=True, eq=False)
class HookLeg:
    """One hook along one leg."""

    rows: tuple[HookRow, ...]
    changes: tuple[HookChange, ...]
    cause: Literal["done", "jam", "blocked"]
    blocking: tuple[int, ...] = ()  # rows of candidates that touch where it ended so


def at_rest(problem: HookProblem, shift: Floats) -> HookState:
    """The hook as drawn, touching nothing."""
    zero = np.zeros(len(problem.support.free))
    frames, _ = problem.frames(zero, shift)
    return HookState(shift, zero, frames, (), (), True)


def follow_leg(
    problem: HookProblem,
    start: HookState,
    origin: Floats,
    direction: Floats,
    length: float,
    *,
    steps: int = STEPS,
) -> HookLeg:
    """Along a leg from a state, at the origin of the leg."""
    return _Leg(problem, origin, direction, length, steps).follow(start)


class _Leg:
    def __init__(
        self, problem: HookProblem, origin: Floats, direction: Floats, length: float, steps: int
    ) -> None:
        self.problem, self.origin, self.direction, self.length = problem, origin, direction, length
        self.free_step = length / steps
        self.step = min(self.free_step, problem.length * SHARE)
        self.near = _LOCATED * problem.length
        self.free: FreeWays | None = None
        self.changes: list[HookChange] = []
        self.blocking: tuple[int, ...] = ()
        self.touching: tuple[int, ...] = ()
        self.owed: tuple[frozenset[int], float] = (frozenset(), 0.0)  # contacts that brought energy [J]

    def shift(self, way: float) -> Floats:
        return np.asarray(self.origin + way * self.direction)

    def follow(self, start: HookState) -> HookLeg:
        rows = [HookRow(0.0, start)]
        way, state, slope, at_once = 0.0, start, np.zeros_like(start.coordinates), 0
        while way < self.length:
            if self.step < self.free_step:
                reached(math.floor(100 * way / self.length), 100)
            target = self._next(way, state)
            if target - way < self.near:
                target = min(target + self.step, self.length)
            if self.length - target < self.near:
                target = self.length  # no last step of rounding
            after = self._same(state, target, state.coordinates + slope * (target - way))
            if after is not None:
                slope = (after.coordinates - state.coordinates) / (target - way)
                way, state, at_once = target, after, 0
                rows.append(HookRow(way, state))
                continue
            end, last = self._end_of_mode(way, state, target)
            if end > way:
                way, state, at_once = end, last, 0
                rows.append(HookRow(way, state))
            beyond = min(way + self.near, self.length)
            if beyond <= way:
                break
            changed, at_once = self._change(state, way, beyond), at_once + 1
            if changed is None or at_once > _MOST_AT_ONCE:
                cause: Literal["jam", "blocked"] = "blocked" if self.blocking else "jam"
                return HookLeg(self._finer(rows), tuple(self.changes), cause, self.blocking or self.touching)
            rows.append(HookRow(way, changed))
            way, state, slope = beyond, changed, np.zeros_like(slope)
        return HookLeg(self._finer(rows), tuple(self.changes), "done")

    def _next(self, way: float, state: HookState) -> float:
        """Where the next row is; farther where a long leg goes on alone."""
        target = min((round(way / self.step, 6) // 1 + 1) * self.step, self.length)
        if state.mode or self.step == self.free_step:
            return target
        if self.free is None:
            at_origin = at_rest(self.problem, self.origin)
            self.free = free_ways(self.problem, at_origin, self.direction, self.length)
        alone = min(self.free.free_until(way), way + self.free_step, self.length)
        return max(target, alone)

    def _finer(self, rows: list[HookRow]) -> tuple[HookRow, ...]:
        return tuple(finer(rows, lambda state: state.along(self.direction), self._same))

    def _same(self, state: HookState, way: float, guess: Floats | None = None) -> HookState | None:
        """The same contacts further on; None where they do not carry on."""
        after = Increment(self.problem, state, self.shift(way)).solve(state.mode, guess)
        far = float(np.linalg.norm(self.shift(way) - state.shift))
        if after is None or not after.stable:
            return None
        if moved_by(self.problem, state, after) > (_FOLLOWS * far + self.near) / self.problem.length:
            return None
        if _turned_round(self.problem, state, after):
            return None
        deep = 2 * far + self.near + _farthest(self.problem, state, after)
        return after if fault_of(self.problem, after, deep) is None else None

    def _end_of_mode(self, way: float, state: HookState, beyond: float) -> tuple[float, HookState]:
        low, high = way, beyond
        while high - low > self.near / 4:
            middle = (low + high) / 2
            after = self._same(state, middle)
            if after is None:
                high = middle
            else:
                low, state = middle, after
        return low, state

    def _change(self, state: HookState, way: float, beyond: float) -> HookState | None:
        problem, shift = self.problem, self.shift(beyond)
        frames, _ = problem.frames(state.coordinates, shift)
        sunk = max((-contact.gap for contact in state.carried), default=0.0)
        around = problem.surfaces.near(frames, 50 * self.near, 50 * self.near + 2 * max(sunk, 0.0))
        around |= dict.fromkeys(beside(problem, state, frames, 50 * self.near), 0.0)
        least = problem.system.tolerance.length
        self.blocking = tuple(
            row for row, gap in around.items() if gap < -least and not problem.is_hooks(row)
        )
        if self.blocking:
            return None
        self.touching = tuple(row for row in around if problem.is_hooks(row))
        rows = _rows(problem, around, frames, 50 * self.near)
        increment = Increment(problem, state, shift)
        most = 2 * _FOLLOWS * self.near / problem.length
        after = search(increment, rows, depth=100 * self.near, most=most)
        if after is None and not problem.plane and state.slides:
            # Where nothing sticks, friction may still turn round at once: without the way it slid before.
            anew = search(
                replace(increment, before=replace(state, slides={})), rows, depth=100 * self.near, most=most
            )
            after = anew if anew is not None and _turned_round(problem, state, anew) else None
        if after is not None:
            if after.mode != state.mode or _turned_round(problem, state, after):
                kind, ambiguous = _kind(state, after), self._ambiguous(increment, after)
                self.changes.append(HookChange(way, kind, state, after, ambiguous=ambiguous))
            return after
        landed = settled(increment)
        if landed is None:
            return None
        self.changes.append(self._let_go(way, state, landed))
        return landed

    def _let_go(self, way: float, state: HookState, landed: HookState) -> HookChange:
        """A snap; a change where a contact comes with its overlap already there, so that more is stored.

        Two contacts that give way close to each other count as one until both must carry. What the second
        brings is taken off what is dissipated when one of them goes.
        """
        old, new = ({contact.row for contact in each.mode} for each in (state, landed))
        lost = self.problem.stored(state) - self.problem.stored(landed)
        kept, owed = self.owed
        if not kept <= new:
            lost, self.owed = (max(lost - owed, 0.0) if kept <= old else lost), (frozenset(), 0.0)
        if lost >= -_ROUNDED * self.problem.stored(state):
            lost = max(lost, 0.0)
            return HookChange(way, "snap", state, landed, dissipated=lost)
        # The push has gone on by so little meanwhile, and done so much; no contact came with an overlap.
        pushed = self.near * max(abs(each.along(self.direction)) for each in (state, landed))
        if -lost <= pushed:
            return HookChange(way, _kind(state, landed), state, landed)
        self.owed = (frozenset(new), self.owed[1] - lost)
        kind: Change = "contact" if old < new else "change"
        return HookChange(way, kind, state, landed, brought=-lost)

    def _ambiguous(self, increment: BalanceStep, after: HookState) -> bool:
        """Whether friction would also hold a contact that slides."""
        for k, contact in enumerate(after.mode):
            if contact.status == STICKS or self.problem.friction(contact.row) == 0:
                continue
            sticking = (*after.mode[:k], replace(contact, status=STICKS), *after.mode[k + 1 :])
            other = increment.solve(sticking)
            if other is None or not other.stable:
                continue
            if fault_of(self.problem, other, 100 * self.near) is None:
                return True
        return False


def settled(begun: BalanceStep) -> HookState | None:
    """Where the hook comes to rest while the push stands still; None where nothing lets it."""
    problem, state, shift = begun.problem, begun.before, begun.shift
    creep = _FIRST_CREEP
    depth = 4 * _CREEPS * problem.length
    touching = 2 * _LOCATED * problem.length
    for _ in range(_MOST_CREEPS):
        frames, _ = problem.frames(state.coordinates, shift)
        rows = rows_around(problem, state, frames, touching)
        increment = replace(begun, before=state, creep=creep)
        after = search(increment, rows, depth=depth, most=_CREEPS, unstable=True)
        if after is None:
            creep /= 4
            if creep < _LEAST_CREEP:
                return None
            continue
        moved = moved_by(problem, state, after)
        if moved < _STANDS and creep >= _LAST_CREEP:
            return after
        state = after
        creep = min(creep * (_GROWS if moved < _CREEPS / _GROWS else 1), 10 * _LAST_CREEP)
    return None


def rows_around(problem: HookProblem, state: HookState, frames: Floats, close: float) -> list[int]:
    """The hook's contacts that may carry, of all that are so close."""
    sunk = max((-contact.gap for contact in state.carried), default=0.0)
    around = problem.surfaces.near(frames, close, close + 2 * max(sunk, 0.0))
    around |= dict.fromkeys(beside(problem, state, frames, close), 0.0)
    return _rows(problem, around, frames, close)


def _rows(problem: HookProblem, around: Mapping[int, float], frames: Floats, close: float) -> list[int]:
    """The hook's contacts that may carry, nearest first; last those that are off their feature's end.

    Where a corner passes a corner, the edge that takes over may be met behind its end just before.
    """
    rows = sorted((row for row in around if problem.is_hooks(row)), key=lambda row: abs(around[row]))
    off = problem.surfaces.near(frames, close, close, close)
    return rows + sorted(
        (row for row in off if row not in around and problem.is_hooks(row)), key=lambda row: abs(off[row])
    )


def _farthest(problem: HookProblem, before: HookState, after: HookState) -> float:
    """[m] No point of the hook goes farther: on a steep face it goes many times as far as the push."""
    change = (after.coordinates - before.coordinates) / problem.scales
    return problem.length * float(np.abs(change).sum())


def _turned_round(problem: HookProblem, before: HookState, after: HookState) -> bool:
    """Whether friction points the other way: in space one mode slides in every direction, and such a step
    would pass over the way on which the contact sticks.
    """
    return any(
        problem.friction(row) > 0 and float(way @ after.slides[row]) < 0
        for row, way in before.slides.items()
        if row in after.slides
    )


def _kind(before: HookState, after: HookState) -> Change:
    old, new = ({contact.row for contact in state.mode} for state in (before, after))
    if old != new:
        if old < new:
            return "contact"
        return "release" if new < old else "change"
    was, now = ({c.row: c.status for c in state.mode} for state in (before, after))
    if any(now[row] == STICKS != was[row] for row in now):
        return "stick"
    return "slide" if any(was[row] == STICKS != now[row] for row in now) else "reversal"
