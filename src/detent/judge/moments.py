"""The moments of a run: stretches through which the same parts are locked, driven and free."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from detent.judge.instants import instants_of
from detent.record.instant import Instant

# Of the run: a shorter stretch is passed over, as rattling at an impact is.
BRIEF = 2e-3


@dataclass(frozen=True)
class Moment:
    """From when to when, and one instant of it."""

    begin: float
    end: float
    shown: float
    instant: Instant


def moments_of(evidence: Any, *, brief: float = BRIEF) -> tuple[Moment, ...]:
    """Stretches between events, those that stand the same taken together; the last is shown at its end."""
    end = float(evidence.along.end)
    cuts = np.unique(np.clip([0.0, *(event.time for event in evidence.events), end], 0.0, end))
    least = brief * end
    if len(cuts) == 1:
        (instant,) = instants_of(evidence, [end])
        return (Moment(0.0, end, end, instant),)
    middles = [(a + b) / 2 for a, b in pairwise(cuts)]
    instants = instants_of(evidence, middles)
    joined: list[list[Any]] = []
    for (a, b), instant in zip(pairwise(cuts), instants, strict=True):
        if b - a < least and len(cuts) > 2:
            continue
        if joined and _same(joined[-1][2], instant):
            joined[-1][1] = float(b)
        else:
            joined.append([float(a), float(b), instant])
    if not joined:
        joined = [[0.0, end, instants[-1]]]
    shown = [(a + b) / 2 for a, b, _ in joined[:-1]] + [end]
    told = instants_of(evidence, shown)
    pairs = zip(joined, shown, told, strict=True)
    return tuple(
        Moment(a, b, at, now if _same(now, instant) else instant) for (a, b, instant), at, now in pairs
    )


def _same(one: Instant, other: Instant) -> bool:
    def standings(instant: Instant) -> list[tuple[Any, ...]]:
        return [(each.part, each.standing, each.by) for each in instant.parts]

    return standings(one) == standings(other)
