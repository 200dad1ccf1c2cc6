"""What a hook is, in plain data: its support, its free directions, what it can meet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from detent.foundation.names import listed
from detent.model.machine.elastic.directions import direction_words
from detent.model.machine.elastic.support import ElasticSupport


def description(
    name: str, support: ElasticSupport, parts: tuple[str, str], frictions: Mapping[str, float | None]
) -> Mapping[str, Any]:
    """Plain data, and lines for a person; `parts` are what carries the hook, and the hook."""
    carrier, hook = parts
    directions = listed([direction_words(direction) for direction in support.directions])
    return {
        "kind": "hook",
        "name": name,
        "hook": hook,
        "support": carrier,
        "meets": list(frictions),
        "free": list(support.directions),
        "stiffness": [list(row) for row in support.stiffness.tolist()],
        "friction": dict(frictions),
        "said": [
            f"{hook} on {carrier} by {name}, a {support.kind} that gives way {directions}",
            f"meets {listed(list(frictions))}",
        ],
    }
