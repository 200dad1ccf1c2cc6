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
from detent.motion.quasistatic.exact.legs import LegRun
from detent.motion.quasistatic.machine.fasteners import Fastener

AT = "ask.mate.uncertain"
# Of the machine's size, squared: less of a common area is rounding.
COMMON = 1e-12


@dataclass(frozen=True)
class Starts:
    """Starts by their offset across the first leg, to the left of it, and by how far along it they begin."""

    region: Any  # displacements, as offset and advance
    forward: Any  # a unit vector
    tilt: float  # [rad] to both sides
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
    if high - low <= 0 and not tilt:
        words = "leaves the start and the direction certain"
        raise ModelError.at(
            AT, words, "give a `start` of some width across the push, a `cylinder`, `direction_deg`"
        )
    if not tilt < math.pi / 4:
        raise ModelError.at(
            AT, f"{math.degrees(tilt):.6g}° is no tilt of a push", "give less than 45 degrees"
        )
    lasts = float(leg.line.start) + _asked_time(machine, leg)
    starts = Starts(region, forward, tilt, speed, lasts)
    _refuse_overlap(machine, starts)
    return starts


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
