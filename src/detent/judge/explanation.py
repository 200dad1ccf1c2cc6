"""What is this machine? Its parts and joints and its degrees of freedom, in numbers and reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from detent.foundation.exact import Number
from detent.foundation.names import listed
from detent.infer.found import Inference, InferredPair
from detent.infer.inference import infer
from detent.infer.resolve import with_found
from detent.judge.compliant.explained import explained_connections
from detent.judge.elastic import elastic_of
from detent.judge.linkage import Linkage, linkage_of
from detent.judge.pegs.explained import explained_pegs
from detent.judge.robots import robots_of
from detent.model.document.mechanism import Mechanism
from detent.model.machine import graph
from detent.model.machine.drawn.joint_gaps import floats, unit
from detent.model.machine.placed import Placed, PlacedJoint, place
from detent.model.machine.seen_along import seen_along_axis
from detent.record.explanation import Explanation, JointFound, Mobility

COUNTED_AS_DRAWN = "counted from the constraints of all joints as drawn"
_MOST_NAMED = 12  # in one list; the others are counted


@dataclass(frozen=True)
class Explained:
    """The record of an explanation, without words, and what words are made of."""

    record: Explanation
    counted: str  # Gruebler's count, as a sum
    linkage: Linkage
    resolved: Mechanism  # with its joints as found
    inference: Inference


def explain(mechanism: Mechanism) -> Explanation:
    """What the document says of the machine, without moving it; `detent.explain` adds the words."""
    return explained(mechanism).record


def explained(mechanism: Mechanism) -> Explained:
    """The same, with what the words of it are made of."""
    inference = infer(mechanism)
    resolved = with_found(mechanism, inference.joints)
    count = graph.gruebler(resolved)
    placed = place(resolved)
    pairs = {joint.name: joint for joint in inference.joints}
    joints = tuple(_joint(placed, joint, pairs.get(joint.name)) for joint in placed.joints.values())
    linkage = linkage_of(seen_along_axis(resolved))
    counted = _sum(count)
    why = "; ".join(w for w in (counted, linkage.why) if w)
    actual = linkage.actual
    if actual is None and resolved.dimension == 3 and inference.mobility is not None:
        actual, why = inference.mobility, f"{why}; {COUNTED_AS_DRAWN}"
    mobility = Mobility(gruebler=count.mobility, actual=actual, why=why)
    pegs = explained_pegs(mechanism)
    told = {part for part, peg in pegs.items() if "why_not" not in peg}  # a flat tip is no hook's ramp
    connections = {
        name: one for name, one in explained_connections(mechanism).items() if one.get("hook") not in told
    }
    record = Explanation(
        title=mechanism.title,
        parts=tuple(mechanism.parts),
        joints=joints,
        mobility=mobility,
        redundant=linkage.redundant,
        plan=linkage.plan,
        plan_summary=linkage.summary,
        subsystems=inference.subsystems,
        elementary=inference.elementary,
        state_variables=() if linkage.rigid else inference.state_variables,
        interactions=inference.interactions,
        dropped=tuple({"joint": d.joint, "freedom": d.freedom, "why": d.why} for d in inference.dropped),
        open=tuple({"at": q.at, "problem": q.problem, "remedy": q.remedy} for q in inference.open),
        elastic=elastic_of(mechanism),
        robots=robots_of(mechanism),
        pegs=pegs,
        connections=connections,
        assumptions=_assumptions(mechanism),
    )
    return Explained(record, counted, linkage, resolved, inference)


def _joint(placed: Placed, joint: PlacedJoint, pair: InferredPair | None) -> JointFound:
    axis: dict[str, tuple[float, ...]] | None = None
    if placed.knows(joint):
        at = floats(joint.point_in_world)[: placed.mechanism.dimension]
        axis = {"at": at, "along": unit(joint.axis_in_world)}
    parts = graph.parts_of(joint.joint)
    ratio = None if joint.joint.ratio is None else float(joint.joint.ratio)
    found = JointFound(name=joint.name, type=joint.joint.type, parts=parts, axis=axis, ratio=ratio)
    if pair is None or pair.given:
        return found if pair is None else replace(found, compared=pair.compared)
    ends = None if pair.low is None and pair.high is None else (_number(pair.low), _number(pair.high))
    return replace(
        found,
        type=pair.type,
        inferred=pair.type != "infer",
        why=pair.why,
        acts_as=pair.acts_as,
        play=pair.play or None,
        limits=ends,
    )


def _number(value: Number | None) -> float | None:
    return None if value is None else float(value)


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
        return f"{' − '.join(terms)}, less what {few(count.unknown)} take, which the shapes do not say"
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
