"""The convex and polygonal pieces that a part's shape is made of, where it stands as drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from detent.contact.polygon import Leaf
from detent.contact.union import joined
from detent.foundation.errors import UnsupportedError
from detent.foundation.names import with_article
from detent.geometry import solid as solids
from detent.geometry.frame import Exact3, Frame, exact3
from detent.geometry.outline import cleaned
from detent.geometry.vector import Vec, cross, minus
from detent.model.mechanism import Mechanism
from detent.model.solids import part_solid

Touch = tuple[Vec, Vec]  # point, normal from the first piece to the second

# Of the drawing's size: what rounding of a turn or of a disc may leave between parts that touch.
CLOSE = 1e-9


@dataclass(frozen=True)
class Polytope:
    """A polygon (its vertices counter-clockwise) or a convex polyhedron (faces outward)."""

    points: tuple[Any, ...]
    faces: tuple[tuple[int, ...], ...] = ()

    @cached_property
    def planes(self) -> list[tuple[Vec, Vec]]:
        """Of each face the outer normal and a corner."""
        corners = ([self.points[k] for k in face[:3]] for face in self.faces)
        return [(cross(minus(q, p), minus(r, q)), p) for p, q, r in corners]

    @cached_property
    def bounds(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Its faces in doubles: unit normals, and how far along each of them it reaches."""
        units = np.array([[float(x) for x in n] for n, _ in self.planes]).reshape(-1, 3)
        units /= np.linalg.norm(units, axis=1, keepdims=True)
        corners = np.array([[float(x) for x in p] for _, p in self.planes]).reshape(-1, 3)
        return units, np.einsum("ij,ij->i", units, corners)

    def outside(self, point: Vec) -> NDArray[np.float64]:
        """How far a point lies beyond each face."""
        units, reach = self.bounds
        beyond: NDArray[np.float64] = units @ np.array([float(x) for x in point]) - reach
        return beyond


@dataclass(frozen=True)
class Round:
    """A disc."""

    centre: Vec
    radius: Any


def pieces_of(mechanism: Mechanism, name: str, pose: Frame) -> list[Polytope | Round]:
    """The pieces of a part that has a shape; what has other contacts is refused by name.

    In the plane, polygons that touch or overlap are one: a seam is no feature. A piece is then one ring of
    its boundary, with the solid on its left.
    """
    whole = part_solid(mechanism, name)
    assert whole is not None
    made = list(_of(whole, pose, mechanism.dimension, f"parts.{name}.shape"))
    polygons = [piece for piece in made if isinstance(piece, Polytope)]
    if mechanism.dimension == 3 or len(polygons) < 2:
        return made
    leaves = joined([Leaf(name, i, p.points, tuple(range(len(p.points)))) for i, p in enumerate(polygons)])
    rings = [Polytope(tuple(leaf.points[k] for k in ring)) for leaf in leaves for ring in leaf.rings]
    return [*rings, *(piece for piece in made if isinstance(piece, Round))]


def points_of(piece: Polytope | Round) -> tuple[Vec, ...]:
    """Its vertices, or its centre."""
    return piece.points if isinstance(piece, Polytope) else (piece.centre,)


def edges_of(points: Any) -> Iterator[tuple[Vec, Vec]]:
    """Start and end of each edge around a polygon."""
    return zip(points, (*points[1:], points[0]), strict=True)


def corners_of(points: Any) -> Iterator[tuple[Vec, Vec, Vec]]:
    """Each vertex of a polygon, with the one before and the one after it."""
    return zip((points[-1], *points[:-1]), points, (*points[1:], points[0]), strict=True)


def _of(solid: solids.Solid, pose: Frame, dimension: int, at: str) -> Iterator[Polytope | Round]:
    if isinstance(solid, solids.Combination):
        if solid.operation != "union":
            raise _unsupported(with_article(solid.operation), at)
        for child in solid.children:
            yield from _of(child, pose, dimension, at)
        return
    shape, frame = solid.primitive, pose @ solid.frame
    if solid.breaks:
        raise _unsupported("a broken edge", at)
    if dimension == 2 and isinstance(shape, solids.Outline):
        yield Polytope(cleaned([_flat(frame.apply(exact3(p))) for p in shape.points]))
    elif dimension == 2 and isinstance(shape, solids.Disc):
        yield Round(frame.origin[:2], shape.radius)
    elif dimension == 3 and isinstance(shape, solids.Block):
        x, y, z = shape.sides
        yield _prism([(0, 0), (x, 0), (x, y), (0, y)], z, frame)
    elif dimension == 3 and isinstance(shape, solids.Prism):
        outline = cleaned(shape.points)
        if not _convex(outline):
            remedy = "make it a union of convex prisms, or give its contacts as [[contacts]]"
            raise UnsupportedError("contacts of a prism that is not convex are not found", remedy, at)
        yield _prism(outline, shape.height, frame)
    else:
        raise _unsupported(with_article(type(shape).__name__.lower()), at)


def _unsupported(what: str, at: str) -> UnsupportedError:
    return UnsupportedError(
        f"contacts of {what} are not found from its shape", "give them as [[contacts]]", at
    )


def _prism(outline: Any, height: Any, frame: Frame) -> Polytope:
    n = len(outline)
    points = [frame.apply((x, y, z)) for z in (0 * height, height) for x, y in outline]
    sides = [(k, (k + 1) % n, n + (k + 1) % n, n + k) for k in range(n)]
    faces = [tuple(range(n))[::-1], tuple(range(n, 2 * n)), *sides]
    return Polytope(tuple(points), tuple(f[::-1] for f in faces) if frame.mirrored else tuple(faces))


def _flat(point: Exact3) -> tuple[Fraction, Fraction]:
    return point[0], point[1]


def _convex(points: Any) -> bool:
    return all(
        (at[0] - before[0]) * (after[1] - at[1]) >= (at[1] - before[1]) * (after[0] - at[0])
        for before, at, after in corners_of(points)
    )
