"""A pattern that changes no more: the steady one, what it was at first, and what comes to rest beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from detent.foundation.names import listed
from detent.foundation.units import measured, unit_names
from detent.judge.outlook.patterns.hypotheses import Hypothesis, Marks
from detent.judge.outlook.told.telling import by_joint, half_ranges

if TYPE_CHECKING:
    from detent.judge.outlook.life.lasting import Life
    from detent.judge.outlook.patterns.cycles import Cycles
    from detent.judge.outlook.patterns.finding import Found
    from detent.judge.outlook.told.answering import Told

# Of a swing, or of a duration: what a pattern had otherwise at first is said where it differs by more.
_OTHERWISE = 1e-3
# Of a duration: the steady pattern is the one that is told where it differs by more.
_TOLD = 1e-5


def once_steady(told: Told, cycles: Cycles, life: Life) -> Found:
    """The pattern to be told: the first one confirmed, or the steady one where it becomes another."""
    first = told.found
    assert life.end is not None
    assert first.hypothesis is not None
    course, start = life.end, life.end.state_at(life.end.begin)
    marks = cycles.marks_in(course, first.settings.energy)
    times = np.concatenate([[course.begin], marks.times])
    whole = Marks(times, np.vstack([start.at, marks.at]), np.vstack([start.speeds, marks.speeds]))
    last = int(life.lasts) * cycles.minima
    steady = Hypothesis(whole, cycles.minima, last, min(first.settings.confirm, int(life.lasts) - 1))
    then = replace(first, course=course, hypothesis=steady)
    took, takes = first.hypothesis.duration, steady.duration
    return then if _became(first, then, cycles) or abs(took - takes) > _TOLD * takes else first


def _became(first: Found, then: Found, cycles: Cycles) -> list[str]:
    """In words, what the first pattern that was confirmed had otherwise than the steady one."""
    assert first.hypothesis is not None
    assert then.hypothesis is not None
    before, after = (
        half_ranges(each.course, each.hypothesis.begin, each.hypothesis.begin + each.hypothesis.duration)
        for each in (first, then)
        if each.hypothesis is not None
    )
    took, takes = first.hypothesis.duration, then.hypothesis.duration
    time = unit_names(cycles.tree.system.mechanism.units).time
    words = [f"it took {took:.6g}{time}"] if abs(took - takes) > _OTHERWISE * takes else []
    return words + [
        f"{name} swung {before[name] / width:.4g} times as wide"
        for name, width in after.items()
        if cycles.swings(name, 2 * width)
        and name in before
        and abs(before[name] - width) > _OTHERWISE * width
    ]


def steady_words(told: Told, cycles: Cycles, life: Life) -> str:
    """That it is steady, and since when where it was not at first; and what comes to rest beside it."""
    became = _became(told.found, once_steady(told, cycles, life), cycles)
    words = "nothing changes from pattern to pattern"
    if became:
        count = told.before + int(life.lasts)
        words = f"nothing changes any more after pattern {count} (at first {listed(became)})"
    words += ", and nothing that drives it runs down"
    creeps = [name for name, which in zip(cycles.names, cycles.creeping.which, strict=True) if which]
    if not creeps:
        return words
    values = by_joint(
        told.found.course, np.where(cycles.creeping.which, cycles.creeping.goal, cycles.base.at[-1])
    )
    units = told.found.course.along.coordinate_units
    rests = [f"{name} comes to rest at {measured(values[name], units[name])}" for name in creeps]
    return f"{words}; {listed(rests)} beside it"


def left_out_of_creeping(cycles: Cycles) -> list[str]:
    """What is not looked for on the way of what comes to rest beside the pattern."""
    if not cycles.creeping.which.any() or not len(cycles.course.first.possible):
        return []
    creeps = [name for name, which in zip(cycles.names, cycles.creeping.which, strict=True) if which]
    return [f"what {listed(creeps)} might meet on the way to rest"]
