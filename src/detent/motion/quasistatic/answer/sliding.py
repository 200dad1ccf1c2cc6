"""How a loaded contact slides: how fast, in which sector, and how far from sticking.

Donald & Pai 1992, sections 6 and 7. Seen from the contact the hinge lies in one of four sectors, divided by
the normal and the line of the contact force: in I and III the contact sticks, in II and IV it slides. In
I and II it slides to the one side, in III and IV to the other, so that where it reverses they change places.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.motion.quasistatic.answer.many_loads import StretchArrays
from detent.motion.quasistatic.machine.fasteners import Pawl
from detent.record.amount import force
from detent.record.mating import HingeForce

NO_LEVER = 1e-12  # of the arm: a lever that is less is zero but for rounding, as at a fold
AT_THRESHOLD = 1e-12  # [rad]: as near the threshold is met, and a loaded contact sticks


def hinge_force(pawl: Pawl, arrays: StretchArrays, carried: Any, times: Any) -> HingeForce:
    """A hinge for the record: forces as they are carried along some stretches, and how these slide."""
    _, x, y, torque, angle, contact = carried
    speed, to_sticking, sector = sliding(arrays, contact.astype(int), times)
    return HingeForce(
        force=tuple(zip(map(force, x.tolist()), map(force, y.tolist()), strict=True)),
        torque=tuple(torque.tolist()),
        angle=tuple((pawl.rest + pawl.sense * angle).tolist()),
        sliding_speed=tuple(None if math.isnan(each) else force(each) for each in speed.tolist()),
        to_sticking=tuple(None if math.isnan(each) else each for each in to_sticking.tolist()),
        sector=tuple(sector.tolist()),
    )


def sliding(arrays: StretchArrays, rows: Any, times: Any) -> tuple[Any, Any, Any]:
    """Of the contact that carries, at times of some stretches: speed, angle to sticking, sector.

    The speed is that of the pawl over the obstacle, to the right of the normal into the pawl, without bound
    at a fold; the angle is that from the line of the contact force to the line through the hinge, in which it
    sticks. The row -1 is nothing that carries: no numbers, and sector 0.
    """
    held = rows >= 0
    speed, angle, sector = np.full(len(rows), np.nan), np.full(len(rows), np.nan), np.zeros(len(rows), int)
    if held.any():
        speed[held], angle[held], sector[held] = _held(arrays, rows[held], times[held])
    return speed, angle, sector


def _held(arrays: StretchArrays, rows: Any, times: Any) -> tuple[Any, Any, Any]:
    with np.errstate(divide="ignore", invalid="ignore"):
        (x, y), (nx, ny), _ = arrays.levers(rows, arrays.parameters(rows, times))
        vx, vy = arrays.velocity
        across, along, against = x * ny - y * nx, x * nx + y * ny, x * vx + y * vy
        across = np.where(np.abs(across) <= NO_LEVER * np.hypot(x, y), 0.0, across)
        side = np.array([each.side for each in arrays.stretches], dtype=float)[rows]
        level = arrays.level[rows]
        at_fold = np.sign(against) * side * np.inf
        speed = np.where(level, vx * ny - vy * nx, np.where(across == 0.0, at_fold, against / across))
    towards = np.where(level, side * np.sign(speed), np.sign(against))
    # Where it reverses the slip is zero, and what it does beside that decides.
    known = np.array([np.sign(each.drag) * each.side for each in arrays.stretches])[rows]
    towards = np.where(towards == 0.0, known, towards)
    friction = np.array([float(each.pair.friction) for each in arrays.stretches])[rows]
    angle = np.arctan2(side * across, -towards * along) - np.arctan(friction)
    first = (towards > 0) != arrays.on_pawl[rows]
    sticks = (friction > 0) & (angle <= AT_THRESHOLD)
    return speed, angle, np.where(first, 2, 4) - sticks
