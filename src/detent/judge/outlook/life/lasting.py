"""How long does a pattern last, and how does it change on the way? By restarts at predicted states.

Gelsey's Algorithm 13 (1995) restarts once, where half of the energy is gone, and corrects a straight line.
Here the spring that runs down says after how many patterns it is slack; patterns between are measured by
restarts, and the last one is found by bisection: what repeats at two tensions is taken to repeat at those
between. What comes in the way of a part that goes on turning is another question.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from detent.judge.outlook.life.ending import touches_alike
from detent.judge.outlook.life.fading import patterns_for_law
from detent.judge.outlook.life.marks_lost import cycles_of, followed
from detent.judge.outlook.patterns.cycles import SETTLE, SPENT, UNSETTLED, Cycle, settled
from detent.judge.outlook.patterns.hypotheses import STILL
from detent.judge.outlook.patterns.settling import settling_of
from detent.judge.outlook.patterns.simulating import MachineState
from detent.judge.outlook.patterns.springs import spring_at_first

if TYPE_CHECKING:
    from detent.judge.outlook.patterns.cycles import Cycles
    from detent.judge.outlook.patterns.simulating import SimulatedCourse
    from detent.judge.outlook.patterns.springs import RunningSpring

# From the last pattern known to repeat up to the first that does not: so few are simulated through.
_THROUGH = 8
# Shares of ranges: a pattern that will change by less in all its life is steady; it is followed until that is
# less than the second, where effort allows: a duration that is off adds up over all patterns.
STEADY, _AT_BEST = 1e-4, 1e-5
_MOST_STEADY = 60  # patterns in which it may become so
_MANY = 10  # patterns over which changes to and fro are told from a drift
_ACCURATE = 10.0  # times the accuracy of a step: how accurate marks are


@dataclass
class Life:
    """What was found out: counted from the base, the last pattern confirmed by the search."""

    springs: list[RunningSpring] = field(default_factory=list)
    steady: bool = False  # nothing changes from pattern to pattern
    half: float | None = None  # the pattern at which half of the energy is gone
    lasts: float = 0.0  # known to repeat up to this one
    fails: float | None = None  # known not to repeat from this one on; None: nothing ends it
    exact: bool = False  # the last one was simulated through
    end: SimulatedCourse | None = None  # that has the last pattern and what follows
    over_at: float = 0.0  # when the last pattern was over, in that course
    why: str = ""  # the last pattern is the last, or nothing could be said
    undecided: str = ""
    narrow: bool = False  # no number between is one to restart at
    crowded: bool = False  # processes on top of the pattern leave no number between to restart at
    horizon: float | None = None  # it is known to repeat up to the pattern asked about; what follows is not
    spent: bool = False  # the patterns that may be simulated are spent


def live(cycles: Cycles, until: float = math.inf) -> Life:
    """The life of a pattern, up to a time [s] where one is asked about."""
    springs = cycles.springs()
    life = Life(springs=springs)
    falling = [spring for spring in springs if math.isfinite(spring.slack_after)]
    if not falling:
        _until_steady(cycles, life)
        return life
    slack = min(spring.slack_after for spring in falling)
    life.fails = float(math.ceil(slack))
    spring = min(falling, key=lambda each: each.slack_after)
    first = spring_at_first(cycles.tree, cycles.course.state_at(cycles.course.begin).at, spring)
    half, of = _half_gone(spring, first), "energy"
    life.half = half
    if half < SETTLE:  # before a restart there has settled, the search has seen nearly all of it
        life.half, half, of = None, _half_gone(spring, spring.tension), "energy that was left"
    goal = _asked(cycles, until, slack)
    if goal <= half:
        life.half = None
    else:
        _bisect(cycles, life, half, f"half of the {of} is gone")
        goal = _asked(cycles, until, slack)
    if goal < life.fails and _goes_on(cycles, life):
        _up_to(cycles, life, goal)
    while (
        life.horizon is None
        and life.fails - life.lasts > _THROUGH
        and not life.narrow
        and _goes_on(cycles, life)
        and cycles.may(SETTLE)
    ):
        middle = float(math.floor(0.5 * (life.lasts + life.fails)))
        _bisect(cycles, life, middle, "between the last that repeats and the first that does not")
    if life.horizon is not None or not _goes_on(cycles, life):
        return life
    if cycles.may(life.fails - life.lasts + 1):
        _simulate_through(cycles, life)
    else:
        life.spent = True
    end = life.end if life.exact and cycles.section is None else None
    if end is not None and touches_alike(end, cycles, life.over_at):
        _by_another_mark(cycles, life)
    return life


def _half_gone(spring: RunningSpring, tension: float) -> float:
    """The pattern, counted from the base, after which half of the energy that a tension has is gone."""
    return float(math.floor((tension * math.sqrt(0.5) - spring.tension) / spring.change))


def _by_another_mark(cycles: Cycles, life: Life) -> None:
    """Whether the pattern is not over, and only one of its marks is lost."""
    last = cycles.known[life.lasts]
    on = followed(cycles, last)
    if on is None:
        return
    found, life.over_at = cycles_of(cycles, last, on)
    cycles.known |= {cycle.number: cycle for cycle in found}
    life.lasts, life.fails = found[-1].number, found[-1].number + 1
    life.end, life.exact = on.course, on.course.goes_on
    life.why = on.why


def _up_to(cycles: Cycles, life: Life, goal: float) -> None:
    """Whether it repeats up to a pattern, and no farther: a few before it are simulated."""
    number = cycles.clear(max(goal - SETTLE, life.lasts))
    if not cycles.may(goal - number):
        life.spent = True
        return
    course = cycles.course_from(cycles.predicted(number), max(goal - number, 1), "the horizon asked about")
    found = cycles.regular(course, number)
    if number + len(found.cycles) >= goal:
        life.lasts = life.horizon = goal
        cycles.known |= {cycle.number: cycle for cycle in found.cycles if cycle.number == goal}
        return
    life.why, life.fails = found.why, number + len(found.cycles) + 1


def _asked(cycles: Cycles, until: float, slack: float) -> float:
    """The pattern that is over at the horizon, by what is known of durations; none beyond a slack spring."""
    if not math.isfinite(until) or cycles.time_at(math.ceil(slack)) <= until:
        return math.inf
    return cycles.number_at(until)


def _goes_on(cycles: Cycles, life: Life) -> bool:
    return not (life.undecided or life.end or life.crowded or life.spent)


def _bisect(cycles: Cycles, life: Life, number: float, why: str) -> None:
    """Whether patterns repeat from a number on: narrows what is known."""
    number = cycles.clear(number)
    if not life.lasts < number < (life.fails or math.inf):
        life.crowded, life.narrow = bool(cycles.processes), True
        return
    if not cycles.may(SETTLE):
        life.spent = True
        return
    found = settled(cycles, number, why)
    if found.why and cycles.may(SETTLE):
        # Perhaps the prediction was too far off: again with what the last known pattern has of the others.
        state, known = cycles.predicted(number), cycles.known[max(cycles.known)]
        slow = cycles.net != 0.0
        at = np.where(slow, state.at, known.end[0])
        found = settled(cycles, number, why, MachineState(state.time, at, known.end[1]))
    if not found.why:
        life.lasts = max(life.lasts, found.cycles[-1].number)
        return
    if found.why == SPENT:
        life.spent = True
        return
    if found.why == UNSETTLED:
        life.undecided = f"restarted at pattern {number:g} past the first ones, {UNSETTLED}"
        return
    life.why = found.why
    life.fails = number + len(found.cycles) + 1
    if len(found.cycles) > SETTLE:  # what was wrong at the restart is gone: this is the last pattern
        life.lasts = found.cycles[-1].number
        cycles.known |= {cycle.number: cycle for cycle in found.cycles[SETTLE:]}
        life.end, life.over_at, life.exact = found.course, found.until, found.course.goes_on


def _simulate_through(cycles: Cycles, life: Life) -> None:
    """From the last known pattern until it does not repeat any more."""
    known = cycles.known[life.lasts]
    at, speeds = known.end
    state = MachineState(cycles.predicted(life.lasts).time, at, speeds)
    course = cycles.course_from(state, 2, "the last patterns")
    for _ in range(8 * _THROUGH):
        found = cycles.regular(course, life.lasts)
        if found.why or not cycles.may(1, begun=True):
            break
        cycles.simulated += 1
        course.go_on((found.cycles[-1] if found.cycles else known).duration)
    for cycle in found.cycles:
        cycles.known[cycle.number] = cycle
    life.end, life.why, life.over_at = course, found.why, found.until
    if not found.why:
        life.lasts = found.cycles[-1].number
        life.fails = max(life.fails or 0.0, life.lasts + 1)
        life.undecided = (
            f"it still repeats at pattern {life.lasts:g} past the first ones, where a restart did not"
        )
        return
    life.lasts = found.cycles[-1].number if found.cycles else life.lasts
    life.fails, life.exact = life.lasts + 1, course.goes_on
    if not course.goes_on:
        life.undecided = f"the simulation ended: {course.pieces[-1].trajectory(1).stop}"


def _until_steady(cycles: Cycles, life: Life) -> None:
    """Without a spring that runs down a pattern lasts where nothing changes any more from one to the next."""
    if not cycles.may(3):
        life.undecided, cycles.unsteady = SPENT, True
        return
    state = MachineState(cycles.base_time, *cycles.base.end)
    course = cycles.followed = cycles.course_from(state, 4, "whether it is steady")
    found = cycles.regular(course, 0.0)
    left = _still_to_come(cycles, found.cycles)
    kept = patterns_for_law(cycles)
    while not found.why and left > _AT_BEST and len(found.cycles) < _MOST_STEADY:
        if not cycles.may(2 + kept, begun=True):
            break
        cycles.simulated += 2
        course.go_on(2 * cycles.base.duration)
        found = cycles.regular(course, 0.0)
        left = min(left, _still_to_come(cycles, found.cycles))
    life.lasts = float(len(found.cycles))
    life.end, life.over_at = course, found.until
    if found.why or left > STEADY:
        life.undecided = found.why or f"it still changes after {len(found.cycles)} more patterns"
        cycles.unsteady = True
        return
    # All of them: how long it takes to become steady is in the time of every later pattern.
    cycles.known |= {cycle.number: cycle for cycle in found.cycles}
    life.steady, cycles.steady_from, cycles.open_duration = True, life.lasts, left
    one, other = found.cycles[-2:]
    carried = other.end[0] - one.end[0] - cycles.net
    cycles.net_more = np.where(cycles.net != 0.0, carried, 0.0)
    accuracy = cycles.simulator.prepared.accuracy
    durations = np.array([cycle.duration for cycle in found.cycles])
    ends = np.array([np.concatenate(cycle.end) for cycle in found.cycles])
    seen = settling_of(life.lasts, durations, ends, accuracy)
    if seen is not None and seen.off < left:
        cycles.settling, cycles.open_duration = seen, seen.off


def _still_to_come(cycles: Cycles, found: list[Cycle]) -> float:
    """By how much a pattern will change in all its life, as a share of ranges and of its duration.

    Changes that become less from pattern to pattern do so by a factor: what follows is a geometric series.
    Changes to and fro, as marks are inaccurate, are none over many patterns together.
    """
    if len(found) < 4:
        return math.inf
    before, last = _changes(cycles, found[-4:-1]), _changes(cycles, found[-3:])
    if last <= _AT_BEST:
        accurate = _ACCURATE * cycles.simulator.prepared.accuracy  # that of steps counts anyway
        return last if last > accurate else 0.0
    factor = last / before if before > 0.0 else math.inf
    series = last * max(factor / (1.0 - factor), 1.0) if factor < 1.0 else math.inf
    many = (len(found) - 1) // 2
    if series <= STEADY or many < _MANY:
        return series
    over = _changes(cycles, [found[-1 - 2 * many], found[-1 - many], found[-1]])
    return over / many if over <= STEADY else series


def _changes(cycles: Cycles, found: list[Cycle]) -> float:
    """The greatest change from the second to the last of three patterns, as a share of ranges and of its
    duration; of what each carries on, against that from the first to the second. What comes to rest beside
    the pattern is left out."""
    first, one, other = found
    still = STILL * cycles.scales
    change = other.end[0] - one.end[0]
    change = np.where(cycles.net != 0.0, change - (one.end[0] - first.end[0]), change)
    at = np.abs(change) / np.maximum(cycles.width, still)
    speeds = np.abs(other.end[1] - one.end[1]) / np.maximum(cycles.fast, still / cycles.base.duration)
    at, speeds = (np.where(cycles.creeping.which, 0.0, each) for each in (at, speeds))
    later = abs(other.duration - one.duration) / one.duration
    return float(max(at.max(initial=0.0), speeds.max(initial=0.0), later))
