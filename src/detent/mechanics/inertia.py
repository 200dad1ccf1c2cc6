"""Inertia and weight of a document's parts on the velocity vector of its contacts.

A part's velocity is that of its point at the world's origin, then its turn; a load is a force [N], then its
moment about the origin. Lengths are in the document's units, in moments and accelerations too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.units import metres
from detent.geometry.moments import Mass
from detent.mechanics.joints import Bodies
from detent.mechanics.row import body_freedoms
from detent.model.document.mechanism import Mechanism
from detent.model.machine.mass import part_density, part_mass

Floats = NDArray[np.float64]

# Of a body in the plane, its entries among those of a body in space.
_FLAT = [0, 1, 5]


def knows_masses(mechanism: Mechanism) -> bool:
    """Whether the document says something of the mass of every part that moves."""
    moving = [name for name, part in mechanism.parts.items() if not part.fixed]
    given = [mechanism.parts[name] for name in moving]
    return bool(moving) and all(
        part.mass is not None or part.inertia is not None or part_density(mechanism, name) is not None
        for name, part in zip(moving, given, strict=True)
    )


def mass_matrix(mechanism: Mechanism) -> Floats:
    """M of all parts that move, over their velocities."""
    bodies = _bodies(mechanism)
    size = body_freedoms(mechanism.dimension)
    made = np.zeros((bodies.freedoms, bodies.freedoms))
    for k, name in enumerate(bodies.names):
        own = slice(k * size, (k + 1) * size)
        made[own, own] = _spatial(bodies, name, part_mass(mechanism, name))
    return made


def weight(mechanism: Mechanism) -> Floats:
    """The load of the document's gravity on all parts that move; zero without gravity."""
    bodies = _bodies(mechanism)
    if mechanism.gravity is None or not any(mechanism.gravity):
        return np.zeros(bodies.freedoms)
    pull = np.zeros(3)
    pull[: len(mechanism.gravity)] = [float(g) for g in mechanism.gravity]
    unit = metres(mechanism.units)
    made = []
    for name in bodies.names:
        own = part_mass(mechanism, name)
        if not own.mass:
            raise ModelError.at(f"parts.{name}.mass", "is missing, and gravity pulls at it", "add `mass`")
        force = own.mass * pull
        made.append(_own(np.r_[force, np.cross(_centre(bodies, name, own) / unit, force)], mechanism))
    return np.concatenate(made)


def by_freedom(mechanism: Mechanism, by_part: Mapping[str, Sequence[Any]]) -> list[float]:
    """Of parts by name, their numbers in the order of the velocity vector; zeros for parts left out."""
    still = (0,) * body_freedoms(mechanism.dimension)
    return [float(x) for name in _bodies(mechanism).names for x in by_part.get(name, still)]


def bias(mechanism: Mechanism, velocity: Sequence[float]) -> Floats:
    """h of all parts that move: the force and the moment that keep a velocity steady while they turn."""
    bodies = _bodies(mechanism)
    size, unit = body_freedoms(mechanism.dimension), metres(mechanism.units)
    made = []
    for k, name in enumerate(bodies.names):
        own = part_mass(mechanism, name)
        twist = np.zeros(6)
        twist[_FLAT if size == 3 else slice(None)] = velocity[k * size : (k + 1) * size]
        turn, centre = twist[3:], _centre(bodies, name, own)
        frame = bodies.poses[name].matrix[:, :3]
        about = frame @ np.array(own.inertia) @ frame.T
        force = own.mass * np.cross(turn, unit * twist[:3] + np.cross(turn, centre))
        moment = np.cross(centre, force) + np.cross(turn, about @ turn)
        made.append(_own(np.r_[force, moment / unit], mechanism))
    return np.concatenate(made)


def _bodies(mechanism: Mechanism) -> Bodies:
    if mechanism.rows is not None:
        raise UnsupportedError(
            "rows say nothing of masses",
            "use `detent.contact.consistent_modes` in Python",
            "rows",
        )
    return Bodies.of(mechanism)


def _spatial(bodies: Bodies, name: str, own: Mass) -> Floats:
    """Inertia about the world's origin, for lengths in the document's units."""
    x, y, z = _centre(bodies, name, own)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    turn = bodies.poses[name].matrix[:, :3]
    made = np.block(
        [
            [own.mass * np.eye(3), -own.mass * cross],
            [own.mass * cross, turn @ np.array(own.inertia) @ turn.T - own.mass * cross @ cross],
        ]
    )
    unit = metres(bodies.mechanism.units)
    scale = np.r_[np.full(3, unit), np.ones(3)]
    return _own(made * scale * scale[:, None] / unit, bodies.mechanism)


def _centre(bodies: Bodies, name: str, own: Mass) -> Floats:
    """In the world [m]; a part without mass has none."""
    if not own.mass:
        return np.zeros(3)
    frame = bodies.poses[name].matrix
    made: Floats = frame[:, :3] @ np.array(own.centre) + metres(bodies.mechanism.units) * frame[:, 3]
    return made


def _own(made: Floats, mechanism: Mechanism) -> Floats:
    if mechanism.dimension == 3:
        return made
    return made[_FLAT] if made.ndim == 1 else made[np.ix_(_FLAT, _FLAT)]
