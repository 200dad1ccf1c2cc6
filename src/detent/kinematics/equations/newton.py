"""Newton-Raphson with the shortest step: the seed's plain solver, and how a drawing is closed.

Brunkhart 1994, sections 3.4 and 4: three unknowns a link, every joint an
equation, the step from the singular value decomposition, so that a system with
too few equations moves least and one with repeated equations does not fail.
Singular values below `RANK` of the largest count as zero (the seed leaves this
open); rows that are far from dependent need none, and their products give the
same step. An angle counts by the arc it moves the link's own markers, so the shortest
step does not depend on units. Steps that would raise the residual are halved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from detent.foundation.errors import UnsupportedError
from detent.kinematics.equations.rows import ClosureRows, Floats, names_of_rows, residual_and_jacobian
from detent.kinematics.equations.rows import residual as residual_alone
from detent.model.machine.plane_linkage import PlaneLinkage

# Smallest singular value, relative to the largest, that still counts: a link
# ten thousand times shorter than the mechanism keeps its rank, rounding does not make one.
RANK = 1e-9
# Smallest pivot of the rows, relative to the largest, for which their products are solved as they are.
INDEPENDENT = 1e-5
MAX_STEPS = 60
LARGEST = 6000  # unknowns of a dense step: beyond, it takes minutes and gigabytes
MAX_HALVINGS = 12
# Of the tolerance: closed to rounding (1e-13 of the size), and good enough when rounding stops progress.
CLOSED, STALLED = 1e-4, 1e-2


@dataclass(frozen=True)
class Closure:
    """What closing came to: poses, whether all joints close, and if not, which is widest."""

    poses: Floats
    closed: bool
    gap: float  # [m] largest residual
    widest: str  # name of the joint with it
    steps: int


def close(
    rows: ClosureRows, poses: Floats, targets: Sequence[complex] = (), *, max_steps: int = MAX_STEPS
) -> Closure:
    """Move the parts least so that every row holds."""
    system = rows.system
    if rows.unknowns > LARGEST:
        return _as_it_stands(rows, poses, targets)
    goal = CLOSED * system.tolerance.length
    residual = residual_alone(rows, poses, targets)
    steps = 0
    if _norm(residual) > goal:
        scale = column_scale(rows)
        residual, jacobian = residual_and_jacobian(rows, poses, targets)
    while _norm(residual) > goal and steps < max_steps:
        step = scale * shortest(jacobian * scale, -residual)
        moved = _halved(rows, poses, targets, step, residual)
        if moved is None:
            break
        poses, residual, jacobian = moved
        steps += 1
    gap = _norm(residual)
    closed = gap <= STALLED * system.tolerance.length
    widest = names_of_rows(rows)[int(np.argmax(np.abs(residual)))] if len(residual) else ""
    return Closure(poses, closed, gap, widest, steps)


def _as_it_stands(rows: ClosureRows, poses: Floats, targets: Sequence[complex]) -> Closure:
    """A system too large for a dense step must be drawn closed."""
    gaps = np.abs(residual_alone(rows, poses, targets))
    worst = int(np.argmax(gaps)) if len(gaps) else 0
    gap = float(gaps[worst]) if len(gaps) else 0.0
    if gap > rows.system.tolerance.length:
        raise UnsupportedError(
            f"{rows.unknowns} unknowns are too many to close by Newton (at most {LARGEST}), "
            f"and the drawing is open by {gap / rows.system.metres_per_unit:.3g}",
            "draw the parts so that their joints close",
            at=f"joints.{names_of_rows(rows)[worst]}",
        )
    return Closure(poses, True, gap, names_of_rows(rows)[worst] if len(gaps) else "", 0)


def shortest(matrix: Floats, right: Floats) -> Floats:
    """The shortest solution of a linear system in the least-squares sense."""
    if not matrix.size:
        return np.zeros(matrix.shape[1])
    if (step := _by_normal_equations(matrix, right)) is not None:
        return step
    u, s, vt = np.linalg.svd(matrix, full_matrices=False)
    kept = s > RANK * s[0] if len(s) else s > 0
    return np.asarray(vt[kept].T @ ((u[:, kept].T @ right) / s[kept]))


def _by_normal_equations(matrix: Floats, right: Floats) -> Floats | None:
    """The same step, ten times faster, where the rows are far from dependent; None where they may not be."""
    if len(matrix) > matrix.shape[1]:
        return None
    products = matrix @ matrix.T
    try:
        pivots = np.diagonal(np.linalg.cholesky(products))
    except np.linalg.LinAlgError:
        return None
    if pivots.min() < INDEPENDENT * pivots.max():
        return None
    return np.asarray(matrix.T @ np.linalg.solve(products, right))


def column_scale(rows: ClosureRows) -> Floats:
    """One over how far each unknown moves its part: 1 for a position, 1/radius for an angle."""
    scale = np.ones((len(rows.moving), 3))
    scale[:, 2] = 1.0 / np.array(radii(rows.system))[rows.moving]
    return scale.reshape(-1)


def radii(system: PlaneLinkage) -> list[float]:
    """How far each part's joints reach from their middle [m]."""
    points: list[list[complex]] = [[] for _ in system.parts]
    for pair in system.pairs:
        for mark in (pair.a, pair.b):
            points[mark.part].append(mark.at)
    return [_reach(system, part_points) for part_points in points]


def _reach(system: PlaneLinkage, points: list[complex]) -> float:
    if not points:
        return system.size
    middle = sum(points) / len(points)
    reach = max(abs(p - middle) for p in points)
    return reach if reach > system.tolerance.length else system.size


def free_motions(rows: ClosureRows, poses: Floats) -> Floats:
    """Steps of the unknowns that keep every joint closed, one per column, angles by their arcs."""
    scale = column_scale(rows)
    jacobian = residual_and_jacobian(rows, poses)[1] * scale
    if not jacobian.size:
        return np.diag(scale)
    _, s, vt = np.linalg.svd(jacobian)
    rank = int(np.sum(s > RANK * s[0])) if len(s) else 0
    return np.asarray(scale[:, None] * vt[rank:].T)


def moved_by(rows: ClosureRows, poses: Floats, step: Floats) -> Floats:
    """Poses after a step of the unknowns."""
    moved = poses.copy()
    moved[rows.moving] += step.reshape(-1, 3)
    return moved


def _halved(
    rows: ClosureRows, poses: Floats, targets: Sequence[complex], step: Floats, residual: Floats
) -> tuple[Floats, Floats, Floats] | None:
    """The longest halving of the step that lowers the residual; None where none does."""
    before = float(residual @ residual)
    for _ in range(MAX_HALVINGS):
        moved = moved_by(rows, poses, step)
        after = residual_alone(rows, moved, targets)
        if float(after @ after) < before:
            return moved, *residual_and_jacobian(rows, moved, targets)
        step = step / 2
    return None


def _norm(residual: Floats) -> float:
    return float(np.max(np.abs(residual))) if len(residual) else 0.0
