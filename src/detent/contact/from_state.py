"""From contacts at a state to the rows that modes are enumerated on.

States have velocities of the parts' origins, in SI; modes have those of points at the world's origin, in the
document's units. Rows are shifted here, at the door of modes, and nowhere else.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from detent.contact.contacts import Contacts, spread
from detent.contact.normal_rows import rows_along
from detent.contact.site import Site
from detent.mechanics.constraints import constraint_rows_at
from detent.mechanics.inertia import shift_of
from detent.mechanics.row import GROUND

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.contact.at_state import ContactSet

    Floats = NDArray[np.float64]

# Sine of the angle between normals that are one.
_SAME = 1e-9


def mode_contacts(contacts: ContactSet, *, planes: int | None = None) -> Contacts:
    """The contacts of a state as rows on one velocity vector, with the joints of their System.

    Of contacts with one point and one normal there is one. `planes` divide sliding where the document does
    not give tangents.
    """
    system, state = contacts.system, contacts.state
    kept = _distinct(contacts)
    shift = shift_of(system, state) / system.metres_per_unit
    normal = rows_along(system, contacts, state, contacts.normal) @ shift
    tangents = [_tangents(contacts, k, planes) for k in range(len(contacts))]
    tangent_rows = []
    for k in kept:
        directions = np.zeros((len(tangents[k]), len(contacts), system.dimension))
        directions[:, k] = tangents[k]
        tangent_rows.append(
            np.array([rows_along(system, contacts, state, each)[k] for each in directions]).reshape(
                -1, system.degrees
            )
            @ shift
        )
    rows = Contacts.from_rows(
        normal[kept],
        tangent_rows,
        held=constraint_rows_at(system, state).matrix @ shift,
        friction=[contacts.friction[k] for k in kept],
        freedoms=system.degrees,
    )
    names = tuple(
        body.name for body, column in zip(system.bodies, system.columns, strict=True) if column >= 0
    )
    return replace(rows, sites=tuple(_site(contacts, k, tangents[k]) for k in kept), bodies=names)


def _distinct(contacts: ContactSet) -> list[int]:
    """One of each point and normal between the same bodies."""
    near = contacts.system.tolerance.length
    kept: list[int] = []
    for k in range(len(contacts)):
        same = any(
            (contacts.a[k], contacts.b[k]) == (contacts.a[j], contacts.b[j])
            and np.linalg.norm(contacts.point[k] - contacts.point[j]) <= near
            and np.linalg.norm(contacts.normal[k] - contacts.normal[j]) <= _SAME
            for j in kept
        )
        if not same:
            kept.append(k)
    return kept


def _tangents(contacts: ContactSet, k: int, planes: int | None) -> Floats:
    """(t, 2 or 3): directions that divide sliding; those of a given contact go with its first part."""
    dimension = contacts.system.dimension
    directions = contacts.given_contacts[k].tangents if contacts.given_contacts else None
    if directions is None:
        return np.array(spread(contacts.normal[k].tolist(), planes, dimension), float).reshape(-1, dimension)
    drawn = np.array([[float(x) for x in tangent] for tangent in directions]).reshape(-1, dimension)
    a = contacts.a[k]
    moved = contacts.state.matrices[a] @ np.linalg.inv(contacts.system.drawn.matrices[a])
    carried: Floats = drawn @ moved[:dimension, :dimension].T
    return carried


def _site(contacts: ContactSet, k: int, tangents: Floats) -> Site:
    system = contacts.system
    columns = (int(system.columns[bodies[k]]) for bodies in (contacts.a, contacts.b))
    between = [GROUND if column < 0 else column // system.freedoms for column in columns]
    return Site(
        ":".join(system.bodies[bodies[k]].name for bodies in (contacts.a, contacts.b)),
        (between[0], between[1]),
        tuple((contacts.point[k] / system.metres_per_unit).tolist()),
        tuple(contacts.normal[k].tolist()),
        tuple(tuple(tangent) for tangent in tangents.tolist()),
        evenly=not (contacts.given_contacts and contacts.given_contacts[k].tangents is not None),
    )
