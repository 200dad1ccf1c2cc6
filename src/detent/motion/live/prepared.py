"""A linkage made ready once, to be dragged frame by frame or swept through many.

    live = ready(mechanism)
    live.to(0.3)             # x, y of each moving point at that input, going on from the frame before
    live.sweep(inputs)       # the same for many inputs at once, from the drawing

Positions only, in document units; `move` gives derivatives too. Points that markers share are given once:
`live.points` says which markers are where. A closed form goes where the linkage can go (`reach.py`):
a limit between two inputs stops it, and `live.limit` says so; a change point is passed straight on. A dyad
inside a cut has dead points of its own, which the linkage passes: where a cut stops, its block is tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace as replaced
from functools import cached_property

import numpy as np
from msgspec import structs

from detent.foundation.errors import ModelError
from detent.kinematics.equations.rows import Floats
from detent.kinematics.equations.start import closed_pose, refuse_stuck
from detent.kinematics.execution.batch import Sweeper, Trace
from detent.kinematics.execution.frame import ALL_CLOSED
from detent.kinematics.execution.stepper import Beyond, Guard, Stepper
from detent.kinematics.operations.ops import SIGN
from detent.kinematics.paths.branch import home, joint_of, leading, with_leading
from detent.kinematics.paths.closed import described, set_out
from detent.kinematics.paths.drive_path import drive_path_of
from detent.kinematics.paths.near_change_point import across
from detent.kinematics.paths.path_limits import vectors_at
from detent.kinematics.paths.segments import borders_of, past
from detent.kinematics.plan import make_plan
from detent.kinematics.planning.limit_rows import with_stops
from detent.kinematics.planning.poses import part_poses
from detent.kinematics.planning.tables import CUT, Ints, Plan
from detent.model.document.mechanism import Mechanism
from detent.model.machine.plane_linkage import plane_linkage_of
from detent.model.machine.starts import start_by_joint
from detent.motion.live.reach import Halt, ManyDrives, OneDrive, Passing, Span
from detent.numeric.angles import whole_turns
from detent.record.motion import Limit

# Limits of a cut and of its block are the same point to about this much [rad, m].
BLURRED = 1e-5
EVERYWHERE = np.array([np.inf])


class PreparedLinkage:
    """`points` are the moving points in the order of `to`: the markers that share each."""

    def __init__(self, plan: Plan, goals: Floats) -> None:
        self.plan = plan
        self.goals = goals  # of the document's drives (frames, drives) [rad, m]
        self.points = _points(plan)
        self._units = _units(plan)
        self._closed = plan.closed_form
        self._origin = home(plan, goals[0]) if self._closed else plan.drawn
        self._lead = leading(plan) if not self._closed and len(plan.inputs) == 1 else None
        self._span: Span | None = None  # of the leading closed form, in which the linkage is
        self._found: Limit | None = None
        beyond = self._as_a_block if np.any(plan.segments[:, 0] == CUT) else None
        guard = self._look if self._closed else self._lead_on if self._lead is not None else None
        self._take(self._stepper(plan, np.zeros(len(plan.inputs)), beyond, guard))
        self.stepper.reached[:] = self._origin

    @property
    def limit(self) -> Limit | None:
        """What kept the last `to` from the inputs it was asked for; None where it is there."""
        stepper = self.stepper
        if stepper.failed == ALL_CLOSED:
            return None
        at = float(stepper.reached[0] / self._units[0])
        if self._closed or (self._found is not None and self._found.input == at):
            return self._found
        parts = tuple(self.plan.system.parts[i] for i in self.plan.system.moving)
        return Limit(input=at, kind="limit", parts=parts, detail="the drive turns back")

    def _stepper(
        self, plan: Plan, offset: Floats, beyond: Beyond | None = None, guard: Guard | None = None
    ) -> Stepper:
        metre, rows = plan.system.metres_per_unit, _rows(plan, self.points)
        return Stepper(plan, rows, metre=metre, unit=self._units, offset=offset, beyond=beyond, guard=guard)

    def _look(self, inputs: tuple[float, ...]) -> list[float]:
        """A goal not yet known to be within reach: enter its branch segment, or go as far as it is."""
        stepper, goal = self.stepper, self.stepper.goal.copy()
        reach = self._reach
        spot = (
            reach.find(float(goal[0])) if isinstance(reach, OneDrive) else reach.find(stepper.reached, goal)
        )
        if isinstance(spot, Span):
            stepper.enter(spot.plan, spot.low, spot.high)
            return stepper.to(*inputs)
        if isinstance(spot, Passing):
            return stepper.put(_between(spot, goal), goal, ALL_CLOSED)
        stop = spot.stop
        self._found = self._shown(spot)
        failed = max(stop.row, 0)
        if stop.unbounded:
            return stepper.put(stepper.values, stepper.reached, failed)
        at_joint = joint_of(spot.plan, stop) >= 0
        values = vectors_at(spot.plan, spot.start, spot.end, stop.at if at_joint else stop.beyond)
        return stepper.put(values, spot.start + stop.at * (spot.end - spot.start), failed)

    def _lead_on(self, inputs: tuple[float, ...]) -> list[float]:
        """The same for a plan whose closed form is only what comes before its first cut or block.

        At a change point of that it is followed up to a little before, and on from a little beyond.
        """
        stepper, goal = self.stepper, float(self.stepper.goal[0])
        if self._span is None:
            first = self._lead_reach.find(float(self.plan.drawn[0]))
            # Drawn at a border: which side it is on is unknown, so nothing is watched.
            self._span = first if isinstance(first, Span) else Span(self.plan, -EVERYWHERE, EVERYWHERE)
        while True:
            span = self._span
            stepper.enter(with_leading(self.plan, span.plan), span.low, span.high)
            if span.low[0] <= goal <= span.high[0]:
                return stepper.to(*inputs)
            side = 1.0 if goal > span.high[0] else -1.0
            edge = span.high if side > 0 else span.low
            next_ = self._lead_reach.across(edge, side)
            if isinstance(next_, Halt):
                return self._to_limit(next_)
            if not isinstance(next_, Span):
                self._span = Span(span.plan, -EVERYWHERE, EVERYWHERE)
                continue
            if next_.low[0] <= edge[0] <= next_.high[0]:  # the same branch segment, now known farther
                self._span = next_
                continue
            points = stepper.to(float(edge[0] / self._units[0]))
            if stepper.failed != ALL_CLOSED or self.stepper is not stepper:
                return points
            near = next_.low if side > 0 else next_.high
            stepper.enter(with_leading(self.plan, next_.plan), -EVERYWHERE, EVERYWHERE)
            if side * (near[0] - goal) > 0.0:  # the goal is so near that the signs beyond are used
                near = np.array([goal])
            points = stepper.to(float(near[0] / self._units[0]))
            self._span = next_
            if stepper.failed != ALL_CLOSED or self.stepper is not stepper or near[0] == goal:
                stepper.enter(with_leading(self.plan, next_.plan), next_.low, next_.high)
                return points

    def _to_limit(self, halt: Halt) -> list[float]:
        """Follow to a limit of the leading closed form."""
        at = float((halt.start + halt.stop.at * (halt.end - halt.start))[0])
        stepper = self.stepper
        points = stepper.to(at / self._units[0])
        if stepper.failed == ALL_CLOSED and self.stepper is stepper:
            shown = self._shown(halt)
            self._found = structs.replace(shown, input=float(stepper.reached[0] / self._units[0]))
            stepper.fail(max(halt.stop.row, 0))
        return points

    @cached_property
    def _lead_reach(self) -> OneDrive:
        assert self._lead is not None
        return OneDrive(self._lead, self.plan.drawn)

    def _shown(self, halt: Halt) -> Limit:
        event = described(halt.plan, halt.start, halt.end, halt.stop)
        at = float(event.inputs[0] / self._units[0])
        return Limit(input=at, kind=event.recorded_kind, parts=event.parts, detail=event.detail)

    @cached_property
    def _reach(self) -> OneDrive | ManyDrives:
        one = len(self.plan.inputs) == 1
        return OneDrive(self.plan, self._origin) if one else ManyDrives(self.plan, self._origin)

    def _take(self, stepper: Stepper) -> None:
        self.stepper, self.to = stepper, stepper.to

    def _as_a_block(self, inputs: tuple[float, ...], points: list[float]) -> list[float]:
        """The same step by the block, which takes over where it goes farther than the cut."""
        before, plan = self.stepper, self.plan
        poses = part_poses(plan, before.values[None])
        pose_rows = np.array([poses[name][0] for name in plan.system.parts])
        block = with_stops(make_plan(plan.system, pose_rows, plan.inputs, cuts=False))
        whole = whole_turns(block.drawn - before.reached)
        other = self._stepper(block, whole)
        points_of_block = other.to(*inputs)
        if np.linalg.norm(other.reached - whole - before.reached) <= BLURRED:
            return points
        before.hand_over(other.to)
        self._take(other)
        return points_of_block

    def sweep(self, inputs: Floats) -> Floats:
        """Positions (points, x and y, frames), up to the last frame that closes; inputs in document units."""
        goals = np.asarray(inputs, dtype=float).reshape(-1, len(self.plan.inputs)) * self._units
        return self.trace(goals).points / self.plan.system.metres_per_unit

    def trace(self, goals: Floats) -> Trace:
        """The same in metres and radians, with where it stopped."""
        if self._closed:
            return self._closed_trace(goals)
        if self._lead is not None and len(goals) and not self._in_first_span(goals):
            return self._led_trace(goals)
        swept = self._sweeper(goals)
        if swept.failed == ALL_CLOSED or not np.any(self.plan.segments[:, 0] == CUT):
            return swept
        further = self._blocks(goals)
        return further if further.done > swept.done else swept

    def _in_first_span(self, goals: Floats) -> bool:
        """Whether what comes before the first cut or block goes on on one branch to all of the goals."""
        first = self._lead_reach.find(float(self.plan.drawn[0]))
        return isinstance(first, Span) and bool(first.low[0] <= goals.min() and goals.max() <= first.high[0])

    def _led_trace(self, goals: Floats) -> Trace:
        """Followed between the change points of what comes before the first cut or block."""
        borders, stop = borders_of(self.plan, goals)
        plan, first, traces = self.plan, 0, list[Trace]()
        for border in (each for each in borders if each.passed):
            upto = border.after + 1
            traces.append(Sweeper(plan, self._sweeper.rows)(goals[first:upto]))
            beyond = None if traces[-1].failed != ALL_CLOSED else past(plan, goals[first:upto], border)
            if beyond is None:
                return _one_trace(traces)
            plan, first = beyond, upto
        last = len(goals) if stop is None else stop.after + 1
        traces.append(Sweeper(plan, self._sweeper.rows)(goals[first:last]))
        if stop is None or traces[-1].failed != ALL_CLOSED:
            return _one_trace(traces)
        return replaced(_one_trace(traces), reached=stop.inputs, failed=max(stop.event.row, 0))

    def _closed_trace(self, goals: Floats) -> Trace:
        """In lanes as long as the branch is one; as `move`, from the first goal on."""
        if not len(goals) or (isinstance(self._reach, OneDrive) and self._reach.free):
            return self._sweeper(goals)
        if not np.isfinite(goals).all():
            raise ModelError.at("inputs", "some are not numbers", "give finite inputs")
        traces: list[Trace] = []
        stop: Halt | None = None
        done = 0
        for spot, upto in self._spots(goals):
            if isinstance(spot, Halt):
                stop = spot
                break
            if isinstance(spot, Span):
                traces.append(self._on(spot.plan)(goals[done:upto]))
                if traces[-1].failed != ALL_CLOSED:
                    break
            else:
                shown = _between(spot, goals[done])[self._sweeper.rows]
                traces.append(Trace(shown[:, :, None], 1, goals[done], ALL_CLOSED))
            done = upto
        if len(traces) == 1 and stop is None:
            return traces[0]
        points = [np.zeros((len(self._sweeper.rows), 2, 0)), *(t.points for t in traces)]
        failed = ALL_CLOSED if not traces else traces[-1].failed
        reached = self._origin if not traces else traces[-1].reached
        if stop is not None:
            failed = max(stop.stop.row, 0)
            reached = stop.start + stop.stop.at * (stop.end - stop.start)
        return Trace(np.concatenate(points, axis=2), sum(t.done for t in traces), reached, failed)

    def _spots(self, goals: Floats) -> Iterator[tuple[Span | Passing | Halt, int]]:
        """What is at the goals one after the other, each with the end of those that it holds for."""
        done = 0
        if len(self.plan.inputs) == 1:
            reach = self._reach
            assert isinstance(reach, OneDrive)
            if isinstance(reach.find(float(goals[0, 0])), Halt):
                reach = OneDrive(self.plan, goals[0].copy())
            while done < len(goals):
                spot = reach.find(float(goals[done, 0]))
                upto = done + 1
                if isinstance(spot, Span):
                    upto = done + _run_within(goals[done:, 0], spot)
                yield spot, upto
                done = upto
            return
        plan, _ = set_out(self.plan, goals[0])
        many = ManyDrives(plan, goals[0])
        inputs = goals[0]
        while done < len(goals):
            spot = many.find(inputs, goals[done])
            upto = done + (many.together(goals[done:]) if isinstance(spot, Span) else 1)
            yield spot, upto
            inputs, done = goals[upto - 1], upto

    def _on(self, plan: Plan) -> Sweeper:
        """The sweeper of a branch."""
        signs = plan.ops[:, SIGN].tobytes()
        if signs not in self._sweepers:
            self._sweepers[signs] = Sweeper(plan, self._sweeper.rows)
        return self._sweepers[signs]

    @cached_property
    def _sweeper(self) -> Sweeper:
        return Sweeper(self.plan, np.arange(self.plan.first_point, self.plan.last_point))

    @cached_property
    def _sweepers(self) -> dict[bytes, Sweeper]:
        return {self.plan.ops[:, SIGN].tobytes(): self._sweeper}

    @cached_property
    def _blocks(self) -> Sweeper:
        plan = with_stops(make_plan(self.plan.system, self.plan.poses, self.plan.inputs, cuts=False))
        return Sweeper(plan, _rows(plan, self.points))


def prepare(mechanism: Mechanism) -> PreparedLinkage:
    """Close the drawing, plan, and compile what moves it along the document's drives."""
    system = plane_linkage_of(mechanism)
    path = drive_path_of(mechanism, system)
    poses = closed_pose(system, start_by_joint(mechanism))
    refuse_stuck(system, poses, path.inputs)
    return PreparedLinkage(with_stops(make_plan(system, poses, path.inputs)), path.goals)


