"""An arm of a URDF file, by Pinocchio: what `SerialArm` answers, for any chain of hinges from base to tip.

Joints that are not between base and tip are held where the file's zero puts them. Frames, gravity and
wrenches are in the frame of the file's root link, angles count as the file's axes do. SI.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from detent.foundation.errors import ModelError, missing_extra
from detent.foundation.names import did_you_mean, few
from detent.library.robots.serial_arm import Floats, LinkBody

_MOST_NAMED = 12


@dataclass(frozen=True, eq=False)
class UrdfArm:
    """Pinocchio's model with the tip's frame."""

    model: Any
    tip: int  # number of its frame
    bodies: tuple[LinkBody, ...] = ()  # carried beside the file's own links

    @property
    def freedoms(self) -> int:
        return int(self.model.nv)

    @property
    def joints(self) -> tuple[str, ...]:
        """Their names, from the base."""
        return tuple(self.model.names)[1:]

    def carrying(self, bodies: Sequence[LinkBody]) -> UrdfArm:
        """The same arm with more bodies at its tip."""
        pin, model = _pinocchio(), self.model.copy()
        frame = model.frames[self.tip]
        for body in bodies:
            inertia = pin.Inertia(body.mass, np.array(body.center), np.asarray(body.inertia, float))
            model.appendBodyToJoint(frame.parentJoint, inertia, frame.placement)
        return UrdfArm(model, self.tip, (*self.bodies, *bodies))

    def frames(self, angles: Any) -> list[Floats]:
        """The base's, the joints' and the tip's, in the base, 4 x 4."""
        pin, data = _pinocchio(), self.model.createData()
        pin.framesForwardKinematics(self.model, data, np.asarray(angles, float))
        joints = [data.oMi[k].homogeneous.copy() for k in range(1, self.model.njoints)]
        return [np.eye(4), *joints, data.oMf[self.tip].homogeneous.copy()]

    def jacobian(self, angles: Any, at: Sequence[float] = (0.0, 0.0, 0.0)) -> Floats:
        """Velocity of the tip's point `at`, then its rotation, per rate of the angles, 6 x n."""
        pin, data = _pinocchio(), self.model.createData()
        q = np.asarray(angles, float)
        world = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        matrix = np.array(pin.computeFrameJacobian(self.model, data, q, self.tip, world))
        x, y, z = data.oMf[self.tip].rotation @ np.asarray(at, float)
        across = np.array([[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]])
        return np.vstack([matrix[:3] + across @ matrix[3:], matrix[3:]])

    def mass_matrix(self, angles: Any) -> Floats:
        """Kinetic energy is half of rates times this times rates."""
        matrix = np.array(_pinocchio().crba(self.model, self.model.createData(), np.asarray(angles, float)))
        return np.asarray(np.triu(matrix) + np.triu(matrix, 1).T)

    def potential(self, angles: Any, gravity: Floats) -> float:
        """Energy of the weight."""
        model = self._under(gravity)
        q = np.asarray(angles, float)
        return float(_pinocchio().computePotentialEnergy(model, model.createData(), q))

    def gravity_torque(self, angles: Any, gravity: Floats) -> Floats:
        """What the joints must give to hold the weight."""
        model = self._under(gravity)
        q = np.asarray(angles, float)
        return np.array(_pinocchio().computeGeneralizedGravity(model, model.createData(), q))

    def gravity_gradient(self, angles: Any, gravity: Floats) -> Floats:
        """Of the gravity torque by the angles."""
        model = self._under(gravity)
        q = np.asarray(angles, float)
        return np.array(_pinocchio().computeGeneralizedGravityDerivatives(model, model.createData(), q))

    def bias(self, angles: Any, rates: Any, gravity: Floats) -> Floats:
        """What the joints must give where no angle accelerates: Coriolis, centrifugal and weight."""
        model = self._under(gravity)
        q, v = np.asarray(angles, float), np.asarray(rates, float)
        return np.array(_pinocchio().nonLinearEffects(model, model.createData(), q, v))

    def _under(self, gravity: Floats) -> Any:
        self.model.gravity.linear = np.asarray(gravity, float)
        return self.model


def urdf_arm(file: str, tip: str | None, at: str) -> UrdfArm:
    """The chain from the root to a link, the file's last unless said; `at` is where the document asks."""
    pin, path = _pinocchio(), Path(file)
    if not path.is_file():
        problem, remedy = f"there is no file {file!r}", "name one, from the folder in which detent runs"
        raise ModelError.at(f"{at}.file", problem, remedy)
    try:
        model = pin.buildModelFromUrdf(str(path))
    except Exception as error:  # whatever its parser says
        said = str(error).strip().splitlines() or ["its parser says nothing of it"]
        raise ModelError.at(f"{at}.file", f"is no URDF of an arm: {said[0]}", "check the file") from None
    links = [frame.name for frame in model.frames if frame.type == pin.FrameType.BODY]
    name = tip if tip is not None else _last_link(model, pin)
    if name not in links:
        remedy = did_you_mean(name, links, otherwise=f"give one of {few(links, _MOST_NAMED)}")
        raise ModelError.at(f"{at}.tip", f"the file has no link {name!r}", remedy)
    chain = _chain(model, model.frames[model.getFrameId(name)].parentJoint)
    if not chain:
        raise ModelError.at(f"{at}.tip", f"no joint moves {name!r}", "give a link behind the joints")
    others = [k for k in range(1, model.njoints) if k not in chain]
    if others:
        model = pin.buildReducedModel(model, others, pin.neutral(model))
    turning = [k for k in range(1, model.njoints) if model.joints[k].nq != 1 or model.joints[k].nv != 1]
    if turning:
        names = few([model.names[k] for k in turning], _MOST_NAMED)
        problem = f"{names} has no single coordinate, as a continuous or a free joint"
        raise ModelError.at(f"{at}.file", problem, "write revolute joints, with limits")
    return UrdfArm(model, int(model.getFrameId(name)))


def _chain(model: Any, joint: int) -> list[int]:
    found = []
    while joint:
        found.append(int(joint))
        joint = model.parents[joint]
    return found


def _last_link(model: Any, pin: Any) -> str:
    """Of the links behind most joints, the last that the file names."""
    bodies = [frame for frame in model.frames if frame.type == pin.FrameType.BODY]
    deepest = max((len(_chain(model, frame.parentJoint)) for frame in bodies), default=0)
    behind = [frame.name for frame in bodies if len(_chain(model, frame.parentJoint)) == deepest]
    return str(behind[-1]) if behind else ""


def _pinocchio() -> Any:
    try:
        import pinocchio
    except ModuleNotFoundError:
        raise missing_extra("pin", "arm") from None
    return pinocchio
