"""Joints: permanent pairs, with optional spring, damper, friction and limits."""

from __future__ import annotations

from typing import Annotated, Literal

from detent.foundation.exact import Number
from detent.model.document.base import Axis, OneOrMore, Table, TwoNames, Vector, doc

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


class Spring(Table, frozen=True):
    """Acts on the joint's coordinate: torque or force = -stiffness (coordinate - rest)."""

    stiffness: Annotated[Number, doc("[N m/rad] or [N/m]")]
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
    """A cantilever in bending; two numbers for a height or a width that tapers, root first."""

    length: Number
    height: OneOrMore
    width: OneOrMore
    modulus: Annotated[Number | None, doc("[Pa]; else the part's material")] = None


class Plate(Table, frozen=True):
    """A rectangular plate in bending, clamped along the edges named."""

    sides: Annotated[Vector, doc("length along x and y")]
    thickness: Number
    modulus: Annotated[Number | None, doc("[Pa]; else the part's material")] = None
    poisson: Number | None = None
    clamped: Annotated[tuple[Literal["x=0", "x=1", "y=0", "y=1"], ...], doc("edges held")] = ("x=0",)
    at: Annotated[Vector | None, doc("where the part sits on it; its far corner unless said")] = None


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
    beam: Beam | None = None
    plate: Plate | None = None


class Inferring(Table, frozen=True):
    """How joints are found from shapes."""

    clearance: Annotated[
        Number | None,
        doc("play of a pin as a share of its hole, up to which it makes a joint; 0.02 unless said"),
    ] = None
