"""Parts of a plane machine that overlap where they have been moved to: which pairs, how deep.

The same pairs count as in the drawing (`overlap.py`): all of them unless ignored, except those that are drawn
into each other at a joint by custom, as bars on one pin. Shapes without area (a segment) overlap nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.foundation.tolerance import Tolerance
from detent.geometry import region
from detent.geometry.frame import shift
from detent.geometry.profile import FINENESS
from detent.geometry.solid import placed
from detent.model.document.mechanism import Mechanism
from detent.model.machine.drawn.overlap import added_by_chords, deepest, drawn_into_each_other, noise
from detent.model.machine.placed import place
from detent.model.machine.solids import part_solid
from detent.model.machine.touching import TouchingPairs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

ZERO = Fraction(0)
# So many times the chords of an arc where the beginning of an overlap is located: they leave an arc by a part
# in 3e6 of its radius, which is less than the six digits that are shown.
FINE = 16


@dataclass(frozen=True, eq=False)
class MovedShapes:
    """The shapes of a machine's parts in their own frames, in document units."""

    mechanism: Mechanism

    @cached_property
    def layers(self) -> dict[str, tuple[region.Layer, ...]]:
        """By part that has area: its outline at each height; a shape of the plane has one."""
        stacks = {
            name: region.layers(solid) for name, solid in self._solids.items() if name not in self.not_layered
        }
        return {
            name: stack for name, stack in stacks.items() if any(layer.region.area > 0 for layer in stack)
        }

    @cached_property
    def not_layered(self) -> tuple[str, ...]:
        """Parts in space that are not looked at: no stacks of prisms along z, or standing on their heads."""
        frames = place(self.mechanism).known
        return tuple(
            name
            for name, solid in self._solids.items()
            if not region.stackable(solid) or (name in frames and frames[name].rows[2][2] <= 0)
        )

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The pairs that may overlap, in document order."""
        return tuple(pair for pair in self.among if frozenset(pair) not in self._joined)

    @property
    def at_joints(self) -> tuple[tuple[str, str], ...]:
        """The pairs that are not looked at: they may be drawn into each other, at a pin, a weld or a gear."""
        return tuple(pair for pair in self.among if frozenset(pair) in self._joined)

    @cached_property
    def among(self) -> tuple[tuple[str, str], ...]:
        """All pairs with area that are not ignored."""
        names = (name for name in self.mechanism.parts if name in self.layers)
        return tuple(TouchingPairs(self.mechanism).among(names))

    @cached_property
    def _joined(self) -> set[frozenset[str]]:
        positions = place(self.mechanism)
        boxes = {
            name: region.bounds(placed(self._solids[name], replace(pose, origin=(*pose.origin[:2], ZERO))))
            for name, pose in positions.known.items()
            if name in self._solids
        }
        return drawn_into_each_other(positions, boxes)

    def near(self, pair: tuple[str, str], poses: dict[str, Floats]) -> NDArray[np.bool_]:
        """Of each row of poses (x, y, angle): whether circles around the two parts meet."""
        centres = [poses[name][:, :2] for name in pair]
        apart = np.linalg.norm(centres[1] - centres[0], axis=1)
        return np.asarray(apart <= self._reach[pair[0]] + self._reach[pair[1]])

    def depth(self, pair: tuple[str, str], first: Floats, second: Floats) -> float:
        """How deep two parts are in each other at least, each at its pose; zero where they are not."""
        meeting = _meeting(self.layers[pair[0]], self.layers[pair[1]], first, second)
        return max((self._deep(pair, one, other) for one, other in meeting), default=0.0)

    def begun(self, pair: tuple[str, str], first: Floats, second: Floats) -> bool:
        """Whether two parts, each at its pose, have more in common than rounding: where an overlap begins.

        What counts as one must be deeper than chords leave arcs, which may be long after that.
        """
        rounding = sum(self._rounding[name] for name in pair)
        for one, other in _meeting(self._fine_layers[pair[0]], self._fine_layers[pair[1]], first, second):
            shared = region.common_region(one, other)
            if 2 * shared.area > rounding * shared.length:
                return True
        return False

    def _deep(self, pair: tuple[str, str], one: Any, other: Any) -> float:
        shared = deepest(one, other)
        least = self._noise[pair[0]] + self._noise[pair[1]]
        if shared is None or shared[1] <= least:
            return 0.0
        return shared[1] - sum(added_by_chords(self._solids[name]) for name in pair)

    @cached_property
    def _solids(self) -> dict[str, Any]:
        solids = {name: part_solid(self.mechanism, name) for name in self.mechanism.parts}
        frames = place(self.mechanism).known
        heights = {name: shift((ZERO, ZERO, frames[name].origin[2])) for name in frames}
        return {
            name: placed(solid, heights[name]) if name in heights else solid
            for name, solid in solids.items()
            if solid is not None
        }

    @cached_property
    def _fine_layers(self) -> dict[str, tuple[region.Layer, ...]]:
        return {
            name: tuple(region.layers(self._solids[name], fineness=FINE * FINENESS)) for name in self.layers
        }

    @cached_property
    def _rounding(self) -> dict[str, float]:
        """What rounding blurs, and what chords of round holes add, in the finer outlines."""
        return {
            name: Tolerance.for_size(region.size(solid)).length + added_by_chords(solid) / FINE**2
            for name, solid in self._solids.items()
        }

    @cached_property
    def _noise(self) -> dict[str, float]:
        return {name: noise(self._solids[name]) for name in self.layers}

    @cached_property
    def _reach(self) -> dict[str, float]:
        """How far each part's shape reaches from its own origin."""
        reach = {}
        for name, stack in self.layers.items():
            boxes = [layer.region.bounds for layer in stack]
            corners = [(x, y) for x0, y0, x1, y1 in boxes for x in (x0, x1) for y in (y0, y1)]
            reach[name] = max(math.hypot(*corner) for corner in corners)
        return reach


def _meeting(
    stack: tuple[region.Layer, ...], others: tuple[region.Layer, ...], first: Floats, second: Floats
) -> Iterator[tuple[Any, Any]]:
    """Outlines of two parts that meet at one height, each part at its pose, in the frame of the first."""
    import shapely

    cos, sin = math.cos(second[2] - first[2]), math.sin(second[2] - first[2])
    turn = math.cos(first[2]), math.sin(first[2])
    x, y = second[0] - first[0], second[1] - first[1]
    shift = np.array([turn[0] * x + turn[1] * y, turn[0] * y - turn[1] * x])
    matrix = np.array([[cos, sin], [-sin, cos]])
    for one in stack:
        for other in others:
            flat = one.bottom == one.top or other.bottom == other.top
            if not flat and min(one.top, other.top) <= max(one.bottom, other.bottom):
                continue
            shapely.prepare(one.region)
            moved = shapely.transform(other.region, lambda points: points @ matrix + shift)
            if shapely.intersects(one.region, moved):
                yield one.region, moved
