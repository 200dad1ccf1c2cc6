"""What follows from a solved frame and its derivatives: instant centres, transmission angles.

A part that turns at speed w and whose point W moves at v turns about W + i v / w; a
part that does not turn has its centre out of all bounds. The transmission angle of
two links that share a pin is the one between their lines, from 0 (a dead point) to
a right angle (force goes straight on). Inside a cut it says neither: such a dyad may be in line where
nothing locks, and the linkage locks where no dyad is in line.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from detent.kinematics.equations.rows import Floats
from detent.kinematics.operations import ops as op
from detent.kinematics.planning.tables import CUT, Plan

# A turning speed below this, by unit of the drive, has its centre farther off than any drawing.
STILL = 1e-12


def instant_centres(plan: Plan, values: Floats, first: Floats) -> dict[str, Floats]:
    """The point about which each moving part turns [m], against the world; not a number where it slides."""
    centres: dict[str, Floats] = {}
    for part, name in _moving(plan):
        spin, at, speed = _spin(plan, part, values, first)
        with np.errstate(all="ignore"):
            centre = np.where(np.abs(spin) > STILL, at + 1j * speed / spin, complex(np.nan, np.nan))
        centres[name] = np.stack([centre.real, centre.imag], axis=1)
    return centres


def transmission_angles(plan: Plan, values: Floats) -> dict[str, Floats]:
    """For each dyad of three pins outside cuts: the angle between its two links [rad], by their names."""
    z = values[..., 0] + 1j * values[..., 1]
    angles: dict[str, Floats] = {}
    searched = np.zeros(len(plan.ops), dtype=bool)
    for _, low, high, *_ in plan.segments[plan.segments[:, 0] == CUT]:
        searched[low:high] = True
    for row in plan.ops[~searched]:
        step = plan.owners.get(int(row[op.DISC]))
        if row[0] != op.CIRCLES or step is None:
            continue
        pin = z[:, row[1]]
        with np.errstate(all="ignore"):
            ratio = (z[:, row[2]] - pin) / (z[:, row[3]] - pin)
        angles[", ".join(step.parts)] = np.arctan2(np.abs(ratio.imag), np.abs(ratio.real))
    return angles


def without_transmission(plan: Plan) -> tuple[str, ...]:
    """Links of two pins that are found together by numbers: an angle is of two links on three pins alone.

    A block of no equations finds nothing: it holds what hangs on nothing fixed.
    """
    pins = Counter(
        end.part for pair in plan.system.pairs if pair.kind == "revolute" for end in (pair.a, pair.b)
    )
    placed = {step.parts[0] for step in plan.steps if not step.unknowns and len(step.parts) == 1}
    closing = (step for step in plan.steps if step.unknowns and " 0 equations " not in step.step)
    found = dict.fromkeys(part for step in closing for part in step.parts)
    names = plan.system.parts
    return tuple(part for part in found if part not in placed and pins[names.index(part)] > 1)


def _moving(plan: Plan) -> list[tuple[int, str]]:
    return [(i, plan.system.parts[i]) for i in plan.system.moving]


def _spin(
    plan: Plan, part: int, values: Floats, first: Floats
) -> tuple[Floats, NDArray[np.complex128], NDArray[np.complex128]]:
    """Turning speed, a point of the part, and that point's velocity."""
    anchor = plan.anchors[part]
    wanted = [anchor.W, anchor.P, anchor.Q]
    with np.errstate(all="ignore"):  # at a dead point rates have no bound
        z = values[:, wanted, 0] + 1j * values[:, wanted, 1]
        v = first[:, wanted, 0] + 1j * first[:, wanted, 1]
        spin = ((v[:, 2] - v[:, 1]) / (z[:, 2] - z[:, 1])).imag
    return np.asarray(spin), z[:, 0], v[:, 0]
