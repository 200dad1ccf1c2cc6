"""Stretching: where joints cannot close, links keep their lengths and the gap is shown.

In closed form a dyad that cannot close puts both its ends as near to each other
as they come (Brunkhart 1994, section 3.3.5); clamping the root to zero instead
would change a length. Cuts and blocks stretch in the least-squares sense: what is driven
is held where it is told to be, and the gaps of the joints are as small as they come from the
position before.
"""

from __future__ import annotations

import math

import numpy as np

from detent.kinematics.equations.newton import close, column_scale, moved_by
from detent.kinematics.equations.rows import ClosureRows, Floats, residual_and_jacobian, rows_of
from detent.kinematics.paths.drive_path import DrivePath, shown_inputs
from detent.kinematics.paths.newton import shown_markers, shown_poses, targets
from detent.kinematics.paths.path_limits import vectors_at
from detent.kinematics.plan import make_plan
from detent.kinematics.planning.poses import part_poses
from detent.kinematics.turning.relations import angle_relations
from detent.model.document.mechanism import Mechanism
from detent.model.machine.plane_linkage import EQUATIONS, PlaneLinkage
from detent.record.motion import Motion

HELD = 1e4  # weight of what is driven against the gaps of joints: it stays open by a part in 1e8 of them
LEAST = 1e-14  # relative: where a least square is reached
FIRST = 0.02  # of the size: how far the first step goes at most, so that it stays near
SMALL = 0.1  # [rad] steps of what is driven


def stretched(mechanism: Mechanism, system: PlaneLinkage, poses: Floats, path: DrivePath) -> Motion:
    """All positions of the drive path, each with the largest gap that it leaves open."""
    plan = make_plan(system, poses, path.inputs, stretching=True)
    if plan.closed_form:
        values = np.array([vectors_at(plan, goal, goal, 0.0) for goal in path.goals])
        by_part = part_poses(plan, values)
        table = np.stack([by_part[name] for name in system.parts], axis=1)
        relations = angle_relations(system, path.inputs)
        driven = [p for p in system.moving if not np.any(relations.by_free[p])]
        rotations = (path.goals - plan.drawn) @ relations.by_input.T
        table[:, driven, 2] = plan.poses[driven, 2] + rotations[:, driven]
    else:
        table = _least_squares(system, poses, path)
    return Motion(
        title=mechanism.title,
        units=mechanism.units,
        drives=path.names,
        coordinates=path.coordinates,
        inputs=shown_inputs(system, path.inputs, path.goals),
        times=path.times,
        markers=shown_markers(system, table),
        poses=shown_poses(system, table),
        gaps=tuple(_gaps(system, p) for p in table),
        branch=plan.branch,
        method="kinematic, stretching",
    )


def _least_squares(system: PlaneLinkage, poses: Floats, path: DrivePath) -> Floats:
    rows = rows_of(system, [item.held for item in path.inputs if item.axis == 0])
    table: list[Floats] = []
    for k, goal in enumerate(path.goals):
        before = path.goals[k - 1] if k else goal
        for share in np.linspace(0.0, 1.0, _substeps(path, before, goal) + 1)[1:]:
            poses = _nearest(rows, poses, targets(path, before + share * (goal - before)))
        table.append(poses)
    return np.array(table)


def _substeps(path: DrivePath, before: Floats, goal: Floats) -> int:
    """Steps between two positions, so that no angle that is driven goes far in one."""
    far = [
        abs(float(b - a)) for a, b, item in zip(before, goal, path.inputs, strict=True) if not item.is_length
    ]
    return max(1, math.ceil(max(far, default=0.0) / SMALL))


def _nearest(rows: ClosureRows, poses: Floats, goal: list[complex]) -> Floats:
    """All joints closed; where that cannot be, the drives held and the least squares of the joints' gaps."""
    closure = close(rows, poses, goal)
    if closure.closed:
        return closure.poses
    from scipy.optimize import least_squares

    scale = column_scale(rows)
    held = sum(h.equations for h in rows.held)
    weights = np.ones(rows.equations)
    weights[rows.equations - held :] = HELD

    def weighted(x: Floats) -> tuple[Floats, Floats]:
        residual, jacobian = residual_and_jacobian(rows, moved_by(rows, poses, scale * x), goal)
        return weights * residual, weights[:, None] * jacobian * scale

    nearest = least_squares(
        lambda x: weighted(x)[0],
        np.zeros(rows.unknowns),
        jac=lambda x: weighted(x)[1],
        x_scale=FIRST * rows.system.size,
        xtol=LEAST,
        ftol=LEAST,
        gtol=LEAST * rows.system.size,
    )
    return moved_by(rows, poses, scale * nearest.x)


def _gaps(system: PlaneLinkage, poses: Floats) -> dict[str, float]:
    """How far each open joint is apart [document units]."""
    rows = rows_of(system)
    open_: dict[str, float] = {}
    residual, _ = residual_and_jacobian(rows, poses)
    at = 0
    for pair in rows.pairs:
        joint_rows = residual[at : at + EQUATIONS[pair.kind]]
        at += EQUATIONS[pair.kind]
        gap = float(np.hypot(joint_rows[0], joint_rows[1]) if len(joint_rows) > 1 else abs(joint_rows[0]))
        if gap > system.tolerance.length:
            open_[pair.name] = gap / system.metres_per_unit
    return open_
