"""The springs of an elastic joint in the plane of peg and hole: Whitney's K_x and K_th, and their centre."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from detent.foundation.units import metres
from detent.judge.pegs.plane import RefusedError
from detent.model.document.mechanism import Mechanism
from detent.model.machine.elastic.support import elastic_matrices
from detent.model.machine.placed import Placed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_ALIKE = 1e-9  # of a stiffness or a length: less is rounding


def springs_of(
    mechanism: Mechanism, placed: Placed, joint: str, down: Floats, across: Floats
) -> tuple[float, float, float, Floats]:
    """K_x, K_th, the stiffness along the way in, and where the compliance centre is (document units, world).

    Seen from either part they are the same. A stiffness that couples sideways travel and tilt has its centre
    elsewhere on the axis: where it does not.
    """
    matrices = elastic_matrices(mechanism, joint)
    each = placed.joints[joint]
    first, second = each.ends
    assert first is not None
    assert second is not None
    axes = first.frame_in_world.matrix[:, :3]
    rows = range(6) if mechanism.dimension == 3 else (0, 1, 5)
    stiffness, rigid = np.zeros((6, 6)), np.zeros((6, 6))
    stiffness[np.ix_(rows, rows)] = matrices.stiffness
    for k in matrices.rigid:
        at = list(rows)[k]
        rigid[at, at] = 1.0
    turned = np.kron(np.eye(2), axes)
    stiffness, rigid = turned @ stiffness @ turned.T, turned @ rigid @ turned.T
    normal = np.cross(down, across)
    ways = np.zeros((6, 6))
    ways[0, :3], ways[1, 3:], ways[2, :3] = across, normal, down
    ways[3, :3], ways[4, 3:], ways[5, 3:] = normal, across, down
    seen, stuck = ways @ stiffness @ ways.T, ways @ rigid @ ways.T
    for k, what in ((0, f"sideways ({_words(across)})"), (1, "against tilting"), (2, "along the way in")):
        if k < 2 and stuck[k, k] > _ALIKE:
            raise RefusedError(
                f"joints.{joint}",
                f"it is rigid {what}, so that contact forces have no closed form",
                "give it a stiffness there",
            )
        if seen[k, k] <= 0 and stuck[k, k] < _ALIKE:
            raise RefusedError(
                f"joints.{joint}.stiffness",
                f"no spring holds the peg {what}: nothing holds it there",
                "give a stiffness above zero",
            )
    size = np.sqrt(np.abs(np.diag(seen)))
    for i in range(2):
        for j in range(2, 6):
            if abs(seen[i, j]) > _ALIKE * size[i] * size[j] or abs(stuck[i, j]) > _ALIKE:
                raise RefusedError(
                    f"joints.{joint}.stiffness",
                    "it couples the plane of peg and hole with other directions",
                    "the closed forms are planar: take a stiffness whose axes lie in the plane",
                )
    away = seen[0, 1] / seen[0, 0]  # from the joint's point along the way in [m]
    tilt = seen[1, 1] - seen[0, 1] ** 2 / seen[0, 0]
    point = second.frame_in_world.matrix[:, 3] + away / metres(mechanism.units) * down
    axial = math.inf if stuck[2, 2] > _ALIKE else float(seen[2, 2])
    return float(seen[0, 0]), float(tilt), axial, point


def _words(direction: Floats) -> str:
    k = int(np.argmax(np.abs(direction)))
    return f"along {'xyz'[k]}" if abs(abs(direction[k]) - 1) < _ALIKE else "along its offset"
