"""Polygons, convex polyhedra and discs as contacts see them, where they are placed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from detent.geometry.vector import Vec, cross, minus, norm

Touch = tuple[Vec, Vec]  # point, normal from the first piece to the second

# Of the drawing's size: what rounding of a rotation or of a disc may leave between parts that touch.
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


def points_of(piece: Polytope | Round) -> tuple[Vec, ...]:
    """Its vertices, or its centre."""
    return piece.points if isinstance(piece, Polytope) else (piece.centre,)


def distinct_points(points: Iterable[Vec], close: float) -> list[Vec]:
    """Each once, the first of those that are one."""
    kept: list[Vec] = []
    for point in points:
        if not any(norm(minus(point, p)) <= close for p in kept):
            kept.append(point)
    return kept


def edges_of(points: Any) -> Iterator[tuple[Vec, Vec]]:
    """Start and end of each edge around a polygon."""
    return zip(points, (*points[1:], points[0]), strict=True)


def corners_of(points: Any) -> Iterator[tuple[Vec, Vec, Vec]]:
    """Each vertex of a polygon, with the one before and the one after it."""
    return zip((points[-1], *points[:-1]), points, (*points[1:], points[0]), strict=True)
