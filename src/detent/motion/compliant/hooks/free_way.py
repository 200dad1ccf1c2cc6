"""Where on a straight leg nothing can touch: there the push goes on alone, and no step is needed to know it.

Each body is in a box on the world's axes. A pair of which one body goes with the push can touch only while
their boxes are within the hook's own reach of each other. A hook that touches nothing is at rest, so this
holds from there on, whatever it did before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from detent.motion.compliant.hooks.problem import HookProblem, HookState

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class FreeWays:
    """The stretches [m] of a leg along which something can touch, in order, apart from each other."""

    met: tuple[tuple[float, float], ...]

    @property
    def length(self) -> float:
        """[m] Of all of them."""
        return sum(end - start for start, end in self.met)

    def free_until(self, way: float) -> float:
        """[m] Up to where nothing touches from here on; the way itself where something can."""
        for start, end in self.met:
            if way < start:
                return start
            if way <= end:
                return way
        return np.inf


def free_ways(problem: HookProblem, state: HookState, direction: Floats, length: float) -> FreeWays:
    """Of a leg from a state in which the hook touches nothing, or comes to touch nothing."""
    going = set(problem.driven) | ({problem.hook} if problem.base in problem.driven else set())
    boxes: dict[int, Floats] = {}
    met: list[tuple[float, float]] = []
    for pair in sorted({problem.surfaces.bodies(row) for row in range(problem.surfaces.count)}):
        if (pair[0] in going) == (pair[1] in going):
            continue
        mover, other = pair if pair[0] in going else pair[::-1]
        for body in pair:
            if body not in boxes:
                boxes[body] = _box(problem, body, state.frames[body])
        met += _together(boxes[mover], boxes[other], direction, problem.length, length)
    return FreeWays(tuple(_joined(met)))


def _box(problem: HookProblem, body: int, frame: Floats) -> Floats:
    """(2, dimension) lowest and highest of the box around a body's own box, in the world [m]."""
    from detent.geometry import region

    solid = problem.system.bodies[body].solid
    assert solid is not None  # it has surfaces that may touch
    axes = problem.system.dimension
    own = np.array(region.bounds(solid)).reshape(2, 3)[:, :axes]
    corners = np.array([[own[k, axis] for axis, k in enumerate(at)] for at in product((0, 1), repeat=axes)])
    placed = corners @ frame[:axes, :axes].T + frame[:axes, 3]
    return np.array([placed.min(axis=0), placed.max(axis=0)])


def _together(
    mover: Floats, other: Floats, direction: Floats, margin: float, length: float
) -> Iterator[tuple[float, float]]:
    """While a box that goes along a direction is within a margin of another, on every axis."""
    start, end = 0.0, length
    for axis in range(mover.shape[1]):
        low = float(other[0, axis] - mover[1, axis]) - margin
        high = float(other[1, axis] - mover[0, axis]) + margin
        speed = float(direction[axis])
        if speed == 0.0:
            if not low <= 0.0 <= high:
                return
            continue
        ends = sorted((low / speed, high / speed))
        start, end = max(start, ends[0]), min(end, ends[1])
    if start <= end:
        yield start, end


def _joined(stretches: list[tuple[float, float]]) -> list[tuple[float, float]]:
    joined: list[tuple[float, float]] = []
    for start, end in sorted(stretches):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined
