"""Contact forces that go with a mode: Coulomb's cone by contact state.

Per unit of normal force a contact pushes along its normal and, by friction, in
its tangent plane: nothing where it separates; anywhere inside the cone where it
sticks; at the cone's edge and against the sliding where it slides. A sector of
sliding directions gives the part of the edge opposite to it, here the chords
between its bounding directions (so the set is convex and inside Coulomb's).
Forces act on the second body along +n; the generalised force is rows' x force.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from detent.contact.checks import friction_of, refuse_other_kind
from detent.contact.contacts import Contacts, spanning, tangent_ranks
from detent.contact.modes.mode import Mode
from detent.foundation.errors import UnsupportedError
from detent.foundation.shown import Shown
from detent.numeric.arrangement.complex import EQUAL
from detent.record.frozen import hold_arrays

Floats = NDArray[np.float64]

ROUND = 2  # directions of a tangent plane in space; in the plane a cone has two edges and no round

# Edges of the pyramid that stands for the friction cone of a sticking contact in
# space, at least; more where the contact has more dividing planes.
_EDGES = 8


@dataclass(frozen=True, eq=False, repr=False)
class ForceCone(Shown):
    """Generators of the contact forces of a mode, as generalised forces.

    `generators[j]` is what a unit of normal force at contact `owner[j]` does on the
    velocity vector, with the friction that belongs to that generator.
    """

    generators: Floats  # (p, d)
    owner: NDArray[np.int64]
    held: Floats  # rows of the joints, which can carry any force

    def __post_init__(self) -> None:
        hold_arrays(self)


def slip_rows(contacts: Contacts, contact: int) -> tuple[Floats, Floats]:
    """Tangential velocity of a contact by orthonormal axes, and its dividing directions in them.

    Where only rows are known, one or two planes count as unit directions at right
    angles, more as unit directions at k pi / planes.
    """
    rows = contacts.floats.tangent[contact]
    count = len(rows)
    if count == 0:
        return rows, np.zeros((0, 0))
    drawn = np.array(contacts.sites[contact].tangents)
    if len(drawn):
        _, values, right = np.linalg.svd(drawn, full_matrices=False)
        axes = right[values > EQUAL * values[0]]
        directions = drawn @ axes.T
    elif count <= 2:
        return rows, np.eye(count)
    else:
        angles = np.arange(count) * math.pi / count
        directions = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    frame, *_ = np.linalg.lstsq(directions, rows, rcond=None)
    if np.abs(directions @ frame - rows).max() > EQUAL * np.abs(rows).max():
        raise UnsupportedError(
            f"rows alone do not say how the {count} planes of contact {contact} are oriented",
            f"give the contact by its point and tangents, or rows at k pi / {count}",
        )
    return frame, directions


def unit_normal(contacts: Contacts, contact: int) -> Floats:
    """The row of a unit normal; as given where only rows are known."""
    drawn = contacts.sites[contact].normal
    row: Floats = contacts.floats.normal[contact] / (math.hypot(*drawn) if drawn else 1.0)
    return row


def force_cone(mode: Mode, *, friction: Any = None) -> ForceCone:
    """Generators of the forces that the contacts of a mode can exert."""
    refuse_other_kind(mode, Mode, "mode")
    contacts = mode.modes.contacts.floats
    mu = coefficients(contacts, friction)
    generators = [np.zeros((0, contacts.degrees))]
    owner: list[int] = []
    for i in np.flatnonzero(mode.touching).tolist():
        first = len(contacts) + sum(mode.modes.planes[:i])
        signs = mode.signs[first : first + mode.modes.planes[i]]
        generators.append(pushes(contacts, i, mu[i], edge_directions(contacts, i, signs)))
        owner += [i] * len(generators[-1])
    return ForceCone(np.concatenate(generators), np.array(owner, np.int64), contacts.held)


def pushes(contacts: Contacts, contact: int, mu: float, directions: list[Floats]) -> Floats:
    """A unit of normal force with friction in each of these directions, as generalised forces."""
    refuse_blind(contacts, contact, mu)
    normal = unit_normal(contacts, contact)
    slip, _ = slip_rows(contacts, contact)
    return np.array([normal + mu * (along @ slip) if along.size else normal for along in directions])


def refuse_blind(contacts: Contacts, contact: int, mu: float) -> None:
    """Friction needs a tangent plane; planes that do not span it leave some of its directions out."""
    spanned, needed = tangent_ranks(contacts, contact)
    if mu > 0 and spanned < needed:
        raise UnsupportedError(
            f"contact {contact} has friction, but its dividing planes do not span its tangent plane",
            f"{spanning(contacts, contact, needed)}, or friction 0",
        )


def edge_directions(contacts: Contacts, contact: int, signs: NDArray[np.int8]) -> list[Floats]:
    """Unit directions (in the slip frame) of friction on the second body: one per generator.

    `signs` are those of the contact's planes; without any, friction may point anywhere.
    """
    slip, planes = slip_rows(contacts, contact)
    k = len(slip)
    if k == 0:
        return [np.zeros(0)]
    if not signs.any():
        return _around(k, len(planes))
    if k == 1:
        return [-np.sign(planes[0]) * float(signs[0])]
    return [-direction for direction in _sector(planes, signs)]


def _around(k: int, planes: int) -> list[Floats]:
    if k == 1:
        return [np.array([1.0]), np.array([-1.0])]
    edges = max(_EDGES, 4 * planes)
    angles = 2 * math.pi * np.arange(edges) / edges
    return list(np.stack([np.cos(angles), np.sin(angles)], axis=1))


def _sector(planes: Floats, signs: NDArray[np.int8]) -> list[Floats]:
    """Bounding unit directions of the sliding sector {d: sign(planes d) = signs}."""
    kept = []
    for plane in planes:
        along = np.array([-plane[1], plane[0]]) / np.linalg.norm(plane)
        for direction in (along, -along):
            side = planes @ direction
            near = np.abs(side) <= EQUAL * np.abs(side).max()
            if (near | (np.sign(side) == signs)).all() and not (signs[near] == 0).sum() < (signs == 0).sum():
                kept.append(direction)
    unique: list[Floats] = []
    for direction in kept:
        if all(np.abs(direction - other).max() > EQUAL for other in unique):
            unique.append(direction)
    return unique


def coefficients(contacts: Contacts, friction: Any) -> list[float]:
    """Coulomb's coefficient by contact; `friction` overrides the contacts' own."""
    mu_by_contact = contacts.friction if friction is None else friction_of(friction, len(contacts))
    missing = [i for i, mu in enumerate(mu_by_contact) if mu is None]
    if missing:
        raise UnsupportedError(
            f"contact {missing[0]} has no friction coefficient, and forces need one",
            "give `friction` with the contact or under [touching], or --friction",
        )
    return [float(mu) for mu in mu_by_contact if mu is not None]
