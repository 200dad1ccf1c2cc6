"""What `explain` says of a robot: place, inertia, weight, (7) about its working point, how it gives way.

Vectors and matrices of the gripper are along the task's axes, joints count as standard Denavit-Hartenberg
parameters do, places are in the world and in the document's units; all else is SI.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from detent.foundation.errors import ModelError
from detent.foundation.units import metres
from detent.model.document.mechanism import Mechanism
from detent.model.document.part import is_robot

AXES = ("x", "y", "z")
_TOOLS = (0.0, 0.1, 0.2, 0.3)  # [m] from the wrist, where the gears' compliance is told
_MICROMETRES = 1e6
_LEFT_OUT_ARM = (
    "friction in joints and gears",
    "moments of the rotors as gyroscopes",
    "links that bend, play in gears",
    "limits of the motors, and the controller's sampling",
)
_LEFT_OUT_LINEAR = "what large motions change: M, P and Q hold near the working point, at low speed"


def robots_of(mechanism: Mechanism) -> dict[str, Any]:
    """Of each robot of the library; `why_not` where what it carries has no mass."""
    found: dict[str, Any] = {}
    for name, part in mechanism.parts.items():
        if not is_robot(part):
            continue
        from detent.library.robot_in_document import robot_of

        try:
            robot = robot_of(mechanism, name)
        except ModelError as error:
            if any(problem.at.startswith(f"parts.{name}.set") for problem in error.problems):
                raise
            found[name] = {"library": part.library, "why_not": str(error)}
            continue
        found[name] = {"library": part.library, **_told(robot, 1 / metres(mechanism.units))}
    return found


def _told(robot: Any, per_metre: float) -> dict[str, Any]:
    from detent.library.robots.elastic_arm import ElasticArm

    model, linear = robot.model, robot.model.linear
    is_arm = isinstance(model, ElasticArm)
    frame = robot.base @ (model.arm.frames(model.angles)[-1] if is_arm else np.eye(4))
    axes = robot.base[:3, :3] @ model.task_frame if is_arm else np.eye(3)
    gripper = frame[:3, 3] + model.gripper * frame[:3, 2]
    carried = model.arm.bodies[len(model.bare.bodies) :] if is_arm else model.carried
    told: dict[str, Any] = _arm(robot) if is_arm else {}
    if is_arm and robot.point.as_controller:
        told |= _puma(robot)
    told |= {
        "wrist": _plain(per_metre * frame[:3, 3]),
        "tool_axis": _plain(frame[:3, 2]),
        "task_axes": {axis: _plain(axes[:, k]) for k, axis in enumerate(AXES)},
        "held": list(robot.held),
        "payload": _payload(carried, per_metre),
        "coordinates": list(linear.names),
        "M": _plain(linear.mass),
        "P": _plain(linear.damping),
        "Q": _plain(linear.stiffness),
        "B": _plain(linear.actuated),
        "K_P": _plain(linear.gains),
        "K_D": _plain(linear.gain_damping),
        "stable": linear.stable,
        "vibrations": [
            {"frequency": v.frequency, "damping_ratio": v.damping_ratio, "shape": _plain(v.shape)}
            for v in linear.vibrations
        ],
        "poles": [[float(pole.real), float(pole.imag)] for pole in linear.poles],
        "gripper": {"at": _plain(per_metre * gripper), **_gripper(linear)},
        "assumed": list(robot.assumed),
        "left_out": [*(_LEFT_OUT_ARM if is_arm else ("large rotations",)), _LEFT_OUT_LINEAR],
    }
    return told


def _arm(robot: Any) -> dict[str, Any]:
    """What an arm has: angles, inertia, weight, and how its gears alone give way."""
    from detent.library.robots.serial_arm import is_singular

    arm, point = robot.model, robot.point
    singular = is_singular(arm.arm.jacobian(point.own_angles))
    return {
        "working_point_deg": _plain(np.degrees(point.angles)),
        "working_point_given": point.given,
        "angles": _plain(point.own_angles),
        "configuration": "",
        "singular": ["its joints"] if singular else [],
        "beyond_range": [],
        "mass_matrix": _plain(arm.bare_mass_matrix),
        "gravity_torque": _plain(arm.bare_gravity_torque),
        "compensation": _plain(arm.compensation),
        "gear_damping": _plain(arm.gear_damping),
        "compliance": _of_the_gears(arm),
    }


def _puma(robot: Any) -> dict[str, Any]:
    """What is known of the PUMA's wrist and of the ranges of its joints."""
    from detent.library.puma560_reached import beyond_ranges, configuration_of, straight_joints

    angles = robot.point.angles
    return {
        "configuration": str(configuration_of(angles)),
        "singular": straight_joints(angles),
        "beyond_range": beyond_ranges(angles),
    }


def _gripper(linear: Any) -> dict[str, Any]:
    """How the gripper gives way, as the controlled robot does at rest."""
    compliance = linear.compliance
    stiffness = linear.gripper_stiffness
    return {
        "compliance": _plain(compliance),
        "stiffness": None if stiffness is None else _plain(stiffness),
        "coupling": [
            {
                "force": f"-{axis}",
                "gives": float(compliance[k, k]),
                "moves": {a: float(-compliance[j, k] / compliance[k, k]) for j, a in enumerate(AXES)},
            }
            for k, axis in enumerate(AXES)
            if compliance[k, k] > 0
        ],
    }


def _of_the_gears(arm: Any) -> dict[str, Any]:
    """How points of the tool give way by the gears alone [µm/N]; by one joint of 1 N m/rad [m/N]."""
    gears = ",".join(_short(k) for k in arm.gear_stiffness)
    cases = {f"unit_joint{j}": (np.eye(arm.geared)[j - 1], 1.0) for j in range(2, arm.geared + 1)}
    cases[f"k={gears}"] = (1 / arm.gear_stiffness, _MICROMETRES)
    found = {}
    for tool in _TOOLS:
        for case, (compliances, unit) in cases.items():
            matrix = unit * arm.gear_compliance(tool, compliances)
            x, y, z = matrix[0]
            found[f"tool={tool:.1f} {case}"] = {
                "Czx_over_Cxx": float(z / x) if x > 0 else None,
                "Cyx_over_Cxx": float(y / x) if x > 0 else None,
                "C": _plain(matrix),
            }
    return found


def _short(value: float) -> str:
    """A stiffness as 4.5e4."""
    mantissa, _, power = f"{value:e}".partition("e")
    return f"{float(mantissa):g}e{int(power)}"


def _payload(carried: Any, per_metre: float) -> dict[str, Any] | None:
    """All that is carried: its mass, and its centre in the flange's frame."""
    mass = float(sum(body.mass for body in carried))
    if not mass > 0:
        return None
    center = sum(body.mass * np.array(body.center) for body in carried) / mass
    return {"mass": mass, "center": _plain(per_metre * center)}


def _plain(array: Any) -> Any:
    return np.asarray(array, float).tolist()
