"""Joints: permanent pairs, with optional spring, damper, friction and limits."""

from __future__ import annotations

from typing import Annotated, Literal

from detent.foundation.exact import Number
from detent.model.document.base import Axis, OneOrMore, PairOf, Table, TwoNames, Vector, doc

JointTypeName = Literal[
    "revolute",
    "prismatic",
    "cylindrical",
    "planar",
    "spherical",
    "fixed",
    "gear",
    "elastic",
    "infer",
    "in_line",
    "angle",
]

# Of an elastic joint: where its second end can go past its first, on the first end's axes.
Direction = Literal["x", "y", "z", "turn_x", "turn_y", "turn_z"]
DEFAULT_POISSON = Number("0.3")


class Spring(Table, frozen=True):
    """Acts on the joint's coordinate: torque or force = -stiffness (coordinate - rest), or by a table."""

    stiffness: Annotated[Number | None, doc("[N m/rad] or [N/m]")] = None
    torque: Annotated[
        tuple[PairOf, ...] | None,
        doc("of a fastener's pawl, instead: rows of angle from rest [rad] and torque back [N m], with 0, 0"),
    ] = None
    rest: Annotated[Number | None, doc("relaxed coordinate; 0 unless said")] = None
    rest_deg: Annotated[Number | None, doc("relaxed coordinate [deg]")] = None


class Limits(Table, frozen=True):
    min: Number | None = None
    max: Number | None = None
    min_deg: Number | None = None
    max_deg: Number | None = None


class JointFriction(Table, frozen=True):
    """Coulomb's, in a pin or a slide: coefficient times what the joint carries, against its motion."""

    coefficient: Number
    radius: Annotated[Number | None, doc("of a pin: friction acts at this distance from its axis")] = None


class Beam(Table, frozen=True):
    """A cantilever that comes along the joint's x and bends across it: in y in the plane, in z in space.

    Two numbers for a height or a width that tapers, root first; the height is the one that bends.
    """

    length: Number
    height: OneOrMore
    width: Annotated[OneOrMore | None, doc("unless given, the thickness of the part that it carries")] = None
    modulus: Annotated[Number | None, doc("[Pa]; else the part's material")] = None


Knots = Annotated[tuple[tuple[Number, ...], ...], doc("two lists of numbers", min_length=2, max_length=2)]


class Plate(Table, frozen=True):
    """A rectangular plate in the joint's x-y, in bending, clamped along the edges named."""

    sides: Annotated[PairOf, doc("length along x and y")]
    thickness: Number
    modulus: Annotated[Number | None, doc("[Pa]; else the part's material")] = None
    poisson: Annotated[Number | None, doc("Poisson's ratio; 0.3 unless said")] = None
    clamped: Annotated[
        tuple[Literal["x=0", "x=1", "y=0", "y=1"], ...], doc("edges held: 0 the near one, 1 the far one")
    ] = ("x=0",)
    at: Annotated[
        PairOf | None, doc("where the part sits on it, from x=0, y=0; its far corner unless said")
    ] = None
    twist: Annotated[
        Literal["full", "half"], doc("weight of the twist in its energy, 2 (1 - poisson) or half of that")
    ] = "full"
    footprint: Annotated[PairOf | None, doc("sides of the part's foot about `at`; a point unless said")] = (
        None
    )
    knots: Annotated[
        Knots | None, doc("of cubic splines along x and y, straight at free edges; refined unless said")
    ] = None

    @property
    def hook_at(self) -> tuple[Number, ...]:
        """Where the part sits on it."""
        return self.sides if self.at is None else self.at


class Joint(Table, frozen=True):
    """A pair. Its coordinate is the angle from the first marker's direction to the second's,

    counter-clockwise, or the travel along the first's; so it is zero as drawn without poses.
    """

    type: JointTypeName
    between: Annotated[TwoNames, doc("two markers (part.marker), or two parts with `at`")]
    at: Annotated[Vector | None, doc("a marker on each part at this point of the world")] = None
    along: Annotated[Axis | None, doc("its axis, or the line of a slide")] = None
    ratio: Annotated[Number | None, doc("of a gear: rotation of the second per rotation of the first")] = None
    value: Annotated[Number | None, doc("of an angle [rad]")] = None
    value_deg: Annotated[Number | None, doc("of an angle [deg]")] = None
    spring: Spring | None = None
    damping: Annotated[
        OneOrMore | None, doc("[N m s/rad] or [N s/m]; of an elastic joint one per degree of freedom")
    ] = None
    limits: Limits | None = None
    friction: Annotated[
        JointFriction | None, doc("of a pin or a slide: dry friction, by the force that it carries")
    ] = None
    stiffness: Annotated[
        tuple[OneOrMore, ...] | None,
        doc("of an elastic joint: one per degree of freedom, or the matrix [N/m, N m/rad]"),
    ] = None
    free: Annotated[
        tuple[Direction, ...] | None,
        doc("of an elastic joint: the directions of its stiffness, where the others are rigid"),
    ] = None
    beam: Beam | None = None
    plate: Plate | None = None


class Inferring(Table, frozen=True):
    """How joints are found from shapes."""

    clearance: Annotated[
        Number | None,
        doc("play of a pin as a share of its hole, up to which it makes a joint; 0.02 unless said"),
    ] = None
