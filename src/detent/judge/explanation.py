"""What is this machine? Its parts and joints, and how many ways it can move, in words and numbers."""

from __future__ import annotations

from detent.foundation.names import listed
from detent.judge.linkage import Linkage, linkage_of
from detent.model.document.joint import Joint
from detent.model.document.mechanism import Mechanism
from detent.model.machine import graph
from detent.model.machine.joint_gaps import floats, unit
from detent.model.machine.placed import Placed, PlacedJoint, place
from detent.record.explanation import Explanation, JointFound, Mobility

_MOST_NAMED = 12  # in one list; the others are counted


def explain(mechanism: Mechanism) -> Explanation:
    """What the document says of the machine, without moving it."""
    count = graph.gruebler(mechanism)
    placed = place(mechanism)
    joints = tuple(_joint(placed, joint) for joint in placed.joints.values())
    linkage = linkage_of(mechanism)
    why = "; ".join(w for w in (_sum(count), linkage.why) if w)
    mobility = Mobility(gruebler=count.mobility, actual=linkage.actual, why=why)
    return Explanation(
        title=mechanism.title,
        parts=tuple(mechanism.parts),
        joints=joints,
        mobility=mobility,
        redundant=linkage.redundant,
        plan=linkage.plan,
        plan_summary=linkage.summary,
        subsystems=tuple(graph.groups(mechanism)),
        words=_words(mechanism, count, linkage),
        assumptions=_assumptions(mechanism),
    )


def _joint(placed: Placed, joint: PlacedJoint) -> JointFound:
    axis: dict[str, tuple[float, ...]] | None = None
    if placed.knows(joint):
        at = floats(joint.point_in_world)[: placed.mechanism.dimension]
        axis = {"at": at, "along": unit(joint.axis_in_world)}
    return JointFound(name=joint.name, type=joint.joint.type, parts=graph.parts_of(joint.joint), axis=axis)


def _sum(count: graph.GrueblerCount) -> str:
    """Gruebler's count as a sum a person can check."""
    terms = [f"{count.freedoms_each} × {count.moving} moving part{'s' if count.moving != 1 else ''}"]
    by_size: dict[int, int] = {}
    for _, freedoms in count.taken:
        by_size[freedoms] = by_size.get(freedoms, 0) + 1
    for freedoms, joints in sorted(by_size.items(), reverse=True):
        if freedoms:
            terms.append(f"{freedoms} × {joints} joint{'s' if joints > 1 else ''}")
    if count.unknown:
        return f"{' − '.join(terms)}, less what {_list(count.unknown)} will take once inferred"
    return f"{' − '.join(terms)} = {count.mobility}"


def _words(mechanism: Mechanism, count: graph.GrueblerCount, linkage: Linkage) -> str:
    lines = [mechanism.title or "This machine"]
    fixed = [name for name, part in mechanism.parts.items() if part.fixed]
    moving = [name for name, part in mechanism.parts.items() if not part.fixed]
    verb = "moves" if len(moving) == 1 else "move"
    lines.append(f"  parts      {len(mechanism.parts)}: {_list(moving) or 'none'} {verb}")
    lines.append(f"             {_list(fixed)} held fast" if fixed else "             nothing is held fast")
    lines += _joint_lines(mechanism)
    lines.append(f"  mobility   {_mobility_words(count)}")
    lines += linkage.words
    for name, drive in mechanism.drives.items():
        target = drive.joint or drive.part or drive.marker
        lines.append(f"  drive      {name}: moves {target}")
    return "\n".join(lines)


def _joint_lines(mechanism: Mechanism) -> list[str]:
    if not mechanism.joints:
        return ["  joints     none given: the shapes decide"]
    lines = [f"  joints     {len(mechanism.joints)}:"]
    width = max(len(name) for name in mechanism.joints)
    for name, joint in mechanism.joints.items():
        first, second = joint.between
        kind = "to be inferred" if joint.type == "infer" else joint.type
        extras = [word for word, there in _extras(joint) if there]
        tail = f", with {_list(extras)}" if extras else ""
        lines.append(f"    {name:<{width}}  {kind} between {first} and {second}{tail}")
    return lines


def _extras(joint: Joint) -> list[tuple[str, bool]]:
    return [
        ("spring", joint.spring is not None),
        ("damping", joint.damping is not None),
        ("limits", joint.limits is not None),
        ("beam", joint.beam is not None),
        ("plate", joint.plate is not None),
    ]


def _mobility_words(count: graph.GrueblerCount) -> str:
    if count.mobility is None:
        return f"not counted yet: {_sum(count)}"
    return f"{count.mobility} by Gruebler's count ({_sum(count)})"


def _assumptions(mechanism: Mechanism) -> tuple[str, ...]:
    found = []
    if mechanism.units == "1":
        found.append("lengths are in an unnamed unit; forces follow it")
    if mechanism.gravity is None:
        found.append("no gravity")
    return tuple(found)


def _list(names: list[str] | tuple[str, ...]) -> str:
    names = list(names)
    if len(names) > _MOST_NAMED:
        rest = len(names) - _MOST_NAMED + 1
        names = [*names[:-rest], f"{rest} more"]
    return listed(names)
