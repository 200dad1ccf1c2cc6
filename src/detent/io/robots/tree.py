"""A mechanism as simulators of robots have it: a tree of bodies, joints with one coordinate each.

Joints lead from fixed parts outwards; slides come before pins, so that what closes a loop is a pin where it
can be. A joint keeps its coordinate of the document: `ref` is what that is as drawn. Gears and angle joints
are linear relations of coordinates. Lengths are metres.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from detent.foundation.errors import UnsupportedError
from detent.foundation.names import few
from detent.infer.asked import resolved
from detent.mechanics.springs import coordinate_at
from detent.model.document.mechanism import Mechanism
from detent.model.machine.drawn.joint_gaps import gaps
from detent.model.machine.system import System, SystemEnd, SystemJoint, compile_system

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Kind = Literal["hinge", "slide", "ball", "free"]
# Which joints may be in the tree, those first that no simulator can close a loop with.
_FIRST = {
    "fixed": 0,
    "prismatic": 1,
    "cylindrical": 1,
    "planar": 1,
    "in_line": 1,
    "revolute": 2,
    "spherical": 3,
}
_PARALLEL = 1e-9
MOST_NAMED = 8  # in one list; the others are counted


@dataclass(frozen=True, eq=False)
class RobotJoint:
    """One coordinate of a body past its parent; point and axis are in the body's frame, as drawn."""

    name: str
    kind: Kind
    point: Floats
    axis: Floats
    ref: float = 0.0  # the coordinate as drawn
    low: float = -math.inf
    high: float = math.inf
    stiffness: float = 0.0
    rest: float = 0.0
    damping: float = 0.0


@dataclass(frozen=True, eq=False)
class RobotBody:
    """A part, where it hangs in the tree."""

    name: str
    index: int  # of the System
    parent: int  # of the System; -1: the world
    pose: Floats  # (4, 4) in the world, as drawn
    joints: tuple[RobotJoint, ...]  # from the parent outwards


@dataclass(frozen=True)
class Relation:
    """Coordinates past the drawing, times these factors, sum to zero."""

    name: str
    factors: dict[str, float]


@dataclass(frozen=True, eq=False)
class Robot:
    """The tree, what closes loops, what relates coordinates, and what is not in it, in words."""

    system: System
    bodies: tuple[RobotBody, ...]  # a parent before its children
    closing: tuple[SystemJoint, ...]
    relations: tuple[Relation, ...]
    lost: tuple[str, ...]

    @cached_property
    def by_index(self) -> dict[int, RobotBody]:
        return {body.index: body for body in self.bodies}

    @property
    def joints(self) -> Iterator[RobotJoint]:
        return (joint for body in self.bodies for joint in body.joints)

    def parent_pose(self, body: RobotBody) -> Floats:
        """Of the body that it hangs on, in the world."""
        return np.eye(4) if body.parent < 0 else self.by_index[body.parent].pose

    def in_parent(self, body: RobotBody) -> Floats:
        """Its pose as drawn, in its parent's frame."""
        return np.asarray(np.linalg.solve(self.parent_pose(body), body.pose), np.float64)


def robot_of(mechanism: Mechanism) -> Robot:
    """The tree of a mechanism, with joints found from its shapes."""
    whole = resolved(mechanism)
    system = compile_system(whole, drives_hold=False)
    for joint in system.joints:
        if not joint.type.known:
            problem = "what this joint holds is not found from the shapes"
            raise UnsupportedError(
                problem, "`detent explain` says why; write its type", f"joints.{joint.name}"
            )
    bodies, closing = _spanned(system)
    robot = Robot(system, tuple(bodies), tuple(closing), (), ())
    relations, unrelated = _relations(robot)
    return replace(robot, relations=tuple(relations), lost=(*_lost(whole, system), *unrelated))


