"""Round shafts and holes as meridians: faces, walls, rims and sharp edges in order, each bounded.

A meridian is what a plane through the axis cuts from the surface: lines, arcs, and the sharp edges between
them, which are arcs of no radius. Each has the directions in which its normals leave the material, so that
what touches is on one of them alone, and hands over to its neighbour where its bounds end. u is the depth
along the axis, rho the radius. Faces across the axis reach as far as material reaches all round; what lies
beyond, such as the outer edge of a plate, is left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from detent.geometry.revolved.bore import AROUND, Axis, lateral_walls
from detent.geometry.revolved.inside import Floats
from detent.geometry.revolved.wall import BoreWall
from detent.geometry.solid import Cone, Cylinder, Solid, Sphere, Torus, leaves

Role = Literal["rim", "side", "face", "edge"]
_BESIDE = 1e-6  # of a size: how far before and behind a face is probed
_ACROSS = 240  # radii at which a face is probed, before its end is halved for
_HALVINGS = 40
_FOUR: Floats = np.linspace(0.1, 0.1 + 1.5 * math.pi, 4)  # angles
_RIGHT = 0.3  # cosine between the normals beside a sharp edge, below which no chamfer has broken it
_SHARP = 1e-6  # [rad] between pieces that go on smoothly

Point = tuple[float, float]  # (rho, u)


@dataclass(frozen=True)
class MeridianPiece:
    """A line or an arc of a meridian, with its outward normals at both ends."""

    name: str
    role: Role
    start: Point
    end: Point
    normals: tuple[Point, Point]
    centre: Point | None = None  # of an arc
    bend: float = 0.0  # radius of an arc: above zero where material bulges, zero of a sharp edge

    @property
    def bulges(self) -> bool:
        """Whether it is an arc or an edge round which material lies."""
        return self.centre is not None and self.bend >= 0

    @property
    def sharp(self) -> bool:
        """Whether it is an edge of a right angle or so, not the kink of a chamfer."""
        (a, b), (c, d) = self.normals
        return self.role == "edge" and a * c + b * d < _RIGHT

    def away(self, rho: float, u: float) -> float:
        """How far a point of the plane is from it."""
        if self.centre is None:
            along = (self.end[0] - self.start[0], self.end[1] - self.start[1])
            squared = along[0] ** 2 + along[1] ** 2
            share = ((rho - self.start[0]) * along[0] + (u - self.start[1]) * along[1]) / squared
            share = min(1.0, max(0.0, share))
            return math.hypot(rho - self.start[0] - share * along[0], u - self.start[1] - share * along[1])
        x, y = rho - self.centre[0], u - self.centre[1]
        (a, b), (c, d) = self.normals
        sign = 1.0 if self.bend >= 0 else -1.0
        middle, half = (a + c, b + d), math.hypot(a + c, b + d) / 2
        size = math.hypot(x, y)
        # Half the angle between the ends' normals has the cosine |n1 + n2| / 2.
        if size > 0 and sign * (x * middle[0] + y * middle[1]) / (2 * half * size) >= half - 1e-12:
            return abs(size - abs(self.bend))
        return min(math.dist((rho, u), self.start), math.dist((rho, u), self.end))


@dataclass(frozen=True, eq=False)
class Meridian:
    """The surface about one axis of a part, in the part's frame."""

    part: str
    hollow: bool  # of a hole
    pieces: tuple[MeridianPiece, ...]
    origin: Floats
    axis: Floats
    across: Floats  # unit, where angles about the axis count from

    @property
    def frame(self) -> Floats:
        """(4, 4): its z is the axis, its x where angles count from, in the part's frame."""
        matrix = np.eye(4)
        matrix[:3, 0], matrix[:3, 2] = self.across, self.axis
        matrix[:3, 1] = np.cross(self.axis, self.across)
        matrix[:3, 3] = self.origin
        return matrix

    @property
    def middle(self) -> Floats:
        """The point of the axis halfway along, in the part's frame."""
        depths = [u for piece in self.pieces for _, u in (piece.start, piece.end)]
        return self.origin + (min(depths) + max(depths)) / 2 * self.axis

    @property
    def side_radius(self) -> float:
        """Of its narrowest wall, or its widest side; of rims where it has none."""
        sides = [piece for piece in self.pieces if piece.role == "side"]
        others = [piece for piece in self.pieces if piece.role != "face"]
        radii = [end[0] for piece in sides or others for end in (piece.start, piece.end)]
        return min(radii) if self.hollow else max(radii)

    def end_towards(self, point: Floats) -> MeridianPiece:
        """The rim, edge or wall at the end that is nearer to a point of the part's frame."""
        walls = [piece for piece in self.pieces if piece.role != "face"]
        ahead = (point - self.middle) @ self.axis > 0
        return walls[-1] if ahead else walls[0]


