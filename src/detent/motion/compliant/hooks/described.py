"""What a hook is, in plain data: its support, its free directions, what it can meet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from detent.foundation.names import listed
from detent.model.machine.elastic.directions import direction_words

if TYPE_CHECKING:
    from detent.motion.compliant.hooks.connection import HookConnection


def description(hook: HookConnection) -> Mapping[str, Any]:
    """Plain data, and lines for a person."""
    support = hook.elastic
    frictions = {part: hook.system.touching.friction(hook.hook, part) for part in hook.met}
    directions = listed([direction_words(direction) for direction in support.directions])
    return {
        "kind": "hook",
        "name": hook.name,
        "hook": hook.hook,
        "support": hook.support,
        "meets": list(hook.met),
        "free": list(support.directions),
        "stiffness": [list(row) for row in support.stiffness.tolist()],
        "friction": {part: None if mu is None else float(mu) for part, mu in frictions.items()},
        "said": [
            f"{hook.hook} on {hook.support} by {hook.name}, a {support.kind} that gives way {directions}",
            f"meets {listed(list(hook.met))}",
        ],
    }
