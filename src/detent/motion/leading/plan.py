"""The plan of a compliant mating: which part is pushed, what goes with it, along which straight legs. SI."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.units import metres
from detent.geometry.pose import in_metres
from detent.library.looks import brought
from detent.library.mating.force_law import Floats
from detent.library.robots.trapezoid import Trapezoid, distance_in
from detent.model.document.drive import Drive, Leg
from detent.model.document.mechanism import Mechanism
from detent.model.machine.graph import WORLD, part_of, rigid_bodies
from detent.model.machine.placed import Placed, place


@dataclass(frozen=True, eq=False)
class StraightLeg:
    """One straight leg: where it begins, along what, how far; its speed may rise and fall at a rate."""

    number: int  # from 1
    start: float  # [s] from the plan's start
    origin: Floats  # (3,) how far the pushed part is from where it is drawn, at the start [m]
    direction: Floats  # (3,) a unit vector
    length: float  # [m]
    speed: float  # [m/s]
    ramp: float | None  # [m/s²]
    at: str  # in the document
    back: bool = False  # over the leg before

    @cached_property
    def trapezoid(self) -> Trapezoid:
        """Its way over time, from its own start."""
        return Trapezoid(self.length, self.speed, self.ramp)

    @property
    def duration(self) -> float:
        """[s]"""
        return self.trapezoid.duration

    def displacement(self, way: Floats | float) -> Floats:
        """(n, 3) of the pushed part from where it is drawn, at ways along this leg [m]."""
        ways = np.atleast_1d(np.asarray(way, float))
        return np.asarray(self.origin + ways[:, None] * self.direction)

    def time_at(self, way: Floats) -> Floats:
        """[s] from this leg's start at ways along it [m]."""
        return self.trapezoid.time_at(way)


@dataclass(frozen=True, eq=False)
class PushPlan:
    """The pushed part, what is rigidly joined to it, and its legs."""

    mechanism: Mechanism
    drive: str
    part: str
    moving: tuple[str, ...]  # the pushed part, then those that fixed joints hold to it
    fixed: tuple[str, ...]  # what stands still
    legs: tuple[StraightLeg, ...]
    placed: Placed
    metres: float  # in a document unit

    def frame(self, part: str) -> Floats:
        """(4, 4) of a part as drawn [m]."""
        return in_metres(self.placed.frame(part), self.metres)

    def frames_at(self, part: str, leg: StraightLeg, way: Floats) -> Floats:
        """(n, 4, 4) of a part that goes with the push."""
        frames = np.repeat(self.frame(part)[None], len(np.atleast_1d(way)), axis=0)
        frames[:, :3, 3] += leg.displacement(way)
        return frames

    def travel(self, leg: StraightLeg, way: Floats) -> Floats:
        """How far the pushed part is along the first leg's direction [m]."""
        return np.asarray(leg.displacement(way) @ self.legs[0].direction)


def plan_of(mechanism: Mechanism) -> PushPlan:
    """Read the drive that pushes; ModelError and UnsupportedError say what is missing."""
    pushes = [name for name, drive in mechanism.drives.items() if drive.legs]
    if not pushes:
        words = "no drive pushes a part along legs"
        raise ModelError.at("drives", words, "add one with `part` and `legs`, as a push")
    if len(mechanism.drives) > 1:
        other = next(name for name in mechanism.drives if name != pushes[0])
        words = f"one drive pushes, and {pushes[0]!r} does already"
        raise UnsupportedError(words, "keep one of the two", f"drives.{other}")
    name = pushes[0]
    drive = mechanism.drives[name]
    placed = place(mechanism, brought=brought(mechanism))
    part = drive.part if drive.part is not None else part_of(drive.marker or "")
    bodies = rigid_bodies(mechanism)
    fixed = tuple(one for one in mechanism.parts if bodies.together(one, WORLD))
    if part in fixed:
        raise ModelError.at(f"parts.{part}", "what is pushed stands still", "push another part, or free it")
    moving = (part, *(one for one in mechanism.parts if one != part and bodies.together(one, part)))
    return PushPlan(
        mechanism,
        name,
        part,
        moving,
        fixed,
        _legs(mechanism, name, drive, placed),
        placed,
        metres(mechanism.units),
    )


def _legs(mechanism: Mechanism, name: str, drive: Drive, placed: Placed) -> tuple[StraightLeg, ...]:
    axes = np.eye(3)
    if drive.marker is not None:
        axes = placed.marker_in_world(drive.marker).matrix[:, :3]
    scale = metres(mechanism.units)
    legs: list[StraightLeg] = []
    start, origin = 0.0, np.zeros(3)
    for k, leg in enumerate(drive.legs):
        at = f"drives.{name}.legs.{k}"
        straight = (
            _back(legs[-1], start, at) if leg.back else _leg(leg, axes, scale, k + 1, start, origin, at)
        )
        legs.append(straight)
        start, origin = start + straight.duration, straight.displacement(straight.length)[0]
    return tuple(legs)


def after(leg: StraightLeg, before: StraightLeg, way: float) -> StraightLeg:
    """The leg from where the one before it ended, which may be short of its own end."""
    start = before.start + float(before.time_at(np.array([way]))[0])
    length = way if leg.back else leg.length
    return replace(leg, start=start, origin=before.displacement(way)[0], length=length)


def _leg(
    leg: Leg, axes: Floats, scale: float, number: int, start: float, origin: Floats, at: str
) -> StraightLeg:
    assert leg.velocity is not None
    velocity = scale * (axes @ np.array([*map(float, leg.velocity), 0.0][:3]))
    speed = float(np.linalg.norm(velocity))
    ramp = None if leg.ramp is None else scale * float(leg.ramp)
    if leg.distance is not None:
        length = scale * float(leg.distance)
    else:
        length = distance_in(float(leg.for_ or 0), speed, ramp)
    if not (speed > 0 and length > 0 and math.isfinite(length)):
        problem = f"goes {length / scale:.3g} at a speed of {speed / scale:.3g}"
        raise ModelError.at(at, problem, "give a velocity and a length above zero")
    return StraightLeg(number, start, origin, velocity / speed, length, speed, ramp, at)


def _back(before: StraightLeg, start: float, at: str) -> StraightLeg:
    origin = before.displacement(before.length)[0]
    direction = -before.direction
    return StraightLeg(
        before.number + 1, start, origin, direction, before.length, before.speed, before.ramp, at, back=True
    )
