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

All of it in rationals, from the document's own: rows that depend on each other (a wheel on its axle and
on the floor) have velocity products that agree, and rounding would have them disagree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from detent.contact.contacts import Contacts
from detent.contact.forces.at_velocity import RowRates
from detent.contact.site import Site
from detent.contact.touching.pieces import pieces_of
from detent.foundation.errors import UnsupportedError
from detent.geometry.exact.polytope import CLOSE, Polytope, Round, edges_of, points_of
from detent.geometry.vector import cross
from detent.mechanics.exact_joint_rows import Bodies, ConstraintRow, constraint_rows
from detent.mechanics.row import GROUND, body_freedoms
from detent.model.document.mechanism import Mechanism
from detent.model.machine.solids import part_solid

Floats = NDArray[np.float64]
Exact = NDArray[np.object_]  # rationals
Piece = Polytope | Round

# How far beside a contact a face is looked at, in the tolerances within which points are one.
_BESIDE = 1000


@dataclass(frozen=True)
class Field:
    """The velocities of a part: of its point at the origin, and its rotation, in space."""

    linear: Exact
    spin: Exact

    def at(self, point: Exact) -> Exact:
        moved: Exact = self.linear + _cross(self.spin, point)
        return moved

    def bend(self, point: Exact) -> Exact:
        """The acceleration of the part's point there, at a steady velocity."""
        return _cross(self.spin, self.at(point))


@dataclass(frozen=True)
class FollowedContact:
    """What a contact does by itself: the velocity product of its normal row, and the velocity of its point.

    Of a disc's point the velocity along the normal, which is that of its centre.
    """

    normal: Fraction
    point_velocity: Exact


def row_rates_of(
    mechanism: Mechanism, contacts: Contacts, velocity: Sequence[float | Fraction]
) -> tuple[RowRates, bool]:
    """The velocity products at a velocity, and whether surfaces were assumed flat for want of a shape.

    Contacts whose point and normal are those of vertices, edges, faces or discs as drawn are followed. Others
    are assumed flat, and refused where their parts rotate.
    """
    bodies = Bodies.of(mechanism)
    fields = _fields(bodies, velocity)
    drawn = _Drawn(mechanism, bodies)
    rows = contacts.exact
    normal: list[Fraction] = []
    tangent: list[list[Fraction]] = []
    flat = False
    for i, contact_site in enumerate(contacts.sites):
        first, second = (fields[k] for k in contact_site.between)
        followed = drawn.followed(
            contact_site, _direction(rows.normal[i], contact_site, mechanism.dimension), first, second
        )
        if followed is None:
            if first.spin.any() or second.spin.any():
                raise _no_feature(i, contact_site)
            flat, followed = True, FollowedContact(Fraction(0), _exact_in_space(()))
        relative = _cross(second.spin - first.spin, followed.point_velocity)
        normal.append(followed.normal)
        directions = [_direction(row, contact_site, mechanism.dimension) for row in rows.tangent[i]]
        tangent.append([_dot(t, relative) for t in directions])
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


def _direction(row: Any, contact_site: Site, dimension: int) -> Exact:
    """The direction along which a contact's row measures the second part past the first."""
    first, second = contact_site.between
    start = body_freedoms(dimension) * (first if second == GROUND else second)
    direction = _exact_in_space(row[start : start + dimension])
    return -direction if second == GROUND else direction


def _fields(bodies: Bodies, velocity: Sequence[float | Fraction]) -> dict[int, Field]:
    dimension = bodies.mechanism.dimension
    size = body_freedoms(dimension)
    fields = {GROUND: Field(_exact_in_space(()), _exact_in_space(()))}
    for k in range(len(bodies.names)):
        twist = list(velocity[k * size : (k + 1) * size])
        spin = [0, 0, *twist[dimension:]] if dimension == 2 else twist[dimension:]
        fields[k] = Field(_exact_in_space(twist[:dimension]), _exact_in_space(spin))
    return fields


def _of_joint(constraint: ConstraintRow, first: Field, second: Field) -> Fraction:
    """Directions of a joint go with its first part; its two points coincide."""
    direction = _exact_in_space(constraint.direction)
    direction_rate = _cross(first.spin, direction)
    if constraint.point is None:
        return _dot(direction_rate, second.spin - first.spin)
    return _material(direction, direction_rate, _exact_in_space(constraint.point), first, second)


def _material(n: Exact, normal_rate: Exact, at: Exact, first: Field, second: Field) -> Fraction:
    """Of n . (b - a), where two points of the parts coincide."""
    past = second.at(at) - first.at(at)
    return 2 * _dot(normal_rate, past) + _dot(n, second.bend(at) - first.bend(at))


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

    def followed(self, contact_site: Site, n: Exact, first: Field, second: Field) -> FollowedContact | None:
        names = contact_site.name.split(":")
        a, b = (
            _Features(self._pieces(name), contact_site, side)
            for name, side in zip(names, (1, -1), strict=True)
        )
        sides = [(first, second, a, b), (second, first, b, a)]
        # Where corners of both lie on one spot, one of them slides onto the face of the other part.
        sides.sort(key=lambda side: not side[2].carries(side[3], side[1], side[0]))
        for carrier, other, face, tip in sides:
            normal_rate = _cross(carrier.spin, n)
            if face.faces and tip.vertices:
                at = tip.vertices[0]
                return FollowedContact(_material(n, normal_rate, at, first, second), other.at(at))
            if face.faces and tip.discs:
                centre = tip.discs[0]
                return FollowedContact(_material(n, normal_rate, centre, first, second), other.at(centre))
        return _crossing(a, b, n, first, second) or _centres(a, b, n, first, second)


