"""Convex pieces of solids with flat faces, exactly; and the faces of their primitives, by number.

A block or a prism is cut into slabs where a chamfer begins or ends, and a base that is not convex into convex
parts. Intersections and differences are taken piece by piece, a union keeps all: pieces of a solid may touch
and overlap. Primitives with curved faces are refused by name.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from detent.foundation.errors import UnsupportedError
from detent.foundation.names import with_article
from detent.geometry.exact.convex import common, convex_parts, without
from detent.geometry.exact.polytope import Polytope, corners_of
from detent.geometry.frame import Frame
from detent.geometry.outline import cleaned
from detent.geometry.profile import refuse_odd_breaks
from detent.geometry.solid import SECTION_AXES, Block, Break, Leaf, Prism, Solid
from detent.geometry.vector import Vec, bend, dot, length, minus

Ring = tuple[Vec, ...]


@dataclass(frozen=True)
class PrimitiveFace:
    """A face of a primitive: its number among them, and its corners, counter-clockwise seen from outside."""

    number: int
    points: tuple[Vec, ...]


def convex_pieces(solid: Solid) -> list[Polytope]:
    """Convex polyhedra that together are the solid."""
    if isinstance(solid, Leaf):
        return _of_leaf(solid)
    children = [convex_pieces(child) for child in solid.children]
    if solid.operation == "union":
        return list(itertools.chain(*children))
    return list(combined_pieces(solid.operation, children))


def combined_pieces(operation: str, operands: list[list[Polytope]]) -> Iterator[Polytope]:
    """An intersection, or a difference, of solids given by their convex pieces."""
    left, *others = operands
    if operation == "intersection":
        for other in others:
            shares = (common(both) for both in itertools.product(left, other))
            left = [share for share in shares if share is not None]
    else:
        for hole in itertools.chain(*others):
            left = [rest for piece in left for rest in without(piece, hole)]
    yield from left


def prism_piece(outline: Any, height: Any, frame: Frame) -> Polytope:
    """A convex polygon raised from z = 0."""
    return _slab(_Ring3(outline, 0 * height, "z"), _Ring3(outline, height, "z"), frame)


def is_convex(points: Any) -> bool:
    """Whether a counter-clockwise polygon turns right nowhere."""
    return all(bend(*three) >= 0 for three in corners_of(points))


def primitive_faces(leaf: Leaf) -> list[PrimitiveFace]:
    """The faces of a primitive where it stands, numbered as `geometry.naming` says.

    A face from which a chamfer takes something is given whole, one that is flared also as it is.
    """
    base = _base(leaf)
    written = base.numbers
    count, (bottom, top) = base.written, base.ends
    faces = [(written[k], quad) for k, quad in enumerate(_quads(bottom, top))]
    faces += [(count, bottom.points[::-1]), (count + 1, top.points)]
    for j, edge in enumerate(leaf.breaks):
        stack = base if edge.face[1] == "z" else _base(leaf, edge.face[1])
        numbers = stack.numbers if edge.face[1] == "z" else range(4)
        low, high = _broken_rings(stack, edge)
        faces += [(count + 2 + j * count + numbers[k], quad) for k, quad in enumerate(_quads(low, high))]
        if edge.size < 0:
            # A face that is flared is larger than the section of its primitive.
            faces.append(
                (_end_number(edge.face, count), high.points if edge.face[0] == "+" else low.points[::-1])
            )
    turned = leaf.frame.mirrored
    return [
        PrimitiveFace(number, tuple(map(leaf.frame.apply, points[::-1] if turned else points)))
        for number, points in faces
    ]


def _end_number(face: str, sides: int) -> int:
    """The number of a face that edges are broken along."""
    return {"-y": 0, "+x": 1, "+y": 2, "-x": 3, "-z": sides, "+z": sides + 1}[face]


@dataclass(frozen=True)
class _Ring3:
    """A polygon across an axis, at a height along it."""

    outline: Any
    height: Any
    axis: str

    @property
    def points(self) -> tuple[Vec, ...]:
        u, v, w = SECTION_AXES[self.axis]
        placed = []
        for x, y in self.outline:
            point: list[Any] = [0, 0, 0]
            point[u], point[v], point[w] = x, y, self.height
            placed.append(tuple(point))
        return tuple(placed)


@dataclass(frozen=True)
class _Base:
    """The outline that a block or a prism has across an axis, and how far it reaches along it."""

    outline: Ring  # counter-clockwise
    numbers: tuple[int, ...]  # of its sides, as written
    written: int  # sides as written
    height: Any
    axis: str

    @property
    def ends(self) -> tuple[_Ring3, _Ring3]:
        bottom, top = (_Ring3(self.outline, z, self.axis) for z in (0 * self.height, self.height))
        return bottom, top


def _base(leaf: Leaf, axis: str = "z") -> _Base:
    shape = leaf.primitive
    if isinstance(shape, Block):
        u, v, w = SECTION_AXES[axis]
        x, y = shape.sides[u], shape.sides[v]
        zero = Fraction(0)
        return _Base(((zero, zero), (x, zero), (x, y), (zero, y)), (0, 1, 2, 3), 4, shape.sides[w], axis)
    if isinstance(shape, Prism):
        outline = cleaned(shape.points)
        return _Base(outline, _side_numbers(outline, shape.points), len(shape.points), shape.height, axis)
    raise _unsupported(with_article(type(shape).__name__.lower()), leaf.at)


def _side_numbers(outline: Ring, written: Sequence[Vec]) -> tuple[int, ...]:
    """Of each side the written edge that it starts with."""
    edges = list(enumerate(zip(written, (*written[1:], written[0]), strict=True)))
    numbers = []
    for start, end in zip(outline, (*outline[1:], outline[0]), strict=True):
        way = minus(end, start)
        numbers.append(
            next(
                i
                for i, (p, q) in edges
                if p != q and start in (p, q) and _is_along(way, minus(q, p) if p == start else minus(p, q))
            )
        )
    return tuple(numbers)


def _is_along(way: Vec, other: Vec) -> bool:
    return bool(way[0] * other[1] == way[1] * other[0] and dot(way, other) > 0)


def _of_leaf(leaf: Leaf) -> list[Polytope]:
    refuse_odd_breaks(leaf)
    whole = _base(leaf)
    if any(edge.kind == "round" for edge in leaf.breaks):
        raise _unsupported("a rounded edge", leaf.at)
    pieces: list[Polytope] | None = None
    for axis in "zxy":
        breaks = [edge for edge in leaf.breaks if edge.face[1] == axis]
        if not breaks and (axis != "z" or len(leaf.breaks)):
            continue
        stack = _stack(leaf, whole if axis == "z" else _base(leaf, axis), breaks)
        if pieces is None:
            pieces = stack
        elif any(edge.size < 0 for edge in breaks):
            pieces = pieces + stack
        else:
            pieces = list(combined_pieces("intersection", [pieces, stack]))
    assert pieces is not None
    return pieces


def _stack(leaf: Leaf, base: _Base, breaks: list[Break]) -> list[Polytope]:
    """Slabs along an axis, between the heights at which a chamfer begins or ends."""
    if not is_convex(base.outline):
        if breaks:
            raise _unsupported("a chamfer around a base that is not convex", leaf.at)
        return [prism_piece(part, base.height, leaf.frame) for part in convex_parts(base.outline)]
    depths = {(edge.face[0], Fraction(0)) for edge in breaks} | {(e.face[0], abs(e.size)) for e in breaks}
    heights = {0 * base.height, base.height}
    heights |= {depth if sign == "-" else base.height - depth for sign, depth in depths}
    rings = [
        _Ring3(_inset(base.outline, _inset_at(breaks, z, base.height), leaf.at), z, base.axis)
        for z in sorted(z for z in heights if 0 <= z <= base.height)
    ]
    return [_slab(low, high, leaf.frame) for low, high in itertools.pairwise(rings)]


def _broken_rings(base: _Base, edge: Break) -> tuple[_Ring3, _Ring3]:
    """The polygons between which a chamfer's faces lie, the lower first."""
    size = abs(edge.size)
    depth_and_inset = ((Fraction(0), edge.size), (size, Fraction(0)))
    rings = [
        _Ring3(
            _inset(base.outline, inset, ""),
            depth if edge.face[0] == "-" else base.height - depth,
            base.axis,
        )
        for depth, inset in depth_and_inset
    ]
    return (rings[0], rings[1]) if edge.face[0] == "-" else (rings[1], rings[0])


