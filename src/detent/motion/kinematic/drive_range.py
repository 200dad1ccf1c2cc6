"""How far a drive can go from where it is, both ways: where a linkage in closed form stops."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.kinematics.equations.rows import Floats
from detent.kinematics.paths.branch import MOST_CYCLES, BranchPath, periods
from detent.kinematics.paths.closed import closed_branch_path, opens_between, set_out
from detent.kinematics.paths.drive_path import shown_inputs
from detent.kinematics.planning.limit_rows import outside, with_stops
from detent.kinematics.planning.tables import Plan
from detent.motion.kinematic.linkage_run import LinkageRun

FARTHEST_SLIDE = 40.0  # [sizes] that are looked at
FARTHEST_PIN = 8 * math.tau  # [rad] that are looked at where the linkage does not come back as it was


def drive_range(run: LinkageRun) -> dict[str, Any] | None:
    """The limits of the one driven coordinate on either side of its first position, else of its drawing.

    None where it has no limit either way, where several move at once, where it is followed step by step, and
    where the drawing in which it stands has a joint beyond its limits. An end that is null has no
    limit up to the end of `looked` on that side.
    """
    walk = run.walk
    if walk is None or len(run.path.inputs) != 1 or not walk.plan.closed_form:
        return None
    if not len(walk.frames.inputs) and outside(run.system, walk.plan.poses):
        return None
    item, farthest = run.path.inputs[0], FARTHEST_SLIDE * run.system.size
    plan = with_stops(walk.plan, farthest if item.is_length else 0.0)
    period = float(periods(plan)[0])
    if run.cause == "done" and np.ptp(run.path.goals) >= period:
        return None
    start = walk.frames.inputs[0] if len(walk.frames.inputs) else np.asarray(plan.drawn, dtype=float)
    plan, _ = set_out(plan, start)
    if item.is_length:
        lengths = _doubled(4.0 * run.system.size, farthest)
    elif math.isfinite(period):
        lengths = [*_doubled(math.tau, period)[:-1], MOST_CYCLES * period]
    else:
        lengths = _doubled(math.tau, FARTHEST_PIN)

    def shown(inputs: Floats) -> float:
        return float(shown_inputs(run.system, run.path.inputs, inputs[None])[0])

    ends: dict[str, Any] = {"at": shown(start)}
    looked: list[float] = []
    proved = True
    for key, sign in (("from", -1.0), ("to", 1.0)):
        end, branch = _look(plan, start, sign, lengths)
        limit = None if branch.stop is None else start + branch.stop.at * (end - start)
        if limit is None and math.isfinite(period) and branch.segments[-1].plan.branch == plan.branch:
            return None  # it goes round for ever
        proved_here = branch.proved and not plan.checks
        if opens_between(branch, start, end) is not None:
            return None
        gone = start + sign * np.max(sign * (walk.frames.inputs - start), initial=0.0)
        if limit is None and sign * (gone - end)[0] >= 0:  # the run itself went farther
            end, proved_here = gone, walk.certificate.startswith("proved")
            limit = walk.reached if run.cause == "limit" and sign * (walk.reached - gone)[0] >= 0 else None
        proved = proved and proved_here
        ends[key] = None if limit is None else shown(limit)
        looked.append(shown(end if limit is None else limit))
    if ends["from"] is None and ends["to"] is None:
        return None
    joint = "" if item.held.mark is not None else run.system.pairs[item.held.pair].name
    return {"joint": joint, **ends, "looked": looked, "proved": proved}


def _doubled(first: float, last: float) -> list[float]:
    """Lengths to look at one after the other: a near limit is found without all that lie beyond it."""
    return [*(first * 2**n for n in range(math.ceil(math.log2(last / first)))), last]


def _look(plan: Plan, start: Floats, sign: float, lengths: list[float]) -> tuple[Floats, BranchPath]:
    """The end of what was looked at on one side, and the branch up to there or to its first limit."""
    for length in lengths:
        end = start + sign * length
        branch = closed_branch_path(plan, start, end)
        if branch.stop is not None:
            break
    return end, branch
