"""The seed's plain solver as a named method: Newton with SVD on every link, frame by frame."""

from __future__ import annotations

import numpy as np

from detent.kinematics.equations.newton import close
from detent.kinematics.equations.rows import Floats, place, rows_of
from detent.kinematics.paths.drive_path import DrivePath, shown_inputs
from detent.model.document.mechanism import Mechanism
from detent.model.machine.plane_linkage import PlaneLinkage
from detent.record.motion import Motion


def newton_motion(mechanism: Mechanism, system: PlaneLinkage, poses: Floats, path: DrivePath) -> Motion:
    """Positions only; a frame that does not converge is where it stops, whatever the reason."""
    held = [item.held for item in path.inputs if item.axis == 0]
    rows = rows_of(system, held)
    poses_reached: list[Floats] = []
    for goal in path.goals:
        closure = close(rows, poses, targets(path, goal))
        if not closure.closed:
            break
        poses = closure.poses
        poses_reached.append(poses)
    table = np.array(poses_reached).reshape(-1, len(system.parts), 3)
    shown = path.goals[: len(poses_reached)]
    return Motion(
        title=mechanism.title,
        units=mechanism.units,
        drives=path.names,
        coordinates=path.coordinates,
        inputs=shown_inputs(system, path.inputs, shown),
        times=path.instants(shown),
        markers=shown_markers(system, table),
        poses=shown_poses(system, table),
        stop="done" if len(poses_reached) == len(path.goals) else "limit",
        method="newton_svd",
        notes=(
            "every link has three unknowns; limits are not located, and a long step may change the branch",
        ),
    )


def shown_markers(system: PlaneLinkage, table: Floats) -> dict[str, Floats]:
    """Where markers of moving parts go, in document units; of parts' poses, frame by frame."""
    unit = system.metres_per_unit
    return {
        name: np.array([[place(mark, p).real / unit, place(mark, p).imag / unit] for p in table])
        for name, mark in system.marks.items()
        if not system.fixed[mark.part]
    }


def shown_poses(system: PlaneLinkage, table: Floats) -> dict[str, Floats]:
    """The same poses by part, in document units."""
    unit = np.array([system.metres_per_unit, system.metres_per_unit, 1.0])
    return {name: table[:, i] / unit for i, name in enumerate(system.parts)}


def targets(path: DrivePath, goal: Floats) -> list[complex]:
    """One number per held coordinate; a held mark's two inputs are one point."""
    numbers: list[complex] = []
    for k, item in enumerate(path.inputs):
        if item.axis:
            continue
        numbers.append(complex(goal[k], goal[k + 1]) if item.held.mark is not None else complex(goal[k]))
    return numbers
