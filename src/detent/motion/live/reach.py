"""Where a drive in closed form may go from its drawing: how far, on which branch, and what ends it.

A closed form follows from its inputs alone, so a frame by itself does not say whether the linkage could have
come there. What lies between is looked at once and kept: for one drive the branch segments up and down from
the drawing, up to the limits, or all revolutions after the first where it returns on its branch; for several
drives a box about the last inputs in which every discriminant is proved positive, and the straight path to
the next.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from detent.kinematics.equations.rows import Floats
from detent.kinematics.paths.branch import (
    MOST_CYCLES,
    BranchPath,
    BranchSegment,
    branch_path_of,
    periods,
)
from detent.kinematics.paths.closed import closed_branch_path
from detent.kinematics.paths.path_event import PathEvent
from detent.kinematics.paths.path_limits import NEAR, path_length
from detent.kinematics.planning.tables import Plan
from detent.kinematics.proofs.certify import closes_in

# Looked at beyond a full cycle [rad], so that a change point at the drawing itself is seen.
PAST_CYCLE = 0.01
# Beyond the end of a span, in what is interpolated: past the change point and as much again.
PAST_EDGE = 3.0
# How far [rad, sizes] is looked at first, where there is no period.
FIRST_LOOK = 2 * math.pi
# Half widths [rad, sizes] of the boxes of several drives: the first to be tried, and the last.
WIDEST_BOX, NARROWEST_BOX = 0.25, 1e-3


@dataclass(frozen=True)
class Span:
    """Inputs between which the linkage goes on on one branch."""

    plan: Plan
    low: Floats
    high: Floats


@dataclass(frozen=True)
class Passing:
    """A change point so near that frames are interpolated: where on a straight path, and its branch."""

    start: Floats
    end: Floats
    at: float
    branch: BranchPath


@dataclass(frozen=True)
class Halt:
    """A limit: where it is on a straight path."""

    start: Floats
    end: Floats
    plan: Plan
    stop: PathEvent


class OneDrive:
    """What one drive reaches from `origin`, looked at as far as it is asked for."""

    def __init__(self, plan: Plan, origin: Floats) -> None:
        self.plan, self.origin = plan, origin
        self.unit = path_length(plan, np.zeros(1), np.ones(1))  # [rad, sizes] of one unit of the input
        self._branches: dict[int, tuple[float, BranchPath]] = {}
        self.cycle = self._find_cycle()  # of the input, after which everything is as before; else infinite

    @property
    def free(self) -> bool:
        """Whether it rotates on one branch for ever."""
        return math.isfinite(self.cycle) and len(self._branches[1][1].segments) == 1

    def limits(self) -> tuple[float | None, float | None]:
        """The least and the greatest input that it reaches from the origin; None where no limit was found.

        Without a period it is looked at as far as `FIRST_LOOK`.
        """
        if math.isfinite(self.cycle):
            return None, None
        ends = []
        for side in (-1, 1):
            length, branch = self._branch(side, 0.0)
            stop = branch.stop
            ends.append(None if stop is None else float(self.origin[0]) + side * stop.at * length)
        return ends[0], ends[1]

    def find(self, goal: float) -> Span | Passing | Halt:
        """What is at an input, coming from the origin."""
        if math.isfinite(self.cycle):
            cycles = math.floor((goal - self.origin[0]) / self.cycle)
            return self._in_cycle(goal - cycles * self.cycle, cycles * self.cycle)
        side = 1 if goal >= self.origin[0] else -1
        length, branch = self._branch(side, abs(goal - self.origin[0]))
        start, end = self._path(side, length)
        at = abs(goal - self.origin[0]) / length
        if branch.stop is not None and at > branch.stop.at:
            return Halt(start, end, branch.segments[-1].plan, branch.stop)
        k = next(i for i, s in enumerate(branch.segments) if at <= s.hi)
        if (near := self._passing(branch, length, start, end, at)) is not None:
            return near
        inner, outer = self._ends(branch.segments[k], length, k == 0, -side)
        ends = self.origin[0] + side * inner, self.origin[0] + side * outer
        return Span(branch.segments[k].plan, np.array([min(ends)]), np.array([max(ends)]))

    def across(self, edge: Floats, side: float) -> Span | Passing | Halt:
        """What lies beyond the end of a span."""
        return self.find(float(edge[0]) + side * PAST_EDGE * NEAR / self.unit)

    def _ends(self, segment: BranchSegment, length: float, first: bool, other: int) -> tuple[float, float]:
        """How far a branch segment reaches from the origin, in both directions, less what is interpolated."""
        blurred = NEAR / self.unit
        outer = segment.hi * length - (
            blurred if segment.end is not None and segment.end.kind == "change_point" else 0.0
        )
        if not first:
            return segment.lo * length + blurred, outer
        if other not in self._branches:
            return 0.0, outer
        other_length, branch = self._branches[other]
        return -self._ends(branch.segments[0], other_length, False, other)[1], outer

    def _in_cycle(self, goal: float, shift: float) -> Span | Passing:
        length, branch = self._branches[1]
        at = (goal - self.origin[0]) / length
        borders = [s.hi * length + self.origin[0] for s in branch.segments[:-1]]
        if not borders:
            return Span(self.plan, np.array([-math.inf]), np.array([math.inf]))
        start, end = self._path(1, length)
        if (near := self._passing(branch, length, start + shift, end + shift, at)) is not None:
            return near
        blurred = NEAR / self.unit
        k = sum(border < goal for border in borders)
        low = borders[k - 1] if k else borders[-1] - self.cycle
        high = borders[k] if k < len(borders) else borders[0] + self.cycle
        ends = np.array([low + blurred + shift]), np.array([high - blurred + shift])
        return Span(branch.segments[k].plan, *ends)

    def _passing(
        self, branch: BranchPath, length: float, start: Floats, end: Floats, at: float
    ) -> Passing | None:
        for segment in branch.segments[:-1]:
            if abs(at - segment.hi) * length <= NEAR / self.unit:
                return Passing(start, end, segment.hi, branch)
        return None

    def _branch(self, side: int, wanted: float) -> tuple[float, BranchPath]:
        """The branch path on one side, as far as is wanted or up to its limit."""
        length, branch = self._branches.get(side, (0.0, None))
        if branch is None or (branch.stop is None and wanted > length - NEAR / self.unit):
            length = max(FIRST_LOOK / self.unit, 2.0 * wanted)
            branch = closed_branch_path(self.plan, *self._path(side, length))
            self._branches[side] = length, branch
        return length, branch

    def _path(self, side: int, length: float) -> tuple[Floats, Floats]:
        return self.origin, self.origin + side * length

    def _find_cycle(self) -> float:
        period = float(periods(self.plan)[0])
        if not math.isfinite(period):
            return math.inf
        for cycles in range(1, MOST_CYCLES + 1):
            cycle = cycles * period
            branch = closed_branch_path(self.plan, *self._path(1, cycle + PAST_CYCLE))
            borders = [s.hi * (cycle + PAST_CYCLE) for s in branch.segments[:-1]]
            if branch.stop is not None or any(b > cycle - PAST_CYCLE for b in borders):
                self._branches[1] = cycle + PAST_CYCLE, branch
                return math.inf
            if np.array_equal(branch.segments[-1].plan.ops, self.plan.ops):
                self._branches[1] = cycle + PAST_CYCLE, branch
                return cycle
        return math.inf


class ManyDrives:
    """Several drives: the path from the last inputs to the next, and what is proved about them."""

    def __init__(self, plan: Plan, origin: Floats) -> None:
        self.plan, self.origin = plan, origin
        self._width, self._calls = WIDEST_BOX, 0

    def find(self, inputs: Floats, goal: Floats) -> Span | Passing | Halt:
        """What is at the goal, coming straight from `inputs`; the branch there is kept."""
        branch = branch_path_of(
            self.plan, inputs, goal, share=min(1.0, path_length(self.plan, inputs, goal) / FIRST_LOOK)
        )
        if branch.stop is not None:
            self.plan = branch.segments[-1].plan
            return Halt(inputs, goal, self.plan, branch.stop)
        before, self.plan = self.plan, branch.segments[-1].plan
        if len(branch.segments) > 1:
            last = branch.segments[-2]
            if (1.0 - last.hi) * path_length(before, inputs, goal) <= NEAR:
                return Passing(inputs, goal, last.hi, branch)
        return self._box(goal)

    def _box(self, goal: Floats) -> Span:
        unit = np.array([path_length(self.plan, goal, goal + e) for e in np.eye(len(goal))])
        width = min(WIDEST_BOX, 2.0 * self._width)
        while width >= NARROWEST_BOX:
            low, high = goal - width / unit, goal + width / unit
            if self._closes(low, high):
                self._width = width
                return Span(self.plan, low, high)
            width *= 0.5
        self._width = NARROWEST_BOX
        return Span(self.plan, goal, goal)

    def together(self, goals: Floats) -> int:
        """How many of the next goals lie in a box with the first that is proved to close."""
        count = len(goals)
        while count > 1:
            if self._closes(goals[:count].min(axis=0), goals[:count].max(axis=0)):
                return count
            count //= 2
        return 1

    def _closes(self, low: Floats, high: Floats) -> bool:
        self._calls += 1
        return closes_in(self.plan, low, high, calls=self._calls)
