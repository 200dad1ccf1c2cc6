"""Where a hook stands when its support gives way, and what a force on it does to the support.

The coordinates are those of the elastic joint that are not rigid: displacements of the hook's end along the
axes of the support's end, then a rotation vector about them. The rotation is exact: Meitinger & Pfeiffer
(36) take a small one, which leaves 2 % in the energy at 80 mrad. The support stores 1/2 q K q, so a force
counts with the rate at which its point moves with q, for a rotation vector through the left Jacobian.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from detent.geometry.pose import rotation_of
from detent.model.machine.elastic.directions import DIRECTIONS
from detent.model.machine.system import System, SystemJoint

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# Below this angle [rad] the series of the left Jacobian is exact to rounding.
_SMALL = 1e-4


@dataclass(frozen=True, eq=False)
class HookPlace:
    """A hook at some coordinates: its frame, the point and axes that its coordinates count on."""

    frame: Floats  # (4, 4) in the world
    point: Floats  # (3,) of the hook's end
    moved: Floats  # (3, n) of the point's velocity by rates of the coordinates, on world axes
    turned: Floats  # (3, n) of the rotation

    def rates(self, at: Floats) -> Floats:
        """(3, n) of the hook's material at a point, by rates of the coordinates."""
        arm = at - self.point
        return np.asarray(self.moved + np.array([cross(turn, arm) for turn in self.turned.T]).T)

    def loads(self, force: Floats, at: Floats) -> Floats:
        """(n,) the work of a force on the hook at a point, per unit of each coordinate."""
        loads: Floats = force @ self.moved + cross(at - self.point, force) @ self.turned
        return loads


@dataclass(frozen=True, eq=False)
class HookSupport:
    """An elastic joint between a support and the hook that it carries."""

    joint: SystemJoint
    free: tuple[int, ...]  # of the six directions in space
    stiffness: Floats  # (n, n) SI, on the coordinates
    axes: Floats  # (4, 4) of the support's end, in the support
    drawn: Floats  # (4, 4) of the hook, in those axes as drawn
    end: Floats  # (3,) the hook's end, in those axes as drawn

    @property
    def turns(self) -> tuple[bool, ...]:
        """Which coordinates are rotations."""
        return tuple(k >= 3 for k in self.free)

    def place(self, coordinates: Floats, support: Floats) -> HookPlace:
        """The hook on its support (4, 4) at some coordinates."""
        if self.flat:
            return self._in_plane(coordinates, support)
        vector = np.zeros(6)
        vector[list(self.free)] = coordinates
        shift, rotation = vector[:3], vector[3:]
        turned = rotation_of(rotation)
        axes = support @ self.axes
        frame = np.eye(4)
        frame[:3, :3] = turned @ self.drawn[:3, :3]
        frame[:3, 3] = self.end + shift + turned @ (self.drawn[:3, 3] - self.end)
        rates = np.zeros((6, 6))
        rates[:3, :3] = np.eye(3)
        rates[3:, 3:] = left_jacobian(rotation)
        kept = rates[:, list(self.free)]
        return HookPlace(
            axes @ frame,
            axes[:3, :3] @ (self.end + shift) + axes[:3, 3],
            axes[:3, :3] @ kept[:3],
            axes[:3, :3] @ kept[3:],
        )

    @cached_property
    def flat(self) -> bool:
        """Whether the hook stays in the plane z = 0."""
        return (
            set(self.free) <= {0, 1, 5} and bool((self.drawn[2] == [0, 0, 1, 0]).all()) and self.end[2] == 0
        )

    def _in_plane(self, coordinates: Floats, support: Floats) -> HookPlace:
        """The same without what a plane has no use for."""
        given = dict(zip(self.free, coordinates.tolist(), strict=True))
        c, s = math.cos(given.get(5, 0.0)), math.sin(given.get(5, 0.0))
        x, y = float(self.end[0]) + given.get(0, 0.0), float(self.end[1]) + given.get(1, 0.0)
        (a, b, _, p), (d, e, _, q) = self.drawn[:2].tolist()
        p, q = p - float(self.end[0]), q - float(self.end[1])
        frame = np.array(
            [
                [c * a - s * d, c * b - s * e, 0.0, x + c * p - s * q],
                [s * a + c * d, s * b + c * e, 0.0, y + s * p + c * q],
                [0.0, 0.0, 1.0, 0.0],
                [0.0, 0.0, 0.0, 1.0],
            ]
        )
        axes = support @ self.axes
        turned = axes[:3, :3]
        return HookPlace(
            axes @ frame,
            turned @ (x, y, 0.0) + axes[:3, 3],
            turned @ self._columns[:3],
            turned @ self._columns[3:],
        )

    @cached_property
    def _columns(self) -> Floats:
        """(6, n)"""
        return np.eye(6)[:, list(self.free)]

    def energy(self, coordinates: Floats) -> float:
        """[J]"""
        return float(0.5 * coordinates @ self.stiffness @ coordinates)


def support_of(system: System, joint: SystemJoint) -> HookSupport:
    """The support of an elastic joint, its rigid directions taken out."""
    assert joint.elastic is not None
    count = len(DIRECTIONS[system.dimension])
    places = (0, 1, 5) if system.dimension == 2 else range(6)
    kept = [k for k in range(count) if k not in joint.elastic.rigid]
    drawn = system.drawn.matrices
    axes = np.eye(4)
    axes[:3] = joint.a.matrix
    in_axes = np.linalg.inv(drawn[joint.a.body] @ axes)
    hook = in_axes @ drawn[joint.b.body]
    return HookSupport(
        joint,
        tuple(places[k] for k in kept),
        joint.elastic.stiffness[np.ix_(kept, kept)],
        axes,
        hook,
        hook[:3, :3] @ joint.b.matrix[:, 3] + hook[:3, 3],
    )


def cross(one: Floats, other: Floats) -> Floats:
    """Of two vectors, without the cost of arrays of them."""
    (a, b, c), (x, y, z) = one.tolist(), other.tolist()
    return np.array([b * z - c * y, c * x - a * z, a * y - b * x])


def left_jacobian(vector: Floats) -> Floats:
    """(3, 3): the angular velocity, on fixed axes, by the rate of a rotation vector."""
    x, y, z = (float(c) for c in vector)
    angle = math.sqrt(x * x + y * y + z * z)
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    if angle < _SMALL:
        return np.asarray(np.eye(3) + cross / 2 + cross @ cross / 6)
    first = (1 - math.cos(angle)) / angle**2
    second = (angle - math.sin(angle)) / angle**3
    return np.asarray(np.eye(3) + first * cross + second * cross @ cross)
