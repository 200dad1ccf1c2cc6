"""Inertia and forces of a plane machine in joint coordinates.

    mass(y) y'' = force(y, y') + rows of what constrains it

Springs and dampers act on joints' coordinates, weight on centres of mass; the force holds what velocities
ask for (`products`) with a minus sign.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from detent.mechanics.tree_kernels import TreeTables, place_bodies, sample_tree, tree_room
from detent.numeric.kernels import kernel


class DynamicTables(NamedTuple):
    """Bodies and joints as a force method sees them."""

    tree: TreeTables
    inertia: Any  # (N, 4): mass [kg], centre in the section frame [m], inertia about it [kg m²]
    springs: Any  # (k, 3): stiffness, rest, damping of each coordinate
    torques: Any  # (k,): of drives
    gravity: Any  # (2,) [m/s²]


def sample_dynamics() -> DynamicTables:
    tree = sample_tree()[0]
    inertia = np.array([[0.0] * 4, [2.0, 0.1, 0.0, 0.5], [1.0, 0.0, 0.2, 0.1], [3.0, 0.0, 0.0, 1.0], [1.0, 0.1, 0.1, 0.2]])
    springs = np.tile([3.0, 0.1, 0.2], (len(tree.drawn), 1))
    return DynamicTables(tree, inertia, springs, np.zeros(len(tree.drawn)), np.array([0.0, -9.81]))


@kernel(sample=lambda: (sample_dynamics(), *_placed_room(), np.zeros((5, 5)), np.zeros(5)))
def mass_and_force(dynamics, coordinates, poses, angles, speeds, spans, products, mass, force):  # type: ignore[no-untyped-def]
    """Fills the mass matrix and the force on each independent coordinate, for bodies that are placed."""
    tree = dynamics.tree
    freedoms = tree.follow.shape[1]
    for k in range(freedoms):
        force[k] = 0.0
        for j in range(freedoms):
            mass[k, j] = 0.0
    for j in range(len(tree.drawn)):
        pull = dynamics.torques[j] - dynamics.springs[j, 2] * coordinates[1, j]
        pull -= dynamics.springs[j, 0] * (coordinates[0, j] - dynamics.springs[j, 1])
        if pull != 0.0:
            for k in range(freedoms):
                force[k] += tree.follow[j, k] * pull
    for i in range(len(tree.links)):
        body = tree.links[i, 0]
        kilograms, about = dynamics.inertia[body, 0], dynamics.inertia[body, 3]
        for k in range(freedoms):
            turning = spans[body, 2, k]
            if turning != 0.0:
                for j in range(freedoms):
                    mass[k, j] += about * turning * spans[body, 2, j]
        if kilograms == 0.0:
            continue
        c, s, w = poses[body, 2], poses[body, 3], speeds[body, 2]
        x = c * dynamics.inertia[body, 1] - s * dynamics.inertia[body, 2]
        y = s * dynamics.inertia[body, 1] + c * dynamics.inertia[body, 2]
        ax = dynamics.gravity[0] - products[body, 0] + w * w * x
        ay = dynamics.gravity[1] - products[body, 1] + w * w * y
        for k in range(freedoms):
            vx = spans[body, 0, k] - y * spans[body, 2, k]
            vy = spans[body, 1, k] + x * spans[body, 2, k]
            if vx == 0.0 and vy == 0.0:
                continue
            force[k] += kilograms * (vx * ax + vy * ay)
            for j in range(freedoms):
                ux = spans[body, 0, j] - y * spans[body, 2, j]
                uy = spans[body, 1, j] + x * spans[body, 2, j]
                mass[k, j] += kilograms * (vx * ux + vy * uy)


@kernel(sample=lambda: (sample_dynamics(), *_placed_room()))
def energies(dynamics, coordinates, poses, angles, speeds, spans, products):  # type: ignore[no-untyped-def]
    """Kinetic energy, energy stored in springs, energy of weight, power of dampers, power of drives."""
    tree = dynamics.tree
    kinetic, stored, height, damped, driven = 0.0, 0.0, 0.0, 0.0, 0.0
    for j in range(len(tree.drawn)):
        stored += 0.5 * dynamics.springs[j, 0] * (coordinates[0, j] - dynamics.springs[j, 1]) ** 2
        damped += dynamics.springs[j, 2] * coordinates[1, j] ** 2
        driven += dynamics.torques[j] * coordinates[1, j]
    for i in range(len(tree.links)):
        body = tree.links[i, 0]
        kilograms = dynamics.inertia[body, 0]
        c, s, w = poses[body, 2], poses[body, 3], speeds[body, 2]
        x = c * dynamics.inertia[body, 1] - s * dynamics.inertia[body, 2]
        y = s * dynamics.inertia[body, 1] + c * dynamics.inertia[body, 2]
        vx, vy = speeds[body, 0] - w * y, speeds[body, 1] + w * x
        kinetic += 0.5 * (kilograms * (vx * vx + vy * vy) + dynamics.inertia[body, 3] * w * w)
        height -= kilograms * (
            dynamics.gravity[0] * (poses[body, 0] + x) + dynamics.gravity[1] * (poses[body, 1] + y)
        )
    return kinetic, stored, height, damped, driven


def _placed_room() -> tuple[Any, ...]:
    tree, y, v = sample_tree()
    room = tree_room(tree)
    place_bodies(tree, y, v, *room)
    return room
