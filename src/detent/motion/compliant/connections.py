"""The connections of a document: its rings and its hooks. Each kind adds itself here, in one line."""

from __future__ import annotations

from detent.foundation.errors import ModelError, UnsupportedError
from detent.model.machine.drawn.shape_checks import crossed_outlines
from detent.model.machine.pushed.compliant import rings_in, sprung_hooks
from detent.motion.compliant.followed import Connection
from detent.motion.leading.plan import PushPlan


def connections_of(plan: PushPlan, but: tuple[str, ...] = ()) -> tuple[Connection, ...]:
    """In document order, rings first; refused where a document has something that this method cannot meet.

    `but` are elastic joints that hold no hook: what they hold is led on them.
    """
    if problems := crossed_outlines(plan.mechanism):
        raise ModelError(*problems)
    found: list[Connection] = []
    rings = rings_in(plan.mechanism)
    hooks = {joint: hook for joint, hook in sprung_hooks(plan.mechanism).items() if joint not in but}
    if rings:
        from detent.motion.compliant.rings.connection import ring_connections

        found += ring_connections(plan, rings)
    if hooks:
        from detent.motion.compliant.hooks.connection import hook_connections

        found += hook_connections(plan, hooks)
    if not found:
        problem = "no part gives way: there is neither an O-ring nor a hook on an elastic joint"
        raise UnsupportedError(problem, 'add a part with library = "oring", or an elastic joint', "parts")
    return tuple(found)
