"""MJCF: the mechanism for MuJoCo, one XML file with its meshes inside.

A joint keeps the document's coordinate (`ref` is that as drawn), its limits, damping and spring. A pin that
closes a loop is `connect`, a weld `weld`; gears and angles are `joint` equalities, or of `tendon` where more
than two coordinates take part. Shapes are there to be seen: contacts are off, since MuJoCo takes the convex
hull of a mesh, which fills every hole.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np

from detent.foundation.names import few, listed
from detent.geometry.pose import quaternion_of
from detent.io.disk.files import write_atomically
from detent.io.robots.bodies import Geom, geoms_of, inertial_of, masses_lost, without_mass
from detent.io.robots.tree import MOST_NAMED, Relation, Robot, RobotBody, RobotJoint, acts_on, robot_of
from detent.io.robots.xml_text import drawn_thin, numbers, text_of
from detent.model.document.mechanism import Mechanism
from detent.model.machine.seen_along import shared_axis
from detent.model.machine.system import SystemJoint

_CLOSES = {"revolute": "connect", "spherical": "connect", "fixed": "weld"}


def save(mechanism: Mechanism, path: Path) -> None:
    """Write one file; atomically."""
    write_atomically(path, dumps(mechanism).encode())


def lost(mechanism: Mechanism) -> tuple[str, ...]:
    """What the file does not have, in words."""
    return _lost(robot_of(mechanism))


def dumps(mechanism: Mechanism) -> str:
    """The mechanism as MJCF."""
    robot = robot_of(mechanism)
    root = ET.Element("mujoco", model=mechanism.title or "machine")
    ET.SubElement(root, "compiler", angle="radian", autolimits="true")
    ET.SubElement(root, "option", gravity=numbers(robot.system.gravity))
    default = ET.SubElement(root, "default")
    ET.SubElement(default, "geom", contype="0", conaffinity="0")
    assets = ET.SubElement(root, "asset")
    world = ET.SubElement(root, "worldbody")
    elements: dict[int, ET.Element] = {-1: world}
    for body in robot.bodies:
        elements[body.index] = _body(robot, body, elements[body.parent], assets)
    _equalities(robot, root)
    for empty in [child for child in root if child.tag == "asset" and not len(child)]:
        root.remove(empty)
    return text_of(root, _lost(robot))


def _lost(robot: Robot) -> tuple[str, ...]:
    bare = without_mass(robot)
    shaped = [name for name in bare if robot.system.mechanism.parts[name].shape is not None]
    taken = "next to nothing" if not shaped else "1000 kg/m³ of its shape" if shaped == bare else "some"
    slides = [joint.name for joint in robot.closing if joint.type.name not in _CLOSES]
    open_loops = f"{few(slides, MOST_NAMED)}, which MJCF cannot close a loop with: that loop is open"
    acting = [(joint.name, acts_on(joint)) for joint in robot.closing if joint.type.name in _CLOSES]
    return (
        *robot.lost,
        *(f"{listed(keys)} of {name}: it closes a loop" for name, keys in acting if keys),
        *(["contacts: shapes are there to be seen"] if robot.system.pairs else []),
        *masses_lost(robot, f": the file has {taken}"),
        *([open_loops] if slides else []),
        *drawn_thin(robot),
    )


def _body(robot: Robot, body: RobotBody, parent: ET.Element, assets: ET.Element) -> ET.Element:
    pose = robot.in_parent(body)
    element = ET.SubElement(parent, "body", {"name": _body_name(body.name), **_placed(pose)})
    for joint in body.joints:
        _joint(element, joint)
    inertial = inertial_of(robot, body) if body.joints or body.parent >= 0 else None
    geoms = geoms_of(robot, body)
    if inertial is not None:
        i = inertial.tensor
        full = (i[0, 0], i[1, 1], i[2, 2], i[0, 1], i[0, 2], i[1, 2])
        ET.SubElement(
            element,
            "inertial",
            pos=numbers(inertial.centre),
            mass=numbers([inertial.mass]),
            fullinertia=numbers(full),
        )
    elif body.joints and not geoms:
        ET.SubElement(element, "inertial", pos="0 0 0", mass="1e-9", diaginertia="1e-9 1e-9 1e-9")
    for k, geom in enumerate(geoms):
        _geom(element, assets, geom, f"{body.name}_{k}")
    for key in robot.system.mechanism.parts[body.name].markers:
        at = robot.system.placed.marker(f"{body.name}.{key}").matrix[:, 3] * robot.system.metres_per_unit
        ET.SubElement(element, "site", name=f"{body.name}.{key}", pos=numbers(at))
    return element


def _body_name(name: str) -> str:
    return f"{name}_part" if name == "world" else name  # a name that MuJoCo keeps to itself


def _placed(pose: np.ndarray) -> dict[str, str]:
    return {"pos": numbers(pose[:3, 3]), "quat": numbers(quaternion_of(pose[:3, :3]))}


def _joint(element: ET.Element, joint: RobotJoint) -> None:
    if joint.kind == "free":
        ET.SubElement(element, "freejoint", name=joint.name)
        return
    keys = {"name": joint.name, "type": joint.kind, "pos": numbers(joint.point)}
    if joint.kind != "ball":
        keys["axis"] = numbers(joint.axis)
    if joint.ref:
        keys["ref"] = numbers([joint.ref])
    if math.isfinite(joint.low) or math.isfinite(joint.high):
        # MuJoCo wants both ends; one that is not given lies far outside.
        keys["range"] = numbers([max(joint.low, -1e6), min(joint.high, 1e6)])
    if joint.damping:
        keys["damping"] = numbers([joint.damping])
    if joint.stiffness:
        keys |= {"stiffness": numbers([joint.stiffness]), "springref": numbers([joint.rest])}
    ET.SubElement(element, "joint", keys)


def _geom(element: ET.Element, assets: ET.Element, geom: Geom, name: str) -> None:
    if geom.kind == "mesh":
        vertices, faces = numbers(geom.corners), " ".join(str(int(k)) for k in np.ravel(geom.triangles))
        ET.SubElement(assets, "mesh", name=name, vertex=vertices, face=faces)
        ET.SubElement(element, "geom", type="mesh", mesh=name)
        return
    sizes = geom.sizes
    if geom.kind == "box":
        sizes = tuple(side / 2 for side in sizes)
    elif geom.kind == "cylinder":
        sizes = (sizes[0], sizes[1] / 2)
    ET.SubElement(element, "geom", {"type": geom.kind, "size": numbers(sizes), **_placed(geom.pose)})


def _equalities(robot: Robot, root: ET.Element) -> None:
    equality = ET.Element("equality")
    tendons = ET.Element("tendon")
    for joint in robot.closing:
        _closed(robot, joint, equality)
    for relation in robot.relations:
        _related(relation, equality, tendons)
    for element in (tendons, equality):
        if len(element):
            root.append(element)


def _closed(robot: Robot, joint: SystemJoint, equality: ET.Element) -> None:
    kind = _CLOSES.get(joint.type.name)
    if kind is None:
        return
    names = [_body_name(robot.system.bodies[end.body].name) for end in (joint.a, joint.b)]
    points = [joint.a.matrix[:, 3]]
    if joint.type.name == "revolute" and not _flat(robot):
        # Two points of its axis hold the axis, where no other joint does.
        points.append(points[0] + 0.1 * robot.system.size * joint.a.matrix[:, joint.axis_column])
    for k, point in enumerate(points if kind == "connect" else points[:1]):
        name = joint.name if k == 0 else f"{joint.name}.axis"
        keys = {"name": name, "body1": names[0], "body2": names[1], "anchor": numbers(point)}
        if kind == "weld":
            del keys["anchor"]
        ET.SubElement(equality, kind, keys)


def _flat(robot: Robot) -> bool:
    """Whether the other joints keep the machine across one axis."""
    return robot.system.dimension == 2 or shared_axis(robot.system.placed) is not None


def _related(relation: Relation, equality: ET.Element, tendons: ET.Element) -> None:
    """The coordinate of the last joint by the first; of more than two as a sum that keeps its value."""
    names = list(relation.factors)
    if len(names) <= 2:
        keys = {"name": relation.name, "joint1": names[0]}
        slope = 0.0
        if len(names) == 2:
            keys["joint2"] = names[1]
            slope = -relation.factors[names[1]] / relation.factors[names[0]]
        ET.SubElement(equality, "joint", {**keys, "polycoef": numbers([0, slope, 0, 0, 0])})
        return
    fixed = ET.SubElement(tendons, "fixed", name=relation.name)
    for name, factor in relation.factors.items():
        ET.SubElement(fixed, "joint", joint=name, coef=numbers([factor]))
    ET.SubElement(equality, "tendon", name=relation.name, tendon1=relation.name, polycoef="0 0 0 0 0")
