"""How far balls and cylinders are from what is beside them as drawn: meshes see neither a small gap nor a
small depth.

A cylinder is all discs across its axis. Where the place nearest to a point of the axis lies in the disc's
plane it is as far from the cylinder's side as from the point, but for the radius; rims are left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import minimize_scalar

from detent.geometry import region
from detent.geometry.apart import Surface, balls_of
from detent.geometry.solid import Cylinder, Leaf, Solid, placed
from detent.model.machine.drawn.overlap import drawn_into_each_other
from detent.model.machine.placed import place
from detent.model.machine.solids import part_solid
from detent.model.machine.touching import TouchingPairs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.model.document.mechanism import Mechanism

    Floats = NDArray[np.float64]
    Nearest = tuple[str, str, float, Floats]

# Discs of a cylinder that are looked at first; those that are nearest are then looked for between them.
_DISCS = 9
_ACROSS = 1e-6  # of the radius: a place so little beside a disc's plane is in it


def round_gaps(mechanism: Mechanism) -> Iterator[Nearest]:
    """Pairs in space of which one part is made of balls, or of cylinders, alone: the gap, and where.

    Negative where one is sunk by less than its radius. Surfaces that are not read (`known`) are left out.
    """
    positions = place(mechanism)
    solids = {
        name: placed(solid, pose)
        for name, pose in positions.known.items()
        if (solid := part_solid(mechanism, name)) is not None
    }
    balls = {name: each for name, solid in solids.items() if (each := balls_of(solid))}
    cylinders = {name: leaves for name, solid in solids.items() if (leaves := _cylinders_of(solid))}
    if not balls and not cylinders:
        return
    joined = drawn_into_each_other(positions, {name: region.bounds(solid) for name, solid in solids.items()})
    surfaces: dict[str, Surface] = {}
    for first, second in TouchingPairs(mechanism).among(list(solids)):
        if frozenset((first, second)) in joined:
            continue
        best = (math.inf, np.zeros(3))
        for rounds, other in ((first, second), (second, first)):
            if rounds not in balls and rounds not in cylinders:
                continue
            if other not in surfaces:
                surfaces[other] = Surface(solids[other], 3)
            surface = surfaces[other]
            if not surface.known:
                continue
            for centre, radius in balls.get(rounds, []):
                distance, where = surface.nearest(centre)
                best = min(best, (distance - radius, where), key=lambda each: each[0])
            for leaf in cylinders.get(rounds, []):
                best = min(best, _beside_cylinder(leaf, surface), key=lambda each: each[0])
        if math.isfinite(best[0]):
            yield first, second, *best


def _cylinders_of(solid: Solid) -> list[Leaf]:
    """The cylinders that a solid is made of; none where it has other primitives too."""
    if isinstance(solid, Leaf):
        shape = solid.primitive
        return [solid] if isinstance(shape, Cylinder) and not (shape.is_gear or solid.breaks) else []
    of_children = [_cylinders_of(child) for child in solid.children]
    if solid.operation != "union" or not all(of_children):
        return []
    return [leaf for leaves in of_children for leaf in leaves]


def _beside_cylinder(leaf: Leaf, surface: Surface) -> tuple[float, Floats]:
    """The least gap between a cylinder's side and a surface, and where; infinite where a rim is nearer."""
    assert isinstance(leaf.primitive, Cylinder)
    radius, height = float(leaf.primitive.radius), float(leaf.primitive.height)
    axis, origin = leaf.frame.matrix[:, 2], leaf.frame.matrix[:, 3]

    def at(up: float) -> tuple[float, float, Floats]:
        distance, where = surface.nearest(origin + up * axis)
        return distance, float((where - origin) @ axis), where

    ups = np.linspace(0.0, height, _DISCS + 2)
    looked = [(at(up)[0], up) for up in ups[1:-1]]
    nearest = int(np.argmin([distance for distance, _ in looked]))
    between = minimize_scalar(
        lambda up: at(up)[0], bounds=(ups[nearest], ups[nearest + 2]), method="bounded",
        options={"xatol": 1e-9 * height},
    )  # fmt: skip
    best = (math.inf, origin)
    for up in (*(up for _, up in looked), float(between.x)):
        distance, beside, where = at(up)
        gap = distance - radius
        # What is nearer to an end face than that comes through there, and is none of the side's.
        if abs(beside - up) <= _ACROSS * radius and gap >= -min(up, height - up):
            best = min(best, (gap, where), key=lambda each: each[0])
    return best
