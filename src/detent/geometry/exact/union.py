"""One boundary for pieces that touch or overlap: their exact union as a leaf.

A part written as a union of pieces, or parts that touch,
block as one solid: a seam lets nothing through and is not a feature. Edges
are cut where they meet others; a cut piece stays where no other polygon lies on
its outer side. Rings keep the solid on their left, and where two solids touch in
a point each keeps its own corner. Straight on, edges of one part are one edge
with the name of the first, so that a polygon gives the same run however it is split.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from functools import cmp_to_key
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np

from detent.geometry.exact.polygon import SLACK, ExactLeaf, JoinedOutline, Point, cuts
from detent.geometry.naming import first_corners, runs
from detent.numeric.union_find import Groups

Origin = tuple[ExactLeaf, int]
Edge = tuple[Point, Point]
Key = TypeVar("Key", bound=Hashable)


def joined(leaves: Sequence[ExactLeaf]) -> tuple[ExactLeaf, ...]:
    """The leaves with those that touch or overlap made one; segments stay as they are."""
    return tuple(leaf for leaf, _ in joined_by([(leaf, None) for leaf in leaves]))


def joined_by(leaves: Sequence[tuple[ExactLeaf, Key]]) -> tuple[tuple[ExactLeaf, Key], ...]:
    """The same where pieces carry something, as their friction.

    A union of pieces that differ in it is given once for each: with the whole
    boundary, and the features of those pieces.
    """
    united: list[tuple[ExactLeaf, Key]] = []
    for group in _groups([leaf for leaf, _ in leaves]):
        if len(group) == 1:
            united.append(leaves[group[0]])
            continue
        whole = _union([leaves[i][0] for i in group])
        parts: dict[Key, set[str]] = {}
        for i in group:
            parts.setdefault(leaves[i][1], set()).add(leaves[i][0].part)
        for key, names in parts.items():
            united.append((_seen_by(whole, frozenset(names)), key))
    return tuple(united)


def _seen_by(whole: ExactLeaf, parts: frozenset[str]) -> ExactLeaf:
    assert whole.joined is not None
    origins = whole.joined
    seen = JoinedOutline(origins.starts, origins.vertices, origins.edges, parts)
    return ExactLeaf(whole.part, whole.index, whole.points, whole.numbers, joined=seen)


def _groups(leaves: Sequence[ExactLeaf]) -> list[list[int]]:
    """Numbers of the leaves that hang together, in order."""
    groups = Groups(range(len(leaves)))
    for i, j in _near(leaves):
        if not groups.together(i, j) and _meet(leaves[i], leaves[j]):
            groups.join(i, j)
    return groups.lists()


def _near(leaves: Sequence[ExactLeaf]) -> list[tuple[int, int]]:
    """Pairs of polygons whose boxes meet, in doubles with a slack above rounding."""
    closed = [i for i, leaf in enumerate(leaves) if leaf.closed]
    low = np.array([leaves[i].doubles.min(axis=0) for i in closed]).reshape(-1, 2)
    high = np.array([leaves[i].doubles.max(axis=0) for i in closed]).reshape(-1, 2)
    slack = SLACK * (1.0 + float(np.abs(np.concatenate([low, high])).max(initial=0.0)))
    near = []
    for n, i in enumerate(closed):
        meets = (low[n] <= high[n + 1 :] + slack) & (high[n] >= low[n + 1 :] - slack)
        near += [(i, closed[n + 1 + int(m)]) for m in np.flatnonzero(meets.all(axis=1))]
    return near


def _meet(a: ExactLeaf, b: ExactLeaf) -> bool:
    """Whether two closed polygons have a point in common."""
    if any(cuts(*edge, b.edges_near(*edge) or []) for edge in a.edges):
        return True
    return a.holds(b.points[0]) or b.holds(a.points[0])


def _union(pieces: Sequence[ExactLeaf]) -> ExactLeaf:
    """The boundary of what the pieces cover together."""
    outer = _outer(pieces)
    corners = first_corners((p, (leaf, k)) for leaf in pieces for k, p in enumerate(leaf.points))
    rings = [_straightened(ring) for ring in _traced(outer)]
    edges = [entry for ring in rings for entry in ring]
    starts = np.cumsum([0, *(len(ring) for ring in rings[:-1])])
    origins = JoinedOutline(
        tuple(int(s) for s in starts),
        tuple(corners.get(edge[0]) for edge, _ in edges),
        tuple(origin for _, origin in edges),
        frozenset(leaf.part for leaf in pieces),
    )
    first = pieces[0]
    points = tuple(edge[0] for edge, _ in edges)
    return ExactLeaf(first.part, first.index, points, tuple(range(len(points))), joined=origins)


def _outer(pieces: Sequence[ExactLeaf]) -> dict[Edge, Origin]:
    """The parts of the pieces' edges that have no piece on their outer side."""
    beside: dict[int, list[ExactLeaf]] = {id(leaf): [] for leaf in pieces}
    for i, j in _near(pieces):
        beside[id(pieces[i])].append(pieces[j])
        beside[id(pieces[j])].append(pieces[i])
    parts: dict[Edge, Origin] = {}
    for leaf in pieces:
        for k, edge in enumerate(leaf.edges):
            others = [near for other in beside[id(leaf)] for near in other.edges_near(*edge) or []]
            for part in _divided(edge, cuts(*edge, others)):
                parts.setdefault(part, (leaf, k))
    return {
        (a, b): origin
        for (a, b), origin in parts.items()
        if (b, a) not in parts and not any(other.holds(_middle(a, b)) for other in beside[id(origin[0])])
    }


