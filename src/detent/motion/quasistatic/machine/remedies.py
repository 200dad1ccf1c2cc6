"""What to write instead where the joints of a document are not those of a fastener."""

from __future__ import annotations

from detent.mechanics.beam import substitute_words
from detent.model.document.joint import Joint
from detent.model.document.mechanism import Mechanism
from detent.model.machine.graph import parts_of

OTHER_METHOD = "hinge pawls to the driven root; other machines need the penalty method, which is planned"
LOOSE_PART = f"write fixed = true where it is an obstacle; {OTHER_METHOD}"


def off_the_root(mechanism: Mechanism, name: str, fixed: set[str], root: str) -> tuple[str, str]:
    """Of a joint that does not join the root: why that is not followed, and what to write instead."""
    joint = mechanism.joints[name]
    if joint.type == "fixed":
        return "", _instead_of_a_weld(joint, fixed, root)
    hinge = "" if joint.type == "revolute" else substitute_words(mechanism, joint)
    carrier = next((part for part in parts_of(joint) if part in fixed), None)
    off = ", and the drive must be on the root that carries the hinges" if joint.type == "revolute" else ""
    if carrier is None:
        return off, OTHER_METHOD
    (part,) = (each for each in parts_of(joint) if each != carrier)
    rigid = f"write fixed = true for {part!r} and leave out joint {name!r}, where it may count as rigid"
    if joint.type != "revolute" and not hinge:
        return "", f"{rigid}; {OTHER_METHOD}"
    # Pushed the other way, the joints of what is pushed now would be the wrong ones.
    if any(root in parts_of(other) for other in mechanism.joints.values()):
        why = ", which carries a joint too, and pawls on both halves are not followed together"
        return why, f"{rigid}; {OTHER_METHOD}"
    remedy = (
        f"fix {root!r} instead of {carrier!r}, and push {carrier!r} the opposite way, which is the same "
        "motion of one against the other"
    )
    return off, f"{hinge}; then {remedy}" if hinge else remedy


def not_hinged(mechanism: Mechanism, joint: Joint, fixed: set[str], root: str) -> str:
    """Of a joint of the root that is not a hinge."""
    if joint.type == "fixed":
        return _instead_of_a_weld(joint, fixed, root)
    return substitute_words(mechanism, joint) or OTHER_METHOD


def _instead_of_a_weld(joint: Joint, fixed: set[str], root: str) -> str:
    """One part, or two that are fixed: so a weld is drawn."""
    parts = parts_of(joint)
    if root in parts and fixed & set(parts):
        return f"leave out the joint: {root!r} is driven"
    held = [part for part in parts if part in fixed]
    if held:
        (other,) = (part for part in parts if part not in fixed)
        return f"write fixed = true for {other!r}, as for {held[0]!r}, and leave out the joint"
    body, other = parts if parts[1] != root else (parts[1], parts[0])
    return f"draw {other!r} as a piece of {body!r} (shape.union), and leave out the joint"
