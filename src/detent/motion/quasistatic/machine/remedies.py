"""What to write instead where the joints of a document are not those of a fastener."""

from __future__ import annotations

from detent.mechanics.beam import substitute_words
from detent.model.document.joint import Joint
from detent.model.document.mechanism import Mechanism
from detent.model.machine.graph import parts_of

OTHER_METHOD = "hinge pawls to the driven root; other machines need the penalty method, which is planned"
LOOSE_PART = f"write fixed = true where it is an obstacle; {OTHER_METHOD}"


def off_the_root(mechanism: Mechanism, joint: Joint, fixed: set[str], root: str) -> str:
    """Of a joint that does not join the root."""
    if joint.type == "fixed":
        return _instead_of_a_weld(joint, fixed, root)
    remedy = _the_other_way(parts_of(joint), fixed, root)
    hinge = "" if joint.type == "revolute" else substitute_words(mechanism, joint)
    return f"{hinge}; then {remedy}" if hinge else remedy


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


def _the_other_way(parts: tuple[str, ...], fixed: set[str], root: str) -> str:
    """What to do where a part is pushed onto the pawls, not the pawls onto it."""
    carrier = next((part for part in parts if part in fixed), None)
    if carrier is None:
        return OTHER_METHOD
    return (
        f"fix {root!r} instead of {carrier!r}, and push {carrier!r} the opposite way, which is the same "
        "motion of one against the other"
    )
