"""State variables: the coordinates that tell where the whole machine is, and its degrees of freedom as drawn.

Gelsey 1995, Algorithm 7: a subsystem whose parts move together, as a train of gears does, has one position
and one speed. Which coordinates tell the rest is read from the constraints of all joints as drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from detent.foundation.errors import DetentError
from detent.infer.found import StateVariable
from detent.mechanics.constraints import constraint_rows_at
from detent.model.document.joint_types import JointType
from detent.model.document.mechanism import Mechanism
from detent.model.machine import graph
from detent.model.machine.system import System, SystemJoint, compile_system

_SMALL = 1e-7
_PLANE = (("x", "length"), ("y", "length"), ("angle", "angle"))
_SPACE = tuple((axis, "length") for axis in "xyz") + tuple((f"angle_{axis}", "angle") for axis in "xyz")


def state_variables(mechanism: Mechanism) -> tuple[int | None, tuple[StateVariable, ...]]:
    """Degrees of freedom as drawn, and the coordinates that tell where it is: of joints, and of parts for
    what no joint tells; None where a joint is not known.

    Parts that are pushed along legs are where these put them, and so is what hangs on them, but for its
    joints: of those freedoms none is a state.
    """
    if any(joint.type == "infer" for joint in mechanism.joints.values()):
        return None, ()
    try:
        system = compile_system(mechanism, drives_hold=False)
        rows = constraint_rows_at(system, system.drawn).matrix
    except DetentError:
        return None, ()
    scale = np.ones(rows.shape[1])
    freedoms = system.freedoms
    for column in system.columns[system.columns >= 0]:
        scale[column + (2 if freedoms == 3 else 3) : column + freedoms] = 1 / system.size
    rows = rows * scale
    freedom = len(_null_space(rows))
    pushed = _pushed(system)
    space = _null_space(np.vstack([rows, *(_own_rows(system, body) for body in pushed)]))
    groups = {part: i for i, names in enumerate(graph.groups(mechanism)) for part in names}
    chosen: list[StateVariable] = []
    basis = np.zeros((0, len(space)))
    for name, coordinate, part, row in (*_of_joints(system), *_of_parts(system)):
        seen = (space @ (row * scale))[None, :]
        if len(chosen) < len(space) and _rank(np.vstack([basis, seen])) > len(basis):
            basis = np.vstack([basis, seen])
            chosen.append(StateVariable(name, coordinate, groups.get(part, 0)))
    return freedom, tuple(chosen)


def _of_joints(system: System) -> Iterator[tuple[str, str, str, Any]]:
    """Coordinates of joints: name, kind, part that moves, and how fast it changes."""
    for joint, coordinate in _in_order(system):
        part = next(system.bodies[e.body].name for e in (joint.b, joint.a) if not system.bodies[e.body].fixed)
        yield joint.name, coordinate, part, _coordinate_row(system, joint, coordinate)


def _of_parts(system: System) -> Iterator[tuple[str, str, str, Any]]:
    """Coordinates of parts, for what hangs on no joint, named as a run names them."""
    own = _PLANE if system.dimension == 2 else _SPACE
    for index, body in enumerate(system.bodies):
        for (name, kind), row in zip(own, _own_rows(system, index), strict=False):
            yield f"{body.name}.{name}", kind, body.name, row


def _own_rows(system: System, body: int) -> Any:
    """A row for each freedom of a body alone; none of a fixed one."""
    column = int(system.columns[body])
    return (
        np.eye(system.degrees)[column : column + system.freedoms]
        if column >= 0
        else np.zeros((0, system.degrees))
    )


def _pushed(system: System) -> list[int]:
    """The bodies that legs lead, by their part or by a marker of it."""
    drives = [drive for drive in system.mechanism.drives.values() if drive.legs]
    names = {drive.part or graph.part_of(drive.marker or "") for drive in drives}
    return [index for index, body in enumerate(system.bodies) if body.name in names]


def _in_order(system: System) -> list[tuple[SystemJoint, str]]:
    """Coordinates of driven joints first, then those of joints on fixed parts; a cylindrical one has two."""
    driven = {drive.joint for drive in system.mechanism.drives.values()}

    def place(joint: SystemJoint) -> tuple[bool, bool]:
        return joint.name not in driven, not any(system.bodies[e.body].fixed for e in (joint.a, joint.b))

    joints = [j for j in system.joints if not j.type.couples]
    moving = [j for j in joints if not all(system.bodies[e.body].fixed for e in (j.a, j.b))]
    return [(joint, each) for joint in sorted(moving, key=place) for each in _coordinates(joint.type)]


def _coordinates(kind: JointType) -> tuple[str, ...]:
    if kind.turns_about_axis and kind.translations == "across":
        return "angle", "length"
    return () if kind.coordinate is None else (kind.coordinate,)


def _coordinate_row(system: System, joint: SystemJoint, coordinate: str) -> Any:
    """How fast a joint's coordinate changes, of the velocities of all bodies."""
    row = np.zeros(system.degrees)
    poses = system.drawn.matrices
    axis = poses[joint.a.body, :3, :3] @ joint.a.matrix[:, joint.axis_column]
    flat = system.dimension == 2
    for end, sign in ((joint.b, 1.0), (joint.a, -1.0)):
        column = int(system.columns[end.body])
        if column < 0:
            continue
        if coordinate == "angle":
            row[column + 2 if flat else column + 3 : column + 3 if flat else column + 6] += sign * (
                1.0 if flat else axis
            )
        else:
            arm = poses[joint.b.body, :3, :3] @ joint.b.matrix[:, 3] + poses[joint.b.body, :3, 3]
            arm = arm - poses[end.body, :3, 3]
            turning = np.cross(arm, axis)
            row[column : column + (2 if flat else 3)] += sign * axis[: 2 if flat else 3]
            if flat:
                row[column + 2] += sign * turning[2]
            else:
                row[column + 3 : column + 6] += sign * turning
    return row


def _null_space(rows: Any) -> Any:
    if not len(rows):
        return np.eye(rows.shape[1])
    _, values, vectors = np.linalg.svd(rows)
    rank = int((values > _SMALL * max(1.0, float(values[0]))).sum())
    return vectors[rank:]


def _rank(rows: Any) -> int:
    return int(np.linalg.matrix_rank(rows, tol=_SMALL))
