"""Loops of a drawing: pieces chained end to end, nested into shapes, and back to outlines.

Reading joins loose pieces whose ends meet within a share of the drawing's size
and tells where a chain stays open. A circle drawn in several arcs is a circle. A loop inside another
is a hole of it; inside a hole it is material again. Writing turns a part's boundary into closed outlines
with bulges (the tangent of a quarter of an arc's sweep, as DXF has it).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from detent.foundation.errors import ModelError
from detent.foundation.exact import number
from detent.foundation.units import outward
from detent.geometry.profile import FINENESS
from detent.model.document.mechanism import Mechanism

Point = tuple[float, float]

CHORD = math.tau / FINENESS  # [rad] what one chord spans of an arc
# Bounds, as they are printed: how far a chord leaves its arc [of the radius], and its direction [degrees].
LEAVES = f"{outward(1 - math.cos(CHORD / 2), 1, digits=2):.2g}"
SLANTS = f"{outward(math.degrees(CHORD / 2), 1, digits=2):.2g}"
# Ends of a boundary that meet do so within this share of its size.
_MEET = 1e-7
# Points of a circle that is drawn in several arcs lie on it within this share of its radius.
_SAME_CIRCLE = 1e-6
_DIGITS = 12  # of its centre and radius, which are computed
# To how many digits files write coordinates: those of one point differ by as much, far out.
_WRITTEN = 1e-10
# A drawing of one point has no size, and a cell must have one.
_LEAST_CELL = 1e-300


@dataclass(frozen=True)
class OutlinePiece:
    """An open run of points."""

    points: tuple[Point, ...]
    tag: str


@dataclass(frozen=True)
class Loop:
    """A closed run of points, or a circle."""

    points: tuple[Point, ...]
    circle: tuple[Point, float] | None
    tag: str


@dataclass(frozen=True)
class Drawn:
    """An outline to write: vertices with the bulge of the piece that follows, or a circle."""

    vertices: tuple[tuple[float, float, float], ...]
    circle: tuple[Point, float] | None = None
    closed: bool = True


def extent(points: Sequence[Point]) -> float:
    """The longer side of the box around points, wherever the origin is."""
    if not points:
        return 0.0
    xs, ys = zip(*points, strict=True)
    return float(max(max(xs) - min(xs), max(ys) - min(ys)))


def nearness(points: Sequence[Point], share: float) -> float:
    """Below which distance points of a drawing are one: a share of its extent, and what digits leave open."""
    digits = _WRITTEN * max((max(abs(x), abs(y)) for x, y in points), default=0.0)
    return max(share * extent(points), digits, _LEAST_CELL)


def chained(pieces: list[OutlinePiece], join: float, at: str) -> list[Loop]:
    """Pieces joined end to end into loops; an open chain is an error that says where it ends."""
    if not pieces:
        return []
    chains = _Chains(pieces, join, at)
    return [chains.follow(index) for index in range(len(pieces)) if not chains.used[index]]


def without_repeats(loop: Loop, join: float) -> Loop:
    """The loop with each vertex once: programs close a polyline by its first vertex, and say so besides."""
    points = [point for k, point in enumerate(loop.points) if k == 0 or point != loop.points[k - 1]]
    near = nearness(points, join)
    while len(points) > 1 and math.dist(points[0], points[-1]) <= near:
        points.pop()
    return replace(loop, points=tuple(points))


class _Chains:
    """Loose pieces, found by the cells that their ends lie in; each is used once."""

    def __init__(self, pieces: list[OutlinePiece], join: float, at: str) -> None:
        self.pieces, self.at = pieces, at
        self.cell = nearness([point for piece in pieces for point in piece.points], join)
        self.ends: dict[tuple[int, int], list[tuple[int, bool]]] = {}
        for index, piece in enumerate(pieces):
            for last, point in ((False, piece.points[0]), (True, piece.points[-1])):
                self.ends.setdefault(_cell(point, self.cell), []).append((index, last))
        self.used = [False] * len(pieces)

    def follow(self, start: int) -> Loop:
        """The loop that a piece belongs to."""
        self.used[start] = True
        points = list(self.pieces[start].points)
        while math.dist(points[0], points[-1]) > self.cell or len(points) < 3:
            run = self._next(points[-1])
            if run is None:
                raise self._open(points, start)
            points += run[1:]
        return Loop(tuple(points[:-1]), None, self.pieces[start].tag)

    def _next(self, point: Point) -> tuple[Point, ...] | None:
        """An unused piece that begins near a point, from there on; it is then used. None without one."""
        x, y = _cell(point, self.cell)
        for i in (0, -1, 1):
            for j in (0, -1, 1):
                for index, last in self.ends.get((x + i, y + j), ()):
                    points = self.pieces[index].points
                    if not self.used[index] and math.dist(points[-1 if last else 0], point) <= self.cell:
                        self.used[index] = True
                        return points[::-1] if last else points
        return None

    def _open(self, points: list[Point], start: int) -> ModelError:
        """Of a chain followed from its start as well: where it comes nearest to an end that is loose."""
        tail, head = points[-1], points[0]
        while (run := self._next(head)) is not None:
            head = run[-1]
        unused = [piece for piece, used in zip(self.pieces, self.used, strict=True) if not used]
        loose = [end for piece in unused for end in (piece.points[0], piece.points[-1])]
        gaps = [(tail, head), *((end, other) for end in (tail, head) for other in loose)]
        (x0, y0), (x1, y1) = nearest = min(gaps, key=lambda gap: math.dist(*gap))
        apart = math.dist(*nearest)
        where = f"({x0:.6g}, {y0:.6g}), {apart:.3g} from the nearest end, at ({x1:.6g}, {y1:.6g})"
        problem = f"the outline from {self.pieces[start].tag} is open: it ends at {where}"
        return ModelError.at(self.at, problem, "close the gap, or remove the piece")


def _cell(point: Point, size: float) -> tuple[int, int]:
    return math.floor(point[0] / size), math.floor(point[1] / size)


def sound(loop: Loop, far: float) -> bool:
    """Whether a loop has a size, and one that its place does not drown."""
    if loop.circle is not None:
        (x, y), radius = loop.circle
        return radius > 0 and max(abs(x), abs(y)) < far * radius
    if len(set(loop.points)) < 3:
        return False
    xs, ys = [p[0] for p in loop.points], [p[1] for p in loop.points]
    size = max(max(xs) - min(xs), max(ys) - min(ys))
    return size > 0 and max(map(abs, (*xs, *ys))) < far * size


def nested(whole: list[Loop]) -> dict[str, Any]:
    """Loops as one shape: outermost less those inside, plus those inside these."""
    import numpy as np
    import shapely

    whole = [_round(loop) for loop in whole]
    regions = [_region(loop) for loop in whole]
    inside = [region.representative_point() for region in regions]
    inner, outer = shapely.STRtree(regions).query(inside, predicate="within")
    area = shapely.area(regions)
    larger = (area[outer] > area[inner]) | ((area[outer] == area[inner]) & (outer > inner))
    inner, outer = inner[larger], outer[larger]
    depth = np.bincount(inner, minlength=len(whole))
    # A loop is a hole of the one around it that lies one step less deep.
    next_out = depth[outer] == depth[inner] - 1
    holes: dict[int, list[int]] = {}
    for k, i in zip(inner[next_out].tolist(), outer[next_out].tolist(), strict=True):
        holes.setdefault(i, []).append(k)
    shapes = []
    for i, loop in enumerate(whole):
        if depth[i] % 2 == 0:
            cut = [_loop_shape(loop), *(_loop_shape(whole[k]) for k in sorted(holes.get(i, ())))]
            shapes.append(cut[0] if len(cut) == 1 else {"difference": cut})
    return shapes[0] if len(shapes) == 1 else {"union": shapes}


def _round(loop: Loop) -> Loop:
    """A loop once around a circle, in chords as short as those of arcs, as the circle that it is."""
    points = loop.points
    if loop.circle is not None or len(points) < FINENESS:
        return loop
    third = len(points) // 3
    (x, y), (x1, y1), (x2, y2) = points[0], points[third], points[2 * third]
    bx, by, cx, cy = x1 - x, y1 - y, x2 - x, y2 - y
    doubled = 2 * (bx * cy - by * cx)
    if doubled == 0:
        return loop
    b, c = bx * bx + by * by, cx * cx + cy * cy
    x, y = x + (cy * b - by * c) / doubled, y + (bx * c - cx * b) / doubled
    radius = math.hypot(points[0][0] - x, points[0][1] - y)
    angles = [math.atan2(py - y, px - x) for px, py in points]
    steps = [
        math.remainder(after - at, math.tau)
        for at, after in zip(angles, angles[1:] + angles[:1], strict=True)
    ]
    uneven = max(abs(math.hypot(px - x, py - y) - radius) for px, py in points)
    goes_around = (
        abs(abs(sum(steps)) - math.tau) < CHORD and max(map(abs, steps)) < (1 + _SAME_CIRCLE) * CHORD
    )
    if uneven > _SAME_CIRCLE * radius or not goes_around:
        return loop
    digits = _DIGITS - math.ceil(math.log10(max(abs(x), abs(y), radius)))
    return Loop((), ((round(x, digits) + 0.0, round(y, digits) + 0.0), round(radius, digits)), loop.tag)


def _region(loop: Loop) -> Any:
    import shapely

    if loop.circle is not None:
        return shapely.Point(loop.circle[0]).buffer(loop.circle[1], quad_segs=FINENESS // 4)
    polygon = shapely.Polygon(loop.points)
    return (
        polygon
        if polygon.is_valid
        else polygon.buffer(0)
        if polygon.buffer(0).area > 0
        else polygon.convex_hull
    )


def _loop_shape(loop: Loop) -> dict[str, Any]:
    if loop.circle is None:
        return {"outline": [[number(x), number(y)] for x, y in loop.points]}
    (x, y), radius = loop.circle
    moves = {} if x == 0 == y else {"moves": [{"move": [number(x), number(y)]}]}
    return {"circle": number(radius), **moves}


def bulged(a: Point, b: Point, bulge: float) -> list[Point]:
    """From a up to but without b, along an arc of this bulge (tan of a quarter of its sweep)."""
    if bulge == 0 or a == b or not math.isfinite(bulge):
        return [a]
    sweep = 4 * math.atan(bulge)
    dx, dy = b[0] - a[0], b[1] - a[1]
    # From the chord's middle to the centre, to the left of a to b.
    away = (1 - bulge * bulge) / (4 * bulge)
    cx, cy = (a[0] + b[0]) / 2 - away * dy, (a[1] + b[1]) / 2 + away * dx
    steps = max(1, math.ceil(abs(sweep) / CHORD))
    start, radius = math.atan2(a[1] - cy, a[0] - cx), math.hypot(a[0] - cx, a[1] - cy)
    turned = [start + sweep * k / steps for k in range(1, steps)]
    return [a, *((cx + radius * math.cos(t), cy + radius * math.sin(t)) for t in turned)]


def outlines(mechanism: Mechanism, name: str) -> list[Drawn]:
    """The outlines of a part as drawn, seen from above."""
    from detent.geometry import region
    from detent.geometry.feature import boundary
    from detent.geometry.solid import placed
    from detent.model.machine.placed import place
    from detent.model.machine.solids import part_solid

    solid = part_solid(mechanism, name)
    if solid is None:
        return []
    solid = placed(solid, place(mechanism).frame(name))
    if region.stackable(solid):
        stack = region.layers(solid)
        if len(stack) == 1:
            return _from_boundary(boundary(solid, (stack[0].bottom + stack[0].top) / 2))
    return _from_region(region.from_above(solid))


def _from_region(shape: Any) -> list[Drawn]:
    import shapely

    rings = []
    for part in shapely.get_parts(shape):
        if part.geom_type == "Polygon":
            rings += [part.exterior, *part.interiors]
    return [Drawn(tuple((x, y, 0.0) for x, y in ring.coords[:-1])) for ring in rings]


def _from_boundary(bounds: Any) -> list[Drawn]:
    """Edges and arcs, each with material on its left, followed around."""
    drawn = [Drawn((), (arc.centre, arc.radius)) for arc in bounds.arcs if arc.sweep >= math.tau]
    runs: list[tuple[Point, Point, float]] = [(edge.a, edge.b, 0.0) for edge in bounds.edges]
    for arc in bounds.arcs:
        if arc.sweep < math.tau:
            ends = [arc.point(arc.start), arc.point(arc.start + arc.sweep)]
            bulge = math.tan(arc.sweep / 4)
            runs.append((ends[1], ends[0], -bulge) if arc.hollow else (ends[0], ends[1], bulge))
    if not runs:
        return drawn
    size = max(max(map(abs, (*a, *b))) for a, b, _ in runs)
    cell = size * _MEET
    starts: dict[tuple[int, int], list[int]] = {}
    for k, (a, _, _) in enumerate(runs):
        starts.setdefault(_cell(a, cell), []).append(k)
    left = set(range(len(runs)))
    while left:
        at = min(left)
        vertices = []
        while at in left:
            left.discard(at)
            a, b, bulge = runs[at]
            vertices.append((*a, bulge))
            x, y = _cell(b, cell)
            near = [k for i in (0, -1, 1) for j in (0, -1, 1) for k in starts.get((x + i, y + j), ())]
            at = next((k for k in near if k in left and math.dist(runs[k][0], b) <= 2 * cell), -1)
        # A segment runs there and back; it is drawn once, open.
        drawn.append(Drawn(tuple(vertices), closed=len(vertices) > 2 or any(v[2] for v in vertices)))
    return drawn
