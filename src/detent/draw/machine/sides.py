"""A machine in space seen squarely: along y (front), along x (side), along z (above).

Of the two directions it is the one in which what is pushed along legs is nearer to the viewer.
"""

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
from detent.model.document.part import is_robot
from detent.model.machine.graph import part_of, rigid_bodies

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
    stage = stage_of(mechanism, None)
    right, up = (np.array(axis) for axis in ON_PAPER[side])
    toward = np.cross(right, up)
    task = [stage.now[name][:3, 3] for name in _pushed(mechanism)]
    if side != "above" and task:
        every = [frame[:3, 3] for frame in stage.now.values()]
        if (np.mean(task, axis=0) - np.mean(every, axis=0)) @ toward < 0:
            right, toward = -right, -toward
    return space_scene(stage, [*mechanism.contacts], [], camera=Camera(right, up, toward))


def _pushed(mechanism: Mechanism) -> list[str]:
    """Parts that go with what legs push, but for a robot, which stands on its base."""
    driven = {drive.part or part_of(drive.marker or "") for drive in mechanism.drives.values() if drive.legs}
    bodies = rigid_bodies(mechanism)
    return [
        name
        for name, part in mechanism.parts.items()
        if not is_robot(part) and any(bodies.together(name, one) for one in driven)
    ]
