"""The loop over candidates in space: which corners touch faces, and edges edges, at a state.

A corner touches a face where its foot (not the corner itself) lies in the face, and no edge at the corner
goes below it. Over an edge that points inwards the face goes on as far as contacts may be deep: a corner past
both sides of a notch has its feet in the material. Two convex edges touch where their closest points lie
inside of both, and the normal is one of those that each edge has between its two faces. Of one corner past
several faces the one that it is past least acts, and its neighbour in a notch. A corner that stands on a
convex edge could slip past on either side; it is held by the face that others touch too.

Balls around bodies, and around faces and edges, leave out what is far away before anything else is computed.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.contact.space_candidates import CORNER_FACE, EDGE_EDGE, VALUES, SpaceCandidates
from detent.mechanics.joint_kernels import dot3
from detent.numeric.kernels import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.model.machine.state import State

    Floats = NDArray[np.float64]

# Sine of an angle: directions nearer than this are one, as a face that lies flush on another.
_FLUSH = 1e-9
# Sine of the angle between edges that are parallel: rounding leaves their common normal nine digits.
_PARALLEL = 1e-7
# Elementary steps that one candidate takes.
_STEPS = 40


def find_in_space(
    candidates: SpaceCandidates, state: State, within: float, depth: float, slack: float, tilt: float
) -> tuple[NDArray[np.int64], Floats]:
    """Rows of candidates that touch, and their columns: gap, point, normal, share, directions of edges."""
    chosen, values = candidates.scratch
    matrices = np.ascontiguousarray(state.matrices[:, :3, :])
    count = find_space_contacts.at(_STEPS * len(candidates))(
        *candidates.arrays, matrices, within, depth, slack, math.sin(tilt), chosen, values
    )
    return chosen[:count].copy(), values[:count].copy()


def sample_candidates() -> tuple[Any, ...]:
    """Two unit squares as faces, a corner above the first, edges that cross, and a notch over one side."""
    corners, cones = (
        np.array([[0.1, 0.2, -0.1]]),
        np.array([[0.8, 0.0, 0.6], [0.0, 0.8, 0.6], [0.0, 0.0, 1.0]]),
    )
    face = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.5]
    square = np.array(
        [[-1, -1, 1, -1, 0, 0], [1, -1, 1, 1, 0, 0], [1, 1, -1, 1, 0, 0], [-1, 1, -1, -1, 0, 0]]
    )
    into_first, into_second = [0, 0.8, -0.6, 0, -0.8, -0.6], [0.8, 0, 0.6, -0.8, 0, 0.6]
    edges = np.array([[-1, 0, 0, 1, 0, 0, *into_first], [0, -1, 0, 0, 1, 0, *into_second]], float)
    edges = np.hstack([edges, np.tile([1.0, 0.0, 1.0], (2, 2))])
    starts = np.array([0, 3]), np.array([0, 4, 8])
    listed = np.array([[0, 0, 0, 0, 0], [0, 1, 0, 0, 0], [1, 0, 1, 0, 0]])
    matrices = np.tile(np.eye(4)[:3], (2, 1, 1))
    matrices[1, 2, 3] = 0.05
    features = (
        corners,
        starts[0],
        cones,
        np.array([face, face]),
        starts[1],
        np.vstack([square, square]) * 1.0,
    )
    over = np.array([1, -1, -1, -1, 0, -1, -1, -1]), np.array([-1, 1, -1, -1, -1, 0, -1, -1])
    tables = *features, *over, edges, np.array([[0, 0, 0, 2.0], [0, 0, 0, 2.0]])
    rows = listed, np.array([0, 3]), np.array([[0, 1]]), matrices
    return (*tables, *rows, 1.0, 1.0, 1e-9, 0.1, np.zeros(3, np.int64), np.zeros((3, VALUES)))


@kernel(sample=lambda: (np.eye(4)[:3], np.ones(3), np.zeros(3)))
def place_point(pose, point, placed):  # type: ignore[no-untyped-def]
    """Writes a point of a body, by the pose (3, 4) of its frame."""
    for k in range(3):
        placed[k] = pose[k, 0] * point[0] + pose[k, 1] * point[1] + pose[k, 2] * point[2] + pose[k, 3]


@kernel(sample=lambda: (np.eye(4)[:3], np.ones(3), np.zeros(3)))
def place_direction(pose, direction, placed):  # type: ignore[no-untyped-def]
    """Writes a direction of a body, by the pose (3, 4) of its frame."""
    for k in range(3):
        placed[k] = pose[k, 0] * direction[0] + pose[k, 1] * direction[1] + pose[k, 2] * direction[2]


@kernel(sample=lambda: (np.tile(np.eye(4)[:3], (2, 1, 1)), 0, 1, np.zeros((3, 4))))
def relative_pose_in_space(matrices, a, b, pose_AB):  # type: ignore[no-untyped-def]
    """Writes pose_AB (3, 4) of two poses in the world."""
    for i in range(3):
        for j in range(4):
            total = 0.0
            for k in range(3):
                value = matrices[b, k, j] - matrices[a, k, 3] if j == 3 else matrices[b, k, j]
                total += matrices[a, k, i] * value
            pose_AB[i, j] = total


@kernel(sample=lambda: (sample_candidates()[5], sample_candidates()[6], 0, 4, 0.9, 0.9, 1e-9, 0.2))
def within_border(sides, notches, first, last, x, y, slack, depth):  # type: ignore[no-untyped-def]
    """Whether a point of a face's plane lies in the face, or over a notch no farther than `depth`."""
    inside = False
    for k in range(first, last):
        x0, y0, x1, y1 = sides[k, 0], sides[k, 1], sides[k, 2], sides[k, 3]
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
            inside = not inside
        ux, uy = x1 - x0, y1 - y0
        share = ((x - x0) * ux + (y - y0) * uy) / (ux * ux + uy * uy)
        # Past the end of a notch the face goes on only where the next side is one too.
        goes_on = (share >= 0.0 or sides[k, 4] == 1.0) and (share <= 1.0 or sides[k, 5] == 1.0)
        share = min(1.0, max(0.0, share))
        beyond = slack + (depth if notches[k] >= 0 and goes_on else 0.0)
        if math.hypot(x - x0 - share * ux, y - y0 - share * uy) <= beyond:
            return True
    return inside


