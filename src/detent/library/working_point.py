"""What a document sets of a library part, read; and the angles at which a robot works."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.foundation.errors import ModelError
from detent.foundation.units import metres
from detent.library import defaults
from detent.library.puma560 import SENSE, link_frames
from detent.library.puma560_reached import ArmConfiguration, NotReachedError, angles_reaching
from detent.library.robots.serial_arm import Floats
from detent.model.document.base import Table
from detent.model.document.mechanism import Mechanism
from detent.model.document.part import is_robot
from detent.model.document.settings import (
    SETTINGS,
    CarrierSettings,
    Puma560Settings,
    RobotSettings,
    UrdfSettings,
)
from detent.model.reading import convert

if TYPE_CHECKING:
    from detent.library.robots.urdf_arm import UrdfArm

_PARALLEL = 1e-9  # a sine below which two directions are one


@dataclass(frozen=True)
class WorkingPoint:
    """Angles at which an arm works, and how the document gave them."""

    angles: Floats  # the controller's [rad]
    given: str  # "angles", "wrist", "default"
    assumed: tuple[str, ...] = ()
    as_controller: bool = True  # else the angles are the arm's own already

    @property
    def own_angles(self) -> Floats:
        """As the arm's Denavit-Hartenberg parameters count them [rad]."""
        return np.asarray(SENSE * self.angles) if self.as_controller else self.angles


def settings_of(mechanism: Mechanism, name: str) -> Any:
    """What a document sets of a library part, as the part's own table; a ModelError says what is wrong."""
    part = mechanism.parts[name]
    return convert.table(part.set, SETTINGS[part.library or ""], f"parts.{name}.set")


def robots_in(mechanism: Mechanism) -> list[str]:
    """Names of the parts that are robots of the library."""
    return [name for name, part in mechanism.parts.items() if is_robot(part)]


def markers_brought(mechanism: Mechanism) -> dict[str, Floats]:
    """Frames of the markers that robots bring, by part.marker, in their part, 4 x 4 [m]."""
    found = {}
    for name in robots_in(mechanism):
        settings = settings_of(mechanism, name)
        flange = np.eye(4)
        if isinstance(settings, Puma560Settings):
            flange = link_frames(working_point(mechanism, name, settings).angles)[-1]
        elif isinstance(settings, UrdfSettings):
            arm, point = arm_of_file(name, settings)
            flange = arm.frames(point.own_angles)[-1]
        gripper = flange.copy()
        gripper[:3, 3] += gripper_distance(mechanism, settings) * flange[:3, 2]
        found[f"{name}.flange"], found[f"{name}.gripper"] = flange, gripper
    return found


def gripper_distance(mechanism: Mechanism, settings: RobotSettings) -> float:
    """Of the gripper's frame from the flange's, along its z [m]."""
    if settings.gripper is not None:
        return metres(mechanism.units) * float(settings.gripper)
    table = defaults.CARRIER if isinstance(settings, CarrierSettings) else defaults.PUMA560
    return table["gripper"].value[0]


def arm_of_file(name: str, settings: UrdfSettings) -> tuple[UrdfArm, WorkingPoint]:
    """The arm of a URDF file, and where it works; sizes of the settings are checked against its joints."""
    from detent.library.robots.urdf_arm import urdf_arm

    at = f"parts.{name}.set"
    arm = urdf_arm(settings.file, settings.tip, at)
    n = arm.freedoms
    for key in ("working_point", "working_point_deg", "position_gain", "motor_inertia", "torque_limit"):
        value = getattr(settings, key)
        if value is not None and len(value) != n:
            problem = f"has {len(value)} numbers, and the arm has {n} joints: {', '.join(arm.joints)}"
            raise ModelError.at(f"{at}.{key}", problem, "give one per joint, from the base")
    if len(settings.gear_stiffness) > n:
        problem = f"has {len(settings.gear_stiffness)} numbers, and the arm has {n} joints"
        raise ModelError.at(f"{at}.gear_stiffness", problem, "give those of the first joints that yield")
    if settings.working_point is not None:
        angles = np.array(settings.working_point, float)
    else:
        angles = np.radians(np.array(settings.working_point_deg, float))
    return arm, WorkingPoint(angles, "angles", as_controller=False)


def working_point(mechanism: Mechanism, name: str, settings: Puma560Settings) -> WorkingPoint:
    """Where a PUMA works: angles as given, or those that put its wrist at a place."""
    if settings.working_point is not None:
        return WorkingPoint(np.array(settings.working_point, float), "angles")
    if settings.working_point_deg is not None:
        return WorkingPoint(np.radians(np.array(settings.working_point_deg, float)), "angles")
    if settings.wrist is None:
        default = defaults.PUMA560["working_point_deg"]
        return WorkingPoint(np.radians(default.value), "default", (f"working point {default}",))
    place = f"parts.{name}.set.wrist"
    wanted = ArmConfiguration()
    configuration = ArmConfiguration(
        settings.shoulder or wanted.shoulder, settings.elbow or wanted.elbow, settings.hand or wanted.hand
    )
    wrist = metres(mechanism.units) * np.array(settings.wrist, float)
    try:
        angles = angles_reaching(wrist.tolist(), _turned(name, settings), configuration)
    except NotReachedError as error:
        raise ModelError.at(place, error.problem, error.remedy) from None
    assumed = [
        f"{key} {defaults.PUMA560[key]}" for key in ("tool_axis", "across") if getattr(settings, key) is None
    ]
    chosen = [key for key in ("shoulder", "elbow", "hand") if getattr(settings, key) is None]
    if chosen:
        words = ", ".join(getattr(configuration, key) for key in chosen)
        assumed.append(f"{', '.join(chosen)}: {words} (as in {defaults.SEED}, section 6.2)")
    return WorkingPoint(angles, "wrist", tuple(assumed))


def _turned(name: str, settings: Puma560Settings) -> Floats:
    """The flange's axes in the base, as columns: z along the tool, y across it."""
    along = _unit(settings, "tool_axis")
    across = _unit(settings, "across")
    across = across - along * (along @ across)
    if np.linalg.norm(across) < _PARALLEL:
        key = "across" if settings.across is not None else "tool_axis"
        raise ModelError.at(
            f"parts.{name}.set.{key}",
            "the flange's y would point along its z",
            "give `across` another direction than `tool_axis`",
        )
    across /= np.linalg.norm(across)
    return np.column_stack([np.cross(across, along), across, along])


def _unit(settings: Table, key: str) -> Floats:
    given = getattr(settings, key)
    vector = np.array(defaults.PUMA560[key].value if given is None else given, float)
    return np.asarray(vector / np.linalg.norm(vector))
