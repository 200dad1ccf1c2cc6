"""How far features of two bodies are apart, at many poses at once: never more than they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from detent.contact.candidate import DISC_DISC, FIRST, FORMULA, SECOND
from detent.contact.features import EDGE, FIRST_X, LAST_X, RADIUS, SIDE, WIDE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.contact.candidate import Candidates

    Floats = NDArray[np.float64]


def distances(possible: Candidates, rows: Any, of: dict[int, Floats]) -> Floats:
    """At each pose: the least distance of candidates (`rows`), arcs with no more than they span."""
    features, least = possible.features, None
    for row in rows:
        one, other = int(row[FIRST]), int(row[SECOND])
        poses_one, poses_other = of[int(features.body[one])], of[int(features.body[other])]
        if row[FORMULA] == DISC_DISC:
            distance = _discs(features.data[one], poses_one, features.data[other], poses_other)
        else:
            distance = _edge_disc(features.data[one], poses_one, features.data[other], poses_other)
        least = distance if least is None else np.minimum(least, distance)
    assert least is not None
    return least


def rounds_apart(possible: Candidates, placed: list[tuple[int, Floats]]) -> Floats:
    """At each pose: how far two bodies are apart at least, by circles around all their features."""
    centres, reach = [], 0.0
    for body, poses in placed:
        rows = possible.features.of_body[body]
        data, edges = possible.features.data[rows], possible.features.kind[rows] == EDGE
        ends = np.concatenate([data[:, :2], data[edges, 2:4]])
        wide = np.concatenate([np.where(edges, 0.0, data[:, RADIUS]), np.zeros(edges.sum())])
        middle = 0.5 * (ends.min(axis=0) + ends.max(axis=0))
        reach += float((np.hypot(*(ends - middle).T) + wide).max())
        centres.append(_point(poses, *middle))
    apart: Floats = np.hypot(*(centres[1] - centres[0]).T) - reach
    return apart


def _point(poses: Floats, x: float, y: float) -> Floats:
    c, s = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    return np.column_stack([poses[:, 0] + c * x - s * y, poses[:, 1] + s * x + c * y])


def _to_segment(points: Floats, a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Distance of points from segments, and the nearest points."""
    way = b - a
    share = np.clip(((points - a) * way).sum(axis=1) / np.maximum((way**2).sum(axis=1), 1e-300), 0.0, 1.0)
    foot = a + share[:, None] * way
    return np.hypot(*(points - foot).T), foot


def _spanned(disc: Floats, poses: Floats, direction: Floats) -> Any:
    """Whether an arc reaches into directions of the world; a corner and a whole circle do."""
    if disc[WIDE] == 2.0 or disc[RADIUS] == 0.0:
        return np.ones(len(poses), bool)
    c, s = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    local = np.column_stack(
        [c * direction[:, 0] + s * direction[:, 1], -s * direction[:, 0] + c * direction[:, 1]]
    )
    first, last = disc[FIRST_X : FIRST_X + 2], disc[LAST_X : LAST_X + 2]
    after = first[0] * local[:, 1] - first[1] * local[:, 0] >= 0
    before = local[:, 0] * last[1] - local[:, 1] * last[0] >= 0
    return (after | before) if disc[WIDE] == 1.0 else (after & before)


def _ends(disc: Floats, poses: Floats) -> list[Floats]:
    """The ends of an arc, in the world."""
    return [_point(poses, *(disc[:2] + disc[RADIUS] * disc[k : k + 2])) for k in (FIRST_X, LAST_X)]


def _edge_disc(edge: Floats, poses_e: Floats, disc: Floats, poses_d: Floats) -> Floats:
    a, b = _point(poses_e, edge[0], edge[1]), _point(poses_e, edge[2], edge[3])
    centre = _point(poses_d, disc[0], disc[1])
    distance, foot = _to_segment(centre, a, b)
    spanned = _spanned(disc, poses_d, foot - centre)
    least = np.where(spanned, distance - disc[RADIUS], np.inf)
    if disc[RADIUS] > 0.0 and disc[WIDE] != 2.0:
        for end in _ends(disc, poses_d):
            least = np.minimum(least, _to_segment(end, a, b)[0])
        for corner in (a, b):
            inside = _spanned(disc, poses_d, corner - centre)
            gap = np.abs(np.hypot(*(corner - centre).T) - disc[RADIUS])
            least = np.minimum(least, np.where(inside, gap, np.inf))
    return np.asarray(least)


def _discs(one: Floats, poses_o: Floats, other: Floats, poses_t: Floats) -> Floats:
    """Two arcs: a lower bound, each by itself taken as no more than it spans."""
    p, q = _point(poses_o, one[0], one[1]), _point(poses_t, other[0], other[1])
    between = np.hypot(*(q - p).T)
    hollow = one[SIDE] < 0  # what is in it, or far outside, is that far from its edge
    whole = np.abs(one[RADIUS] - between) - other[RADIUS] if hollow else between - one[RADIUS] - other[RADIUS]
    bounds = [whole]
    for disc, poses, centre, away, radius in (
        (one, poses_o, p, q, other[RADIUS]),
        (other, poses_t, q, p, one[RADIUS]),
    ):
        if disc[RADIUS] == 0.0 or disc[WIDE] == 2.0 or (hollow and disc is other):
            continue
        spanned = _spanned(disc, poses, away - centre)
        ends = np.min([np.hypot(*(end - away).T) for end in _ends(disc, poses)], axis=0) - radius
        bounds.append(np.where(spanned, whole, np.maximum(ends, whole)))
    return np.asarray(np.max(bounds, axis=0))