@kernel(
    sample=lambda: (
        *sample_candidates()[:7],
        0,
        0,
        np.eye(4)[:3],
        1.0,
        1.0,
        1e-9,
        0.1,
        np.zeros(3),
        np.zeros(3),
    )
)
def corner_on_face(  # type: ignore[no-untyped-def]
    corners, cone_starts, cones, faces, side_starts, sides, notches, f, s, pose_AB,
    within, depth, slack, leaning, corner, way,
):  # fmt: skip
    """The gap of a corner of B over a face of A, infinite where it is not local; writes the corner in A."""
    place_point(pose_AB, corners[s], corner)
    away = corner[0] - faces[f, 0], corner[1] - faces[f, 1], corner[2] - faces[f, 2]
    gap = away[0] * faces[f, 9] + away[1] * faces[f, 10] + away[2] * faces[f, 11]
    if gap > within or gap < -depth:
        return math.inf
    if math.sqrt(dot3(away, away)) > faces[f, 12] + slack + depth + max(within, depth):
        return math.inf
    x = away[0] * faces[f, 3] + away[1] * faces[f, 4] + away[2] * faces[f, 5]
    y = away[0] * faces[f, 6] + away[1] * faces[f, 7] + away[2] * faces[f, 8]
    if not within_border(sides, notches, side_starts[f], side_starts[f + 1], x, y, slack, depth):
        return math.inf
    for k in range(cone_starts[s], cone_starts[s + 1]):
        place_direction(pose_AB, cones[k], way)
        if dot3(way, faces[f, 9:12]) < -leaning:
            return math.inf
    return gap


