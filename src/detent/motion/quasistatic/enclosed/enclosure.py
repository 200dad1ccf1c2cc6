"""What holds for a body all over a box of times, of angles, and of pushes that are followed at once.

Between events a pawl lies along the curve of one pair. By the implicit function theorem its time is a
function of the angle there, or the angle of the time, and of the parameters of the push; bounds on the
derivatives then enclose the curve, and what other pairs come to along it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from shapely.affinity import affine_transform

from detent.motion.quasistatic.enclosed.pairs import SLACK, Looked, PairTable, StraightPushes, look, look_at

# Of the spread of the pushes: boxes around what is not resolved are so much larger.
WIDER = 8.0
# Of the machine's size: no box is smaller.
LEAST = 1e-9


@dataclass(frozen=True)
class Box:
    """Times and angles around what is not resolved."""

    first: float
    last: float
    low: float
    high: float

    @property
    def middle(self) -> tuple[float, float, float, float]:
        """Time and angle in the middle, each with its half width."""
        return (
            (self.first + self.last) / 2,
            (self.last - self.first) / 2,
            (self.low + self.high) / 2,
            (self.high - self.low) / 2,
        )


class Enclosure:
    """One body about its hinge, over all pushes of a box."""

    def __init__(
        self,
        table: PairTable,
        hinge: Any,
        pushes: StraightPushes,
        size: float,
        friction: tuple[Any, Any] | None = None,
        wider: float = WIDER,
    ) -> None:
        self.table, self.hinge, self.pushes, self.size = table, hinge, pushes, size
        self.friction = (table.friction, table.friction) if friction is None else friction
        self.times, self.slack = wider, SLACK * size
        self.arm = max(float(table.reach.max(initial=0.0)), LEAST * size)

    def least(self, t: float) -> float:
        """A length below which nothing is resolved at a time."""
        return max(self.times * self.pushes.spread_at(t), LEAST * self.size)

    def look(self, box: tuple[float, float, float, float]) -> Looked:
        return look(self.table, self.hinge, self.pushes, box)

    def unclear(self, looked: Looked, gap: Any, along: Any) -> Any:
        """Pairs that may touch, for changes of gap and place along the edge so large at most."""
        return (
            (np.abs(looked.gap) <= gap + self.slack)
            & (looked.along >= -(along + self.slack))
            & (looked.along <= self.table.length + along + self.slack)
        )

    def rates(self, looked: Looked, i: int, by_angle: bool) -> tuple[float, Any, float] | None:
        """Of the other coordinate along a curve: its rate in the middle, and by parameters and at most."""
        by_time, change = looked.gap_in_time[0][i], looked.gap_in_time[1][i]
        turning, loose = looked.turning[i], looked.loose[i]
        below, below_change, above, above_change = (
            (by_time, change, turning, loose) if by_angle else (turning, loose, by_time, change)
        )
        if abs(below) <= below_change:
            return None
        least = abs(below) - below_change
        parameters = (np.abs(looked.gap_by_parameter[0][i]) + looked.gap_by_parameter[1][i]) / least
        most = (abs(above) + above_change) / least
        rate = -above / below
        if by_angle and abs(above) <= above_change:
            return None
        return rate, parameters, most

    def change_along(self, looked: Looked, i: int, by_angle: bool, radius: float) -> tuple[Any, Any]:
        """How much gaps and places along edges change along a curve, at most."""
        below, below_change = _of(looked, i, by_angle)
        shifted = looked.gap_by_parameter[0][i], looked.gap_by_parameter[1][i]
        changes = []
        for (middle, off), (other, other_change), (by_p, dp) in zip(
            self.rates_along(looked, i, by_angle),
            _others(looked, by_angle),
            (looked.gap_by_parameter, looked.along_by_parameter),
            strict=True,
        ):
            change = (np.abs(middle) + off) * radius
            for k in range(by_p.shape[1]):
                rate = _quotient(shifted[0][k], shifted[1][k], below, below_change)
                value, wide = _minus(by_p[:, k], dp[:, k], other, other_change, rate)
                change = change + np.abs(value) + wide
            changes.append(change)
        return changes[0], changes[1]

    def rates_along(self, looked: Looked, i: int, by_angle: bool) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
        """By how much gaps and places along edges change along a curve, by the angle or by time."""
        rate = _quotient(*_of(looked, i, not by_angle), *_of(looked, i, by_angle))
        (gap, place) = (
            _minus(*direct, *other, rate)
            for direct, other in zip(_others(looked, not by_angle), _others(looked, by_angle), strict=True)
        )
        return gap, place

    def time_at(self, i: int, angle: float, near: float) -> float | None:
        """When the push in the middle has a pair touch at an angle."""
        gap, rate, _ = look_at(self.table, self.hinge, self.pushes, i, near, angle)
        if abs(rate) <= 1e-14 * self.pushes.speed:
            return None
        return near - gap / rate  # the gap is linear in time

    def angle_at(self, i: int, t: float, near: float) -> float | None:
        """At which angle near one a pair touches at a time, of the push in the middle."""
        angle = near
        gap = math.inf
        for _ in range(30):
            gap, _, turning = look_at(self.table, self.hinge, self.pushes, i, t, angle)
            if abs(turning) <= 1e-14 * self.arm:
                return None
            change = -gap / turning
            if abs(change) > 1.0:
                return None
            angle += change
            if abs(change) < 1e-15 * (1 + abs(angle)):
                break
        return angle if abs(gap) < 1e-3 * self.slack + 1e-15 * self.size else None

    def slides(self, looked: Looked, i: int, side: int) -> int:
        """1 where a contact slides all over a box, -1 where it sticks all over it, else 0."""
        low, high = float(self.friction[0][i]), float(self.friction[1][i])
        if high == 0.0:
            return 1
        lever = looked.turning[i] * side
        arm, normal = complex(looked.arm[i]), -1j * complex(looked.way[i])
        velocity = complex(*self.pushes.velocity)
        swept = float(looked.loose[i])
        along, loose = (arm * normal.conjugate()).real, swept + abs(arm) * float(looked.turned[i])
        slip = (arm * velocity.conjugate()).real
        slip_change = swept * (self.pushes.speed + looked.velocity) + abs(arm) * looked.velocity
        signs = (1, -1) if abs(slip) <= slip_change else ((1,) if slip > 0 else (-1,))
        worst = min(
            lever + mu * sign * along - looked.loose[i] - mu * loose for mu in (low, high) for sign in signs
        )
        best = max(
            lever + mu * sign * along + looked.loose[i] + mu * loose for mu in (low, high) for sign in signs
        )
        return 1 if worst > 0 else -1 if best < 0 else 0

    def bounds_free(self, looked: Looked, box: Box, k: int, touching: Any) -> bool:
        """Whether the curve of a pair may bound what is free in a box, anywhere.

        Along the curve every other pair that touches in the box, and the place on the edge, goes one way: so
        on either side of where they are zero it is free all along, or not at all, as it is where it leaves.
        """
        by_time, change = float(looked.gap_in_time[0][k]), float(looked.gap_in_time[1][k])
        turning, loose = float(looked.turning[k]), float(looked.loose[k])
        by_angle = abs(by_time) - change > 0 and (
            abs(by_time) * self.arm >= abs(turning) * self.pushes.speed or abs(turning) <= loose
        )
        if not by_angle and abs(turning) <= loose:
            return True
        rising = self.rates_along(looked, k, by_angle)
        others = [j for j in touching if j != k and j not in self.table.twins.get(k, ())]
        (gaps, gap_off), (places, place_off) = rising
        if any(abs(gaps[j]) <= gap_off[j] for j in others) or abs(places[k]) <= place_off[k]:
            return True
        free, ends = False, set()
        for ahead in (1, -1):
            out = self.end_of(box, k, by_angle, ahead)
            if out is None:
                return True
            beyond = self.beyond_edge(*out, by_angle, k)
            if beyond is not None:
                ends.add(beyond)
            free = free or (beyond is None and not self.off(*out, by_angle, k))
        if free or len(ends) != 1:
            return True
        # Off at both: where it comes to an end of its edge all others of that corner are zero.
        return not set(map(int, others)) <= self.table.meets_at(k, ends.pop())

    def end_of(self, box: Box, k: int, by_angle: bool, ahead: int) -> tuple[float, float, float] | None:
        """Where a curve leaves a box: time, angle, how far off that may be."""
        if by_angle:
            angle = box.high if ahead > 0 else box.low
            when = self.time_at(k, angle, (box.first + box.last) / 2)
            if when is None:
                return None
            looked = self.look((when, 0.0, angle, 0.0))
            below = abs(looked.gap_in_time[0][k]) - looked.gap_in_time[1][k]
            t = when
        else:
            t = box.last if ahead > 0 else box.first
            where = self.angle_at(k, t, (box.low + box.high) / 2)
            if where is None:
                return None
            looked = self.look((t, 0.0, where, box.high - box.low))
            below = abs(looked.turning[k]) - looked.loose[k]
            angle = where
        if below <= 0:
            return None
        shifted = np.abs(looked.gap_by_parameter[0][k]) + looked.gap_by_parameter[1][k]
        return t, angle, float(shifted.sum()) / float(below)

    def beyond_edge(self, t: float, angle: float, spread: float, by_angle: bool, k: int) -> int | None:
        """Beyond which end of its edge a place on a curve is for every push of the box; None of neither."""
        looked = self.look((t, spread if by_angle else 0.0, angle, 0.0 if by_angle else spread))
        beyond = float(looked.free_change[1][k]) + self.slack
        if looked.along[k] < -beyond:
            return 0
        return 1 if looked.along[k] > self.table.length[k] + beyond else None

    def off(self, t: float, angle: float, spread: float, by_angle: bool, k: int) -> bool:
        """Whether a place on a curve is off its edge, or blocked, for every push of the box."""
        if self.beyond_edge(t, angle, spread, by_angle, k) is not None:
            return True
        late, wide = (spread, 0.0) if by_angle else (0.0, spread)
        looked = self.look((t, late, angle, wide))
        far = self.pushes.spread_at(t) + late * self.pushes.speed + wide * self.arm
        if self.meets(t, angle, far + self.slack):
            return True
        gap, _ = self.change_along(looked, k, by_angle, 0.0)
        if self.table.whole and self.behind(looked, gap + self.slack, far + self.slack, t, angle):
            return True
        return self.crosses(t, angle, far + self.slack)

    def behind(self, looked: Looked, change: Any, far: float, t: float, angle: float) -> bool:
        """Whether some vertex is inside of the other body, and cannot come out of it in the box.

        It moves by so much at most, and stays behind every edge that is as near.
        """
        table = self.table
        near = (np.abs(looked.gap) <= far) & (looked.along >= -far) & (looked.along <= table.length + far)
        behind = looked.gap < -change
        outside = set(table.named[near & ~behind])
        for k in np.flatnonzero(near & behind):
            if table.named[k] in outside:
                continue
            outside.add(table.named[k])
            c, s = math.cos(angle), math.sin(angle)
            shift = self.hinge + self.pushes.at(t)
            x, y = table.vertex[k].real, table.vertex[k].imag
            if table.on_obstacle[k]:
                x, y = x - shift[0], y - shift[1]
                point, region = (c * x + s * y, c * y - s * x), table.own_region
            else:
                point, region = (shift[0] + c * x - s * y, shift[1] + s * x + c * y), table.regions
            if shapely.contains_xy(region, *point):
                return True
        return False

    def crosses(self, t: float, angle: float, far: float) -> bool:
        """Whether a common point of the two lies deeper than so much in both, of the push in the middle."""
        c, s = math.cos(angle), math.sin(angle)
        x, y = self.hinge + self.pushes.at(t)
        own = affine_transform(self.table.own_region, (c, -s, s, c, x, y))
        common = own.intersection(self.table.regions)
        if common.is_empty or common.area == 0.0:
            return False
        for piece in getattr(common, "geoms", (common,)):
            point = piece.centroid if piece.contains(piece.centroid) else piece.representative_point()
            if min(own.boundary.distance(point), self.table.regions.boundary.distance(point)) > far:
                return True
        return False

    def blocked(self, t: float, angle: float, box: Box) -> bool:
        """Whether no push of the box is free at an angle at any time of a box."""
        late = max(abs(t - box.first), abs(box.last - t)) if box.first < t < box.last else 0.0
        far = self.pushes.spread_at(t) + late * (self.pushes.speed + float(self.pushes.tilts.sum()))
        if self.meets(t, angle, far + self.slack):
            return True
        looked = self.look((t, late, angle, 0.0))
        gap, _ = looked.free_change
        if self.table.whole and self.behind(looked, gap + self.slack, far + self.slack, t, angle):
            return True
        return self.crosses(t, angle, far + self.slack)

    def meets(self, t: float, angle: float, far: float) -> bool:
        """Whether the body is deeper than a length in an obstacle, of the push in the middle."""
        c, s = math.cos(angle), math.sin(angle)
        shift = self.hinge + self.pushes.at(t)
        turn = np.array([[c, -s], [s, c]])
        own = self.table.corners @ turn.T + shift
        if _deeper(self.table.regions, own, far):
            return True
        return _deeper(self.table.own_region, (self.table.obstacle_corners - shift) @ turn, far)


def _deeper(region: Any, points: Any, far: float) -> bool:
    """Whether a point lies deeper than so much in a region."""
    if region.is_empty or not len(points):
        return False
    inside = shapely.contains_xy(region, points[:, 0], points[:, 1])
    if not inside.any():
        return False
    return bool((shapely.distance(region.boundary, shapely.points(points[inside])) > far).any())


def _quotient(above: float, above_change: float, below: float, below_change: float) -> tuple[float, float]:
    """A quotient of two numbers with bounds of their change: its middle, and how far off it may be."""
    middle = above / below
    return middle, (above_change + abs(middle) * below_change) / (abs(below) - below_change)


def _minus(
    value: Any, change: Any, other: Any, other_change: Any, rate: tuple[float, float]
) -> tuple[Any, Any]:
    """value - rate * other: its middle, and how far off it may be."""
    middle, off = rate
    return value - middle * other, change + abs(middle) * other_change + off * (np.abs(other) + other_change)


def _of(looked: Looked, i: int, by_time: bool) -> tuple[float, float]:
    """A pair's derivative by time or by the angle."""
    if by_time:
        return float(looked.gap_in_time[0][i]), float(looked.gap_in_time[1][i])
    return float(looked.turning[i]), float(looked.loose[i])


def _others(looked: Looked, by_time: bool) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """Derivatives of gaps and of places along edges, by time or by the angle."""
    if by_time:
        return looked.gap_in_time, looked.along_in_time
    return (looked.turning, looked.loose), (looked.moving, looked.loose)
