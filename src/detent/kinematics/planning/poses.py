"""From rows of the vector table to poses of parts and places of markers."""

from __future__ import annotations

import numpy as np

from detent.kinematics.equations.rows import Floats
from detent.kinematics.planning.tables import Plan


def part_poses(plan: Plan, values: Floats) -> dict[str, Floats]:
    """x, y [m] and angle [rad] of each part in each frame; angles go on from the closed drawing."""
    z = values[..., 0] + 1j * values[..., 1]
    poses: dict[str, Floats] = {}
    for part, (name, anchor) in enumerate(zip(plan.system.parts, plan.anchors, strict=True)):
        u = (z[:, anchor.Q] - z[:, anchor.P]) / anchor.d
        origin = z[:, anchor.W] - u * anchor.w
        angles = np.unwrap(np.concatenate([[plan.poses[part, 2]], np.angle(u)]))[1:]
        poses[name] = np.stack([origin.real, origin.imag, angles], axis=1)
    return poses


def marker_tracks(plan: Plan, values: Floats) -> dict[str, Floats]:
    """Where each marker of a moving part is, or its derivative, in each frame."""
    return {
        name: values[:, row]
        for name, row in plan.points.items()
        if not plan.system.fixed[plan.system.marks[name].part]
    }


def part_speeds(plan: Plan, values: Floats, first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """First and second derivatives (frames, parts, 3) of x, y and angle, from those of the vectors.

    Not finite where a dead point leaves them without bound.
    """
    shape = (len(values), len(plan.system.parts), 3)
    once, twice = np.zeros(shape), np.zeros(shape)
    with np.errstate(all="ignore"):
        z, z1, z2 = (table[..., 0] + 1j * table[..., 1] for table in (values, first, second))
        for part, anchor in enumerate(plan.anchors):
            if plan.system.fixed[part]:
                continue
            u, u1, u2 = ((w[:, anchor.Q] - w[:, anchor.P]) / anchor.d for w in (z, z1, z2))
            for out, origin, spin in (
                (once, z1[:, anchor.W] - u1 * anchor.w, u1 / u),
                (twice, z2[:, anchor.W] - u2 * anchor.w, u2 / u),
            ):
                out[:, part] = np.stack([origin.real, origin.imag, spin.imag], axis=1)
    return once, twice