@kernel(sample=lambda: (sample_candidates()[8], 0, 0.0, 1.0, 1e-9, 0.0, 0.5))
def speaks_at_end(edges, row, at, length, slack, along_first, along_second):  # type: ignore[no-untyped-def]
    """Whether an edge touches at this point of it: not at an end that its corner or its face speaks for.

    At an end it is the corner that touches, where a plane can touch it alone. Else the edge does, as where it
    ends in a notch; unless the normal is that of a face which fills more than a straight angle there.
    """
    for end in range(2):
        away = at if end == 0 else length - at
        if away <= slack:
            first = 12 + 3 * end
            if edges[row, first] == 0.0:
                return False
            if abs(along_first) <= _FLUSH and edges[row, first + 1] == 1.0:
                return False
            if abs(along_second) <= _FLUSH and edges[row, first + 2] == 1.0:
                return False
    return True


@kernel(sample=lambda: (sample_candidates()[8], 0, 1, np.eye(4)[:3], np.zeros((7, 3))), bare=True)
def place_edges(edges, f, s, pose_AB, vectors):  # type: ignore[no-untyped-def]
    """Both edges' lengths and how far apart their middles are; writes units along them, and B's ends."""
    start, end = vectors[4], vectors[5]
    place_point(pose_AB, edges[s, :3], start)
    place_point(pose_AB, edges[s, 3:6], end)
    squares_a, squares_b, apart = 0.0, 0.0, 0.0
    for k in range(3):
        vectors[2, k], vectors[3, k] = edges[f, 3 + k] - edges[f, k], end[k] - start[k]
        squares_a += vectors[2, k] * vectors[2, k]
        squares_b += vectors[3, k] * vectors[3, k]
        middle = (edges[f, 3 + k] + edges[f, k] - end[k] - start[k]) / 2
        apart += middle * middle
    length_a, length_b = math.sqrt(squares_a), math.sqrt(squares_b)
    for k in range(3):
        vectors[2, k] /= length_a
        vectors[3, k] /= length_b
    return length_a, length_b, math.sqrt(apart)


@kernel(sample=lambda: (sample_candidates()[8], 0, np.arange(21.0).reshape(7, 3) ** 2 / 400), bare=True)
def cross_lines(edges, f, vectors):  # type: ignore[no-untyped-def]
    """Of two lines: the sine between them, the gap along their common normal, and from A's start to B's the
    ways along both; writes the normal.
    """
    u, v, n, start = vectors[2], vectors[3], vectors[1], vectors[4]
    n[0], n[1], n[2] = u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]
    sine = math.sqrt(dot3(n, n))
    gap, along_u, along_v = 0.0, 0.0, 0.0
    for k in range(3):
        if sine > 0.0:
            n[k] /= sine
        w = start[k] - edges[f, k]
        gap += n[k] * w
        along_u += u[k] * w
        along_v += v[k] * w
    return sine, gap, along_u, along_v


