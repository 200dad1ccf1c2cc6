"""Pawls that overlap each other underway: the method treats them as independent, and says so.

Looked at over the sampled path, in doubles: a report, not a decision.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from detent.model.machine.touching import TouchingPairs
from detent.motion.quasistatic.answer.sampled import angles_at, regions
from detent.motion.quasistatic.exact.legs import LegRun
from detent.motion.quasistatic.machine.fasteners import Fastener, Pawl

LOOKS = 200  # times of a leg
TOUCH = 1e-9  # less overlap than this share of the smaller pawl's area is a touch


def overlapping(fastener: Fastener, legs: tuple[LegRun, ...], pairs: TouchingPairs) -> list[str]:
    """A sentence for each pair of pawls that overlaps, with the first time seen."""
    sentences = []
    for a, b in combinations(range(len(fastener.pawls)), 2):
        names = fastener.pawls[a].part, fastener.pawls[b].part
        if pairs.ignored(*names):
            continue
        time = _first(fastener, legs, a, b)
        if time is not None:
            sentences.append(
                f"{names[0]}:{names[1]}: they overlap from about {time:.4g}{fastener.units.time} on; "
                "pawls are independent of each other in this method"
            )
    return sentences


def _first(fastener: Fastener, legs: tuple[LegRun, ...], a: int, b: int) -> float | None:
    import shapely

    for leg in legs:
        times = np.linspace(float(leg.line.start), float(leg.end), LOOKS)
        shapes = [_posed(fastener.pawls[k], angles_at(leg, k, times)) for k in (a, b)]
        common = shapely.area(shapely.intersection(*shapes))
        size = min(float(shapely.area(s[0])) for s in shapes)
        hits = np.flatnonzero(common > TOUCH * size)
        if size > 0 and len(hits):
            return leg.instant(leg.line.start) + float(times[hits[0]] - times[0])
    return None


def _posed(pawl: Pawl, angles: Any) -> Any:
    """The pawl's shapes in the root's frame, one per time."""
    import shapely

    hinge = np.array([float(c) for c in pawl.hinge])
    return shapely.union_all(np.array([regions(leaf, hinge, angles) for leaf in pawl.leaves]), axis=0)
