"""How far parts rotate and slides go, how well dyads transmit: least and greatest, between positions too.

An angle that is linear in the drives has its extremes where the drives have theirs: exact. Others are
sought between positions (`kinematics/paths/extremes.py`). At a dead point links are in line, and the
transmission angle is zero: that is known, not computed.
"""

from __future__ import annotations

import math

import numpy as np

from detent.kinematics.equations.rows import Floats
from detent.kinematics.execution.sweeping import Frames
from detent.kinematics.operations import ops as op
from detent.kinematics.paths.analysis import transmission_angles
from detent.kinematics.paths.branch import directions_repeat
from detent.kinematics.paths.drive_path import shown_inputs
from detent.kinematics.paths.extremes import Extreme, extremes_between, grid, widened
from detent.kinematics.paths.finer import frames_at, position_of
from detent.kinematics.paths.joint_limits import goals_at, small_steps
from detent.kinematics.paths.walk import PathWalk
from detent.kinematics.planning.limit_rows import coordinates
from detent.motion.kinematic.linkage_run import LinkageRun
from detent.record.motion import SLIDE, TRANSMISSION, TURN, Extremes

ROUNDS = 3  # of the search between places: a parabola fits a smooth angle at once
# Periods of a drive that goes round again and again which are looked at, at its beginning and at its end.
PERIODS = 4
# [rad, m]: a position that is nearer than this to a dead point is at it.
AT_DEAD_POINT = 1e-9
# [rad, m] of drives: a longer way is looked at in the grid's places alone, not in small steps besides.
FINE_WITHIN = 1e3
PLACES_PER_PERIOD = 72


def extremes_of(run: LinkageRun, walk: PathWalk) -> dict[str, Extremes]:
    """By `turn PART`, `transmission PARTS` [rad], `slide JOINT` [units]; empty without two positions."""
    if len(walk.frames.inputs) < 2:
        return {}
    system, relations = run.system, run.turns.relations
    linear = [p for p in system.moving if not np.any(relations.by_free[p])]
    counted = [p for p in system.moving if p not in linear]
    dyads = list(transmission_angles(walk.plan, walk.frames.values))
    slides = [pair for pair in system.pairs if pair.kind == "prismatic"]
    extremes: dict[str, Extremes] = {}
    positions = np.append(np.arange(math.floor(run.end) + 1.0), run.end)
    driven = goals_at(run.path.goals, positions) - run.turns.plan.drawn
    for part in linear:  # in the inputs alone, so also at a limit, where nothing else is told
        angles = run.turns.plan.poses[part, 2] + driven @ relations.by_input[part]
        low, high = int(np.argmin(angles)), int(np.argmax(angles))
        extreme = Extreme(*(float(x) for x in (angles[low], angles[high], positions[low], positions[high])))
        extremes[TURN + system.parts[part]] = _recorded(run, extreme, "proved")

    def quantities(places: Floats, frames: Frames) -> Floats:
        there = places[: len(frames.inputs)]
        rows = np.full((len(places), len(names)), np.nan)
        angles = run.turns.angles(there, frames.inputs, frames.values)
        rows[: len(there), : len(counted)] = angles[:, counted]
        for k, column in enumerate(transmission_angles(walk.plan, frames.values).values()):
            rows[: len(there), len(counted) + k] = column
        for k, pair in enumerate(slides, len(counted) + len(dyads)):
            rows[: len(there), k] = coordinates(walk.plan, frames.values, pair) / system.metres_per_unit
        return rows

    def evaluate(places: Floats) -> Floats:
        return quantities(places, frames_at(walk, run.path, places, order=0))

    names = [*(TURN + system.parts[p] for p in counted), *(TRANSMISSION + dyad for dyad in dyads)]
    names += [SLIDE + pair.name for pair in slides]
    still = system.tolerance.length / system.metres_per_unit
    if names:
        dead = _in_line(run, walk)
        between = extremes_between(evaluate, _places(run, walk), rounds=ROUNDS)
        # At a limit itself nothing is evaluated between positions, and near it parts rotate fast: its frame
        # is the walk's last position.
        at_positions = quantities(run.places, walk.frames)
        for k, (name, found_between) in enumerate(zip(names, between, strict=True)):
            extreme = widened(found_between, run.places, at_positions[:, k])
            if name in dead:
                extreme = Extreme(0.0, extreme.greatest, dead[name], extreme.greatest_at)
            if name.startswith(SLIDE) and extreme.greatest - extreme.least <= still:
                extreme = Extreme(extreme.least, extreme.least, extreme.least_at, extreme.least_at)
            if math.isfinite(extreme.least):
                extremes[name] = _recorded(run, extreme, "computed")
    order = [TURN + system.parts[p] for p in system.moving]
    return {name: extremes[name] for name in (*order, *names) if name in extremes}


