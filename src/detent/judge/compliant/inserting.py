"""Which legs bring a part in: what an insertion is asked of."""

from __future__ import annotations

from collections.abc import Sequence

from detent.library.mating.force_law import Floats

_ACROSS = 1e-9  # a cosine that is zero but for rounding


def legs_in(directions: Sequence[Floats]) -> int:
    """How many: up to the first that leads straight back, or back against the first."""
    for k in range(1, len(directions)):
        if directions[k] @ directions[0] < -_ACROSS or directions[k] @ directions[k - 1] < -1 + _ACROSS:
            return k
    return len(directions)
