"""An O-ring in its groove, pushed through a bore: Meitinger & Pfeiffer, section 5.1, (26) to (33).

The ring's outer contour is a rigid circle that gives way radially, each piece by itself: a squeeze a carries
the line load p_i = c1 a + c2 a² (28). Beside the bore's axis by e the squeeze about the ring is
a(phi) = A + e cos(phi), phi from the direction of the offset (27), A the squeeze on the axis; where a < 0 the
ring has lost touch and carries nothing. At a contact angle b, between the wall and the groove, friction mu
and mu_g, a piece is in balance when

    p_a (cos b - m sin b - g |sin b + m cos b|) = p_i,    m = mu sign(v),    g = mu_g, -mu_g

p_a between ring and wall; g is positive while the ring is being compressed and negative while it expands, for
the groove's flank then holds it back. So in the cylinder p_a = p_i / (1 - mu²), which is (30); entering a rim
p_a = p_i / (cos b (1 - mu²) - 2 mu sin b); leaving one p_i / (cos b (1 + mu²)) while tan b <= mu, and
p_i / (cos b (1 - mu²) + 2 mu sin b) when the ring has changed flanks. The paper gives the first alone.
Where the bracket is not above zero friction locks: no load is in balance.

Departures from the print: (27) is geometry as it stands, so that (29) has k0 = c1 A + c2 A², k1 = c1 e +
2 c2 A e, k2 = c2 e²; (32) has f_y = 0 and m = (0, -2 mu int p r0² cos, 0). In a cylinder nothing says which
way the groove's friction acts: it acts as the slope that the ring came over last, along its motion, left it.
SI throughout.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from detent.geometry.revolved.wall import Bore, Laid
from detent.library.mating.force_law import NOTHING, Floats, MatingLoad, Three

_ON_AXIS = 1e-12  # of the section: a smaller offset has no direction
_STEPS = 400  # in which a bore is searched for the slope before a cylinder


@dataclass(frozen=True)
class RingSection:
    """The section in its groove, and what it takes to squeeze it."""

    tube: float  # radius of the section [m]
    groove: float  # r0, radius of the groove's ground [m]
    c1: float  # [N/m²]
    c2: float  # [N/m³]

    @property
    def middle(self) -> float:
        """Radius of the section's centre, unsqueezed [m]."""
        return self.groove + self.tube

    def elastic(self, squeeze: float) -> float:
        """p_i [N/m]"""
        return (self.c1 + self.c2 * squeeze) * squeeze if squeeze > 0 else 0.0

    def around(self, squeeze: float, offset: float) -> tuple[float, float, float]:
        """Integrals of p_i and of p_i cos(phi) about the ring [N/m], and the share of it that touches."""
        k0 = (self.c1 + self.c2 * squeeze) * squeeze
        k1, k2 = (self.c1 + 2 * self.c2 * squeeze) * offset, self.c2 * offset * offset
        if squeeze >= offset:
            return math.pi * (2 * k0 + k2), math.pi * k1, 1.0
        if squeeze <= -offset:
            return 0.0, 0.0, 0.0
        end = math.acos(-squeeze / offset)
        sine, cosine = math.sin(end), math.cos(end)
        ones, first, second = 2 * end, 2 * sine, end + sine * cosine
        third = 2 * (sine - sine**3 / 3)
        return k0 * ones + k1 * first + k2 * second, k0 * first + k1 * second + k2 * third, end / math.pi


class RingState(NamedTuple):
    """A ring at a depth: how it lies, and what it carries along the axis, across it and about it."""

    laid: Laid | None
    squeeze: float  # A: on the axis [m]; below zero where it would not touch there
    bracket: float  # what p_a is multiplied by to be p_i; not above zero where friction locks
    along: float  # on the ring, along the bore's axis [N]
    across: float  # on the ring, along the offset [N]; the bore pushes it back: below zero
    about: float  # on the ring, about axis x offset [N m]
    touching: float  # share of the circumference
    wall_load: float  # greatest p_a [N/m]


