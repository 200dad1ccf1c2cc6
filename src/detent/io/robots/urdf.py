"""URDF: the mechanism as a tree of links, for ROS and others; meshes lie beside the file, one per part.

URDF holds trees: a joint that closes a loop is cut, springs and gravity have no place, and each of these is
said. A joint keeps the document's coordinate. A link's frame lies on its joint; a part is where it is drawn
when the coordinates are those of the drawing. Joints of several coordinates go through links without mass.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np

from detent.foundation.names import few
from detent.geometry.pose import rotation_of
from detent.io.disk.files import write_atomically
from detent.io.drawing.stl import binary
from detent.io.robots.bodies import Geom, geoms_of, inertial_of, masses_lost
from detent.io.robots.tree import MOST_NAMED, Relation, Robot, RobotBody, RobotJoint, robot_of
from detent.io.robots.xml_text import drawn_thin, numbers, text_of
from detent.model.document.mechanism import Mechanism

_ROOT = "world"
_UNBOUNDED = 1e9  # URDF wants an effort and a speed of each joint, which the document does not limit


def save(mechanism: Mechanism, path: Path) -> None:
    """Write the file, and beside it a mesh for each part that is not a union of boxes and cylinders."""
    text, meshes = _written(robot_of(mechanism), path.stem, mechanism.title)
    for name, data in meshes.items():
        write_atomically(path.with_name(name), data)
    write_atomically(path, text.encode())


def lost(mechanism: Mechanism) -> tuple[str, ...]:
    """What the file does not have, in words."""
    return _lost(robot_of(mechanism))


def dumps(mechanism: Mechanism, stem: str = "machine") -> tuple[str, dict[str, bytes]]:
    """The text, and the meshes that it names, by file name."""
    return _written(robot_of(mechanism), stem, mechanism.title)


def _written(robot: Robot, stem: str, title: str) -> tuple[str, dict[str, bytes]]:
    root = ET.Element("robot", name=title or "machine")
    ET.SubElement(root, "link", name=_root(robot))
    meshes: dict[str, bytes] = {}
    frames: dict[int, Any] = {-1: np.eye(4)}  # of links as drawn, in the world
    mimics = _mimics(robot)
    for body in robot.bodies:
        frames[body.index] = _link_frame(body)
        _link(robot, body, root, frames[body.index], stem, meshes)
        _joints(robot, body, root, frames, mimics)
    return text_of(root, _lost(robot)), meshes


def _root(robot: Robot) -> str:
    name = _ROOT
    while name in robot.system.index:
        name += "_"
    return name


def _lost(robot: Robot) -> tuple[str, ...]:
    lost = list(robot.lost)
    if robot.closing:
        names = few([joint.name for joint in robot.closing], MOST_NAMED)
        lost.append(f"{names}: URDF holds trees, and the loop is cut there")
    springs = [joint.name for joint in robot.joints if joint.stiffness]
    if springs:
        lost.append(f"springs ({few(springs, MOST_NAMED)}), which URDF does not have")
    if robot.system.gravity.any():
        lost.append("gravity, which URDF leaves to the program that reads it")
    lost += masses_lost(robot)
    mimics = _mimics(robot)
    unsaid = [r.name for r in robot.relations if all(r is not relation for relation, _ in mimics.values())]
    if unsaid:
        lost.append(
            f"{few(unsaid, MOST_NAMED)}: `mimic` relates two joints, and the second to one other only"
        )
    ends = [j.name for j in robot.joints if j.kind == "slide" and not _bounded(j)]
    if ends:
        lost.append(
            f"that {few(ends, MOST_NAMED)} may slide for ever: URDF wants limits, and the file has far ones"
        )
    return (*lost, *drawn_thin(robot))


def _bounded(joint: RobotJoint) -> bool:
    return math.isfinite(joint.low) and math.isfinite(joint.high)


def _link_frame(body: RobotBody) -> Any:
    """As drawn: the part's axes, the origin on its last joint."""
    frame = body.pose.copy()
    if body.joints:
        frame[:3, 3] = (body.pose @ np.append(body.joints[-1].point, 1.0))[:3]
    return frame


def _link(
    robot: Robot, body: RobotBody, root: ET.Element, frame: Any, stem: str, meshes: dict[str, bytes]
) -> None:
    link = ET.SubElement(root, "link", name=body.name)
    own = np.linalg.solve(frame, body.pose)  # the part's frame in the link's
    inertial = inertial_of(robot, body)
    if inertial is not None:
        element = ET.SubElement(link, "inertial")
        centre = own @ np.append(inertial.centre, 1.0)
        ET.SubElement(element, "origin", xyz=numbers(centre[:3]), rpy="0 0 0")
        ET.SubElement(element, "mass", value=numbers([inertial.mass]))
        i = inertial.tensor
        names = {"ixx": (0, 0), "ixy": (0, 1), "ixz": (0, 2), "iyy": (1, 1), "iyz": (1, 2), "izz": (2, 2)}
        ET.SubElement(element, "inertia", {key: numbers([i[at]]) for key, at in names.items()})
    for geom in geoms_of(robot, body):
        for tag in ("visual", "collision"):
            element = ET.SubElement(link, tag)
            ET.SubElement(element, "origin", _origin(own @ geom.pose))
            _geometry(ET.SubElement(element, "geometry"), geom, f"{stem}_{body.name}.stl", meshes)


