"""The moments of a run: stretches through which the same parts are locked, driven and free."""

from __future__ import annotations

from collections.abc import Mapping
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
    """From when to when, one instant of it, and what happens in it beside that.

    `blows` are those in it, and at its begin those of parts that do not push each other then; `passed` is how
    many stretches shorter than `brief`, in which the machine stands otherwise, lie in it or right behind it.
    """

    begin: float
    end: float
    shown: float
    instant: Instant
    blows: Mapping[tuple[str, ...], int]  # by the parts that hit
    passed: int
    brief: float  # [s]


def moments_of(evidence: Any, *, brief: float = BRIEF) -> tuple[Moment, ...]:
    """Stretches between events, those that stand the same taken together; the last is shown at its end."""
    end = float(evidence.along.end)
    cuts = np.unique(np.clip([0.0, *(event.time for event in evidence.events), end], 0.0, end))
    least = brief * end
    if len(cuts) == 1:
        (instant,) = instants_of(evidence, [end])
        return (Moment(0.0, end, end, instant, {}, 0, least),)
    middles = [(a + b) / 2 for a, b in pairwise(cuts)]
    instants = instants_of(evidence, middles)
    joined: list[list[Any]] = []
    short: list[tuple[float, Instant]] = []
    for (a, b), instant in zip(pairwise(cuts), instants, strict=True):
        if b - a < least and len(cuts) > 2:
            short.append((float(a), instant))
        elif joined and _same(joined[-1][2], instant):
            joined[-1][1] = float(b)
        else:
            joined.append([float(a), float(b), instant])
    if not joined:
        joined = [[0.0, end, instants[-1]]]
    shown = [(a + b) / 2 for a, b, _ in joined[:-1]] + [end]
    told = instants_of(evidence, shown)
    bounds = [-np.inf, *(a for a, _, _ in joined[1:]), np.inf]
    moments = []
    for k, ((a, b, instant), at, now) in enumerate(zip(joined, shown, told, strict=True)):
        passed = sum(bounds[k] <= t < bounds[k + 1] and not _same(one, instant) for t, one in short)
        blows = _blows(evidence, bounds[k], bounds[k + 1], a, instant)
        seen = now if _same(now, instant) else instant
        moments.append(Moment(a, b, at, seen, blows, passed, least))
    return tuple(moments)


def _blows(
    evidence: Any, first: float, last: float, begin: float, instant: Instant
) -> dict[tuple[str, ...], int]:
    """Blows from `first` up to `last` of parts, but for those that begin the moment and lead to a push."""
    pushing = {frozenset(contact.parts) for contact in instant.contacts}
    counted: dict[tuple[str, ...], int] = {}
    for event in evidence.events:
        if event.kind != "impact" or not first <= event.time < last:
            continue
        if event.time <= begin and frozenset(event.subjects) in pushing:
            continue
        counted[event.subjects] = counted.get(event.subjects, 0) + 1
    return counted


def _same(one: Instant, other: Instant) -> bool:
    def standings(instant: Instant) -> list[tuple[Any, ...]]:
        return [(each.part, each.standing, each.by) for each in instant.parts]

    return standings(one) == standings(other)