def _crossing(a: _Features, b: _Features, n: Exact, first: Field, second: Field) -> FollowedContact | None:
    """Two edges: their point of contact moves along both."""
    for (p, e), (q, f) in ((one, other) for one in a.edges for other in b.edges):
        across = _cross(e, f)
        if not _parallel(across.astype(float), n.astype(float)):
            continue
        square = _dot(across, across)
        at = p + e * (_dot(_cross(q - p, f), across) / square)
        normal_rate = _cross(_cross(first.spin, e), f) + _cross(e, _cross(second.spin, f))
        past = second.at(at) - first.at(at)
        along = _dot(_cross(past, f), across) / square
        rate = normal_rate * (_dot(n, across) / square)
        return FollowedContact(_material(n, rate, at, first, second), first.at(at) + e * along)
    return None


def _centres(a: _Features, b: _Features, n: Exact, first: Field, second: Field) -> FollowedContact | None:
    """Two discs, or a disc and a vertex, which is a disc of no size."""
    if not (a.discs or b.discs):
        return None
    for p, q in ((p, q) for p in (*a.discs, *a.vertices) for q in (*b.discs, *b.vertices)):
        apart = q - p
        square = _dot(apart, apart)
        past = second.at(q) - first.at(p)
        across = past - apart * (_dot(apart, past) / square)
        bent = _dot(n, second.bend(q) - first.bend(p))
        # n lies along the centres: its length by their distance
        return FollowedContact(bent + abs(_dot(n, apart)) / square * _dot(across, across), first.at(p))
    return None


class _Features:
    """What a part has at the point of a contact; `side` is 1 for the first part, whose normal is outward."""

    def __init__(self, pieces: Sequence[Piece], contact_site: Site, side: int) -> None:
        outward, at = side * _in_space(contact_site.normal), _in_space(contact_site.point)
        size = max((abs(float(x)) for piece in pieces for p in points_of(piece) for x in p), default=1.0)
        close = CLOSE * max(size, float(np.abs(at).max()))
        solids = [piece for piece in pieces if isinstance(piece, Polytope)]
        self._at, self._close = at, close
        points = [p for piece in solids for p in piece.points]
        self.vertices = [
            _exact_in_space(p) for p in points if float(np.linalg.norm(_in_space(p) - at)) <= close
        ]
        parallel = [ends for n, ends in _faces(solids) if _parallel(n, outward)]
        self._parallel = parallel  # those beside the contact too, in which a face may go on
        self.faces = [ends for ends in parallel if _holds(ends, at, close)]
        self.edges = [  # each by a point of it and its direction
            (_exact_in_space(p), _exact_in_space(q) - _exact_in_space(p))
            for solid in solids
            for p, q in _edges(solid)
            if _holds(np.array([_in_space(p), _in_space(q)]), at, close)
        ]
        self.discs = [
            _exact_in_space(piece.centre)
            for piece in pieces
            if isinstance(piece, Round)
            and abs(float(np.linalg.norm(at - _in_space(piece.centre))) - float(piece.radius)) <= close
            and _parallel(at - _in_space(piece.centre), outward)
        ]

    def carries(self, tip: _Features, moving: Field, carrier: Field) -> bool:
        """Whether the corner of another part, which moves past this one, slides on along a face of it."""
        if not (self.faces and tip.vertices):
            return False
        at = tip.vertices[0]
        slip = (moving.at(at) - carrier.at(at)).astype(float)
        speed = float(np.linalg.norm(slip))
        ahead = self._at + (_BESIDE * self._close / speed) * slip if speed else self._at
        return any(_holds(ends, ahead, self._close) for ends in self._parallel)


def _faces(solids: Sequence[Polytope]) -> Iterator[tuple[Floats, Floats]]:
    """Outer normals and corners of faces; in the plane of edges."""
    for solid in solids:
        for face, (n, _) in zip(solid.faces, solid.planes, strict=True):
            yield _in_space(n), np.array([_in_space(solid.points[k]) for k in face])
        if not solid.faces:
            for ends in _edges(solid):
                p, q = (_in_space(end) for end in ends)
                yield np.array([q[1] - p[1], p[0] - q[0], 0.0]), np.array([p, q])


def _edges(solid: Polytope) -> Iterator[tuple[Any, Any]]:
    rings: Any = [[solid.points[k] for k in face] for face in solid.faces] or [solid.points]
    for ring in rings:
        yield from edges_of(ring)


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


def _exact_in_space(vector: Sequence[Any]) -> Exact:
    padded = np.array([Fraction(0)] * 3, object)
    padded[: len(vector)] = [Fraction(x) for x in vector]
    return padded


def _cross(one: Exact, other: Exact) -> Exact:
    return np.array([*cross([*one], [*other])], object)


def _dot(one: Exact, other: Exact) -> Fraction:
    return Fraction(one @ other)
