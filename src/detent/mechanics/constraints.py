"""What the joints of a System constrain at a state: rows, how far they are open, their velocity products.

    rows @ v = 0                  velocities that the joints allow (v: the System's columns)
    rows @ a + rates = 0          accelerations that they allow at the state's velocities

Fixed and driven bodies have no columns; the velocity of a driven one enters `rates` and `speeds`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.foundation.errors import UnsupportedError
from detent.mechanics.joint_kernels import (
    ACROSS,
    ALL,
    AXIS,
    NONE,
    angle_row,
    flat_angle_row,
    gear_row,
    parallel_row,
    point_row,
    slide_row,
    turned_column,
)
from detent.model.machine.state import State
from detent.model.machine.system import WORLD, System, SystemJoint
from detent.numeric.kernels import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

CODES = {"none": NONE, "axis": AXIS, "across": ACROSS, "all": ALL}
_TRANSLATION_NAMES = ("x", "y", "z")


@dataclass(frozen=True, eq=False)
class JointTable:
    """The joints that constrain something, as arrays: what the kernel sees."""

    names: tuple[str, ...]  # of the rows
    bodies: NDArray[np.int64]  # (j, 3): first, second, carrier of a gear
    codes: NDArray[np.int64]  # (j, 4): translations, rotations, couples, first row
    frames: Floats  # (j, 2, 3, 4): the ends in their bodies [m]
    aligned: Floats  # (j, 3, 4): the second end's frame, turned so that it is the first's as drawn
    numbers: Floats  # (j, 2): ratio, and in the plane the constrained angle
    drawn: Floats  # (n, 4, 4)


@dataclass(frozen=True, eq=False)
class JointRows:
    """Rows on the velocity vector; `values` is how far each is open [m, rad]."""

    names: tuple[str, ...]
    matrix: Floats  # (m, degrees)
    values: Floats  # (m,)
    rates: Floats  # (m,) the second derivative at zero acceleration


def constraint_rows_at(system: System, state: State, table: JointTable | None = None) -> JointRows:
    """All that the joints constrain at a state; redundant rows do no harm."""
    system.refuse_other(state)
    table = joint_table(system) if table is None else table
    rows = np.zeros((len(table.names), system.degrees))
    values, rates = np.zeros(len(rows)), np.zeros(len(rows))
    angles = state.poses[:, 2].copy()
    joint_rows(
        int(system.dimension == 2), table.bodies, table.codes, table.frames, table.aligned, table.numbers,
        table.drawn, system.columns, state.matrices, angles, state.spatial, rows, values, rates,
    )  # fmt: skip
    return JointRows(table.names, rows, values, rates)


def joint_table(system: System) -> JointTable:
    """The joints of a System as arrays; UnsupportedError where the constraints of one are not known."""
    names: list[str] = []
    bodies, codes, frames, aligned, numbers = [], [], [], [], []
    for joint in system.joints:
        if not joint.type.known:
            at = f"joints.{joint.name}"
            raise UnsupportedError(
                "what this joint holds is still to be found from shapes", "write its type", at
            )
        row_names = _row_names(joint, system.dimension)
        if not row_names or all(system.bodies[end.body].fixed for end in (joint.a, joint.b)):
            continue
        bodies.append((joint.a.body, joint.b.body, joint.carrier))
        codes.append((*_held(joint, system.dimension), int(joint.type.couples), len(names)))
        frames.append((joint.a.matrix, joint.b.matrix))
        aligned.append(_aligned(system, joint))
        numbers.append((joint.ratio, _held_angle(system, joint)))
        names += row_names
    count = len(bodies)
    return JointTable(
        tuple(names),
        np.array(bodies, np.int64).reshape(count, 3),
        np.array(codes, np.int64).reshape(count, 4),
        np.array(frames, float).reshape(count, 2, 3, 4),
        np.array(aligned, float).reshape(count, 3, 4),
        np.array(numbers, float).reshape(count, 2),
        system.drawn.matrices,
    )


def _held(joint: SystemJoint, dimension: int) -> tuple[int, int]:
    if dimension == 2 and joint.type.in_plane == "nothing":
        return NONE, NONE
    return CODES[joint.type.translations], CODES[joint.type.rotations]


def _row_names(joint: SystemJoint, dimension: int) -> list[str]:
    if joint.type.couples:
        return [f"{joint.name}.mesh"]
    translations, rotations = _held(joint, dimension)
    moving = {NONE: 0, AXIS: 1, ACROSS: dimension - 1, ALL: dimension}[translations]
    rotating = {NONE: 0, AXIS: 1, ACROSS: 0 if dimension == 2 else 2, ALL: 1 if dimension == 2 else 3}[
        rotations
    ]
    names = [f"{joint.name}.{_TRANSLATION_NAMES[k]}" for k in range(moving)]
    return names + [f"{joint.name}.turn_{_TRANSLATION_NAMES[k]}" for k in range(rotating)]


def _aligned(system: System, joint: SystemJoint) -> Floats:
    """The second end's frame as if it had been drawn with the first's axes."""
    poses = system.drawn.matrices
    in_world = poses[joint.a.body, :3, :3] @ joint.a.matrix[:, :3]
    aligned: Floats = joint.b.matrix.copy()
    aligned[:, :3] = poses[joint.b.body, :3, :3].T @ in_world
    return aligned


def _held_angle(system: System, joint: SystemJoint) -> float:
    """In the plane: the difference of the bodies' angles that is constrained, whole turns included."""
    if system.dimension == 3:
        return joint.value
    drawn = system.drawn.poses[:, 2]
    a, b = joint.a.body, joint.b.body
    if joint.type.couples:
        carrier = drawn[joint.carrier] if joint.carrier != WORLD else 0.0
        return float((drawn[b] - carrier) - joint.ratio * (drawn[a] - carrier))
    ends = joint.b.angle - joint.a.angle
    shown = float(drawn[b] - drawn[a] + ends)
    if joint.type.slides:  # a line on a line, either way round
        held = math.pi * round(shown / math.pi)
    elif joint.type.coordinate == "angle":
        held = joint.value + math.tau * round((shown - joint.value) / math.tau)
    else:
        held = shown
    return held - ends


