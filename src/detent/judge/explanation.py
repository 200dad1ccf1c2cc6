"""What is this machine? Its parts and joints and its degrees of freedom, in numbers and reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from detent.foundation.names import listed
from detent.judge.linkage import Linkage, linkage_of
from detent.mechanics.beam import elastic_of
from detent.model.document.mechanism import Mechanism
from detent.model.machine import graph
from detent.model.machine.joint_gaps import floats, unit
from detent.model.machine.placed import Placed, PlacedJoint, place
from detent.record.explanation import Explanation, JointFound, Mobility

NOT_INFERRED = 'not inferred in this version: write type = "revolute", at = […]'
_MOST_NAMED = 12  # in one list; the others are counted


@dataclass(frozen=True)
class Explained:
    """The record of an explanation, without words, and what words are made of."""

    record: Explanation
    counted: str  # Gruebler's count, as a sum
    linkage: Linkage


def explain(mechanism: Mechanism) -> Explanation:
    """What the document says of the machine, without moving it; `detent.explain` adds the words."""
    return explained(mechanism).record


def explained(mechanism: Mechanism) -> Explained:
    """The same, with what the words of it are made of."""
    count = graph.gruebler(mechanism)
    placed = place(mechanism)
    joints = tuple(_joint(placed, joint) for joint in placed.joints.values())
    linkage = linkage_of(mechanism)
    counted = _sum(count)
    why = "; ".join(w for w in (counted, linkage.why) if w)
    mobility = Mobility(gruebler=count.mobility, actual=linkage.actual, why=why)
    record = Explanation(
        title=mechanism.title,
        parts=tuple(mechanism.parts),
        joints=joints,
        mobility=mobility,
        redundant=linkage.redundant,
        plan=linkage.plan,
        plan_summary=linkage.summary,
        subsystems=tuple(graph.groups(mechanism)),
        elastic=elastic_of(mechanism),
        assumptions=_assumptions(mechanism),
    )
    return Explained(record, counted, linkage)


def _joint(placed: Placed, joint: PlacedJoint) -> JointFound:
    axis: dict[str, tuple[float, ...]] | None = None
    if placed.knows(joint):
        at = floats(joint.point_in_world)[: placed.mechanism.dimension]
        axis = {"at": at, "along": unit(joint.axis_in_world)}
    why = NOT_INFERRED if joint.joint.type == "infer" else ""
    parts = graph.parts_of(joint.joint)
    ratio = None if joint.joint.ratio is None else float(joint.joint.ratio)
    return JointFound(name=joint.name, type=joint.joint.type, parts=parts, axis=axis, why=why, ratio=ratio)


def _sum(count: graph.GrueblerCount) -> str:
    """Gruebler's count as a sum a person can check."""
    terms = [f"{count.freedoms_each} × {count.moving} moving part{'s' if count.moving != 1 else ''}"]
    by_size: dict[int, int] = {}
    for _, dof in count.taken:
        by_size[dof] = by_size.get(dof, 0) + 1
    for dof, joints in sorted(by_size.items(), reverse=True):
        if dof:
            terms.append(f"{dof} × {joints} joint{'s' if joints > 1 else ''}")
    if count.unknown:
        return f"{' − '.join(terms)}, less what {few(count.unknown)} take, which this version does not infer"
    return f"{' − '.join(terms)} = {count.mobility}"


def _assumptions(mechanism: Mechanism) -> tuple[str, ...]:
    assumptions = []
    if mechanism.units == "1":
        assumptions.append("lengths are in an unnamed unit; forces follow it")
    if mechanism.gravity is None:
        assumptions.append("no gravity")
    return tuple(assumptions)


def few(names: Sequence[str]) -> str:
    """Names as a list in words; many are counted."""
    names = list(names)
    if len(names) > _MOST_NAMED:
        rest = len(names) - _MOST_NAMED + 1
        names = [*names[:-rest], f"{rest} more"]
    return listed(names)
