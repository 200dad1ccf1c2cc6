"""The answer of `detent move` for a person: degrees where something turns, units where it slides."""

from __future__ import annotations

from math import degrees
from typing import Any

import numpy as np

from detent.draw.words.forces import force_lines
from detent.draw.words.layout import named, table_lines
from detent.foundation.names import listed
from detent.foundation.units import measured, outward, unit_names
from detent.model.document.mechanism import Mechanism
from detent.record.motion import CANNOT_FOLLOW, SAMPLED, SLIDE, Motion

MOST_EVENTS = 24  # in words; all of them are in JSON
MOST_NAMED = 8  # of parts, or dyads, in one answer; the rest is in the table and the picture
STILL = 1e-9  # [rad] of rotation below which a part is said to keep its direction, links to be in line
FULL = 360 - 1e-6  # [degrees]
_ROUNDED = 1e-12  # of a stroke: less is what rounding leaves of a zero


def words(motion: Motion, mechanism: Mechanism) -> str:
    """The answer for a person."""
    lines = [named(motion.title, "linkage"), _moved(motion)]
    lines += _limits(motion)
    lines += [f"  range      {words}" for words in range_words(motion)]
    lines += _rotation_lines(motion, mechanism)
    lines += _slides(motion)
    lines += _transmission(motion)
    lines += _events(motion)
    why = motion.stop_detail or CANNOT_FOLLOW
    stop = "done" if motion.stop == "done" else f"{motion.stop}: {why}"
    lines.append(f"  stop       {stop}")
    lines += _scope(motion)
    lines += _gap(motion)
    lines += force_lines(motion)
    lines += _assemblies(motion)
    lines += [f"  note       {note}" for note in motion.notes]
    return "\n".join(lines)


def range_words(motion: Motion) -> list[str]:
    """How far the drive can go both ways, where something stops it."""
    if motion.range is None:
        return []
    ends = [
        at_input(looked, motion) + ("" if motion.range[end] is not None else " (not looked at farther)")
        for end, looked in zip(("from", "to"), motion.range["looked"], strict=True)
    ]
    proved = "" if motion.range["proved"] else " (not proved)"
    stands = "" if len(motion.inputs) else f"; it stands at {at_input(motion.range['at'], motion)}"
    name = motion.range.get("joint") or motion.drives[0]
    return [f"{name} from {ends[0]} to {ends[1]}{proved}{stands}"]


def short_of_its_end(motion: Motion) -> str:
    """Where and why drives stop short of their end, or joints stay open; empty where all is done."""
    if motion.stop == "done":
        return "".join(line.strip() for line in _gap(motion))
    if not len(motion.inputs):
        return "; ".join([*motion.notes, *(f"range: {words}" for words in range_words(motion))])
    rows: Any = [] if motion.stopped_at is None else np.ravel(motion.stopped_at)
    at = [measured(float(x), unit, 6) for x, unit in zip(rows, motion.coordinate_units, strict=False)]
    return f"{motion.stop}{f' at {listed(at)}' if at else ''}: {motion.stop_detail or CANNOT_FOLLOW}"


def _events(motion: Motion) -> list[str]:
    """What touched, parted, snapped and stopped it, where contact was followed."""
    if motion.method != "following":
        return []
    if not motion.events:
        return ["  events     none: nothing touched"]
    rows = [
        (
            _event_at(event.time, motion),
            event.kind,
            ":".join(event.subjects),
            f"{' and '.join(event.before) or 'nothing'} -> {' and '.join(event.after) or 'nothing'}",
        )
        for event in motion.events[:MOST_EVENTS]
    ]
    more = len(motion.events) - len(rows)
    lines = [f"  events     {len(motion.events)}", *table_lines(("at", "event", "parts", "contacts"), rows)]
    return lines + ([f"    and {more} more"] if more else [])


def _event_at(time: float, motion: Motion) -> str:
    """Where an event is: of the one drive, or among its positions where several move."""
    return at_input(time, motion, 8) if len(motion.coordinate_units) == 1 else f"position {time:.6g}"