def _divided(edge: Edge, cuts: list[Any]) -> list[Edge]:
    (px, py), (qx, qy) = edge
    inner = sorted({s for s in cuts if 0 < s < 1})
    points = [(px, py), *((px + s * (qx - px), py + s * (qy - py)) for s in inner), (qx, qy)]
    return list(pairwise(points))


def _middle(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def _traced(outer: dict[Edge, Origin]) -> list[list[tuple[Edge, Origin]]]:
    """Rings of edges, the solid on their left."""
    leaving: dict[Point, list[Edge]] = defaultdict(list)
    for edge in outer:
        leaving[edge[0]].append(edge)
    rings = []
    left = dict.fromkeys(outer)
    while left:
        edge = next(iter(left))
        ring = []
        while edge in left:
            del left[edge]
            ring.append((edge, outer[edge]))
            edge = _next(edge, leaving[edge[1]])
        rings.append(ring)
    return rings


def _next(edge: Edge, leaving: list[Edge]) -> Edge:
    """The edge that bounds the same corner: the first clockwise from where the edge came."""
    if len(leaving) == 1:
        return leaving[0]
    back = _vector(edge[1], edge[0])

    def order(a: Edge, b: Edge) -> int:
        return -1 if _sooner(back, _vector(*a), _vector(*b)) else 1

    return min(leaving, key=cmp_to_key(order))


def _sooner(back: Point, a: Point, b: Point) -> bool:
    """Whether, turning clockwise from `back`, direction a comes before b."""
    late_a, late_b = (_late(back, v) for v in (a, b))
    return late_a < late_b if late_a != late_b else bool(a[0] * b[1] - a[1] * b[0] < 0)


def _late(back: Point, v: Point) -> int:
    """0 in the half circle clockwise of a direction, 1 in the other."""
    cross = back[0] * v[1] - back[1] * v[0]
    if cross == 0:
        return 0 if back[0] * v[0] + back[1] * v[1] < 0 else 1
    return 0 if cross < 0 else 1


def _straightened(ring: list[tuple[Edge, Origin]]) -> list[tuple[Edge, Origin]]:
    """Edges of one part that run straight on made one, of the origin of the first."""
    return [((run[0][0][0], run[-1][0][1]), run[0][1]) for run in runs(ring, _straight)]


def _straight(one: tuple[Edge, Origin], other: tuple[Edge, Origin]) -> bool:
    (ux, uy), (vx, vy) = _vector(*one[0]), _vector(*other[0])
    return one[1][0].part == other[1][0].part and ux * vy == uy * vx and bool(ux * vx + uy * vy > 0)


def _vector(a: Point, b: Point) -> Point:
    return b[0] - a[0], b[1] - a[1]
