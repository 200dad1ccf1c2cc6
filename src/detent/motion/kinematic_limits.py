"""Along the drive, up to where the linkage cannot follow: frames, limits, change points.

Closed forms: limits are proved on the whole course before a frame is computed,
so no step can jump one. A change point, where a discriminant touches zero, is
passed straight on: the stored sign changes there, and a frame that falls on it
is interpolated from both sides, because a root of nearly nothing has lost half
its digits. Cuts and blocks are followed step by step (`kinematic_followed`).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from detent.kinematics import ops as op
from detent.kinematics.course import Course
from detent.kinematics.execute import WELL
from detent.kinematics.limits import Found, Limits, path_limits, vectors_at
from detent.kinematics.rows import Floats
from detent.kinematics.stops import coordinates, with_stops
from detent.kinematics.sweep import Frames, sweep
from detent.kinematics.tables import Plan
from detent.motion.kinematic_followed import followed_walk
from detent.motion.kinematic_stops import counted_stop
from detent.motion.kinematic_walk import PathPoint, Walk, cut_off, joined, legs_of, stopped_by

NEAR = 1e-4  # [of the path's unit] of a change point: frames are interpolated
SPACING = 4e-3  # between the points they are interpolated from, three a side


def walk(plan: Plan, course: Course, *, exact: bool) -> Walk:
    """Follow the course; `exact` adds the limit itself as the last frame."""
    if plan.closed_form:
        return _closed_walk(with_stops(plan), course, exact)
    return followed_walk(plan, course, exact)


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
    all_frames = joined(plan, frames, reached, failed)
    broken = _first_broken(plan, all_frames)
    if broken is not None:
        at, joints = broken
        reached, failed = all_frames.inputs[max(at - 1, 0)], 0
        all_frames = cut_off(all_frames, at)
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


def _first_broken(plan: Plan, frames: Frames) -> tuple[int, tuple[str, ...]] | None:
    """The first frame in which a repeated joint does not close, and its name."""
    worst: tuple[int, tuple[str, ...]] | None = None
    for check in plan.checks:
        gap = np.abs(frames.values[:, check.row, 0]) / check.scale
        open_ = np.flatnonzero(gap > plan.system.tolerance.length)
        if len(open_) and (worst is None or open_[0] < worst[0]):
            worst = int(open_[0]), check.joints
    return worst


def _point(plan: Plan, start: Floats, end: Floats, found: Found) -> PathPoint:
    inputs = start + found.at * (end - start)
    if (joint := _joint_of(plan, found)) >= 0:
        pair = plan.system.pairs[joint]
        here = coordinates(plan, vectors_at(plan, start, end, found.at)[None], pair)[0]
        return stopped_by(plan, inputs, "touch" if found.kind == "change" else "limit", pair, here)
    step = plan.owners.get(int(plan.ops[found.row, op.DISC])) if found.row >= 0 else None
    words = step.step if step else ""
    return PathPoint(inputs, found.kind, step.parts if step else (), words)


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
