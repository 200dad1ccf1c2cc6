"""The connections of a document: its rings and its hooks. Each kind adds itself here, in one line."""

from __future__ import annotations

from detent.foundation.errors import UnsupportedError
from detent.model.machine.pushed.compliant import rings_in, sprung_hooks
from detent.motion.compliant.followed import Connection
from detent.motion.compliant.plan import PushPlan


def connections_of(plan: PushPlan) -> tuple[Connection, ...]:
    """In document order, rings first; refused where a document has something that this method cannot meet."""
    found: list[Connection] = []
    rings, hooks = rings_in(plan.mechanism), sprung_hooks(plan.mechanism)
    if rings:
        from detent.motion.compliant.rings.connection import ring_connections

        found += ring_connections(plan, rings)
    if hooks:
        problem = "hooks on elastic joints are not followed by this method yet"
        raise UnsupportedError(problem, "hinge the hook, with a spring", f"joints.{next(iter(hooks))}")
    if not found:
        problem = "no part gives way: there is neither an O-ring nor a hook on an elastic joint"
        raise UnsupportedError(problem, 'add a part with library = "oring", or an elastic joint', "parts")
    return tuple(found)
