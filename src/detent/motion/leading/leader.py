"""What leads a held part: a robot's arm, a carrier on springs, a part on an elastic joint. SI, world axes.

All three are M q'' + C q' + K q = P d + R d' + J' w: d is how far the path has gone, from where the
document draws it. An arm's controller is given the joint angles that lie on the path, for (7) on its tangent;
the feet of a carrier's springs, or the part that legs push, go along it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from detent.foundation.errors import ModelError, UnsupportedError
from detent.geometry.pose import in_metres
from detent.library.robot_in_document import robot_of, weightless
from detent.library.robots.elastic_arm import ElasticArm
from detent.library.robots.serial_arm import Floats, is_singular, joint_rates
from detent.model.document.mechanism import Mechanism
from detent.model.document.part import is_robot
from detent.model.machine.elastic.support import elastic_matrices
from detent.model.machine.graph import parts_of, rigid_bodies
from detent.model.machine.mass import part_mass
from detent.model.machine.pushed.compliant import leading_joint
from detent.motion.leading.plan import PushPlan

_TURNS = ("angle_x", "angle_y", "angle_z")


@dataclass(frozen=True, eq=False)
class Leader:
    """The equations of motion of what holds the part, about where it is drawn."""

    name: str  # the robot's part, or the joint
    kind: Literal["arm", "carrier", "elastic joint"]
    names: tuple[str, ...]  # of the coordinates
    lengths: tuple[bool, ...]  # which of them are lengths
    mass: Floats  # (n, n)
    damping: Floats  # with the controller's
    stiffness: Floats
    push: Floats  # (n, 3) per metre of the path
    push_rate: Floats  # per metre a second
    moves: Floats  # (6, n) of the gripper's frame: velocity, then rotation
    gripper: Floats  # (4, 4) as drawn
    task_axes: Floats  # (3, 3), columns
    held: tuple[str, ...]
    assumed: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    arm: ElasticArm | None = None
    base: Floats | None = None  # (4, 4) of the arm
    torque_limit: tuple[float, ...] | None = None  # of its motors [N m]

    def moves_at(self, point: Floats) -> Floats:
        """(6, n) of a point that goes with the gripper."""
        x, y, z = point - self.gripper[:3, 3]
        across = np.array([[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]])
        return np.vstack([self.moves[:3] + across @ self.moves[3:], self.moves[3:]])

    def torques(self, q: Floats, v: Floats, way: Floats, speed: Floats) -> dict[str, Floats]:
        """Of an arm's motors and elastic gears, a row per state; with what holds the weight."""
        if self.arm is None:
            return {}
        arm, linear = self.arm, self.arm.linear
        joints = self.joints_per_metre
        off = q @ linear.actuated - way @ joints.T
        off_rates = v @ linear.actuated - speed @ joints.T
        motors = arm.compensation - linear.gains * off - linear.gain_damping * off_rates
        geared = arm.geared
        twist, twisting = q[:, :geared] - q[:, geared : 2 * geared], v[:, :geared] - v[:, geared : 2 * geared]
        gears = arm.compensation[:geared] + arm.gear_stiffness * twist + arm.gear_damping * twisting
        named = {f"motor {k + 1}": motors[:, k] for k in range(motors.shape[1])}
        return named | {f"gear {k + 1}": gears[:, k] for k in range(geared)}

    @property
    def feet(self) -> Floats:
        """(n, 3) of a carrier: how its springs' feet go with the path, in its coordinates."""
        return np.asarray(np.linalg.solve(self.moves, np.eye(6)[:, :3]))

    @property
    def joints_per_metre(self) -> Floats:
        """(joints, 3) of an arm: angles that lead its gripper along the world's axes."""
        assert self.arm is not None
        return joint_rates(self.moves[:, self.arm.geared :], np.eye(6)[:, :3])


def leader_of(mechanism: Mechanism, plan: PushPlan, carrying: Iterable[str] | None = None) -> Leader | None:
    """Of a plan; None where what is pushed is held by nothing that yields: it has no inertia then.

    A robot, or an elastic joint of the pushed part that carries one of these parts on its other part; unless
    said, one that carries a ring, or meets or carries a hook.
    """
    if is_robot(mechanism.parts[plan.part]):
        return _robot(mechanism, plan)
    if carrying is None:
        leading = leading_joint(mechanism)
        return None if leading is None else _on_joint(mechanism, plan, leading)
    bodies, carried = rigid_bodies(mechanism), tuple(carrying)
    for name, joint in mechanism.joints.items():
        support, led = parts_of(joint)
        carries = any(bodies.together(part, led) for part in carried)
        if joint.type == "elastic" and support in plan.moving and carries:
            return _on_joint(mechanism, plan, name)
    return None


