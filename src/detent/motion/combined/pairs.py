"""Which rigid parts are followed beside what gives way: those with flat faces, or round about one axis.

What a ring's law stands for is no rigid contact: the wall that it lies against. Round parts in its bore are
left out with it, and whatever else has curved faces; what is left out is named.
"""

from __future__ import annotations

from detent.foundation.errors import ModelError, UnsupportedError
from detent.geometry.polyhedron import polyhedron
from detent.model.document.mechanism import Mechanism
from detent.model.machine.pushed.compliant import rings_in
from detent.model.machine.system import compile_system
from detent.model.machine.touching import TouchingPairs
from detent.motion.leading.leader import Leader, leader_of
from detent.motion.leading.plan import PushPlan, plan_of

Pair = tuple[str, str]


def followed_pairs(plan: PushPlan, leader: Leader) -> tuple[tuple[Pair, ...], tuple[str, ...]]:
    """Pairs of a fixed and a held part, and in words those that may touch and are not followed."""
    mechanism, flat = plan.mechanism, _flat_parts(plan)
    touching = TouchingPairs(mechanism)
    followed, left_out = [], []
    for fixed in (name for name in plan.fixed if name in flat):
        for held in (name for name in leader.held if name in flat):
            if touching.ignored(fixed, held):
                continue
            if flat[fixed] and flat[held]:
                followed.append((fixed, held))
            else:
                left_out.append(f"contact of {held} with {fixed}, one of them with curved faces")
    return tuple(followed), tuple(left_out)


def rigid_beside(mechanism: Mechanism) -> bool:
    """Whether something leads rings of a document with rigid parts that can be followed beside them."""
    pushed = any(drive.legs for drive in mechanism.drives.values())
    if not (pushed and mechanism.dimension == 3 and rings_in(mechanism)):
        return False
    try:
        plan = plan_of(mechanism)
        leader = leader_of(mechanism, plan)
        return leader is not None and bool(followed_pairs(plan, leader)[0])
    except (ModelError, UnsupportedError):  # said by the method that is asked
        return False


def _flat_parts(plan: PushPlan) -> dict[str, bool]:
    """Of the parts with a shape: whether all their faces are flat."""
    system, found = compile_system(plan.placed), {}
    for body in system.bodies:
        if plan.mechanism.parts[body.name].shape is None or body.solid is None:
            continue
        try:
            polyhedron(body.solid)
            found[body.name] = True
        except (UnsupportedError, ModelError):
            found[body.name] = False
    return found
