"""Which angles put the PUMA 560's wrist at a place, with its flange turned as asked: inverse kinematics.

The wrist's three axes meet, so that the first three joints place it and the last three turn the flange.
There are two shoulders, two elbows and two hands. `lefty` has the wrist before the shoulder, where the arm
points at zero of joint 1, `righty` behind it (as in Meitinger & Pfeiffer's working points); an elbow is
`above` or `below` the line from shoulder to wrist; joint 5 of the controller is negative with `flip`.
"""

from __future__ import annotations

import cmath
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from detent.library.puma560 import ARM, ELBOW_OFFSET, FOREARM, RANGES, SENSE, SHOULDER, SIDE, UPPER_ARM
from detent.library.robots.serial_arm import Floats

# Of a sine: nearer to zero than this a joint is straight, and two of the solutions are one.
STRAIGHT = 1e-6
_TO_WRIST = math.hypot(ELBOW_OFFSET, FOREARM)
_BENT = math.atan2(FOREARM, ELBOW_OFFSET)  # of the forearm against its link's x


@dataclass(frozen=True)
class ArmConfiguration:
    """Which of the eight solutions."""

    shoulder: str = "righty"
    elbow: str = "above"
    hand: str = "flip"

    def __str__(self) -> str:
        return f"{self.shoulder}, {self.elbow}, {self.hand}"


class NotReachedError(ValueError):
    """Why a place is not reached, and what would help."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"{problem}; {remedy}")
        self.problem, self.remedy = problem, remedy


def angles_reaching(
    wrist: Sequence[float], rotation: Floats, configuration: ArmConfiguration | None = None
) -> Floats:
    """The controller's angles [rad] that bring the wrist [m] and the flange's axes there, in the base."""
    wanted = configuration or ArmConfiguration()
    x, y, z = wrist
    out = math.hypot(x, y)
    if out <= SIDE * (1 + STRAIGHT):
        problem = (
            f"the wrist would be {out:.4g} m from the axis of joint 1, and comes no nearer than {SIDE} m"
        )
        raise NotReachedError(problem, "move it outwards")
    radius = math.sqrt(out**2 - SIDE**2) * (1 if wanted.shoulder == "lefty" else -1)
    turn = math.atan2(y, x) - math.atan2(-SIDE, radius)
    in_plane = complex(radius, z - SHOULDER)
    bend = (abs(in_plane) ** 2 - UPPER_ARM**2 - _TO_WRIST**2) / (2 * UPPER_ARM * _TO_WRIST)
    if abs(bend) > 1 or math.sqrt(1 - bend**2) < STRAIGHT:
        raise _beyond(abs(in_plane), bend)
    for sign in (1, -1):
        elbow = sign * math.acos(bend)
        lift = cmath.phase(in_plane) - cmath.phase(UPPER_ARM + cmath.rect(_TO_WRIST, elbow))
        above = radius * math.sin(lift - cmath.phase(in_plane)) > 0
        if above == (wanted.elbow == "above"):
            break
    first = (turn, lift, elbow - _BENT)
    hand = ARM.frames((*first, 0.0, 0.0, 0.0))[3][:3, :3].T @ np.asarray(rotation, float)
    sine = math.hypot(hand[0, 2], hand[1, 2]) * (1 if wanted.hand == "flip" else -1)
    if abs(sine) < STRAIGHT:
        raise NotReachedError(
            "the hand is straight there, axes 4 and 6 are one: a singular working point",
            "tilt the tool, or move the wrist",
        )
    last = (
        math.atan2(-hand[1, 2] / sine, -hand[0, 2] / sine),
        math.atan2(sine, hand[2, 2]),
        math.atan2(-hand[2, 1] / sine, hand[2, 0] / sine),
    )
    return np.array([_within(a, k) for k, a in enumerate(SENSE * np.array((*first, *last)))])


def configuration_of(angles: Any) -> ArmConfiguration:
    """Which of the eight solutions the controller's angles [rad] are."""
    _, lift, elbow, *_ = own = SENSE * np.asarray(angles, float)
    in_plane = cmath.rect(1.0, lift) * (UPPER_ARM + cmath.rect(_TO_WRIST, elbow + _BENT))
    above = in_plane.real * math.sin(lift - cmath.phase(in_plane)) > 0
    return ArmConfiguration(
        "lefty" if in_plane.real > 0 else "righty",
        "above" if above else "below",
        "flip" if math.sin(own[4]) > 0 else "noflip",
    )


def straight_joints(angles: Any) -> list[str]:
    """What makes these angles [rad] a singular working point, in words; nothing where none does."""
    _, lift, elbow, _, hand, _ = SENSE * np.asarray(angles, float)
    in_plane = cmath.rect(1.0, lift) * (UPPER_ARM + cmath.rect(_TO_WRIST, elbow + _BENT))
    said = []
    if abs(in_plane.real) < STRAIGHT:
        said.append("the wrist is beside the axis of joint 1")
    if abs(math.sin(elbow + _BENT)) < STRAIGHT:
        said.append("upper arm and forearm are in line")
    if abs(math.sin(hand)) < STRAIGHT:
        said.append("the hand is straight, axes 4 and 6 are one")
    return said


def beyond_ranges(angles: Any) -> list[str]:
    """Joints whose angle [rad] the controller's robot does not reach, in words."""
    return [
        f"joint {k} at {math.degrees(angle):.4g}° of {low}° to {high}°"
        for k, (angle, (low, high)) in enumerate(zip(angles, RANGES, strict=True), 1)
        if not low - 1e-9 <= math.degrees(angle) <= high + 1e-9
    ]


def _beyond(distance: float, bend: float) -> NotReachedError:
    near, far = abs(UPPER_ARM - _TO_WRIST), UPPER_ARM + _TO_WRIST
    where = f"the wrist would be {distance:.4g} m from the shoulder's axis"
    if abs(bend) <= 1 + STRAIGHT:
        return NotReachedError(
            f"{where}, with the arm straight: a singular working point", "move it a little"
        )
    reach = f"and the arm reaches from {near:.3g} m to {far:.4g} m"
    return NotReachedError(f"{where}, {reach}", "move it " + ("nearer" if bend > 1 else "outwards"))


def _within(angle: float, joint: int) -> float:
    """The same direction within the joint's range, nearest to zero; within half a turn where none is."""
    low, high = (math.radians(end) for end in RANGES[joint])
    angle = math.remainder(angle, math.tau)
    turns = (angle + k * math.tau for k in (0, -1, 1))
    return next((a for a in turns if low <= a <= high), angle)


ALL_CONFIGURATIONS = tuple(
    ArmConfiguration(*words)
    for words in itertools.product(("lefty", "righty"), ("above", "below"), ("flip", "noflip"))
)
