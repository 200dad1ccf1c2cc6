"""The paper's own route: polar hull and zonotope, with face lattices by Kaibel and Pfetsch.

Huang, Cheng & Mason's algorithms 1 and 2, kept to reproduce and explain the published
figures; small cases only. Where it fails: Qhull merges nearly coplanar facets of
degenerate polars (its joggled or merged facets then give wrong incidences, as in the
printed Box-3), and zonotopes double their candidate points with every plane. Signs are
read at a witness of each face, not from hull vertices, because a redundant contact is not
a vertex of the hull (the paper assumes that every point is extremal).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from detent.contact.checks import touching_of
from detent.contact.contacts import Contacts
from detent.contact.modes.space import float_space, null_space, row_space, seen_rows
from detent.foundation.errors import UnsupportedError
from detent.numeric.linear_program import innermost

Floats = NDArray[np.float64]
Faces = set[frozenset[int]]

# Facets of one hyperplane, vertices of one point: Qhull's own rounding on unit data.
_SAME = 1e-7
# Beyond this many candidate points of a zonotope the route is hopeless.
MOST_POINTS = 20_000


def polar_modes(contacts: Contacts) -> set[str]:
    """Contacting/separating modes by the polar hull (algorithm 1)."""
    space = float_space(contacts)
    rows = space.normal[~space.lasting]
    numbers = np.flatnonzero(~space.lasting)
    texts: set[str] = set()
    for face in _cone_faces(rows):
        signs = np.full(len(contacts), "0")
        signs[numbers] = "+"
        signs[numbers[list(face)]] = "0"
        texts.add("".join(signs))
    return texts


def zonotope_modes(contacts: Contacts, touching: str) -> set[str]:
    """Sticking and sliding of one contacting/separating mode by the zonotope (algorithm 2).

    Written as the planes' signs of all contacts, `.` where they separate.
    """
    rows_of_contacts = contacts.floats
    held = touching_of(contacts, touching)
    free, _ = null_space(
        np.concatenate([rows_of_contacts.held, rows_of_contacts.normal[held]]),
        np.eye(rows_of_contacts.degrees),
    )
    lifted, _ = seen_rows(rows_of_contacts.normal[~held], free)
    planes = np.concatenate(
        [t[:0] if not h else t for t, h in zip(rows_of_contacts.tangent, held, strict=True)]
    )
    rows = np.concatenate([lifted, seen_rows(planes, free)[0]])
    seen = np.flatnonzero(rows.any(axis=1))
    texts: set[str] = set()
    for signs in _arrangement_faces(rows[seen]):
        whole = np.zeros(len(rows), np.int8)
        whole[seen] = signs
        if (whole[: len(lifted)] == 1).all():
            texts.add(_written(whole[len(lifted) :], contacts, held))
    return texts


def _written(signs: NDArray[np.int8], contacts: Contacts, held: NDArray[np.bool_]) -> str:
    letters = iter("-0+"[s + 1] for s in signs.tolist())
    return "".join(
        next(letters) if h else "."
        for t, h in zip(contacts.tangent, held, strict=True)
        for _ in range(len(t))
    )


def _cone_faces(rows: Floats) -> Faces:
    """Faces of {v: rows v >= 0} as the sets of rows that are zero on them."""
    n = len(rows)
    if not n:
        return {frozenset()}
    inside = _interior(rows)
    points = rows / (rows @ inside)[:, None]  # the polar of the cone cut at the interior point
    centred = points - points.mean(axis=0)
    axes, _ = row_space(centred / max(float(np.abs(centred).max()), 1.0))
    flat = centred @ axes
    facets = _facets(flat)
    faces = face_lattice(facets, n)
    return faces | {frozenset(), frozenset(range(n))}


def _interior(rows: Floats) -> Floats:
    inside, margin = innermost(rows, rows[:0])
    assert margin > 0, "contacts that never separate were removed before"
    return inside


def _facets(points: Floats) -> list[frozenset[int]]:
    """Facets of the hull as the sets of all points on them."""
    from scipy.spatial import ConvexHull

    count, d = points.shape
    if d == 0:
        return []
    if d == 1:
        return [
            frozenset(np.flatnonzero(np.abs(points[:, 0] - end) <= _SAME).tolist())
            for end in (points.min(), points.max())
        ]
    planes = ConvexHull(points).equations if count > d + 1 else _simplex(points)
    heights = points @ planes[:, :-1].T + planes[:, -1]
    scale = max(float(np.abs(heights).max()), 1.0)
    return sorted(
        {frozenset(np.flatnonzero(column).tolist()) for column in (np.abs(heights) <= _SAME * scale).T},
        key=sorted,
    )


def _simplex(points: Floats) -> Floats:
    """Facets of d + 1 points: each leaves one out."""
    homogeneous = np.hstack([points, np.ones((len(points), 1))])
    planes = []
    for i in range(len(points)):
        others = np.delete(homogeneous, i, axis=0)
        normal = np.linalg.svd(others)[2][-1]
        planes.append(normal / np.linalg.norm(normal[:-1]))
    return np.array(planes)


def face_lattice(facets: Iterable[frozenset[int]], count: int) -> Faces:
    """All faces from the facets' vertex sets: the closed sets of vertices.

    Kaibel & Pfetsch 2002: starting from the smallest, add one vertex and close (the
    intersection of all facets that contain it). They keep the minimal closures, for the
    diagram of the lattice; to list the faces, all may stay.
    """
    by_facet = [sum(1 << v for v in facet) for facet in facets]
    every = (1 << count) - 1

    def closure(vertices: int) -> int:
        closed = every
        for facet in by_facet:
            if vertices & facet == vertices:
                closed &= facet
        return closed

    bottom = closure(0)
    seen = {bottom}
    front = [bottom]
    while front:
        face = front.pop()
        rest = every & ~face
        while rest:
            vertex = rest & -rest
            rest &= ~vertex
            grown = closure(face | vertex)
            if grown not in seen:
                seen.add(grown)
                front.append(grown)
    return {frozenset(v for v in range(count) if face >> v & 1) for face in seen}


def _arrangement_faces(rows: Floats) -> Iterable[NDArray[np.int8]]:
    """Sign vectors of all faces of a central arrangement, by the zonotope's face lattice."""
    if not len(rows):
        return [np.zeros(0, np.int8)]
    axes, _ = row_space(rows)
    vectors = rows @ axes
    points, signs = _zonotope(vectors)
    facets = _facets(points)
    faces: dict[bytes, NDArray[np.int8]] = {}
    for face in face_lattice(facets, len(points)) | {frozenset(range(len(points)))}:
        if not face:
            continue
        face_signs = signs[sorted(face)]
        agreed = np.where((face_signs == face_signs[0]).all(axis=0), face_signs[0], 0).astype(np.int8)
        faces[agreed.tobytes()] = agreed
    return faces.values()


