"""The forces of a motion for a person: what drives must give, what joints carry, and where no number says."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from detent.foundation.names import few
from detent.foundation.units import measured, outward
from detent.record.motion import Motion

MOST_NAMED = 8  # joints in one answer; the rest is in the table
_ROUNDING = 1e-12  # of the larger of two samples: the other is rounding


def force_lines(motion: Motion) -> list[str]:
    """One line for each drive, then one for the joints of each kind of answer."""
    lines = []
    joints: dict[str, list[tuple[str, float]]] = {}  # by kind of answer: what is said of each, and its size
    for name, peak in motion.force_peaks.items():
        unit = _unit(motion.force_components[name][0])
        if name.startswith("drive "):
            lines.append(f"  {name:<10} {_drive_words(motion, peak, unit)}")
            continue
        said, words = _joint_words(motion, peak, unit, motion.force_components[name])
        joints.setdefault(said, []).append((f"{name} {words}".rstrip(), peak.get("most", 0.0)))
    for said, named in joints.items():
        # Equal forces differ in their last digits: of those the first in the document are named.
        largest = sorted(range(len(named)), key=lambda k: -float(_bound(named[k][1], 1)))[:MOST_NAMED]
        words = ", ".join(named[k][0] for k in sorted(largest))
        more = f", and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
        lines.append(f"  joints     {said}{words}{more}")
    return lines


def _drive_words(motion: Motion, peak: Mapping[str, Any], unit: str) -> str:
    if peak.get("unbounded"):
        return f"unbounded at {_places(motion, peak)}: {peak.get('why', 'the links have no lever there')}"
    if "most_range" in peak:
        return _open_words(peak, unit)
    if "most" not in peak or peak.get("undetermined"):
        return _why_none(peak)
    told = _told(peak)
    if "least" not in peak:  # of a vector there is only its length
        return f"up to {_bound(peak['most'], 1)}{unit}{told}"
    low, high = peak["least"], peak["most"]
    if peak.get("sampled"):  # no bounds: what is rounding beside the other is none
        rounding = _ROUNDING * max(abs(low), abs(high))
        low, high = (0.0 if abs(each) <= rounding else each for each in (low, high))
    if f"{low:.6g}" == f"{high:.6g}":
        return f"{high:.6g}{unit}{told or ' throughout'}"
    return f"between {_bound(low, -1)} and {_bound(high, 1)}{unit}{told}"


def _open_words(peak: Mapping[str, Any], unit: str) -> str:
    """Where contacts that stick share a load with a drive: its ends, each with its range."""
    ends = []
    for end, word in (("most_range", "most"), ("least_range", "least")):
        low, high = peak[end]
        if math.isinf(low) or math.isinf(high):
            span = "any" if math.isinf(low) and math.isinf(high) else ""
            span = span or (f"{_bound(low, -1)}{unit} or more" if math.isinf(high) else "")
            span = span or f"{_bound(high, 1)}{unit} or less"
        elif f"{low:.6g}" == f"{high:.6g}":
            span = f"{high:.6g}{unit}"
        else:
            span = f"{_bound(low, -1)} to {_bound(high, 1)}{unit}"
        ends.append(f"its {word} {span}")
    shared = "statics leaves open how contacts that stick share it"
    return f"{', '.join(ends)}, at its steps: {shared}"


def _joint_words(
    motion: Motion, peak: Mapping[str, Any], unit: str, components: Sequence[str]
) -> tuple[str, str]:
    """What is said before the joint's name, and after it."""
    if peak.get("unbounded"):
        return f"unbounded at {_places(motion, peak)}: ", ""
    moments = {c for c in components[1:] if c.startswith("moment")}  # beside a force: of slides and welds
    if "most" not in peak or set(peak.get("undetermined", ())) - moments:
        return f"{_why_none(peak)}: ", ""
    moment = (
        f" and {_bound(peak['moment_most'], 1)}{_unit(components[-1])}" if peak.get("moment_most") else ""
    )
    if peak.get("undetermined"):
        moment = f" (its moment {_why_none(peak)})"
    if components[0].startswith("moment "):  # of a gear, whose wheels have different ones
        moment = components[0].removeprefix("moment").partition(" [")[0]
    return "", f"up to {_bound(peak['most'], 1)}{unit}{moment}{_told(peak)}"


def _told(peak: Mapping[str, Any]) -> str:
    """Where extremes are not those of the whole motion: towards what has no balance a force may grow."""
    if peak.get("sampled"):
        return " at its steps; between them it may be a little more"
    return " where there is a balance" if peak.get("unbalanced") else ""


def _bound(number: float, side: int) -> str:
    """A bound to six digits, rounded so that it stays one."""
    return f"{outward(number, side, digits=6):.6g}"


def _why_none(peak: Mapping[str, Any]) -> str:
    if peak.get("undetermined"):
        return "not determined by statics"
    return "no balance"


def _unit(component: str) -> str:
    """The unit in a component's name, as ` N`."""
    _, bracket, rest = component.partition("[")
    return f" {rest.removesuffix(']')}" if bracket else ""


def _places(motion: Motion, peak: Mapping[str, Any]) -> str:
    """Every place at which a force has no bound, each once; of many the first."""
    told = dict.fromkeys(_where(motion, at) for at in peak.get("all_at", [peak["at"]]))
    return few(list(told), MOST_NAMED)


def _where(motion: Motion, at: Any) -> str:
    of = ""
    if isinstance(at, list | tuple):
        at, of = at[0], f" of {motion.coordinates[0]}"
    return measured(at, motion.coordinate_units[0]) + of
