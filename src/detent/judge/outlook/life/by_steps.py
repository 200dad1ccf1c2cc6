"""What the accuracy of steps leaves open of a pattern, by the same life simulated to a finer one.

Each step is as accurate as asked, but by how much the pattern is off is the machine's: an undamped swing
keeps what its steps changed of its energy, and near the top of its way its period changes with that by more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.judge.outlook.patterns.cycles import Cycles
    from detent.judge.outlook.patterns.hypotheses import Marks
    from detent.judge.outlook.patterns.simulating import SimulatedCourse

    Floats = NDArray[np.float64]

# The difference to a tenth of the accuracy is nine tenths of the error at least: told twice.
_TWICE = 2.0
# Of the time from mark to mark: in the finer life the same mark comes within that, else it is another one.
_SAME = 0.25
# Of a pattern: simulated beyond its last mark, so that it is surely there.
_BEYOND = 0.1


@dataclass(frozen=True)
class StepErrors:
    """Of the pattern that all others are counted from, and of what it changes."""

    late: float  # [s] of when it is over
    rate: float  # of its duration
    at: Floats  # of independent coordinates where it is over
    carried: Floats  # of what a pattern carries on; zero for those that come back

    def of_time(self, lasts: float) -> float:
        """[s] Of when patterns are over that last so long, counted from that one."""
        return self.late + self.rate * lasts

    def of_state(self, number: float) -> Floats:
        """Of independent coordinates, so many patterns after that one."""
        errors: Floats = self.at + number * self.carried
        return errors


def needed_until(cycles: Cycles) -> float:
    """[s] So long is the finer life simulated."""
    return cycles.base_time + _BEYOND * cycles.base.duration


def step_errors(cycles: Cycles, finer: SimulatedCourse) -> StepErrors:
    """Those of the pattern that was confirmed, beside a finer life; where that does not show it, a whole
    pattern is open."""
    marks = cycles.marks_of(finer, cycles.settings.energy)
    lasts, minima = cycles.base.duration, cycles.minima
    end, begin = (_same(marks, time, lasts / minima) for time in (cycles.base_time, cycles.base_time - lasts))
    if end is None or begin is None:
        return StepErrors(lasts, 0.0, cycles.width, np.zeros(len(cycles.net)))
    late = abs(float(marks.times[end]) - cycles.base_time)
    off = abs(float(marks.times[end] - marks.times[begin]) - lasts)
    at = np.abs(marks.at[end] - cycles.base.end[0])
    first = cycles.pattern.last - minima
    carried = (marks.at[end] - marks.at[begin]) - (cycles.base.end[0] - cycles.pattern.marks.at[first])
    carried = np.where(cycles.net == 0.0, 0.0, np.abs(carried))
    return StepErrors(_TWICE * late, _TWICE * off / lasts, _TWICE * at, _TWICE * carried)


def _same(marks: Marks, time: float, apart: float) -> int | None:
    """The mark that comes at a time, but for the error; None where none does."""
    if not len(marks):
        return None
    nearest = int(np.argmin(np.abs(marks.times - time)))
    return nearest if abs(float(marks.times[nearest]) - time) <= _SAME * apart else None