@kernel(sample=lambda: (sample_candidates()[8], 0, 1, np.eye(4)[:3], 1.0, 1.0, 1e-9, 0.1, np.zeros((7, 3))))
def edge_on_edge(edges, f, s, pose_AB, within, depth, slack, leaning, vectors):  # type: ignore[no-untyped-def]
    """The gap of an edge of B past one of A and the share along A's, infinite where it is not local.

    Writes the point on B, the normal from A to B and the units along both edges, in A.
    """
    length_a, length_b, apart = place_edges(edges, f, s, pose_AB, vectors)
    if apart > (length_a + length_b) / 2 + slack + max(within, depth):
        return math.inf, 0.0
    u, v, n, start = vectors[2], vectors[3], vectors[1], vectors[4]
    sine, gap, along_u, along_v = cross_lines(edges, f, vectors)
    if sine <= _PARALLEL:
        return math.inf, 0.0
    if abs(gap) > max(within, depth):
        return math.inf, 0.0
    cosine = dot3(u, v)
    at_a, at_b = (along_u - cosine * along_v) / (sine * sine), (cosine * along_u - along_v) / (sine * sine)
    # Where an edge ends in a notch it goes on as far as contacts may be deep: what is past two edges of a
    # corner that points inwards crosses both beyond their ends.
    before_a, behind_a = slack + depth * edges[f, 12], slack + depth * edges[f, 15]
    before_b, behind_b = slack + depth * edges[s, 12], slack + depth * edges[s, 15]
    if at_a < -before_a or at_a > length_a + behind_a or at_b < -before_b or at_b > length_b + behind_b:
        return math.inf, 0.0
    # The normal leaves A: it does not go into the faces of A's edge, nor does its opposite into those of B's.
    if dot3(n, edges[f, 6:9]) > leaning or dot3(n, edges[f, 9:12]) > leaning:
        gap = -gap
        for k in range(3):
            n[k] = -n[k]
    if gap > within or gap < -depth:
        return math.inf, 0.0
    if dot3(n, edges[f, 6:9]) > leaning or dot3(n, edges[f, 9:12]) > leaning:
        return math.inf, 0.0
    if not speaks_at_end(edges, f, at_a, length_a, slack, dot3(n, edges[f, 6:9]), dot3(n, edges[f, 9:12])):
        return math.inf, 0.0
    place_direction(pose_AB, edges[s, 6:9], vectors[6])
    place_direction(pose_AB, edges[s, 9:12], vectors[5])
    if dot3(n, vectors[6]) < -leaning or dot3(n, vectors[5]) < -leaning:
        return math.inf, 0.0
    if not speaks_at_end(edges, s, at_b, length_b, slack, dot3(n, vectors[6]), dot3(n, vectors[5])):
        return math.inf, 0.0
    for k in range(3):
        vectors[0, k] = start[k] + at_b * v[k]
    return gap, at_a / length_a


@kernel(sample=sample_candidates, separate=True)
def find_space_contacts(  # type: ignore[no-untyped-def]
    corners, cone_starts, cones, faces, side_starts, sides, notches, ridges, edges, balls,
    listed, starts, pairs, matrices, within, depth, slack, tilt, chosen, values,
):  # fmt: skip
    """Fills `values` with the contacts of the candidates, `chosen` with their rows; returns how many."""
    count = 0
    leaning = _FLUSH + tilt
    pose_AB = np.zeros((3, 4))
    vectors, centre, other = np.zeros((7, 3)), np.zeros(3), np.zeros(3)
    for pair in range(len(pairs)):
        place_point(matrices[pairs[pair, 0]], balls[pairs[pair, 0], :3], centre)
        place_point(matrices[pairs[pair, 1]], balls[pairs[pair, 1], :3], other)
        for k in range(3):
            other[k] -= centre[k]
        reach = balls[pairs[pair, 0], 3] + balls[pairs[pair, 1], 3] + within + depth + slack
        if math.sqrt(dot3(other, other)) > reach:
            continue
        last = -1
        for i in range(starts[pair], starts[pair + 1]):
            formula, f, s, flipped = listed[i, 0], listed[i, 1], listed[i, 2], listed[i, 4]
            a, b = pairs[pair, flipped], pairs[pair, 1 - flipped]
            if flipped != last:
                relative_pose_in_space(matrices, a, b, pose_AB)
                last = flipped
            share = 0.0
            if formula == CORNER_FACE:
                gap = corner_on_face(
                    corners, cone_starts, cones, faces, side_starts, sides, notches, f, s, pose_AB,
                    within, depth, slack, leaning, vectors[0], vectors[6],
                )  # fmt: skip
                if math.isinf(gap):
                    continue
                for k in range(3):
                    vectors[1, k], vectors[2, k], vectors[3, k] = faces[f, 9 + k], 0.0, 0.0
                if flipped == 1:
                    # The face is on the second body: the point is the foot, the normal goes there.
                    for k in range(3):
                        vectors[0, k] -= gap * vectors[1, k]
                        vectors[1, k] = -vectors[1, k]
            else:
                gap, share = edge_on_edge(edges, f, s, pose_AB, within, depth, slack, leaning, vectors)
                if math.isinf(gap):
                    continue
            values[count, 0], values[count, 7] = gap, share
            place_point(matrices[a], vectors[0], values[count, 1:4])
            place_direction(matrices[a], vectors[1], values[count, 4:7])
            place_direction(matrices[a], vectors[2], values[count, 8:11])
            place_direction(matrices[a], vectors[3], values[count, 11:14])
            chosen[count] = i
            count += 1
    return keep_acting_in_space(side_starts, notches, ridges, listed, slack, chosen, values, count)


