"""Stretching: where joints cannot close, links keep their lengths and the gap is shown.

In closed form a dyad that cannot close puts both its ends as near to each other
as they come (Brunkhart 1994, section 3.3.5); clamping the root to zero instead
would change a length. Cuts and blocks stretch in the least-squares sense: their
joints are closed as far as Newton's residual falls.
"""

from __future__ import annotations

import numpy as np

from detent.kinematics.equations.newton import close
from detent.kinematics.equations.rows import Floats, residual_and_jacobian, rows_of
from detent.kinematics.paths.drive_path import DrivePath, shown_inputs
from detent.kinematics.paths.newton import shown_markers, shown_poses, targets
from detent.kinematics.paths.path_limits import vectors_at
from detent.kinematics.plan import make_plan
from detent.kinematics.planning.poses import part_poses
from detent.model.document.mechanism import Mechanism
from detent.model.machine.plane_linkage import EQUATIONS, PlaneLinkage
from detent.record.motion import Motion


def stretched(mechanism: Mechanism, system: PlaneLinkage, poses: Floats, path: DrivePath) -> Motion:
    """All positions of the drive path, each with the largest gap that it leaves open."""
    plan = make_plan(system, poses, path.inputs, stretching=True)
    if plan.closed_form:
        values = np.array([vectors_at(plan, goal, goal, 0.0) for goal in path.goals])
        by_part = part_poses(plan, values)
        table = np.stack([by_part[name] for name in system.parts], axis=1)
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
    table = []
    for goal in path.goals:
        poses = close(rows, poses, targets(path, goal)).poses
        table.append(poses)
    return np.array(table)


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
