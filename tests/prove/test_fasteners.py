"""Exact method and marcher on random fasteners: no difference that a tie does not explain."""

from __future__ import annotations

import math
import os
from fractions import Fraction
from typing import Any

import numpy as np

from detent.model.reading import mechanism
from detent.motion.quasistatic.exact import LegRun, SlidingStretch, run_plan
from detent.motion.quasistatic.machine import fastener
from tests.prove.fasteners import nudged, random_fastener
from tests.prove.marcher import DONE, JAM, STICK, UNSURE, march

FULL = os.environ.get("DETENT_PROVE") == "full"
COUNT = 1200 if FULL else 24
FIRST_SEED = 41_000

# The marcher's own accuracy: its smallest step, and what a jam's square root makes of it.
TIME, ANGLE = 1e-5, 1e-4
LEAVE = 1e-4  # [s] after a jam, from where on a marcher can tell free from blocked
STEPS = (0.02, 0.002)  # the finer one is taken where the coarser one differs
CAUSES = {DONE: "done", JAM: "jam", STICK: "stick", UNSURE: "unsure"}
# On a tie a marcher falls to either side by rounding. So where it differs, the same
# fastener moved a little aside, to each side, must give one story again.
NUDGES = [(1, 0, 1), (-1, 0, -1), (1, 1, -1), (-1, -1, 1)]


def test_exact_method_and_marcher_tell_one_story() -> None:
    ties = 0
    for seed in range(FIRST_SEED, FIRST_SEED + COUNT):
        document = random_fastener(seed)
        found = agreed(document)
        if found is None:
            continue
        ties += 1
        beside = [agreed(nudged(document, nudge)) for nudge in NUDGES]
        assert beside == [None] * len(NUDGES), f"seed {seed}: {found}; moved aside: {beside}"
    assert ties <= max(1, COUNT // 20)


def agreed(document: Any) -> str | None:
    """None where both tell one story, the marcher perhaps only with its finer step."""
    for step in STEPS:
        found = difference(document, step)
        if found is None:
            return None
    return found


def difference(document: Any, step: float) -> str | None:
    """What differs between the exact story and the marched one."""
    made = fastener(mechanism(document))
    legs = run_plan(made).legs
    pawl, obstacles, starts, hinge = _arrays(document)
    mu = float(made.pawls[0].obstacles[0][1])
    for number, leg in enumerate(legs, 1):
        velocity = np.array([float(c) for c in leg.line.velocity])
        shift = np.array([float(c) for c in leg.line.shift])
        # A leg back out of a jam starts where floor and ceiling meet, and rounding says overlap.
        ahead = LEAVE if leg.line.ratio is not None else 0.0
        begin, until = float(leg.line.start) + ahead, _planned(made, leg, legs, number)
        start = state_at(leg, begin)
        times, angles, ended = march(
            pawl, obstacles, starts, hinge + shift, velocity, mu, start, begin, until, step
        )
        found = _compared(leg, times, angles, CAUSES[ended], step)
        if found is not None:
            return f"leg {number}: {found}"
    return None


def _compared(leg: LegRun, times: Any, angles: Any, ended: str, step: float) -> str | None:
    story = leg.pawl_runs[0]
    last = story.events[-1] if story.events else None
    cause = "unsure" if last is not None and last.reason == "balanced" else leg.cause
    # The marcher knows the slip of a contact only one step after it began.
    late = TIME * max(1.0, abs(times[-1])) + (step if ended == "stick" else 0.0)
    if ended != cause or abs(times[-1] - float(leg.end)) > late:
        return f"marched to {ended} at {times[-1]}, exact {cause} at {float(leg.end)}"
    jumps = [float(h.place.t) for h in story.events if h.kind == "snap"]
    for t, angle in zip(times[1::7], angles[1::7], strict=True):
        if any(abs(t - jump) < TIME for jump in jumps) or abs(t - times[-1]) < step:
            continue
        if abs(angle - state_at(leg, t)) > ANGLE:
            return f"at {t} marched angle {angle}, exact {state_at(leg, t)}"
    return None


def _planned(made: Any, leg: LegRun, legs: Any, number: int) -> float:
    """Where the leg would end if nothing stopped it."""
    asked = made.legs[number - 1]
    if asked.back:
        before = legs[number - 2]
        return float(leg.line.start) + float(before.end) - float(before.line.start)
    return float(leg.line.start) + float(asked.for_)


def state_at(leg: LegRun, t: float) -> float:
    """The exact story's angle at a time of its line, from its stretches."""
    story = leg.pawl_runs[0]
    if not story.stretches:
        return 0.0
    for stretch in story.stretches:
        if float(stretch.begin.t) <= t <= float(stretch.end.t):
            return _angle_on(stretch, t)
    return 0.0


def _angle_on(stretch: SlidingStretch, t: float) -> float:
    begin, end = stretch.begin, stretch.end
    if stretch.arc.curve is None or begin.t == end.t:
        return begin.angle()
    p = [float(c) for c in stretch.arc.curve.p.coeffs()] + [0.0] * 3
    q = [float(c) for c in stretch.arc.curve.q.coeffs()] + [0.0] * 3
    low, high = sorted((float(begin.u), float(end.u)))
    for _ in range(200):
        # The stretch is monotone in time: bisect.
        middle = (low + high) / 2
        value = -(p[0] + p[1] * middle + p[2] * middle**2) / (q[0] + q[1] * middle + q[2] * middle**2)
        if (value < t) == (stretch.arc.heading > 0):
            low = middle
        else:
            high = middle
    return begin.half * math.pi + 2 * math.atan(low)


def _arrays(document: Any) -> tuple[Any, Any, Any, Any]:
    def ccw(points: Any) -> Any:
        made = np.array([[float(Fraction(x)), float(Fraction(y))] for x, y in points])
        x, y = made.T
        return made if (x * np.roll(y, -1) - y * np.roll(x, -1)).sum() > 0 else made[::-1].copy()

    pawl = ccw(document["parts"]["p"]["shape"]["outline"])
    shapes = [ccw(o["outline"]) for o in document["parts"]["receiver"]["shape"]["union"]]
    starts = np.cumsum([0, *map(len, shapes)])
    return pawl, np.concatenate(shapes), starts, np.zeros(2)
