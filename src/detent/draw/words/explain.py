"""The answer of `detent explain` for a person: parts, joints, mobility, the plan, the drives."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from detent.draw.words.elastic import lines as elastic_lines
from detent.draw.words.instant import lines as instant_lines
from detent.draw.words.layout import named, table_lines
from detent.draw.words.pegs.told import lines as peg_lines
from detent.draw.words.robots import robot_lines
from detent.foundation.exact import Number
from detent.geometry.frame import axis_words
from detent.judge.explanation import COUNTED_AS_DRAWN, Explained, explained, few
from detent.judge.linkage import Linkage
from detent.model.document.joint import Joint
from detent.model.document.mechanism import Mechanism
from detent.model.machine.graph import loose_parts
from detent.model.machine.seen_along import axis_seen_along
from detent.record.explanation import Explanation, JointFound
from detent.record.instant import Instant

SHORT = 1000  # a ratio with a smaller denominator is written as a fraction


def in_words(
    mechanism: Mechanism, instant: Instant | None = None, *, judged: Explained | None = None
) -> Explanation:
    """The explanation of a machine, judged already or not, with its words; and of an instant of its run."""
    judged = judged or explained(mechanism)
    lines = [words(mechanism, judged), *([] if instant is None else instant_lines(instant, mechanism.units))]
    return replace(judged.record, instant=instant, words="\n".join(lines))


def words(mechanism: Mechanism, judged: Explained) -> str:
    """What a person reads."""
    lines = [named(mechanism.title, "machine")]
    fixed = [name for name, part in mechanism.parts.items() if part.fixed]
    moving = [name for name, part in mechanism.parts.items() if not part.fixed]
    verb = "moves" if len(moving) == 1 else "move"
    lines.append(f"  parts      {len(mechanism.parts)}: {few(moving) or 'none'} {verb}")
    lines.append(f"             {few(fixed)} held fast" if fixed else "             nothing is held fast")
    lines += _joint_lines(judged)
    lines.append(f"  mobility   {_counted(judged)}")
    lines += _truly_counted(judged)
    lines += [f"  loose      {words}" for words in loose_parts(judged.resolved)]
    axis = axis_seen_along(judged.resolved)
    if axis is not None:
        lines.append(
            f"  seen       along {axis_words(axis)}, the axis its joints share, by methods of the plane"
        )
    lines += _found_lines(judged)
    lines += _linkage_lines(judged.linkage)
    lines += robot_lines(judged.record, mechanism.units)
    lines += elastic_lines(mechanism, judged.record.elastic)
    lines += peg_lines(judged.record.pegs, mechanism.units)
    lines += [line for told in judged.record.connections.values() for line in _connection(told)]
    for name, drive in mechanism.drives.items():
        target = drive.joint or drive.part or drive.marker
        held = judged.linkage.rigid and not drive.legs
        lines.append(f"  drive      {name}: {'cannot move' if held else 'moves'} {target}")
    return "\n".join(lines)


def _connection(told: Mapping[str, Any]) -> list[str]:
    """A ring or a hook, in the lines that a mating has of it too."""
    if "why_not" in told:
        return [f"  gives way  {told['at']}: {told['why_not']}"]
    return [f"  {told['kind'] if k == 0 else '':<10} {line}" for k, line in enumerate(told["said"])]


def _joint_lines(judged: Explained) -> list[str]:
    joints = judged.resolved.joints
    if not joints:
        return ["  joints     none given"]
    found = [joint for joint in judged.record.joints if joint.inferred]
    counted = f", {len(found)} found from the shapes" if found else ""
    lines = [f"  joints     {len(joints)}{counted}"]
    rows = [
        (
            joint.name,
            "not known" if joint.type == "infer" else _type(joint),
            " and ".join(joints[joint.name].between),
            few([word for word, present in _extras(joints[joint.name]) if present]),
        )
        for joint in judged.record.joints
    ]
    lines += table_lines(("name", "type", "between", "with"), rows)
    lines += [f"  found      {joint.name}: {joint.why}" for joint in found]
    compared = [joint for joint in judged.record.joints if joint.compared]
    agree = [joint.name for joint in compared if joint.compared == "agrees"]
    if agree:
        lines.append(f"  compared   {few(agree)} as the shapes have {'it' if len(agree) == 1 else 'them'}")
    lines += [
        f"  compared   {joint.name} is {joint.type} as given, though {joint.compared}"
        for joint in compared
        if joint.compared != "agrees"
    ]
    return lines


def _type(joint: JointFound) -> str:
    return f"{joint.type}, acts as {joint.acts_as}" if joint.acts_as else joint.type


def _found_lines(judged: Explained) -> list[str]:
    """What follows from the shapes: freedoms dropped, what can touch, subsystems, states, what stays open."""
    record, inference = judged.record, judged.inference
    lines = []
    by_why: dict[str, list[str]] = {}
    for drop in inference.dropped:
        by_why.setdefault(drop.why, []).append(drop.freedom)
    lines += [f"  dropped    {few(freedoms)}: {why}" for why, freedoms in by_why.items()]
    if record.interactions:
        pairs = few([f"{a}:{b}" for a, b in record.interactions if (a, b) not in inference.unbounded])
        if pairs:
            lines.append(f"  can touch  {pairs}, beyond their joints")
        if inference.unbounded:
            others = few([f"{a}:{b}" for a, b in inference.unbounded])
            lines.append(f"  can touch  {others}, as far as is known: no envelope bounds how they move")
    if len(record.subsystems) > 1 and record.joints:
        lines.append(
            f"  subsystems {len(record.subsystems)}: {'; '.join(few(names) for names in record.subsystems)}"
        )
    if record.elementary and len(record.elementary) != len(record.subsystems):
        lines.append(
            f"  elementary {len(record.elementary)}: {few(record.elementary)}, "
            "each with an axis fixed in the frame"
        )
    if judged.linkage.rigid and record.joints:
        lines.append("  states     none: no part can move")
    if record.state_variables:
        names = few(
            [f"{c.joint} ({'angle' if c.kind == 'angle' else 'travel'})" for c in inference.coordinates]
        )
        actual = record.mobility.actual
        drawn = ", as drawn" if actual is not None and actual < len(inference.coordinates) else ""
        lines.append(f"  states     {len(record.state_variables)}: position and speed of {names}{drawn}")
    lines += [f"  open       {question}" for question in inference.open]
    return lines


def _ratio(ratio: Number) -> str:
    """As a fraction where that is short, as gears are: -1/12."""
    exact = Fraction(ratio)
    return str(exact) if exact.denominator < SHORT else f"{float(exact):.6g}"


def _extras(joint: Joint) -> list[tuple[str, bool]]:
    ratio = "" if joint.ratio is None else f"ratio {_ratio(joint.ratio)}"
    return [
        (ratio, bool(ratio)),
        ("spring", joint.spring is not None),
        ("damping", joint.damping is not None),
        ("friction", joint.friction is not None),
        ("limits", joint.limits is not None),
        ("beam", joint.beam is not None),
        ("plate", joint.plate is not None),
    ]


def _counted(judged: Explained) -> str:
    mobility = judged.record.mobility.gruebler
    if mobility is None:
        return f"not counted: {judged.counted}"
    return f"{mobility} by Gruebler's count ({judged.counted})"


def _truly_counted(judged: Explained) -> list[str]:
    """The line that goes on from Gruebler's count."""
    linkage, actual = judged.linkage, judged.record.mobility.actual
    if linkage.closes is None and actual is not None and judged.resolved.joints:
        return [f"             {actual} truly: {COUNTED_AS_DRAWN}"]
    if not linkage.closes:
        return []
    counted = "not counted" if linkage.actual is None else str(linkage.actual)
    return [f"             {counted} truly: {linkage.why}"]


def _linkage_lines(linkage: Linkage) -> list[str]:
    if linkage.closes is None:
        return []
    kind = "redundant" if linkage.closes else "conflict"
    lines = [f"  {kind:<9}  {', '.join(r['joints'])}: {r['why']}" for r in linkage.redundant]
    return lines + _plan_lines(linkage)


def _plan_lines(linkage: Linkage) -> list[str]:
    lines = ["  plan"] if linkage.plan else []
    steps = [step for step in linkage.plan if " on 0 equations " not in step["step"]]  # loose: said above
    for i, step in enumerate(steps, 1):
        who = f" → {', '.join(step['parts'])}" if step["parts"] else ""
        lines.append(f"    {i}. {step['step']}{who}")
    return lines
