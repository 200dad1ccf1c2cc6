"""What a hook is, in plain data: its support, its free directions, what it can meet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from detent.foundation.names import listed
from detent.model.machine.elastic.directions import direction_words
from detent.model.machine.elastic.support import ElasticSupport


def description(
    name: str,
    support: ElasticSupport,
    parts: tuple[str, str],
    frictions: Mapping[str, float | None],
    slopes: tuple[list[dict[str, Any]], list[dict[str, Any]]],
) -> Mapping[str, Any]:
    """Plain data, and lines for a person; `parts` are what carries the hook, and the hook."""
    ramps, returns = slopes
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
        "ramps": ramps,
        "returns": returns,
        "said": [
            f"{hook} on {carrier} by {name}, a {support.kind} that gives way {directions}",
            f"meets {listed(list(frictions))}",
            *(_leaning("ramp", "on the way in", each) for each in ramps),
            *(_leaning("return", "on the way out", each) for each in returns),
        ],
    }


def _leaning(kind: str, when: str, slope: Mapping[str, Any]) -> str:
    friction = slope["locks_from_friction"]
    locks = "no friction locks it" if friction is None else f"a friction of {friction:.3g} or more locks it"
    return f"{kind} {slope['face']} at {slope['angle_deg']:.4g}° to the push: {locks} {when}, as drawn"