def _scope(motion: Motion) -> list[str]:
    """How sure it is, of what, and what it leaves out."""
    lines = [f"  certainty  {motion.scope.words}"]
    lines += [f"  left out   {', '.join(motion.scope.left_out)}"] if motion.scope.left_out else []
    return lines + (
        [f"  assumed    {'; '.join(motion.scope.assumed)}"]
        if motion.forces or motion.method == "following"
        else []
    )


def _moved(motion: Motion) -> str:
    count, drives = len(motion.inputs), ", ".join(motion.drives)
    if not count:
        return f"  moved      nowhere: the first position of {drives} cannot be reached"
    first, last = motion.inputs[0], motion.inputs[-1]
    if hasattr(first, "__len__"):
        span = "several at once"
    elif count == 1:
        span = f"at {at_input(first, motion)}"
    else:
        span = f"{at_input(first, motion)} to {at_input(last, motion)}"
        ends = min(first, last), max(first, last)
        farther = [x for x in (min(motion.inputs), max(motion.inputs)) if not ends[0] <= x <= ends[1]]
        if farther:  # it goes there and back
            span += f", by way of {' and '.join(at_input(x, motion) for x in farther)}"
    return f"  moved      {count} position{'' if count == 1 else 's'} of {drives}, {span}"


def _limits(motion: Motion) -> list[str]:
    """What lies on the drive path; what lies beyond the stop is told apart."""
    points = list(motion.limit_points)
    stops = [
        k for k, p in enumerate(points) if p.kind != "change" and motion.stop != "done" and len(motion.inputs)
    ]
    come_to = stops[0] + 1 if stops else len(points)
    lines = [_limit(point, motion) for point in points[:come_to]]
    beyond = [at_input(point.input, motion, 12) for point in points[come_to:] if point.kind == "limit"]
    if beyond:
        lines.append(f"  beyond     {', '.join(beyond)}: limits of the same drive that it does not come to")
    return lines


def _gap(motion: Motion) -> list[str]:
    """The widest joint at the positions shown; between them it may be open wider."""
    gaps = [(gap, k, joint) for k, joints in enumerate(motion.gaps) for joint, gap in joints.items()]
    if not gaps:
        return []
    gap, k, joint = max(gaps)
    row = motion.inputs[k]
    where = f"{at_input(row[0] if hasattr(row, '__len__') else row, motion)}{_of_several(motion)}"
    length = unit_names(motion.units).length
    return [f"  gap        at positions: up to {gap:.6g}{length} in joint {joint}, at {where}"]


def _assemblies(motion: Motion) -> list[str]:
    beyond = motion.assemblies_beyond
    if not motion.assemblies and not beyond:
        return []
    free = [assembly["free"] for assembly in motion.assemblies if assembly["free"]]
    parts = list(dict.fromkeys(part for parts in free for part in parts))
    verb = "rotates" if len(parts) == 1 else "rotate"
    loose = f"; in {len(free)} of them {listed(parts)} {verb} freely, listed as drawn" if free else ""
    verb = "closes" if beyond == 1 else "close"
    more = f"; {beyond} more {verb} with a joint beyond its limits" if beyond else ""
    return [f"  assemblies {len(motion.assemblies)} at the first position{loose}{more}"]


def _of_several(motion: Motion) -> str:
    """Of which drive a coordinate is, where several move."""
    return f" of {motion.coordinates[0]}" if len(motion.coordinates) > 1 else ""


def _limit(point: Any, motion: Motion) -> str:
    who = f" ({', '.join(point.parts)})" if point.parts else ""
    stop = f": {point.detail}" if point.joint else ""
    return f"  {point.kind:<10} at {at_input(point.input, motion, 12)}{_of_several(motion)}{who}{stop}"


def at_input(coordinate: float, motion: Motion, digits: int = 6) -> str:
    """A coordinate of the first drive for a person: an angle in degrees, a length with its unit."""
    return measured(float(coordinate), motion.coordinate_units[0], digits)


