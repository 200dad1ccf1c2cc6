"""What gives way when a part is pushed along legs: O-rings, and parts on elastic joints that it can meet.

What an elastic joint of the pushed part carries is led by it where it has a ring, or meets or carries a hook
on another elastic joint: hooks then count from what is led, which has inertia.
"""

from __future__ import annotations

from detent.model.document.mechanism import Mechanism
from detent.model.machine.elastic.directions import DIRECTIONS
from detent.model.machine.elastic.written import free_directions
from detent.model.machine.graph import WORLD, parts_of, rigid_bodies
from detent.model.machine.pushed.guided import guided_parts
from detent.model.machine.touching import TouchingPairs

RING = "oring"  # of the library


def rings_in(mechanism: Mechanism) -> tuple[str, ...]:
    """Parts that are O-rings."""
    return tuple(name for name, part in mechanism.parts.items() if part.library == RING)


def sprung_hooks(mechanism: Mechanism) -> dict[str, str]:
    """By elastic joint the part that it lets give way, where that part and a pushed, or led, one can meet.

    A hook on what stands still meets what is pushed; a hook on what is pushed meets what stands still.
    """
    pushed, leading = pushed_part(mechanism), leading_joint(mechanism)
    if pushed is None:
        return {}
    if leading is not None:
        return _hooks_of(mechanism, parts_of(mechanism.joints[leading])[1], but=leading)
    return _hooks_of(mechanism, pushed)


def hooks_beside_leader(mechanism: Mechanism) -> dict[str, str]:
    """Of a push that an elastic joint passes on to what it leads: hooks on the pushed part itself."""
    pushed, leading = pushed_part(mechanism), leading_joint(mechanism)
    if pushed is None or leading is None:
        return {}
    bodies = rigid_bodies(mechanism)
    hooks = _hooks_of(mechanism, pushed, but=leading)
    return {
        name: hook
        for name, hook in hooks.items()
        if bodies.together(parts_of(mechanism.joints[name])[0], pushed)
    }


def leading_joint(mechanism: Mechanism) -> str | None:
    """The elastic joint of the pushed part that leads what it carries, with inertia; None where none does.

    A part that can itself meet something rigid could as well be a hook without inertia: it is led where it
    has a mass and gives way in all directions.
    """
    pushed = pushed_part(mechanism)
    if pushed is None:
        return None
    bodies = rigid_bodies(mechanism)
    for name, joint in mechanism.joints.items():
        support, led = parts_of(joint)
        if joint.type != "elastic" or not bodies.together(support, pushed):
            continue
        if any(bodies.together(ring, led) for ring in rings_in(mechanism)):
            return name
        if not _hooks_of(mechanism, led, but=name):
            continue
        if name not in _hooks_of(mechanism, pushed) or _stands_for_inertia(mechanism, name, led):
            return name
    return None


def _stands_for_inertia(mechanism: Mechanism, name: str, led: str) -> bool:
    joint, part = mechanism.joints[name], mechanism.parts[led]
    every = len(DIRECTIONS[mechanism.dimension])
    full = joint.stiffness is not None and len(free_directions(joint, mechanism.dimension)) == every
    return full and (part.mass is not None or part.density is not None)


def _hooks_of(mechanism: Mechanism, moved: str, but: str | None = None) -> dict[str, str]:
    """Hooks between what goes with a part and what stands still, by their joints."""
    bodies, pairs = rigid_bodies(mechanism), TouchingPairs(mechanism)
    hooks: dict[str, str] = {}
    for name, joint in mechanism.joints.items():
        if joint.type != "elastic" or name == but:
            continue
        support, hook = parts_of(joint)
        if bodies.together(support, WORLD):
            others = [part for part in mechanism.parts if bodies.together(part, moved)]
        elif bodies.together(support, moved):
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
