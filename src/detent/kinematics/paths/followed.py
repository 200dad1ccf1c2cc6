"""Plans with cuts or blocks, followed in steps that their branch guard accepts.

Their limit is where the drive turns back, where a joint comes to its own limit,
or where two slides become parallel, whichever comes first.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from detent.kinematics.equations.drive_reversal import extreme_point, turning_point
from detent.kinematics.equations.rows import Floats, place
from detent.kinematics.execution.frame import ALL_CLOSED
from detent.kinematics.execution.sweeping import Frames, sweep
from detent.kinematics.operations import ops as op
from detent.kinematics.paths.certificate import followed_certificate
from detent.kinematics.paths.drive_path import DrivePath, told_input
from detent.kinematics.paths.joint_limits import (
    followed_count,
    followed_stop,
    frames_to,
    goals_at,
    small_steps,
    sweep_in_small_steps,
)
from detent.kinematics.paths.parallel_slides import parallel_slides
from detent.kinematics.paths.path_event import PathEvent
from detent.kinematics.paths.walk import PathWalk, cut_off, joined, legs_of, stopped_by
from detent.kinematics.plan import make_plan
from detent.kinematics.planning.limit_rows import cannot_begin, coordinates, is_beyond
from detent.kinematics.planning.poses import part_poses
from detent.kinematics.planning.tables import CUT, Plan
from detent.model.machine.plane_linkage import PlaneJoint
from detent.numeric.angles import continued

AS_A_BLOCK = "solved as a block: a dyad inside the cut passes a dead point of its own"
BLURRED = 1e-4  # [of the path's unit] between two limits that are one


def followed_walk(plan: Plan, path: DrivePath, exact: bool) -> PathWalk:
    frames = sweep_in_small_steps(plan, path.goals, order=2, rates=path.rates_at_positions)
    notes: tuple[str, ...] = ()
    frames, away, stop = _stops(plan, path, frames)
    halted = away is not None or stop is not None  # before what the plan cannot follow
    if not halted and frames.failed != ALL_CLOSED and np.any(plan.segments[:, 0] == CUT):
        # A dyad inside a cut has dead points of its own, which the linkage passes: the block has none.
        whole = make_plan(plan.system, plan.poses, plan.inputs, cuts=False)
        further = sweep_in_small_steps(whole, path.goals, order=2, rates=path.rates_at_positions)
        if _farther(further, frames):
            plan, notes = whole, (AS_A_BLOCK,)
            frames, away, stop = _stops(plan, path, further)
    certificate = followed_certificate(plan, path.goals, legs_of(path.goals), frames)
    if stop is not None:
        return _stopped_walk(plan, path, frames, stop, exact, certificate, notes)
    if away is not None:
        return PathWalk(
            plan, frames, (_runs_away(plan, away, frames),), certificate, 0, frames.reached, notes
        )
    if frames.failed == ALL_CLOSED:
        return PathWalk(plan, frames, (), certificate, ALL_CLOSED, frames.reached, notes)
    reached = frames.reached
    detail = "the drive turns back"
    parts = tuple(plan.system.parts[i] for i in plan.system.moving)
    reversal = None
    near = part_poses(plan, frames.last[None])
    near_poses = np.array([near[name][0] for name in plan.system.parts])
    if len(plan.inputs) == 1 and plan.inputs[0].held.mark is None:
        pair = plan.inputs[0].held.pair
        reversal = turning_point(plan.system, near_poses, pair) or extreme_point(
            plan.system, near_poses, pair
        )
    if reversal is not None:
        at = reversal[0]
        if not plan.inputs[0].is_length:
            at = continued(at, float(frames.reached[0]))
        reached = np.array([at])
        if exact and len(frames.inputs):
            last = _frame_of(plan, reversal[1], reached)
            frames = joined(plan, [frames, last], reached, frames.failed)
    elif exact and len(frames.inputs) and not np.array_equal(reached, frames.inputs[-1]):
        # Freedoms that nothing drives have no one motion to turn back on: as near as it was followed.
        frames = joined(plan, [frames, _frame_of(plan, near_poses, reached)], reached, frames.failed)
    point = PathEvent(float(len(frames.inputs)), "limit", parts=parts, detail=detail, inputs=reached)
    notes += () if len(frames.inputs) else (never_begun(plan, reached),)
    return PathWalk(plan, frames, (point,), certificate, frames.failed, reached, notes)


def never_begun(plan: Plan, reached: Floats) -> str:
    """What is said where the way from the drawing to the first position ends before it."""
    if len(plan.inputs) > 1:
        return "the first position cannot be reached: the links do not come there from where they stand"
    drawn, end = (told_input(plan.system, plan.inputs, row) for row in (plan.drawn, reached))
    return f"the first position cannot be reached: it stands at {drawn}, and the way there ends at {end}"


def _stops(plan: Plan, path: DrivePath, frames: Frames) -> tuple[Frames, PathEvent | None, PathEvent | None]:
    """The frames up to where two slides become parallel, if they do; that place; the first joint's limit."""
    away = parallel_slides(plan, path, frames)
    if away is not None:
        frames = _before(frames, path, away.at)
    return frames, away, followed_stop(plan, path, frames)


