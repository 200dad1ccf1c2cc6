"""Robots of the library in words: where they are, how they vibrate, how their gripper gives way."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from detent.draw.words.layout import table_lines
from detent.foundation.names import listed
from detent.foundation.units import unit_names
from detent.record.explanation import Explanation

# Of the way along the force: less across it is hardly any; less than rounding is none.
_HARDLY = 0.1
_NONE = 1e-9
_WHAT = {
    "puma560": "PUMA 560, data of Armstrong, Khatib and Burdick (1986)",
    "urdf": "an arm of a URDF file",
    "carrier": "a mass on springs and dampers",
}


def robot_lines(explanation: Explanation, units: str) -> list[str]:
    """The lines of every robot."""
    lines = []
    for name, robot in explanation.robots.items():
        lines.append(f"  robot      {name}: {_WHAT[robot['library']]}")
        if "why_not" in robot:
            lines.append(f"             not looked at further: {robot['why_not']}")
        else:
            lines += _of_one(robot, unit_names(units).length)
    return lines


def _of_one(robot: Any, length: str) -> list[str]:
    lines = _working_point(robot) if "angles" in robot else []
    lines.append(f"  wrist      at {_point(robot['wrist'])}{length}, tool along {_point(robot['tool_axis'])}")
    axes = ", ".join(f"{axis} {_direction(along)}" for axis, along in robot["task_axes"].items())
    lines.append(f"  task       its axes: {axes}")
    payload = robot["payload"]
    if payload is not None:
        what = f", with {listed(robot['held'])}" if robot["held"] else ""
        at = f"{_point(payload['center'])}{length}"
        lines.append(f"  carries    {payload['mass']:.4g} kg at {at} of its flange{what}")
    lines += _vibrations(robot)
    lines += _gripper(robot["gripper"], length)
    lines += _listed("assumed", robot["assumed"])
    lines += _listed("left out", robot["left_out"])
    return lines


def _working_point(robot: Any) -> list[str]:
    angles = ", ".join(f"{_clean(angle):.4g}°" for angle in robot["working_point_deg"])
    way = f" (VAL; {robot['configuration']})" if robot["configuration"] else ""
    lines = [f"  works at   {angles}{way}"]
    if robot["singular"]:
        lines.append(f"             singular: {listed(robot['singular'])}; no straight path leads from there")
    if robot["beyond_range"]:
        lines.append(f"             beyond what its joints reach: {listed(robot['beyond_range'])}")
    if not any(robot["compensation"]):
        return [*lines, "  weight     none: the document has no gravity"]
    torques = ", ".join(f"{_clean(torque):.4g}" for torque in robot["compensation"])
    lines.append(f"  weight     held by {torques} N m in joints 1 to 6, payload included, at this point")
    return lines


def _vibrations(robot: Any) -> list[str]:
    vibrations = robot["vibrations"]
    known = [v["frequency"] for v in vibrations if v["frequency"] is not None]
    span = f"{min(known):.1f} to {max(known):.1f} Hz" if known else "none"
    lines = [f"  vibrates   {span}, undamped, under its controller; each with the damping of its shape alone"]
    rows = [
        (
            "drifts off" if v["frequency"] is None else f"{v['frequency']:.2f} Hz",
            "" if v["damping_ratio"] is None else f"{v['damping_ratio']:.3f}",
            _mostly(v["shape"], robot["coordinates"]),
        )
        for v in vibrations
    ]
    lines += table_lines(("frequency", "damping ratio", "mostly"), rows)
    if not robot["stable"]:
        lines.append("             it is not stable: its controller does not hold it at this point")
    return lines


def _mostly(shape: Sequence[float], names: Sequence[str]) -> str:
    order = sorted(range(len(shape)), key=lambda k: -abs(shape[k]))
    return listed([names[k] for k in order[:3] if abs(shape[k]) > _HARDLY])


def _gripper(gripper: Any, length: str) -> list[str]:
    lines = [f"  gripper    at {_point(gripper['at'])}{length}, along the task's axes, at rest"]
    for coupling in gripper["coupling"]:
        force, own = coupling["force"], coupling["force"][1:]
        across = {axis: share for axis, share in coupling["moves"].items() if axis != own}
        strong = [_share(axis, share) for axis, share in across.items() if abs(share) >= _HARDLY]
        weak = [
            f"{axis} ({abs(share):.2g})" for axis, share in across.items() if _NONE < abs(share) < _HARDLY
        ]
        words = f"a force along {force} moves it along {force} by {1e6 * coupling['gives']:.4g} µm/N"
        words += f", and along {listed(strong)}" if strong else ""
        words += f"; hardly along {listed(weak)}" if weak else ""
        lines.append(f"             {words}")
    if gripper["stiffness"] is None:
        lines.append("             a direction gives way to no force: its compliance has no inverse")
    else:
        diagonal = [gripper["stiffness"][k][k] for k in range(3)]
        told = ", ".join(f"{1e-3 * value:.4g}" for value in diagonal)
        lines.append(f"             where it may move along one of them only: {told} N/mm along x, y, z")
    return lines


def _share(axis: str, share: float) -> str:
    return f"{'-' if share < 0 else ''}{axis} by {abs(share):.2g} of that"


def _listed(label: str, entries: Sequence[str]) -> list[str]:
    return [f"  {label if k == 0 else '':<10} {entry}" for k, entry in enumerate(entries)]


def _point(numbers: Sequence[float]) -> str:
    return f"({', '.join(f'{_clean(x):.5g}' for x in numbers)})"


def _clean(value: float) -> float:
    """Rounding is told as 0."""
    return 0.0 if abs(value) < _NONE else value


def _direction(along: Sequence[float]) -> str:
    """A direction of the world by its name where it is one within a tenth of a degree, else by numbers."""
    for k, axis in enumerate("xyz"):
        if abs(abs(along[k]) - 1) < 1 - math.cos(math.radians(0.1)):
            return f"{'-' if along[k] < 0 else '+'}{axis} of the world"
    return _point(along)
