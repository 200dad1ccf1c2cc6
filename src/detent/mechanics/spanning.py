"""Which joints of a plane machine lead from fixed bodies outwards, and which close loops."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from detent.mechanics.tree_kernels import FREE, PIN, SLIDE, WELD
from detent.model.machine.plane_linkage import PlaneJoint, PlaneLinkage, axis_sign
from detent.model.machine.starts import start_by_joint
from detent.model.machine.system import System
from detent.numeric.union_find import Groups

_KINDS = {"revolute": PIN, "prismatic": SLIDE, "fixed": WELD}


@dataclass(frozen=True)
class TreeLink:
    """How a moving body hangs on its parent."""

    body: int
    parent: int
    kind: int
    joint: PlaneJoint | None  # None of a free body
    sign: float = 1.0  # of the joint's coordinate


def spanned(
    system: System, linkage: PlaneLinkage
) -> tuple[list[TreeLink], list[PlaneJoint], list[PlaneJoint]]:
    """Links of the tree, joints that close loops, and those that relate rotations."""
    reached = {i for i, fixed in enumerate(linkage.fixed) if fixed}
    relations = [pair for pair in linkage.pairs if pair.kind in ("gear", "angle")]
    waiting = _spanning(system, linkage, [pair for pair in linkage.pairs if pair.kind in _KINDS])
    spanning = {pair.name for pair in waiting}
    closing = [
        pair for pair in linkage.pairs if pair.name not in spanning and pair.kind in (*_KINDS, "in_line")
    ]
    links: list[TreeLink] = []
    left = [i for i, fixed in enumerate(linkage.fixed) if not fixed]
    while left:
        grown = True
        while grown:
            grown = False
            for pair in list(waiting):
                ends = pair.a.part, pair.b.part
                if ends[0] in reached or ends[1] in reached:
                    forwards = ends[0] in reached
                    parent, body = ends if forwards else ends[::-1]
                    sign = axis_sign(system, pair) * (1.0 if forwards else -1.0)
                    links.append(TreeLink(body, parent, _KINDS[pair.kind], pair, sign))
                    reached.add(body)
                    grown = True
                    waiting.remove(pair)
        left = [i for i in left if i not in reached]
        if left:
            links.append(TreeLink(left[0], left[0], FREE, None))
            reached.add(left[0])
            left = left[1:]
    return links, closing, relations


def _spanning(system: System, linkage: PlaneLinkage, joints: Sequence[PlaneJoint]) -> list[PlaneJoint]:
    """Joints that make no loop, in document order: welds, then those on which something acts, before others.

    What is driven, limited or given a start is then a coordinate of its own wherever a loop has a joint to
    spare.
    """
    mechanism = system.mechanism
    told = {*start_by_joint(mechanism), *(drive.joint for drive in mechanism.drives.values())}

    def rank(pair: PlaneJoint) -> int:
        joint = system.joint(pair.name)
        limited = math.isfinite(joint.low) or math.isfinite(joint.high)
        acted_on = limited or joint.stiffness or joint.damping or pair.name in told
        return 0 if pair.kind == "fixed" else 1 if acted_on else 2

    groups = Groups(range(len(linkage.fixed)))
    fixed = [part for part, still in enumerate(linkage.fixed) if still]
    for part in fixed:
        groups.join(fixed[0], part)
    chosen = set()
    for pair in sorted(joints, key=rank):
        if groups.head(pair.a.part) != groups.head(pair.b.part):
            groups.join(pair.a.part, pair.b.part)
            chosen.add(pair.name)
    return [pair for pair in joints if pair.name in chosen]
