"""A controlled arm led along a straight path, touching nothing: where its gripper is, and how fast.

The path is VAL's: speed rises at a constant rate, stays, falls at that rate. The controller is given the
angles that lie on the path; what the gripper then does, under gears that yield and weights that change, is
computed by (7), exactly between instants, or by the full equations (5).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from detent.foundation.errors import ModelError
from detent.library.robots.elastic_arm import ElasticArm
from detent.library.robots.serial_arm import Floats, is_singular, joint_rates
from detent.library.robots.trapezoid import Trapezoid

_PLACES = 65  # of a path at which its angles are computed; between them by a spline
_CLOSE = 1e-12  # [m], [rad] within which these are found
_ACCURACY = 1e-8  # of the full equations, relative


@dataclass(frozen=True)
class StraightPath:
    """A straight way of the gripper at a trapezoidal speed, without rotation."""

    along: tuple[float, float, float]  # in the task's axes, of any length
    distance: float  # [m]
    speed: float  # [m/s], reached if the way is long enough
    ramp: float  # [m/s²]

    def __post_init__(self) -> None:
        if not any(self.along):
            raise ModelError.at("along", "is the zero vector, which has no direction", "give a direction")
        for name in ("distance", "speed", "ramp"):
            value = getattr(self, name)
            if not (value > 0 and math.isfinite(value)):
                raise ModelError.at(name, f"must be above zero, found {value}", "give a finite number")

    @cached_property
    def trapezoid(self) -> Trapezoid:
        """Its way over time."""
        return Trapezoid(self.distance, self.speed, self.ramp)

    @property
    def duration(self) -> float:
        """How long it takes [s]."""
        return self.trapezoid.duration

    def at(self, time: Any) -> tuple[Floats, Floats]:
        """Way [m] and speed [m/s] at times [s]; at rest before and after."""
        return self.trapezoid.at(time)


@dataclass(frozen=True)
class LedRun:
    """What a led arm does; the gripper along the task's axes, against where it was."""

    times: Floats  # [s]
    coordinates: Floats  # a row per time, deviations from rest [rad]
    displacement: Floats  # of the gripper [m], a row per time
    velocity: Floats  # of the gripper [m/s], then its rotation [rad/s]
    wanted: Floats  # way that the path asks for [m]
    wanted_speed: Floats  # [m/s]
    dynamics: str


def lead(
    arm: ElasticArm,
    path: StraightPath,
    *,
    until: float | None = None,
    every: float = 1e-3,
    dynamics: Literal["linear", "full"] = "linear",
) -> LedRun:
    """The arm led from rest at its working point along a path; ModelError where the path leaves its reach."""
    until = path.duration if until is None else until
    if not (until > 0 and every > 0):
        raise ModelError.at("until", "a run has a length and rows", "give times above zero")
    times = np.linspace(0.0, until, max(2, round(until / every) + 1))
    follow = _linear if dynamics == "linear" else _full
    off, rates = follow(arm, path, times)
    if dynamics == "linear":
        moved, velocity = off @ arm.linear.jacobian[:3].T, rates @ arm.linear.jacobian.T
    else:
        along = np.kron(np.eye(2), arm.task_frame.T)
        start = arm.gripper_frame(arm.rest)[:3, 3]
        states = arm.rest + off
        moved = np.array([along[:3, :3] @ (arm.gripper_frame(q)[:3, 3] - start) for q in states])
        velocity = np.array([along @ arm.gripper_jacobian(q) @ v for q, v in zip(states, rates, strict=True)])
    way, speed = path.at(times)
    return LedRun(times, off, moved, velocity, way, speed, dynamics)


def _linear(arm: ElasticArm, path: StraightPath, times: Floats) -> tuple[Floats, Floats]:
    """(7), exactly: the way asked for is a polynomial of second order between the corners of the path."""
    from scipy.linalg import expm

    linear, n = arm.linear, len(arm.linear.mass)
    joints = joint_rates(_regular(arm), _direction(path))  # per metre of the path
    drive = np.linalg.solve(linear.mass, linear.actuated)
    free = np.linalg.solve(linear.mass, np.hstack([-linear.controlled_stiffness, -linear.controlled_damping]))
    # State: coordinates, rates, the way asked for, its speed, its acceleration.
    matrix = np.zeros((2 * n + 3, 2 * n + 3))
    matrix[:n, n : 2 * n] = np.eye(n)
    matrix[n : 2 * n, : 2 * n] = free
    matrix[n : 2 * n, 2 * n] = drive @ (linear.gains * joints)
    matrix[n : 2 * n, 2 * n + 1] = drive @ (linear.gain_damping * joints)
    matrix[2 * n, 2 * n + 1] = matrix[2 * n + 1, 2 * n + 2] = 1.0
    state, now, found = np.zeros(2 * n), 0.0, []
    known: dict[float, Floats] = {}
    pieces = path.trapezoid.pieces
    corners = [piece.time for piece in pieces if 0 < piece.time < times[-1]]
    for time in times:
        for end in [*(c for c in corners if now < c < time), time]:
            if end > now:
                middle = (now + end) / 2
                rate = next(piece.gain for piece in reversed(pieces) if piece.time <= middle)
                way, speed = (float(x) for x in path.at(now))
                length = round(end - now, 15)
                if length not in known:
                    known[length] = expm(length * matrix)
                state = (known[length] @ np.concatenate([state, [way, speed, rate]]))[: 2 * n]
                now = end
        found.append(state)
    rows = np.array(found)
    return rows[:, :n], rows[:, n:]


def _full(arm: ElasticArm, path: StraightPath, times: Floats) -> tuple[Floats, Floats]:
    """(5), by an implicit method, under the angles that lie on the path."""
    from scipy.integrate import solve_ivp

    wanted = _angles_on(arm, path)
    slope = wanted.derivative()
    n = len(arm.rest)

    def rates(time: float, state: Floats) -> Floats:
        way, speed = path.at(time)
        torques = arm.control(
            arm.rest + state[:n], state[n:], wanted(way) - arm.angles, slope(way) * float(speed)
        )
        return np.concatenate([state[n:], arm.acceleration(arm.rest + state[:n], state[n:], torques)])

    linear = arm.linear
    free = np.linalg.solve(linear.mass, np.hstack([-linear.controlled_stiffness, -linear.controlled_damping]))
    jacobian = np.vstack([np.hstack([np.zeros((n, n)), np.eye(n)]), free])
    solved = solve_ivp(
        rates,
        (0.0, float(times[-1])),
        np.zeros(2 * n),
        method="BDF",
        t_eval=times,
        jac=lambda _t, _y: jacobian,
        rtol=_ACCURACY,
        atol=1e-10,
        max_step=min(0.02, path.trapezoid.rising / 2),
    )
    if not solved.success:
        raise ModelError.at(
            "path", f"the full equations could not be followed: {solved.message}", "go slower"
        )
    return solved.y[:n].T, solved.y[n:].T


def _angles_on(arm: ElasticArm, path: StraightPath) -> Any:
    """Angles of the joints over the way."""
    along = arm.task_frame @ _direction(path)[:3]
    return angles_along(arm, np.zeros(3), along, path.distance, "path")


def angles_along(
    arm: ElasticArm, begin: Floats, along: Floats, distance: float, at: str, *, places: int = _PLACES
) -> Any:
    """Angles of the joints over a straight way, the gripper not turning, by Newton from place to place.

    In the base's axes: `begin` is how far the way begins from the working point, `along` of length one.
    """
    from scipy.interpolate import CubicSpline

    start = arm.gripper_frame(arm.rest)
    ways = np.linspace(0.0, distance, places)
    angles, found = arm.angles.copy(), []
    for way in ways:
        for _ in range(30):
            frame = arm.gripper_frame(np.concatenate([arm.rest[: arm.geared], angles]))
            short = start[:3, 3] + begin + way * along - frame[:3, 3]
            turned = start[:3, :3] @ frame[:3, :3].T
            about = np.array(
                [turned[2, 1] - turned[1, 2], turned[0, 2] - turned[2, 0], turned[1, 0] - turned[0, 1]]
            )
            missing = np.concatenate([short, about / 2])
            if np.abs(missing).max() < _CLOSE:
                break
            jacobian = arm.arm.jacobian(angles, arm.gripper_at)
            if is_singular(jacobian):
                raise _out_of_reach(way, at)
            angles = angles + joint_rates(jacobian, missing)
        else:
            raise _out_of_reach(way, at)
        found.append(angles)
    return CubicSpline(ways, np.array(found))


def _out_of_reach(way: float, at: str) -> ModelError:
    problem = (
        f"leaves the robot's reach {1e3 * way:.4g} mm from its start, or comes to a singular place there"
    )
    return ModelError.at(at, problem, "make it shorter, or choose another working point")


def _regular(arm: ElasticArm) -> Floats:
    """The gripper's Jacobian of the joints along the task's axes; refused where it is singular."""
    jacobian = arm.linear.jacobian[:, arm.geared :]
    if is_singular(jacobian):
        raise ModelError.at("path", "no straight path leads from a singular working point", "choose another")
    return np.asarray(jacobian)


def _direction(path: StraightPath) -> Floats:
    along: Sequence[float] = path.along
    return np.concatenate([np.asarray(along, float) / np.linalg.norm(along), np.zeros(3)])
