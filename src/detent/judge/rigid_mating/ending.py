"""How a rigid mating ends: in, jammed, wedged; its load on the jamming diagram.

Wedged is what friction holds without the drive: forces in the cones of the contacts that balance each other,
not all zero, found by a linear program over cones of 16 sides inside the round ones; or a peg larger than its
hole, which nothing leads in.
"""

from __future__ import annotations

import math

import numpy as np

from detent.judge.pegs.jamming import vertices
from detent.judge.rigid_mating.forces import MatingForces
from detent.library.robots.serial_arm import Floats
from detent.record.compliant_mating import JammingPath

_SIDES = 16
_ROWS = 200  # of the path
_BALANCED = 1e-7  # of forces that add up to one, over the part's size: less is rounding
_RESTS = 1e-3  # of the path's speed: slower counts as at rest
_INSIDE = 1e-6  # of the diagram: a load beyond it by more has left it


def holds_without_drive(forces: MatingForces) -> tuple[str, ...]:
    """Contacts of the last state whose forces can balance each other; nothing where none can."""
    from scipy.optimize import linprog

    steps, machine = forces.run.steps, forces.run.machine
    n = int(steps.counts[-1])
    if n < 2:
        return ()
    columns, owners, size = [], [], machine.size
    for i in range(n):
        point, normal = steps.contacts[-1, i, 1:4] - forces.tips[-1], steps.contacts[-1, i, 4:7]
        friction = float(machine.laws[machine.candidates.listed[steps.candidates[-1, i], 3], 0])
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


def at_rest(forces: MatingForces) -> bool:
    """Whether the held part stands at the end."""
    run = forces.run
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
    load = forces.mean(forces.totals, times - half, times + half)
    moment = forces.mean(forces.moments, times - half, times + half)
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
