"""Rows of contacts at a state: what velocities do to the gaps, and how that changes.

The row of a contact is [n, arm] on b and its negative on a, on the columns of the System. `speeds` are the
rates of the gaps at the state's velocities, those of driven bodies included. `rates` are their second
derivatives at zero acceleration of all bodies: a gap's acceleration is its row x acceleration + its rate.

With c the material point of a gap on b, e that on a, and n the normal, g = n . (c - e) - r, and

- an edge or a face (of a) carries n along: n' = w_a x n, and c is the centre of a disc of radius r, or a
  corner;
- of two discs c and e are the centres and n goes with them: |c - e| alone counts;
- of two edges that cross in space n goes with both (`edge_rates`).

In the plane these are bodies in space that stay in z = 0, so there is one set of formulas.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.contact.edge_rates import edge_gap_rates
from detent.numeric.kernels import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.contact.at_state import ContactSet
    from detent.model.machine.state import State
    from detent.model.machine.system import System

    Floats = NDArray[np.float64]

# Elementary steps that the rates of one contact take.
_STEPS = 150


@dataclass(frozen=True, eq=False)
class ContactRows:
    """Normal rows of contacts on the velocities of a System."""

    names: tuple[str, ...]
    matrix: Floats  # (n, degrees)
    gaps: Floats  # [m]
    speeds: Floats  # [m/s] of the gaps
    rates: Floats  # [m/s²] of the gaps, at zero acceleration


def contact_rows(system: System, contacts: ContactSet, state: State) -> ContactRows:
    """The rows of contacts found at this state, with the rates that its velocities give."""
    rates = np.zeros((len(contacts), 2))
    arrays = contacts.a, contacts.b, contacts.gap, _in_space(contacts.point), _in_space(contacts.normal)
    origins = _in_space(state.poses[:, : state.dimension])
    gap_rates.at(_STEPS * len(contacts))(*arrays, contacts.curvature, origins, state.spatial, rates)
    if contacts.edges is not None:
        edge_gap_rates.at(_STEPS * len(contacts))(*arrays, contacts.edges, origins, state.spatial, rates)
    arms = contacts.arm_a, contacts.arm_b
    matrix = _on_columns(system, contacts, contacts.normal, arms)
    return ContactRows(contacts.names, matrix, contacts.gap, rates[:, 0], rates[:, 1])


def rows_along(system: System, contacts: ContactSet, state: State, directions: Floats) -> Floats:
    """(n, degrees): the velocity of b's point past a's, along one direction per contact."""
    points, along = _in_space(contacts.point), _in_space(directions)
    arms = [np.cross(points - state.matrices[bodies][:, :3, 3], along) for bodies in (contacts.a, contacts.b)]
    if system.dimension == 2:
        arms = [arm[:, 2] for arm in arms]
    return _on_columns(system, contacts, directions, (arms[0], arms[1]))


def _on_columns(
    system: System, contacts: ContactSet, directions: Floats, arms: tuple[Floats, Floats]
) -> Floats:
    matrix = np.zeros((len(contacts), system.degrees))
    for bodies, arm, sign in ((contacts.a, arms[0], -1.0), (contacts.b, arms[1], 1.0)):
        rows = sign * np.hstack([directions, arm.reshape(-1, 1) if arm.ndim == 1 else arm])
        for k, column in enumerate(system.columns[bodies]):
            if column >= 0:
                matrix[k, column : column + system.freedoms] += rows[k]
    return matrix


def _in_space(vectors: Floats) -> Floats:
    if vectors.shape[1] == 3:
        return np.ascontiguousarray(vectors)
    return np.hstack([vectors, np.zeros((len(vectors), 1))])


@kernel(sample=lambda: (np.ones((2, 6)), 1, np.ones(3), np.zeros(3), np.zeros(3), np.zeros(3)))
def follow(velocities, body, arm, speed, bend, spin):  # type: ignore[no-untyped-def]
    """Velocity and acceleration, at a steady velocity, of a body's point; also its rotation."""
    for i in range(3):
        spin[i] = velocities[body, 3 + i]
    wx, wy, wz = spin[0], spin[1], spin[2]
    ux, uy, uz = wy * arm[2] - wz * arm[1], wz * arm[0] - wx * arm[2], wx * arm[1] - wy * arm[0]
    speed[0], speed[1], speed[2] = (
        velocities[body, 0] + ux,
        velocities[body, 1] + uy,
        velocities[body, 2] + uz,
    )
    bend[0], bend[1], bend[2] = wy * uz - wz * uy, wz * ux - wx * uz, wx * uy - wy * ux


