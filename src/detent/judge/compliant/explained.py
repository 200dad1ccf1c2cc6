"""What `explain` says of rings and hooks that are pushed: their mechanics, before anything is moved."""

from __future__ import annotations

from typing import Any

from detent.foundation.errors import ModelError, UnsupportedError
from detent.model.document.mechanism import Mechanism
from detent.model.machine.pushed.compliant import gives_way
from detent.motion.compliant.connections import connections_of
from detent.motion.compliant.led.led_run import led_connections
from detent.motion.leading.leader import leader_of
from detent.motion.leading.plan import plan_of


def explained_connections(mechanism: Mechanism) -> dict[str, Any]:
    """Of each ring by its part, of each hook by its joint; `why_not` where a mating would be refused."""
    if not gives_way(mechanism):
        return {}
    try:
        plan = plan_of(mechanism)
        leader = leader_of(mechanism, plan)
        found = connections_of(plan) if leader is None else led_connections(plan, leader)
        return {one.name: dict(one.described) for one in found}
    except (ModelError, UnsupportedError) as error:
        first = error.problems[0] if isinstance(error, ModelError) else error.problem
        return {"mating": {"at": first.at, "why_not": first.problem, "remedy": first.remedy}}