def _lost(mechanism: Mechanism, system: System) -> list[str]:
    """What no such format takes over."""
    lost = []
    if mechanism.drives:
        lost.append(f"drives ({few(list(mechanism.drives), MOST_NAMED)})")
    if mechanism.start:
        lost.append(f"start ({few(list(mechanism.start), MOST_NAMED)}): it begins as drawn, at rest")
    rubbed = [
        name for name, joint in mechanism.joints.items() if getattr(joint, "friction", None) is not None
    ]
    if rubbed:
        lost.append(f"friction in joints ({few(rubbed, MOST_NAMED)}), which depends on their load")
    elastic = [joint.name for joint in system.joints if joint.type.name == "elastic"]
    if elastic:
        lost.append(f"elastic joints ({few(elastic, MOST_NAMED)}): their parts are free")
    if mechanism.contacts or mechanism.rows is not None:
        lost.append("contacts given directly")
    apart = [gap.joint for gap in gaps(mechanism)]
    if apart:
        lost.append(f"that joints close: {few(apart, MOST_NAMED)} are open as drawn, and so in the file")
    return lost


def _spanned(system: System) -> tuple[list[RobotBody], list[SystemJoint]]:
    fixed = [i for i, body in enumerate(system.bodies) if body.fixed]
    bodies = [RobotBody(system.bodies[i].name, i, -1, system.drawn.matrices[i], ()) for i in fixed]
    reached = set(fixed)
    # A joint that closes a loop has no coordinate in the file: one on which nothing acts is to be it.
    waiting = sorted(
        (j for j in system.joints if j.type.name in _FIRST),
        key=lambda j: (_FIRST[j.type.name], not acts_on(j)),
    )
    closing: list[SystemJoint] = []
    left = [i for i in range(len(system.bodies)) if i not in reached]
    while left:
        grown = next((j for j in waiting if (j.a.body in reached) != (j.b.body in reached)), None)
        if grown is not None:
            waiting.remove(grown)
            bodies.append(_hung(system, grown, forwards=grown.a.body in reached))
        else:
            bodies.append(_free(system, left[0]))
        reached.add(bodies[-1].index)
        left = [i for i in left if i not in reached]
    closing += [j for j in waiting if not all(system.bodies[end.body].fixed for end in (j.a, j.b))]
    return bodies, closing


def acts_on(joint: SystemJoint) -> list[str]:
    """What acts on a joint's coordinate, by the document's keys."""
    limited = math.isfinite(joint.low) or math.isfinite(joint.high)
    has = {"limits": limited, "spring": joint.stiffness, "damping": joint.damping}
    return [key for key, value in has.items() if value]


def _free(system: System, index: int) -> RobotBody:
    """A part that nothing leads to; in the plane it has two slides and a hinge."""
    name, pose = system.bodies[index].name, system.drawn.matrices[index]
    if system.dimension == 3:
        joints: tuple[RobotJoint, ...] = (RobotJoint(name, "free", np.zeros(3), np.zeros(3)),)
    else:
        x, y, angle = system.drawn.poses[index]
        axes = pose[:3, :3].T
        joints = (
            RobotJoint(f"{name}.x", "slide", np.zeros(3), axes @ [1.0, 0, 0], x),
            RobotJoint(f"{name}.y", "slide", np.zeros(3), axes @ [0, 1.0, 0], y),
            RobotJoint(f"{name}.angle", "hinge", np.zeros(3), axes @ [0, 0, 1.0], angle),
        )
    return RobotBody(name, index, -1, pose, joints)


def _hung(system: System, joint: SystemJoint, *, forwards: bool) -> RobotBody:
    """The body that a joint hangs on one that is reached: its second part, or, backwards, its first."""
    on_parent, end = (joint.a, joint.b) if forwards else (joint.b, joint.a)
    pose = system.drawn.matrices[end.body]
    own = pose[:3, :3].T
    frame = system.drawn.matrices[joint.a.body][:3, :3] @ joint.a.matrix[:, :3]
    sign = 1.0 if forwards else -1.0
    axis = sign * own @ frame[:, joint.axis_column]
    others = [sign * own @ frame[:, k] for k in range(3) if k != joint.axis_column]
    joints = tuple(_coordinates(system, joint, end, axis, others, forwards))
    parent = -1 if system.bodies[on_parent.body].fixed else on_parent.body
    return RobotBody(system.bodies[end.body].name, end.body, parent, pose, joints)


