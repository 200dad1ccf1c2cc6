"""How a fastener's events are decided: a value passed to the verb, and a doubt passed back."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Quasistatic:
    """Followed without inertia; every event decided exactly, or by the float filter.

    The filter decides by signs that exceed a margin far above rounding; a run in
    which one does not is decided exactly instead, and counted.
    """

    exact: bool = True


class Undecided(Exception):  # noqa: N818, a doubt, not an error
    """The float filter cannot tell what happens; exact arithmetic can."""
