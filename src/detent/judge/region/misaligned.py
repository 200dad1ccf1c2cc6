"""The same task with the counterpart of what gives way beside its place, or turned; the push stays as it is.

The counterpart is the side that gives nothing: what is pushed, where hooks stand, else what stands still.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from detent.foundation.errors import UnsupportedError
from detent.foundation.names import listed
from detent.geometry import region
from detent.geometry.pose import in_metres, rotation_of, rotation_vector_of
from detent.geometry.solid import placed
from detent.library.mating.force_law import Floats
from detent.model.document.mechanism import Mechanism
from detent.model.machine.graph import WORLD, parts_of, rigid_bodies
from detent.model.machine.pushed.compliant import rings_in, sprung_hooks
from detent.model.machine.solids import part_solid
from detent.motion.leading.plan import PushPlan


@dataclass(frozen=True, eq=False)
class Counterpart:
    """The parts that stand beside their place, and the point about which they are turned."""

    plan: PushPlan
    parts: tuple[str, ...]
    about: Floats  # (3,) in document units

    def misaligned(self, offset: Floats, turned: Floats) -> Mechanism:
        """With its first leg alone; an offset in document units, a rotation vector [rad], on world axes."""
        mechanism, placing = self.plan.mechanism, self.plan.placed
        data: Any = mechanism.to_dict()
        rotation = rotation_of(turned)
        for part in mechanism.parts:
            frame = in_metres(placing.frame(part), 1.0)
            if part in self.parts:
                frame[:3, 3] = self.about + offset + rotation @ (frame[:3, 3] - self.about)
                frame[:3, :3] = rotation @ frame[:3, :3]
            elif (pose := mechanism.parts[part].pose) is None or pose.on is None:
                continue
            data["parts"][part]["pose"] = _pose(frame, mechanism.dimension)
        first = self.plan.legs[0]
        velocity = first.speed * first.direction / self.plan.metres
        leg: dict[str, Any] = {
            "velocity": velocity[: mechanism.dimension].tolist(),
            "distance": first.length / self.plan.metres,
        }
        data["drives"] = {self.plan.drive: {"part": self.plan.part, "legs": [leg]}}
        from detent.model.reading import convert

        return convert.mechanism(data)


def counterpart_of(plan: PushPlan) -> Counterpart:
    """Refused where both sides give way."""
    mechanism = plan.mechanism
    bodies = rigid_bodies(mechanism)
    supports = {joint: parts_of(mechanism.joints[joint])[0] for joint in sprung_hooks(mechanism)}
    standing = [joint for joint, support in supports.items() if bodies.together(support, WORLD)]
    pushed = [*rings_in(mechanism), *(joint for joint in supports if joint not in standing)]
    if standing and pushed:
        problem = f"{listed(standing)} stand and {listed(pushed)} go with the push: both sides give way"
        remedy = "ask for one side at a time, the other held by a `fixed` joint"
        raise UnsupportedError(problem, remedy, "--region")
    parts = plan.moving if standing else plan.fixed
    drawn = tuple(part for part in parts if mechanism.parts[part].shape is not None)
    carrying = set() if standing else {supports[joint] for joint in pushed if joint in supports}
    drawn = tuple(part for part in drawn if part not in carrying)
    return Counterpart(plan, drawn, _middle(plan, drawn))


def _middle(plan: PushPlan, parts: Sequence[str]) -> Floats:
    """Of a box around the parts as drawn; of a plane document at z = 0."""
    solids = {part: part_solid(plan.mechanism, part) for part in parts}
    boxes = np.array(
        [
            region.bounds(placed(solid, plan.placed.frame(part)))
            for part, solid in solids.items()
            if solid is not None
        ]
    )
    middle, n = np.zeros(3), plan.mechanism.dimension  # flat leaves span every height
    middle[:n] = (boxes[:, :n].min(axis=0) + boxes[:, 3 : 3 + n].max(axis=0)) / 2
    return middle


def _pose(frame: Floats, dimension: int) -> dict[str, Any]:
    vector = rotation_vector_of(frame[:3, :3])
    at, angle = frame[:dimension, 3].tolist(), float(np.linalg.norm(vector))
    if dimension == 2:
        return {"at": at, "turn": float(vector[2])}
    if angle == 0:
        return {"at": at}
    return {"at": at, "turn": angle, "about": (vector / angle).tolist()}
