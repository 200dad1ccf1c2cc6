"""Has a machine come to rest for good? Only where it does not move any more, however long one looks."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from detent.judge.outlook.patterns.hypotheses import STILL
from detent.motion.running.minima import kinetic_energies

if TYPE_CHECKING:
    from detent.judge.outlook.patterns.simulating import SimulatedCourse

# Of the greatest kinetic energy: less is quiet.
QUIET = 1e-8
FADES = f"what still moves fades, with less than {QUIET:g} of its greatest kinetic energy"
# Of the greatest kinetic energy: less is none, as where friction or a stop holds what moved.
_NONE = 1e-14
# Looks at the kinetic energy in each step, for since when it is quiet.
_LOOKS = 8
# Of the time simulated: so long must it have been quiet.
_LONG = 0.25
# A pause between two halves of the quiet time: what moved in the second is less than this share of the first,
# so that all that is to come is less still.
_FADING = 0.5
# In accuracies of a step, of a radian or the size: so far steps wander about where a swing has faded to.
_WANDERS = 50.0


@dataclass(frozen=True)
class Standstill:
    """Since when it is quiet, how long that was looked at, and how far a coordinate then went at most."""

    since: float
    looked_for: float
    moved: float  # rad, or of the size
    fades: bool = False  # it did not stop: it moves less and less
    within: float = 0.0  # [s] how well known that is

    @property
    def words(self) -> str:
        return FADES if self.fades else "nothing moves any more"


def quiet_since(course: SimulatedCourse, top: float, shares: tuple[float, ...]) -> list[float]:
    """By share of the quiet share of a kinetic energy: since when a course has no more; its end, where it has
    more there."""
    steps = course.along.steps
    looks = (steps[:, 1] * steps[:, 2])[:, None] * (np.arange(_LOOKS) / _LOOKS)
    times = np.append((steps[:, :1] + looks).ravel(), course.end)
    kinetic = kinetic_energies(course.along, times)
    loud = [np.flatnonzero(kinetic > share * QUIET * top) for share in shares]
    return [float(times[min(each[-1] + 1, len(times) - 1)]) if len(each) else course.begin for each in loud]


def kinetic_top(course: SimulatedCourse) -> float:
    """The greatest kinetic energy at the beginnings of steps: by what is told to fade."""
    return float(kinetic_energies(course.along, course.along.steps[:, 0]).max())


def rest_of(course: SimulatedCourse) -> Standstill | None:
    """Standstill at the end of what was simulated; None where it moves, or was not looked at long enough."""
    ranges = course.ranges()
    times = np.append(ranges.times, course.end)
    kinetic = kinetic_energies(course.along, times)
    top = float(kinetic.max())
    loud = np.flatnonzero(kinetic > QUIET * top) if top > 0 else np.zeros(0, np.int64)
    since = float(times[min(loud[-1] + 1, len(times) - 1)]) if len(loud) else course.begin
    quiet = course.end - since
    if quiet <= _LONG * (course.end - course.begin):
        return None
    middle = since + 0.5 * quiet
    ends = [course.state_at(time).at for time in (since, middle, course.end)]
    first, second = (np.abs(b - a) / ranges.scales for a, b in pairwise(ends))
    moved = float(second.max(initial=0.0))
    still = max(STILL, _WANDERS * course.first.accuracy)
    if moved > still or moved > max(_FADING * float(first.max(initial=0.0)), 1e-3 * STILL):
        return None
    return Standstill(since, quiet, moved, bool((kinetic[times >= since] > _NONE * top).any()))
