"""An arm of links in a row, joined by hinges: where its links are, its inertia, its weight.

Links follow each other by standard Denavit-Hartenberg parameters; angles count as these do. Bodies hang
on links, several on one where a payload is carried. All is in the frame of the arm's base, in SI.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_SINGULAR = 1e6  # condition of a gripper's Jacobian, above which it leads along no straight path


@dataclass(frozen=True)
class LinkBody:
    """A rigid body on a link."""

    link: int  # 1 is the first that moves
    mass: float  # [kg]
    center: tuple[float, float, float]  # in the link's frame [m]
    inertia: Floats  # about `center`, along the link's axes, 3 x 3 [kg m²]


@dataclass(frozen=True)
class SerialArm:
    """Links and what hangs on them."""

    links: tuple[tuple[float, float, float], ...]  # twist [rad], length [m], offset [m]
    bodies: tuple[LinkBody, ...]

    @property
    def freedoms(self) -> int:
        return len(self.links)

    def carrying(self, bodies: Sequence[LinkBody]) -> SerialArm:
        """The same arm with more bodies."""
        return replace(self, bodies=(*self.bodies, *bodies))

    def frames(self, angles: Any) -> list[Floats]:
        """Frames 0 (base) to the last link's in the base, 4 x 4."""
        frames = [np.eye(4)]
        for angle, (twist, length, offset) in zip(angles, self.links, strict=True):
            c, s = np.cos(angle), np.sin(angle)
            ct, st = np.cos(twist), np.sin(twist)
            step = np.array(
                [
                    [c, -s * ct, s * st, length * c],
                    [s, c * ct, -c * st, length * s],
                    [0.0, st, ct, offset],
                    [0.0, 0.0, 0.0, 1.0],
                ]
            )
            frames.append(frames[-1] @ step)
        return frames

    def jacobian(self, angles: Any, at: Sequence[float] = (0.0, 0.0, 0.0)) -> Floats:
        """Velocity of the last link's point `at`, then its rotation, per rate of the angles, 6 x n."""
        frames = self.frames(angles)
        point = frames[-1][:3, :3] @ np.asarray(at, float) + frames[-1][:3, 3]
        return np.vstack(_columns(frames, self.freedoms, point, self.freedoms))

    def mass_matrix(self, angles: Any) -> Floats:
        """Kinetic energy is half of rates times this times rates."""
        frames = self.frames(angles)
        matrix = np.zeros((self.freedoms, self.freedoms))
        for body in self.bodies:
            center, inertia = _placed(frames, body)
            moves, turns = _columns(frames, body.link, center, self.freedoms)
            matrix += body.mass * moves.T @ moves + turns.T @ inertia @ turns
        return matrix

    def potential(self, angles: Any, gravity: Floats) -> float:
        """Energy of the weight; zero where every centre is at the base's origin."""
        frames = self.frames(angles)
        return -float(sum(body.mass * gravity @ _placed(frames, body)[0] for body in self.bodies))

    def gravity_torque(self, angles: Any, gravity: Floats) -> Floats:
        """What the joints must give to hold the weight: the gradient of the potential."""
        frames = self.frames(angles)
        torque = np.zeros(self.freedoms)
        for body in self.bodies:
            center, _ = _placed(frames, body)
            torque -= body.mass * _columns(frames, body.link, center, self.freedoms)[0].T @ gravity
        return torque

    def gravity_gradient(self, angles: Any, gravity: Floats) -> Floats:
        """How that torque changes with the angles, symmetric: the second derivative of the potential."""
        frames = self.frames(angles)
        gradient = np.zeros((self.freedoms, self.freedoms))
        for body in self.bodies:
            center, _ = _placed(frames, body)
            for j in range(body.link):
                moved = _cross(frames[j][:3, 2], center - frames[j][:3, 3])
                for i in range(j + 1):  # what hinge j moves is turned by every hinge before it
                    value = -body.mass * gravity @ _cross(frames[i][:3, 2], moved)
                    gradient[i, j] += value
                    gradient[j, i] += value if i != j else 0.0
        return gradient

    def bias(self, angles: Any, rates: Any, gravity: Floats) -> Floats:
        """What the joints must give where no angle accelerates: Coriolis, centrifugal and weight.

        Newton and Euler for every body, at the accelerations that the rates alone bring about.
        """
        frames = self.frames(angles)
        spin, turning, speeding = np.zeros(3), np.zeros(3), np.zeros(3)
        origin = frames[0][:3, 3]
        motions = []
        for k, rate in enumerate(rates):
            axis = frames[k][:3, 2]
            turning = turning + _cross(spin, axis * rate)
            spin = spin + axis * rate
            arm = frames[k + 1][:3, 3] - origin
            speeding = speeding + _cross(turning, arm) + _cross(spin, _cross(spin, arm))
            origin = frames[k + 1][:3, 3]
            motions.append((spin, turning, speeding, origin))
        torque = np.zeros(self.freedoms)
        for body in self.bodies:
            center, inertia = _placed(frames, body)
            spin, turning, speeding, origin = motions[body.link - 1]
            arm = center - origin
            acceleration = speeding + _cross(turning, arm) + _cross(spin, _cross(spin, arm))
            force = body.mass * (acceleration - gravity)
            moment = inertia @ turning + _cross(spin, inertia @ spin)
            moves, turns = _columns(frames, body.link, center, self.freedoms)
            torque += moves.T @ force + turns.T @ moment
        return torque


def _placed(frames: list[Floats], body: LinkBody) -> tuple[Floats, Floats]:
    """A body's centre and its inertia along the base's axes."""
    rotation, origin = frames[body.link][:3, :3], frames[body.link][:3, 3]
    return origin + rotation @ np.asarray(body.center), rotation @ body.inertia @ rotation.T


def _columns(frames: list[Floats], link: int, point: Floats, freedoms: int) -> tuple[Floats, Floats]:
    """Velocity of a link's point and rotation of the link per rate of each angle, each 3 x n."""
    moves, turns = np.zeros((3, freedoms)), np.zeros((3, freedoms))
    for k in range(link):
        axis = frames[k][:3, 2]
        moves[:, k] = _cross(axis, point - frames[k][:3, 3])
        turns[:, k] = axis
    return moves, turns


def _cross(a: Floats, b: Floats) -> Floats:
    """NumPy's own takes ten times as long for one pair."""
    (p, q, r), (x, y, z) = a.tolist(), b.tolist()
    return np.array((q * z - r * y, r * x - p * z, p * y - q * x))


def is_singular(jacobian: Floats) -> bool:
    """Whether some motion of the gripper takes rates without bound, or is none of the joints'."""
    rows, joints = jacobian.shape
    return joints < rows or bool(np.linalg.cond(jacobian) > _SINGULAR)


def joint_rates(jacobian: Floats, motion: Floats) -> Floats:
    """Rates of the joints by which the gripper moves so; of an arm with joints to spare the least."""
    rows, joints = jacobian.shape
    if joints == rows:
        return np.asarray(np.linalg.solve(jacobian, motion))
    return np.asarray(np.linalg.lstsq(jacobian, motion, rcond=None)[0])