def _zonotope(vectors: Floats) -> tuple[Floats, NDArray[np.int8]]:
    """Vertices of the sum of the segments [-v, v], with their signs, one segment at a time."""
    points = np.zeros((1, vectors.shape[1]))
    signs = np.zeros((1, 0), np.int8)
    for vector in vectors:
        points = np.concatenate([points + vector, points - vector])
        ends = np.repeat(np.array([1, -1], np.int8), len(signs))[:, None]
        signs = np.hstack([np.concatenate([signs, signs]), ends])
        if len(points) > MOST_POINTS:
            raise UnsupportedError(
                f"the zonotope has more than {MOST_POINTS} candidate points",
                "use detent.modes, which needs no hull",
            )
        keep = _extreme(points)
        points, signs = points[keep], signs[keep]
    return points, signs


def _extreme(points: Floats) -> NDArray[np.int64]:
    from scipy.spatial import ConvexHull

    axes, _ = row_space(points / max(float(np.abs(points).max()), 1.0))
    flat = points @ axes
    _, first = np.unique(np.round(flat / _SAME).astype(np.int64), axis=0, return_index=True)
    if flat.shape[1] == 1:
        ends = flat[first, 0]
        return first[[int(ends.argmin()), int(ends.argmax())]]
    hull = ConvexHull(flat[first])
    vertices: NDArray[np.int64] = first[hull.vertices]
    return vertices
