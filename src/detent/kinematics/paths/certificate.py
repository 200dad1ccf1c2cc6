"""What can be said for sure of a drive path that Newton followed: proved, or proved up to where.

Each leg of the drive path is covered by tubes around the followed branch
(`kinematics/proofs/prove.py`); limits of joints are discriminants of the same proof.
"""

from __future__ import annotations

import numpy as np

from detent.kinematics.equations.rows import Floats
from detent.kinematics.execution.sweeping import Frames
from detent.kinematics.paths.drive_path import told_input
from detent.kinematics.planning.limit_rows import travel_of, with_stops
from detent.kinematics.planning.tables import Plan
from detent.kinematics.proofs.prove import FollowedBranch, has_freedoms, prove_branch

FOLLOWED = "followed step by step on one branch; a gap narrower than a step is not excluded by proof"


def followed_certificate(plan: Plan, goals: Floats, legs: list[tuple[int, int]], frames: Frames) -> str:
    """What is proved of the drive path as far as it was followed."""
    watched = with_stops(plan, travel_of(plan, goals))
    counted = [plan.system.pairs[stop.pair].name for stop in watched.stops if stop.row < 0]
    if counted:
        names = ", ".join(counted)
        return f"not proved: the full rotations of {names} are counted at samples and tops between them"
    done = len(frames.inputs)
    upto: Floats | None = None
    for first, last in legs:
        if first >= done:
            break
        start = goals[first]
        end = goals[last] if last < done else frames.reached
        if np.array_equal(start, end):
            continue
        proof = _leg(watched, goals, first, end, frames, share=1.0 / len(legs))
        upto = start + proof.upto * (end - start)
        if not proof.complete:
            return _partly(plan, upto, nothing=first == 0 and proof.upto == 0.0)
    if upto is None:
        return FOLLOWED
    limits = " and every joint is within its limits" if watched.stops else ""
    if has_freedoms(plan):
        return f"proved: for every position of the drive the joints can close{limits}"
    return (
        "proved: the branch goes on throughout, alone in tubes that cover the whole drive path and nowhere "
        f"singular{limits}"
    )


def _leg(
    plan: Plan, goals: Floats, first: int, end: Floats, frames: Frames, *, share: float
) -> FollowedBranch:
    start = goals[first]
    span = end - start
    along = (frames.inputs[first:] - start) @ span / (span @ span)
    on_leg = (along >= 0.0) & (along <= 1.0)
    on_leg[np.cumsum(~on_leg) > 0] = False  # frames of later legs
    points = frames.values[first:][on_leg][:, plan.first_point : plan.last_point]
    table = np.column_stack([along[on_leg], points.reshape(len(points), -1)])
    return prove_branch(plan, goals[: first + 1], start, end, table, share=share)


def _partly(plan: Plan, upto: Floats, *, nothing: bool) -> str:
    if nothing:
        return FOLLOWED
    where = told_input(plan.system, plan.inputs, upto)
    what = "the joints can close" if has_freedoms(plan) else "one branch, nowhere singular"
    return f"proved up to {where}: {what}; beyond, {FOLLOWED}"
