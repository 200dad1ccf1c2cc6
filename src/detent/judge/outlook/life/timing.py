"""How far it is known when a pattern is over: durations of those between measured ones are interpolated.

They lie between chords and neighbouring chords that are carried on, where the measured patterns touch alike;
where parts touch otherwise in the next one that was measured, the duration may jump at any pattern between.
Where a moment is asked for, more patterns are measured where most is open.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from detent.judge.outlook.life.ending import touches
from detent.judge.outlook.patterns.between import bracketed, smoothed
from detent.judge.outlook.patterns.cycles import SETTLE, settled
from detent.judge.outlook.patterns.finding import body_motion
from detent.judge.outlook.patterns.simulating import MachineState

if TYPE_CHECKING:
    from detent.judge.outlook.patterns.cycles import Cycle, Cycles

# Of a pattern's duration: what may be open of a time without more patterns being measured for it.
_GOAL = 2e-3
_SLOWEST = 0.1  # of the slower of two measured ones: no pattern between is taken to be slower
_SLOWEST_FORGOTTEN = 0.8  # of what is wrong at a restart: no more is taken to be left after each pattern
_LONGER = 3  # patterns after which a restart is forgotten where it shows that it is not
# Patterns that are simulated for that, at most, and gaps that are looked at.
_FOR_TIMES, _ROUNDS = 64.0, 24
# Patterns between two measured ones that are simulated through: a restart between would show no fewer.
_SHORT = 2 * SETTLE + 1


@dataclass(frozen=True)
class _Gap:
    """Patterns between two measured ones; how much earlier, or later, all of them may be over [s]."""

    after: float
    before: float
    early: float
    late: float

    @property
    def open(self) -> float:
        return max(self.early, self.late)


def time_error(cycles: Cycles, number: float) -> float:
    """[s] Within what it is known when a pattern is over: by the durations of those between measured ones,
    by what the accuracy of the steps leaves open, added up from the start, and by when the first began."""
    numbers = sorted(cycles.known)
    durations = np.array([cycles.known[n].duration for n in numbers])
    open_ = cycles.simulator.prepared.accuracy * cycles.time_at(number) + cycles.late
    beyond = number - numbers[-1]
    if beyond > 0:
        open_ += beyond * cycles.open_duration * float(durations[-1])
        open_ += 0.0 if cycles.settling is None else cycles.settling.late
    if beyond > 0 and cycles.springs():  # a spring runs down: durations change on as they did
        open_ += beyond * abs(cycles.duration(number) - float(durations[-1]))
    gaps = _gaps(cycles, number)
    open_ += _left_by_restarts(cycles, gaps, number)
    return max(sum(gap.early for gap in gaps), sum(gap.late for gap in gaps)) + open_


def _left_by_restarts(cycles: Cycles, gaps: list[_Gap], number: float) -> float:
    """[s] By how much later, or earlier, patterns between measured ones may be over because these have not
    forgotten all of their restarts: as one was seen to be off, or as each says of itself."""
    between = [np.arange(gap.after + 1.0, min(gap.before - 1.0, number) + 1.0) for gap in gaps]
    seen = cycles.restarted_off * sum(min(gap.before, number) - gap.after for gap in gaps)
    numbers = sorted(cycles.known)
    left = [_left_of(cycles, each) for each in numbers]
    return max(seen, sum(float(np.interp(each, numbers, left).sum()) for each in between))


def _left_of(cycles: Cycles, number: float) -> float:
    """[s] What a restart leaves of its error in the duration of the pattern that was measured after it: the
    last of a series, by what the last three durations have beside the trend through all measured ones."""
    lasted = cycles.after_restart.get(number)
    if lasted is None or len(lasted) < SETTLE:
        return 0.0
    numbers = np.array(sorted(cycles.known))
    rates = np.array([1.0 / cycles.known[n].duration for n in numbers])
    trend = 1.0 / smoothed(numbers, rates, number + np.arange(1.0 - SETTLE, 1.0))
    before, last = np.diff(lasted - trend)
    factor = min(abs(last / before), _SLOWEST_FORGOTTEN) if before else _SLOWEST_FORGOTTEN
    return float(abs(last) * factor / (1.0 - factor))


def sharpen(cycles: Cycles, number: float) -> None:
    """Measures patterns, up to a number, where most is open of the time; these are not counted with those
    that may be simulated."""
    most, counted = cycles.most, cycles.simulated
    cycles.most = counted + _FOR_TIMES
    tried = set[tuple[float, float]]()
    for _ in range(_ROUNDS):
        gaps = [gap for gap in _gaps(cycles, number) if (gap.after, gap.before) not in tried]
        if sum(gap.open for gap in gaps) <= _GOAL * cycles.base.duration:
            break
        worst = max(gaps, key=lambda gap: gap.open)
        tried.add((worst.after, worst.before))
        if not cycles.may(SETTLE + 1):
            break
        _measure(cycles, worst)
    cycles.most, cycles.simulated = most, counted


def _measure(cycles: Cycles, gap: _Gap) -> None:
    """Patterns of a gap: all of a short one, else one near its middle."""
    why = "for when a moment that was asked for comes"
    if gap.before - gap.after > _SHORT:
        begin = cycles.clear(max(float(int(0.5 * (gap.after + gap.before))) - SETTLE, gap.after))
        if begin > gap.after:
            # Not up to the next one measured: two that lie close show what restarts leave, not a trend.
            longer = min(_LONGER, int(gap.before - begin - SETTLE) // 2)
            settled(cycles, begin, why, longer=longer)
            return
    first = cycles.known[gap.after]
    many = min(gap.before - gap.after, _SHORT)
    course = cycles.course_from(MachineState(cycles.time_at(gap.after), *first.end), many, why)
    for cycle in cycles.regular(course, gap.after).cycles:
        if cycle.number > gap.before:
            break
        if cycle.number in cycles.known:
            # It has forgotten more of its restart than the one that was measured first.
            off = abs(cycles.known[cycle.number].duration - cycle.duration)
            cycles.restarted_off = max(cycles.restarted_off, off)
        cycles.known[cycle.number] = cycle


def _gaps(cycles: Cycles, number: float) -> list[_Gap]:
    """Those up to a pattern, with what is open of those of their patterns that are over by then."""
    numbers = np.array(sorted(cycles.known))
    rates = np.array(
        [1.0 / cycles.known[n].duration for n in numbers]
    )  # they change evenly where a speed does
    nodes: list[tuple[float, float] | None] = [_first_confirmed(cycles)]
    nodes += [(float(n), float(rate)) for n, rate in zip(numbers, rates, strict=True)]
    nodes.append(None)
    found = []
    for k in range(1, len(nodes) - 2):
        one, other = nodes[k], nodes[k + 1]
        assert one is not None
        assert other is not None
        wanted = np.arange(one[0] + 1.0, min(other[0], number + 1.0))
        if not len(wanted):
            continue
        alike = _touch_alike(cycles, cycles.known[one[0]], cycles.known[other[0]])
        low, high = bracketed(nodes[k - 1], (one, other), nodes[k + 2], wanted, alike)
        low = np.maximum(low, _SLOWEST * min(one[1], other[1]))
        taken = 1.0 / smoothed(numbers, rates, wanted)
        early, late = np.maximum(taken - 1.0 / high, 0.0).sum(), np.maximum(1.0 / low - taken, 0.0).sum()
        found.append(_Gap(one[0], other[0], float(early), float(late)))
    return found


def _first_confirmed(cycles: Cycles) -> tuple[float, float]:
    """The first of the patterns that the search confirmed: its number from the base, and its rate [1/s]."""
    pattern = cycles.pattern
    first = pattern.last - pattern.confirmed * pattern.minima
    times = pattern.marks.times
    return -float(pattern.confirmed), 1.0 / float(times[first] - times[first - pattern.minima])


def _touch_alike(cycles: Cycles, one: Cycle, other: Cycle) -> bool:
    """Whether parts touch in the same order in two patterns, and by the same features, those of parts apart
    that patterns carry on."""
    seen = [_touched(cycles, each) for each in (one, other)]
    return seen[0] is not None and seen[0] == seen[1]


def _touched(cycles: Cycles, cycle: Cycle) -> list[tuple[str, ...]] | None:
    if cycle.seen is None:
        return None
    if cycle.number in cycles.touched:
        return cycles.touched[cycle.number]
    course, begin = cycle.seen
    bodies = cycles.tree.system.bodies
    carried = {bodies[body].name for body in body_motion(course, cycles.pattern, cycles.net)}
    cycles.touched[cycle.number] = [
        tuple(
            part if (part := feature.partition("/")[0]) in carried else feature for feature in name.split(":")
        )
        for _, name, _ in touches(course, begin, begin + cycle.duration)
    ]
    return cycles.touched[cycle.number]
