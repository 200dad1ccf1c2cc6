"""Solids: exact primitives in a CSG tree, which is the truth about a shape.

Gelsey 1995, section 2.1: a part is a union, intersection or difference of
primitive solids. Each leaf keeps what reasoning needs: its exact size and
frame, its parity (a hollow primitive is subtracted; Algorithm 3), the
symmetric union it came from (Algorithm 14) and its place in the document.
Sections, meshes and volumes are computed from here, never the other way.

A flat primitive (outline, disc, segment) has no thickness: it means the
same section at every height.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count
from typing import Literal

from detent.geometry.frame import IDENTITY, Exact3, Frame

Point = tuple[Fraction, Fraction]
Points = tuple[Point, ...]
Operation = Literal["union", "difference", "intersection"]
Face = Literal["+x", "-x", "+y", "-y", "+z", "-z"]

# By the axis across a section: the section's own two axes, then that axis.
SECTION_AXES = {"x": (1, 2, 0), "y": (2, 0, 1), "z": (0, 1, 2)}


@dataclass(frozen=True)
class Break:
    """A chamfer or a round of this size along the edges of a face; negative flares it."""

    face: Face
    kind: Literal["chamfer", "round"]
    size: Fraction


@dataclass(frozen=True)
class Outline:
    """A polygon, either way round, at every height."""

    points: Points


@dataclass(frozen=True)
class Segment:
    """A straight piece without thickness, at every height."""

    ends: tuple[Point, Point]


@dataclass(frozen=True)
class Disc:
    """About the origin, at every height."""

    radius: Fraction


@dataclass(frozen=True)
class Prism:
    """A polygon raised from z = 0."""

    points: Points
    height: Fraction


@dataclass(frozen=True)
class Block:
    """Corner at the origin."""

    sides: Exact3

    @property
    def base(self) -> Points:
        """Its rectangle in the plane z = 0, counter-clockwise from the origin."""
        x, y, _ = self.sides
        zero = Fraction(0)
        return (zero, zero), (x, zero), (x, y), (zero, y)


@dataclass(frozen=True)
class Cylinder:
    """Base at the origin, along +z; a gear is drawn at its pitch radius, its teeth may be counted."""

    radius: Fraction
    height: Fraction
    teeth: int | None = None
    gear: bool = False
    depth: Fraction | None = None  # of its teeth, half of it outside the pitch radius

    @property
    def is_gear(self) -> bool:
        return self.gear or self.teeth is not None


@dataclass(frozen=True)
class Cone:
    """Base at the origin, along +z; a radius at each end, one of which may be zero."""

    base: Fraction
    top: Fraction
    height: Fraction


@dataclass(frozen=True)
class Sphere:
    """About the origin."""

    radius: Fraction


@dataclass(frozen=True)
class Torus:
    """About the z axis, in the plane z = 0."""

    radius: Fraction
    tube: Fraction


Primitive = Outline | Segment | Disc | Prism | Block | Cylinder | Cone | Sphere | Torus
FLAT = (Outline, Segment, Disc)


@dataclass(frozen=True)
class Symmetric:
    """Membership of a symmetric union: which copy, of how many, about or along what."""

    kind: Literal["rotational", "translational"]
    axis: Exact3  # in the part's frame
    point: Exact3  # on the axis
    count: int  # as written, copies left out included
    index: int
    full: bool  # rotational: whether the copies close the circle
    missing: tuple[int, ...]  # copies left out
    group: int  # equal for the copies of one symmetric union


@dataclass(frozen=True)
class Leaf:
    """A primitive in its place."""

    primitive: Primitive
    frame: Frame = IDENTITY  # in the part
    index: int = 0  # among the part's leaves, in document order
    hollow: bool = False
    breaks: tuple[Break, ...] = ()
    symmetric: tuple[Symmetric, ...] = ()  # innermost first
    at: str = ""  # place in the document

    @property
    def flat(self) -> bool:
        return isinstance(self.primitive, FLAT)


@dataclass(frozen=True)
class Combination:
    """Solids put together; a difference is the first less all others."""

    operation: Operation
    children: tuple[Solid, ...]


Solid = Leaf | Combination


def leaves(solid: Solid) -> Iterator[Leaf]:
    """The primitives, in document order."""
    if isinstance(solid, Leaf):
        yield solid
    else:
        for child in solid.children:
            yield from leaves(child)


def gear_leaves(solid: Solid) -> set[int]:
    """The leaves that are toothed: pitch circles, which mesh and never act as contacts."""
    return {
        leaf.index
        for leaf in leaves(solid)
        if isinstance(leaf.primitive, Cylinder) and leaf.primitive.is_gear
    }


def placed(solid: Solid, frame: Frame) -> Solid:
    """The same solid, placed by the frame."""
    if frame is IDENTITY:
        return solid
    if isinstance(solid, Leaf):
        moved = tuple(
            replace(s, axis=frame.direct(s.axis), point=frame.apply(s.point)) for s in solid.symmetric
        )
        return replace(solid, frame=(frame @ solid.frame).straightened(), symmetric=moved)
    return Combination(solid.operation, tuple(placed(child, frame) for child in solid.children))


def standing(solid: Solid) -> Solid:
    """The same solid with blocks that lie on a side as blocks of other sides that stand up along z."""
    if isinstance(solid, Leaf):
        return _stood(solid)
    return Combination(solid.operation, tuple(standing(child) for child in solid.children))


def _stood(leaf: Leaf) -> Leaf:
    block = leaf.primitive
    if not isinstance(block, Block) or leaf.breaks or leaf.frame.upright:
        return leaf
    x, y, z = block.sides
    for sides, rows in (((y, z, x), _X_UP), ((z, x, y), _Y_UP)):
        frame = (leaf.frame @ Frame(rows)).straightened()
        if frame.upright:
            return replace(leaf, primitive=Block(sides), frame=frame)
    return leaf


_0, _1 = Fraction(0), Fraction(1)
# Frames whose x, y, z are y, z, x of a block, and z, x, y.
_X_UP = ((_0, _0, _1), (_1, _0, _0), (_0, _1, _0))
_Y_UP = ((_0, _1, _0), (_0, _0, _1), (_1, _0, _0))


def combined(operation: Operation, solids: list[Solid]) -> Solid:
    """Solids put together; one alone stays as it is."""
    return solids[0] if len(solids) == 1 else Combination(operation, tuple(solids))


def numbered(solid: Solid) -> Solid:
    """Leaves numbered in document order; hollow are those subtracted an odd number of times."""
    return _numbered(solid, False, count())


def _numbered(solid: Solid, hollow: bool, indices: Iterator[int]) -> Solid:
    if isinstance(solid, Leaf):
        return replace(solid, index=next(indices), hollow=hollow)
    subtracts = solid.operation == "difference"
    children = [
        _numbered(child, hollow ^ (subtracts and i > 0), indices) for i, child in enumerate(solid.children)
    ]
    return Combination(solid.operation, tuple(children))
