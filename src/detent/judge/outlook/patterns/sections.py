"""Moments at which a machine is looked at: minima of its kinetic energy, or crossings of a section.

Gelsey (1995, Algorithm 12) looks at minima of the kinetic energy. A machine that never comes nearly to rest
has none; it is then looked at whenever a coordinate passes the middle of its range upwards, or, where
none goes to and fro, whenever one has turned once more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from detent.judge.outlook.patterns.hypotheses import Marks
    from detent.judge.outlook.patterns.simulating import SimulatedCourse

# Of its time: the end of a course that tells the range of a coordinate, the beginning being a transient.
_LATE = 0.5
# Of the range of a coordinate's speed: it goes to and fro where it moves back as fast.
_BACK = 0.05
_BISECTIONS = 45
_ROUNDING = 1e-9  # of a turn
# The last turns of a course that are looked at: what turns steadily takes few steps for many.
_MOST_TURNS = 1000
_BINOMIAL = np.array([1.0, 5.0, 10.0, 10.0, 5.0, 1.0])  # of the control points of a step


@dataclass(frozen=True)
class CrossingSection:
    """A coordinate and the value at which it is passed upwards; `turn` where each rotation passes again."""

    coordinate: int
    value: float
    turn: float = 0.0
    way: int = 1

    def marks_of(self, course: SimulatedCourse, last: int = 0) -> Marks:
        """Crossings, located between the ends of steps; the last ones only, where so many are given."""
        along = course.along
        end = along.motion_at(course.end)[0][self.coordinate]
        places = np.append(along.points[:, 0, self.coordinate], end)
        if self.turn:
            counted = np.floor((self.way * (places - self.value)) / self.turn)
            turns = np.maximum(np.diff(counted), 0.0).astype(np.int64)  # a step may be longer than a turn
            turns[: np.searchsorted(-np.cumsum(turns[::-1])[::-1], -_MOST_TURNS)] = 0
            crossed = np.repeat(np.arange(len(turns)), turns)
            nth = np.concatenate([np.arange(1, k + 1) for k in turns[turns > 0]] or [np.zeros(0, np.int64)])
            goals = self.value + self.way * self.turn * (counted[crossed] + nth)
        else:
            crossed = np.flatnonzero((places[:-1] < self.value) & (places[1:] >= self.value))
            goals = np.full(len(crossed), self.value)
        return course.marks_at(_located(course, self.coordinate, crossed[-last:], goals[-last:]))

    def passed(self, course: SimulatedCourse, time: float) -> int:
        """How often it has been passed up to a time, all of them counted; of turns those since the start."""
        if not self.turn:
            return int((self.marks_of(course).times <= time).sum())
        value = float(course.along.motion_at(time)[0][self.coordinate])
        return max(math.floor(self.way * (value - self.value) / self.turn + _ROUNDING), 0)

    def time_of_turn(self, course: SimulatedCourse, number: int) -> float | None:
        """When so many turns are over; None where the course does not reach that many."""
        end = course.along.motion_at(course.end)[0][self.coordinate]
        places = np.append(course.along.points[:, 0, self.coordinate], end)
        goal = self.value + self.way * self.turn * number
        beyond = np.flatnonzero(self.way * (places - goal) >= 0.0)
        if not len(beyond):
            return None
        if beyond[0] == 0:
            return course.begin
        return float(_located(course, self.coordinate, beyond[:1] - 1, np.array([goal]))[0])


def _located(course: SimulatedCourse, coordinate: int, steps: Any, goals: Any) -> Any:
    """When a coordinate passes goals within steps, all bisected together on the steps' polynomials."""
    along = course.along
    begins, lengths, shares = along.steps[steps].T
    points = along.points[steps, :, coordinate]
    after = np.append(along.points[1:, 0, coordinate], along.motion_at(course.end)[0][coordinate])[steps]
    rises, low, high = after >= goals, np.zeros(len(steps)), shares.copy()
    powers = np.arange(6)
    for _ in range(_BISECTIONS):
        middle = 0.5 * (low + high)
        basis = _BINOMIAL * middle[:, None] ** powers * (1.0 - middle[:, None]) ** powers[::-1]
        reached = ((basis * points).sum(axis=1) >= goals) == rises
        low, high = np.where(reached, low, middle), np.where(reached, middle, high)
    return begins + lengths * high


def sections_of(course: SimulatedCourse) -> list[CrossingSection]:
    """Sections worth looking at: of coordinates that go to and fro, then of those that turn."""
    along = course.along
    late = along.steps[:, 0] >= course.begin + _LATE * (course.end - course.begin)
    if late.sum() < 2:
        return []
    ranges = course.ranges()
    at, speeds, scales = ranges.at[late], ranges.speeds[late], ranges.scales
    back, turning, tree = [], [], along.tree
    for k in range(at.shape[1]):
        fastest, slowest = float(speeds[:, k].max()), float(speeds[:, k].min())
        width = float(np.ptp(at[:, k]))
        if fastest > 0 > slowest and min(fastest, -slowest) > _BACK * max(fastest, -slowest):
            middle = 0.5 * float(at[:, k].max() + at[:, k].min())
            back.append((width / scales[k], CrossingSection(k, middle)))
        elif width > 2 * math.pi and along.coordinate_units[tree.names[tree.independent[k]]] == "rad":
            way = 1 if fastest > -slowest else -1
            # Whole turns from the start: so many marks are so many turns.
            turning.append((width, CrossingSection(k, float(ranges.at[0, k]), 2 * math.pi, way)))
    return [section for _, section in sorted(back, key=lambda each: -each[0])] + [s for _, s in turning]