def _geometry(element: ET.Element, geom: Geom, file: str, meshes: dict[str, bytes]) -> None:
    if geom.kind == "box":
        ET.SubElement(element, "box", size=numbers(geom.sizes))
    elif geom.kind == "cylinder":
        ET.SubElement(element, "cylinder", radius=numbers(geom.sizes[:1]), length=numbers(geom.sizes[1:]))
    elif geom.kind == "sphere":
        ET.SubElement(element, "sphere", radius=numbers(geom.sizes))
    else:
        meshes[file] = binary(geom.corners[geom.triangles], "Detent, lengths in metres")
        ET.SubElement(element, "mesh", filename=file)


def _joints(
    robot: Robot,
    body: RobotBody,
    root: ET.Element,
    frames: dict[int, Any],
    mimics: dict[str, tuple[Relation, str]],
) -> None:
    """The joints of a body, each but the last to a link without mass."""
    parent = _root(robot) if body.parent < 0 else robot.by_index[body.parent].name
    before = frames[body.parent]
    chain = [single for joint in body.joints for single in _single(joint)]
    if not chain:
        origin = np.linalg.solve(before, frames[body.index])
        _joint_element(root, f"{body.name}_fixed", "fixed", parent, body.name, origin)
        return
    # Frames of the links as drawn, then without the joint's own motion.
    for k, joint in enumerate(chain):
        last = k == len(chain) - 1
        after = body.pose.copy()
        after[:3, 3] = (body.pose @ np.append(joint.point, 1.0))[:3]
        child = body.name if last else f"{body.name}.{k + 1}"
        if not last:
            ET.SubElement(root, "link", name=child)
        zero = after @ _moved(joint, -joint.ref)
        element = _joint_element(root, joint.name, _kind(joint), parent, child, np.linalg.solve(before, zero))
        if joint.kind != "free":
            _motion(robot, element, joint, mimics)
        parent, before = child, after


def _single(joint: RobotJoint) -> list[RobotJoint]:
    """A ball as three hinges."""
    if joint.kind != "ball":
        return [joint]
    return [
        RobotJoint(f"{joint.name}.{a}", "hinge", joint.point, v)
        for a, v in zip("xyz", np.eye(3), strict=True)
    ]


def _kind(joint: RobotJoint) -> str:
    if joint.kind == "hinge":
        return "revolute" if math.isfinite(joint.low) or math.isfinite(joint.high) else "continuous"
    return {"slide": "prismatic", "free": "floating"}[joint.kind]


def _joint_element(
    root: ET.Element, name: str, kind: str, parent: str, child: str, origin: Any
) -> ET.Element:
    element = ET.SubElement(root, "joint", name=name, type=kind)
    ET.SubElement(element, "origin", _origin(origin))
    ET.SubElement(element, "parent", link=parent)
    ET.SubElement(element, "child", link=child)
    return element


def _motion(
    robot: Robot, element: ET.Element, joint: RobotJoint, mimics: dict[str, tuple[Relation, str]]
) -> None:
    ET.SubElement(element, "axis", xyz=numbers(joint.axis))
    if joint.damping:
        ET.SubElement(element, "dynamics", damping=numbers([joint.damping]), friction="0.0")
    limits = {"effort": numbers([_UNBOUNDED]), "velocity": numbers([_UNBOUNDED])}
    if _kind(joint) != "continuous":
        far = 1e3 * (robot.system.size if joint.kind == "slide" else 1.0)
        limits |= {"lower": numbers([max(joint.low, -far)]), "upper": numbers([min(joint.high, far)])}
    ET.SubElement(element, "limit", limits)
    if joint.name in mimics:
        relation, other = mimics[joint.name]
        slope = -relation.factors[other] / relation.factors[joint.name]
        refs = {each.name: each.ref for each in robot.joints}
        offset = refs[joint.name] - slope * refs[other]
        ET.SubElement(element, "mimic", joint=other, multiplier=numbers([slope]), offset=numbers([offset]))


def _mimics(robot: Robot) -> dict[str, tuple[Relation, str]]:
    """By the joint that follows: its relation and the joint that leads; a joint follows one other."""
    mimics: dict[str, tuple[Relation, str]] = {}
    for relation in robot.relations:
        names = list(relation.factors)
        if len(names) != 2:
            continue
        for follower, leader in (names, names[::-1]):
            if follower not in mimics and not _leads_to(mimics, leader, follower):
                mimics[follower] = relation, leader
                break
    return mimics


def _leads_to(mimics: dict[str, tuple[Relation, str]], name: str, wanted: str) -> bool:
    while name in mimics:
        name = mimics[name][1]
    return name == wanted


def _moved(joint: RobotJoint, by: float) -> Any:
    """What a joint's coordinate does to its link, in the link's frame."""
    motion = np.eye(4)
    if joint.kind == "hinge":
        motion[:3, :3] = rotation_of(by * joint.axis)
    elif joint.kind == "slide":
        motion[:3, 3] = by * joint.axis
    return motion


def _origin(pose: Any) -> dict[str, str]:
    r = pose[:3, :3]
    pitch = math.atan2(-r[2, 0], math.hypot(r[0, 0], r[1, 0]))
    if math.hypot(r[0, 0], r[1, 0]) > 1e-9:
        roll, yaw = math.atan2(r[2, 1], r[2, 2]), math.atan2(r[1, 0], r[0, 0])
    else:
        roll, yaw = 0.0, math.atan2(-r[0, 1], r[1, 1])
    return {"xyz": numbers(pose[:3, 3]), "rpy": numbers([roll, pitch, yaw])}
