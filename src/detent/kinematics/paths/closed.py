"""Along the drive, up to where the linkage cannot follow: frames, limits, change points.

Closed forms: limits are proved on the whole drive path before a frame is computed,
so no step can jump one. A change point, where a discriminant touches zero, is
passed straight on: the stored sign changes there, and a frame that falls on it
is interpolated from both sides, because a root of nearly nothing has lost half
its digits. Cuts and blocks are followed step by step (`segments.py`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np

from detent.kinematics.equations.rows import Floats
from detent.kinematics.execution.frame import ALL_CLOSED
from detent.kinematics.execution.sweeping import Frames, sweep
from detent.kinematics.operations import ops as op
from detent.kinematics.paths.branch import (
    BranchPath,
    beside_ends,
    branch_path_of,
    directions_repeat,
    home,
    is_at_end,
    joint_of,
    passed_at_start,
    stopped,
)
from detent.kinematics.paths.drive_path import DrivePath, told_input
from detent.kinematics.paths.joint_limits import counted_stop
from detent.kinematics.paths.near_change_point import across, at_limit, from_one_side
from detent.kinematics.paths.path_event import PathEvent, PathEventKind
from detent.kinematics.paths.path_limits import (
    AT_END,
    NEAR,
    folded,
    path_length,
    vectors_at,
    with_opposite_roots,
)
from detent.kinematics.paths.walk import PathWalk, cut_off, first_broken, joined, legs_of, stopped_by
from detent.kinematics.planning.limit_rows import cannot_begin, coordinates, is_beyond, travel_of, with_stops
from detent.kinematics.planning.tables import Plan
from detent.kinematics.turning.count import (
    TurnCount,
    as_drawn,
    joined_counts,
    leg_turns,
    nearest_to_drawing,
)
from detent.kinematics.turning.relations import angle_relations
from detent.model.machine.plane_linkage import PlaneJoint
from detent.numeric.angles import whole_turns

SAME_INPUT = 1e-12  # [rad, m]
MOST_NOTED = 8  # change points that have a note each
PLACES = 361  # of a leg, beside its positions, at which joints that repeat others are looked at
BEYOND = "a limit lies between the drawing and the first position, computed on the branch of the drawing"


def closed_walk(plan: Plan, path: DrivePath, exact: bool) -> PathWalk:
    """Follow the drive path in closed form; `exact` adds the limit itself as the last frame."""
    goals = path.goals
    plan = drawn = with_stops(plan, travel_of(plan, goals))
    plan, comes = set_out(plan, goals[0])
    legs = legs_of(goals) or [(0, 0)]
    frames: list[Frames] = []
    branches: list[BranchPath] = []
    points: list[PathEvent] = []
    passing: list[PathEvent] = []
    proved, failed = True, ALL_CLOSED
    reached = goals[0]
    notes: list[str] = []
    opens: tuple[int, tuple[str, ...]] | None = None  # the position before which a repeated joint opens
    counts: list[TurnCount] = []
    angles = comes.last if comes is not None else nearest_to_drawing(plan, goals[0])
    for n, (first, last) in enumerate(legs):
        start, end = goals[first], goals[last]
        came_from = goals[legs[n - 1][0]] if n else home(drawn, start)
        at_start = passed_at_start(plan, came_from, start, end) if n or comes is not None else None
        if at_start is not None:
            plan = with_opposite_roots(plan, (at_start.row, *at_start.also))
        branch, count = counted_branch_path(plan, start, end, angles, share=1.0 / len(legs))
        beyond = _begins_beyond(branch, start, count)
        if beyond is not None:
            proved, failed, reached = False, 0, start
            notes.append(cannot_begin([beyond.name]))
            break
        proved = proved and branch.proved
        on_leg = [described(branch.plan_at(f.at), start, end, f, count) for f in branch.events]
        ends = [
            described(plan, start, end, replace(f, at=round(f.at)))
            for f in beside_ends(branch, start, end)
            if is_at_end(plan, start, end, f)
        ]
        points += sorted([*on_leg, *ends], key=lambda f: f.at)
        if failed != ALL_CLOSED:
            continue
        if not branch.start_closes:
            failed, reached = 0, start
            notes.append(_why_not(plan, start))
            continue
        notes += [] if comes is not None or n else [BEYOND]
        shares = np.array(leg_shares(goals[first : last + 1]))
        counts.append(count.moved_to(np.interp(count.places, shares, np.arange(first, last + 1.0))))
        angles = count.last if len(count.places) else angles
        leg_goals = goals[first if n == 0 else first + 1 : last + 1]
        branches.append(branch)
        passing += [p for p in ends if at_start is not None and p.at == 0.0]
        passing += [p for p in on_leg if p.kind == "change_point" and p.at <= branch.segments[-1].hi]
        frames += leg_frames(branch, path.rates_from(first), leg_goals, start, end, exact)
        if opens is None and (place := opens_between(branch, start, end)) is not None:
            opens = first + int(np.searchsorted(shares, place[0])), place[1]
        plan = branch.segments[-1].plan
        if branch.stop is not None:
            failed, reached = max(branch.stop.row, 0), start + branch.stop.at * (end - start)
    notes += passed_notes(plan, unique_points(passing))
    all_frames = joined(plan, frames, reached, failed)
    broken = first_broken(plan, all_frames)
    if opens is not None and (broken is None or opens[0] < broken[0]):
        broken = min(opens[0], len(all_frames.inputs)), opens[1]
    if broken is not None:
        at, joints = broken
        reached, failed = all_frames.inputs[max(at - 1, 0)], 0
        all_frames = cut_off(all_frames, at)
        listed = " and ".join(joints)
        points.append(
            PathEvent(float(at), "break", detail=f"{listed} can no longer close", inputs=all_frames.reached)
        )
        notes.append(f"{listed} repeat other joints and no longer fit beyond position {at}")
    return PathWalk(
        drawn,
        all_frames,
        unique_points(points),
        _certificate(proved, plan, passes=bool(passing)),
        failed,
        reached,
        tuple(dict.fromkeys(notes)),
        branches=tuple(branches),
        turns=joined_counts(counts) if counts else None,
    )


def leg_shares(goals: Floats) -> list[float]:
    """How far along a straight leg each of its positions is, from 0 to 1."""
    span = goals[-1] - goals[0]
    length = float(span @ span)
    return [float((goal - goals[0]) @ span / length) if length else 0.0 for goal in goals]


def closed_branch_path(plan: Plan, start: Floats, end: Floats, *, share: float = 1.0) -> BranchPath:
    """The branch on a straight path, also up to the limits of pins whose full rotations are counted."""
    if not any(stop.row < 0 for stop in plan.stops):
        return branch_path_of(plan, start, end, share=share)
    home_ = home(plan, start)
    comes = None
    if not np.array_equal(home_, start):
        before = branch_path_of(plan, home_, start, share=share)
        comes = _turns(before, home_, start, as_drawn(plan)) if before.stop is None else None
    angles = comes.last if comes is not None else nearest_to_drawing(plan, start)
    return counted_branch_path(plan, start, end, angles, share=share)[0]


def counted_branch_path(
    plan: Plan, start: Floats, end: Floats, angles: Floats, *, share: float = 1.0
) -> tuple[BranchPath, TurnCount]:
    """The same with the rotations of parts along it, from their counted angles at the start."""
    branch = branch_path_of(plan, start, end, share=share)
    count = _turns(branch, start, end, angles)
    if branch.start_closes and (stop := counted_stop(branch, start, end, count)) is not None:
        branch = stopped(branch, stop)
    return branch, count


def _turns(branch: BranchPath, start: Floats, end: Floats, angles: Floats) -> TurnCount:
    segments = [(s.lo, s.hi, s.plan) for s in branch.segments]
    if not branch.start_closes:  # nothing rotates where the links do not meet
        plan = branch.segments[0].plan
        relations = angle_relations(plan.system, plan.inputs)
        return TurnCount(plan, relations, np.zeros(0), np.zeros((0, len(relations.free))), True)
    whole = float(directions_repeat(branch.segments[0].plan)[0]) if len(start) == 1 else math.inf
    return leg_turns(segments, start, end, angles, whole)


def set_out(plan: Plan, goal: Floats) -> tuple[Plan, TurnCount | None]:
    """The plan on the branch on which the linkage comes from its drawing to a first position, with the count.

    Where a limit is in between it stays on the branch of the drawing, and there is no count.
    """
    drawn = home(plan, goal)
    angles = as_drawn(plan)
    for k in np.flatnonzero(
        drawn != plan.drawn
    ):  # whole periods: each rotates the parts as the first one does
        once = plan.drawn.copy()
        once[k] += math.copysign(float(directions_repeat(plan)[k]), drawn[k] - plan.drawn[k])
        first = branch_path_of(plan, plan.drawn, once)
        if first.stop is None and first.segments[-1].plan.branch == plan.branch:
            turned = whole_turns(_turns(first, plan.drawn, once, as_drawn(plan)).last - as_drawn(plan))
            angles = angles + turned * float((drawn[k] - plan.drawn[k]) / (once[k] - plan.drawn[k]))
    branch, count = counted_branch_path(plan, drawn, goal, angles)
    if np.array_equal(drawn, goal):
        return plan, _standing(count, angles)
    return (branch.segments[-1].plan, count) if branch.stop is None else (plan, None)


def _standing(count: TurnCount, angles: Floats) -> TurnCount:
    return replace(count, places=np.zeros(1), counted=angles[None])


def leg_frames(
    branch: BranchPath,
    rates: Floats,
    goals: Floats,
    start: Floats,
    end: Floats,
    exact: bool,
    *,
    order: int = 2,
) -> list[Frames]:
    """Frames of one leg, each on its branch; of order 0 without derivatives."""
    span, stop = end - start, branch.stop
    axis = int(np.argmax(np.abs(span))) if len(span) else 0
    at = (goals[:, axis] - start[axis]) / span[axis] if len(goals) and span[axis] else np.zeros(len(goals))
    upto = len(goals) if stop is None else int(np.searchsorted(at, stop.at, side="right"))
    borders = np.array([s.hi for s in branch.segments[:-1]])
    which = np.searchsorted(borders, at[:upto])
    length = path_length(branch.plan_at(0.0), start, end)
    close = NEAR / length if length else 0.0
    folded_end = np.full(upto, -1)
    at_ends = [side for side in (0, 1) if length and np.any(np.abs(at[:upto] - side) <= close)]
    for side in at_ends:
        comes = branch.stop is None or side <= branch.stop.at
        if comes and folded(branch.plan_at(float(side)), start, end, float(side)):
            folded_end[np.abs(at[:upto] - side) <= close] = side
    beside = beside_ends(branch, start, end) if at_ends else []
    places = np.array([*borders, *(event.at for event in beside)])
    near = np.zeros(upto, dtype=bool)
    if len(places):
        near = np.abs(at[:upto, None] - places).min(axis=1) <= close

    def plan_at(share: float) -> Plan:
        plan = branch.plan_at(share)
        for event in beside:
            if share < event.at < 0.5 or share > event.at > 0.5:
                plan = with_opposite_roots(plan, (event.row, *event.also))
        return plan

    frames: list[Frames] = []
    key = lambda i: (int(which[i]), bool(near[i]), int(folded_end[i]))  # noqa: E731
    for (side, blurred, end_side), group in groupby(range(upto), key=key):
        rows = list(group)
        if end_side >= 0:
            share, towards = float(end_side), 1.0 - 2.0 * end_side
            plan = branch.plan_at(share)
            frames += [from_one_side(plan, goals[i], start, end, share, towards, rates) for i in rows]
            continue
        if not blurred:
            plan = branch.segments[side].plan
            frames.append(sweep(plan, goals[rows[0] : rows[-1] + 1], order=order, rates=rates))
            continue
        for i in rows:
            k = int(np.argmin(np.abs(places - at[i])))
            frames.append(across(plan_at, goals[i], start, end, float(places[k]), rates))
    if stop is None or not exact or stop.unbounded:
        return frames
    plan = branch.segments[-1].plan
    if joint_of(plan, stop) < 0:
        return [*frames, at_limit(plan, start, end, stop)]
    limit_inputs = start + stop.at * span
    grace = plan.system.tolerance.angle  # a sample on the limit is the limit
    if not upto or not np.allclose(goals[upto - 1], limit_inputs, rtol=0, atol=grace):
        frames.append(sweep(plan, limit_inputs[None], order=order, rates=rates))
    return frames


def opens_between(branch: BranchPath, start: Floats, end: Floats) -> tuple[float, tuple[str, ...]] | None:
    """The first of many places on a leg, as a share of it, at which a joint that repeats others is open."""
    if not branch.segments[0].plan.checks or np.array_equal(start, end):
        return None
    shares = np.linspace(0.0, 1.0, PLACES)
    goals = start + shares[:, None] * (end - start)
    frames = joined(
        branch.segments[0].plan,
        leg_frames(branch, np.ones(len(start)), goals, start, end, False, order=0),
        end,
        ALL_CLOSED,
    )
    broken = first_broken(branch.segments[0].plan, frames)
    return None if broken is None else (float(shares[broken[0]]), broken[1])


def described(
    plan: Plan, start: Floats, end: Floats, event: PathEvent, count: TurnCount | None = None
) -> PathEvent:
    """An event of a straight leg with the inputs there, whom it concerns, and the words for it."""
    inputs = start + event.at * (end - start)
    if (joint := joint_of(plan, event)) >= 0:
        pair = plan.system.pairs[joint]
        values = vectors_at(plan, start, end, event.at)[None]
        angles = None if count is None else count.angles(np.array([event.at]), inputs[None], values)
        coordinate = coordinates(plan, values, pair, angles)[0]
        kind: PathEventKind = "touch" if event.kind == "change_point" else "limit"
        return stopped_by(plan, event, inputs, kind, pair, coordinate)
    step = plan.owners.get(int(plan.ops[event.row, op.DISC])) if event.row >= 0 else None
    if step is None:
        return replace(event, inputs=inputs)
    return replace(event, inputs=inputs, parts=step.parts, detail=step.step)


def passed_notes(plan: Plan, events: Sequence[PathEvent]) -> list[str]:
    """A note for each change point that is passed; of very many, for the first and how many more."""
    notes = [_passed(plan, event) for event in events[:MOST_NOTED]]
    more = len(events) - MOST_NOTED
    return [*notes, f"{more} more change points, all in `limit_points`"] if more > 0 else notes


def _passed(plan: Plan, event: PathEvent) -> str:
    at = told_input(plan.system, plan.inputs, event.inputs)
    return f"change point at {at}: {', '.join(event.parts)} come in line and go straight on"


def _begins_beyond(branch: BranchPath, start: Floats, count: TurnCount) -> PlaneJoint | None:
    """The pin beyond its limits where a path begins, its full rotations counted; None where none is."""
    stop = branch.stop
    if stop is None or stop.at > 0.0 or stop.row >= 0 or stop.joint < 0:
        return None
    plan = branch.segments[0].plan
    pair = plan.system.pairs[stop.joint]
    values = vectors_at(plan, start, start, 0.0)[None]
    at = coordinates(plan, values, pair, count.angles(np.zeros(1), start[None], values))[0]
    return pair if is_beyond(plan.system, pair, float(at)) else None


def _why_not(plan: Plan, start: Floats) -> str:
    V = vectors_at(plan, start, start, 0.0)
    for stop in plan.stops:
        if stop.row >= 0 and V[plan.ops[stop.row, op.DISC], 0] < 0:
            return cannot_begin([plan.system.pairs[stop.pair].name])
    worst = [
        plan.owners[int(row[op.DISC])]
        for row in plan.ops
        if row[0] in op.DYADS and V[row[op.DISC], 0] < 0 and int(row[op.DISC]) in plan.owners
    ]
    named = worst[0].step if worst else "the linkage"
    return f"the first position cannot be reached: {named} cannot close there"


def unique_points(points: list[PathEvent]) -> tuple[PathEvent, ...]:
    """Points of a kind at the same inputs once: where legs go the same way back they come again."""
    kept: list[PathEvent] = []
    seen: dict[tuple[str, int], list[Floats]] = {}
    for p in points:
        first = float(p.inputs[0]) if len(p.inputs) else 0.0
        same = AT_END if p.kind == "change_point" else SAME_INPUT
        place = round(first / same / 4)
        near = [q for k in (place - 1, place, place + 1) for q in seen.get((p.kind, k), ())]
        if not any(np.allclose(p.inputs, q, rtol=0, atol=same) for q in near):
            kept.append(p)
            seen.setdefault((p.kind, place), []).append(p.inputs)
    return tuple(kept)


def _certificate(proved: bool, plan: Plan, *, passes: bool = False) -> str:
    watched = " and of every joint's limits" if any(stop.row >= 0 for stop in plan.stops) else ""
    counted = [plan.system.pairs[stop.pair].name for stop in plan.stops if stop.row < 0]
    if counted:
        names = ", ".join(counted)
        return f"not proved: the full rotations of {names} are counted at samples and tops between them"
    if plan.checks:
        names = ", ".join(dict.fromkeys(name for check in plan.checks for name in check.joints))
        return f"not proved: of {names}, which repeat each other, whether they close is looked at at places"
    if proved:
        told = "; at a change point links are in line to 1e-9 of their lengths" if passes else ""
        return f"proved: enclosures of every discriminant{watched} cover the whole drive path{told}"
    return "not proved: enclosures grew too wide; limits were sought at samples and least values between them"
