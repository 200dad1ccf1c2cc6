"""A region of starts, seen along the push: how far its starts are apart across it and along it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from shapely.affinity import rotate, translate

from detent.foundation.errors import ModelError
from detent.model.document.ask import Uncertain
from detent.motion.quasistatic.enclosed.enclosure import Enclosure
from detent.motion.quasistatic.enclosed.pairs import PairTable, StraightPushes
from detent.motion.quasistatic.exact.legs import LegRun
from detent.motion.quasistatic.machine.fasteners import Fastener, Pawl

AT = "ask.mate.uncertain"
# Of the machine's size, squared: less of a common area is rounding.
COMMON = 1e-12
# Of the machine's size: as near as a pawl may come to something while it swings to rest.
CLEAR = 1e-3


@dataclass(frozen=True)
class Starts:
    """Starts by their offset across the first leg, to the left of it, and by how far along it they begin."""

    region: Any  # displacements, as offset and advance
    forward: Any  # a unit vector
    tilt: float  # [rad] to both sides
    turned: float  # [rad] to both sides of where pawls start, as they are let go
    speed: float
    lasts: float

    @property
    def offset(self) -> tuple[float, float]:
        low, _, high, _ = self.region.bounds
        return low, high

    @property
    def advance(self) -> tuple[float, float]:
        _, low, _, high = self.region.bounds
        return low, high

    @property
    def left(self) -> Any:
        return np.array([-self.forward[1], self.forward[0]])

    def advances(self, low: float, high: float) -> tuple[float, float]:
        """How far along the push starts of some offsets begin, at least and at most."""
        part = self.region.intersection(shapely.box(low, self.advance[0] - 1, high, self.advance[1] + 1))
        bounds = part.bounds if not part.is_empty else self.region.bounds
        return bounds[1], bounds[3]


def starts_of(machine: Fastener, leg: LegRun, asked: Uncertain) -> Starts:
    """The starts that are asked for; refused where some of them overlap what they may touch."""
    velocity = np.array([float(each) for each in leg.line.velocity])
    speed = float(np.hypot(*velocity))
    forward = velocity / speed
    outline = [(0.0, 0.0)] if asked.start is None else [(float(x), float(y)) for x, y in asked.start.outline]
    seen = [(-x * forward[1] + y * forward[0], x * forward[0] + y * forward[1]) for x, y in outline]
    region = shapely.MultiPoint(seen).convex_hull if asked.start is None else shapely.Polygon(seen)
    if asked.cylinder is not None:
        region = region.buffer(float(asked.cylinder), quad_segs=16, cap_style="square", join_style="mitre")
    tilt = math.radians(float(asked.direction_deg or 0)) + float(asked.direction or 0)
    low, _, high, _ = region.bounds
    if high - low <= 0 and not tilt and not (asked.angle or asked.angle_deg):
        words = "leaves the start and the direction certain"
        raise ModelError.at(
            AT, words, "give a `start` of some width across the push, a `cylinder`, `direction_deg`"
        )
    if not tilt < math.pi / 4:
        raise ModelError.at(
            AT, f"{math.degrees(tilt):.6g}° is no tilt of a push", "give less than 45 degrees"
        )
    lasts = float(leg.line.start) + _asked_time(machine, leg)
    turned = math.radians(float(asked.angle_deg or 0)) + float(asked.angle or 0)
    if not turned < math.pi / 2:
        raise ModelError.at(
            AT, f"{math.degrees(turned):.6g}° is no small turn of a pawl", "give less than 90 degrees"
        )
    starts = Starts(region, forward, tilt, turned, speed, lasts)
    _refuse_overlap(machine, starts)
    for pawl in machine.pawls:
        _refuse_caught(machine, pawl, starts)
    return starts


def _refuse_caught(machine: Fastener, pawl: Pawl, starts: Starts) -> None:
    """Refuse starts from which a pawl may not swing to rest at once, since something is near.

    Where its whole swing is clear of everything, from every start, it is at rest before anything happens.
    """
    ends = (float(pawl.start) - starts.turned, float(pawl.start) + starts.turned)
    table = PairTable(pawl.leaves, pawl.obstacles)
    hinge = np.array([float(each) for each in pawl.hinge])
    low, first, high, last = starts.region.bounds
    work = [(min(*ends, 0.0), max(*ends, 0.0), low, high, first, last)] if any(ends) else []
    still = np.zeros((2, 2))
    while work:
        a, b, low, high, first, last = work.pop()
        if not starts.region.intersects(shapely.box(low, first, high, last)):
            continue
        place = (low + high) / 2 * starts.left + (first + last) / 2 * starts.forward
        spread = np.array([(high - low) / 2 * starts.left, (last - first) / 2 * starts.forward])
        on = Enclosure(table, hinge, StraightPushes(place, starts.forward, spread, still), machine.size)
        looked = on.look((0.0, 0.0, (a + b) / 2, (b - a) / 2))
        near = on.unclear(looked, *looked.free_change)
        if not near.any():
            continue
        # The largest of what is left is divided: a turn moves what is farthest out.
        sizes = ((b - a) * on.arm, high - low, last - first)
        k = sizes.index(max(sizes))
        if sizes[k] <= CLEAR * machine.size:
            obstacle = table.names[int(np.flatnonzero(near)[0])]
            raise ModelError.at(
                AT,
                f"{pawl.part!r}, let go within {math.degrees(a):.6g}° to {math.degrees(b):.6g}° of rest, may "
                f"touch at {obstacle} before it is at rest",
                "start where pawls swing to rest clear of everything, or give a smaller `angle`",
            )
        ranges = [(a, b), (low, high), (first, last)]
        for half in ((ranges[k][0], sum(ranges[k]) / 2), (sum(ranges[k]) / 2, ranges[k][1])):
            parts = [*ranges[:k], half, *ranges[k + 1 :]]
            work.append((*parts[0], *parts[1], *parts[2]))


def _asked_time(machine: Fastener, leg: LegRun) -> float:
    """How long the first leg is asked to last, whatever ends it before."""
    first = machine.legs[0]
    if first.for_ is not None:
        return float(first.for_)
    assert first.distance is not None
    x, y = (float(each) for each in leg.line.velocity)
    return float(first.distance) / math.hypot(x, y)


def _refuse_overlap(machine: Fastener, starts: Starts) -> None:
    """Refuse starts in which parts overlap as they begin."""
    corners = shapely.get_coordinates(starts.region)
    for offset, advance in corners:
        x, y = offset * starts.left + advance * starts.forward
        moving = [(machine.root, leaf.region, machine.root_obstacles) for leaf in machine.root_leaves]
        for pawl in machine.pawls:
            hinge = [float(each) for each in pawl.hinge]
            for leaf in pawl.leaves:
                turned = rotate(leaf.region, float(pawl.start), (0, 0), use_radians=True)
                facing = tuple(obstacle for obstacle, _ in pawl.obstacles)
                moving.append((pawl.part, translate(turned, *hinge), facing))
        for part, region, facing in moving:
            for obstacle in facing:
                common = translate(region, x, y).intersection(obstacle.region).area
                if common > COMMON * machine.size**2:
                    raise ModelError.at(
                        f"{AT}.start",
                        f"{part!r}, displaced by ({x:.6g}, {y:.6g}), overlaps {obstacle.part!r}",
                        "keep the region clear of what it may touch",
                    )
