"""Axes and lines of joints in the plane of motion, each in the section frame of its body."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from detent.contact.features import section_rotations

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.model.machine.system import System, SystemEnd

    Floats = NDArray[np.float64]

# 1 - cosine of a tilt, far above rounding.
TILTED = 1e-10


def shared_axes(system: System, pair: tuple[int, int]) -> list[tuple[Floats, Floats]]:
    """Of joints about z between two bodies, the axis in the section frame of each."""
    axes = []
    for joint in system.joints:
        if {joint.a.body, joint.b.body} == set(pair) and joint.type.turns_about_axis:
            ends = (joint.a, joint.b) if joint.a.body == pair[0] else (joint.b, joint.a)
            if _along_z(system, ends[0]):
                axes.append((_axis_point(system, ends[0]), _axis_point(system, ends[1])))
    return axes


def shared_lines(system: System, pair: tuple[int, int]) -> list[tuple[Floats, Floats]]:
    """Of slides between two bodies, the direction in the section frame of each."""
    lines = []
    for joint in system.joints:
        if {joint.a.body, joint.b.body} == set(pair) and joint.type.name == "prismatic":
            world = system.drawn.matrices[joint.a.body][:3, :3] @ joint.a.matrix[:, joint.axis_column]
            frames = section_rotations(system) @ system.drawn.matrices[:, :3, :3].transpose(0, 2, 1)
            lines.append(((frames[pair[0]] @ world)[:2], (frames[pair[1]] @ world)[:2]))
    return lines


def still_axes(system: System, pair: tuple[int, int]) -> tuple[tuple[Floats, Floats], float] | None:
    """Axes that do not move, one per body, in their section frames, and how far apart they are.

    A body that rotates on a fixed one has such an axis; seen from a fixed body, the other's axis will do.
    """
    first, second = (_pivot(system, body) for body in pair)
    if first is None and second is not None and system.bodies[pair[0]].fixed:
        first = _in_section(system, pair[0], second[1]), second[1]
    if second is None and first is not None and system.bodies[pair[1]].fixed:
        second = _in_section(system, pair[1], first[1]), first[1]
    if first is None or second is None:
        return None
    return (first[0], second[0]), math.dist(first[1], second[1])


def _pivot(system: System, body: int) -> tuple[Floats, Floats] | None:
    """The axis of a body that a fixed body bears: in its section frame, and in the world."""
    if system.bodies[body].fixed:
        return None
    for joint in system.joints:
        ends = (joint.a, joint.b) if joint.a.body == body else (joint.b, joint.a)
        if ends[0].body != body or not system.bodies[ends[1].body].fixed:
            continue
        if joint.type.name == "revolute" and _along_z(system, ends[0]):
            world = system.drawn.matrices[ends[1].body] @ np.append(ends[1].matrix[:, 3], 1.0)
            return _axis_point(system, ends[0]), world[:2]
    return None


def _along_z(system: System, end: SystemEnd) -> bool:
    if system.dimension == 2:
        return True
    direction = system.drawn.matrices[end.body][:3, :3] @ end.matrix[:, 2]
    return bool(abs(abs(direction[2]) - 1) <= TILTED)


def _axis_point(system: System, end: SystemEnd) -> Floats:
    """Where a joint's axis meets the plane, in the section frame of its body."""
    point: Floats = section_rotations(system)[end.body] @ end.matrix[:, 3]
    return point[:2]


def _in_section(system: System, body: int, world: Floats) -> Floats:
    """A point of the world, in the section frame of a body as drawn."""
    x, y = system.drawn.poses[body, :2]
    if system.dimension == 3:
        return np.array([world[0] - x, world[1] - y])
    angle = system.drawn.poses[body, 2]
    c, s = math.cos(angle), math.sin(angle)
    dx, dy = world[0] - x, world[1] - y
    return np.array([c * dx + s * dy, -s * dx + c * dy])
