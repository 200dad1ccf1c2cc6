"""What is still in the way where a pull has come back to where the plan begins.

Unless the document says more, a fastener counts as apart there. Drawn outside of all catches it is free;
drawn behind one, as in a pre-lock, it is not, and what holds it further out the pull has not met so far.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import shapely
from shapely.affinity import rotate, translate

from detent.motion.quasistatic.exact.legs import LegRun
from detent.motion.quasistatic.machine.fasteners import Fastener
from detent.numeric.polynomial.algebraic import Real

# Of the machine's size: beyond everything by so much, so that the last contact is over.
BEYOND = 0.01


def way_ahead(machine: Fastener, run: LegRun) -> float | None:
    """How far a straight run must go on to be past all that lies ahead of it; None where nothing does.

    A part may be said to lie ahead that is only touched in passing: the run itself then tells.
    """
    speed = math.hypot(*(float(each) for each in run.line.velocity))
    direction = tuple(float(each) / speed for each in run.line.velocity)
    ahead = [
        distance
        for region, obstacles in _moving(machine, run)
        for obstacle in obstacles
        if (distance := _ahead(region, obstacle, direction, BEYOND * machine.size)) is not None
    ]
    return max(ahead, default=None)


def touches_after(run: LegRun, t: Real) -> bool:
    """Whether a run meets anything after a place on its line."""
    return run.cause != "done" or any(
        stretch.end.t > t for pawl_run in run.pawl_runs for stretch in pawl_run.stretches
    )


def _moving(machine: Fastener, run: LegRun) -> list[tuple[Any, list[Any]]]:
    """The outlines that move, where a run has ended, each with those that it may meet."""
    t = float(run.end)
    x, y = (float(s) + t * float(v) for s, v in zip(run.line.shift, run.line.velocity, strict=True))
    facing = [obstacle.region for obstacle in machine.root_obstacles]
    moving = [(translate(leaf.region, x, y), facing) for leaf in machine.root_leaves]
    for pawl, slice_, pawl_run in zip(machine.pawls, run.slices, run.pawl_runs, strict=True):
        assert pawl_run.end is not None
        angle, hinge = pawl_run.end.angle(), slice_.hinge_at(t)
        obstacles = [obstacle.region for obstacle, _ in pawl.obstacles]
        moving += [
            (translate(rotate(leaf.region, angle, (0, 0), use_radians=True), *hinge), obstacles)
            for leaf in pawl.leaves
        ]
    return moving


def _ahead(region: Any, obstacle: Any, direction: tuple[float, ...], beyond: float) -> float | None:
    """How far a region must go to be past an obstacle that it would sweep over; None where it would not."""
    here, there = shapely.get_coordinates(region), shapely.get_coordinates(obstacle)
    distance = float((there @ direction).max() - (here @ direction).min())
    if distance <= 0:
        return None
    x, y = (distance * each for each in direction)
    ends = [(x * share, y * share) for share in (0, 1)]
    bands = [
        shapely.MultiPoint([p + end for p in edge for end in ends]).convex_hull for edge in pairwise(here)
    ]
    swept = shapely.union_all([region, *bands])
    return distance + beyond if shapely.intersects(swept, obstacle) else None
