"""Where a run begins: the coordinates and speeds that a document's `start` gives."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.foundation.errors import ModelError, UnsupportedError

if TYPE_CHECKING:
    from detent.mechanics.tree import Tree


def start_of(tree: Tree) -> tuple[Any, Any]:
    """Independent coordinates past the drawing, and their speeds."""
    y, v = np.zeros(tree.freedoms), np.zeros(tree.freedoms)
    system = tree.system
    units = system.metres_per_unit
    place = {tree.names[coordinate]: k for k, coordinate in enumerate(tree.independent)}
    for name, start in system.mechanism.start.items():
        if name not in place:
            words = "is not one of the coordinates that the others follow from"
            raise UnsupportedError(
                words, f"start one of {', '.join(place) or 'none'} instead", f"start.{name}"
            )
        k = place[name]
        slides = system.joint(name).type.coordinate == "length"
        for value, degrees, column, drawn in (
            (start.at, start.at_deg, y, float(tree.machine.joints[tree.names.index(name), 0])),
            (start.speed, start.speed_deg, v, 0.0),
        ):
            if slides and degrees is not None:
                raise ModelError.at(f"start.{name}", "is a slide: it has no degrees", "give a length")
            if degrees is not None:
                column[k] = math.radians(float(degrees)) - drawn
            elif value is not None:
                column[k] = float(value) * (units if slides else 1.0) - drawn
    return y, v
