"""Inertia at a state: mass matrix, bias and weight on the System's columns. SI, about each body's own origin.

    M a + h = weight + other forces

A body's rows are force, then moment about its own origin, on world axes. `inertia` alone (a part that turns
about a fixed point) has no mass: M is then singular by itself, and not together with the joints' rows.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np

from detent.foundation.errors import ModelError
from detent.model.machine.state import State
from detent.model.machine.system import System

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

FLAT = [0, 1, 5]  # of a body in the plane, its entries among those of a body in space


def mass_matrix_at(
    system: System,
    state: State,
    *,
    about_world: bool = False,
    of: Collection[int] | None = None,
    points: Collection[int] = (),
) -> Floats:
    """M of all bodies that have columns, or of some; ModelError where a mass is missing.

    Velocities are those of the bodies' own origins, or with `about_world` of their points at the world's.
    Of the bodies in `points` the whole mass is at the centre: they need no moment of inertia.
    """
    system.refuse_other(state)
    matrix = np.zeros((system.degrees, system.degrees))
    for body, column in _moving(system, of):
        mass, inertia, centre = _inertia(system, state, body, about_world, body in points)
        x, y, z = centre
        cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        spatial = np.block(
            [[mass * np.eye(3), -mass * cross], [mass * cross, inertia - mass * cross @ cross]]
        )
        block = slice(column, column + system.freedoms)
        matrix[block, block] = spatial[np.ix_(FLAT, FLAT)] if system.dimension == 2 else spatial
    return matrix


def bias_at(
    system: System,
    state: State,
    *,
    about_world: bool = False,
    of: Collection[int] | None = None,
    points: Collection[int] = (),
) -> Floats:
    """h: the force and moment that keep velocities steady while bodies turn; `points` as for M.

    A body's own origin goes along with it, the world's does not: there the centre's whole speed turns.
    """
    system.refuse_other(state)
    bias = np.zeros(system.degrees)
    for body, column in _moving(system, of):
        mass, inertia, centre = _inertia(system, state, body, about_world, body in points)
        spin = state.spatial[body, 3:]
        past = np.cross(spin, centre)
        if about_world:
            past = state.spatial[body, :3] - np.cross(spin, state.matrices[body, :3, 3]) + past
        force = mass * np.cross(spin, past)
        moment = np.cross(centre, force) + np.cross(spin, inertia @ spin)
        bias[column : column + system.freedoms] = _load_of(system, force, moment)
    return bias


def weight_at(
    system: System,
    state: State,
    *,
    about_world: bool = False,
    arms_in: float = 1.0,
    of: Collection[int] | None = None,
) -> Floats:
    """The load of gravity; zero without gravity, ModelError where it pulls at a part without mass.

    `arms_in` is the unit [m] that moments count lengths in; `of` are the bodies that are weighed, else all.
    """
    system.refuse_other(state)
    weight = np.zeros(system.degrees)
    if not system.gravity.any():
        return weight
    for body, column in _moving(system, of):
        mass, point = system.bodies[body].weight
        centre = _centre(state, body, point, about_world)
        if not mass:
            name = system.bodies[body].name
            raise ModelError.at(f"parts.{name}.mass", "is missing, and gravity pulls at it", "add `mass`")
        force = mass * system.gravity
        weight[column : column + system.freedoms] = _load_of(system, force, np.cross(centre / arms_in, force))
    return weight


def kinetic_energy(system: System, state: State) -> float:
    """[J] of all bodies that have columns."""
    speeds = velocity_vector(system, state)
    return float(0.5 * speeds @ mass_matrix_at(system, state) @ speeds)


def velocity_vector(system: System, state: State) -> Floats:
    """The state's velocities in the System's columns."""
    return np.concatenate([np.zeros(0), *(state.velocities[body] for body, _ in _moving(system))])


def _moving(system: System, of: Collection[int] | None = None) -> list[tuple[int, int]]:
    return [
        (body, int(column))
        for body, column in enumerate(system.columns)
        if column >= 0 and (of is None or body in of)
    ]


def _inertia(
    system: System, state: State, body: int, about_world: bool, is_point: bool
) -> tuple[float, Floats, Floats]:
    """Mass, inertia about the centre, and the centre from the origin of velocities, on world axes."""
    if is_point:
        kilograms, point = system.bodies[body].weight
        return kilograms, np.zeros((3, 3)), _centre(state, body, point, about_world)
    mass = system.bodies[body].mass
    pose = state.matrices[body]
    rotation = pose[:3, :3]
    centre = _centre(state, body, mass.centre, about_world) if mass.mass else np.zeros(3)
    return mass.mass, rotation @ np.array(mass.inertia) @ rotation.T, centre


def _centre(state: State, body: int, point: tuple[float, ...], about_world: bool) -> Floats:
    pose = state.matrices[body]
    centre: Floats = pose[:3, :3] @ np.array(point)
    return centre + pose[:3, 3] if about_world else centre


def _load_of(system: System, force: Floats, moment: Floats) -> Floats:
    spatial = np.concatenate([force, moment])
    return spatial[FLAT] if system.dimension == 2 else spatial
