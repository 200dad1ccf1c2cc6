"""How far a drive can go from where it is, both ways: where a linkage in closed form stops."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.kinematics.equations.rows import Floats
from detent.kinematics.paths.closed import closed_branch_path, set_out
from detent.kinematics.paths.drive_path import shown_inputs
from detent.kinematics.planning.limit_rows import outside, with_stops
from detent.motion.kinematic.linkage_run import LinkageRun

LONGEST = 4.0  # of the linkage's size: farther no slide of it goes


def drive_range(run: LinkageRun) -> dict[str, Any] | None:
    """The limits of the one driven coordinate on either side of its first position, else of its drawing.

    None where it has no limit either way, where several move at once, where it is followed step by step, and
    where the drawing in which it stands has a joint beyond its limits. An end that is null has no
    limit within a full turn.
    """
    walk = run.walk
    if walk is None or len(run.path.inputs) != 1 or not walk.plan.closed_form:
        return None
    if run.cause == "done" and not run.path.inputs[0].is_length and np.ptp(run.path.goals) >= math.tau:
        return None
    if not len(walk.frames.inputs) and outside(run.system, walk.plan.poses):
        return None
    item, plan = run.path.inputs[0], with_stops(walk.plan)
    start = walk.frames.inputs[0] if len(walk.frames.inputs) else np.asarray(plan.drawn, dtype=float)
    plan, _ = set_out(plan, start)

    def shown(inputs: Floats) -> float:
        return float(shown_inputs(run.system, run.path.inputs, inputs[None])[0])

    ends: dict[str, Any] = {"at": shown(start)}
    proved = True
    for key, sign in (("from", -1.0), ("to", 1.0)):
        end = start + sign * (LONGEST * run.system.size if item.is_length else math.tau)
        branch = closed_branch_path(plan, start, end)
        stop, proved = branch.stop, proved and branch.proved
        ends[key] = None if stop is None else shown(start + stop.at * (end - start))
    if ends["from"] is None and ends["to"] is None:
        return None
    joint = "" if item.held.mark is not None else run.system.pairs[item.held.pair].name
    return {"joint": joint, **ends, "proved": proved}