def _before(frames: Frames, path: DrivePath, at: float) -> Frames:
    """The frames up to a place of the drive path, which they reach."""
    kept = cut_off(frames, math.floor(at) + 1)
    return replace(kept, reached=goals_at(path.goals, np.array([at]))[0], failed=0)


def _runs_away(plan: Plan, away: PathEvent, frames: Frames) -> PathEvent:
    step = plan.owners.get(int(plan.ops[away.row, op.DISC]))
    words = (
        f"{step.step}: its lines become parallel and meet nowhere" if step else "two lines become parallel"
    )
    return replace(away, inputs=frames.reached, parts=step.parts if step else (), detail=words)


def _stopped_walk(
    plan: Plan,
    path: DrivePath,
    frames: Frames,
    stop: PathEvent,
    exact: bool,
    certificate: str,
    notes: tuple[str, ...],
) -> PathWalk:
    """Up to where a joint comes to its limit."""
    upto = math.floor(stop.at) + 1
    reached = goals_at(path.goals, np.array([stop.at]))[0]
    kept = cut_off(frames, upto)
    if exact and stop.at > upto - 1:
        to_limit = frames_to(plan, path, np.arange(float(upto)), stop.at, order=2)
        kept = joined(plan, [kept, _last(to_limit)], reached, 0)
    pair = plan.system.pairs[stop.joint]
    at = _coordinate_at(plan, path, stop.at, pair) if len(kept.values) else pair.low
    if stop.at == 0.0 and is_beyond(plan.system, pair, at):
        return PathWalk(
            plan, cut_off(frames, 0), (), certificate, 0, path.goals[0], (*notes, cannot_begin([pair.name]))
        )
    point = stopped_by(plan, stop, reached, "limit", pair, at)
    return PathWalk(plan, kept, (point,), certificate, 0, reached, notes)


def _coordinate_at(plan: Plan, path: DrivePath, at: float, pair: PlaneJoint) -> float:
    """A joint's coordinate at a place of the drive path, its full rotations counted."""
    places = small_steps(plan, path.goals)
    places = np.append(places[places < at], at)
    frames = sweep(plan, goals_at(path.goals, places))
    count = followed_count(plan, path.goals[0], places[: len(frames.inputs)], frames)
    angles = count.angles(places[: len(frames.inputs)], frames.inputs, frames.values)
    return float(coordinates(plan, frames.values, pair, angles)[-1])


def _last(frames: Frames) -> Frames:
    assert frames.first is not None
    assert frames.second is not None
    return replace(
        frames,
        inputs=frames.inputs[-1:],
        values=frames.values[-1:],
        first=frames.first[-1:],
        second=frames.second[-1:],
    )


def _farther(one: Frames, other: Frames) -> bool:
    """Whether one got farther than the other by more than their limits are blurred."""
    if one.failed == ALL_CLOSED or len(one.inputs) != len(other.inputs):
        return len(one.inputs) > len(other.inputs)
    if not len(one.inputs):
        return False
    distances = [float(np.linalg.norm(f.reached - f.inputs[-1])) for f in (one, other)]
    return distances[0] > distances[1] + BLURRED


def _frame_of(plan: Plan, poses: Floats, inputs: Floats) -> Frames:
    """A frame from poses alone, marker by marker and anchor by anchor."""
    V = plan.vectors.copy()
    for name, row in plan.points.items():
        at = place(plan.system.marks[name], poses)
        V[row] = at.real, at.imag
    for part, anchor in enumerate(plan.anchors):
        rotation = complex(np.cos(poses[part, 2]), np.sin(poses[part, 2]))
        W = complex(poses[part, 0], poses[part, 1]) + rotation * anchor.w
        V[anchor.W] = W.real, W.imag
        along = rotation * anchor.d
        if anchor.P == anchor.W:
            V[anchor.Q] = (W + along).real, (W + along).imag
        else:
            V[anchor.Q] = along.real, along.imag
    none = np.full((1, *V.shape), np.nan)
    return Frames(inputs[None], V[None], none, none, inputs, ALL_CLOSED, V, False)