def meridians(part: str, solid: Solid, *, hollow: bool) -> Iterator[Meridian]:
    """Of every hole of a part, or of every shaft, one per axis."""
    seen: list[tuple[Floats, Floats]] = []
    for leaf in leaves(solid):
        if leaf.hollow != hollow or not isinstance(leaf.primitive, Cylinder | Cone | Sphere | Torus):
            continue
        point, along = leaf.frame.matrix[:, 3], leaf.frame.matrix[:, 2]
        along = along / np.linalg.norm(along)
        if any(_on_axis(point, along, other) for other in seen):
            continue
        found = lateral_walls({part: solid}, point, along, hollow=hollow)
        seen.append((point, along))
        if found is None or not found[1]:
            continue
        about, walls, near = found
        pieces = _chain(about, walls, near, hollow)
        yield Meridian(part, hollow, tuple(_with_edges(pieces, near)), about.origin, about.along, about.first)


def _on_axis(point: Floats, along: Floats, other: tuple[Floats, Floats]) -> bool:
    beside = np.cross(point - other[0], other[1])
    size = max(float(np.abs(point).max()), 1e-12)
    return bool(np.linalg.norm(np.cross(along, other[1])) <= 1e-9 and np.linalg.norm(beside) <= 1e-9 * size)


def _chain(about: Axis, walls: Sequence[BoreWall], near: float, hollow: bool) -> list[MeridianPiece]:
    """Faces and walls in order of depth, with the faces between walls of different radius."""
    walls = sorted((wall for wall in walls if wall.end > wall.start), key=lambda wall: wall.start)
    found: list[MeridianPiece] = []
    for k, wall in enumerate(walls):
        before = walls[k - 1] if k and wall.start - walls[k - 1].end <= near else None
        found += _faces_at(about, wall.start, before, wall, hollow)
        found.append(_wall_piece(wall, hollow))
        if k + 1 == len(walls) or walls[k + 1].start - wall.end > near:
            found += _faces_at(about, wall.end, wall, None, hollow)
    return found


def _faces_at(
    about: Axis, u: float, before: BoreWall | None, after: BoreWall | None, hollow: bool
) -> list[MeridianPiece]:
    """What lies across the axis where walls end: shoulders, ends, bottoms."""
    radii = [wall.radius(u) for wall in (before, after) if wall is not None]
    size = max(radii)
    if len(radii) == 2:
        if abs(radii[0] - radii[1]) <= 1e-9 * size:
            return []
        # A hole that narrows looks back out of its shoulder, a shaft that narrows looks ahead.
        ahead = (radii[1] < radii[0]) != hollow
        return [_face(f"face at {u:.6g}", (radii[0], u), (radii[1], u), 1.0 if ahead else -1.0)]
    radius, outside = radii[0], -1.0 if before is None else 1.0
    step = _BESIDE * size
    within = about.solid(np.full(4, u + outside * step), np.full(4, radius / 2), _FOUR)
    found = []
    if hollow:
        ways = [(-outside, 0.0)] if within.all() else []  # a bottom looks back into the hole
        ways += [(outside, _reach(about, u, radius, outside, step))]
    else:
        inner = about.solid(np.full(4, u - outside * step), np.full(4, 1e-3 * radius), _FOUR)
        # The end of a shaft, or the shoulder of what it stands on.
        if within.all():
            ways = [(-outside, _reach(about, u, radius, -outside, step))]
        else:
            ways = [(outside, 0.0 if inner.all() else _reach(about, u, radius, outside, step, inwards=True))]
    for looks, to in ways:
        if abs(to - radius) > 1e-9 * size:
            ends = ((radius, u), (to, u)) if outside > 0 else ((to, u), (radius, u))
            found.append(_face(f"face at {u:.6g}", *ends, looks))
    return found


