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
from detent.model.document.part import Pose
from detent.model.machine.graph import WORLD, parts_of, rigid_bodies
from detent.model.machine.poses import pose_frame
from detent.model.machine.pushed.compliant import rings_in, sprung_hooks
from detent.model.machine.solids import part_solid
from detent.motion.leading.plan import PushPlan


@dataclass(frozen=True, eq=False)
class Counterpart:
    """The parts that stand beside their place, and the point about which they are turned."""

    plan: PushPlan
    parts: tuple[str, ...]
    about: Floats  # (3,) in document units

    def pose(self, part: str, offset: Floats, turned: Floats) -> dict[str, Any]:
        """Of one of its parts, in the world, as a document says it."""
        frame, rotation = in_metres(self.plan.placed.frame(part), 1.0), rotation_of(turned)
        frame[:3, 3] = self.about + offset + rotation @ (frame[:3, 3] - self.about)
        frame[:3, :3] = rotation @ frame[:3, :3]
        return _pose(frame, self.plan.mechanism.dimension)

    def frame(self, part: str, offset: Floats, turned: Floats) -> Floats:
        """(4, 4) of one of its parts [m]: that of the misaligned document, to the last digit."""
        from detent.model.reading import convert

        return in_metres(pose_frame(convert.table(self.pose(part, offset, turned), Pose)), self.plan.metres)

    def misaligned(self, offset: Floats, turned: Floats) -> Mechanism:
        """With its first leg alone; an offset in document units, a rotation vector [rad], on world axes."""
        mechanism, placing = self.plan.mechanism, self.plan.placed
        data: Any = mechanism.to_dict()
        for part in mechanism.parts:
            if part in self.parts:
                data["parts"][part]["pose"] = self.pose(part, offset, turned)
            elif (pose := mechanism.parts[part].pose) is not None and pose.on is not None:
                frame = in_metres(placing.frame(part), 1.0)
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


def hole_of(plan: PushPlan, about: Floats | None = None) -> Counterpart:
    """What stands still in front of a peg that is led; turned about a point in document units, unless said
    the middle of its box.
    """
    parts = tuple(part for part in plan.fixed if plan.mechanism.parts[part].shape is not None)
    return Counterpart(plan, parts, _middle(plan, parts) if about is None else about)


def counterpart_of(plan: PushPlan) -> Counterpart:
    """Of what gives way. Refused where both sides give way."""
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
