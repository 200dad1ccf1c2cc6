"""Along the drive, up to where the linkage cannot follow: frames, limits, change points.

Closed forms: limits are proved on the whole course before a frame is computed,
so no step can jump one. A change point, where a discriminant touches zero, is
passed straight on: the stored sign changes there, and a frame that falls on it
is interpolated from both sides, because a root of nearly nothing has lost half
its digits. Cuts and blocks are followed in steps that their branch guard
accepts; their limit is where the drive turns back.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from detent.kinematics import ops as op
from detent.kinematics.course import Course
from detent.kinematics.execute import WELL
from detent.kinematics.limits import Found, Limits, path_limits, vectors_at
from detent.kinematics.plan import make_plan
from detent.kinematics.poses import part_poses
from detent.kinematics.rows import Floats, place
from detent.kinematics.stops import coordinates, with_stops, words
from detent.kinematics.sweep import Frames, sweep
from detent.kinematics.tables import CUT, Plan
from detent.kinematics.turning import turning_point
from detent.model.system import Pair
from detent.motion.kinematic_proof import followed_certificate
from detent.motion.kinematic_stops import Reached, counted_stop, followed_stop, frames_to, goals_at

NEAR = 1e-4  # [of the path's unit] of a change point: frames are interpolated
SPACING = 4e-3  # between the points they are interpolated from, three a side


@dataclass(frozen=True)
class PathPoint:
    """A limit or change point, with the inputs there and the parts whose loop decides."""

    inputs: Floats
    kind: str
    parts: tuple[str, ...]
    detail: str


@dataclass(frozen=True)
class Walk:
    """Frames up to the stop, the plan that made them, and what was found on the whole course."""

    plan: Plan
    frames: Frames
    points: tuple[PathPoint, ...]
    certificate: str
    failed: int
    reached: Floats
    notes: tuple[str, ...]


def walk(plan: Plan, course: Course, *, exact: bool) -> Walk:
    """Follow the course; `exact` adds the limit itself as the last frame."""
    if plan.closed_form:
        return _closed_walk(with_stops(plan), course, exact)
    return _numeric_walk(plan, course, exact)


def legs_of(goals: Floats) -> list[tuple[int, int]]:
    """Straight stretches of the course: one drive goes as far as it does not turn round."""
    if goals.shape[1] > 1:
        return [(i, i + 1) for i in range(len(goals) - 1)]
    way = np.sign(np.diff(goals[:, 0]))
    legs: list[tuple[int, int]] = []
    going = 0.0  # which way the last stretch goes; none yet where it stands still
    for i, w in enumerate(way):
        if legs and (w == 0.0 or going in (w, 0.0)):
            legs[-1] = (legs[-1][0], i + 1)
        else:
            legs.append((i, i + 1))
            going = 0.0
        going = going or float(w)
    return legs


def _closed_walk(plan: Plan, course: Course, exact: bool) -> Walk:
    goals, drawn = course.goals, plan
    legs = legs_of(goals) or [(0, 0)]
    frames: list[Frames] = []
    points: list[PathPoint] = []
    proved, failed = True, WELL
    reached = goals[0]
    notes: list[str] = []
    for n, (first, last) in enumerate(legs):
        start, end = goals[first], goals[last]
        found = _with_counted(plan, path_limits(plan, start, end, share=1.0 / len(legs)), start, end)
        proved = proved and found.proved
        points += [_point(plan, start, end, f) for f in found.found]
        if failed != WELL:
            continue
        if not found.start_closes:
            failed, reached = 0, start
            notes.append(_why_not(plan, start))
            continue
        stop = next((f for f in found.found if f.kind == "limit"), None)
        own = goals[first if n == 0 else first + 1 : last + 1]
        rates = course.rates_from(first)
        plan = _leg(plan, rates, own, start, end, found.found, stop, exact, frames)
        if stop is not None:
            failed, reached = max(stop.row, 0), start + stop.at * (end - start)
        notes += [_passed(p) for p in points if p.kind == "change"]
    all_frames = _joined(plan, frames, reached, failed)
    broken = _first_broken(plan, all_frames)
    if broken is not None:
        at, joints = broken
        reached, failed = all_frames.inputs[max(at - 1, 0)], 0
        all_frames = _cut_off(all_frames, at)
        listed = " and ".join(joints)
        points.append(PathPoint(all_frames.reached, "break", (), f"{listed} can no longer close"))
        notes.append(f"{listed} repeat other joints and no longer fit beyond position {at}")
    return Walk(
        drawn,
        all_frames,
        _unique(points),
        _certificate(proved, plan),
        failed,
        reached,
        tuple(dict.fromkeys(notes)),
    )


def _leg(
    plan: Plan,
    rates: Floats,
    own: Floats,
    start: Floats,
    end: Floats,
    found: tuple[Found, ...],
    stop: Found | None,
    exact: bool,
    frames: list[Frames],
) -> Plan:
    """Frames of one stretch, the branch signs changed at each change point; returns the plan after it."""
    span = end - start
    axis = int(np.argmax(np.abs(span))) if len(span) else 0
    at = (own[:, axis] - start[axis]) / span[axis] if len(own) and span[axis] else np.zeros(len(own))
    borders = [f for f in found if _changes(plan, f) and (stop is None or f.at < stop.at)]
    here = 0
    for border in [*borders, stop]:
        upto = (
            len(own)
            if border is None
            else int(np.searchsorted(at, border.at, side="left" if border.kind == "change" else "right"))
        )
        if upto > here:
            part = sweep(plan, own[here:upto], order=2, rates=rates)
            frames.append(part)
            here = upto
        if border is not None and border.kind == "change":
            before = plan
            plan = _turned(plan, border.row)
            upto = int(np.searchsorted(at, border.at + NEAR / max(abs(span[axis]), NEAR), side="right"))
            frames += [_across(before, plan, own[i], start, end, border, rates) for i in range(here, upto)]
            here = max(here, upto)
    if stop is not None and exact and _joint_of(plan, stop) >= 0:
        there = start + stop.at * (end - start)
        grace = plan.system.tolerance.angle  # a sample on the limit is the limit
        if not here or not np.allclose(own[here - 1], there, rtol=0, atol=grace):
            frames.append(sweep(plan, there[None], order=2, rates=rates))
    elif stop is not None and exact and not stop.unbounded:
        frames.append(_at_limit(plan, start, end, stop))
    elif stop is None and here < len(own):
        frames.append(sweep(plan, own[here:], order=2, rates=rates))
    return plan


def _with_counted(plan: Plan, found: Limits, start: Floats, end: Floats) -> Limits:
    """Also the limits of pins whose turns are counted; the proof does not cover them."""
    if not any(stop.row < 0 for stop in plan.stops):
        return found
    more = counted_stop(plan, start, end) if found.start_closes else None
    together = found.found if more is None else (*found.found, more)
    return Limits(tuple(sorted(together, key=lambda f: f.at)), False, found.start_closes)


def _joint_of(plan: Plan, found: Found) -> int:
    """The joint whose own limit was found; -1 where the loop itself does not close."""
    if found.pair >= 0 or found.row < 0:
        return found.pair
    return next((stop.pair for stop in plan.stops if stop.row == found.row), -1)


def _changes(plan: Plan, found: Found) -> bool:
    return found.kind == "change" and _joint_of(plan, found) < 0


def _turned(plan: Plan, row: int) -> Plan:
    ops = plan.ops.copy()
    ops[row, op.SIGN] *= -1
    return replace(plan, ops=ops)


def _across(
    before: Plan, after: Plan, goal: Floats, start: Floats, end: Floats, border: Found, rates: Floats
) -> Frames:
    """A frame at a change point, interpolated from three points on each side."""
    way = (end - start) / np.linalg.norm(end - start)
    centre = start + border.at * (end - start)
    offsets = SPACING * np.array([-3.0, -2.0, -1.0, 1.0, 2.0, 3.0])
    sides = [
        sweep(plan, centre + np.outer(own, way), order=2, rates=rates)
        for plan, own in ((before, offsets[:3]), (after, offsets[3:]))
    ]
    x = float((goal - centre) @ way)
    weights = _lagrange(offsets, x)
    tables = [
        np.concatenate([getattr(side, name) for side in sides]) for name in ("values", "first", "second")
    ]
    if any(len(table) != len(offsets) for table in tables):
        return sweep(before, goal[None] * 0, order=2)  # nothing to interpolate from
    mixed = [np.tensordot(weights, table, axes=1)[None] for table in tables]
    return Frames(goal[None], mixed[0], mixed[1], mixed[2], goal, WELL, mixed[0][0], False)


def _lagrange(at: Floats, x: float) -> Floats:
    weights = np.ones(len(at))
    for i, a in enumerate(at):
        for j, b in enumerate(at):
            if i != j:
                weights[i] *= (x - b) / (a - b)
    return weights


def _at_limit(plan: Plan, start: Floats, end: Floats, stop: Found) -> Frames:
    """The limit itself: links in line, so derivatives have no bound."""
    V = vectors_at(plan, start, end, stop.beyond)[None]
    none = np.full_like(V, np.nan)
    inputs = (start + stop.at * (end - start))[None]
    return Frames(inputs, V, none, none, inputs[0], WELL, V[0], False)


def _joined(plan: Plan, frames: list[Frames], reached: Floats, failed: int) -> Frames:
    if not frames:
        empty = np.zeros((0, len(plan.vectors), 2))
        return Frames(
            np.zeros((0, len(plan.inputs))), empty, empty, empty, reached, failed, plan.vectors, False
        )
    return Frames(
        inputs=np.concatenate([f.inputs for f in frames]),
        values=np.concatenate([f.values for f in frames]),
        first=np.concatenate([f.first for f in frames if f.first is not None]),
        second=np.concatenate([f.second for f in frames if f.second is not None]),
        reached=reached,
        failed=failed,
        last=frames[-1].last,
        compiled=any(f.compiled for f in frames),
    )


def _first_broken(plan: Plan, frames: Frames) -> tuple[int, tuple[str, ...]] | None:
    """The first frame in which a repeated joint does not close, and its name."""
    worst: tuple[int, tuple[str, ...]] | None = None
    for check in plan.checks:
        gap = np.abs(frames.values[:, check.row, 0]) / check.scale
        open_ = np.flatnonzero(gap > plan.system.tolerance.length)
        if len(open_) and (worst is None or open_[0] < worst[0]):
            worst = int(open_[0]), check.joints
    return worst


def _cut_off(frames: Frames, at: int) -> Frames:
    assert frames.first is not None
    assert frames.second is not None
    return replace(
        frames,
        inputs=frames.inputs[:at],
        values=frames.values[:at],
        first=frames.first[:at],
        second=frames.second[:at],
    )


def _numeric_walk(plan: Plan, course: Course, exact: bool) -> Walk:
    frames = _followed(plan, course)
    notes: tuple[str, ...] = ()
    if frames.failed != WELL and np.any(plan.segments[:, 0] == CUT):
        # A dyad inside a cut has dead points of its own, which the linkage passes: the block has none.
        whole = make_plan(plan.system, plan.poses, plan.inputs, cuts=False)
        further = _followed(whole, course)
        if _farther(further, frames):
            plan, frames = whole, further
            notes = ("solved as a block: a dyad inside the cut passes a dead point of its own",)
    certificate = followed_certificate(plan, course.goals, legs_of(course.goals), frames)
    if (stop := followed_stop(plan, course, frames)) is not None:
        return _stopped_walk(plan, course, frames, stop, exact, certificate, notes)
    if frames.failed == WELL:
        return Walk(plan, frames, (), certificate, WELL, frames.reached, notes)
    reached = frames.reached
    detail = "the drive turns back"
    parts = tuple(plan.system.parts[i] for i in plan.system.moving)
    turn = None
    if len(plan.inputs) == 1 and plan.inputs[0].held.mark is None:
        near = part_poses(plan, frames.last[None])
        here = np.array([near[name][0] for name in plan.system.parts])
        turn = turning_point(plan.system, here, plan.inputs[0].held.pair)
    if turn is not None:
        reached = np.array([turn[0]])
        if exact:
            last = _frame_of(plan, turn[1], reached)
            frames = _joined(plan, [frames, last], reached, frames.failed)
    point = PathPoint(reached, "limit", parts, detail)
    return Walk(plan, frames, (point,), certificate, frames.failed, reached, notes)


def _followed(plan: Plan, course: Course) -> Frames:
    """All positions in turn; where the course bends, each with the rates of its own stretch."""
    rates = np.array([course.rates_from(max(k - 1, 0)) for k in range(len(course.goals))])
    frames = sweep(plan, course.goals, order=2, rates=rates[0])
    assert frames.first is not None
    assert frames.second is not None
    for row in np.unique(rates, axis=0):
        if not np.array_equal(row, rates[0]):
            again = sweep(plan, course.goals, order=2, rates=row)
            own = np.flatnonzero(np.all(rates[: len(frames.inputs)] == row, axis=1))
            assert again.first is not None
            assert again.second is not None
            frames.first[own], frames.second[own] = again.first[own], again.second[own]
    return frames


def _stopped_walk(
    plan: Plan,
    course: Course,
    frames: Frames,
    stop: Reached,
    exact: bool,
    certificate: str,
    notes: tuple[str, ...],
) -> Walk:
    """Up to where a joint comes to its limit."""
    upto = math.floor(stop.at) + 1
    reached = goals_at(course.goals, np.array([stop.at]))[0]
    kept = _cut_off(frames, upto)
    if exact and stop.at > upto - 1:
        there = frames_to(plan, course, np.arange(float(upto)), stop.at, order=2)
        kept = _joined(plan, [kept, _last(there)], reached, 0)
    at = coordinates(plan, kept.values[-1:], stop.pair)[0] if len(kept.values) else stop.pair.low
    point = _stopped_by(plan, reached, "limit", stop.pair, float(at))
    return Walk(plan, kept, (point,), certificate, 0, reached, notes)


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
    if one.failed == WELL or len(one.inputs) != len(other.inputs):
        return len(one.inputs) > len(other.inputs)
    if not len(one.inputs):
        return False
    ways = [float(np.linalg.norm(f.reached - f.inputs[-1])) for f in (one, other)]
    return ways[0] > ways[1] + NEAR


def _frame_of(plan: Plan, poses: Floats, inputs: Floats) -> Frames:
    """A frame from poses alone, marker by marker and anchor by anchor."""
    V = plan.vectors.copy()
    for name, row in plan.points.items():
        at = place(plan.system.marks[name], poses)
        V[row] = at.real, at.imag
    for part, anchor in enumerate(plan.anchors):
        turn = complex(np.cos(poses[part, 2]), np.sin(poses[part, 2]))
        W = complex(poses[part, 0], poses[part, 1]) + turn * anchor.w
        V[anchor.W] = W.real, W.imag
        along = turn * anchor.d
        if anchor.P == anchor.W:
            V[anchor.Q] = (W + along).real, (W + along).imag
        else:
            V[anchor.Q] = along.real, along.imag
    none = np.full((1, *V.shape), np.nan)
    return Frames(inputs[None], V[None], none, none, inputs, WELL, V, False)


def _point(plan: Plan, start: Floats, end: Floats, found: Found) -> PathPoint:
    inputs = start + found.at * (end - start)
    if (joint := _joint_of(plan, found)) >= 0:
        pair = plan.system.pairs[joint]
        here = coordinates(plan, vectors_at(plan, start, end, found.at)[None], pair)[0]
        return _stopped_by(plan, inputs, "touch" if found.kind == "change" else "limit", pair, here)
    step = plan.owners.get(int(plan.ops[found.row, op.DISC])) if found.row >= 0 else None
    words = step.step if step else ""
    return PathPoint(inputs, found.kind, step.parts if step else (), words)


def _stopped_by(plan: Plan, inputs: Floats, kind: str, pair: Pair, at: float) -> PathPoint:
    parts = tuple(plan.system.parts[mark.part] for mark in (pair.a, pair.b))
    return PathPoint(inputs, kind, parts, words(plan, pair, at))


def _passed(point: PathPoint) -> str:
    named = ", ".join(point.parts)
    return f"change point at {float(point.inputs[0]):.9g}: {named} come in line and go straight on"


def _why_not(plan: Plan, start: Floats) -> str:
    V = vectors_at(plan, start, start, 0.0)
    for stop in plan.stops:
        if stop.row >= 0 and V[plan.ops[stop.row, op.DISC], 0] < 0:
            pair = plan.system.pairs[stop.pair]
            return f"the first position cannot be reached: {pair.name} is beyond its limits there"
    worst = [
        plan.owners[int(row[op.DISC])]
        for row in plan.ops
        if row[0] in op.DYADS and V[row[op.DISC], 0] < 0 and int(row[op.DISC]) in plan.owners
    ]
    named = worst[0].step if worst else "the linkage"
    return f"the first position cannot be reached: {named} cannot close there"


def _unique(points: list[PathPoint]) -> tuple[PathPoint, ...]:
    kept: list[PathPoint] = []
    for p in points:
        if not any(np.allclose(p.inputs, q.inputs, rtol=0, atol=1e-12) and p.kind == q.kind for q in kept):
            kept.append(p)
    return tuple(kept)


def _certificate(proved: bool, plan: Plan) -> str:
    watched = " and of every joint's limits" if any(stop.row >= 0 for stop in plan.stops) else ""
    counted = [plan.system.pairs[stop.pair].name for stop in plan.stops if stop.row < 0]
    if counted:
        return f"not proved: the turns of {', '.join(counted)} are counted at samples and tops between them"
    if proved:
        return f"proved: enclosures of every discriminant{watched} cover the whole course"
    return "not proved: enclosures grew too wide; limits were sought at samples and least values between them"
