"""Rings of a document, each in the bore ahead of it."""

from __future__ import annotations

from detent.foundation.errors import UnsupportedError
from detent.motion.compliant.followed import Connection
from detent.motion.compliant.plan import PushPlan


def ring_connections(plan: PushPlan, rings: tuple[str, ...]) -> list[Connection]:
    """One per ring."""
    raise UnsupportedError("O-rings are not followed yet", "leave the ring out", f"parts.{rings[0]}")
