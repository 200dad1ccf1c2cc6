"""How far balls are from what is beside them as drawn: meshes see neither a small gap nor a small depth."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from detent.geometry import region
from detent.geometry.apart import Surface, balls_of
from detent.geometry.solid import placed
from detent.model.machine.drawn.overlap import drawn_into_each_other
from detent.model.machine.placed import place
from detent.model.machine.solids import part_solid
from detent.model.machine.touching import TouchingPairs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from detent.model.document.mechanism import Mechanism

    Nearest = tuple[str, str, float, NDArray[np.float64]]


def ball_gaps(mechanism: Mechanism) -> Iterator[Nearest]:
    """Pairs in space of which one part is made of balls alone: the gap between them, and where.

    Negative where a ball is sunk by less than its radius. Surfaces that are not read (`known`) are left out.
    """
    positions = place(mechanism)
    solids = {
        name: placed(solid, pose)
        for name, pose in positions.known.items()
        if (solid := part_solid(mechanism, name)) is not None
    }
    balls = {name: found for name, solid in solids.items() if (found := balls_of(solid))}
    if not balls:
        return
    joined = drawn_into_each_other(positions, {name: region.bounds(solid) for name, solid in solids.items()})
    surfaces: dict[str, Surface] = {}
    for first, second in TouchingPairs(mechanism).among(list(solids)):
        if frozenset((first, second)) in joined or not (first in balls or second in balls):
            continue
        ball, other = (second, first) if second in balls else (first, second)
        if other not in surfaces:
            surfaces[other] = Surface(solids[other], 3)
        if not surfaces[other].known:
            continue
        best = (math.inf, positions.known[ball].matrix[:, 3])
        for centre, radius in balls[ball]:
            distance, where = surfaces[other].nearest(centre)
            best = min(best, (distance - radius, where), key=lambda each: each[0])
        yield first, second, *best