def _robot(mechanism: Mechanism, plan: PushPlan) -> Leader:
    robot = robot_of(mechanism, plan.part)
    model, linear = robot.model, robot.model.linear
    gripper = in_metres(plan.placed.marker_in_world(f"{plan.part}.gripper"), plan.metres)
    if isinstance(model, ElasticArm):
        axes = robot.base[:3, :3] @ model.task_frame
        moves = np.kron(np.eye(2), axes) @ linear.jacobian
        joints = moves[:, model.geared :]
        count = joints.shape[1]
        if count < 6:
            problem = f"its arm has {count} joints, which hold the gripper's direction along no path at will"
            raise ModelError.at(f"parts.{plan.part}.set", problem, "lead with an arm of six joints or more")
        if is_singular(joints):
            problem = "its working point is singular: no straight path leads from it"
            raise ModelError.at(f"parts.{plan.part}.set", problem, "choose another working point")
        per_metre = joint_rates(joints, np.eye(6)[:, :3])
        spare = (f"{plan.part}: of its {count} joints the least rates that lead the gripper",)
        return Leader(
            plan.part,
            "arm",
            linear.names,
            (False,) * len(linear.names),
            linear.mass,
            linear.controlled_damping,
            linear.controlled_stiffness,
            linear.actuated @ (linear.gains[:, None] * per_metre),
            linear.actuated @ (linear.gain_damping[:, None] * per_metre),
            moves,
            gripper,
            axes,
            robot.held,
            (*robot.assumed, *(spare if count > 6 else ())),
            (
                "friction in the robot's joints and gears",
                "limits of its motors"
                if robot.torque_limit is None
                else "that its motors give no more than `torque_limit`: how far they pass it is told",
                "links that bend",
            ),
            model,
            robot.base,
            robot.torque_limit,
        )
    # The feet of its springs go along the path.
    foot = np.vstack([robot.base[:3, :3].T, np.zeros((3, 3))])
    return Leader(
        plan.part,
        "carrier",
        linear.names,
        tuple(name not in _TURNS for name in linear.names),
        linear.mass,
        linear.damping,
        linear.stiffness,
        linear.stiffness @ foot,
        linear.damping @ foot,
        linear.jacobian,
        gripper,
        np.eye(3),
        robot.held,
        robot.assumed,
        ("large rotations of the carrier", "weight, which its springs hold at the start"),
    )


def _on_joint(mechanism: Mechanism, plan: PushPlan, name: str) -> Leader:
    """A part on an elastic joint of the part that legs push; coordinates are those of the joint's frame."""
    at = f"joints.{name}"
    if mechanism.dimension != 3:
        problem = "a part that is led with inertia stands in space"
        raise UnsupportedError(problem, "write dimension = 3", "dimension")
    matrices = elastic_matrices(mechanism, name)
    if matrices.rigid:
        problem = "a part that is led with inertia gives way in all six directions"
        raise UnsupportedError(problem, "give `stiffness` six numbers, a rigid direction a large one", at)
    end = plan.placed.joints[name].ends[0]
    assert end is not None
    frame = in_metres(end.frame_in_world, plan.metres)
    bodies = rigid_bodies(mechanism)
    lead = parts_of(mechanism.joints[name])[1]
    held = tuple(part for part in mechanism.parts if bodies.together(part, lead))
    weighed = [part for part in held if not weightless(mechanism, part)]
    axes, origin = frame[:3, :3], frame[:3, 3]
    mass = np.zeros((6, 6))
    for part in weighed:
        own, placed = part_mass(mechanism, part), plan.frame(part)
        centre = axes.T @ (placed[:3, :3] @ np.array(own.centre) + placed[:3, 3] - origin)
        turned = axes.T @ placed[:3, :3]
        x, y, z = centre
        moved = np.hstack([np.eye(3), np.array([[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]])])
        turns = np.hstack([np.zeros((3, 3)), np.eye(3)])
        inertia = turned @ np.array(own.inertia) @ turned.T
        mass += own.mass * moved.T @ moved + turns.T @ inertia @ turns
    foot = np.vstack([axes.T, np.zeros((3, 3))])
    left_out = (
        "large rotations on the elastic joint",
        "weight, which it holds at the start",
        *(
            f"contact of {part}, which goes along the path"
            for part in plan.moving
            if mechanism.parts[part].shape is not None
        ),
    )
    return Leader(
        name,
        "elastic joint",
        tuple(f"{name}.{freedom}" for freedom in ("x", "y", "z", *_TURNS)),
        (True,) * 3 + (False,) * 3,
        mass,
        matrices.damping,
        matrices.stiffness,
        matrices.stiffness @ foot,
        matrices.damping @ foot,
        np.asarray(np.kron(np.eye(2), axes), float),
        frame,
        np.eye(3),
        held,
        (),
        left_out,
    )
