"""Static forces through a linkage: what loads ask of the drives and the joints.

Joints hold by forces along their rows: with the Jacobian J of all rows, joints
and drives, equilibrium is J^T reactions + loads = 0. A drive's own row gives what
it must supply; virtual work, reaction x d(input) + sum of load . d(point) = 0,
says the same from the velocities alone and is the check in the tests. Forces of
a pin are on its second part; a repeated row shares its load in the least-squares
sense, and is named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from detent.kinematics.equations.newton import shortest
from detent.kinematics.equations.rows import Floats, HeldCoordinate, place, residual_and_jacobian, rows_of
from detent.model.machine.plane_linkage import EQUATIONS, PlaneLinkage


def reactions(
    system: PlaneLinkage, poses: Floats, held: Sequence[HeldCoordinate], loads: Mapping[str, complex]
) -> tuple[list[float], dict[str, list[float]]]:
    """What each drive supplies [N m or N], and what each joint carries.

    A joint's numbers are the force on its second part [N] (a pin's x and y; a
    slide's across, then its moment [N m]).
    """
    rows = rows_of(system, held)
    _, jacobian = residual_and_jacobian(rows, poses, [0j] * len(held))
    push = np.zeros(rows.unknowns)
    for name, force in loads.items():
        mark = system.marks[name]
        column = rows.column[mark.part]
        if column < 0:
            continue
        lever = place(mark, poses) - complex(poses[mark.part, 0], poses[mark.part, 1])
        push[column] += force.real
        push[column + 1] += force.imag
        push[column + 2] += (lever.conjugate() * force).imag
    carried = shortest(jacobian.T, -push)
    joints: dict[str, list[float]] = {}
    at = 0
    for pair in system.pairs:
        rows_here = EQUATIONS[pair.kind]
        numbers = [float(x) for x in carried[at : at + rows_here]]
        if pair.kind in ("prismatic", "fixed", "angle", "gear"):  # their angle row is scaled by the size
            numbers[-1] *= system.size
        joints[pair.name] = numbers
        at += rows_here
    drives: list[float] = []
    for item in held:
        scale = 1.0
        if item.mark is None and system.pairs[item.pair].kind != "prismatic":
            scale = system.size
        drives += [float(x) * scale for x in carried[at : at + item.equations]]
        at += item.equations
    return drives, joints
