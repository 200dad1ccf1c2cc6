"""The pattern of a machine: simulate and look, until one is confirmed, it rests, or effort ends."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.contact.candidate import PAIR
from detent.judge.outlook.patterns.hypotheses import (
    STILL,
    Fallen,
    Hypothesis,
    Search,
    SearchSettings,
    disagreement,
    search,
)
from detent.judge.outlook.patterns.rest import Standstill, rest_of
from detent.judge.outlook.patterns.sections import CrossingSection, sections_of
from detent.judge.outlook.patterns.symmetry import Returning, returning
from detent.mechanics.tree_columns import TURN, X, Y
from detent.mechanics.tree_kernels import place_tree, plane_state

if TYPE_CHECKING:
    from detent.judge.outlook.patterns.hypotheses import Marks
    from detent.judge.outlook.patterns.simulating import MachineState, SimulatedCourse

# Crossings of a section are looked at where so few minima of the energy came.
_FEW = 3
# How much longer a course becomes when nothing says how long it has to be.
_LONGER = 1.0
_MOST_ROUNDS = 40
_RECENT = 8
# Moments of a pattern at which ranges are read, and the share of a change at which an end of one moves too.
_LOOKS, _BOTH_ENDS = 100, 0.25
# Crossings of a section that are looked at, the last ones: patterns of a third of them may be found.
_MOST_MARKS = 240


@dataclass
class Found:
    """What a course from the start showed."""

    course: SimulatedCourse
    settings: SearchSettings
    hypothesis: Hypothesis | None = None
    section: CrossingSection | None = None  # that marks are crossings of; else they are minima of the energy
    rest: Standstill | None = None
    fallen: tuple[Fallen, ...] = ()
    returning: list[Returning] = field(default_factory=list)
    marks: int = 0
    searched: int = 0  # marks among which no pattern is
    once: Hypothesis | None = None  # the first pattern that was confirmed for a while, then refused
    once_section: CrossingSection | None = None  # that its marks are crossings of
    checked: list[str] = field(default_factory=list)

    @property
    def names(self) -> tuple[str, ...]:
        tree = self.course.first.tree
        return tuple(tree.names[k] for k in tree.independent)


def find(course: SimulatedCourse, settings: SearchSettings, until: float = math.inf) -> Found:
    """Simulates a machine from its start until a pattern is confirmed, it is at rest, effort is spent, or the
    horizon is reached.
    """
    found = Found(course, settings)
    refused: dict[int, str] = {}
    settled = course.first.driven.settled
    for _ in range(_MOST_ROUNDS):
        wanted = _look(found, refused, settled)
        if found.hypothesis is not None or not course.goes_on:
            return found
        found.rest = rest_of(course) if course.end > 2 * settled else None
        if found.rest is not None:
            return found
        if len(course.along.steps) >= settings.steps or course.end >= until:
            return found
        # Whether it rests is asked once it was looked at for as long after its drives end as before.
        lacks = 2.01 * settled - course.end
        longer = max(wanted, min(lacks, _LONGER * (course.end - course.begin)))
        course.go_on(min(longer, until - course.end))
    return found


def _look(found: Found, refused: dict[int, str], settled: float) -> float:
    """Searches what there is; returns how much longer to simulate."""
    course, settings = found.course, found.settings
    minima = course.minima_below(settings.energy)
    kinds: list[tuple[CrossingSection | None, Marks]] = [(None, minima)]
    if len(minima) <= _FEW:
        sections = [found.section] if found.section is not None else sections_of(course)
        kinds += [(each, each.marks_of(course, _MOST_MARKS)) for each in sections if each is not None]
    wanted = _LONGER * (course.end - course.begin)
    for section, marks in kinds:
        kept = marks.after(int((marks.times < settled).sum()))
        if section is None:
            found.marks = len(kept)
        wanted = min(wanted, _more(kept, settings, course))
        result = _confirmed(found, kept, refused, section)
        if result is not None:
            return result
    return wanted


def _more(marks: Marks, settings: SearchSettings, course: SimulatedCourse) -> float:
    """Time after which the next larger pattern may be decided, by the pace of marks so far."""
    span = course.end - course.begin
    if len(marks) < 2:
        return _LONGER * span
    pace = float(marks.times[-1] - marks.times[0]) / (len(marks) - 1)
    need = settings.bound(2) + 1 - len(marks)
    return min(_LONGER * span, pace * need) if need > 0 else _LONGER * span


def _confirmed(
    found: Found, marks: Marks, refused: dict[int, str], section: CrossingSection | None
) -> float | None:
    """Looks for a pattern that symmetry confirms too; None where marks show none, else time still wanted."""
    course, settings, names = found.course, found.settings, found.names
    ranges = course.ranges()
    while True:
        # Of crossings only the last ones are looked at: their section was chosen where the course is now. Of
        # minima those that were looked at before show no pattern.
        first = found.searched if section is None else len(marks) - _RECENT
        result: Search = search(marks, ranges, names, settings, refused, first)
        if section is None or result.found is not None:
            before = {} if section is not None else {each.minima: each for each in found.fallen}
            fallen = before | {each.minima: each for each in result.fallen}
            found.fallen = tuple(fallen[minima] for minima in sorted(fallen))
        if result.found is None:
            found.searched = len(marks) if section is None else found.searched
            return None
        pattern = result.found
        if found.once is None:
            found.once, found.once_section = pattern, section
        returns = returning(
            course.first.tree.system,
            course.first.possible,
            touched_pairs(course, pattern.begin, pattern.begin + pattern.duration),
            body_motion(course, pattern, net_change(course, pattern, settings.state)),
            settings.state,
        )
        never = [each for each in returns if each.patterns is None]
        orders = [each.patterns for each in returns if each.patterns is not None]
        order = math.lcm(*orders) if orders else 1
        if never:
            found.checked += [each.why for each in never if each.why not in found.checked]
        if order > 1:
            more = _whole_turn(found, pattern, order)
            if isinstance(more, str):
                refused[pattern.minima] = more
                continue
            if more > 0.0:
                return more
            pattern = Hypothesis(pattern.marks, pattern.minima, _last(pattern, order), order, order)
        found.hypothesis, found.section, found.returning = pattern, section, returns
        return 0.0


def _last(pattern: Hypothesis, order: int) -> int:
    """The mark up to which a whole turn is confirmed."""
    first = pattern.last - pattern.minima * pattern.confirmed
    return max(pattern.last, first + pattern.minima * (order + 1) - pattern.minima)


def _whole_turn(found: Found, pattern: Hypothesis, order: int) -> str | float:
    """Whether so many patterns agree, from the first one on: why not, or how much longer to look."""
    marks, minima, course = pattern.marks, pattern.minima, found.course
    last = _last(pattern, order)
    ranges = course.ranges()
    for mark in range(pattern.last + 1, min(last, len(marks) - 1) + 1):
        why = disagreement(marks, minima, mark, found.settings.confirm, ranges, found.names, found.settings)
        if why is not None:
            return f"not over {order} patterns, after which the wheel looks the same: {why}"
    missing = last - (len(marks) - 1)
    if missing <= 0:
        return 0.0
    late = course.end - float(marks.times[-1])
    if not course.goes_on or late > 1.5 * pattern.duration:
        at = course.words.at(float(marks.times[-1]))
        return f"not over {order} patterns, after which the wheel looks the same: none after {at}"
    return (missing / minima + 0.5) * pattern.duration


def touched_pairs(course: SimulatedCourse, begin: float, end: float) -> set[int]:
    """Pairs of candidates that act, or hit, in a time."""
    listed = course.first.possible.listed
    return {int(listed[candidate, PAIR]) for candidate in touched_candidates(course, begin, end)}


def touched_candidates(course: SimulatedCourse, begin: float, end: float) -> set[int]:
    """Candidates that act, or hit, in a time."""
    begins, touching = course.touching()
    inside = (np.append(begins[1:], course.end) > begin) & (begins < end)
    count = len(course.first.possible)
    hit = {candidate for time, candidate in course.hits() if begin <= time < end}
    return hit | {int(c) for c in np.unique(touching[inside]) if 0 <= c < count}


def net_change(course: SimulatedCourse, pattern: Hypothesis, share: float) -> Any:
    """Of independent coordinates over the last pattern, or the mean of those after which wheels look the same
    (teeth may differ a little); zero where they come back within that share of their
    range, and where marks, or the ends of its range, do not change alike: a swing that grows or fades.

    Coordinates that change nearly alike follow each other, as a part that another one pushes along: they are
    given the change that varies least from pattern to pattern, and what is left counts as a drift.
    """
    width, _ = course.ranges().over(pattern.begin, pattern.begin + pattern.duration)
    changes, scales = pattern.changes(), course.along.scales()
    change = np.where(changes.min(axis=0) * changes.max(axis=0) < 0.0, 0.0, pattern.mean)
    net = np.where(np.abs(change) > np.maximum(share * width, STILL * scales), change, 0.0)
    at, last, minima = pattern.marks.at, pattern.last, pattern.minima
    if last < 2 * minima:
        return net
    net[_fades(course, pattern.marks.times[last - 2 * minima : last + 1 : minima], net)] = 0.0
    varies = np.abs(at[last] - 2 * at[last - minima] + at[last - 2 * minima])
    for k in np.flatnonzero(net):
        near = (np.abs(net - net[k]) <= share * abs(net[k])) & (scales == scales[k])
        net[k] = change[near][np.argmin(varies[near])]
    return net


def _fades(course: SimulatedCourse, ends: Any, net: Any) -> Any:
    """Whether the range of a coordinate becomes narrower, or wider, from a pattern to the next.

    What is carried on takes both ends along; of a swing they move in opposite directions, or, about a dead
    point, one of them stays.
    """
    if not net.any():
        return np.zeros(len(net), bool)
    ranges = []
    for k in range(2):
        at = [course.along.motion_at(time)[0] for time in np.linspace(ends[k], ends[k + 1], _LOOKS)]
        ranges.append((np.min(at, axis=0), np.max(at, axis=0)))
    lower, upper = ranges[1][0] - ranges[0][0], ranges[1][1] - ranges[0][1]
    way = np.sign(net)
    return np.minimum(way * lower, way * upper) <= _BOTH_ENDS * np.abs(net)


def body_motion(course: SimulatedCourse, pattern: Hypothesis, net: Any) -> dict[int, float]:
    """By body that the net change moves: how it turns it [rad]."""
    tree, places = course.first.tree, []
    begin = pattern.marks.at[pattern.last - pattern.minima]
    for y in (begin, begin + net):
        state = plane_state(tree.machine)
        place_tree(tree.machine, y, np.zeros(tree.freedoms), state)
        places.append(state.bodies[:, [X, Y, TURN]].copy())
    moved = places[1] - places[0]
    still = STILL * np.array([tree.system.size, tree.system.size, 1.0])
    return {body: float(row[2]) for body, row in enumerate(moved) if (np.abs(row) > still).any()}


def state_of(found: Found, mark: int) -> MachineState:
    """The state at a mark of the pattern."""
    assert found.hypothesis is not None
    return found.course.state_at(float(found.hypothesis.marks.times[mark]))
