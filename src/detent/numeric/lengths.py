"""The length of a plane vector inside compiled loops."""

from __future__ import annotations

import math

from detent.numeric.kernels import kernel


@kernel(sample=lambda: (3.0, 4.0), inlined=True, bare=True)
def magnitude(x, y):  # type: ignore[no-untyped-def]
    """Of (x, y), to the last digit or two.

    `math.hypot` also guards numbers whose squares are no doubles, which no machine has in metres; that costs
    more than all the rest of a distance.
    """
    return math.sqrt(x * x + y * y)
