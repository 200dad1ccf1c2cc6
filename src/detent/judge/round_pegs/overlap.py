"""Whether a round peg and the part with the hole run into each other where no round surface is in the way.

Only round surfaces about one axis touch in such a run, with faces as far as they reach all round. A peg on
a plate's edge would pass through it: so points of the peg's surface, a little within it, are looked for in
the other part at some instants. That is a sample.
"""

from __future__ import annotations

import math

import numpy as np

from detent.geometry.revolved.inside import inside
from detent.geometry.revolved.meridian import Meridian
from detent.library.robots.serial_arm import Floats
from detent.motion.rigid.mating.mating_run import RigidMatingRun

_INSTANTS = 24
_ALONG, _AROUND = 5, 48
_WITHIN = 1e-5  # [m] below the peg's surface


def overlap_from(
    run: RigidMatingRun, hole: Meridian, peg: Meridian, since: float, until: float
) -> float | None:
    """The first looked-at time at which the peg is in the other part's material."""
    machine = run.machine
    names = machine.names
    other, own = names.index(hole.part), names.index(peg.part)
    solid = machine.system.bodies[other].solid
    assert solid is not None, "a part with a hole has a shape"
    points = _below_surface(peg)
    for time in np.linspace(since, until, _INSTANTS).tolist():
        q = run.steps.at([time])[0][0]
        on, of = machine.pose(other, q), machine.pose(own, q)
        world = points @ of[:, :3].T + of[:, 3]
        if inside(solid, (world - on[:, 3]) @ on[:, :3]).any():
            return float(time)
    return None


def _below_surface(peg: Meridian) -> Floats:
    """(n, 3) in the peg's part."""
    found = []
    angles = np.arange(_AROUND) * math.tau / _AROUND
    for piece in peg.pieces:
        if piece.role == "edge":
            continue
        for share in (np.arange(_ALONG) + 0.5) / _ALONG:
            start, end = np.array(piece.start), np.array(piece.end)
            normal = (1 - share) * np.array(piece.normals[0]) + share * np.array(piece.normals[1])
            normal /= np.linalg.norm(normal)
            place = (1 - share) * start + share * end
            if piece.centre is not None:
                place = np.array(piece.centre) + piece.bend * normal
            rho, u = place - _WITHIN * normal
            found.append(np.column_stack([rho * np.cos(angles), rho * np.sin(angles), np.full(_AROUND, u)]))
    frame = peg.frame
    return np.asarray(np.concatenate(found) @ frame[:3, :3].T + frame[:3, 3])