def _rotation_lines(motion: Motion, mechanism: Mechanism) -> list[str]:
    """The range of each moving part's angle on the whole path; else among the positions shown."""
    if len(motion.inputs) < 2:
        return []
    spans = []
    for name, poses in motion.poses.items():
        if name in mechanism.parts and mechanism.parts[name].fixed:
            continue
        extremes = motion.extremes.get(f"turn {name}")
        angles = [float(row[2]) for row in poses]
        span = max(angles) - min(angles) if extremes is None else extremes.greatest - extremes.least
        way = angles[-1] - angles[0]
        spans.append((name, degrees(span) if span > STILL else 0.0, _direction(way, span)))
    if not spans:
        return []
    found = [extremes for name, extremes in motion.extremes.items() if name.startswith("turn ")]
    stepped = any(extremes.certainty == SAMPLED for extremes in found)
    sampled = "at its steps: " if stepped else "" if motion.extremes else "at positions: "
    named = [f"{name} {_rotation_words(span)}{way}" for name, span, way in spans[:MOST_NAMED]]
    more = f", and {len(spans) - MOST_NAMED} more" if len(spans) > MOST_NAMED else ""
    return [f"  turns      {sampled}{', '.join(named)}{more}"]


def _rotation_words(span: float) -> str:
    if span == 0.0:
        return "not at all"
    if span < FULL:
        return f"{span:.6g}°"  # as the drive's coordinates are printed, so that they agree
    rotations = f"{span / 360:.6g}"
    return "once round" if rotations == "1" else f"{rotations} times round"


def _direction(way: float, span: float) -> str:
    """Which way it turned from first to last; none of what also turned back beyond one of them."""
    if span <= STILL or abs(way) < span * (1 - STILL):
        return ""
    return " counterclockwise" if way > 0 else " clockwise"


def _slides(motion: Motion) -> list[str]:
    """The stroke of each slide on the whole path, and the coordinates between which it goes.

    Of a part on no joint those of its origin.
    """
    unit, strokes, sampled = unit_names(motion.units).length, [], ""
    for name, found in motion.extremes.items():
        if name.startswith(SLIDE):
            joint = name.removeprefix(SLIDE)
            sampled = "at its steps: " if found.certainty == SAMPLED else sampled
            stroke = found.greatest - found.least
            low, high = (
                0.0 if abs(end) <= _ROUNDED * stroke else end for end in (found.least, found.greatest)
            )
            ends = f"{stroke:.6g}{unit} ({low:.6g} to {high:.6g})"
            strokes.append(f"{joint} {ends if found.greatest > found.least else 'not at all'}")
    more = f", and {len(strokes) - MOST_NAMED} more" if len(strokes) > MOST_NAMED else ""
    return [f"  slides     {sampled}{', '.join(strokes[:MOST_NAMED])}{more}"] if strokes else []


def _transmission(motion: Motion) -> list[str]:
    """The angle between the links of each dyad of pins: near 0° or 180° it is hard to drive."""
    smallest = []
    for dyad, column in motion.transmission.items():
        extremes = motion.extremes.get(f"transmission {dyad}")
        # The acute angle counts: 130° between two links pass a force on as badly as 50°.
        acute = [min(angle, 180 - angle) for angle in (abs(degrees(float(x))) % 180 for x in column)]
        if acute:
            least = min(acute) if extremes is None else degrees(extremes.least)
            smallest.append((least if least > degrees(STILL) else 0.0, dyad))
    if not smallest:
        return []
    worst = sorted(smallest)[:MOST_NAMED]
    named = [f"{dyad} at {outward(angle, -1, digits=6):.6g}° or more" for angle, dyad in worst]
    more = f", and {len(smallest) - MOST_NAMED} more" if len(smallest) > MOST_NAMED else ""
    sampled = "" if motion.extremes else "at positions: "
    return [f"  transmits  {sampled}{'; '.join(named)}{more}"]
