"""The limit of a linkage that no closed form describes: where its drive turns back.

Near a limit the linkage still moves, though its drive does not: the free
motion t of the joints alone has no part along the driven coordinate. From a pose
near by, points along the motion are closed on the joints, and the place where
the drive's rate along t vanishes is found by the secant rule. The coordinate is
flat there, so it comes out to rounding.
"""

from __future__ import annotations

import numpy as np

from detent.kinematics.equations.newton import RANK, close, column_scale, moved_by
from detent.kinematics.equations.rows import (
    ClosureRows,
    Floats,
    HeldCoordinate,
    coordinate,
    residual_and_jacobian,
    rows_of,
)
from detent.model.machine.plane_linkage import PlaneLinkage
from detent.numeric.roots import secant_step

FIRST_STEP = 1e-4  # of the size
MOST_STEPS = 40
FEW_STEPS = 10  # of a method that is quadratic from near by
FLAT = 1e-13

NEAR_LIMIT = 1e-5  # relative: how far an extreme lies from where the following stopped, at most
BENDING = 1e-5  # of the size: step of the differences that tell how a gradient changes


def turning_point(system: PlaneLinkage, poses: Floats, pair: int) -> tuple[float, Floats] | None:
    """The driven coordinate where it turns back, and the pose there; None where it does not near by."""
    rows = rows_of(system)
    start = _rate(rows, poses, pair, None)
    if start is None:
        return None
    rate, tangent = start
    step = FIRST_STEP * system.size * (-1.0 if rate > 0 else 1.0)
    pose = poses
    for _ in range(MOST_STEPS):
        moved = close(rows, moved_by(rows, pose, step * tangent * column_scale(rows)))
        if not moved.closed:
            step *= 0.5
            continue
        moved_rate = _rate(rows, moved.poses, pair, tangent)
        if moved_rate is None:
            return None
        new, tangent_new = moved_rate
        if new == rate:
            break
        pose, tangent, step, rate = moved.poses, tangent_new, secant_step(step, rate, new), new
        if abs(rate) <= FLAT or abs(step) <= FLAT * system.size:
            return coordinate(system.pairs[pair], pose), pose
        if abs(step) > system.size:
            return None
    return None


def _rate(rows: ClosureRows, poses: Floats, pair: int, before: Floats | None) -> tuple[float, Floats] | None:
    """The driven coordinate's rate along the one free motion, and that motion."""
    held = rows_of(rows.system, [HeldCoordinate(pair)])
    jacobian = residual_and_jacobian(held, poses, [0j])[1] * column_scale(held)
    _, s, vt = np.linalg.svd(jacobian[:-1])
    rank = int(np.sum(s > RANK * s[0]))
    if vt.shape[0] - rank != 1:
        return None
    tangent = vt[-1]
    if before is not None and float(before @ tangent) < 0:
        tangent = -tangent
    return float(jacobian[-1] @ tangent) / rows.system.size, tangent


def extreme_point(system: PlaneLinkage, poses: Floats, pair: int) -> tuple[float, Floats] | None:
    """Where a driven coordinate is extreme near some poses, whatever freedoms are left; None without one.

    Newton's method on the conditions of Lagrange: its gradient is a sum of the closing rows.
    """
    held = rows_of(system, [HeldCoordinate(pair)])
    scale, before = column_scale(held), coordinate(system.pairs[pair], poses)
    pose = poses

    def looked_at(moved: Floats) -> tuple[Floats, Floats]:
        residual, jacobian = residual_and_jacobian(held, moved, [0j])
        return residual[:-1], jacobian * scale

    for _ in range(FEW_STEPS):
        residual, jacobian = looked_at(pose)
        rows, gradient = jacobian[:-1], jacobian[-1]
        weights = np.append(-np.linalg.lstsq(rows.T, gradient, rcond=None)[0], 1.0)
        slope = weights @ jacobian
        if max(np.abs(slope).max(), np.abs(residual).max()) <= FLAT * system.size:
            at = coordinate(system.pairs[pair], pose)
            return (at, pose) if abs(at - before) <= NEAR_LIMIT * (1.0 + abs(at)) else None
        step = BENDING * system.size
        either = [
            [looked_at(moved_by(held, pose, sign * d * scale))[1] for sign in (1.0, -1.0)]
            for d in step * np.eye(len(slope))
        ]
        bend = np.array([weights @ (after - ahead) for after, ahead in either]) / (2.0 * step)
        n = len(residual)
        matrix = np.block([[bend, -rows.T], [rows, np.zeros((n, n))]])
        change = np.linalg.lstsq(matrix, -np.concatenate([slope, residual]), rcond=None)[0]
        pose = moved_by(held, pose, change[: len(slope)] * scale)
    return None
