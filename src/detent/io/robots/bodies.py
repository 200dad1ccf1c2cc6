"""A body for simulators of robots: its mass, and its shape as boxes, cylinders, balls or a mesh."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from detent.foundation.errors import DetentError, ModelError
from detent.foundation.names import few
from detent.geometry import mesh
from detent.geometry.solid import Block, Combination, Cylinder, Leaf, Solid, Sphere, leaves
from detent.infer.thick import thickened
from detent.io.robots.tree import MOST_NAMED, Robot, RobotBody
from detent.model.machine.system import Body

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

FINENESS = 48  # chords to a circle of a mesh
_THIN = 0.05  # of the machine's size: how thick flat shapes are drawn
SLIGHT = 1e-9  # [kg] of a body that has no mass of its own; simulators refuse none


@dataclass(frozen=True, eq=False)
class Inertial:
    """Mass, centre in the body's frame, inertia about it."""

    mass: float
    centre: Floats
    tensor: Floats


@dataclass(frozen=True, eq=False)
class Geom:
    """A simple body about the origin of `pose` (a cylinder along z), or a mesh in the part's frame."""

    kind: Literal["box", "cylinder", "sphere", "mesh"]
    pose: Floats
    sizes: tuple[float, ...] = ()  # whole sides; radius and length; radius
    corners: Any = None
    triangles: Any = None


def inertial_of(robot: Robot, body: RobotBody) -> Inertial | None:
    """As the document has it, a mass at its centre where no moment is given; None where neither is.

    In the plane only the moment about z acts, and of a part with `inertia` alone only that about its fixed
    pin: the others are written the same, since a body has three. What mass such a part has on that axis
    changes nothing of how it moves, so that it has next to none there, and `masses_lost` names it.
    """
    part = robot.system.bodies[body.index]
    if not part.knows_mass:
        return None
    try:
        whole = part.mass
    except DetentError:
        return _at_its_centre(part)
    tensor = np.array(whole.inertia, float)
    if whole.mass == 0.0 or not tensor.any():
        if whole.mass:
            return Inertial(whole.mass, np.array(whole.centre), np.eye(3) * SLIGHT * whole.mass)
        return Inertial(SLIGHT, _on_fixed_axis(robot, body), np.eye(3) * float(np.trace(tensor)))
    if robot.system.dimension == 2:
        tensor = np.eye(3) * tensor[2, 2]
    return Inertial(whole.mass, np.array(whole.centre), tensor)


def _at_its_centre(part: Body) -> Inertial | None:
    """A mass with next to no moment of inertia; None where the document does not say where it is."""
    try:
        kilograms, centre = part.weight
    except DetentError:
        return None
    return Inertial(kilograms, np.array(centre), np.eye(3) * SLIGHT * kilograms) if kilograms else None


def _on_fixed_axis(robot: Robot, body: RobotBody) -> Floats:
    """A point of the pin that joins a part to a fixed one, in the part, wherever the tree hangs it."""
    for joint in robot.system.joints:
        for own, other in ((joint.a, joint.b), (joint.b, joint.a)):
            if own.body == body.index and robot.system.bodies[other.body].fixed and not joint.type.couples:
                return own.matrix[:, 3]
    raise AssertionError("`inertia` alone is about a pin on a fixed part")  # as `part_mass` has looked


def _on_axis_alone(robot: Robot) -> list[str]:
    """What to know of moving parts with `inertia` alone: the mass that the file has of them, and where."""
    bodies = [body for body in _moving(robot) if _turns_without_mass(robot, body)]
    if not bodies:
        return []
    weight = ", and no weight" if robot.system.gravity.any() else ""
    has = f"the file has {SLIGHT:g} kg on that axis{weight}; how it turns is the same"
    names = few([body.name for body in bodies], MOST_NAMED)
    said = [f"the mass of {names}, given by `inertia` about a fixed pin alone: {has}"]
    sliding = [body.name for body in bodies if any(joint.kind == "slide" for joint in body.joints)]
    if sliding:
        said.append(f"what {few(sliding, MOST_NAMED)} weighs along that pin, on which it slides: add `mass`")
    return said


