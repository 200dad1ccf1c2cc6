"""Tops that pawls go over on a pull: where a fastener leaves the place to which the insertion brought it.

A pull that ends in a jam or a stick goes over a top before it where another catch holds, as a pre-lock
does. One that comes apart may go over several, and the first need not be the one that resists most: what
holds the fastener in its place is then less than what takes it apart.
"""

from __future__ import annotations

import math

from msgspec import UNSET, UnsetType

from detent.judge.insertion import top_on_the_way
from detent.motion.quasistatic.answer.loads import leg_force
from detent.motion.quasistatic.exact.legs import LegRun
from detent.motion.quasistatic.machine.fasteners import Fastener
from detent.motion.quasistatic.slice.table import SlicePoint
from detent.record.amount import Force
from detent.record.mating import LegForce, PassedTop

# Of a force: catches that differ by less are alike, as the teeth of a rack are but for rounding.
ALIKE = 1e-6


def first_top(machine: Fastener, run: LegRun) -> PassedTop | UnsetType:
    """The first top that a pawl goes over on a run, with the force that takes it there."""
    tops = _tops(machine, run)
    if not tops:
        return UNSET
    top, part, angle = tops[0]
    forces, there = leg_force(machine, run), run.instant(top.t)
    until = max(f for t, f in zip(forces.times, forces.on_drive, strict=True) if t <= there)
    return _passed(run, top, part, angle, until)


def gives_way(machine: Fastener, run: LegRun, forces: LegForce) -> PassedTop | UnsetType:
    """The top behind which nothing holds the root for the first time, on a run that later takes more force.

    Of several pawls that is the last to go over its top until then: while another climbs, that one holds.
    """
    tops = _tops(machine, run)
    if not tops:
        return UNSET
    series = list(zip(forces.times, forces.on_drive, strict=True))
    first = run.instant(tops[0][0].t)
    free = next((t for t, f in series if t > first and f <= 0), math.inf)
    until = max(f for t, f in series if t <= free)
    most = max(f for _, f in series)
    if most <= 0 or until >= most * (1 - ALIKE):
        return UNSET
    top, part, angle = [each for each in tops if run.instant(each[0].t) <= free][-1]
    return _passed(run, top, part, angle, until)


def _passed(run: LegRun, top: SlicePoint, part: str, angle: float, force: float) -> PassedTop:
    speed = math.hypot(*(float(each) for each in run.line.velocity))
    travel = (float(top.t) - float(run.line.start)) * speed
    return PassedTop(part=part, angle=angle, travel=travel, force=Force(force))


def _tops(machine: Fastener, run: LegRun) -> list[tuple[SlicePoint, str, float]]:
    """The first top of each pawl that goes over one, in order of time, with its part and angle."""
    tops = [
        (top, pawl.part, pawl.sense * top.angle())
        for pawl, pawl_run in zip(machine.pawls, run.pawl_runs, strict=True)
        if (top := top_on_the_way([pawl_run])) is not None
    ]
    return sorted(tops, key=lambda each: float(each[0].t))
