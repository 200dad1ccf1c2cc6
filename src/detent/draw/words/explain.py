"""The answer of `detent explain` for a person: parts, joints, mobility, the plan, the drives."""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from detent.draw.words.layout import named, table_lines
from detent.foundation.exact import Number
from detent.judge.explanation import NOT_INFERRED, Explained, explained, few
from detent.judge.linkage import Linkage
from detent.model.document.joint import Joint
from detent.model.document.mechanism import Mechanism
from detent.model.machine.graph import loose_parts
from detent.record.explanation import Explanation

SHORT = 1000  # a ratio with a smaller denominator is written as a fraction


def in_words(mechanism: Mechanism) -> Explanation:
    """The explanation of a machine with its words."""
    judged = explained(mechanism)
    return replace(judged.record, words=words(mechanism, judged))


def words(mechanism: Mechanism, judged: Explained) -> str:
    """What a person reads."""
    lines = [named(mechanism.title, "machine")]
    fixed = [name for name, part in mechanism.parts.items() if part.fixed]
    moving = [name for name, part in mechanism.parts.items() if not part.fixed]
    verb = "moves" if len(moving) == 1 else "move"
    lines.append(f"  parts      {len(mechanism.parts)}: {few(moving) or 'none'} {verb}")
    lines.append(f"             {few(fixed)} held fast" if fixed else "             nothing is held fast")
    lines += _joint_lines(mechanism)
    lines.append(f"  mobility   {_counted(judged)}")
    lines += _truly_counted(judged.linkage)
    lines += [f"  loose      {words}" for words in loose_parts(mechanism)]
    lines += _linkage_lines(judged.linkage)
    for name, drive in mechanism.drives.items():
        target = drive.joint or drive.part or drive.marker
        lines.append(f"  drive      {name}: moves {target}")
    return "\n".join(lines)


def _joint_lines(mechanism: Mechanism) -> list[str]:
    if not mechanism.joints:
        return ["  joints     none given"]
    lines = [f"  joints     {len(mechanism.joints)}"]
    rows = [
        (
            name,
            "not known" if joint.type == "infer" else joint.type,
            " and ".join(joint.between),
            few([word for word, present in _extras(joint) if present]),
        )
        for name, joint in mechanism.joints.items()
    ]
    lines += table_lines(("name", "type", "between", "with"), rows)
    if any(joint.type == "infer" for joint in mechanism.joints.values()):
        lines.append(f"    {NOT_INFERRED}")
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
        ("limits", joint.limits is not None),
        ("beam", joint.beam is not None),
        ("plate", joint.plate is not None),
    ]


def _counted(judged: Explained) -> str:
    mobility = judged.record.mobility.gruebler
    if mobility is None:
        return f"not counted: {judged.counted}"
    return f"{mobility} by Gruebler's count ({judged.counted})"


def _truly_counted(linkage: Linkage) -> list[str]:
    """The line that goes on from Gruebler's count."""
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