def _one_trace(traces: list[Trace]) -> Trace:
    """Traces one after the other."""
    points = np.concatenate([t.points for t in traces], axis=2)
    return replaced(traces[-1], points=points, done=sum(t.done for t in traces))


def _between(spot: Passing, goal: Floats) -> Floats:
    """All vectors near a change point."""
    still = np.zeros(len(goal))
    frames = across(spot.branch.plan_at, goal, spot.start, spot.end, spot.at, still)
    return np.asarray(frames.values[0])


def _run_within(goals: Floats, span: Span) -> int:
    """How many goals follow one another within a span."""
    outside = (goals < span.low[0]) | (goals > span.high[0])
    return int(np.argmax(outside)) if outside.any() else len(goals)


def _points(plan: Plan) -> tuple[tuple[str, ...], ...]:
    at: dict[int, list[str]] = {}
    for name, row in plan.points.items():
        at.setdefault(row, []).append(name)
    return tuple(tuple(at[row]) for row in range(plan.first_point, plan.last_point))


def _rows(plan: Plan, points: tuple[tuple[str, ...], ...]) -> Ints:
    return np.array([plan.points[names[0]] for names in points], dtype=np.int64)


def _units(plan: Plan) -> Floats:
    """Metres or radians of one document unit of each input."""
    return np.array([item.unit(plan.system) for item in plan.inputs])
