"""Candidates in space that are near each other, and one candidate followed wherever its features are.

A run asks `near_in_space` now and then which candidates may touch before bodies have moved by a margin, and
of these alone `find_in_space`'s loop which do, step after step. What acts is followed by `follow_in_space`:
gap, point and normal of the plane of its face or of the lines of its edges, also where they end.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.contact.space_at_state import (
    cross_lines,
    place_direction,
    place_edges,
    place_point,
    relative_pose_in_space,
    sample_candidates,
)
from detent.contact.space_candidates import CORNER_FACE
from detent.mechanics.joint_kernels import dot3
from detent.numeric.kernels import kernel


def sample_features() -> tuple[Any, ...]:
    """Corners, faces and edges, then a list of candidates, pairs and poses."""
    whole = sample_candidates()
    return whole[0], whole[3], whole[8], whole[10], whole[12], whole[13]


@kernel(
    sample=lambda: (np.zeros(3), np.array([1.0, 0.0, 0.0]), np.ones(3), np.array([2.0, 1.5, 1.0])), bare=True
)
def segments_apart(a, b, c, d):  # type: ignore[no-untyped-def]
    """The distance of two segments."""
    squares_u, squares_v, uv, uw, vw, squares_w = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(3):
        u, v, w = b[k] - a[k], d[k] - c[k], a[k] - c[k]
        squares_u += u * u
        squares_v += v * v
        uv += u * v
        uw += u * w
        vw += v * w
        squares_w += w * w
    determinant = squares_u * squares_v - uv * uv
    s = 0.0
    if determinant > 1e-12 * squares_u * squares_v:
        s = min(1.0, max(0.0, (uv * vw - squares_v * uw) / determinant))
    t = (uv * s + vw) / squares_v
    if t < 0.0 or t > 1.0:
        t = min(1.0, max(0.0, t))
        s = min(1.0, max(0.0, (uv * t - uw) / squares_u))
    square = squares_w + s * s * squares_u + t * t * squares_v + 2 * (s * uw - t * vw - s * t * uv)
    return math.sqrt(max(0.0, square))


@kernel(
    sample=lambda: (
        *(sample_candidates()[k] for k in (0, 3, 8, 9, 10, 11, 12, 13)),
        0.5,
        np.zeros(3, np.int64),
    ),
    separate=True,
)
def near_in_space(corners, faces, edges, balls, listed, starts, pairs, matrices, margin, near):  # type: ignore[no-untyped-def]
    """Fills `near` with rows of candidates whose features are no farther apart than the margin; how many.

    Of a corner and a face the distance is bounded by that of the face's plane, and of the ball around it.
    """
    count = 0
    pose_AB = np.zeros((3, 4))
    points = np.zeros((2, 3))
    for pair in range(len(pairs)):
        place_point(matrices[pairs[pair, 0]], balls[pairs[pair, 0], :3], points[0])
        place_point(matrices[pairs[pair, 1]], balls[pairs[pair, 1], :3], points[1])
        reach = balls[pairs[pair, 0], 3] + balls[pairs[pair, 1], 3] + margin
        points[0] -= points[1]
        if math.sqrt(dot3(points[0], points[0])) > reach:
            continue
        last = -1
        for i in range(starts[pair], starts[pair + 1]):
            formula, f, s, flipped = listed[i, 0], listed[i, 1], listed[i, 2], listed[i, 4]
            if flipped != last:
                relative_pose_in_space(matrices, pairs[pair, flipped], pairs[pair, 1 - flipped], pose_AB)
                last = flipped
            if formula == CORNER_FACE:
                place_point(pose_AB, corners[s], points[0])
                for k in range(3):
                    points[0, k] -= faces[f, k]
                far = math.sqrt(dot3(points[0], points[0])) - faces[f, 12]
                apart = max(far, abs(dot3(points[0], faces[f, 9:12])))
            else:
                place_point(pose_AB, edges[s, :3], points[0])
                place_point(pose_AB, edges[s, 3:6], points[1])
                apart = segments_apart(edges[f, :3], edges[f, 3:6], points[0], points[1])
            if apart <= margin:
                near[count] = i
                count += 1
    return count


@kernel(
    sample=lambda: (
        *sample_features()[:3], *(sample_features()[k][0] for k in (3, 4)), sample_features()[5],
        np.zeros((3, 4)), np.zeros((7, 3)), np.zeros(9),
    ), separate=True, bare=True
)  # fmt: skip
def follow_in_space(corners, faces, edges, row, pair, matrices, pose_AB, vectors, found):  # type: ignore[no-untyped-def]
    """Gap, point and normal of one candidate, whether or not it is local there; `found` has those before.

    Two edges have two normals: the one nearer to that before goes on.
    """
    flipped, f, s = row[4], row[1], row[2]
    a, b = pair[flipped], pair[1 - flipped]
    relative_pose_in_space(matrices, a, b, pose_AB)
    point, normal = vectors[0], vectors[1]
    if row[0] == CORNER_FACE:
        place_point(pose_AB, corners[s], point)
        gap = 0.0
        for k in range(3):
            normal[k] = faces[f, 9 + k]
            gap += (point[k] - faces[f, k]) * normal[k]
        if flipped == 1:
            for k in range(3):
                point[k] -= gap * normal[k]
                normal[k] = -normal[k]
    else:
        place_edges(edges, f, s, pose_AB, vectors)
        sine, gap, along_u, along_v = cross_lines(edges, f, vectors)
        cosine = dot3(vectors[2], vectors[3])
        at_b = (cosine * along_u - along_v) / (sine * sine) if sine > 0.0 else 0.0
        for k in range(3):
            point[k] = vectors[4, k] + at_b * vectors[3, k]
        place_direction(matrices[a], normal, vectors[6])
        if dot3(vectors[6], found[4:7]) < 0.0:
            gap = -gap
            for k in range(3):
                normal[k] = -normal[k]
    found[0] = gap
    place_point(matrices[a], point, found[1:4])
    place_direction(matrices[a], normal, found[4:7])
