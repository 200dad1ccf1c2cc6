"""How the rows of contacts and joints change while the parts of a document move, by their velocity.

A contact's gap is n . (b - a): a and b are points of the two parts that are at one point now (of a disc:
at its centre), and n goes with the face, with the two edges, or with the two centres that touch. With u
the velocity of a point, w that of b past a, and n' the rate of n, the gap's second rate is

    row x a + 2 n' . w + n . (spin_b x u_b - spin_a x u_a)

(for two centres n' . w once: there b - a is n itself). The slip along a tangent t changes by
t . ((spin_b - spin_a) x s), where s is the velocity of the point of contact (in the plane only along the
normal, where that of a disc's centre is the same); the planes that divide sliding rotate with the normal,
and not about it. Accelerations are rates of change of the velocities, which
are those of the points at the origin: (v, spin)' and not what the points there feel.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from detent.contact.contacts import Contacts
from detent.contact.forces.at_velocity import RowRates
from detent.contact.site import Site
from detent.contact.touching.pieces import pieces_of
from detent.foundation.errors import UnsupportedError
from detent.geometry.exact.polytope import CLOSE, Polytope, Round, edges_of, points_of
from detent.mechanics.exact_joint_rows import Bodies, ConstraintRow, constraint_rows
from detent.mechanics.row import GROUND, body_freedoms
from detent.model.document.mechanism import Mechanism
from detent.model.machine.solids import part_solid

Floats = NDArray[np.float64]
Piece = Polytope | Round


@dataclass(frozen=True)
class Field:
    """The velocities of a part: of its point at the origin, and its rotation, in space."""

    linear: Floats
    spin: Floats

    def at(self, point: Floats) -> Floats:
        return self.linear + np.cross(self.spin, point)

    def bend(self, point: Floats) -> Floats:
        """The acceleration of the part's point there, at a steady velocity."""
        return np.cross(self.spin, self.at(point))


@dataclass(frozen=True)
class FollowedContact:
    """What a contact does by itself: the velocity product of its normal row, and the velocity of its point.

    Of a disc's point the velocity along the normal, which is that of its centre.
    """

    normal: float
    point_velocity: Floats


def row_rates_of(
    mechanism: Mechanism, contacts: Contacts, velocity: Sequence[float]
) -> tuple[RowRates, bool]:
    """The velocity products at a velocity, and whether surfaces were assumed flat for want of a shape.

    Contacts whose point and normal are those of vertices, edges, faces or discs as drawn are followed. Others
    are assumed flat, and refused where their parts rotate.
    """
    bodies = Bodies.of(mechanism)
    fields = _fields(bodies, velocity)
    drawn = _Drawn(mechanism, bodies)
    normal: list[float] = []
    tangent: list[list[float]] = []
    flat = False
    for i, contact_site in enumerate(contacts.sites):
        first, second = (fields[k] for k in contact_site.between)
        followed = drawn.followed(contact_site, first, second)
        if followed is None:
            if first.spin.any() or second.spin.any():
                raise _no_feature(i, contact_site)
            flat, followed = True, FollowedContact(0.0, np.zeros(3))
        relative = np.cross(second.spin - first.spin, followed.point_velocity)
        normal.append(followed.normal)
        tangent.append([float(_in_space(t) @ relative) for t in contact_site.tangents])
    held = [
        _of_joint(constraint, *(fields[k] for k in constraint.pair)) for constraint in constraint_rows(bodies)
    ]
    return RowRates(normal=normal, tangent=tangent, held=held), flat


def _no_feature(number: int, contact_site: Site) -> UnsupportedError:
    problem = (
        f"contact {number} ({contact_site.name}) turns, and no vertex, edge, face or disc as drawn tells how"
    )
    remedy = (
        "draw what touches, give a velocity without rotation, or in Python `consistent_modes` with `drift`"
    )
    return UnsupportedError(problem, remedy, "velocity")


def _fields(bodies: Bodies, velocity: Sequence[float]) -> dict[int, Field]:
    dimension = bodies.mechanism.dimension
    size = body_freedoms(dimension)
    fields = {GROUND: Field(np.zeros(3), np.zeros(3))}
    for k in range(len(bodies.names)):
        values = np.asarray(velocity[k * size : (k + 1) * size], float)
        if dimension == 2:
            values = np.array([values[0], values[1], 0.0, 0.0, 0.0, values[2]])
        fields[k] = Field(values[:3], values[3:])
    return fields


def _of_joint(constraint: ConstraintRow, first: Field, second: Field) -> float:
    """Directions of a joint go with its first part; its two points coincide."""
    direction = np.array([float(x) for x in constraint.direction])
    direction_rate = np.cross(first.spin, direction)
    if constraint.point is None:
        return float(direction_rate @ (second.spin - first.spin))
    return _material(direction, direction_rate, np.array([float(x) for x in constraint.point]), first, second)


def _material(n: Floats, normal_rate: Floats, at: Floats, first: Field, second: Field) -> float:
    """Of n . (b - a), where two points of the parts coincide."""
    past = second.at(at) - first.at(at)
    return float(2 * normal_rate @ past + n @ (second.bend(at) - first.bend(at)))


