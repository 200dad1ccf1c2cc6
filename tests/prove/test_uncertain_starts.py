"""Uncertain starts of random fasteners beside exact predictions from random starts.

Every outcome that is sampled is told as one that may come, and in a box that is proved as the one that comes;
what is told to be possible, or always so, is found by samples where it has more than a sliver of the starts.
With DETENT_PROVE=full these are 10,000.
"""

from __future__ import annotations

import math
import os
import random
from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq

import detent
from detent.model.reading import mechanism
from detent.motion.quasistatic.exact import PawlRun, StraightPush, run_leg
from detent.motion.quasistatic.machine import fastener
from detent.motion.quasistatic.slice import SlicePoint
from detent.numeric.polynomial import real
from tests.prove.fasteners import random_fastener

FULL = os.environ.get("DETENT_PROVE") == "full"
SEEDS = range(100) if FULL else (2, 3, 6, 9)  # most of the last stays open
SAMPLES = 100 if FULL else 12  # of each seed: 10,000 in all
OFTEN = 0.1  # of the starts: so many that samples find them


def _exact(value: float) -> fmpq:
    return fmpq(*value.as_integer_ratio())


def _document(seed: int, rng: random.Random) -> dict[str, Any]:
    made = random_fastener(seed)
    made["drives"]["push"]["legs"] = made["drives"]["push"]["legs"][:1]
    wide, tilt = rng.choice([0.05, 0.5, 2.0]), rng.choice([0, 0.2, 2])
    corners = [[-wide, -wide / 3], [wide, -wide / 2], [wide / 2, wide]]
    start = {"outline": [[str(Fraction(c).limit_denominator(1000)) for c in p] for p in corners]}
    made["ask"] = {"mate": {"uncertain": {"start": start, "direction_deg": tilt}}}
    return made


@pytest.mark.parametrize("seed", SEEDS)
def test_every_outcome_sampled_is_told_and_none_is_told_that_samples_do_not_find(seed: int) -> None:
    rng = random.Random(seed)
    made = _document(seed, rng)
    try:
        found = detent.mate(mechanism(made)).uncertain
    except detent.ModelError:  # it overlaps what it may touch, from some starts
        return
    machine = fastener(mechanism(made))
    leg = machine.legs[0]
    vx, vy = float(leg.velocity[0]), float(leg.velocity[1])
    speed = math.hypot(vx, vy)
    fx, fy = vx / speed, vy / speed
    corners = [[float(Fraction(c)) for c in p] for p in made["ask"]["mate"]["uncertain"]["start"]["outline"]]
    told = {each.outcome: each for each in found.outcomes}
    counts: dict[str, int] = {}
    for _ in range(SAMPLES):
        a, b = sorted((rng.random(), rng.random()))
        weights = (a, b - a, 1 - b)
        x, y = (sum(w * c[k] for w, c in zip(weights, corners, strict=True)) for k in (0, 1))
        tilt = rng.uniform(*found.tilt)
        ux, uy = (
            speed * (math.cos(tilt) * fx - math.sin(tilt) * fy),
            speed * (math.cos(tilt) * fy + math.sin(tilt) * fx),
        )
        line = StraightPush((_exact(x), _exact(y)), (_exact(ux), _exact(uy)), real(0))
        rest = [PawlRun(end=SlicePoint(real(0), 0, real(0)))]
        run = run_leg(machine, line, real(Fraction(leg.for_)), rest)
        counts[run.cause] = counts.get(run.cause, 0) + 1
        offset = -x * fy + y * fx
        # Where it is proved, and wherever it is: never told never.
        for outcome, each in told.items():
            for where in each.where:
                inside = where.offset[0] < offset < where.offset[1] and where.tilt[0] <= tilt <= where.tilt[1]
                assert not inside or run.cause == outcome, (seed, offset, tilt, run.cause, outcome)
        assert told[run.cause].said != "never" or found.share_proved < 1
    for outcome, each in told.items():
        assert each.said not in ("always", "possibly") or each.share < OFTEN or outcome in counts or not FULL
        assert each.said != "always" or set(counts) == {outcome} or found.share_proved < 1
