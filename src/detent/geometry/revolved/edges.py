"""Sharp edges of meridians broken by as little as is never seen, so that two that meet have a normal.

Where two sharp edges touch, the direction between their nearest points is that of rounding errors, and it
turns round as one passes the other. A tube of a fraction of a micrometre in each corner keeps both normals
and gaps smooth. It lies within the material, and takes no more than `CUT` off the edge.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from detent.geometry.revolved.inside import Floats
from detent.geometry.revolved.meridian import MeridianPiece, Point

# [m] that an edge lacks at most. A fifth of the 0.1 micrometre that parts may overlap by; the tubes of usual
# chamfers are half a micrometre thick then, fifty times what gaps are known to.
CUT = 2e-8
_SHARE = 0.05  # of the shorter of its neighbours: no tube takes more off their length
_ROUNDS = 8  # of Newton


def with_broken_edges(pieces: Sequence[MeridianPiece], metres: float) -> list[MeridianPiece]:
    """The pieces, in order, with edges as arcs of small radius, tangent to their neighbours."""
    found = list(pieces)
    for k, piece in enumerate(pieces):
        if piece.role != "edge":
            continue
        before, after = found[k - 1], found[k + 1]
        (a, b), (c, d) = piece.normals
        half = abs(math.atan2(a * d - b * c, a * c + b * d)) / 2
        radius = CUT / metres / (1 / math.cos(half) - 1)
        room = _SHARE * min(_length(pieces[k - 1]), _length(pieces[k + 1]))
        radius = min(radius, room / math.tan(half))
        bisector = np.array([a + c, b + d]) / math.hypot(a + c, b + d)
        centre = np.array(piece.start) - radius / math.cos(half) * bisector
        for _ in range(_ROUNDS):
            sides = [_signed(one, centre) for one in (before, after)]
            away = np.array([distance + radius for distance, _ in sides])
            centre = centre - np.linalg.solve(np.array([normal for _, normal in sides]), away)
        ends = [_signed(one, centre)[1] for one in (before, after)]
        touches = [_point(centre + radius * end) for end in ends]
        normals = _point(ends[0]), _point(ends[1])
        found[k - 1] = replace(before, end=touches[0], normals=(before.normals[0], normals[0]))
        found[k + 1] = replace(after, start=touches[1], normals=(normals[1], after.normals[1]))
        found[k] = replace(
            piece, start=touches[0], end=touches[1], normals=normals, centre=_point(centre), bend=radius
        )
    return found


def _signed(piece: MeridianPiece, at: Floats) -> tuple[float, Floats]:
    """How far a point is out of the material beside a line or an arc that goes on, and the normal there."""
    if piece.centre is None:
        normal = np.array(piece.normals[0])
        return float((at - piece.start) @ normal), normal
    away = at - np.array(piece.centre)
    size, sign = float(np.linalg.norm(away)), math.copysign(1.0, piece.bend)
    return sign * (size - abs(piece.bend)), sign * away / size


def _length(piece: MeridianPiece) -> float:
    return math.dist(piece.start, piece.end)


def _point(vector: Floats) -> Point:
    rho, u = (float(c) for c in vector)
    return rho, u