@kernel(sample=lambda: (math.inf,))
def radius_of(curvature):  # type: ignore[no-untyped-def]
    """0 of a corner, negative of a hole."""
    return 0.0 if math.isinf(curvature) else 1.0 / curvature


def _sample() -> tuple[Any, ...]:
    bodies = np.array([0, 1, 0]), np.array([1, 0, 1])
    point, normal = np.full((3, 3), 0.3), np.tile([0.6, 0.8, 0.0], (3, 1))
    curvature = np.array([[0.0, math.inf], [2.0, 0.0], [-0.5, 1.0]])
    velocities = np.arange(12.0).reshape(2, 6) / 7
    return (
        *bodies,
        np.array([0.1, 0.0, -0.1]),
        point,
        normal,
        curvature,
        np.zeros((2, 3)),
        velocities,
        np.zeros((3, 2)),
    )


@kernel(sample=_sample)
def gap_rates(a, b, gap, point, normal, curvature, origins, velocities, rates):  # type: ignore[no-untyped-def]
    """Writes the rate of each gap and its second derivative at zero acceleration."""
    arm, normal_rate = np.zeros(3), np.zeros(3)
    speed_e, bend_e, spin_e = np.zeros(3), np.zeros(3), np.zeros(3)
    speed_c, bend_c, spin_c = np.zeros(3), np.zeros(3), np.zeros(3)
    n = np.zeros(3)
    for i in range(len(gap)):
        ka, kb = curvature[i, 0], curvature[i, 1]
        # The part whose edge or face carries the normal is called e, and n points away from it.
        sign = -1.0 if kb == 0.0 and ka != 0.0 else 1.0
        first, second = (a[i], b[i]) if sign > 0 else (b[i], a[i])
        ke, kc = (ka, kb) if sign > 0 else (kb, ka)
        flat = ke == 0.0
        radius = 0.0 if kc == 0.0 else radius_of(kc)
        back = 0.0 if flat else radius_of(ke)
        for k in range(3):
            n[k] = sign * normal[i, k]
        # From the point on b to the point (or the centre) on e, and to that on c, along n.
        on_e, on_c = (-gap[i] - back, radius) if sign > 0 else (-back, gap[i] + radius)
        for k in range(3):
            arm[k] = point[i, k] + on_e * n[k] - origins[first, k]
        follow(velocities, first, arm, speed_e, bend_e, spin_e)
        for k in range(3):
            arm[k] = point[i, k] + on_c * n[k] - origins[second, k]
        follow(velocities, second, arm, speed_c, bend_c, spin_c)
        normal_rate[0] = spin_e[1] * n[2] - spin_e[2] * n[1]
        normal_rate[1] = spin_e[2] * n[0] - spin_e[0] * n[2]
        normal_rate[2] = spin_e[0] * n[1] - spin_e[1] * n[0]
        closing, across, bending, carried, rate_squared = 0.0, 0.0, 0.0, 0.0, 0.0
        for k in range(3):
            past = speed_c[k] - speed_e[k]
            closing += n[k] * past
            across += past * past
            bending += n[k] * (bend_c[k] - bend_e[k])
            carried += normal_rate[k] * past
            rate_squared += normal_rate[k] * normal_rate[k]
        rates[i, 0] = closing
        distance = on_c - on_e
        if flat:
            rates[i, 1] = bending + 2.0 * carried - rate_squared * distance
        else:
            rates[i, 1] = bending + ((across - closing * closing) / distance if distance != 0.0 else 0.0)