class _Drawn:
    """The features of the parts as drawn, and which of them a contact is between."""

    def __init__(self, mechanism: Mechanism, bodies: Bodies) -> None:
        self.mechanism, self.bodies = mechanism, bodies
        self._known: dict[str, list[Piece]] = {}

    def _pieces(self, name: str) -> list[Piece]:
        if name not in self._known:
            try:
                drawn = part_solid(self.mechanism, name) is not None
                pieces = pieces_of(self.mechanism, name, self.bodies.poses[name]) if drawn else []
            except UnsupportedError:
                pieces = []  # a shape with other features: nothing here tells what touches
            self._known[name] = pieces
        return self._known[name]

    def followed(self, contact_site: Site, first: Field, second: Field) -> FollowedContact | None:
        names = contact_site.name.split(":")
        a, b = (
            _Features(self._pieces(name), contact_site, side)
            for name, side in zip(names, (1, -1), strict=True)
        )
        n, at = _in_space(contact_site.normal), _in_space(contact_site.point)
        for carrier, other in ((first, second), (second, first)):
            face, tip = (a, b) if carrier is first else (b, a)
            normal_rate = np.cross(carrier.spin, n)
            if face.face and tip.vertex:
                return FollowedContact(_material(n, normal_rate, at, first, second), other.at(at))
            if face.face and tip.discs:
                centre = tip.discs[0]
                return FollowedContact(_material(n, normal_rate, centre, first, second), other.at(centre))
        return _crossing(a, b, n, at, first, second) or _centres(a, b, n, first, second)


def _crossing(
    a: _Features, b: _Features, n: Floats, at: Floats, first: Field, second: Field
) -> FollowedContact | None:
    """Two edges: their point of contact moves along both."""
    for e, f in ((e, f) for e in a.edges for f in b.edges):
        across = np.cross(e, f)
        if not _parallel(across, n):
            continue
        scale = float(n @ across) / float(across @ across)
        normal_rate = np.cross(np.cross(first.spin, e), f) + np.cross(e, np.cross(second.spin, f))
        past = second.at(at) - first.at(at)
        along = float(np.linalg.lstsq(np.column_stack([e, -f]), past, rcond=None)[0][0])
        return FollowedContact(_material(n, scale * normal_rate, at, first, second), first.at(at) + along * e)
    return None


def _centres(a: _Features, b: _Features, n: Floats, first: Field, second: Field) -> FollowedContact | None:
    """Two discs, or a disc and a vertex, which is a disc of no size."""
    if not (a.discs or b.discs):
        return None
    for p, q in ((p, q) for p in a.round for q in b.round):
        apart = q - p
        distance, length = float(np.linalg.norm(apart)), float(np.linalg.norm(n))
        past = second.at(q) - first.at(p)
        across = past - apart * float(apart @ past) / distance**2
        bent = float(n @ (second.bend(q) - first.bend(p)))
        return FollowedContact(bent + length * float(across @ across) / distance, first.at(p))
    return None


class _Features:
    """What a part has at the point of a contact; `side` is 1 for the first part, whose normal is outward."""

    def __init__(self, pieces: Sequence[Piece], contact_site: Site, side: int) -> None:
        outward, at = side * _in_space(contact_site.normal), _in_space(contact_site.point)
        size = max((abs(float(x)) for piece in pieces for p in points_of(piece) for x in p), default=1.0)
        close = CLOSE * max(size, float(np.abs(at).max()))
        solids = [piece for piece in pieces if isinstance(piece, Polytope)]
        points = [_in_space(p) for piece in solids for p in piece.points]
        self.vertex = any(float(np.linalg.norm(p - at)) <= close for p in points)
        self.face = any(_parallel(n, outward) and _holds(ends, at, close) for n, ends in _faces(solids))
        lines = [(p, q) for solid in solids for p, q in _edges(solid)]
        self.edges = [q - p for p, q in lines if _holds(np.array([p, q]), at, close)]
        self.discs = [
            _in_space(piece.centre)
            for piece in pieces
            if isinstance(piece, Round)
            and abs(float(np.linalg.norm(at - _in_space(piece.centre))) - float(piece.radius)) <= close
            and _parallel(at - _in_space(piece.centre), outward)
        ]
        self.round = [*self.discs, *([at] if self.vertex else [])]


def _faces(solids: Sequence[Polytope]) -> Iterator[tuple[Floats, Floats]]:
    """Outer normals and corners of faces; in the plane of edges."""
    for solid in solids:
        for face, (n, _) in zip(solid.faces, solid.planes, strict=True):
            yield _in_space(n), np.array([_in_space(solid.points[k]) for k in face])
        if not solid.faces:
            for p, q in _edges(solid):
                yield np.array([q[1] - p[1], p[0] - q[0], 0.0]), np.array([p, q])


def _edges(solid: Polytope) -> Iterator[tuple[Floats, Floats]]:
    rings: Any = [[solid.points[k] for k in face] for face in solid.faces] or [solid.points]
    for ring in rings:
        yield from ((_in_space(p), _in_space(q)) for p, q in edges_of(ring))


def _holds(corners: Floats, at: Floats, close: float) -> bool:
    """Whether a point lies in the convex polygon, or on the segment, of these corners."""
    if len(corners) == 2:
        distances = np.linalg.norm(corners - at, axis=1)
        return bool(distances.sum() <= float(np.linalg.norm(corners[1] - corners[0])) + close)
    sides = np.roll(corners, -1, axis=0) - corners
    normal = np.cross(sides[0], sides[1])
    normal /= np.linalg.norm(normal)
    inward = np.cross(normal, sides / np.linalg.norm(sides, axis=1, keepdims=True))
    inside = np.einsum("ij,ij->i", inward, at - corners)
    return bool((inside >= -close).all()) and abs(float(normal @ (at - corners[0]))) <= close


def _parallel(one: Floats, other: Floats) -> bool:
    sizes = float(np.linalg.norm(one)) * float(np.linalg.norm(other))
    return (
        sizes > 0 and float(np.linalg.norm(np.cross(one, other))) <= CLOSE * sizes and float(one @ other) > 0
    )


def _in_space(vector: Sequence[Any]) -> Floats:
    padded = np.zeros(3)
    padded[: len(vector)] = [float(x) for x in vector]
    return padded
