"""Straight pulls out of the assembled state of a fastener, and families of directions in which to pull."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

from msgspec import UNSET

from detent.foundation.errors import UnsupportedError
from detent.foundation.names import listed
from detent.judge.apart import Apart
from detent.judge.insertion import climbing_at_the_end
from detent.judge.tops import first_top, gives_way
from detent.model.document.ask import Range
from detent.motion.quasistatic.answer.crossing import crossings
from detent.motion.quasistatic.answer.loads import leg_force
from detent.motion.quasistatic.decide import DecidedRuns
from detent.motion.quasistatic.exact.legs import LegRun, StraightPush, parallel_ratio, refuse_longer
from detent.motion.quasistatic.machine.angle import rational, rotation, written
from detent.motion.quasistatic.machine.fasteners import Fastener
from detent.numeric.polynomial.algebraic import Real, real
from detent.numeric.rational import flint_of
from detent.record.amount import Force
from detent.record.mating import CROSSES, IN_GOAL, LEADS_AWAY, Escape

MOST_DIRECTIONS = 10_000  # of a family: each is followed by itself


def escaped(
    runs: DecidedRuns, machine: Fastener, direction: tuple[Any, Any], goal: Apart, what: str
) -> tuple[Escape, LegRun | None]:
    lasts = goal.reached(direction)
    if lasts is None or lasts.sign() <= 0:
        words = (float(direction[0]), float(direction[1]))
        return Escape(direction=words, apart=False, cause=LEADS_AWAY if lasts is None else IN_GOAL), None
    return pulled(runs, machine, direction, goal, lasts, what)


def pulled(
    runs: DecidedRuns, machine: Fastener, direction: tuple[Any, Any], goal: Apart, lasts: Real, what: str
) -> tuple[Escape, LegRun]:
    """A straight run of some time from the assembled state."""
    words = (float(direction[0]), float(direction[1]))
    refuse_longer(machine, direction, lasts, "ask.mate")
    last, place = goal.legs[-1], goal.place
    if place is not None:
        line = StraightPush(place, direction, real(0))
    else:
        # On the line of the last leg, whose times count the other way.
        ratio = parallel_ratio(direction, last.line.velocity)
        line = StraightPush(last.line.shift, direction, last.end / ratio, ratio=ratio)
    run = runs.out(machine, line, line.start + lasts, what, after=len(goal.legs) - 1)
    bent = [each for each in crossings(machine, (run,), goal.pairs) if not each.drawn]
    if bent:
        names = listed(list(min(bent, key=lambda each: each.time).parts))
        return Escape(direction=words, apart=False, cause=CROSSES.format(names)), run
    apart = run.cause == "done"
    time = float(run.end) - float(line.start)
    forces = leg_force(machine, run) if apart else None
    escape = Escape(
        direction=words,
        apart=apart,
        cause="apart" if apart else run.cause,
        time=time,
        travel=time * math.hypot(*words),
        force=Force(forces.peak) if forces else UNSET,
        top=gives_way(machine, run, forces) if forces else first_top(machine, run),
        climbing=(climbing_at_the_end(machine, run) or UNSET) if apart else UNSET,
    )
    return escape, run


def crosses(escape: Escape) -> bool:
    return escape.cause.endswith(CROSSES.partition("{}")[2])


def without_friction(machine: Fastener) -> Fastener:
    zero = flint_of(Fraction(0))
    pawls = tuple(
        replace(pawl, obstacles=tuple((leaf, zero) for leaf, _ in pawl.obstacles)) for pawl in machine.pawls
    )
    return replace(machine, pawls=pawls)


def family_of(family: Range | None) -> dict[tuple[Any, Any], float]:
    """The family as rational directions, each once, with its angle [rad]; eighths of a turn are exact."""
    if family is None:
        return {}
    if family.values is not None:
        angles = [(written(None, value), float(value)) for value in family.values]
    else:
        degrees = family.from_deg is not None
        first = (family.from_deg if degrees else family.from_) or Fraction(0)
        last = (family.to_deg if degrees else family.to) or Fraction(0)
        count = family.steps or 1
        if count > MOST_DIRECTIONS:
            raise UnsupportedError(
                f"{count + 1} directions are more than are tried, one by one",
                f"take at most {MOST_DIRECTIONS} steps, or go through the range in pieces",
                "ask.mate.directions.steps",
            )
        steps = [first + (last - first) * Fraction(k, count) for k in range(count + 1)]
        angles = [
            (written(step % 360, None), math.radians(step)) if degrees else (written(None, step), float(step))
            for step in steps
        ]
    ways: dict[tuple[Any, Any], float] = {}
    for angle, radians in angles:
        ways.setdefault(direction_at(angle), radians)
    return ways


def direction_at(angle: Any) -> tuple[Any, Any]:
    if angle.radians == 0 and angle.degrees % 45 == 0:
        around = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]
        x, y = around[int(angle.degrees // 45) % 8]
        return flint_of(Fraction(x)), flint_of(Fraction(y))
    cosine, sine = rotation(rational(angle))
    return flint_of(cosine), flint_of(sine)