def _coordinates(
    system: System, joint: SystemJoint, end: SystemEnd, axis: Floats, others: list[Floats], forwards: bool
) -> Iterator[RobotJoint]:
    name, kind, point = joint.name, joint.type.name, end.matrix[:, 3]
    z = _out_of_plane(system, end.body)
    if kind in ("revolute", "prismatic"):
        shape: Kind = "hinge" if kind == "revolute" else "slide"
        ref = coordinate_at(system, system.drawn, joint).value
        yield RobotJoint(
            name, shape, point, axis, ref, joint.low, joint.high, joint.stiffness, joint.rest, joint.damping
        )
    elif kind == "spherical" and system.dimension == 3:
        yield RobotJoint(name, "ball", point, axis)
    elif kind == "spherical":
        yield RobotJoint(name, "hinge", point, z)
    elif kind == "cylindrical":
        yield RobotJoint(f"{name}.travel", "slide", point, axis)
        yield RobotJoint(f"{name}.angle", "hinge", point, axis)
    elif kind == "in_line":
        # The line goes with the joint's first part: a child that has the line turns first.
        slide = RobotJoint(f"{name}.travel", "slide", point, axis)
        turns: list[RobotJoint] = [RobotJoint(f"{name}.angle", "hinge", _meeting(system, joint, end), z)]
        if system.dimension == 3:
            turns = [RobotJoint(f"{name}.turning", "ball", _meeting(system, joint, end), z)]
        yield from (slide, *turns) if forwards else (*turns, slide)
    elif kind == "planar":
        for k, across in enumerate(others):
            yield RobotJoint(f"{name}.travel_{k + 1}", "slide", point, across)
        yield RobotJoint(f"{name}.angle", "hinge", point, axis)


def _meeting(system: System, joint: SystemJoint, end: SystemEnd) -> Floats:
    """The second end's point, in the frame of the body that hangs on the joint."""
    world = system.drawn.matrices[joint.b.body] @ np.append(joint.b.matrix[:, 3], 1.0)
    local: Floats = np.linalg.solve(system.drawn.matrices[end.body], world)[:3]
    return local


def _out_of_plane(system: System, body: int) -> Floats:
    axis: Floats = system.drawn.matrices[body][:3, :3].T @ [0.0, 0.0, 1.0]
    return axis


def _relations(robot: Robot) -> tuple[list[Relation], list[str]]:
    """Gears and angle joints; and those that cannot be written so, in words."""
    relations, lost = [], []
    for joint in robot.system.joints:
        if not (joint.type.couples or joint.type.name == "angle"):
            continue
        gear = joint.type.couples
        terms = [(joint.b.body, 1.0), (joint.a.body, -(joint.ratio if gear else 1.0))]
        if gear and joint.carrier >= 0:
            terms.append((joint.carrier, joint.ratio - 1.0))
        factors = _summed(robot, terms)
        if factors:
            relations.append(Relation(joint.name, factors))
        elif factors is None:
            lost.append(f"{joint.name}: its wheels do not turn about parallel axes in the tree of joints")
    return relations, lost


def _summed(robot: Robot, terms: list[tuple[int, float]]) -> dict[str, float] | None:
    """Rotations of bodies as a sum over hinges; None where these are not parallel."""
    along: Any = None
    factors: dict[str, float] = {}
    for index, factor in terms:
        while index >= 0 and index in robot.by_index:
            body = robot.by_index[index]
            for joint in body.joints:
                if joint.kind == "slide":
                    continue
                axis = body.pose[:3, :3] @ joint.axis
                along = axis if along is None else along
                cosine = float(axis @ along)
                if joint.kind != "hinge" or abs(cosine) < 1 - _PARALLEL:
                    return None
                factors[joint.name] = factors.get(joint.name, 0.0) + factor * math.copysign(1.0, cosine)
            index = body.parent
    return {name: factor for name, factor in factors.items() if factor}
