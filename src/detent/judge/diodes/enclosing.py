"""A fastener from its assembled state, pulled every way of a box at once: does it come apart, or hold?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from detent.judge.apart import Apart
from detent.motion.quasistatic.enclosed.enclosure import WIDER, Enclosure
from detent.motion.quasistatic.enclosed.follow import Follower
from detent.motion.quasistatic.enclosed.pairs import PairTable, StraightPushes
from detent.motion.quasistatic.enclosed.states import OpenError, PossibleEnds, Work
from detent.motion.quasistatic.exact.pawl import PawlRun
from detent.motion.quasistatic.machine.fasteners import Fastener, Pawl

Outcome = Literal["apart", "holds"]
# Of the machine's size: what has gone so far straight on is past everything, since the machine's box has
# no longer diagonal, the pawls swing within it and the root stands where it was drawn or beside it.
PAST_ALL = 4.0


@dataclass(frozen=True)
class EnclosedPulls:
    """The bodies of a fastener where runs of its pawls ended, ready to be followed over boxes of pushes."""

    machine: Fastener
    pawl_runs: tuple[PawlRun, ...]
    work: Work | None = None

    @cached_property
    def tables(self) -> tuple[PairTable, ...]:
        """Of each pawl, then of the root."""
        root = PairTable(self.machine.root_leaves, [(leaf, 0) for leaf in self.machine.root_obstacles])
        return (*(PairTable(pawl.leaves, pawl.obstacles) for pawl in self.machine.pawls), root)

    def ends(
        self,
        index: int,
        pushes: StraightPushes,
        until: tuple[float, float],
        *,
        wider: float = WIDER,
        friction: Any = None,
    ) -> PossibleEnds:
        """What a body can come to: a pawl by its number, the root by the number after the last."""
        table, size = self.tables[index], self.machine.size
        if index == len(self.machine.pawls):
            still = Enclosure(table, np.zeros(2), pushes, size, wider=wider)
            if not len(table):
                return PossibleEnds(done=True)
            return Follower(still, until, turns=False, work=self.work).run()
        pawl = self.machine.pawls[index]
        hinge = np.array([float(each) for each in pawl.hinge])
        on = Enclosure(table, hinge, pushes, size, friction, wider)
        end = self.pawl_runs[index].end
        assert end is not None
        return Follower(on, until, limits=_limits(pawl), work=self.work).run(end.angle())

    def outcome(
        self,
        pushes: StraightPushes,
        until: tuple[float, float],
        *,
        wider: float = WIDER,
        friction: Any = None,
    ) -> Outcome | None:
        """What all pushes of a box come to; None where that stays open."""
        free = True
        for index in range(len(self.tables)):
            try:
                ends = self.ends(index, pushes, until, wider=wider, friction=friction)
            except OpenError:
                free = False
                continue
            if not ends.done:
                return "holds"
            free = free and not ends.stopped
        return "apart" if free else None


def _limits(pawl: Pawl) -> tuple[float, float]:
    low, high = -math.inf, math.inf
    for limit in pawl.limits:
        angle = limit.half * math.pi + 2 * math.atan(float(limit.u))
        if limit.side > 0:
            high = min(high, angle)
        else:
            low = max(low, angle)
    return low, high


def wedge_of_pulls(goal: Apart, first: float, last: float) -> StraightPushes:
    """All straight pulls out of the assembled state between two angles [rad], less than half a turn apart."""
    place = goal.place
    assert place is not None
    one, other = (np.array([math.cos(angle), math.sin(angle)]) for angle in (first, last))
    return StraightPushes(
        place=np.array([float(each) for each in place]),
        velocity=(one + other) / 2,
        spread=np.zeros((1, 2)),
        tilt=((other - one) / 2)[None, :],
    )


def reaches_goal(goal: Apart, pushes: StraightPushes, machine: Fastener) -> tuple[float, float] | None:
    """Bounds of the time at which pulls of a wedge enter the goal; None where some may lead past it.

    Whatever has gone beyond all obstacles first meets nothing more.
    """
    past = PAST_ALL * machine.size / min(_speeds(pushes))
    if goal.outline is not None:
        entered = _into_outline(goal, pushes)
        return None if entered is None else (min(entered[0], past), min(entered[1], past))
    v = np.array([float(each) for each in goal.insertion])
    towards = [-float(velocity @ v) for velocity in _corners(pushes)]
    if min(towards) < -1e-15 or max(towards) <= 0:
        return None
    if goal.travel is not None:
        far = float(goal.travel) * float(np.hypot(*v))
    else:
        far = max(float(pushes.place @ v), 0.0)
    times = [min(far / each, past) if each > 0 else past for each in towards]
    return min(times) * (1 - 1e-12), max(times) * (1 + 1e-12)


def _corners(pushes: StraightPushes) -> list[Any]:
    return [pushes.velocity + sign * pushes.tilt[0] for sign in (-1, 1)]


def _speeds(pushes: StraightPushes) -> list[float]:
    """The least speed of a wedge is in its middle."""
    return [float(np.hypot(*pushes.velocity)), *(float(np.hypot(*each)) for each in _corners(pushes))]


def _into_outline(goal: Apart, pushes: StraightPushes) -> tuple[float, float] | None:
    """Where both sides of a wedge enter one edge of a goal, with no corner of the goal between them."""
    corners = [np.array([float(x), float(y)]) - pushes.place for x, y in goal.outline]
    one, other = _corners(pushes)
    if any(
        _across(one, c) >= -1e-9 and _across(c, other) >= -1e-9 and c @ pushes.velocity > 0 for c in corners
    ):
        return None
    entered = []
    for velocity in (one, other):
        hits = []
        for k, a in enumerate(corners):
            b = corners[(k + 1) % len(corners)]
            below = _across(velocity, b - a)
            if below == 0:
                continue
            t, s = _across(a, b - a) / below, _across(a, velocity) / below
            if t > 0 and 0 <= s <= 1:
                hits.append((t, k))
        if not hits:
            return None
        entered.append(min(hits))
    if entered[0][1] != entered[1][1]:
        return None
    times = [t for t, _ in entered]
    return min(times) * (1 - 1e-12), max(times) * (1 + 1e-12)


def _across(a: Any, b: Any) -> float:
    return float(a[0] * b[1] - a[1] * b[0])
