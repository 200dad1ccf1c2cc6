"""A round hole found in solids: the meridian of its wall along an axis, exact from its primitives.

The hole is what cylinders, cones, spheres and tori about one axis take away, with chamfers and rounds of
their ends. Faces across the axis end it. Which of them is the wall at a depth, with material behind it and
none before it, is probed about the axis; holes of other shapes that open the wall are ports.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import numpy as np

from detent.foundation.errors import UnsupportedError
from detent.geometry.profile import extent, reach
from detent.geometry.revolved.inside import Floats, Truths, inside
from detent.geometry.revolved.wall import Bore, BoreWall, Port, edge
from detent.geometry.solid import Cone, Cylinder, Leaf, Solid, Sphere, Torus, leaves
from detent.numeric.roots import bisect, bracketed_root

AROUND = 72  # probes about the axis
ALONG = 9  # probes along each piece of wall
FINE = (360, 33)  # about and along, where a port is measured
_PARALLEL = 1e-9  # a sine below which two directions are one
_NEAR = 1e-9  # of the size: lengths below it are zero
_BESIDE = 1e-6  # of a radius: how far on either side of a wall is probed
_SMOOTH = 1e-6  # [rad] between walls that go on smoothly
_CROSSINGS = 65  # samples between which two walls cross at most once


@dataclass(frozen=True)
class _Placed:
    """A leaf about the axis: its depth along it, whichever way it stands."""

    part: str
    leaf: Leaf
    at: float
    sense: int


def bore_of(parts: Mapping[str, Solid], point: Floats, along: Floats, reach_to: float) -> Bore | None:
    """The hole about an axis parallel to `along` that is nearest to `point`; None where none is near.

    `parts` stand in one frame. A hole counts as near where its axis passes the point nearer than `reach_to`.
    Depths count from the point's foot on the axis.
    """
    found = _about_one_axis(parts, point, along / np.linalg.norm(along), reach_to, hollow=True)
    if found is None:
        return None
    about, own, near = found
    walls = _walls(own, about, _faces(parts, about), near)
    if not walls:
        return None
    x, y, z = about.along.tolist()
    o = about.origin.tolist()
    mine = {(one.part, one.leaf.index) for one in own}
    every = [(name, leaf) for name, solid in parts.items() for leaf in leaves(solid)]
    others = [(name, leaf) for name, leaf in every if leaf.hollow and (name, leaf.index) not in mine]
    walls += _edges(walls, near)
    return Bore(tuple(walls), (o[0], o[1], o[2]), (x, y, z), _ports(walls, others, about))


def lateral_walls(
    parts: Mapping[str, Solid], point: Floats, along: Floats, *, hollow: bool
) -> tuple[Axis, list[BoreWall], float] | None:
    """The walls of the hole about this axis, or of the shaft, without edges; and which lengths are zero."""
    found = _about_one_axis(parts, point, along / np.linalg.norm(along), 0.0, hollow=hollow)
    if found is None:
        return None
    about, own, near = found
    return about, _walls(own, about, _faces(parts, about), near, outer=not hollow), near


def _about_one_axis(
    parts: Mapping[str, Solid], point: Floats, along: Floats, reach_to: float, *, hollow: bool
) -> tuple[Axis, list[_Placed], float] | None:
    """The round leaves about the axis that is nearest to a point, and what lengths count as zero."""
    every = [(name, leaf) for name, solid in parts.items() for leaf in leaves(solid)]
    size = max((abs(x) for _, leaf in every for x in _corners(leaf).ravel()), default=1.0)
    found: list[tuple[float, str, Leaf, Floats]] = []
    for name, leaf in every:
        if leaf.hollow == hollow and is_round(leaf, along):
            axis = leaf.frame.matrix[:, 3]
            beside = (axis - point) - ((axis - point) @ along) * along
            found.append((float(np.linalg.norm(beside)), name, leaf, beside))
    if not found:
        return None
    nearest = min(found, key=lambda entry: entry[0])
    if nearest[0] > max(reach_to, _NEAR * size):
        return None
    origin = point + nearest[3]
    own = [
        _Placed(name, leaf, float((leaf.frame.matrix[:, 3] - origin) @ along), _sense(leaf, along))
        for _, name, leaf, beside in found
        if np.linalg.norm(beside - nearest[3]) <= _NEAR * size
    ]
    return Axis(parts, origin, along), own, _NEAR * size


class Axis:
    """Probes about the axis."""

    def __init__(self, parts: Mapping[str, Solid], origin: Floats, along: Floats) -> None:
        self.parts, self.origin, self.along = parts, origin, along
        first = np.eye(3)[int(np.argmin(np.abs(along)))]
        across = first - (first @ along) * along
        self.first = across / np.linalg.norm(across)
        self.second = np.cross(along, self.first)

    def points(self, u: Floats, radius: Floats, angles: Floats) -> Floats:
        """(n, 3)"""
        round_ = np.cos(angles)[:, None] * self.first + np.sin(angles)[:, None] * self.second
        return np.asarray(self.origin + u[:, None] * self.along + radius[:, None] * round_)

    def solid(self, u: Floats, radius: Floats, angles: Floats) -> Truths:
        """Whether there is material."""
        points = self.points(u, radius, angles)
        return np.asarray(np.logical_or.reduce([inside(one, points) for one in self.parts.values()]))

    def beside(self, wall: BoreWall, side: int, around: int = AROUND, along: int = ALONG) -> Truths:
        """(along, around) material just behind (1) or before (-1) a wall."""
        u, angles = _grid(wall, around, along)
        radius = np.array([wall.radius(each) for each in u.tolist()])
        return self.solid(u, radius * (1 + side * _BESIDE), angles).reshape(along, around)


def _grid(wall: BoreWall, around: int, along: int) -> tuple[Floats, Floats]:
    shares = (np.arange(along) + 0.5) / along
    u = np.repeat(wall.start + shares * (wall.end - wall.start), around)
    return u, np.tile(np.arange(around) * math.tau / around, along)


def is_round(leaf: Leaf, along: Floats) -> bool:
    if isinstance(leaf.primitive, Sphere):
        return True
    z = leaf.frame.matrix[:, 2]
    turned = float(np.linalg.norm(np.cross(z, along)))
    return isinstance(leaf.primitive, Cylinder | Cone | Torus) and turned <= _PARALLEL


def _sense(leaf: Leaf, along: Floats) -> int:
    return 1 if isinstance(leaf.primitive, Sphere) or leaf.frame.matrix[:, 2] @ along > 0 else -1


def _corners(leaf: Leaf) -> Floats:
    """(8, 3) of a box around a leaf."""
    x0, y0, x1, y1 = reach(leaf)
    low, high = extent(leaf)
    corners = np.array([(x, y, z) for x in (x0, x1) for y in (y0, y1) for z in (low, high)])
    matrix = leaf.frame.matrix
    return np.asarray(corners @ matrix[:, :3].T + matrix[:, 3])


def _faces(parts: Mapping[str, Solid], about: Axis) -> list[float]:
    """Depths at which material may begin or end."""
    depths = [
        (_corners(leaf) - about.origin) @ about.along
        for solid in parts.values()
        for leaf in leaves(solid)
        if not leaf.flat
    ]
    return [float(end) for each in depths for end in (each.min(), each.max())]


def _walls(
    own: Sequence[_Placed], about: Axis, faces: Sequence[float], near: float, *, outer: bool = False
) -> list[BoreWall]:
    """The walls next to the axis with material behind them; of a shaft the outermost, with it within."""
    lateral = [wall for one in own for wall in _lateral(one)]
    cuts = [*(end for wall in lateral for end in (wall.start, wall.end)), *faces]
    cuts += [u for k, one in enumerate(lateral) for other in lateral[:k] for u in _crossings(one, other)]
    low, high = min(wall.start for wall in lateral), max(wall.end for wall in lateral)
    depths: list[float] = []
    for u in sorted(cuts):
        if low <= u <= high and (not depths or u - depths[-1] > near):
            depths.append(u)
    kept: list[BoreWall] = []
    for start, end in pairwise(depths):
        middle = (start + end) / 2
        there = [wall for wall in lateral if wall.start <= middle <= wall.end]
        if not there:
            continue
        choose = _outermost_wall if outer else _nearest_wall
        nearest = choose([wall.within(start, end) for wall in there], middle, about)
        if nearest is None:
            continue
        last = kept[-1] if kept else None
        if (
            last is not None
            and last.end == start
            and replace(last, start=0, end=0) == replace(nearest, start=0, end=0)
        ):
            kept[-1] = replace(last, end=end)
        else:
            kept.append(nearest)
    return kept


def _outermost_wall(there: Sequence[BoreWall], middle: float, about: Axis) -> BoreWall | None:
    """The wall farthest from the axis with material within; None where more material surrounds it."""
    for wall in sorted(there, key=lambda wall: -wall.radius(middle)):
        if about.beside(wall, -1).any():
            return None if about.beside(wall, 1).any() else wall
    return None


def _nearest_wall(there: Sequence[BoreWall], middle: float, about: Axis) -> BoreWall | None:
    """The wall next to the axis that has material behind it and none before it; None where all is open."""
    filled = None
    for wall in sorted(there, key=lambda wall: wall.radius(middle)):
        if about.beside(wall, -1).any():
            filled = wall
        elif about.beside(wall, 1).any():
            return wall
    if filled is not None:
        problem = f"something stands in the hole at {filled.name}"
        raise UnsupportedError(problem, "leave the hole free where the ring goes", "parts")
    return None


def _edges(walls: Sequence[BoreWall], near: float) -> list[BoreWall]:
    """Sharp edges: the near and far ends of walls, but where one goes on smoothly in the next."""
    edges: list[BoreWall] = []
    for k, wall in enumerate(walls):
        for u, sign in ((wall.start, -1), (wall.end, 1)):
            other = walls[k + sign] if 0 <= k + sign < len(walls) else None
            corner = math.pi / 2 + sign * _slope(wall, u)  # with a face across the axis
            if other is not None and _meet(wall, other, u, near):
                corner = math.pi + sign * (_slope(wall, u) - _slope(other, u))
                if sign < 0 or abs(corner - math.pi) <= _SMOOTH:
                    continue  # an edge between two walls counts once, a smooth seam is none
            end = "near" if sign < 0 else "far"
            edges.append(edge(f"{wall.name}.{end}", u, wall.radius(u), corner))
    return edges


def _meet(wall: BoreWall, other: BoreWall, u: float, near: float) -> bool:
    """Whether another wall goes on where one ends, at the same radius."""
    touches = min(abs(other.start - u), abs(other.end - u)) <= near
    return touches and abs(other.radius(u) - wall.radius(u)) <= near


def _slope(wall: BoreWall, u: float) -> float:
    """Angle of the wall against the axis [rad]."""
    if wall.bend is None:
        return math.atan(wall.slope)
    return math.asin(max(-1.0, min(1.0, (u - wall.at) / wall.bend))) if wall.bend else 0.0


def _crossings(one: BoreWall, other: BoreWall) -> list[float]:
    start, end = max(one.start, other.start), min(one.end, other.end)
    if not end > start:
        return []
    ends = np.linspace(start, end, _CROSSINGS).tolist()
    apart = [one.radius(u) - other.radius(u) for u in ends]
    found = []
    for k, (a, b) in enumerate(pairwise(apart)):
        if a * b < 0:
            found.append(bracketed_root(lambda u: one.radius(u) - other.radius(u), ends[k], ends[k + 1]))
    return found


def _lateral(placed: _Placed) -> list[BoreWall]:
    """The walls that one leaf leaves, by depth."""
    p, name = placed.leaf.primitive, f"{placed.part}/{placed.leaf.index}"
    if isinstance(p, Sphere):
        r = float(p.radius)
        walls = [BoreWall(f"{name}.side", -r, r, 0.0, 0.0, bend=-r)]
    elif isinstance(p, Torus):
        r = float(p.tube)
        walls = [BoreWall(f"{name}.side", -r, r, 0.0, float(p.radius), bend=-r)]
    elif isinstance(p, Cone):
        base, top, height = float(p.base), float(p.top), float(p.height)
        walls = [BoreWall(f"{name}.side", 0.0, height, 0.0, base, slope=(top - base) / height)]
    else:
        assert isinstance(p, Cylinder)
        walls = _with_breaks(placed.leaf, float(p.radius), float(p.height), name)
    if placed.sense < 0:
        walls = [wall.mirrored() for wall in walls]
    return [wall.shifted(placed.at) for wall in walls]


def _with_breaks(leaf: Leaf, radius: float, height: float, name: str) -> list[BoreWall]:
    """A cylinder with its ends chamfered or rounded: flared where the size is negative."""
    walls: list[BoreWall] = []
    low, high = 0.0, height
    for face in ("-z", "+z"):
        breaks = [each for each in leaf.breaks if each.face == face]
        if not breaks:
            continue
        if len(breaks) > 1:
            problem = f"its end {face} is broken {len(breaks)} times"
            raise UnsupportedError(problem, "break it once, and add a cone for the rest", leaf.at)
        size, outer = float(breaks[0].size), face == "+z"
        deep = abs(size)
        start, end = (height - deep, height) if outer else (0.0, deep)
        named, inner = f"{name}.{face}", start if outer else end
        if breaks[0].kind == "round":
            walls.append(BoreWall(named, start, end, inner, radius - size, bend=-size))
        else:
            slope = -math.copysign(1.0, size) * (1 if outer else -1)
            walls.append(BoreWall(named, start, end, inner, radius, slope=slope))
        low, high = (low, start) if outer else (end, high)
    if low > high:
        problem = "the breaks of its two ends overlap"
        raise UnsupportedError(problem, "make them shorter, or the cylinder longer", leaf.at)
    return [BoreWall(f"{name}.side", low, high, low, radius), *walls] if high > low else walls


def _ports(walls: Sequence[BoreWall], others: Sequence[tuple[str, Leaf]], about: Axis) -> tuple[Port, ...]:
    """Where holes of other shapes open the wall, each leaf by itself."""
    open_walls = [wall for wall in walls if wall.end > wall.start and not about.beside(wall, 1).all()]
    found = []
    for part, leaf in others:
        ends: list[float] = []
        angles: list[float] = []
        for wall in open_walls:
            opened = _Opened(wall, leaf, about)
            u, at = _grid(wall, *FINE)
            here = opened(u, at)
            if here.any():
                ends += opened.ends(u[here], at[here])
                angles += opened.sides(u[here], at[here])
        if ends:
            middle = math.atan2(float(np.sin(angles).sum()), float(np.cos(angles).sum()))
            away = (np.array(angles) - middle + math.pi) % math.tau - math.pi
            middle += float(away.max() + away.min()) / 2
            towards = math.cos(middle) * about.first + math.sin(middle) * about.second
            x, y, z = (towards.round(12) + 0.0).tolist()
            width = float(away.max() - away.min())
            width = math.tau if width > math.tau - 1.5 * math.tau / FINE[0] else width  # open all round
            found.append(Port(f"{part}/{leaf.index}", min(ends), max(ends), (x, y, z), width))
    return tuple(found)


@dataclass(frozen=True)
class _Opened:
    """Where a leaf opens a wall; its outermost samples are moved on to the border."""

    wall: BoreWall
    leaf: Leaf
    about: Axis

    def __call__(self, u: Floats, at: Floats) -> Truths:
        radius = np.array([self.wall.radius(each) for each in u.tolist()]) * (1 + _BESIDE)
        return inside(self.leaf, self.about.points(u, radius, at)) & ~self.about.solid(u, radius, at)

    def _at(self, u: float, at: float) -> bool:
        return bool(self(np.array([u]), np.array([at]))[0])

    def ends(self, u: Floats, at: Floats) -> list[float]:
        """The least and the greatest depth."""
        found = []
        for k, limit in ((int(np.argmin(u)), self.wall.start), (int(np.argmax(u)), self.wall.end)):
            row = np.sort(at[u == u[k]] % math.tau)
            gap = int(np.argmax(np.diff(np.append(row, row[0] + math.tau))))  # beyond it the row begins
            row = np.roll(row, -gap - 1)
            angle = float(row[len(row) // 2])  # the middle reaches farthest
            whole = self._at(limit, angle)
            found.append(limit if whole else bisect(partial(self._at, at=angle), float(u[k]), limit)[0])
        return found

    def sides(self, u: Floats, at: Floats) -> list[float]:
        """Every sampled angle, and in each row those of its borders; none where it is open all round."""
        step = math.tau / FINE[0]
        found: list[float] = at.tolist()
        for depth in np.unique(u).tolist():
            row = at[u == depth]
            for angle in row.tolist():
                for way in (-step, step):
                    if not np.any(np.abs((row - angle - way + math.pi) % math.tau - math.pi) < step / 2):
                        found.append(bisect(partial(self._at, depth), angle, angle + way, most=30)[0])
        return found