def zero_at_limit(run: LinkageRun, walk: PathWalk, angles: dict[str, Floats]) -> dict[str, Floats]:
    """Transmission angles with those of links in line set to what they are: zero."""
    if not len(walk.frames.inputs):
        return angles
    for name, place in _in_line(run, walk).items():
        dyad = name.removeprefix(TRANSMISSION)
        nearest = min(round(place), len(walk.frames.inputs) - 1)
        at_end = len(walk.frames.inputs) - 1 if place >= run.end else nearest
        goal = goals_at(run.path.goals, np.array([place]))[0]
        if dyad in angles and np.allclose(walk.frames.inputs[at_end], goal, rtol=0, atol=AT_DEAD_POINT):
            angles[dyad][at_end] = 0.0
    return angles


def _in_line(run: LinkageRun, walk: PathWalk) -> dict[str, float]:
    """Where the links of a dyad are in line: at its change points, and at the limit that it is."""
    dead: dict[str, float] = {}
    for event in walk.points:
        if event.joint >= 0 or event.row < 0 or event.kind not in ("limit", "change_point"):
            continue
        for row in (event.row, *event.also):
            step = (
                walk.plan.owners.get(int(walk.plan.ops[row, op.DISC])) if row < len(walk.plan.ops) else None
            )
            if step is None or walk.plan.ops[row, 0] != op.CIRCLES:
                continue
            if event.kind == "limit" and not np.array_equal(event.inputs, walk.reached):
                continue
            place = run.limit_place if event.kind == "limit" else position_of(run.path.goals, event.inputs)
            if place <= run.end:
                dead.setdefault(TRANSMISSION + ", ".join(step.parts), place)
    return dead


def _places(run: LinkageRun, walk: PathWalk) -> Floats:
    """Where quantities are looked at first: small steps; of very many periods some at both ends."""
    path, end = run.path, run.end
    period = float(directions_repeat(walk.plan)[0]) if path.goals.shape[1] == 1 else math.inf
    step = float(np.abs(np.diff(path.goals, axis=0)).min(initial=math.inf)) if len(path.goals) > 1 else 0.0
    span = float(np.abs(np.diff(path.goals, axis=0)).sum())
    if not walk.plan.closed_form or not span > 2 * PERIODS * period or step == 0.0:
        small = small_steps(walk.plan, path.goals) if span <= FINE_WITHIN else np.zeros(0)
        return np.union1d(grid(end), small[small <= end])
    travelled = np.concatenate([[0.0], np.cumsum(np.abs(np.diff(path.goals[:, 0])))])
    total = float(np.interp(end, np.arange(len(travelled)), travelled))
    near = np.linspace(0.0, PERIODS * period, PLACES_PER_PERIOD * PERIODS + 1)
    wanted = np.union1d(near[near <= total], (total - near)[total - near >= 0.0])
    return np.unique(np.interp(wanted, travelled, np.arange(float(len(travelled)))))


def _recorded(run: LinkageRun, extreme: Extreme, certainty: str) -> Extremes:
    goals = goals_at(run.path.goals, np.array([extreme.least_at, extreme.greatest_at]))
    shown = shown_inputs(run.system, run.path.inputs, goals).tolist()
    return Extremes(least=extreme.least, greatest=extreme.greatest, at=tuple(shown), certainty=certainty)
