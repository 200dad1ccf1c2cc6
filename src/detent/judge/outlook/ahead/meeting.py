"""What does a new contact do? Gelsey's Algorithm 15 (1995): restarted just before it, the machine shows it.

Where the pattern goes on undisturbed and only joints move that rest in it, the contact begins a process that
is superimposed on the pattern; else the pattern ends there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from detent.judge.outlook.patterns.hypotheses import STILL

if TYPE_CHECKING:
    from detent.judge.outlook.ahead.contacts import NewContact
    from detent.judge.outlook.patterns.cycles import Cycles
    from detent.judge.outlook.patterns.simulating import SimulatedCourse
    from detent.record.event import Event

_LEAD = 2  # patterns before the contact at which it is restarted
_MOST = 24  # patterns in which a superimposed process must be over


@dataclass(frozen=True)
class Encounter:
    """What a restart showed: the first touch, whether the pattern went on, and what moved besides."""

    contact: NewContact
    course: SimulatedCourse
    event: Event | None  # None: they do not touch after all
    begins: float  # the number of the pattern at which the course begins
    goes_on: bool
    why: str
    over: float = 0.0  # when what moved besides was at rest again, in the course
    moved: tuple[int, ...] = ()  # coordinates
    change: tuple[float, ...] = ()
    regular: int = 0  # patterns from the begin of the course that were regular


def meet(cycles: Cycles, contact: NewContact) -> Encounter:
    """Restarts the machine before a new contact and looks what follows."""
    number = float(max(contact.pattern - _LEAD, 0))
    course = cycles.course_from(cycles.predicted(number), _LEAD + 2, "a new contact")
    event = _touch(course, contact)
    if event is None:
        return Encounter(contact, course, None, number, True, "")
    while True:
        found = cycles.regular(course, number, besides=True)
        done = len(found.cycles)
        moved = _moved(cycles, course)
        over = _at_rest_again(cycles, course, found.until, moved)
        if found.why:
            return Encounter(contact, course, event, number, False, found.why, regular=done)
        if over is not None and found.until > event.time + cycles.base.duration:
            before, after = course.state_at(course.begin).at, course.state_at(course.end).at
            change = tuple(float(after[k] - before[k]) for k in moved)
            return Encounter(contact, course, event, number, True, "", over, moved, change, done)
        if done >= _MOST:
            why = f"what it moves is not at rest within {_MOST} patterns"
            return Encounter(contact, course, event, number, False, why, regular=done)
        cycles.simulated += 1
        course.go_on(cycles.base.duration)


def _touch(course: SimulatedCourse, contact: NewContact) -> Event | None:
    for event in course.events():
        if event.kind in ("contact", "impact") and set(event.subjects) == set(contact.parts):
            return event
    return None


def _moved(cycles: Cycles, course: SimulatedCourse) -> tuple[int, ...]:
    """Coordinates that rest in the pattern, and moved here."""
    ways = np.ptp(course.ranges().at, axis=0)
    return tuple(int(k) for k in np.flatnonzero(cycles.resting & (ways > STILL * cycles.scales)))


def _at_rest_again(
    cycles: Cycles, course: SimulatedCourse, until: float, moved: tuple[int, ...]
) -> float | None:
    """Since when those coordinates rest, for the last pattern at least; None where they do not yet."""
    if not moved:
        return until
    ranges, still = course.ranges(), STILL * cycles.scales
    last = course.state_at(course.end).at
    away = np.asarray((np.abs(ranges.at - last)[:, list(moved)] > still[list(moved)]).any(axis=1))
    at = float(ranges.times[np.flatnonzero(away)[-1] + 1]) if away[:-1].any() and not away[-1] else None
    if not away.any():
        at = course.begin
    return at if at is not None and course.end - at > cycles.base.duration else None