def _two_bodies() -> tuple[Any, ...]:
    generator = np.random.default_rng(5)
    poses = np.stack([np.eye(4)] * 3)
    poses[1, :3, :3] = np.linalg.qr(generator.normal(size=(3, 3)))[0]
    frames = generator.normal(size=(4, 2, 3, 4))
    bodies = np.array([[0, 1, -1], [1, 2, -1], [0, 2, -1], [0, 2, 1]])
    codes = np.array([[ALL, ACROSS, 0, 0], [ACROSS, ALL, 0, 5], [AXIS, AXIS, 0, 10], [NONE, NONE, 1, 12]])
    rows, columns = np.zeros((13, 12)), np.array([-1, 0, 6])
    numbers = np.full((4, 2), 0.5)
    speeds = generator.normal(size=(3, 6))
    return (
        0, bodies, codes, frames, frames[:, 1].copy(), numbers, poses.copy(), columns, poses, np.zeros(3),
        speeds, rows, np.zeros(13), np.zeros(13),
    )  # fmt: skip


@kernel(sample=_two_bodies)
def joint_rows(  # type: ignore[no-untyped-def]
    flat, bodies, codes, frames, aligned, numbers, drawn, columns, poses, angles, speeds, rows, values, rates
):  # fmt: skip
    """Fill rows, values and rates of every joint."""
    for j in range(len(bodies)):
        a, b = bodies[j, 0], bodies[j, 1]
        fa, fb, row = frames[j, 0], frames[j, 1], codes[j, 3]
        if codes[j, 2] == 1:
            if flat:
                _flat_gear(a, b, bodies[j, 2], numbers[j], columns, angles, row, rows, values)
            else:
                gear_row(
                    poses,
                    speeds,
                    drawn,
                    fa,
                    a,
                    b,
                    bodies[j, 2],
                    numbers[j, 0],
                    columns,
                    row,
                    rows,
                    values,
                    rates,
                )
            continue
        row = _translations(codes[j, 0], flat, poses, speeds, fa, fb, a, b, columns, row, rows, values, rates)
        if flat:
            if codes[j, 1] == AXIS or codes[j, 1] == ALL:
                flat_angle_row(a, b, numbers[j, 1], 1.0, columns, angles, row, rows, values)
        else:
            _rotations(
                codes[j, 1],
                poses,
                speeds,
                fa,
                fb,
                aligned[j],
                a,
                b,
                numbers[j, 1],
                columns,
                row,
                rows,
                values,
                rates,
            )


