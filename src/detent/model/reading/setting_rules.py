"""What the settings of library parts must satisfy beyond the types of their keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from detent.foundation.exact import Number
from detent.model.document.base import Table
from detent.model.document.part import Part, is_robot
from detent.model.document.settings import (
    CarrierSettings,
    OringSettings,
    PayloadSettings,
    Puma560Settings,
    RobotSettings,
    UrdfSettings,
)
from detent.model.reading.start_references import Complaint

_WITH_WRIST = ("tool_axis", "across", "shoulder", "elbow", "hand")
_LIMIT = "leave `torque_limit` out where a motor has none, or give a large one"
_OF_ITS_OWN = ("shape", "mass", "center", "inertia", "principal", "density", "material")


def settings_of_part(part: Part) -> Iterator[Complaint]:
    """A robot brings its shape and mass; what the document gives beside them would mean nothing."""
    if not is_robot(part):
        return
    for key in _OF_ITS_OWN:
        if getattr(part, key) is not None:
            problem = f"a {part.library} has {'one' if key == 'shape' else 'its own'} already"
            yield (
                key,
                problem,
                "leave it out; what the robot carries is `payload` in `set`, or a part of its own",
            )


def payload_rules(table: PayloadSettings) -> Iterator[Complaint]:
    yield from _above_zero(table, "mass", "a payload has a mass; leave `payload` out for none of its own")
    yield from _moments(table.principal, "principal")


def robot_rules(table: RobotSettings) -> Iterator[Complaint]:
    if table.gripper is not None and table.gripper < 0:
        yield "gripper", f"must be at least zero, found {float(table.gripper):g}", "it counts along the tool"


def puma_rules(table: Puma560Settings) -> Iterator[Complaint]:
    yield from robot_rules(table)
    given = [
        key for key in ("working_point", "working_point_deg", "wrist") if getattr(table, key) is not None
    ]
    if len(given) > 1:
        yield given[1], f"the working point is given twice, also as {given[0]}", "keep one of them"
    for key in _WITH_WRIST:
        if getattr(table, key) is not None and table.wrist is None:
            yield key, "says how `wrist` is reached, but none is given", "add `wrist`, or leave it out"
    for key in ("tool_axis", "across"):
        value = getattr(table, key)
        if value is not None and not any(value):
            yield key, "is the zero vector, which has no direction", "give a direction of any length"
    rigid = "a rigid gear is a large number; a gear that gives way at once holds nothing"
    yield from _above_zero(table, "gear_stiffness", rigid)
    yield from _above_zero(
        table, "position_gain", "a joint that nothing holds falls; give its gain per radian"
    )
    yield from _not_below_zero(table, "gear_damping_ratio")
    yield from _not_below_zero(table, "gain_damping_ratio")
    yield from _above_zero(table, "torque_limit", _LIMIT)


def urdf_rules(table: UrdfSettings) -> Iterator[Complaint]:
    """What can be said before the file is read."""
    yield from robot_rules(table)
    given = [key for key in ("working_point", "working_point_deg") if getattr(table, key) is not None]
    if len(given) != 1:
        problem = "the working point is given twice" if given else "says no working point"
        yield "working_point", problem, "give one of working_point and working_point_deg, an angle per joint"
    rigid = "a rigid gear is left out; give gears of the first joints alone"
    yield from _above_zero(table, "gear_stiffness", rigid)
    yield from _above_zero(table, "position_gain", "a joint that nothing holds falls; give a gain per radian")
    yield from _above_zero(table, "torque_limit", _LIMIT)
    for key in ("gear_damping_ratio", "gain_damping_ratio", "motor_inertia"):
        yield from _not_below_zero(table, key)
    geared = len(table.gear_stiffness)
    if geared and (table.motor_inertia is None or not all(table.motor_inertia[:geared])):
        problem = "a motor behind an elastic gear moves by itself, so its inertia must be known"
        yield "motor_inertia", problem, "give what each motor has, per radian of its joint"


def carrier_rules(table: CarrierSettings) -> Iterator[Complaint]:
    yield from robot_rules(table)
    yield from _above_zero(table, "stiffness", "a direction that nothing holds has no working point")
    yield from _above_zero(table, "mass", "a carrier has a mass")
    yield from _moments(table.principal, "principal")
    yield from _not_below_zero(table, "damping")
    yield from _not_below_zero(table, "damping_ratio")
    if table.damping is not None and table.damping_ratio is not None:
        yield "damping_ratio", "damping is given twice, also as damping", "keep one of them"


def oring_rules(table: OringSettings) -> Iterator[Complaint]:
    for key in ("section", "inner_diameter", "groove_radius"):
        yield from _above_zero(table, key, "give a length")
    yield from _not_below_zero(table, "pressure")
    if table.pressure is not None and not any(table.pressure):
        yield "pressure", "is zero twice, so the section pushes with nothing", "give c1, c2, or both"
    yield from _not_below_zero(table, "groove_friction")
    if table.pressure_table is not None:
        yield from _pressure_table_rules(table)
    if table.inner_diameter is None and table.groove_radius is None:
        yield "", "says neither inner_diameter nor groove_radius", "give at least one of them"
    if table.inner_diameter is not None and table.groove_radius is not None:
        loose = table.inner_diameter - 2 * table.groove_radius
        if loose > 0:
            yield (
                "groove_radius",
                f"the ring is {float(loose):g} (in the document's unit of length) wider than its groove, "
                "and lies loose in it",
                "make `groove_radius` at least half of `inner_diameter`",
            )


def _pressure_table_rules(table: OringSettings) -> Iterator[Complaint]:
    rows = table.pressure_table or ()
    if table.pressure is not None:
        yield "pressure_table", "is given beside pressure; both say how hard the section pushes", "keep one"
    if len({row[0] for row in rows if row[0]}) < 2:
        yield "pressure_table", "has fewer than two squeezes, and two constants are fitted", "give more rows"
    for k, (squeeze, load) in enumerate(rows):
        if squeeze < 0 or load < 0:
            yield (
                f"pressure_table.{k}",
                "has a number below zero",
                "give squeezes and line loads of at least 0",
            )


def _above_zero(table: Table, key: str, remedy: str) -> Iterator[Complaint]:
    for place, value in _numbers(table, key):
        if value <= 0:
            yield place, f"must be above zero, found {float(value):g}", remedy


def _not_below_zero(table: Table, key: str) -> Iterator[Complaint]:
    for place, value in _numbers(table, key):
        if value < 0:
            yield place, f"must be at least zero, found {float(value):g}", ""


def _numbers(table: Table, key: str) -> Iterator[tuple[str, Number]]:
    """The numbers of a key, each with its place."""
    value: Any = getattr(table, key)
    if isinstance(value, tuple):
        yield from ((f"{key}.{k}", entry) for k, entry in enumerate(value))
    elif value is not None:
        yield key, value


def _moments(principal: tuple[Number, ...], key: str) -> Iterator[Complaint]:
    """Of a body no moment of inertia is larger than the two others together."""
    if any(moment < 0 for moment in principal):
        yield key, "has a moment of inertia below zero", "give three of at least zero"
    elif 2 * max(principal) > sum(principal):
        yield key, "has a moment larger than the other two together, which no body has", "check the three"


SETTING_RULES: dict[type, tuple[Callable[[Any], Iterator[Complaint]], ...]] = {
    PayloadSettings: (payload_rules,),
    Puma560Settings: (puma_rules,),
    UrdfSettings: (urdf_rules,),
    CarrierSettings: (carrier_rules,),
    OringSettings: (oring_rules,),
}
