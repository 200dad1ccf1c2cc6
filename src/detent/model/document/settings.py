"""What a document may set of a library part, each in a table of its own: `set = { … }` of the part.

Lengths are in the document's units, everything else is SI. What is left out has the value that
`library/defaults.py` names with its source.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from detent.foundation.exact import Number
from detent.model.document.base import PairOf, Table, Triple, doc

SixNumbers = Annotated[tuple[Number, ...], doc("six numbers", min_length=6, max_length=6)]


class PayloadSettings(Table, frozen=True):
    """What a robot carries beside the parts of the document that are fixed to its flange."""

    mass: Annotated[Number, doc("[kg]")]
    center: Annotated[Triple, doc("centre of mass, in the flange's frame")]
    principal: Annotated[Triple, doc("[kg m²] about the flange's axes x, y, z through `center`")]


class RobotSettings(Table, frozen=True, kw_only=True):
    """What all robots have: markers, a payload, a gripper's frame."""

    MARKERS: ClassVar[tuple[str, ...]] = ("flange", "gripper")

    payload: Annotated[PayloadSettings | None, doc("carried beside parts fixed to the flange")] = None
    gripper: Annotated[
        Number | None, doc("distance of the gripper's frame from the flange's, along its z")
    ] = None


class Puma560Settings(RobotSettings, frozen=True, kw_only=True):
    """A PUMA 560 with elastic gears in joints 1 to 3 and position control, at a working point.

    Angles are the controller's (VAL). Stiffnesses and gains count per radian of the joint.
    """

    working_point: Annotated[SixNumbers | None, doc("angles of the joints [rad]")] = None
    working_point_deg: Annotated[SixNumbers | None, doc("angles of the joints [deg]")] = None
    wrist: Annotated[
        Triple | None, doc("working point by the place of the wrist's centre, in the robot's frame")
    ] = None
    tool_axis: Annotated[
        Triple | None, doc("with `wrist`: where the flange's z points; down unless said")
    ] = None
    across: Annotated[
        Triple | None, doc("with `wrist`: where the flange's y points, as far as `tool_axis` leaves it")
    ] = None
    shoulder: Annotated[Literal["lefty", "righty"] | None, doc("with `wrist`: which shoulder")] = None
    elbow: Annotated[Literal["above", "below"] | None, doc("with `wrist`: which elbow")] = None
    hand: Annotated[Literal["flip", "noflip"] | None, doc("with `wrist`: which sign joint 5 has")] = None
    gear_stiffness: Annotated[Triple | None, doc("of the gears in joints 1 to 3 [N m/rad]")] = None
    gear_damping_ratio: Annotated[Number | None, doc("of each gear with its arm")] = None
    position_gain: Annotated[SixNumbers | None, doc("of motors 1 to 3 and joints 4 to 6 [N m/rad]")] = None
    gain_damping_ratio: Annotated[Number | None, doc("of each controlled joint")] = None
    torque_limit: Annotated[SixNumbers | None, doc("of the motors [N m]; passing it is told")] = None


class CarrierSettings(RobotSettings, frozen=True, kw_only=True):
    """A mass on springs and dampers, the simplest robot: six directions, in its own frame."""

    stiffness: Annotated[SixNumbers, doc("along x, y, z [N/m], about x, y, z [N m/rad]")]
    mass: Annotated[Number, doc("[kg], its centre at the origin")]
    principal: Annotated[Triple, doc("[kg m²] about x, y, z")]
    damping: Annotated[SixNumbers | None, doc("along x, y, z [N s/m], about x, y, z [N m s/rad]")] = None
    damping_ratio: Annotated[Number | None, doc("of each direction by itself, instead of `damping`")] = None


class UrdfSettings(RobotSettings, frozen=True, kw_only=True):
    """An arm of a URDF file under position control, its first joints with elastic gears."""

    file: Annotated[str, doc("path of the URDF file, from the folder in which detent runs")]
    tip: Annotated[str | None, doc("link that carries the flange; the file's last unless said")] = None
    working_point: Annotated[tuple[Number, ...] | None, doc("angles of the joints [rad]")] = None
    working_point_deg: Annotated[tuple[Number, ...] | None, doc("angles of the joints [deg]")] = None
    gear_stiffness: Annotated[
        tuple[Number, ...], doc("of elastic gears in the first joints [N m/rad]; none: all are rigid")
    ] = ()
    gear_damping_ratio: Annotated[Number | None, doc("of each gear with its arm")] = None
    motor_inertia: Annotated[
        tuple[Number, ...] | None, doc("of each motor, per radian of its joint [kg m²]")
    ] = None
    position_gain: Annotated[
        tuple[Number, ...], doc("of motors of elastic gears and of the other joints [N m/rad]")
    ]
    gain_damping_ratio: Annotated[Number | None, doc("of each controlled joint")] = None
    torque_limit: Annotated[tuple[Number, ...] | None, doc("of the motors [N m]; passing it is told")] = None


class OringSettings(Table, frozen=True):
    """An O-ring on its groove."""

    MARKERS: ClassVar[tuple[str, ...]] = ()

    section: Annotated[Number, doc("diameter of the section")]
    inner_diameter: Annotated[Number | None, doc("of the ring by itself")] = None
    groove_radius: Annotated[Number | None, doc("of the groove's ground")] = None
    pressure: Annotated[
        PairOf | None, doc("c1 [N/m²], c2 [N/m³] of the line load c1 a + c2 a² at a squeeze a")
    ] = None
    pressure_table: Annotated[
        tuple[PairOf, ...] | None,
        doc("instead: squeeze and line load [N/m], rows to which c1 a + c2 a² is fitted"),
    ] = None
    groove_friction: Annotated[
        Number | None, doc("on the groove's flanks; unless said as between ring and bore")
    ] = None


# Parts that a document may take by name, each with the table of what it may set.
SETTINGS: dict[str, type[RobotSettings] | type[OringSettings]] = {
    "oring": OringSettings,
    "puma560": Puma560Settings,
    "urdf": UrdfSettings,
    "carrier": CarrierSettings,
}
