"""Contacts given where the shapes as drawn have none: how far off, or with a normal the wrong way."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from detent.contact.touching.near import ALMOST
from detent.foundation.units import outward, unit_names
from detent.geometry import region
from detent.geometry.apart import Surface
from detent.geometry.frame import exact3
from detent.geometry.solid import Solid, placed
from detent.model.machine.placed import place
from detent.model.machine.solids import part_solid

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.model.document.mechanism import Mechanism

    Floats = NDArray[np.float64]

# Of the drawing: how far beside a point it is looked which part is there, farther than chords leave arcs.
_ASIDE = 2 * ALMOST


def given_off_shapes(mechanism: Mechanism) -> tuple[str, ...]:
    """In words, contacts given farther than a share of 1e-3 of the drawing from where their parts are.

    Parts without a shape, and shapes that are not read (`Surface.known`), are not looked at.
    """
    if not mechanism.contacts:
        return ()
    positions = place(mechanism)
    named = {name for contact in mechanism.contacts for name in contact.between}
    solids = {
        name: placed(solid, positions.known[name])
        for name in named & positions.known.keys()
        if (solid := part_solid(mechanism, name)) is not None
    }
    if not solids:
        return ()
    boxes = np.array([region.bounds(solid) for solid in solids.values()])
    boxes[~np.isfinite(boxes)] = 0.0  # a flat shape spans every height
    size = float(np.linalg.norm((boxes[:, 3:].max(axis=0) - boxes[:, :3].min(axis=0))[: mechanism.dimension]))
    surfaces = {name: Surface(solid, mechanism.dimension) for name, solid in solids.items()}
    words: list[str] = []
    for number, contact in enumerate(mechanism.contacts):
        point, normal = (
            np.array([float(x) for x in exact3(each)[: mechanism.dimension]])
            for each in (contact.point, contact.normal)
        )
        normal = normal / np.linalg.norm(normal)
        called = f"contact {number} ({':'.join(contact.between)})"
        for part, away in zip(contact.between, (normal, -normal), strict=True):
            if part not in surfaces or not surfaces[part].known:
                continue
            distance, _ = surfaces[part].nearest(point)
            if distance > ALMOST * size:
                unit = unit_names(mechanism.units).length
                words.append(f"{called} is at least {outward(distance, -1, digits=3):.3g}{unit} from {part}")
            elif _holds(solids[part], point + _ASIDE * size * away):
                into = "into" if part == contact.between[0] else "out of"
                words.append(f"{called} has a normal that points {into} {part}")
                break  # seen from the other part it is the same
    return tuple(words)


def _holds(solid: Solid, point: Floats) -> bool:
    """Whether a point is inside a solid of layers; of others it is not said."""
    import shapely

    if not region.stackable(solid):
        return False
    height = float(point[2]) if len(point) > 2 else math.nan
    return any(
        bool(shapely.contains_xy(layer.region, point[0], point[1]))
        for layer in region.layers(solid)
        if layer.bottom == layer.top or len(point) == 2 or layer.bottom < height < layer.top
    )
