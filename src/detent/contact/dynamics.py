"""Which modes a set of contacts can take under given forces: none, one or several.

At rest (or with all contact velocities zero) the accelerations a of the contacts
obey the same signs as velocities would. A mode is consistent when

    M a + h = tau + (contact forces of the mode) + (joint forces)

has a solution with a in the mode's open cone. Each mode is one small linear
program; modes are disjoint, so two consistent modes mean two different motions,
and the answer says so (Huang, Cheng & Mason, section 7).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from detent.contact.friction import coefficients, force_cone
from detent.contact.mode import Mode, ModeSet
from detent.contact.space import null_space, unit_rows
from detent.foundation.errors import ModelError
from detent.numeric.linear_program import INFINITE, maximise

Floats = NDArray[np.float64]

# A mode's signs must hold by this share of the largest acceleration that the
# forces alone would cause; below it the solver's rounding would decide.
_CLEAR = 1e-7


@dataclass(frozen=True, eq=False)
class Motion:
    """One consistent mode with an acceleration and the normal forces behind it."""

    mode: Mode
    acceleration: Floats
    normal: tuple[float, ...]  # by contact, one choice where forces are not unique


def consistent_modes(
    modes: ModeSet, mass: Any, bias: Any, applied: Any, *, friction: Any = None
) -> list[Motion]:
    """Every mode of the set that the equations of motion allow, in the set's order.

    `mass` is M, `bias` is h, `applied` is tau, over the whole velocity vector.
    """
    d = modes.contacts.degrees
    matrix = np.asarray(mass, float)
    if matrix.shape != (d, d) or not np.isfinite(matrix).all() or not np.allclose(matrix, matrix.T):
        raise ModelError.at("mass", f"is no symmetric {d} x {d} matrix", "one row a degree of freedom")
    if float(np.linalg.eigvalsh(matrix)[0]) <= 0:
        raise ModelError.at("mass", "is not positive definite", "every freedom needs some inertia")
    force = _vector(applied, d, "applied") - _vector(bias, d, "bias")
    coefficients(modes.contacts, friction)  # a missing one is said before the work
    found = []
    for mode in modes:
        motion = _solve(mode, matrix, force, friction)
        if motion is not None:
            found.append(motion)
    return found


def _solve(mode: Mode, mass: Floats, force: Floats, friction: Any) -> Motion | None:
    """The linear program of one mode: largest margin by which its signs hold."""
    contacts = mode.modes.contacts.floats
    d = contacts.degrees
    free, _ = null_space(contacts.held, np.eye(d))
    forces = force_cone(mode, friction=friction)
    zero, positive = _sign_rows(mode)
    inner = free.T @ mass @ free
    load = free.T @ force
    # The scale of accelerations without any contact: programs are solved in its units.
    scale = max(float(np.linalg.norm(np.linalg.solve(inner, load))) if load.size else 0.0, 1e-300)
    k, p, m = free.shape[1], len(forces.generators), len(positive)
    motion = np.hstack([inner, -(free.T @ forces.generators.T), np.zeros((k, 1))])
    still = np.hstack([zero @ free, np.zeros((len(zero), p + 1))])
    signs = np.hstack([positive @ free, np.zeros((m, p)), -np.ones((m, 1))])
    rows = np.vstack([motion, still, signs])
    low = np.r_[load / scale, np.zeros(len(zero)), np.zeros(m)]
    high = np.r_[load / scale, np.zeros(len(zero)), np.full(m, INFINITE)]
    least = np.r_[np.full(k, -INFINITE), np.zeros(p), 0.0]
    most = np.r_[np.full(k + p, INFINITE), 1.0]
    best = maximise(np.r_[np.zeros(k + p), 1.0], rows, low, high, least=least, most=most)
    if best is None or (m and best[-1] <= _CLEAR):
        return None
    normal = np.bincount(forces.owner, scale * best[k : k + p], minlength=len(contacts))
    return Motion(mode, scale * (free @ best[:k]), tuple(float(x) for x in normal))


def _sign_rows(mode: Mode) -> tuple[Floats, Floats]:
    contacts = mode.modes.contacts.floats
    planes = [t if k else t[:0] for t, k in zip(contacts.tangent, mode.modes.planes, strict=True)]
    rows = unit_rows(np.concatenate([contacts.normal, *planes]))
    signs = mode.signs
    divided = np.flatnonzero((signs != 0) & (signs != 2))
    return rows[signs == 0], rows[divided] * signs[divided, None]


def _vector(given: Any, d: int, at: str) -> Floats:
    made = np.asarray(given, float)
    if made.shape != (d,):
        raise ModelError.at(at, f"has {made.size} numbers, not {d}", "one a degree of freedom")
    if not np.isfinite(made).all():
        raise ModelError.at(at, "holds a number that is not finite", "give finite numbers")
    return made
