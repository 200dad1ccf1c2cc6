"""Pawls that bend into each other underway: each is followed by itself, and nothing is known from there on.

Looked for in doubles, at even times of a leg and at the ends of the stretches along which a pawl slides,
between which its angle goes one way. Pawls that are drawn into each other are named, and no more than that.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from detent.model.machine.touching import TouchingPairs
from detent.motion.quasistatic.answer.sampled import angles_at, regions
from detent.motion.quasistatic.answer.stretch_path import StretchPath
from detent.motion.quasistatic.exact.legs import LegRun
from detent.motion.quasistatic.machine.fasteners import Fastener, Pawl

LOOKS = 200  # even times of a leg
TOUCH = 1e-9  # less overlap than this share of the smaller pawl's area is a touch


@dataclass(frozen=True)
class PawlCrossing:
    """Two pawls that overlap, from about when, and whether they do where the first leg begins."""

    parts: tuple[str, str]
    time: float  # [s] of the plan
    drawn: bool


def crossings(fastener: Fastener, legs: tuple[LegRun, ...], pairs: TouchingPairs) -> list[PawlCrossing]:
    """Each pair of pawls that may touch and overlaps on some legs, with the first time seen."""
    found = []
    for a, b in combinations(range(len(fastener.pawls)), 2):
        names = fastener.pawls[a].part, fastener.pawls[b].part
        time = None if pairs.ignored(*names) else _first(fastener, legs, a, b)
        if time is not None:
            drawn = time == legs[0].instant(legs[0].line.start)
            found.append(PawlCrossing(names, time, drawn))
    return found


def overlapping(fastener: Fastener, legs: tuple[LegRun, ...], pairs: TouchingPairs) -> list[str]:
    """A sentence for each pair of pawls that overlaps, with the first time seen."""
    return [
        f"{each.parts[0]}:{each.parts[1]}: they overlap from about {each.time:.4g}{fastener.units.time} on; "
        "pawls are independent of each other in this method"
        for each in crossings(fastener, legs, pairs)
    ]


def _first(fastener: Fastener, legs: tuple[LegRun, ...], a: int, b: int) -> float | None:
    import shapely

    for leg in legs:
        times = _looked_at(leg, a, b)
        shapes = [_posed(fastener.pawls[k], angles_at(leg, k, times)) for k in (a, b)]
        common = shapely.area(shapely.intersection(*shapes))
        size = min(float(shapely.area(s[0])) for s in shapes)
        hits = np.flatnonzero(common > TOUCH * size)
        if size > 0 and len(hits):
            return leg.instant(leg.line.start) + float(times[hits[0]] - times[0])
    return None


def _looked_at(leg: LegRun, a: int, b: int) -> Any:
    begin, end = float(leg.line.start), float(leg.end)
    ends = [t for k in (a, b) for each in leg.pawl_runs[k].stretches for t in StretchPath(each).span]
    return np.unique([*np.linspace(begin, end, LOOKS), *(t for t in ends if begin <= t <= end)])


def _posed(pawl: Pawl, angles: Any) -> Any:
    """The pawl's shapes in the root's frame, one per time."""
    import shapely

    hinge = np.array([float(c) for c in pawl.hinge])
    return shapely.union_all(np.array([regions(leaf, hinge, angles) for leaf in pawl.leaves]), axis=0)