def _inset_at(breaks: list[Break], z: Fraction, height: Fraction) -> Fraction:
    total = Fraction(0)
    for edge in breaks:
        depth = height - z if edge.face[0] == "+" else z
        rest = max(abs(edge.size) - depth, Fraction(0))
        total += rest if edge.size > 0 else -rest
    return total


def _inset(outline: Ring, by: Any, at: str) -> Ring:
    """Each side moved inwards, corners kept sharp; exact where the sides have rational lengths."""
    if by == 0:
        return outline
    moved: list[Vec] = []
    for before, here, after in corners_of(outline):
        one, other = _left(before, here), _left(here, after)
        share = by / (1 + dot(one, other))
        moved.append(tuple(x + share * (a + b) for x, a, b in zip(here, one, other, strict=True)))
    sides = zip(outline, (*outline[1:], outline[0]), moved, (*moved[1:], moved[0]), strict=True)
    if any(dot(minus(q, p), minus(s, r)) <= 0 for p, q, r, s in sides):
        raise UnsupportedError(
            f"its edges are broken by {abs(float(by)):.6g}, which leaves nothing of a side",
            "make the chamfer smaller than half the shortest side",
            at,
        )
    return tuple(moved)


def _left(start: Vec, end: Vec) -> Vec:
    x, y = minus(end, start)
    size = length((x, y))
    return -y / size, x / size


def _slab(low: _Ring3, high: _Ring3, frame: Frame) -> Polytope:
    """The convex polyhedron between two polygons with parallel sides."""
    n = len(low.outline)
    points = tuple(frame.apply(p) for p in (*low.points, *high.points))
    sides = [(k, (k + 1) % n, n + (k + 1) % n, n + k) for k in range(n)]
    faces = [tuple(range(n))[::-1], tuple(range(n, 2 * n)), *sides]
    return Polytope(points, tuple(face[::-1] for face in faces) if frame.mirrored else tuple(faces))


def _quads(low: _Ring3, high: _Ring3) -> list[tuple[Vec, ...]]:
    below, above = low.points, high.points
    around = [(k, (k + 1) % len(below)) for k in range(len(below))]
    return [(below[k], below[j], above[j], above[k]) for k, j in around]


def _unsupported(what: str, at: str) -> UnsupportedError:
    return UnsupportedError(
        f"contacts of {what} in space are not found from its shape", "give them as [[contacts]]", at
    )