_FREE = RingState(None, -math.inf, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class OringLaw:
    """One ring in one bore, as a force law; `load` acts on the part that carries it, or is it."""

    name: str
    moving: str
    ring: RingSection
    bore: Bore
    friction: float  # between ring and bore
    groove_friction: float
    at: Three = (0.0, 0.0, 0.0)  # the ring's centre in the moving part's frame [m]
    smooth: float = 0.0  # [m/s]
    contact: str = ""  # what stands behind a wall's name in that of a contact: the ring's own

    def smoothed(self, speed: float) -> OringLaw:
        """The same with friction that grows over a speed [m/s]."""
        return replace(self, smooth=speed)

    def depth_and_offset(self, x: float, y: float, z: float) -> tuple[float, float, Three]:
        """Of the ring's centre: depth along the bore, distance from its axis, and the direction of that."""
        (ox, oy, oz), (ax, ay, az) = self.bore.origin, self.bore.axis
        x, y, z = x - ox, y - oy, z - oz
        depth = x * ax + y * ay + z * az
        x, y, z = x - depth * ax, y - depth * ay, z - depth * az
        offset = math.sqrt(x * x + y * y + z * z)
        if offset <= _ON_AXIS * self.ring.tube:
            return depth, 0.0, (0.0, 0.0, 0.0)
        return depth, offset, (x / offset, y / offset, z / offset)

    def load(self, place: Floats, velocity: Floats, before: MatingLoad | None = None) -> MatingLoad:
        """On the moving part at a place and a velocity; the ring goes on from nothing before.

        In plain numbers: this stands in the inner loop of equations of motion.
        """
        rows = place.tolist()
        px, py, pz = self.at
        arm = tuple(row[0] * px + row[1] * py + row[2] * pz for row in rows[:3])
        depth, offset, outward = self.depth_and_offset(
            rows[0][3] + arm[0], rows[1][3] + arm[1], rows[2][3] + arm[2]
        )
        vx, vy, vz, *turning = velocity.tolist()
        axis = self.bore.axis
        sx, sy, sz = _cross(turning, arm)
        state = self.state(depth, offset, (vx + sx) * axis[0] + (vy + sy) * axis[1] + (vz + sz) * axis[2])
        if state.laid is None:
            return NOTHING
        if not math.isfinite(state.along):  # friction locks: the load along the axis has no bound
            endless = tuple(state.along * c if c else 0.0 for c in axis)
            return MatingLoad(
                (endless[0], endless[1], endless[2]), (0.0, 0.0, 0.0), (self.named(state.laid),)
            )
        fx, fy, fz = (state.along * a + state.across * o for a, o in zip(axis, outward, strict=True))
        bx, by, bz = _cross(axis, outward)
        cx, cy, cz = _cross(arm, (fx, fy, fz))
        moment = state.about * bx + cx, state.about * by + cy, state.about * bz + cz
        return MatingLoad((fx, fy, fz), moment, (self.named(state.laid),))

    def named(self, laid: Laid) -> str:
        return f"{laid.name}:{self.contact or self.name}"

    def state(self, depth: float, offset: float, speed: float) -> RingState:
        """The ring at a depth, beside the axis, sliding along it at a speed; (28) to (32)."""
        laid = self.bore.laid(depth, self.ring.tube)
        if laid is None:
            return _FREE
        squeeze = self.ring.middle - laid.radius
        if squeeze + offset <= 0:
            return _FREE
        share = self._share(speed)
        sine, cosine = laid.sine, math.sqrt(1.0 - laid.sine * laid.sine)
        m = self.friction * share
        axial = sine + m * cosine  # against the axis, per p_a
        g = self.groove_friction * abs(share) * self._compressed(depth, sine, 1 if share >= 0 else -1)
        radial = cosine - m * sine
        bracket = radial - g * abs(axial)
        total, first, touching = self.ring.around(squeeze, offset)
        if bracket <= 0:
            endless = math.copysign(math.inf, -axial)
            return RingState(laid, squeeze, bracket, endless, 0.0, 0.0, touching, math.inf)
        r0 = self.ring.groove
        return RingState(
            laid,
            squeeze,
            bracket,
            -axial / bracket * r0 * total,
            -radial / bracket * r0 * first,
            axial / bracket * r0 * r0 * first,
            touching,
            self.ring.elastic(squeeze + offset) / bracket,
        )

    def _share(self, speed: float) -> float:
        """Of full friction, with the sign of the velocity."""
        if self.smooth > 0:
            return math.tanh(speed / self.smooth)
        return math.copysign(1.0, speed) if speed else 0.0

    def _compressed(self, depth: float, sine: float, sense: int) -> float:
        """1 while the ring is compressed, -1 while it expands, as it moves; in a cylinder as before it."""
        if sine:  # of a cylinder it is zero, exactly
            return 1.0 if sine * sense > 0 else -1.0
        for start, end, entering, leaving in self.cylinders:
            if start <= depth <= end:
                return entering if sense > 0 else leaving
        return 1.0

    @cached_property
    def cylinders(self) -> tuple[tuple[float, float, float, float], ...]:
        """Depths between which the wall is a cylinder's, and how the ring comes into each from either end."""
        low, high = self.bore.span
        grid = np.linspace(low - self.ring.tube, high + self.ring.tube, _STEPS).tolist()
        laid = [(z, self.bore.laid(z, self.ring.tube)) for z in grid]
        slopes = [(z, each.sine) for z, each in laid if each is not None and each.sine]
        found = []
        for wall in self.bore.walls:
            if wall.bend is None and wall.slope == 0.0:
                before = [sine for z, sine in slopes if z < wall.start]
                behind = [sine for z, sine in slopes if z > wall.end]
                entering = math.copysign(1.0, before[-1]) if before else 1.0
                leaving = math.copysign(1.0, -behind[0]) if behind else 1.0
                found.append((wall.start, wall.end, entering, leaving))
        return tuple(found)

    def plateau(self, radius: float, offset: float = 0.0) -> float:
        """The push within a cylinder of this radius, closed: 2 pi r0 mu p_i / (1 - mu²) on the axis [N]."""
        squeeze = self.ring.middle - (radius - self.ring.tube)
        total, _, _ = self.ring.around(squeeze, offset)
        bracket = 1 - self.friction * self.groove_friction
        return self.ring.groove * self.friction * total / bracket if bracket > 0 else math.inf


def _cross(a: Sequence[float], b: Sequence[float]) -> Three:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def constants_of_table(squeezes: Floats, loads: Floats) -> tuple[float, float, float]:
    """c1, c2 of a section's force-displacement table, by least squares, and the largest misfit [N/m].

    (28) has no constant: an unsqueezed section carries nothing.
    """
    matrix = np.column_stack([squeezes, squeezes**2])
    scale = np.abs(matrix).max(axis=0)
    solved, *_ = np.linalg.lstsq(matrix / scale, loads, rcond=None)
    c1, c2 = (solved / scale).tolist()
    return c1, c2, float(np.abs(matrix @ np.array([c1, c2]) - loads).max())
