"""The parts of a machine as the search of joints sees them: solids in the world, exact, with their faces."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from detent.foundation.errors import UnsupportedError
from detent.foundation.tolerance import Tolerance
from detent.geometry.frame import Exact3, Frame
from detent.geometry.profile import extent, reach
from detent.geometry.region import bounds
from detent.geometry.solid import Leaf, Solid, leaves, placed
from detent.infer.faces import FlatPlane, RoundFace, flat_planes, flat_sides, looking_along, round_faces
from detent.infer.thick import only, thickened
from detent.model.document.mechanism import Mechanism
from detent.model.machine.placed import Placed, place
from detent.model.machine.solids import part_solid

_CLOSE = 1e-7  # of the size: planes that are one


@dataclass(frozen=True, eq=False)
class PartSolid:
    """A part with a shape, in the world."""

    name: str
    fixed: bool
    solid: Solid
    size: float  # of the machine
    _seen: dict[Exact3, Solid] = field(default_factory=dict, repr=False)

    @cached_property
    def rounds(self) -> list[RoundFace]:
        return round_faces(leaves(self.solid))

    @cached_property
    def planes(self) -> list[FlatPlane]:
        return flat_planes(flat_sides(leaves(self.solid)), _CLOSE * self.size)

    @cached_property
    def _leaves(self) -> tuple[Leaf, ...]:
        return tuple(leaves(self.solid))

    @cached_property
    def _corners(self) -> Any:
        """(n, 8, 3): corners of a box around each primitive, along the primitive's own axes."""
        corners = []
        for leaf in self._leaves:
            x0, y0, x1, y1 = reach(leaf)
            low, high = extent(leaf)
            own = [(x, y, z) for x in (x0, x1) for y in (y0, y1) for z in (low, high)]
            corners.append(leaf.frame.points(own))
        return np.array(corners)

    def within(self, view: Frame, low: Any, high: Any) -> Solid | None:
        """In a frame, what decides where the solid is in a box of that frame; None where it is not there."""
        seen = self._corners @ view.matrix[:, :3].T + view.matrix[:, 3]
        reaches = ((seen.min(axis=1) <= high) & (seen.max(axis=1) >= low)).all(axis=1)
        kept = [leaf for leaf, there in zip(self._leaves, reaches, strict=True) if there]
        if all(leaf.hollow for leaf in kept):
            return None
        near = only(self.solid, {id(leaf) for leaf in kept})
        return None if near is None else placed(near, view)

    def seen_along(self, direction: Exact3) -> Solid:
        """The solid in the frame of `looking_along` a direction."""
        if direction not in self._seen:
            self._seen[direction] = placed(self.solid, looking_along(direction))
        return self._seen[direction]

    @cached_property
    def box(self) -> tuple[Any, Any]:
        """Lowest and highest coordinates."""
        box = np.array(bounds(self.solid))
        return box[:3], box[3:]


@dataclass(frozen=True, eq=False)
class MachineSolids:
    """All parts with shapes; `flat` where the machine is drawn in the plane.

    A segment has no area, from which a joint could be found, but touches: such parts are in `lines`.
    """

    mechanism: Mechanism
    placed: Placed
    parts: dict[str, PartSolid]
    flat: bool
    size: float
    lines: tuple[str, ...] = ()

    @property
    def tolerance(self) -> Tolerance:
        return Tolerance.for_size(self.size)


def machine_solids(mechanism: Mechanism) -> MachineSolids:
    """The shapes of a machine where they are drawn; parts that only a library places are left out."""
    where = place(mechanism)
    solids: dict[str, Solid] = {}
    for name in mechanism.parts:
        try:
            solid = part_solid(mechanism, name)
            frame = where.frame(name)
        except UnsupportedError:
            continue
        if solid is not None:
            solids[name] = placed(solid, frame)
    size = _size(solids.values())
    height = Fraction(max(4.0 * size, 1e-6))
    parts = {}
    for name, solid in solids.items():
        thick = thickened(solid, height)
        if thick is not None:
            parts[name] = PartSolid(name, mechanism.parts[name].fixed, thick, size)
    lines = tuple(name for name in solids if name not in parts)
    return MachineSolids(mechanism, where, parts, mechanism.dimension == 2, size, lines)


def _size(solids: Any) -> float:
    finite = [abs(c) for solid in solids for c in bounds(solid) if math.isfinite(c)]
    return max(finite, default=1.0) or 1.0