def _face(name: str, start: Point, end: Point, looks: float) -> MeridianPiece:
    return MeridianPiece(name, "face", start, end, ((0.0, looks), (0.0, looks)))


def _reach(
    about: Axis, u: float, radius: float, looks: float, step: float, *, inwards: bool = False
) -> float:
    """How far from a radius a face goes on all round: material behind it, none before."""
    angles = np.arange(AROUND) * math.tau / AROUND

    def is_face(rho: float) -> bool:
        there = np.full(AROUND, rho)
        behind = about.solid(np.full(AROUND, u - looks * step), there, angles)
        before = about.solid(np.full(AROUND, u + looks * step), there, angles)
        return bool(behind.all() and not before.any())

    farthest = radius * 20 if not inwards else 0.0
    good = radius
    for rho in np.linspace(radius, farthest, _ACROSS + 1)[1:].tolist():
        if not is_face(rho - 0.5 * (rho - good)) or not is_face(rho):
            bad = rho
            for _ in range(_HALVINGS):
                middle = (good + bad) / 2
                good, bad = (middle, bad) if is_face(middle) else (good, middle)
            return good
        good = rho
    return good


def _wall_piece(wall: BoreWall, hollow: bool) -> MeridianPiece:
    start, end = (wall.radius(wall.start), wall.start), (wall.radius(wall.end), wall.end)
    out = -1.0 if hollow else 1.0  # a hole's material lies beyond its wall
    if wall.bend is None:
        cosine = 1.0 / math.hypot(1.0, wall.slope)
        normal = (out * cosine, -out * wall.slope * cosine)
        role: Role = "side" if wall.slope == 0 else "rim"
        return MeridianPiece(wall.name, role, start, end, (normal, normal))
    centre = (wall.middle, wall.at)
    bend = abs(wall.bend) * (1.0 if (wall.bend > 0) == hollow else -1.0)
    ends = [((p[0] - centre[0]) / bend, (p[1] - centre[1]) / bend) for p in (start, end)]
    return MeridianPiece(wall.name, "rim", start, end, (ends[0], ends[1]), centre, bend)


def _with_edges(pieces: Sequence[MeridianPiece], near: float) -> Iterator[MeridianPiece]:
    """The pieces, with a sharp edge wherever material has a corner; in a fillet's place nothing touches."""
    for k, piece in enumerate(pieces):
        if k:
            last = pieces[k - 1]
            (a, b), (c, d) = last.normals[1], piece.normals[0]
            turns = math.atan2(abs(a * d - b * c), a * c + b * d)
            meets = math.dist(last.end, piece.start) <= 2 * near
            ahead = _direction(piece)
            if meets and turns > _SHARP and a * ahead[0] + b * ahead[1] < 0:
                name = f"{last.name}+{piece.name}"
                yield MeridianPiece(name, "edge", piece.start, piece.start, ((a, b), (c, d)), piece.start)
        yield piece


def _direction(piece: MeridianPiece) -> Point:
    """Along the meridian at the start of a piece."""
    n = piece.normals[0]
    along = (-n[1], n[0])
    chord = (piece.end[0] - piece.start[0], piece.end[1] - piece.start[1])
    return along if along[0] * chord[0] + along[1] * chord[1] > 0 else (n[1], -n[0])
