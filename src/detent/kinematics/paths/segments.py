"""A followed drive path in segments: what comes before its first cut or block is a closed form.

A dyad there may come in line between two positions. Where it only touches, the linkage goes straight on: the
path is followed up to a little before, the signs change, and it is followed on from a little beyond. Where
it breaks, the path ends there, also if a later position would close again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from detent.kinematics.equations.rows import Floats
from detent.kinematics.execution.frame import ALL_CLOSED
from detent.kinematics.execution.sweeping import Frames, sweep
from detent.kinematics.paths.branch import (
    BranchPath,
    BranchSegment,
    beside_ends,
    branch_path_of,
    home,
    is_at_end,
    leading,
    with_leading,
)
from detent.kinematics.paths.closed import described, passed_notes, unique_points
from detent.kinematics.paths.drive_path import DrivePath
from detent.kinematics.paths.followed import AS_A_BLOCK, followed_walk, never_begun
from detent.kinematics.paths.near_change_point import across
from detent.kinematics.paths.path_event import PathEvent
from detent.kinematics.paths.path_limits import AT_END, NEAR, inside_by, path_length, with_opposite_roots
from detent.kinematics.paths.walk import PathWalk, joined, legs_of
from detent.kinematics.plan import make_plan
from detent.kinematics.planning.poses import part_poses
from detent.kinematics.planning.tables import Plan
from detent.kinematics.proofs.prove import states_along
from detent.kinematics.turning.relations import angle_relations

BESIDE = 1e-3  # [rad, sizes] of a change point, where following ends and begins again
ACROSS = "proved between change points, where it is followed from one side to the other"


@dataclass(frozen=True)
class Border:
    """Where a followed path is divided: the event that ends the first segment of `branch`, and its leg."""

    after: int  # the position before it
    start: Floats
    end: Floats
    branch: BranchPath
    passed: bool = True  # else a change point at the end of its leg or a little beyond, not passed there

    @property
    def reached(self) -> bool:
        """Whether the drive path comes there: not on the way from the drawing to its first position."""
        leg = self.branch.segments[0].plan, self.start, self.end
        return (self.passed and self.after >= 0) or abs(inside_by(*leg, 1.0, self.event)) <= AT_END

    @property
    def event(self) -> PathEvent:
        event = self.branch.segments[0].end
        assert event is not None
        return described(self.branch.segments[0].plan, self.start, self.end, event)

    @property
    def at(self) -> float:
        return self.branch.segments[0].hi

    @property
    def inputs(self) -> Floats:
        return np.asarray(self.start + self.at * (self.end - self.start))

    def beside(self, side: float) -> Floats:
        share = side * BESIDE / path_length(self.branch.segments[0].plan, self.start, self.end)
        return np.asarray(self.start + (self.at + share) * (self.end - self.start))


@dataclass(frozen=True)
class _Crossed:
    """A change point that is passed, with the plans on both sides."""

    border: Border
    before: Plan
    after: Plan

    @property
    def point(self) -> PathEvent:
        return self.border.event


def walk_in_segments(plan: Plan, path: DrivePath, exact: bool) -> PathWalk:
    """Follow a drive path on the branch on which its leading closed form goes on."""
    plan = _nearest(plan, path.goals[0])
    borders, stop = borders_of(plan, path.goals)
    walks: list[PathWalk] = []
    crossed: list[_Crossed] = []
    drawn, first = plan, 0
    for border in borders:
        upto = border.after + 1
        if not border.passed:
            if (beyond := past(plan, path.goals[first:upto], border)) is not None:
                crossed.append(_Crossed(border, plan, beyond))
            continue
        if upto > first:
            walks.append(followed_walk(plan, _part(path, first, upto), exact))
            if walks[-1].failed != ALL_CLOSED:
                return _merged(drawn, path, walks, crossed, exact)
        beyond = past(plan, path.goals[first:upto], border)
        if beyond is None:  # what comes behind ends before the change point
            del walks[len(walks) - (upto > first) :]
            break
        crossed.append(_Crossed(border, plan, beyond))
        plan, first = beyond, upto
    else:
        if stop is not None:
            walks.append(_ended(plan, path, first, stop, exact))
            return _merged(drawn, path, walks, crossed, exact)
    if first < len(path.goals):
        walks.append(followed_walk(plan, _part(path, first, len(path.goals)), exact))
    return _merged(drawn, path, walks, crossed, exact)


def _nearest(plan: Plan, goal: Floats) -> Plan:
    """The plan with its drawing as many periods of the drives later as bring it nearest to a goal."""
    drawn = home(plan, goal)
    if np.array_equal(drawn, plan.drawn):
        return plan
    relations = angle_relations(plan.system, plan.inputs)
    poses = plan.poses.copy()
    poses[:, 2] += relations.by_input @ (drawn - plan.drawn)
    return replace(plan, drawn=drawn, poses=poses)


def borders_of(plan: Plan, goals: Floats) -> tuple[list[Border], Border | None]:
    """Change points of the leading closed form from the drawing on, and the limit that ends it."""
    first = leading(plan)
    legs = [(-1, 0, plan.drawn, goals[0])]
    legs += [(a, b, goals[a], goals[b]) for a, b in legs_of(goals)]
    borders: list[Border] = []
    for a, b, start, end in legs:
        if first is None or np.array_equal(start, end):
            continue
        branch = branch_path_of(first, start, end, share=max(b - a, 1) / len(goals))
        for k, segment in enumerate(branch.segments):
            if segment.end is None:
                continue
            rest = replace(branch, segments=branch.segments[k:])
            span = end - start
            along = (goals[max(a, 0) : b + 1] - start) @ span / (span @ span)
            after = a if a < 0 else a + int(np.searchsorted(along, segment.hi)) - 1
            border = Border(after, start, end, rest)
            if segment.end.kind == "limit":
                return borders, border
            borders.append(border)
        first = branch.segments[-1].plan
        onwards = bool(b + 1 < len(goals) and (goals[b + 1] - end) @ (end - start) > 0.0)
        for event in beside_ends(branch, start, end):
            if event.at < 0.5:
                continue
            other = with_opposite_roots(first, (event.row, *event.also))
            sides = BranchSegment(0.0, event.at, first, event), BranchSegment(event.at, event.at, other, None)
            passed = onwards and is_at_end(first, start, end, event)
            both = replace(branch, segments=sides)
            borders.append(Border(a if a < 0 else b, start, end, both, passed))
            first = other if passed else first
    return borders, None


def past(plan: Plan, passed_by: Floats, border: Border) -> Plan | None:
    """The plan as it is a little past a change point; None where it does not come there."""
    before = np.concatenate([passed_by, border.beside(-1.0)[None]])
    states = states_along(plan, plan.drawn, plan.state, before)
    switched = with_leading(plan, border.branch.segments[1].plan)
    beyond = border.beside(1.0)
    if states is None or (on := states_along(switched, before[-1], states[-1], beyond[None])) is None:
        return None
    based = replace(switched, drawn=beyond, state=on[0])
    poses = part_poses(plan, sweep(based, beyond[None]).values)
    return replace(based, poses=np.array([poses[name][0] for name in plan.system.parts]))


def _ended(plan: Plan, path: DrivePath, first: int, stop: Border, exact: bool) -> PathWalk:
    """The rest of the drive path up to a limit of the leading closed form."""
    point = stop.event
    upto = stop.after + 1
    reached = point.inputs
    if upto <= first and (not exact or not upto):
        notes = () if upto else (never_begun(plan, reached),)
        return PathWalk(plan, joined(plan, [], reached, 0), (point,), "", max(point.row, 0), reached, notes)
    part = _part(path, first, upto)
    last = exact and not point.unbounded
    if last:
        part = replace(part, goals=np.concatenate([part.goals, reached[None]]), rates=path.rates)
    walk = followed_walk(plan, part, exact)
    if walk.failed != ALL_CLOSED:
        return walk
    frames = _unbounded(walk.frames) if last else walk.frames
    return replace(
        walk, frames=frames, points=(*walk.points, point), failed=max(point.row, 0), reached=reached
    )


def _unbounded(frames: Frames) -> Frames:
    """Links in line in the last frame, so that derivatives have no bound there."""
    assert frames.first is not None
    assert frames.second is not None
    frames.first[-1], frames.second[-1] = np.nan, np.nan
    return frames


def _part(path: DrivePath, first: int, upto: int) -> DrivePath:
    """Some of its positions."""
    rates = path.rates[first : max(upto - 1, first + 1)]
    return replace(path, goals=path.goals[first:upto], rates=rates if len(rates) else path.rates[-1:])


def _merged(
    plan: Plan, path: DrivePath, walks: list[PathWalk], crossed: list[_Crossed], exact: bool
) -> PathWalk:
    """One walk of several."""
    if len(walks) == 1 and not crossed:
        return walks[0]
    passed = tuple(each for each in crossed if each.border.passed)
    if any(len(w.plan.vectors) != len(plan.vectors) for w in walks):  # a cut of it was followed as a block
        whole = walk_in_segments(make_plan(plan.system, plan.poses, plan.inputs, cuts=False), path, exact)
        return replace(whole, notes=(AS_A_BLOCK, *whole.notes))
    certificates = list(dict.fromkeys(w.certificate for w in walks if w.certificate))
    points = [each.point for each in crossed if each.border.reached]
    notes = passed_notes(plan, [each.point for each in passed if each.border.reached])
    return PathWalk(
        plan,
        sharpened(
            joined(plan, [w.frames for w in walks], walks[-1].reached, walks[-1].failed), path, crossed
        ),
        unique_points([*points, *(p for w in walks for p in w.points)]),
        next((c for c in certificates if not c.startswith("proved:")), ACROSS if passed else certificates[0]),
        walks[-1].failed,
        walks[-1].reached,
        tuple(dict.fromkeys([*notes, *(note for w in walks for note in w.notes)])),
        crossed=passed,
        beside=tuple(each for each in crossed if not each.border.passed),
    )


def sharpened(frames: Frames, path: DrivePath, crossed: Sequence[_Crossed]) -> Frames:
    """Frames near a change point from both sides, where a root of nearly nothing has lost half its digits."""
    assert frames.first is not None
    assert frames.second is not None
    for each in crossed:
        border = each.border
        on_leg = [other for other in crossed if other.border.start is border.start]  # a leg has one start

        def plan_at(share: float, on_leg: list[_Crossed] = on_leg) -> Plan:
            return next((other.before for other in on_leg if share <= other.border.at), on_leg[-1].after)

        for i in range(min(len(frames.inputs), len(path.goals))):
            goal = frames.inputs[i]
            if path_length(each.before, border.inputs, goal) <= NEAR:
                rates = path.rates_from(max(i - 1, 0))
                frame = across(plan_at, goal, border.start, border.end, border.at, rates)
                if frame.failed == ALL_CLOSED and frame.first is not None and frame.second is not None:
                    frames.values[i], frames.first[i] = frame.values[0], frame.first[0]
                    frames.second[i] = frame.second[0]
    return frames
