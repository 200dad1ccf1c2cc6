"""Shapes as written: one kind a table, then edges, moves, repeat, in that order.

Geometry reads these; nothing is computed here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from detent.foundation.exact import Number
from detent.geometry.solid import Face
from detent.model.document.base import Axis, PairOf, Table, TwoPoints, Vector, doc


class Move(Table, frozen=True):
    """One step of placing a shape; exactly one of move, turn, along, mirror."""

    move: Annotated[Vector | None, doc("shift by this vector")] = None
    turn: Annotated[Number | None, doc("rotate by this angle [rad]")] = None
    turn_deg: Annotated[Number | None, doc("rotate by this angle [deg]")] = None
    along: Annotated[Vector | None, doc("rotate so that +x points in this direction")] = None
    mirror: Annotated[Axis | None, doc("mirror in the plane with this normal")] = None
    about: Annotated[Axis | None, doc("axis of the rotation; z unless said")] = None
    at: Annotated[Vector | None, doc("a point on the axis, or in the mirror; the origin unless said")] = None

    KINDS: ClassVar[tuple[str, ...]] = ("move", "turn", "turn_deg", "along", "mirror")


class Repeat(Table, frozen=True):
    """Copies of a shape: `count` in a full circle, or `count` spaced by `turn` or `step`."""

    count: Annotated[int, doc("how many copies, the first included", ge=1, le=100_000)]
    about: Annotated[Axis | None, doc("axis of the circle; z unless said")] = None
    at: Annotated[Vector | None, doc("a point on the axis; the origin unless said")] = None
    turn: Annotated[Number | None, doc("angle between copies [rad]")] = None
    turn_deg: Annotated[Number | None, doc("angle between copies [deg]")] = None
    step: Annotated[Vector | None, doc("shift between copies")] = None
    without: Annotated[tuple[int, ...], doc("copies left out, counted from 0")] = ()


class EdgeBreak(Table, frozen=True):
    """A chamfer or a round along the edges of one face; negative flares it, as a hole's mouth."""

    face: Face
    chamfer: Number | None = None
    round: Number | None = None

    KINDS: ClassVar[tuple[str, ...]] = ("chamfer", "round")


class Prism(Table, frozen=True):
    outline: tuple[Vector, ...]
    height: Number


class Cylinder(Table, frozen=True):
    """Base at the origin, along +z; with `teeth`, or `gear`, a gear at its pitch radius."""

    radius: Number
    height: Number
    teeth: Annotated[int, doc("number of teeth", ge=3, le=100_000)] | None = None
    gear: Annotated[bool, doc("a gear whose teeth are not counted: its ratio goes by diameters")] = False
    depth: Annotated[Number | None, doc("of a gear's teeth, half of it outside the pitch radius")] = None


class Cone(Table, frozen=True):
    radius: Annotated[PairOf, doc("radius at the base and at the top")]
    height: Number


class Torus(Table, frozen=True):
    radius: Annotated[Number, doc("from the axis to the middle of the tube")]
    tube: Annotated[Number, doc("radius of the tube")]


class Shape(Table, frozen=True):
    """A shape: exactly one kind, then edges, moves and repeat."""

    outline: Annotated[tuple[Vector, ...] | None, doc("polygon, in either direction")] = None
    segment: TwoPoints | None = None
    circle: Annotated[Number | None, doc("radius of a disc about the origin")] = None
    prism: Annotated[Prism | None, doc("outline raised from z = 0")] = None
    block: Annotated[Vector | None, doc("sides; corner at the origin")] = None
    cylinder: Cylinder | None = None
    cone: Cone | None = None
    sphere: Annotated[Number | None, doc("radius of a ball about the origin")] = None
    torus: Torus | None = None
    union: tuple[Shape, ...] | None = None
    difference: Annotated[tuple[Shape, ...] | None, doc("the first less all others")] = None
    intersection: tuple[Shape, ...] | None = None
    use: Annotated[str | None, doc("name of a shape under [shapes]")] = None
    edges: tuple[EdgeBreak, ...] = ()
    moves: tuple[Move, ...] = ()
    repeat: Repeat | None = None

    KINDS: ClassVar[tuple[str, ...]] = (
        "outline",
        "segment",
        "circle",
        "prism",
        "block",
        "cylinder",
        "cone",
        "sphere",
        "torus",
        "union",
        "difference",
        "intersection",
        "use",
    )

    @property
    def kind(self) -> str:
        """The one key that says what this shape is."""
        return next(k for k in self.KINDS if getattr(self, k) is not None)

    @property
    def children(self) -> tuple[Shape, ...]:
        return self.union or self.difference or self.intersection or ()


def within(shape: Shape, at: str) -> Iterator[tuple[str, Shape]]:
    """A shape and all that it is put together from, each with its place in the document."""
    yield at, shape
    for i, child in enumerate(shape.children):
        yield from within(child, f"{at}.{shape.kind}.{i}")
