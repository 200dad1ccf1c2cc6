"""Contacts that a document gives, at any state: a point of the second part against the plane of the first.

A given contact says nothing of shapes. As drawn its gap is zero; elsewhere its point goes with the second
part and its normal with the first, as a corner on a flat face does.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from detent.contact.at_state import ContactSet

if TYPE_CHECKING:
    from detent.model.machine.state import State
    from detent.model.machine.system import System


def given_at(system: System, state: State) -> ContactSet:
    """The contacts under `[[contacts]]`, at a state."""
    contacts, dimension = system.mechanism.contacts, system.dimension
    pairs = np.array([[system.index[part] for part in contact.between] for contact in contacts], np.int64)
    a, b = pairs.reshape(-1, 2).T
    points = (
        np.array([_floats(contact.point) for contact in contacts]).reshape(-1, 3) * system.metres_per_unit
    )
    normals = np.array([_floats(contact.normal) for contact in contacts]).reshape(-1, 3)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    moved = state.matrices @ np.linalg.inv(system.drawn.matrices)
    on_a, on_b = (_applied(moved[bodies], points) for bodies in (a, b))
    normals = np.einsum("nij,nj->ni", moved[a][:, :3, :3], normals)
    gap = np.einsum("ni,ni->n", normals, on_b - on_a)
    arms = [np.cross(on_b - state.matrices[bodies][:, :3, 3], normals) for bodies in (a, b)]
    if dimension == 2:
        arms = [arm[:, 2] for arm in arms]
    count = len(contacts)
    return ContactSet(
        system,
        state,
        a,
        b,
        gap,
        point=on_b[:, :dimension],
        normal=normals[:, :dimension],
        arm_a=arms[0],
        arm_b=arms[1],
        share=np.zeros(count),
        curvature=np.tile([0.0, math.inf], (count, 1)),
        candidate=np.full(count, -1, np.int64),
        given_contacts=contacts,
    )


def _floats(vector: object) -> list[float]:
    values = [float(x) for x in vector]  # type: ignore[attr-defined]
    return [*values, *[0.0] * (3 - len(values))]


def _applied(matrices: np.ndarray, points: np.ndarray) -> np.ndarray:
    moved: np.ndarray = np.einsum("nij,nj->ni", matrices[:, :3, :3], points) + matrices[:, :3, 3]
    return moved
