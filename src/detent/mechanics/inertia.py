"""Inertia of a document as drawn, in the convention of contact modes: the one door where it is converted.

There a part's velocity is that of its point at the world's origin, then its angular velocity; a load is a
force [N], then its moment about the origin; lengths are in the document's units, in moments and
accelerations too. Inside, velocities are those of the parts' own origins, in SI (`mass.py`). With u metres
per unit and o a part's origin, v_part = u v + w x o: a matrix T, by which rows and states are shifted.
Masses and loads are counted about the world's origin from the start, which is the same (T' M T / u) with
less rounding; velocity products are other numbers there: T' (h + M c) / u with c = w x v_part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.foundation.errors import UnsupportedError
from detent.mechanics.mass import FLAT, bias_at, mass_matrix_at, weight_at
from detent.model.document.mechanism import Mechanism
from detent.model.machine.state import State
from detent.model.machine.system import System, compile_system

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def knows_masses(mechanism: Mechanism) -> bool:
    """Whether the document says something of the mass of every part that moves."""
    moving = [body for body in compile_system(mechanism).bodies if not body.fixed]
    return bool(moving) and all(body.knows_mass for body in moving)


def mass_matrix(mechanism: Mechanism) -> Floats:
    """M of all parts that move, over their velocities."""
    system = _system(mechanism)
    scale, unit = _units(system), system.metres_per_unit
    matrix: Floats = mass_matrix_at(system, system.drawn, about_world=True) * scale * scale[:, None] / unit
    return matrix


def weight(mechanism: Mechanism) -> Floats:
    """The load of the document's gravity on all parts that move; zero without gravity."""
    system = _system(mechanism)
    return weight_at(system, system.drawn, about_world=True, arms_in=system.metres_per_unit)


def by_freedom(mechanism: Mechanism, by_part: Mapping[str, Sequence[Any]]) -> list[float]:
    """Of parts by name, their numbers in the order of the velocity vector; zeros for parts left out."""
    system = _system(mechanism)
    still = (0,) * system.freedoms
    moving = [body.name for body in system.bodies if not body.fixed]
    return [float(x) for name in moving for x in by_part.get(name, still)]


def bias(mechanism: Mechanism, velocity: Sequence[float]) -> Floats:
    """h of all parts that move: the force and the moment that keep a velocity steady while they turn."""
    system = _system(mechanism)
    load = bias_at(system, state_of(system, velocity), about_world=True)
    return load / (system.metres_per_unit / _units(system))


def centre_accelerations(
    mechanism: Mechanism, acceleration: Sequence[float] | Floats, velocity: Sequence[float]
) -> dict[str, tuple[tuple[float, ...], tuple[float, ...]]]:
    """By part that moves: the acceleration of its centre of mass, in document units, and of its rotation.

    `acceleration` and `velocity` are of the points at the world's origin, then of the rotations. A part that
    has `inertia` alone, about a fixed point, has no centre, and is left out.
    """
    system = _system(mechanism)
    answer = {}
    for body, column in enumerate(system.columns):
        mass = system.bodies[body].mass if column >= 0 else None
        if mass is None or not mass.mass:
            continue
        pose = system.drawn.matrices[body]
        centre = (pose[:3, :3] @ np.array(mass.centre) + pose[:3, 3]) / system.metres_per_unit
        a, v = np.zeros(6), np.zeros(6)
        entries = FLAT if system.dimension == 2 else list(range(6))
        a[entries] = acceleration[column : column + system.freedoms]
        v[entries] = velocity[column : column + system.freedoms]
        past = v[:3] + np.cross(v[3:], centre)
        linear = a[:3] + np.cross(a[3:], centre) + np.cross(v[3:], past)
        flat = system.dimension == 2
        answer[system.bodies[body].name] = (
            tuple(linear[: system.dimension].tolist()),
            (float(a[5]),) if flat else tuple(a[3:].tolist()),
        )
    return answer


def _units(system: System) -> Floats:
    """Of each column: metres per unit of a translation, 1 of a rotation."""
    one = [system.metres_per_unit] * system.dimension + [1.0] * (system.freedoms - system.dimension)
    return np.tile(one, system.degrees // system.freedoms)


def shift_of(system: System, state: State) -> Floats:
    """T: from velocities at the world's origin, in document units, to those of the parts' origins, in SI."""
    matrix = np.zeros((system.degrees, system.degrees))
    for body, column in enumerate(system.columns):
        if column < 0:
            continue
        x, y, z = state.matrices[body, :3, 3]
        block = np.eye(6)
        block[:3, :3] *= system.metres_per_unit
        block[:3, 3:] = [[0, z, -y], [-z, 0, x], [y, -x, 0]]  # w x o = -o x w
        entries = slice(column, column + system.freedoms)
        matrix[entries, entries] = block[np.ix_(FLAT, FLAT)] if system.dimension == 2 else block
    return matrix


def state_of(system: System, velocity: Sequence[float]) -> State:
    """The drawing, moving at a velocity in the convention of contact modes."""
    drawn = system.drawn
    speeds = shift_of(system, drawn) @ np.asarray(velocity, float)
    velocities = np.zeros_like(drawn.velocities)
    for body, column in enumerate(system.columns):
        if column >= 0:
            velocities[body] = speeds[column : column + system.freedoms]
    return drawn.with_velocities(velocities)


def _system(mechanism: Mechanism) -> System:
    """As contact modes see it: every part that is not fixed may move, a driven one too."""
    if mechanism.rows is not None:
        raise UnsupportedError(
            "rows say nothing of masses", "use `detent.contact.consistent_modes` in Python", "rows"
        )
    return compile_system(mechanism, drives_hold=False)