@kernel(
    sample=lambda: (
        0,
        1,
        2,
        np.array([-2.0, 0.5]),
        np.array([-1, 0, 3]),
        np.ones(3),
        0,
        np.zeros((1, 6)),
        np.zeros(1),
    )
)
def _flat_gear(a, b, carrier, numbers, columns, angles, row, rows, values):  # type: ignore[no-untyped-def]
    flat_angle_row(a, b, numbers[1], numbers[0], columns, angles, row, rows, values)
    if carrier >= 0:
        values[row] += (numbers[0] - 1.0) * angles[carrier]
        if columns[carrier] >= 0:
            rows[row, columns[carrier] + 2] += numbers[0] - 1.0


def _one_joint(held: int) -> tuple[Any, ...]:
    flat, _, _, frames, _, _, _, columns, poses, _, speeds, rows, values, rates = _two_bodies()
    return held, flat, poses, speeds, frames[0, 0], frames[0, 1], 1, 2, columns, 0, rows, values, rates


@kernel(sample=lambda: _one_joint(ACROSS))
def _translations(held, flat, poses, speeds, fa, fb, a, b, columns, row, rows, values, rates):  # type: ignore[no-untyped-def]
    """Rows of the translations that a joint constrains; returns the next row."""
    if held == ALL:
        for k in range(2 if flat else 3):
            point_row(poses, speeds, fa, fb, a, b, k, columns, flat, row, rows, values, rates)
            row += 1
        return row
    # In the plane a slide's axis is x, so across it is y; in space the axis is z.
    first, last = 0, 0
    if held == ACROSS:
        first, last = (1, 2) if flat else (0, 2)
    elif held == AXIS:
        first, last = 2, 3
    for k in range(first, last):
        d = turned_column(poses[a], fa, k)
        slide_row(poses, speeds, fa, fb, a, b, d, columns, flat, row, rows, values, rates)
        row += 1
    return row


def _one_rotation(held: int) -> tuple[Any, ...]:
    _, _, _, frames, _, _, _, columns, poses, _, speeds, rows, values, rates = _two_bodies()
    fa, fb = frames[0]
    return held, poses, speeds, fa, fb, fb.copy(), 1, 2, 0.5, columns, 0, rows, values, rates


@kernel(sample=lambda: _one_rotation(ALL))
def _rotations(held, poses, speeds, fa, fb, aligned, a, b, value, columns, row, rows, values, rates):  # type: ignore[no-untyped-def]
    """Rows of the rotations that a joint in space constrains."""
    if held == AXIS:
        angle_row(poses, speeds, fa, fb, a, b, columns, 0, row, rows, values, rates)
        open_by = values[row] - value
        values[row] = open_by - 2.0 * math.pi * math.floor(open_by / (2.0 * math.pi) + 0.5)
    elif held == ACROSS:
        e = turned_column(poses[b], fb, 2)
        # Tilt about x is y leaving the axis, about y it is x.
        for k in range(2):
            d = turned_column(poses[a], fa, k)
            parallel_row(poses, speeds, a, b, d, e, columns, 0, row + k, rows, values, rates)
    elif held == ALL:
        for k in range(3):
            # e x d is axis k where the frames agree, so that the row is the rotation about it.
            d = turned_column(poses[a], fa, (k + 2) % 3)
            e = turned_column(poses[b], aligned, (k + 1) % 3)
            parallel_row(poses, speeds, a, b, d, e, columns, 0, row + k, rows, values, rates)