def _turns_without_mass(robot: Robot, body: RobotBody) -> bool:
    part = robot.system.bodies[body.index]
    return part.knows_mass and not _missing(part) and part.mass.mass == 0.0


def without_mass(robot: Robot) -> list[str]:
    """Moving parts that have no mass in the file: the document says none, or not all of it."""
    return [b.name for b in _moving(robot) if inertial_of(robot, b) is None]


def masses_lost(robot: Robot, instead: str = "") -> tuple[str, ...]:
    """What the file lacks of masses, and what of them the document does not say."""
    said = {b.name: robot.system.bodies[b.index] for b in _moving(robot)}
    bare = without_mass(robot)
    unsaid = [name for name in bare if not said[name].knows_mass]
    lost = (
        [f"the mass of {few(unsaid, MOST_NAMED)}, which the document does not say{instead}"] if unsaid else []
    )
    for name in bare:
        if name not in unsaid:
            lost.append(f"the mass of {name} ({_missing(said[name])} is missing){instead}")
    points = [name for name, part in said.items() if name not in bare and part.knows_mass and _missing(part)]
    if points:
        what = f"the moment of inertia of {few(points, MOST_NAMED)}, which the document does not say"
        lost.append(f"{what}: the file has next to nothing")
    return (*lost, *_on_axis_alone(robot))


def _missing(part: Body) -> str:
    """The key of the document that a part's mass lacks; empty where it is whole."""
    for what in ("weight", "mass"):
        try:
            getattr(part, what)
        except ModelError as error:
            return error.problems[0].at
    return ""


def _moving(robot: Robot) -> list[RobotBody]:
    fixed = {body.name for body in robot.system.bodies if body.fixed}
    return [body for body in robot.bodies if body.name not in fixed]


def geoms_of(robot: Robot, body: RobotBody) -> list[Geom]:
    """A union of boxes, cylinders and balls one by one; anything else as one mesh."""
    solid = robot.system.bodies[body.index].solid
    if solid is None:
        return []
    thick = thickened(solid, Fraction(_THIN * robot.system.size))
    if thick is None:
        return []
    if _is_plain(thick):
        return [_geom(leaf) for leaf in leaves(thick)]
    corners, triangles = mesh.triangles(thick, fineness=FINENESS)
    return [Geom("mesh", np.eye(4), (), corners, triangles)] if len(triangles) else []


def flat_parts(robot: Robot) -> list[str]:
    """Parts that are drawn flat."""
    names = []
    for body in robot.bodies:
        solid = robot.system.bodies[body.index].solid
        if solid is not None and any(leaf.flat for leaf in leaves(solid)):
            names.append(body.name)
    return names


def thickness(robot: Robot) -> float:
    """[m] that flat shapes are drawn."""
    return _THIN * robot.system.size


def _is_plain(solid: Solid) -> bool:
    if isinstance(solid, Combination):
        return solid.operation == "union" and all(_is_plain(child) for child in solid.children)
    return isinstance(solid.primitive, Block | Cylinder | Sphere) and not (solid.breaks or solid.hollow)


def _geom(leaf: Leaf) -> Geom:
    p = leaf.primitive
    pose = np.vstack([leaf.frame.matrix, [0.0, 0.0, 0.0, 1.0]])
    if leaf.frame.mirrored:
        pose[:3, 0] *= -1  # each of the three is its own mirror image about its middle
    if isinstance(p, Block):
        sides = tuple(float(side) for side in p.sides)
        middle = leaf.frame.matrix @ [*(side / 2 for side in sides), 1.0]
        kind: Literal["box", "cylinder", "sphere"] = "box"
    elif isinstance(p, Cylinder):
        sides = (float(p.radius), float(p.height))
        middle = leaf.frame.matrix @ [0.0, 0.0, sides[1] / 2, 1.0]
        kind = "cylinder"
    else:
        assert isinstance(p, Sphere)
        sides, middle, kind = (float(p.radius),), leaf.frame.matrix[:, 3], "sphere"
    pose[:3, 3] = middle
    return Geom(kind, pose, sides)
