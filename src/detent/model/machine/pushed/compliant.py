"""What gives way when a part is pushed along legs: O-rings, and parts on elastic joints that it can meet."""

from __future__ import annotations

from detent.model.document.mechanism import Mechanism
from detent.model.machine.graph import WORLD, parts_of, rigid_bodies
from detent.model.machine.pushed.guided import guided_parts
from detent.model.machine.touching import TouchingPairs

RING = "oring"  # of the library


def rings_in(mechanism: Mechanism) -> tuple[str, ...]:
    """Parts that are O-rings."""
    return tuple(name for name, part in mechanism.parts.items() if part.library == RING)


def sprung_hooks(mechanism: Mechanism) -> dict[str, str]:
    """By elastic joint the part that it lets give way, where that part and a pushed one can meet.

    A hook on what stands still meets what is pushed; a hook on what is pushed meets what stands still.
    """
    pushed = pushed_part(mechanism)
    if pushed is None:
        return {}
    bodies, pairs = rigid_bodies(mechanism), TouchingPairs(mechanism)
    hooks: dict[str, str] = {}
    for name, joint in mechanism.joints.items():
        if joint.type != "elastic":
            continue
        support, hook = parts_of(joint)
        if bodies.together(support, WORLD):
            others = [part for part in mechanism.parts if bodies.together(part, pushed)]
        elif bodies.together(support, pushed):
            others = [part for part in mechanism.parts if bodies.together(part, WORLD)]
        else:
            continue
        drawn = [part for part in others if mechanism.parts[part].shape is not None]
        if mechanism.parts[hook].shape is not None and any(pairs.may_touch(hook, part) for part in drawn):
            hooks[name] = hook
    return hooks


def pushed_part(mechanism: Mechanism) -> str | None:
    """The part that a drive pushes along legs, itself or by a marker."""
    return next(iter(guided_parts(mechanism)), None)


def gives_way(mechanism: Mechanism) -> bool:
    """Whether a mating of this document is one of compliant parts."""
    return bool(rings_in(mechanism) or sprung_hooks(mechanism))
