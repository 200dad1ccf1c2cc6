"""A machine in space seen squarely: from the front (against y), from the side (against -x), from above."""

from __future__ import annotations

from typing import Literal

import numpy as np

from detent.draw.machine.machine import refuse_rows
from detent.draw.machine.space import space_scene
from detent.draw.machine.stage import stage_of
from detent.draw.machine.view import Camera
from detent.draw.scene.scene import Scene
from detent.foundation.errors import UnsupportedError
from detent.model.document.mechanism import Mechanism

Side = Literal["front", "side", "above"]
# To the right and up on paper.
ON_PAPER: dict[str, tuple[tuple[float, float, float], tuple[float, float, float]]] = {
    "front": ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
    "side": ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "above": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)),
}


def seen_from(mechanism: Mechanism, side: Side) -> Scene:
    """The picture of a mechanism in space from one of three sides."""
    refuse_rows(mechanism)
    if mechanism.dimension != 3:
        problem = "a machine of the plane has one side"
        raise UnsupportedError(problem, "leave the side out, or write dimension = 3", "dimension")
    right, up = (np.array(axis) for axis in ON_PAPER[side])
    camera = Camera(right, up, np.cross(right, up))
    return space_scene(stage_of(mechanism, None), [*mechanism.contacts], [], camera=camera)
