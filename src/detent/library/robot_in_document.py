"""The robot that a document describes: library part, settings, defaults, gravity, and what it carries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.foundation.errors import ModelError, Problem, UnknownNameError
from detent.foundation.names import did_you_mean
from detent.foundation.units import metres
from detent.geometry.pose import in_metres
from detent.library import defaults
from detent.library.looks import brought
from detent.library.puma560 import ARM, REFLECTED
from detent.library.robots.carrier import SpringCarrier
from detent.library.robots.elastic_arm import ElasticArm
from detent.library.robots.serial_arm import Floats, LinkBody
from detent.library.working_point import (
    WorkingPoint,
    arm_of_file,
    gripper_distance,
    robots_in,
    settings_of,
    working_point,
)
from detent.model.document.mechanism import Mechanism
from detent.model.document.settings import CarrierSettings, Puma560Settings, RobotSettings, UrdfSettings
from detent.model.machine.graph import part_of
from detent.model.machine.mass import part_mass
from detent.model.machine.placed import place

if TYPE_CHECKING:
    from detent.library.robots.urdf_arm import UrdfArm

# A flange's z, its y, its x backwards: in section 6.2 down, along the base's y and towards the base.
TASK_AXES = np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])


@dataclass(frozen=True)
class RobotInDocument:
    """A robot with where it stands, what it carries, and what the document left to defaults."""

    name: str
    model: ElasticArm | SpringCarrier
    base: Floats  # of the robot's frame in the world, 4 x 4 [m]
    held: tuple[str, ...]  # parts that are fixed to its flange
    assumed: tuple[str, ...]
    point: WorkingPoint | None = None  # of an arm
    torque_limit: tuple[float, ...] | None = None  # of its motors [N m]


def robot_of(mechanism: Mechanism, name: str | None = None) -> RobotInDocument:
    """The robot of this name, or the only one; a ModelError says why it cannot be."""
    known = robots_in(mechanism)
    if name is None and len(known) == 1:
        name = known[0]
    if name not in known:
        problem = f"there is no robot {name!r}" if name is not None else f"there are {len(known)} robots"
        remedy = did_you_mean(name or "", known, otherwise="add a part with `library`")
        raise UnknownNameError.at("robot", problem, remedy)
    settings = settings_of(mechanism, name)
    assumed: list[str] = []
    base = in_metres(place(mechanism, brought=brought(mechanism)).frame(name), metres(mechanism.units))
    carried, held = _carried(mechanism, name, settings, assumed)
    if isinstance(settings, CarrierSettings):
        carrier = _carrier(mechanism, settings, carried, base, assumed)
        return RobotInDocument(name, carrier, base, held, tuple(assumed))
    if isinstance(settings, UrdfSettings):
        file_arm, point = arm_of_file(name, settings)
        arm = _of_file(mechanism, settings, file_arm, point, carried, base, assumed)
        return RobotInDocument(name, arm, base, held, tuple(assumed), point, _limits(settings))
    point = working_point(mechanism, name, settings)
    arm = _puma(mechanism, settings, point, carried, base, assumed)
    return RobotInDocument(name, arm, base, held, (*point.assumed, *assumed), point, _limits(settings))


def _limits(settings: Puma560Settings | UrdfSettings) -> tuple[float, ...] | None:
    given = settings.torque_limit
    return None if given is None else tuple(map(float, given))


def _puma(
    mechanism: Mechanism,
    settings: Puma560Settings,
    point: WorkingPoint,
    carried: tuple[LinkBody, ...],
    base: Floats,
    assumed: list[str],
) -> ElasticArm:
    def setting(key: str) -> Floats:
        given: Any = getattr(settings, key)
        if given is None:
            assumed.append(f"{key} {defaults.PUMA560[key]}")
            return np.array(defaults.PUMA560[key].value)
        return np.atleast_1d(np.array(given, float))

    if settings.gripper is None:
        assumed.append(f"gripper {defaults.PUMA560['gripper']}")
    return ElasticArm(
        ARM,
        ARM.carrying(carried),
        point.own_angles,
        REFLECTED,
        base[:3, :3].T @ _gravity(mechanism),
        setting("gear_stiffness"),
        float(setting("gear_damping_ratio")[0]),
        setting("position_gain"),
        float(setting("gain_damping_ratio")[0]),
        gripper_distance(mechanism, settings),
        TASK_AXES,
    )


def _of_file(
    mechanism: Mechanism,
    settings: UrdfSettings,
    arm: UrdfArm,
    point: WorkingPoint,
    carried: tuple[LinkBody, ...],
    base: Floats,
    assumed: list[str],
) -> ElasticArm:
    def ratio(key: str) -> float:
        given = getattr(settings, key)
        if given is None:
            assumed.append(f"{key} {defaults.URDF[key]}")
            return defaults.URDF[key].value[0]
        return float(given)

    if settings.motor_inertia is None:
        assumed.append("motor_inertia none: the motors weigh nothing")
    motors = settings.motor_inertia or (0,) * arm.freedoms
    if settings.gripper is None:
        assumed.append(f"gripper {defaults.URDF['gripper']}")
    return ElasticArm(
        arm,
        arm.carrying(carried),
        point.own_angles,
        np.array(motors, float),
        base[:3, :3].T @ _gravity(mechanism),
        np.array(settings.gear_stiffness, float),
        ratio("gear_damping_ratio"),
        np.array(settings.position_gain, float),
        ratio("gain_damping_ratio"),
        gripper_distance(mechanism, settings),
        TASK_AXES,
    )


def _carrier(
    mechanism: Mechanism,
    settings: CarrierSettings,
    carried: tuple[LinkBody, ...],
    base: Floats,
    assumed: list[str],
) -> SpringCarrier:
    stiffness = np.array(settings.stiffness, float)
    mass, principal = float(settings.mass), np.array(settings.principal, float)
    if settings.damping is not None:
        damping = np.array(settings.damping, float)
    else:
        default = defaults.CARRIER["damping_ratio"]
        if settings.damping_ratio is None:
            assumed.append(f"damping_ratio {default}")
        ratio = default.value[0] if settings.damping_ratio is None else float(settings.damping_ratio)
        alone = SpringCarrier(mass, principal, stiffness, np.zeros(6), carried, 0.0, np.eye(3)).linear.mass
        damping = 2 * ratio * np.sqrt(stiffness * np.diag(alone))
    if settings.gripper is None:
        assumed.append(f"gripper {defaults.CARRIER['gripper']}")
    gripper = gripper_distance(mechanism, settings)
    return SpringCarrier(mass, principal, stiffness, damping, carried, gripper, base[:3, :3])


def _carried(
    mechanism: Mechanism, name: str, settings: RobotSettings, assumed: list[str]
) -> tuple[tuple[LinkBody, ...], tuple[str, ...]]:
    """The payload of the settings and the parts fixed to the flange; the default where an arm has neither."""
    flange = 6 if isinstance(settings, Puma560Settings) else 0
    held = _held(mechanism, name)
    bodies = [_body_of(mechanism, name, part, flange) for part in held if not weightless(mechanism, part)]
    assumed += [f"{part} has no mass of its own" for part in held if weightless(mechanism, part)]
    if settings.payload is not None:
        scale = metres(mechanism.units)
        x, y, z = (scale * float(c) for c in settings.payload.center)
        inertia = np.diag([float(moment) for moment in settings.payload.principal])
        bodies.append(LinkBody(flange, float(settings.payload.mass), (x, y, z), inertia))
    if not bodies and isinstance(settings, Puma560Settings):
        assumed.append(f"payload {defaults.PAYLOAD_WORDS}")
        inertia = np.diag(defaults.PAYLOAD_PRINCIPAL)
        bodies.append(LinkBody(flange, defaults.PAYLOAD_MASS, defaults.PAYLOAD_AT, inertia))
    return tuple(bodies), held


def _held(mechanism: Mechanism, name: str) -> tuple[str, ...]:
    """Parts that fixed joints hold to the flange or the gripper, one after the other."""
    fixed = [joint.between for joint in mechanism.joints.values() if joint.type == "fixed"]
    ends = {f"{name}.flange", f"{name}.gripper"}
    found: list[str] = []
    reached = {end for pair in fixed for k, end in enumerate(pair) if pair[1 - k] in ends}
    while reached:
        new = [part for part in dict.fromkeys(map(part_of, sorted(reached))) if part not in (*found, name)]
        found += [part for part in new if not mechanism.parts[part].fixed]
        reached = {end for pair in fixed for k, end in enumerate(pair) if part_of(pair[1 - k]) in new}
    return tuple(found)


def weightless(mechanism: Mechanism, part: str) -> bool:
    """Whether a part is one of the library's rings, of which the document says no mass."""
    given = mechanism.parts[part]
    return given.library == "oring" and given.mass is None and given.density is None


def _body_of(mechanism: Mechanism, robot: str, part: str, link: int) -> LinkBody:
    """A part as a body on the last link; its mass must be known, since it is carried."""
    markers = brought(mechanism)
    placed = place(mechanism, brought=markers)
    in_flange = (placed.frame(robot) @ markers[f"{robot}.flange"]).inverse() @ placed.frame(part)
    rotation, origin = in_flange.matrix[:, :3], metres(mechanism.units) * in_flange.matrix[:, 3]
    mass = part_mass(mechanism, part)
    x, y, z = (origin + rotation @ np.array(mass.centre)).tolist()
    return LinkBody(link, mass.mass, (x, y, z), rotation @ np.array(mass.inertia) @ rotation.T)


def _gravity(mechanism: Mechanism) -> Floats:
    if mechanism.gravity is None:
        return np.zeros(3)
    return np.array([*map(float, mechanism.gravity), 0.0][:3])


def out_of_reach(mechanism: Mechanism) -> list[Problem]:
    """Why robots cannot be where their settings, each sound by itself, put them."""
    try:
        brought(mechanism)
    except ModelError as error:
        return list(error.problems)
    return []
