"""The forces of a motion for a person: what drives must give, what joints carry, and where no number says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from detent.foundation.units import measured
from detent.record.motion import Motion

MOST_NAMED = 8  # joints in one answer; the rest is in the table


def force_lines(motion: Motion) -> list[str]:
    """One line for each drive, then one for the joints of each kind of answer."""
    lines = []
    joints: dict[str, list[str]] = {}
    for name, peak in motion.force_peaks.items():
        unit = _unit(motion.force_components[name][0])
        if name.startswith("drive "):
            lines.append(f"  {name:<10} {_drive_words(motion, peak, unit)}")
            continue
        said, words = _joint_words(motion, peak, unit)
        joints.setdefault(said, []).append(f"{name} {words}".rstrip())
    for said, named in joints.items():
        more = f", and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
        lines.append(f"  joints     {said}{', '.join(named[:MOST_NAMED])}{more}")
    return lines


def _drive_words(motion: Motion, peak: Mapping[str, Any], unit: str) -> str:
    if peak.get("unbounded"):
        return f"unbounded at {_where(motion, peak['at'])}: the links have no lever there"
    if "most" not in peak or peak.get("undetermined"):
        return _why_none(peak)
    if "least" not in peak:  # of a vector there is only its length
        return f"up to {peak['most']:.6g}{unit}"
    low, high = peak["least"], peak["most"]
    if f"{low:.6g}" == f"{high:.6g}":
        return f"{high:.6g}{unit} throughout"
    return f"between {low:.6g} and {high:.6g}{unit}"


def _joint_words(motion: Motion, peak: Mapping[str, Any], unit: str) -> tuple[str, str]:
    if peak.get("unbounded"):
        return f"unbounded at {_where(motion, peak['at'])}: ", ""
    if "most" in peak and not peak.get("undetermined"):
        return "", f"up to {peak['most']:.6g}{unit}"
    return f"{_why_none(peak)}: ", ""


def _why_none(peak: Mapping[str, Any]) -> str:
    if peak.get("undetermined"):
        return "not determined by statics"
    return "no balance"


def _unit(component: str) -> str:
    """The unit in a component's name, as ` N`."""
    _, bracket, rest = component.partition("[")
    return f" {rest.removesuffix(']')}" if bracket else ""


def _where(motion: Motion, at: Any) -> str:
    of = ""
    if isinstance(at, list | tuple):
        at, of = at[0], f" of {motion.coordinates[0]}"
    return measured(at, motion.coordinate_units[0]) + of
