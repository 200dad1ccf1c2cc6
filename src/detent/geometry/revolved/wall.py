"""The wall of a round hole in a plane through its axis, and a circle (a ring's section) laid against it.

A wall is a line or an arc, its radius r over the depth u along the axis. The circle, of radius t with its
centre at depth z, is pushed outward until it touches: then its centre has the radius rho(z), and the contact
lies at an angle b ahead of the centre, b > 0 where the hole narrows along the axis (Meitinger & Pfeiffer,
section 5.1: circle on circle on the rims, circle on line within). d rho / dz = -tan b. Where several walls
could touch, the one that leaves the least radius does. Lengths are whatever the caller's are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

_SLACK = 1e-12  # of a wall's length, within which a contact at its end counts as on it


class Laid(NamedTuple):
    """A circle laid against a wall."""

    radius: float  # of its centre from the axis
    sine: float  # of the angle b
    name: str  # of the wall


@dataclass(frozen=True)
class BoreWall:
    """A piece of the meridian from depth `start` to `end`.

    A line has a radius at its start and a slope; an arc a centre, (at, middle), and `bend`: its radius where
    the material bulges into the hole, less than zero where the hole bulges into the material, zero of a
    sharp edge, which is a point.
    """

    name: str
    start: float
    end: float
    at: float  # depth of a line's reference point, of an arc's centre
    middle: float  # radius there
    slope: float = 0.0  # of a line: dr/du
    bend: float | None = None  # of an arc
    corner: float = math.pi  # of an edge: the angle of the material there [rad]

    def radius(self, u: float) -> float:
        """Of the hole at a depth."""
        if self.bend is None:
            return self.middle + self.slope * (u - self.at)
        return self.middle - math.copysign(
            math.sqrt(max(self.bend * self.bend - (u - self.at) ** 2, 0.0)), self.bend
        )

    @property
    def least(self) -> float:
        """The least radius."""
        bulges = self.bend is not None and self.bend > 0 and self.start < self.at < self.end
        ends = min(self.radius(self.start), self.radius(self.end))
        return self.middle - (self.bend or 0.0) if bulges else ends

    def within(self, start: float, end: float) -> BoreWall:
        """The piece of it between two depths."""
        return replace(self, start=max(self.start, start), end=min(self.end, end))

    def mirrored(self) -> BoreWall:
        """The same seen from the other side."""
        return replace(self, start=-self.end, end=-self.start, at=-self.at, slope=-self.slope)

    def shifted(self, by: float) -> BoreWall:
        return replace(self, start=self.start + by, end=self.end + by, at=self.at + by)

    def laid(self, z: float, tube: float) -> Laid | None:
        """A circle with its centre at depth z against this wall; None where it does not touch it."""
        if self.bend is None:
            cosine = 1.0 / math.sqrt(1.0 + self.slope * self.slope)
            sine = -self.slope * cosine
            u = z + tube * sine
            radius = self.middle + self.slope * (u - self.at) - tube * cosine
        else:
            reach = self.bend + tube if self.bend >= 0 else -self.bend - tube
            sine = (self.at - z) / reach if reach > 0 else math.inf
            if not abs(sine) <= 1.0:
                return None
            if self.bend < 0:
                sine = -sine
            away = reach * math.sqrt(1.0 - sine * sine)
            radius = self.middle - away if self.bend >= 0 else self.middle + away
            u = z + tube * sine
        slack = _SLACK * max(tube, abs(self.start), abs(self.end))
        if self.start - slack <= u <= self.end + slack:
            return Laid(radius, sine, self.name)
        return None


def edge(name: str, u: float, radius: float, corner: float = math.pi / 2) -> BoreWall:
    """A sharp edge, and the angle of the material there [rad]."""
    return BoreWall(name, u, u, u, radius, bend=0.0, corner=corner)


@dataclass(frozen=True)
class Port:
    """A hole through the wall: its leaf, and where the wall is open: sampled, ends found on the border."""

    name: str
    start: float  # depth
    end: float
    towards: tuple[float, float, float]  # from the axis to its middle, unit
    width: float  # [rad]


@dataclass(frozen=True)
class Bore:
    """The wall of a hole along an axis, from its first edge to its last; edges are among the walls."""

    walls: tuple[BoreWall, ...]
    origin: tuple[float, float, float]  # a point of the axis, at depth zero
    axis: tuple[float, float, float]  # unit
    ports: tuple[Port, ...] = ()

    @property
    def span(self) -> tuple[float, float]:
        """Depths of its first and its last edge."""
        return min(wall.start for wall in self.walls), max(wall.end for wall in self.walls)

    def narrowest(self, above: float = 0.0) -> BoreWall | None:
        """The wall of the least radius, of those that are everywhere wider than `above`."""
        wide = [wall for wall in self.walls if wall.least > above]
        return min(wide, key=lambda wall: (wall.least, wall.name), default=None)

    def laid(self, z: float, tube: float) -> Laid | None:
        """A circle pushed outward with its centre at depth z; None where it meets no wall."""
        best: Laid | None = None
        for wall in self.walls:
            laid = wall.laid(z, tube)
            if laid is not None and (best is None or laid.radius < best.radius):
                best = laid
        return best
