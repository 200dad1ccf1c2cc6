"""How a rigid mating ends: in, jammed, wedged; its load on the jamming diagram.

Wedged is what friction holds without the drive: forces in the cones of the contacts that balance each other,
not all zero, found by a linear program over cones of 16 sides inside the round ones; or a peg larger than its
hole, which nothing leads in.
"""

from __future__ import annotations

import math
from typing import Any, Literal, Protocol

import numpy as np

from detent.foundation.units import unit_names
from detent.judge.pegs.jamming import vertices
from detent.judge.rigid_mating.forces import MatingForces
from detent.library.robots.serial_arm import Floats
from detent.model.document.ask import AskMate
from detent.motion.rigid.mating.mating_run import RigidMatingRun
from detent.record.compliant_mating import GoesIn, JammingPath
from detent.record.led.rigid import RigidEnd

_COUNTS_AS_IN = 0.95  # of the way of the first leg, unless the document gives a depth
_SIDES = 16
_ROWS = 200  # of the path
_BALANCED = 1e-7  # of forces that add up to one, over the part's size: less is rounding
_RESTS = 1e-3  # of the path's speed: slower counts as at rest
_INSIDE = 1e-6  # of the diagram: a load beyond it by more has left it


class LedPeg(Protocol):
    """What an end is told of: a peg with flat sides (`MatingForces`), a round one (`RoundStory`)."""

    @property
    def run(self) -> RigidMatingRun: ...

    def depth_at(self, times: Any) -> Floats:
        """Of the middle of the tip below the hole's face [m]."""

    @property
    def larger(self) -> str:
        """By how much the peg is larger than its hole; nothing where it is not."""

    @property
    def not_followed(self) -> str:
        """Why the run is not to be believed; nothing where it is."""

    @property
    def touching_at_end(self) -> tuple[str, ...]:
        """By name."""


def leg_end(peg: LedPeg, number: int, until: float) -> RigidEnd:
    """How a leg ended, and why where the part is not in."""
    run, plan = peg.run, peg.run.machine.plan
    leg, last = plan.legs[number], number + 1 == len(plan.legs)
    names, scale = unit_names(run.mechanism.units), 1 / plan.metres
    depth = float(np.ravel(peg.depth_at(until))[0])
    moved = run.gripper_motion(*run.steps.at([until]))[0][0]
    known: dict[str, Any] = {
        "time": until,
        "travel": float(moved[:3] @ plan.legs[0].direction) * scale,
        "depth": depth * scale,
        "depth_mm": 1e3 * depth if run.mechanism.units != "1" else None,
    }
    if why := peg.not_followed:
        return RigidEnd(cause="interrupted", detail=why, **known)
    if last and not run.done:
        return RigidEnd(cause="interrupted", detail=run.why, **known)
    if until < leg.start + leg.duration:
        return RigidEnd(cause="interrupted", detail=f"the run ends at {until:.4g}{names.time}", **known)
    ask = run.mechanism.ask.mate if run.mechanism.ask is not None and run.mechanism.ask.mate else AskMate()
    least = _COUNTS_AS_IN * leg.length if ask.depth is None else float(ask.depth) * plan.metres
    along = float((moved[:3] - leg.origin) @ leg.direction)
    if leg.back or number > 0 or along >= least:
        return RigidEnd(cause="done", **known)
    short = f"the part has gone {along * scale:.4g} of {least * scale:.4g}{names.length} that count as in"
    cause, why = _stuck(peg, short, last=last)
    return RigidEnd(cause=cause, detail=why, **known)


def _stuck(peg: LedPeg, short: str, *, last: bool) -> tuple[Literal["jam", "wedged"], str]:
    """Jammed or wedged, and why, of a part that is not in when its drive is used up."""
    if peg.larger:
        return "wedged", f"the peg is larger than its hole {peg.larger}; {short}"
    touching = peg.touching_at_end
    if not touching:
        return "jam", f"nothing touches, and {short}"
    moving = "" if not last or at_rest(peg.run) else "; it still moves"
    locked = holds_without_drive(peg.run) if last else ()
    if locked:
        words = f"friction at {', '.join(locked)} would hold it without the drive; {short}{moving}"
        return "wedged", words
    return "jam", f"the drive is used up against {', '.join(touching)}; {short}{moving}"


def insertion(run: RigidMatingRun, first: RigidEnd) -> GoesIn:
    """Whether the part went in, by how the first leg ended."""
    unit = unit_names(run.mechanism.units).length
    went = f"the tip is {first.depth:.4g}{unit} below the hole's face when leg 1 ends"
    if first.cause == "interrupted":
        return GoesIn(answer="undecided", why=first.detail)
    if first.cause != "done":
        return GoesIn(answer="no", why=f"{first.cause}: {first.detail}")
    if not run.touched:
        return GoesIn(answer="nothing touched", why=f"{went}, and the parts do not touch")
    return GoesIn(answer="yes", why=went)


