"""The coefficient of friction from which on a fastener is held against a pull straight back."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from detent.judge.apart import Apart
from detent.judge.diodes.pulls import escaped
from detent.motion.quasistatic.answer.thresholds import StretchThreshold
from detent.motion.quasistatic.decide import DecidedRuns
from detent.motion.quasistatic.exact.legs import LegRun
from detent.motion.quasistatic.machine.fasteners import Fastener
from detent.numeric.rational import flint_of
from detent.record.holding.friction import FrictionSide, HoldingFriction
from detent.record.mating import Escape

# Of the coefficient: so far on both sides of the boundary whole predictions are made.
BESIDE = Fraction(1, 10**9)

Least = tuple[float, str, str, float]  # threshold, part, contact, travel


def holding_friction(
    machine: Fastener, goal: Apart, smooth: Escape, smooth_run: LegRun | None, *, exact: bool
) -> HoldingFriction:
    """From which friction on the pull straight back is held, and up to which it goes in at all.

    `smooth_run` is the pull without friction, whose path all frictions share up to where they hold.
    """
    weights = _weights(machine)
    own = max((float(mu) for pawl in machine.pawls for _, mu in pawl.obstacles), default=0.0)
    bears = _least(machine, goal.legs, weights, goal.insertion)
    inserts = math.inf if bears is None else bears[0]
    held = None if smooth_run is None else _least(machine, (smooth_run,), weights, goal.insertion)
    jams = not smooth.apart or smooth_run is None
    holds = 0.0 if jams else None if held is None else held[0]
    margin_out = None if holds is None else own - holds
    margin_in = _told(inserts - own)
    if jams:
        return HoldingFriction(
            holds_from=0.0,
            goes_in_below=_told(inserts),
            as_factor=len(set(weights.values())) > 1,
            own=own,
            margin_out=margin_out,
            margin_in=margin_in,
        )
    if held is None:
        return HoldingFriction(
            holds_from=None, goes_in_below=_told(inserts), own=own, margin_out=margin_out, margin_in=margin_in
        )
    value, part, contact, travel = held
    sides = tuple(
        FrictionSide(coefficient=float(each), comes_to=_predicted(machine, goal, each, weights, exact))
        for each in (Fraction(value) * (1 - BESIDE), Fraction(value) * (1 + BESIDE))
    )
    return HoldingFriction(
        holds_from=value,
        goes_in_below=_told(inserts),
        part=part,
        contact=contact,
        travel=travel,
        sides=(sides[0], sides[1]),
        as_factor=len(set(weights.values())) > 1,
        own=own,
        margin_out=margin_out,
        margin_in=margin_in,
    )


def _told(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _weights(machine: Fastener) -> dict[int, float]:
    """Frictions as shares of the largest; all alike where there is none."""
    frictions = {id(leaf): float(mu) for pawl in machine.pawls for leaf, mu in pawl.obstacles}
    largest = max(frictions.values(), default=0.0)
    return {leaf: mu / largest if largest else 1.0 for leaf, mu in frictions.items()}


def _least(
    machine: Fastener, legs: Sequence[LegRun], weights: dict[int, float], direction: Any
) -> Least | None:
    """Where on some legs the least friction would hold."""
    return min(_thresholds(machine, legs, weights, direction), key=lambda each: each[0], default=None)


def _thresholds(
    machine: Fastener, legs: Sequence[LegRun], weights: dict[int, float], direction: Any
) -> Iterable[Least]:
    for leg in legs:
        for pawl, pawl_run in zip(machine.pawls, leg.pawl_runs, strict=True):
            for stretch in pawl_run.stretches:
                threshold = StretchThreshold(stretch, weights)
                value, where = threshold.least()
                if math.isfinite(value):
                    travel = leg.travel(direction, float(threshold.time(where)))
                    yield value, pawl.part, stretch.arc.loaded[0].name, travel


def _predicted(
    machine: Fastener, goal: Apart, coefficient: Fraction, weights: dict[int, float], exact: bool
) -> str:
    """What the whole plan and the pull back come to with another friction."""
    pawls = tuple(
        replace(
            pawl,
            obstacles=tuple(
                (leaf, flint_of(coefficient * Fraction(weights[id(leaf)]))) for leaf, _ in pawl.obstacles
            ),
        )
        for pawl in machine.pawls
    )
    other = replace(machine, pawls=pawls)
    runs = DecidedRuns(other, exact=exact)
    legs = runs.plan.legs[: len(goal.legs)]
    if legs[-1].cause not in ("done", "blocked"):
        return f"{legs[-1].cause} on the way in"
    v = goal.insertion
    escape, _ = escaped(runs, other, (-v[0], -v[1]), replace(goal, legs=legs), "the way back")
    return escape.cause
