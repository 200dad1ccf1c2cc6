"""What two parts may still do to each other when all their matched faces stay on each other.

Each place of a match gives a row: the normal velocity of the second part past the first, which cannot be
negative. A row that can never be positive either, because other faces face it, is held; the relative
velocities on which all held rows vanish are the freedom of the pair. This intersects all matches of two parts
at once: two parallel pins leave a slide, two that are not parallel leave nothing, a shoulder at one end holds
nothing alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from detent.infer.matching.matches import Match
from detent.numeric.linear_program import maximise

Kind = Literal["none", "fixed", "revolute", "prismatic", "cylindrical", "planar", "spherical", "other"]

_SMALL = 1e-6  # of rows of length about one
_FASTEST = 1e4
_PLANE = (0, 1, 5)  # of a velocity in space: what remains of it in the plane


@dataclass(frozen=True, eq=False)
class Freedom:
    """The kind of a pair; the direction of its axis, and a point on it where the axis has a place."""

    kind: Kind
    direction: Any | None = None
    point: Any | None = None
    held: tuple[int, ...] = ()  # matches with a row that is held
    degrees: int = 6


def freedom_of(matches: Sequence[Match], *, flat: bool) -> Freedom:
    """The freedom that matched faces leave."""
    if not matches:
        return Freedom("none")
    points = np.concatenate([m.points for m in matches])
    normals = np.concatenate([m.normals for m in matches])
    of = np.concatenate([np.full(len(m.points), i) for i, m in enumerate(matches)])
    centre = points.mean(axis=0)
    scale = float(np.abs(points - centre).max()) or 1.0
    rows = np.hstack([normals, np.cross((points - centre) / scale, normals)])
    columns = list(_PLANE) if flat else list(range(6))
    rows = rows[:, columns]
    used = np.linalg.norm(rows, axis=1) > _SMALL  # faces across the plane say nothing in it
    rows, of = rows[used], of[used]
    if not len(rows):
        return Freedom("none")
    held = _held(rows)
    if not held.any():
        return Freedom("none", degrees=len(columns))
    space = np.zeros((_nullity(rows[held]), 6))
    space[:, columns] = _null_space(rows[held])
    kind, direction, point = _kind(space, flat)
    if point is not None:
        point = centre + scale * point
    return Freedom(kind, direction, point, tuple(sorted(set(of[held].tolist()))), len(space))


def _held(rows: Any) -> Any:
    """Which rows are zero for every velocity at which none is negative."""
    count, width = rows.shape
    cost = np.concatenate([np.zeros(width), np.ones(count)])
    # Rows less their share t in [0, 1] are not negative; where the shares are largest, t is 0 or 1.
    table = np.hstack([rows, -np.eye(count)])
    # Velocities are bounded, so that rounding in a row, however small, is not taken for a freedom.
    least = np.concatenate([np.full(width, -_FASTEST), np.zeros(count)])
    most = np.concatenate([np.full(width, _FASTEST), np.ones(count)])
    best = maximise(cost, table, 0.0, np.inf, least=least, most=most)
    assert best is not None, "standing still is always possible"
    return best[width:] < 0.5


def _nullity(rows: Any) -> int:
    return len(_null_space(rows))


def _null_space(rows: Any) -> Any:
    _, values, vectors = np.linalg.svd(rows)
    rank = int((values > _SMALL * max(1.0, values[0])).sum())
    return vectors[rank:]


def _kind(space: Any, flat: bool) -> tuple[Kind, Any, Any]:
    """The kind of a space of relative velocities [v, w], a unit direction, a point on the axis."""
    rotations = _basis(space[:, 3:])
    translations = _translations(space)
    if len(space) == 0:
        return "fixed", None, None
    if len(space) == 1 and len(rotations) == 0:
        return "prismatic", _unit(space[0, :3]), None
    if len(rotations) == 1:
        axis = rotations[0]
        turning = _turning(space, axis)
        v = turning[:3] - (turning[:3] @ axis) * axis
        point = np.cross(axis, v)
        if len(space) == 1:
            pitch = abs(turning[:3] @ axis)
            return ("revolute" if pitch <= 1e-5 else "other"), axis, point
        if len(space) == 2 and np.linalg.norm(np.cross(translations[0], axis)) <= 1e-5:
            return "cylindrical", axis, point
        if len(space) == 3 and len(translations) == 2 and np.abs(translations @ axis).max() <= 1e-5:
            return "planar", axis, None
    if len(space) == 3 and len(rotations) == 3 and len(translations) == 0:
        return "spherical", None, _fixed_point(space)
    return "other", None, None


def _basis(rows: Any) -> Any:
    if not len(rows):
        return np.zeros((0, 3))
    _, values, vectors = np.linalg.svd(rows)
    return vectors[: int((values > _SMALL).sum())]


def _translations(space: Any) -> Any:
    """Directions of the velocities without rotation."""
    if not len(space):
        return np.zeros((0, 3))
    _, values, vectors = np.linalg.svd(space[:, 3:].T)
    rank = int((values > _SMALL).sum())
    return _basis(vectors[rank:] @ space[:, :3]) if rank < len(space) else np.zeros((0, 3))


def _turning(space: Any, axis: Any) -> Any:
    """A velocity of the space that rotates by one about the axis."""
    shares = np.linalg.lstsq(space[:, 3:].T, axis, rcond=None)[0]
    return shares @ space


def _fixed_point(space: Any) -> Any:
    """The point that stands still: v = -w x p."""
    table = np.concatenate([-_cross(row[3:]) for row in space])
    return np.linalg.lstsq(table, space[:, :3].ravel(), rcond=None)[0]


def _cross(w: Any) -> Any:
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def _unit(v: Any) -> Any:
    return v / np.linalg.norm(v)
