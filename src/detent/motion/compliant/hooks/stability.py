"""Whether a hook in balance stays there: overdamped, with its own stiffness as damping."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from detent.motion.compliant.hooks.problem import STICKS, HookMode, HookProblem

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# Of the largest singular value: below it a row says nothing.
_SINGULAR = 1e-11


def is_stable(problem: HookProblem, mode: HookMode, stiff: Floats, jacobian: Floats) -> bool:
    """Whether the hook comes back when it is let go from nearby, its contacts sliding as they do.

    Contacts must together push back what is moved into them, whatever their order, as if each gave way a
    little and alike; and what is left free must decay. One that alone would be locked by its friction may
    slide where another presses it on. `jacobian` is that of the balance: coordinates, then forces, in their
    scales.
    """
    n = len(stiff)
    scales = problem.scales
    damping = stiff * np.outer(scales, scales) / problem.energy
    bends, pushes, meets, gives = jacobian[:n, :n], jacobian[:n, n:], jacobian[n:, :n], jacobian[n:, n:]
    pushed = meets @ np.linalg.solve(damping, -pushes) + gives
    normals = _normal_places(mode, problem.plane)
    against = pushed[np.ix_(normals, normals)]
    if len(normals) and not (np.linalg.eigvals(against).real > 0).all():
        return False
    if gives.any():
        try:
            flow = bends - pushes @ np.linalg.solve(gives, meets)
        except np.linalg.LinAlgError:
            return True
        return bool((np.linalg.eigvals(np.linalg.solve(damping, flow)).real > 0).all())
    left, right = _null(pushes.T), _null(meets)
    if left.shape[1] == 0 or left.shape[1] != right.shape[1]:
        return True
    reduced = left.T @ damping @ right
    flow = left.T @ bends @ right
    if abs(np.linalg.det(reduced)) < _SINGULAR:
        return False
    return bool((np.linalg.eigvals(np.linalg.solve(reduced, flow)).real > 0).all())


def _normal_places(mode: HookMode, plane: bool) -> list[int]:
    places, k = [], 0
    for contact in mode:
        places.append(k)
        k += 1 if contact.status != STICKS else (2 if plane else 3)
    return places


def _null(rows: Floats) -> Floats:
    """(n, k) a basis of what rows leave free."""
    if not len(rows):
        return np.eye(rows.shape[1])
    _, sizes, basis = np.linalg.svd(rows)
    rank = int((sizes > _SINGULAR * max(1.0, float(sizes[0]))).sum())
    return np.asarray(basis[rank:].T)
