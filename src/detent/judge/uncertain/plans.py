"""What all legs of a plan come to from some uncertain starts, each predicted exactly: a sample.

The first leg is enclosed as a whole (`outcomes.py`). Where a leg begins depends on where the one before it
ended, so later legs are predicted from starts spread evenly over the region, and are told as what was tried.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from msgspec import structs

from detent.foundation.exact import Number
from detent.foundation.progress import doing, reached
from detent.judge.uncertain.starts import Starts
from detent.motion.quasistatic.exact.legs import run_plan
from detent.motion.quasistatic.machine.fasteners import Fastener
from detent.motion.quasistatic.proved.follow import certified
from detent.numeric.rational import flint_of
from detent.record.holding.uncertain import SampledPlan

TRIED = 24
# Shares of a sequence that fills a cube evenly: powers of 1 / 1.2207..., the root of x^4 = x + 1.
EVENLY = (0.8191725133961645, 0.6710436067037893, 0.5497004779019703)
PLACES = 2**40  # starts are rational

Start = tuple[float, float, float]  # offset, advance, tilt


def sampled_plans(machine: Fastener, starts: Starts) -> tuple[SampledPlan, ...]:
    """The ends of all legs, the most frequent first; nothing of a plan of one leg."""
    if len(machine.legs) == 1:
        return ()
    found: dict[tuple[str, ...], list[Start]] = {}
    with doing("plans from uncertain starts"):
        for k, start in enumerate(tried_starts(starts)):
            reached(k, TRIED)
            moved = started(machine, starts, start)
            legs = run_plan(moved, certified(moved)).legs
            found.setdefault(tuple(leg.cause for leg in legs), []).append(start)
    return tuple(
        SampledPlan(legs=legs, starts=len(places), tried=TRIED, offset=offset, advance=advance, tilt=tilt)
        for legs, places in sorted(found.items(), key=lambda each: (-len(each[1]), each[0]))
        for offset, advance, tilt in places[:1]
    )


def tried_starts(starts: Starts) -> Iterator[Start]:
    """Evenly over offsets, tilts, and what each offset has along the push."""
    low, high = starts.offset
    for k in range(1, TRIED + 1):
        across, leaning, along = (math.fmod(0.5 + k * each, 1.0) for each in EVENLY)
        offset = low + (high - low) * across
        rear, front = starts.advances(offset, offset)
        yield offset, rear + (front - rear) * along, starts.tilt * (2 * leaning - 1)


def started(machine: Fastener, starts: Starts, start: Start) -> Fastener:
    """The fastener displaced to a start, its first leg leaning."""
    offset, advance, tilt = start
    place = offset * starts.left + advance * starts.forward
    x, y = (Fraction(round(float(each) * PLACES), PLACES) for each in place)
    shift = flint_of(x), flint_of(y)
    first = machine.legs[0]
    assert first.velocity is not None
    half = Fraction(round(math.tan(tilt / 2) * PLACES), PLACES)
    below = 1 + half * half
    cosine, sine = (1 - half * half) / below, 2 * half / below
    vx, vy = first.velocity[0], first.velocity[1]
    leaning = (Number(cosine * vx - sine * vy), Number(sine * vx + cosine * vy), *first.velocity[2:])
    return replace(
        machine,
        root_leaves=tuple(
            leaf.moved(lambda p: (p[0] + shift[0], p[1] + shift[1])) for leaf in machine.root_leaves
        ),
        pawls=tuple(
            replace(pawl, hinge=(pawl.hinge[0] + shift[0], pawl.hinge[1] + shift[1]))
            for pawl in machine.pawls
        ),
        legs=(structs.replace(first, velocity=leaning), *machine.legs[1:]),
    )