@kernel(sample=lambda: (sample_candidates()[10], np.arange(3), np.zeros((3, VALUES)), 1e-9, 0, 1))
def touches_beside(listed, chosen, values, slack, i, j):  # type: ignore[no-untyped-def]
    """Whether another contact of the pair touches with the same normal at another place."""
    if i == j or listed[chosen[i], 3] != listed[chosen[j], 3] or abs(values[j, 0]) > slack:
        return False
    away, apart = 0.0, 0.0
    for k in range(3):
        away += (values[i, 1 + k] - values[j, 1 + k]) ** 2
        apart += (values[i, 4 + k] - values[j, 4 + k]) ** 2
    return away > slack * slack and apart <= _FLUSH * _FLUSH


@kernel(
    sample=lambda: (
        *(sample_candidates()[k] for k in (4, 6, 7, 10)),
        1e-9,
        np.arange(3),
        -np.ones((3, VALUES)),
        3,
    )
)
def keep_acting_in_space(side_starts, notches, ridges, listed, slack, chosen, values, count):  # type: ignore[no-untyped-def]
    """Drops contacts of a corner past a face where it is less past another; returns how many are left.

    In a notch both of its faces act; on a convex edge the one that other contacts touch too, if one does.
    """
    acts = np.ones(count, np.bool_)
    for i in range(count):
        row = listed[chosen[i]]
        if row[0] == EDGE_EDGE:
            continue
        shared = False
        for j in range(count):
            shared = shared or touches_beside(listed, chosen, values, slack, i, j)
        for j in range(count):
            other = listed[chosen[j]]
            if (
                other[0] == EDGE_EDGE
                or other[2] != row[2]
                or other[3] != row[3]
                or other[4] != row[4]
                or i == j
            ):
                continue  # not of the same corner
            in_notch, on_ridge = False, False
            for k in range(side_starts[row[1]], side_starts[row[1] + 1]):
                in_notch = in_notch or notches[k] == other[1]
                on_ridge = on_ridge or ridges[k] == other[1]
            if values[i, 0] < -slack:
                shallower = values[j, 0] > values[i, 0] or (values[j, 0] == values[i, 0] and j < i)
                acts[i] = acts[i] and (in_notch or not shallower)
            elif on_ridge and not shared and abs(values[i, 0]) <= slack and abs(values[j, 0]) <= slack:
                for k in range(count):
                    if touches_beside(listed, chosen, values, slack, j, k):
                        acts[i] = False
    return keep_those(acts, chosen, values)


@kernel(sample=lambda: (np.array([True, False, True]), np.array([4, 5, 6]), np.ones((3, VALUES))))
def keep_those(acts, chosen, values):  # type: ignore[no-untyped-def]
    """Moves the contacts that act to the front, in order; returns how many."""
    left = 0
    for i in range(acts.shape[0]):
        if acts[i]:
            chosen[left] = chosen[i]
            values[left] = values[i]
            left += 1
    return left
