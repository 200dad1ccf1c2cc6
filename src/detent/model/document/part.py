"""Parts: a rigid body with a pose, markers, a shape and its mass."""

from __future__ import annotations

from typing import Annotated

from detent.foundation.exact import Number
from detent.model.document.base import Axis, Free, Table, Triple, Vector, doc
from detent.model.document.settings import SETTINGS, RobotSettings
from detent.model.document.shape import Shape

LIBRARY = tuple(SETTINGS)  # parts that a document may take by name


class Pose(Table, frozen=True):
    """The position of a frame: in the world, or relative to the marker named by `on`."""

    at: Annotated[Vector | None, doc("its origin")] = None
    turn: Annotated[Number | None, doc("angle [rad]")] = None
    turn_deg: Annotated[Number | None, doc("angle [deg]")] = None
    about: Annotated[Axis | None, doc("axis of the rotation; z unless said")] = None
    along: Annotated[Vector | None, doc("where its +x points")] = None
    on: Annotated[str | None, doc("a marker, as part.marker")] = None


class Marker(Table, frozen=True):
    """A point of a part, with a direction where one is needed.

    A direction is the joint's axis in space, the line of a slide in the plane.
    """

    at: Vector
    along: Annotated[Vector | None, doc("its direction")] = None
    turn: Annotated[Number | None, doc("its direction from +x [rad]")] = None
    turn_deg: Annotated[Number | None, doc("its direction from +x [deg]")] = None
    across: Annotated[
        Vector | None, doc("zero of a rotation about `along`, in space; the frame's x unless said")
    ] = None


class Part(Table, frozen=True):
    """A rigid body. Left out, a pose means: drawn in place."""

    fixed: Annotated[bool, doc("does not move")] = False
    pose: Pose | None = None
    markers: Annotated[dict[str, Vector | Marker], doc("points of the part, by name")] = {}
    shape: Shape | None = None
    material: Annotated[str | None, doc("name of a material")] = None
    thickness: Annotated[
        Number | None, doc("of a flat shape: for its mass, and the width of a beam that gives none")
    ] = None
    density: Annotated[Number | None, doc("[kg/m³]; gives mass, centre and inertia from the shape")] = None
    mass: Annotated[Number | None, doc("[kg]")] = None
    center: Annotated[Vector | None, doc("centre of mass, in the part's frame")] = None
    inertia: Annotated[
        Number | None,
        doc("[kg m²] about `center` when `mass` is given, else about its only joint to a fixed part"),
    ] = None
    principal: Annotated[Triple | None, doc("[kg m²] about the axes x, y, z through `center`")] = None
    library: Annotated[str | None, doc("name of a library part")] = None
    set: Annotated[dict[str, Free], doc("parameters of the library part, in a table of its own")] = {}


def is_robot(part: Part) -> bool:
    """Whether it is a robot of the library, which stands on its own base."""
    return part.library in SETTINGS and issubclass(SETTINGS[part.library], RobotSettings)


def markers_of(part: Part) -> tuple[str, ...]:
    """The names of a part's markers, also of those that a library part brings."""
    brought = SETTINGS[part.library].MARKERS if part.library in SETTINGS else ()
    return (*part.markers, *brought)


class Material(Table, frozen=True):
    density: Annotated[Number | None, doc("[kg/m³]")] = None
    modulus: Annotated[Number | None, doc("[Pa]")] = None
    secant_modulus: Annotated[Number | None, doc("[Pa] at the working strain")] = None
    strain_once: Annotated[Number | None, doc("allowed once")] = None
    strain_repeated: Annotated[Number | None, doc("allowed again and again")] = None
    library: Annotated[str | None, doc("name of a shipped material, which gives what is left out")] = None