def holds_without_drive(run: RigidMatingRun) -> tuple[str, ...]:
    """Contacts of the last state whose forces can balance each other; nothing where none can."""
    from scipy.optimize import linprog

    steps, machine = run.steps, run.machine
    n = int(steps.counts[-1])
    if n < 2:
        return ()
    columns, owners, size = [], [], machine.size
    middle = steps.contacts[-1, :n, 1:4].mean(axis=0)
    for i in range(n):
        point, normal = steps.contacts[-1, i, 1:4] - middle, steps.contacts[-1, i, 4:7]
        friction = machine.law_of(int(steps.candidates[-1, i]))[0]
        across = np.linalg.svd(normal[None])[2][1:]
        for k in range(_SIDES if friction else 1):
            angle = 2 * math.pi * k / _SIDES
            force = normal + friction * (math.cos(angle) * across[0] + math.sin(angle) * across[1])
            columns.append(np.concatenate([force, np.cross(point, force) / size]))
            owners.append(i)
    balance = np.array(columns).T
    program = linprog(
        np.concatenate([np.zeros(balance.shape[1]), np.ones(12)]),
        A_eq=np.vstack(
            [
                np.hstack([balance, np.eye(6), -np.eye(6)]),
                np.concatenate([np.ones(balance.shape[1]), np.zeros(12)])[None],
            ]
        ),
        b_eq=[0.0] * 6 + [1.0],
        method="highs",
    )
    if program.status != 0 or program.fun > _BALANCED:
        return ()
    loaded = sorted({owner for owner, share in zip(owners, program.x, strict=False) if share > 1e-6})
    return tuple(machine.name_of(int(steps.candidates[-1, i])) for i in loaded)


def at_rest(run: RigidMatingRun) -> bool:
    """Whether the held part stands at the end."""
    moved = run.gripper_motion(run.steps.states[-1:], run.steps.speeds[-1:])[1][0]
    speed = np.linalg.norm(moved[:3]) + run.machine.reach * np.linalg.norm(moved[3:])
    return bool(speed < _RESTS * run.machine.course.fastest)


def jamming_path(forces: MatingForces, start: float, end: float) -> JammingPath | None:
    """Whitney's diagram where two contacts first hold and at the end, and the load's path at the tip.

    In the plane across which the load is larger; l is the depth of the ends of its sides, r half of the peg.
    """
    machine = forces.run.machine
    friction = float(machine.laws[:, 0].max())
    if friction == 0:
        return None
    half = forces.reading.averaged / 2
    last = min(end, float(forces.run.steps.times[-1])) - half
    times = np.linspace(max(start, half), last, 4 * _ROWS)
    load = forces.totals.between(times - half, times + half)
    moment = forces.moments.between(times - half, times + half)
    plane = 1 + int(np.argmax(np.abs(load[:, 1:]).sum(axis=0)))
    sides = half_width_and_nose(forces, plane)
    if sides is None:
        return None
    radius, nose = sides
    depths = forces.depth_at(times) - nose
    loaded = (load[:, 0] < -forces.reading.loaded) & (depths > 0)
    if loaded.sum() < 2:
        return None
    # Whitney's plane: z the way in, x across; the support's load on the peg is against the contacts', and so
    # their ratios are the same. Moments are about the middle of the sides' ends.
    turning = (moment[:, 2] if plane == 1 else -moment[:, 1]) + nose * load[:, plane]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = load[:, plane] / load[:, 0], turning / (radius * load[:, 0])
    rows = np.column_stack([depths, *ratios, times])[loaded]
    scale = 1 / machine.plan.metres
    shown = rows[:: max(1, len(rows) // _ROWS)]
    lams = [float(depth) / (2 * friction * radius) for depth in (rows[0, 0], rows[-1, 0])]
    left = _leaves(friction, radius, rows)
    return JammingPath(
        depth=(float(rows[0, 0]) * scale, float(rows[-1, 0]) * scale),
        lam=(lams[0], lams[1]),
        vertices=tuple(vertices(friction, lam) for lam in lams),
        path=tuple((float(d) * scale, float(x), float(m), float(t)) for d, x, m, t in shown),
        path_columns=("depth", "F_x/F_z", "M/(r F_z)", "time"),
        leaves=None if left is None else left * scale,
    )


def half_width_and_nose(forces: MatingForces, plane: int) -> tuple[float, float] | None:
    """Half of the peg across the way in, and how far its tip is ahead of its sides [m]."""
    profile = forces.profile
    sides = [
        points - profile.tip
        for body, solid in profile.solids.items()
        if profile.machine.held[body]
        for normal, points in profile.faces_of(body, solid)
        if profile.of_peg(normal, plane) in ("1", "5")
    ]
    if not sides:
        return None
    width = max(abs(float(points.mean(axis=0) @ profile.axes[:, plane])) for points in sides)
    return width, -max(float((points @ profile.axes[:, 0]).max()) for points in sides)


def _leaves(friction: float, radius: float, rows: Floats) -> float | None:
    """The depth at which the load first stays outside of its parallelogram, to the end."""
    lam = rows[:, 0] / (2 * friction * radius)
    first = np.abs(rows[:, 1]) * friction
    second = np.abs(rows[:, 2] + friction * (1 + lam) * rows[:, 1]) / np.maximum(lam, 1e-12)
    outside = np.maximum(first, second) > 1 + _INSIDE
    if not outside[-1]:
        return None
    inside = np.flatnonzero(~outside)
    return float(rows[inside[-1] + 1, 0]) if len(inside) else float(rows[0, 0])
